using System;
using System.Globalization;
using Formatters.Inspection;
using Formatters.MessagePack;

namespace Formatters;

/// <summary>Prints MessagePack: docs/inspector.md.</summary>
internal sealed class MessagePackInspector() : MessageInspector("messagepack", ContentTypes.MessagePack)
{
    internal override int BodyType => BodyTypes.MessagePack;

    internal override string[] OtherContentTypes => ["application/msgpack", "application/vnd.msgpack"];

    /// <summary>
    /// Recognizes an array or a map without invalid bytes up to the end of the body, which may be truncated. Other values are not distinctive.
    /// </summary>
    internal override bool Recognizes(ReadOnlySpan<byte> body)
    {
        if (body.IsEmpty || body[0] is not ((>= 0x80 and <= 0x9F) or (>= 0xDC and <= 0xDF)))
            return false;
        var reader = new MessagePackBodyReader(body,
            FormatterLimits.Default with { MaxBodyByteCount = int.MaxValue, MaxElementCount = int.MaxValue });
        try
        {
            reader.ReadRaw();
            return reader.ByteOffset == body.Length;
        }
        catch (MessageFormatException e)
        {
            return e.Code is MessageFormatErrorCode.Truncated or MessageFormatErrorCode.DepthExceeded;
        }
    }

    protected override void Inspect(ReadOnlySpan<byte> body, InspectionWriter writer, FormatterLimits limits)
    {
        var reader = new MessagePackBodyReader(body, limits);
        Print(ref reader, writer);
        reader.EnsureEnd();
    }

    private static void Print(ref MessagePackBodyReader reader, InspectionWriter writer)
    {
        writer.At(reader.ByteOffset);
        switch (reader.NextType)
        {
            case MessagePackType.Nil:
                reader.TryReadNil();
                writer.WriteNull();
                break;
            case MessagePackType.Boolean:
                writer.Write(reader.ReadBoolean());
                break;
            case MessagePackType.Integer:
                PrintInteger(ref reader, writer);
                break;
            case MessagePackType.Float:
                PrintFloat(ref reader, writer);
                break;
            case MessagePackType.String:
                writer.Write(reader.ReadString());
                break;
            case MessagePackType.Binary:
                writer.WriteBytes(reader.ReadSpan());
                break;
            case MessagePackType.Extension:
                PrintExtension(ref reader, writer);
                break;
            case MessagePackType.Array:
                PrintArray(ref reader, writer);
                break;
            default:
                PrintMap(ref reader, writer);
                break;
        }
    }

    private static void PrintArray(ref MessagePackBodyReader reader, InspectionWriter writer)
    {
        int count = reader.ReadArrayHeader();
        reader.Enter();
        writer.BeginArray();
        for (int i = 0; i < count; i++)
            Print(ref reader, writer);
        writer.EndArray();
        reader.Leave();
    }

    private static void PrintMap(ref MessagePackBodyReader reader, InspectionWriter writer)
    {
        int count = reader.ReadMapHeader();
        reader.Enter();
        writer.BeginObject();
        for (int i = 0; i < count; i++)
        {
            writer.At(reader.ByteOffset);
            writer.WriteName(ReadName(ref reader));
            Print(ref reader, writer);
        }

        writer.EndObject();
        reader.Leave();
    }

    /// <summary>Reads a key as a name: a string unchanged, a number as its digits, any other value as its bytes.</summary>
    private static string ReadName(ref MessagePackBodyReader reader)
    {
        if (reader.NextType == MessagePackType.String)
            return reader.ReadString();
        ReadOnlySpan<byte> key = reader.ReadRaw();
        return MessagePackEncoding.GetType(key[0]) != MessagePackType.Integer
            ? "$key " + InspectionWriter.ToHex(key)
            : MessagePackEncoding.TryReadInt64(key, out long signed, out _)
            ? signed.ToString(CultureInfo.InvariantCulture)
            : MessagePackEncoding.TryReadUInt64(key, out ulong unsigned, out _)
            ? unsigned.ToString(CultureInfo.InvariantCulture)
            : "";
    }

    private static void PrintInteger(ref MessagePackBodyReader reader, InspectionWriter writer)
    {
        ReadOnlySpan<byte> value = reader.ReadRaw();
        if (MessagePackEncoding.TryReadInt64(value, out long signed, out _))
            writer.Write(signed);
        else if (MessagePackEncoding.TryReadUInt64(value, out ulong unsigned, out _))
            writer.Write(unsigned);
    }

    private static void PrintFloat(ref MessagePackBodyReader reader, InspectionWriter writer)
    {
        ReadOnlySpan<byte> value = reader.ReadRaw();
        if (value[0] == MessagePackCode.Float32 && MessagePackEncoding.TryReadSingle(value, out float narrow, out _))
            writer.Write(narrow);
        else if (MessagePackEncoding.TryReadDouble(value, out double wide, out _))
            writer.Write(wide);
    }

    private static void PrintExtension(ref MessagePackBodyReader reader, InspectionWriter writer)
    {
        ReadOnlySpan<byte> value = reader.ReadRaw();
        if (MessagePackEncoding.TryReadDateTime(value, out DateTime time, out _))
        {
            writer.WriteTagged("$timestamp", time.ToString("yyyy-MM-ddTHH:mm:ss.FFFFFFFK", CultureInfo.InvariantCulture));
            return;
        }

        var extension = new MessagePackBodyReader(value);
        ReadOnlySpan<byte> content = extension.ReadExtension(out sbyte type);
        writer.WriteTagged("$extension " + type.ToString(CultureInfo.InvariantCulture), InspectionWriter.ToHex(content));
    }
}
