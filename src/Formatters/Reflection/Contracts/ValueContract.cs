using System;
using System.Globalization;
using Formatters.Binary;

namespace Formatters;

/// <summary>
/// The contract of the values of one type. Its two methods are the plain engine of the binary wire format (docs/wire/binary.md), which works on every
/// runtime and tracks the member path; for the traversal formats that is <see cref="WireWalk{TFormat}"/>. <c>ContractCompiler</c> emits the same for
/// the type.
/// </summary>
internal abstract class ValueContract(Type type)
{
    private const int MaxPathCharCount = 4096;

    /// <summary>Gets the type as the member or the element declares it, <c>int?</c> or <c>IList&lt;T&gt;</c>.</summary>
    internal Type Type { get; } = type;

    /// <summary>Gets or sets, in a traversal format, the codec that <see cref="WireWalk{TFormat}"/> has found for it.</summary>
    internal object? Codec { get; set; }

    /// <summary>Gets the minimum size of a value, with which a count is checked before anything is allocated.</summary>
    internal abstract int MinByteCount { get; }

    /// <summary>Writes a value. Null is an error, unless the contract begins with a presence byte.</summary>
    internal abstract void Write(ref BinaryBodyWriter writer, object? value);

    /// <summary>Reads a value.</summary>
    /// <param name="reader">The reader.</param>
    /// <param name="existing">The current value of the member or element, to be reused; null for none.</param>
    internal abstract object? Read(ref BinaryBodyReader reader, object? existing);

    /// <summary>
    /// Creates the value for a non-null member that a body of another version lacks: an empty string or collection; null if there is none.
    /// </summary>
    internal virtual object? CreateEmpty() => null;

    /// <summary>
    /// Prepends a part to the member path, as an exception filter that never catches: catching and rethrowing at every level would need stack, and
    /// the error may be that none is left.
    /// </summary>
    /// <returns>False.</returns>
    private protected static bool NotePath(MessageFormatException e, string part)
    {
        // At the greatest depths the innermost part is sufficient: joining thousands of parts takes quadratic time.
        if (e.MemberPath is not { Length: > MaxPathCharCount })
            e.PrependPath(part);
        return false;
    }

    private protected static string IndexPart(int index) => "[" + index.ToString(CultureInfo.InvariantCulture) + "]";
}
