using System.Diagnostics.CodeAnalysis;
using Formatters.Binary;

namespace Formatters.Generated;

// Unions. Binary: the tag as a 7-bit integer, an Int32 byte count, and the bytes of the object: docs/wire/binary.md, "Unions". Versioned: the byte
// count, which includes the tag, the tag, and the object: docs/wire/versioned.md.
public static partial class ContractCode
{
    /// <summary>Writes the tag of a union, and reserves space for the byte count.</summary>
    /// <typeparam name="TFormat">The format.</typeparam>
    /// <param name="writer">The writer.</param>
    /// <param name="position">The position of the next byte.</param>
    /// <param name="tag">The tag, 0 or greater.</param>
    /// <param name="start">The start of the counted content, for <see cref="EndCase(ref BinaryBodyWriter, ref byte, long)"/>.</param>
    /// <returns>The position after it.</returns>
    public static ref byte BeginCase<TFormat>(ref BinaryBodyWriter writer, ref byte position, int tag, out long start)
        where TFormat : struct, IBinaryFormat =>
        ref typeof(TFormat) == typeof(Versioned)
        ? ref writer.BeginVersionedCaseAt(ref position, tag, out start)
        : ref writer.BeginCaseAt(ref position, tag, out start);

    /// <summary>Fills in the byte count before the object.</summary>
    /// <param name="writer">The writer.</param>
    /// <param name="position">The position after the object.</param>
    /// <param name="start">The start of the counted content.</param>
    /// <returns>The position.</returns>
    public static ref byte EndCase(ref BinaryBodyWriter writer, ref byte position, long start) => ref writer.EndCaseAt(ref position, start);

    /// <summary>Writes a case with an unknown tag unchanged.</summary>
    /// <typeparam name="TFormat">The format.</typeparam>
    /// <param name="writer">The writer.</param>
    /// <param name="position">The position of the next byte.</param>
    /// <param name="value">The case.</param>
    /// <returns>The position after it.</returns>
    /// <exception cref="MessageFormatException">Its tag is negative, or its bytes are of another format.</exception>
    public static ref byte WriteUnknownCase<TFormat>(ref BinaryBodyWriter writer, ref byte position, IUnknownCase value)
        where TFormat : struct, IBinaryFormat
    {
        writer.Output.MoveTo(ref position);
        if (typeof(TFormat) == typeof(Versioned))
            ContractMethods.WriteUnknownVersionedCase(ref writer, value);
        else
            ContractMethods.WriteUnknownCase(ref writer, value);
        return ref writer.Output.Position;
    }

    /// <summary>Reads the tag and the byte count of a union.</summary>
    /// <typeparam name="TFormat">The format.</typeparam>
    /// <param name="reader">The reader.</param>
    /// <param name="end">The offset after the object.</param>
    /// <returns>The tag.</returns>
    /// <exception cref="MessageFormatException">The tag or the byte count is negative, or the byte count exceeds the remaining bytes; or, in the
    /// versioned format, it is shorter than the tag.</exception>
    public static int ReadCase<TFormat>(ref BinaryBodyReader reader, out int end)
        where TFormat : struct, IBinaryFormat =>
        typeof(TFormat) == typeof(Versioned)
        ? ContractMethods.BeginReadVersionedCase(ref reader, out end)
        : ContractMethods.BeginReadCase(ref reader, out end);

    /// <summary>Checks that an object ends where its byte count says.</summary>
    /// <param name="reader">The reader.</param>
    /// <param name="end">The offset after the object.</param>
    /// <exception cref="MessageFormatException">It does not.</exception>
    public static void EndCase(ref BinaryBodyReader reader, int end) => ContractMethods.EndReadCase(ref reader, end);

    /// <summary>Reads a case with an unknown tag.</summary>
    /// <typeparam name="TFormat">The format.</typeparam>
    /// <typeparam name="T">The type that stores it.</typeparam>
    /// <param name="reader">The reader.</param>
    /// <param name="tag">The tag.</param>
    /// <param name="end">The offset after it.</param>
    /// <returns>The case.</returns>
    public static T ReadUnknownCase<TFormat, T>(ref BinaryBodyReader reader, int tag, int end)
        where TFormat : struct, IBinaryFormat
        where T : class, IUnknownCase, new() => (T)ContractMethods.FillUnknownCase(
            ref reader, new T(), tag, end, typeof(TFormat) == typeof(Versioned) ? BodyTypes.Versioned : BodyTypes.Binary);

    /// <summary>Throws for an unknown tag.</summary>
    /// <typeparam name="TFormat">The format.</typeparam>
    /// <param name="reader">The reader.</param>
    /// <param name="tag">The tag.</param>
    [DoesNotReturn]
    public static void ThrowUnknownTag<TFormat>(ref BinaryBodyReader reader, int tag)
        where TFormat : struct, IBinaryFormat
    {
        if (typeof(TFormat) == typeof(Versioned))
            ContractMethods.ThrowUnknownVersionedTag(ref reader, tag);
        ContractMethods.ThrowUnknownTag(ref reader, tag);
    }

    /// <summary>Throws for a null, or an object whose type the union does not list.</summary>
    /// <param name="value">The object.</param>
    [DoesNotReturn]
    public static void ThrowUnlisted(object? value) => ContractMethods.ThrowUnlisted(value);
}
