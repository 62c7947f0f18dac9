using System.Diagnostics.CodeAnalysis;

namespace Formatters.Generated;

// A union in the versioned wire format: an Int32 byte count, the tag as a 7-bit integer, and the object: docs/wire/versioned.md.
public static partial class ContractCode
{
    /// <summary>Leaves room for the byte count of a union, and writes its tag.</summary>
    /// <param name="writer">The writer.</param>
    /// <param name="position">Where the next byte goes.</param>
    /// <param name="tag">The tag, 0 or greater.</param>
    /// <param name="start">Where the tag begins, for <see cref="EndCase(ref BinaryBodyWriter, ref byte, long)"/>.</param>
    /// <returns>The position behind it.</returns>
    public static ref byte BeginVersionedCase(ref BinaryBodyWriter writer, ref byte position, int tag, out long start) =>
        ref writer.BeginVersionedCaseAt(ref position, tag, out start);

    /// <inheritdoc cref="WriteUnknownCase"/>
    public static ref byte WriteUnknownVersionedCase(ref BinaryBodyWriter writer, ref byte position, IUnknownCase value)
    {
        writer.Output.MoveTo(ref position);
        ContractMethods.WriteUnknownVersionedCase(ref writer, value);
        return ref writer.Output.Position;
    }

    /// <summary>Reads the byte count and the tag of a union.</summary>
    /// <param name="reader">The reader.</param>
    /// <param name="end">The offset behind the object.</param>
    /// <returns>The tag.</returns>
    /// <exception cref="MessageFormatException">The byte count is negative, or more than remains; or the tag is negative, or longer than the byte count.</exception>
    public static int ReadVersionedCase(ref BinaryBodyReader reader, out int end) => ContractMethods.BeginReadVersionedCase(ref reader, out end);

    /// <inheritdoc cref="ThrowUnknownTag"/>
    [DoesNotReturn]
    public static void ThrowUnknownVersionedTag(ref BinaryBodyReader reader, int tag) => ContractMethods.ThrowUnknownVersionedTag(ref reader, tag);
}
