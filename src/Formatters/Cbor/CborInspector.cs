using System;
using System.Globalization;
using System.Text;
using Formatters.Buffers;
using Formatters.Custom;
using Formatters.Generated;
using Formatters.Inspection;

namespace Formatters;

/// <summary>Prints CBOR, including indefinite lengths: docs/inspector.md.</summary>
internal sealed class CborInspector() : WireInspector("cbor", ContentTypes.Cbor)
{
    internal override int BodyType => BodyTypes.Cbor;

    /// <summary>Recognizes only bodies with tag 55799, because any other first byte may be that of another format.</summary>
    internal override bool Recognizes(ReadOnlySpan<byte> body) => body.Length > 3 && body[0] == 0xD9 && body[1] == 0xD9 && body[2] == 0xF7;

    private protected override void Print(ref WireReader reader, InspectionWriter writer)
    {
        writer.At(reader.ByteOffset);
        CborHead head = CborHead.Peek(ref reader);
        switch (head.Major)
        {
            case CborHead.Unsigned:
                reader.Input.Advance(head.ByteCount);
                writer.Write(head.Argument);
                break;
            case CborHead.Negative:
                writer.WriteRaw(default(CborFormat).ReadBigInteger(ref reader).ToString(CultureInfo.InvariantCulture));
                break;
            case CborHead.Bytes:
                writer.WriteBytes(ReadContent(ref reader, head));
                break;
            case CborHead.Text:
                writer.Write(ReadText(ref reader, head));
                break;
            case CborHead.Array or CborHead.Map:
                bool isMap = head.Major == CborHead.Map;
                PrintItems(ref reader, writer, isMap, ReadCount(ref reader, head, isMap));
                break;
            case CborHead.Tag:
                PrintTagged(ref reader, writer, head);
                break;
            default:
                PrintOther(ref reader, writer, head);
                break;
        }
    }

    private protected override bool TryReadEnd(ref WireReader reader) => CborFormat.TryReadBreak(ref reader, isAllowed: true);

    private protected override string ReadName(ref WireReader reader)
    {
        CborHead head = CborHead.Peek(ref reader);
        if (head.Major == CborHead.Text)
            return ReadText(ref reader, head);
        if (head.Major is CborHead.Unsigned or CborHead.Negative)
            return default(CborFormat).ReadBigInteger(ref reader).ToString(CultureInfo.InvariantCulture);
        return "$key " + InspectionWriter.ToHex(reader.ReadRaw<CborFormat>());
    }

    private static int? ReadCount(ref WireReader reader, CborHead head, bool isMap)
    {
        if (!head.IsIndefinite)
            return isMap ? default(CborFormat).ReadMapHeader(ref reader, 0) : default(CborFormat).ReadArrayHeader(ref reader, 0);
        reader.Input.Advance(1);
        return null;
    }

    private void PrintTagged(ref WireReader reader, InspectionWriter writer, CborHead head)
    {
        int start = reader.ByteOffset;
        reader.Input.Advance(head.ByteCount);
        CborHead content = CborHead.Peek(ref reader);
        if (content is { Major: CborHead.Bytes, IsIndefinite: false } && head.Argument is 2 or 3 or CborHead.GuidTag)
        {
            ReadOnlySpan<byte> bytes = CborFormat.TakeContent(ref reader, content, "byte string");
            var again = new WireReader(reader.Input.ReadAgain(start), null);
            if (head.Argument != CborHead.GuidTag)
                writer.WriteRaw(default(CborFormat).ReadBigInteger(ref again).ToString(CultureInfo.InvariantCulture));
            else if (bytes.Length == 16)
                writer.WriteTagged("$guid", WireCode.ReadGuid<CborFormat>(ref again).ToString());
            else
                writer.WriteTagged("$tag 37", InspectionWriter.ToHex(bytes));
            return;
        }

        reader.Enter();
        writer.BeginObject();
        writer.WriteName("$tag " + head.Argument.ToString(CultureInfo.InvariantCulture));
        Print(ref reader, writer);
        writer.EndObject();
        reader.Leave();
    }

    private static void PrintOther(ref WireReader reader, InspectionWriter writer, CborHead head)
    {
        if (head.IsBreak)
            ThrowHelper.ThrowMalformed(reader.ByteOffset, "A break is not allowed here.");
        reader.Input.Advance(head.ByteCount);
        if (head.ByteCount is 3 or 5)
            writer.Write((float)head.ToDouble());
        else if (head.ByteCount == 9)
            writer.Write(head.ToDouble());
        else if (head.Argument == (CborHead.Null & 31))
            writer.WriteNull();
        else if (head.Argument is (CborHead.True & 31) or (CborHead.False & 31))
            writer.Write(head.Argument == (CborHead.True & 31));
        else
            writer.WriteTagged("$simple", (long)head.Argument);
    }

    private static string ReadText(ref WireReader reader, CborHead head)
    {
        if (!head.IsIndefinite)
            return WireCode.ReadString<CborFormat>(ref reader, null);
        // Each chunk is a complete string: none ends within a character.
        var text = new StringBuilder();
        reader.Input.Advance(1);
        while (!CborFormat.TryReadBreak(ref reader, isAllowed: true))
            text.Append(WireCode.ReadString<CborFormat>(ref reader, null));
        return text.ToString();
    }

    private static byte[] ReadContent(ref WireReader reader, CborHead head)
    {
        if (!head.IsIndefinite)
            return CborFormat.TakeContent(ref reader, head, "byte string").ToArray();
        using var content = new PooledBufferWriter();
        reader.Input.Advance(1);
        while (!CborFormat.TryReadBreak(ref reader, isAllowed: true))
        {
            ReadOnlySpan<byte> part = default(CborFormat).ReadBytes(ref reader);
            part.CopyTo(content.GetSpan(part.Length));
            content.Advance(part.Length);
        }

        return content.WrittenSpan.ToArray();
    }
}
