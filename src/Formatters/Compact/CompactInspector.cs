using System;
using System.Globalization;
using System.Text;
using Formatters.Custom;
using Formatters.Generated;
using Formatters.Inspection;

namespace Formatters;

/// <summary>Prints the compact format as far as it describes itself: docs/inspector.md.</summary>
internal sealed class CompactInspector() : WireInspector("compact", ContentTypes.Compact)
{
    private static readonly UTF8Encoding Strict = new(false, throwOnInvalidBytes: true);
    private static readonly UnicodeEncoding StrictUtf16 = new(bigEndian: false, byteOrderMark: false, throwOnInvalidBytes: true);

    internal override int BodyType => BodyTypes.Compact;

    /// <summary>Returns false, because no body identifies this format.</summary>
    internal override bool Recognizes(ReadOnlySpan<byte> body) => false;

    private protected override void Print(ref WireReader reader, InspectionWriter writer)
    {
        writer.At(reader.ByteOffset);
        CompactHead head = CompactHead.Peek(ref reader);
        switch (head.Kind)
        {
            case CompactKind.Integer:
                reader.Input.Advance(head.ByteCount);
                writer.Write(head.Argument);
                break;
            case CompactKind.Content:
                ReadOnlySpan<byte> content = CompactFormat.Take(ref reader, head);
                if (ToText(content) is string text)
                    writer.Write(text);
                else
                    writer.WriteBytes(content);
                break;
            case CompactKind.Negative:
                writer.WriteRaw(CompactFormat.ReadBigInteger(ref reader, "integer").ToString(CultureInfo.InvariantCulture));
                break;
            case CompactKind.Null:
                reader.Input.Advance(1);
                writer.WriteNull();
                break;
            default:
                bool isMap = head.Kind == CompactKind.Map;
                PrintItems(ref reader, writer, isMap, isMap
                    ? default(CompactFormat).ReadMapHeader(ref reader, 0)
                    : default(CompactFormat).ReadArrayHeader(ref reader, 0));
                break;
        }
    }

    private protected override string ReadName(ref WireReader reader)
    {
        CompactHead head = CompactHead.Peek(ref reader);
        if (head.Kind is CompactKind.Integer or CompactKind.Negative)
            return CompactFormat.ReadBigInteger(ref reader, "integer").ToString(CultureInfo.InvariantCulture);
        ReadOnlySpan<byte> key = reader.ReadRaw<CompactFormat>();
        return (head.Kind == CompactKind.Content ? ToText(key.Slice(head.ByteCount)) : null) ?? "$key " + InspectionWriter.ToHex(key);
    }

    /// <summary>Converts the content to a string, if it is printable; short numbers and dates may look printable as well.</summary>
    private static string? ToText(ReadOnlySpan<byte> content)
    {
        try
        {
            bool isUtf16 = content.Length > 1 && content[0] == CompactHead.Utf16;
            string text = isUtf16 ? StrictUtf16.GetString(content.Slice(1).ToArray()) : Strict.GetString(content.ToArray());
            foreach (char c in text)
            {
                if (char.IsControl(c))
                    return null;
            }

            return text;
        }
        catch (ArgumentException)
        {
            return null;
        }
    }
}
