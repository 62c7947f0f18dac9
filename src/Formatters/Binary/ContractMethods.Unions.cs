using System;
using System.Diagnostics.CodeAnalysis;
using System.Globalization;
using Formatters.Binary;

namespace Formatters;

internal static partial class ContractMethods
{
    /// <summary>The minimum size of a union: a tag and a byte count.</summary>
    internal const int MinUnionByteCount = 5;

    internal static long BeginWriteCase(ref BinaryBodyWriter writer, int tag)
    {
        writer.Output.MoveTo(ref writer.BeginCaseAt(ref writer.Output.Position, tag, out long start));
        return start;
    }

    internal static void EndWriteCase(ref BinaryBodyWriter writer, long start) =>
        writer.Output.MoveTo(ref writer.EndCaseAt(ref writer.Output.Position, start));

    internal static void WriteUnknownCase(ref BinaryBodyWriter writer, IUnknownCase value)
    {
        CheckUnknownCase(value, BodyTypes.Binary);
        writer.Write7BitEncodedInt(value.Tag);
        writer.WriteBytes(value.Body.Span);
    }

    /// <summary>Checks that a case with an unknown tag can be written in a format.</summary>
    internal static void CheckUnknownCase(IUnknownCase value, int bodyType)
    {
        if (value.Tag < 0)
            throw new MessageFormatException(MessageFormatErrorCode.BadValue, "The tag of a union is negative.");
        if (value.BodyType != bodyType)
        {
            throw new MessageFormatException(
                MessageFormatErrorCode.ForeignBytes,
                string.Format(
                    CultureInfo.InvariantCulture,
                    "The union has an unknown case with the tag {0}, whose bytes are of another wire format (IUnknownCase.BodyType 0x{1:X4}, not "
                    + "0x{2:X4}). Write it in the format in which it was read, or remove it from the object.",
                    value.Tag, value.BodyType, bodyType));
        }
    }

    internal static int BeginReadCase(ref BinaryBodyReader reader, out int end)
    {
        int byteOffset = reader.ByteOffset;
        int tag = reader.Read7BitEncodedInt();
        if (tag < 0)
            ThrowHelper.ThrowBadLength(byteOffset, "The tag of a union does not fit into 31 bits.");
        end = reader.ReadByteCount();
        end += reader.ByteOffset;
        return tag;
    }

    internal static void EndReadCase(ref BinaryBodyReader reader, int end)
    {
        if (reader.ByteOffset != end)
            ThrowHelper.ThrowBadLength(reader.ByteOffset, "The object in a union does not end where its byte count says.");
    }

    internal static IUnknownCase FillUnknownCase(ref BinaryBodyReader reader, IUnknownCase value, int tag, int end, int bodyType)
    {
        byte[] body = reader.ReadSpan(end - reader.ByteOffset).ToArray();
        value.Tag = tag;
        value.Body = body;
        value.BodyType = bodyType;
        return value;
    }

    [DoesNotReturn]
    internal static void ThrowUnknownTag(ref BinaryBodyReader reader, int tag) =>
        ThrowUnknownTagAt(reader.ByteOffset - sizeof(int) - SevenBitInt.GetByteCount((uint)tag), tag);

    [DoesNotReturn]
    internal static void ThrowUnknownTagAt(int byteOffset, int tag)
    {
        throw new MessageFormatException(
            MessageFormatErrorCode.UnknownTag,
            string.Format(CultureInfo.InvariantCulture, "The union has the tag {0}, which is unknown here: the sender is newer.", tag),
            byteOffset,
            isPoison: true);
    }

    [DoesNotReturn]
    internal static void ThrowUnlisted(object? value)
    {
        if (value is null)
            ThrowUnexpectedNull();
        throw new MessageFormatException(
            MessageFormatErrorCode.TypeNotAllowed,
                $"The object is of the type {value.GetType().Name}, which its union does not list ([MessageUnion]).");
    }
}
