using System;
using System.Globalization;

namespace Formatters;

/// <summary>
/// What the values of one type look like. The two methods are the plain engine of the binary wire format (docs/wire/binary.md), which works on every
/// runtime and knows the member path; for the formats of the traversal that is <see cref="WireWalk{TFormat}"/>. <c>ContractCompiler</c> emits the same
/// for the type.
/// </summary>
internal abstract class ValueContract(Type type)
{
    private const int MaxPathCharCount = 4096;

    /// <summary>The type as the member or the element declares it, <c>int?</c> or <c>IList&lt;T&gt;</c>.</summary>
    internal Type Type { get; } = type;

    /// <summary>In a format of the traversal: the codec that <see cref="WireWalk{TFormat}"/> has found for it.</summary>
    internal object? Codec { get; set; }

    /// <summary>The fewest bytes that a value can take: a count is checked with it before anything is allocated.</summary>
    internal abstract int MinByteCount { get; }

    /// <summary>Writes a value. Null is an error, unless the contract begins with a presence byte.</summary>
    internal abstract void Write(ref BinaryBodyWriter writer, object? value);

    /// <summary>Reads a value.</summary>
    /// <param name="reader">The reader.</param>
    /// <param name="existing">The value that the member or element has now, to be reused; null means none.</param>
    internal abstract object? Read(ref BinaryBodyReader reader, object? existing);

    /// <summary>What stands where a body of another version has no value and null may not be: an empty text or collection; null if there is none.</summary>
    internal virtual object? CreateEmpty() => null;

    /// <summary>
    /// Puts a part of the member path before what is known of it, as the filter of a catch clause that never catches: to catch and throw again at
    /// every level would take stack at every level, and this error may be that there is none left.
    /// </summary>
    /// <returns>False.</returns>
    private protected static bool NotePath(MessageFormatException e, string part)
    {
        // At the greatest depths the innermost part will do: joining thousands of parts takes quadratic time.
        if (e.MemberPath is not { Length: > MaxPathCharCount })
            e.PrependPath(part);
        return false;
    }

    private protected static string IndexPart(int index) => "[" + index.ToString(CultureInfo.InvariantCulture) + "]";
}
