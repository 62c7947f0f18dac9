#if NET
using Formatters.Inspection;

using System;
using System.Text;
using System.Text.Json;

namespace Formatters;

/// <summary>Prints JSON, indented: docs/inspector.md.</summary>
internal sealed class JsonInspector() : MessageInspector("json", ContentTypes.Json)
{
    /// <summary>The number of bytes that are examined.</summary>
    private const int LookedAtByteCount = 256;

    internal override int BodyType => BodyTypes.Json;

    /// <summary>
    /// Recognizes an object, array or string without control characters after it, because in binary formats the first byte may have any value.
    /// </summary>
    internal override bool Recognizes(ReadOnlySpan<byte> body)
    {
        ReadOnlySpan<byte> start = body.Slice(0, Math.Min(body.Length, LookedAtByteCount)).TrimStart(" \t\r\n"u8);
        if (start.IsEmpty || start[0] is not ((byte)'{' or (byte)'[' or (byte)'"'))
            return false;
        foreach (byte b in start)
        {
            if (b < ' ' && b is not ((byte)'\t' or (byte)'\r' or (byte)'\n'))
                return false;
        }

        return true;
    }

    protected override void Inspect(ReadOnlySpan<byte> body, InspectionWriter writer, FormatterLimits limits)
    {
        if (body.Length > limits.MaxBodyByteCount)
            ThrowHelper.ThrowBodyTooLarge(body.Length, limits.MaxBodyByteCount);
        var reader = new Utf8JsonReader(body, new JsonReaderOptions { MaxDepth = int.MaxValue });
        try
        {
            while (reader.Read())
                Print(ref reader, writer, limits);
        }
        catch (JsonException e)
        {
            throw JsonErrors.SyntaxError(body, JsonErrors.ToByteOffset(e, body), null);
        }
        catch (InvalidOperationException)
        {
            throw new MessageFormatException(
                MessageFormatErrorCode.BadText, "The text is not valid UTF-8 or UTF-16.", reader.TokenStartIndex, isPoison: true);
        }
    }

    private static void Print(ref Utf8JsonReader reader, InspectionWriter writer, FormatterLimits limits)
    {
        writer.At((int)reader.TokenStartIndex);
        switch (reader.TokenType)
        {
            case JsonTokenType.StartObject or JsonTokenType.StartArray when reader.CurrentDepth >= limits.MaxDepth:
                ThrowHelper.ThrowDepthExceeded(reader.TokenStartIndex, limits.MaxDepth, writing: false);
                break;
            case JsonTokenType.StartObject:
                writer.BeginObject();
                break;
            case JsonTokenType.EndObject:
                writer.EndObject();
                break;
            case JsonTokenType.StartArray:
                writer.BeginArray();
                break;
            case JsonTokenType.EndArray:
                writer.EndArray();
                break;
            case JsonTokenType.PropertyName:
                writer.WriteName(reader.GetString()!);
                break;
            case JsonTokenType.String:
                writer.Write(reader.GetString()!);
                break;
            default:
                writer.WriteRaw(Encoding.ASCII.GetString(reader.ValueSpan));
                break;
        }
    }
}
#endif
