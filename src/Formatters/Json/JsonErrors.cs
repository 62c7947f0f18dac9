#if NET
using System;
using System.Runtime.InteropServices;
using System.Text.Json;
using System.Text.Json.Serialization.Metadata;
using System.Text.Unicode;

namespace Formatters;

/// <summary>Turns the errors of System.Text.Json into ours: code, byte offset, member path.</summary>
internal static class JsonErrors
{
    /// <summary>Whatever options of the application may allow.</summary>
    private static readonly JsonReaderOptions ReaderOptions = new() { MaxDepth = int.MaxValue, CommentHandling = JsonCommentHandling.Skip, AllowTrailingCommas = true };

    internal static MessageFormatException ReadError(JsonException e, ReadOnlySpan<byte> body, int maxDepth, JsonTypeInfo contract)
    {
        string? path = JsonMemberPath.Of(e.Path, contract);
        long byteOffset = ToByteOffset(e, body);
        if (IsTooDeep(body, maxDepth))
            return TooDeep(maxDepth, byteOffset, path, e);

        int badText = IndexOfBadText(body, byteOffset);
        if (badText >= 0)
            return new MessageFormatException(MessageFormatErrorCode.BadText, "The text is not valid UTF-8 or UTF-16.", badText, path, isPoison: true, e);

        // The inner exception is the Utf8JsonReader's where the syntax is broken; else the JSON is good and does not fit the contract.
        return e.InnerException is JsonException
            ? SyntaxError(e, body, byteOffset, path)
            : new MessageFormatException(
                MessageFormatErrorCode.BadValue, "The JSON does not fit the contract of its member.", byteOffset, path, isPoison: true, e);
    }

    /// <summary>The error of a body that is no JSON: it ends too early, goes on behind its value, or is wrong in itself.</summary>
    internal static MessageFormatException SyntaxError(JsonException e, ReadOnlySpan<byte> body, long byteOffset, string? path)
    {
        // As if more were to come: the reader then waits for it where the body was cut, and throws where it is wrong.
        var reader = new Utf8JsonReader(body, isFinalBlock: false, new JsonReaderState(ReaderOptions));
        try
        {
            while (reader.Read())
            {
                bool isWhole = reader.CurrentDepth == 0 && reader.TokenType is not (JsonTokenType.StartObject or JsonTokenType.StartArray or JsonTokenType.Comment);
                if (isWhole)
                {
                    return new MessageFormatException(
                        MessageFormatErrorCode.TrailingBytes, "The body goes on behind its value.", Math.Max(byteOffset, reader.BytesConsumed), path, isPoison: true, e);
                }
            }

            return new MessageFormatException(MessageFormatErrorCode.Truncated, "The body ends too early.", body.Length, path, isPoison: true, e);
        }
        catch (JsonException)
        {
            return new MessageFormatException(MessageFormatErrorCode.Malformed, "The body is no well-formed JSON.", byteOffset, path, isPoison: true, e);
        }
    }

    /// <summary>Refuses a body that is deeper than the limits, where the options of System.Text.Json allow more.</summary>
    internal static void CheckDepth(ReadOnlySpan<byte> body, int maxDepth)
    {
        if (IsTooDeep(body, maxDepth))
            throw TooDeep(maxDepth, -1, null, null);
    }

    /// <summary>The offset that System.Text.Json gives as a line (from 0, ended by LF) and a byte in it (from 0).</summary>
    internal static long ToByteOffset(JsonException e, ReadOnlySpan<byte> body)
    {
        if (e.LineNumber is not long line || e.BytePositionInLine is not long position)
            return -1;
        int start = 0;
        for (; line > 0; line--)
        {
            int end = body.Slice(start).IndexOf((byte)'\n');
            if (end < 0)
                return -1;
            start += end + 1;
        }

        return Math.Min(start + position, body.Length);
    }

    /// <summary>Where a text or name begins to be none, up to the place of an error: bytes that are not UTF-8, or (the quote before it) an escaped half of a character.</summary>
    /// <returns>Its byte offset, or -1.</returns>
    private static int IndexOfBadText(ReadOnlySpan<byte> body, long errorOffset)
    {
        var reader = new Utf8JsonReader(body, ReaderOptions);
        try
        {
            while (reader.Read() && reader.TokenStartIndex <= errorOffset)
            {
                if (reader.TokenType is not (JsonTokenType.String or JsonTokenType.PropertyName))
                    continue;
                if (!Utf8.IsValid(reader.ValueSpan))
                    return (int)reader.TokenStartIndex + 1 + Utf8Text.IndexOfInvalid(ref MemoryMarshal.GetReference(reader.ValueSpan), reader.ValueSpan.Length);
                if (reader.ValueIsEscaped && !CanUnescape(ref reader))
                    return (int)reader.TokenStartIndex;
            }
        }
        catch (JsonException)
        {
        }

        return -1;
    }

    private static bool CanUnescape(ref Utf8JsonReader reader)
    {
        try
        {
            reader.GetString();
            return true;
        }
        catch (InvalidOperationException)
        {
            return false;
        }
    }

    private static MessageFormatException TooDeep(int maxDepth, long byteOffset, string? path, Exception? inner) =>
        new(
            MessageFormatErrorCode.DepthExceeded,
            $"The body has more than {maxDepth} objects and arrays inside each other (FormatterLimits.MaxDepth).",
            byteOffset,
            path,
            innerException: inner);

    /// <summary>Whether the body, up to where it is good, is deeper than the limit. The reader keeps a bit per level and does not recurse.</summary>
    private static bool IsTooDeep(ReadOnlySpan<byte> body, int maxDepth)
    {
        var reader = new Utf8JsonReader(body, ReaderOptions);
        try
        {
            while (reader.Read())
            {
                // CurrentDepth does not count the object or array that begins.
                if (reader.TokenType is JsonTokenType.StartObject or JsonTokenType.StartArray && reader.CurrentDepth >= maxDepth)
                    return true;
            }
        }
        catch (JsonException)
        {
            return false;
        }

        return false;
    }
}
#endif
