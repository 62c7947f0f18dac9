using System.Diagnostics.CodeAnalysis;
using Formatters.Binary;

namespace Formatters;

// A union in the versioned wire format: an Int32 byte count, the tag as a 7-bit integer, and the object: docs/wire/versioned.md.
internal static partial class ContractMethods
{
    internal static long BeginWriteVersionedCase(ref BinaryBodyWriter writer, int tag)
    {
        writer.Output.MoveTo(ref writer.BeginVersionedCaseAt(ref writer.Output.Position, tag, out long start));
        return start;
    }

    /// <summary>Rejects stored unknown members, which the binary format does not have.</summary>
    internal static void RefuseUnknown(ref BinaryBodyWriter writer, UnknownMembers? unknown) =>
        UnknownMembers.Take(unknown, BodyTypes.Binary, isMap: false, writer.Limits);

    internal static void WriteUnknownVersionedCase(ref BinaryBodyWriter writer, IUnknownCase value)
    {
        CheckUnknownCase(value, BodyTypes.Versioned);
        writer.Write(value.Body.Length + SevenBitInt.GetByteCount((uint)value.Tag));
        writer.Write7BitEncodedInt(value.Tag);
        writer.Write(value.Body.Span);
    }

    internal static int BeginReadVersionedCase(ref BinaryBodyReader reader, out int end)
    {
        end = reader.ReadByteCount();
        end += reader.ByteOffset;
        int byteOffset = reader.ByteOffset;
        int tag = reader.Read7BitEncodedInt();
        if (tag < 0)
            ThrowHelper.ThrowBadLength(byteOffset, "The tag of a union does not fit into 31 bits.");
        if (reader.ByteOffset > end)
            ThrowHelper.ThrowBadLength(byteOffset, "The tag of a union is longer than its byte count says.");
        return tag;
    }

    [DoesNotReturn]
    internal static void ThrowUnknownVersionedTag(ref BinaryBodyReader reader, int tag) =>
        ThrowUnknownTagAt(reader.ByteOffset - SevenBitInt.GetByteCount((uint)tag), tag);
}
