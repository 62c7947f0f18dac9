#if NET
using System;
using System.Buffers.Text;
using System.Runtime.InteropServices;
using System.Text.Json;
using System.Text.Json.Serialization.Metadata;
using System.Text.Unicode;

namespace Formatters;

/// <summary>Converts the errors of System.Text.Json: code, byte offset, member path.</summary>
internal static class JsonErrors
{
    private const int EscapeByteCount = 6;

    /// <summary>The least restrictive options, independent of those of the application.</summary>
    private static readonly JsonReaderOptions ReaderOptions =
        new() { MaxDepth = int.MaxValue, CommentHandling = JsonCommentHandling.Skip, AllowTrailingCommas = true };

    internal static MessageFormatException ReadError(JsonException e, ReadOnlySpan<byte> body, int maxDepth, JsonTypeInfo contract)
    {
        string? path = JsonMemberPath.Of(e.Path, contract);
        long byteOffset = ToByteOffset(e, body);
        if (DepthOf(body, maxDepth) > maxDepth)
            return TooDeep(maxDepth, byteOffset, path);

        int badText = IndexOfBadText(body, byteOffset);
        if (badText >= 0)
            return BadText(badText, path);

        // If the syntax is invalid, the inner exception is that of Utf8JsonReader; otherwise the JSON is valid but does not match the contract.
        return e.InnerException is JsonException
            ? SyntaxError(body, byteOffset, path)
            : new MessageFormatException(
                MessageFormatErrorCode.BadValue, "The JSON does not fit the contract of its member.", byteOffset, path, isPoison: true,
                    BodyFault.OwnCause(e));
    }

    /// <summary>
    /// Throws for a body that was read but contains invalid text where System.Text.Json does not check it: in a skipped member, a <see
    /// cref="JsonElement"/>, or extension data.
    /// </summary>
    internal static void CheckText(ReadOnlySpan<byte> body, JsonTypeInfo contract)
    {
        if (Utf8.IsValid(body) && !HasUnpairedEscape(body))
            return;
        int badText = IndexOfBadText(body, body.Length);
        if (badText >= 0)
            throw BadText(badText, JsonMemberPath.Of("$", contract));
    }

    /// <summary>Determines whether an escape such as <c>\uD800</c> may be half a surrogate pair.</summary>
    private static bool HasUnpairedEscape(ReadOnlySpan<byte> json)
    {
        for (int start; (start = json.IndexOf((byte)'\\')) >= 0 && start + 1 < json.Length;)
        {
            json = json.Slice(start);
            int unit = ReadEscape(json);
            if (unit < 0 || !char.IsSurrogate((char)unit))
            {
                json = json.Slice(2);
                continue;
            }

            if (!char.IsHighSurrogate((char)unit) || ReadEscape(json.Slice(EscapeByteCount)) is var low
                && (low < 0 || !char.IsLowSurrogate((char)low)))
                return true;
            json = json.Slice(2 * EscapeByteCount);
        }

        return false;
    }

    /// <summary>Reads an escape of the form <c>\u00E4</c>.</summary>
    /// <returns>The UTF-16 code unit; -1 if there is no such escape.</returns>
    private static int ReadEscape(ReadOnlySpan<byte> json) =>
        json.Length >= EscapeByteCount && json[0] == '\\' && json[1] == 'u'
        && Utf8Parser.TryParse(json.Slice(2, 4), out int unit, out int digitCount, 'x') && digitCount == 4
            ? unit
            : -1;

    private static MessageFormatException BadText(int byteOffset, string? path) =>
        new(MessageFormatErrorCode.BadText, "The text is not valid UTF-8 or UTF-16.", byteOffset, path, isPoison: true);

    /// <summary>
    /// Creates the exception for a body that is not valid JSON: it ends too early, continues after its value, or has a syntax error.
    /// </summary>
    internal static MessageFormatException SyntaxError(ReadOnlySpan<byte> body, long byteOffset, string? path)
    {
        // As a non-final block: the reader then waits for more where the body is truncated, and throws where it is invalid.
        var reader = new Utf8JsonReader(body, isFinalBlock: false, new JsonReaderState(ReaderOptions));
        try
        {
            while (reader.Read())
            {
                bool isWhole = reader.CurrentDepth == 0 && reader.TokenType is not (JsonTokenType.StartObject or JsonTokenType.StartArray
                    or JsonTokenType.Comment);
                if (isWhole)
                {
                    return new MessageFormatException(
                        MessageFormatErrorCode.TrailingBytes, "The body continues after its value.", Math.Max(byteOffset, reader.BytesConsumed),
                            path, isPoison: true);
                }
            }

            return new MessageFormatException(MessageFormatErrorCode.Truncated, "The body ends too early.", body.Length, path, isPoison: true);
        }
        catch (JsonException)
        {
            return new MessageFormatException(MessageFormatErrorCode.Malformed, "The body is not well-formed JSON.", byteOffset, path,
                isPoison: true);
        }
    }

    /// <summary>Throws for a body that is nested deeper than the limits, or than the stack allows, which System.Text.Json does not check.</summary>
    /// <param name="body">The body.</param>
    /// <param name="maxDepth">The limit.</param>
    /// <param name="levelByteCount">The stack size of one level of nesting.</param>
    internal static void CheckDepth(ReadOnlySpan<byte> body, int maxDepth, int levelByteCount)
    {
        int depth = DepthOf(body, maxDepth);
        if (depth > maxDepth)
            throw TooDeep(maxDepth, -1, null);
        long byteCount = (long)depth * levelByteCount;
        if (StackGuard.RoomUpTo(byteCount) < byteCount)
            ThrowHelper.ThrowStackExhausted(-1);
    }

    /// <summary>Converts the position of System.Text.Json, a line (from 0, ended by LF) and a byte in it (from 0), to an offset.</summary>
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

    /// <summary>
    /// Finds the start of invalid text in a string or name before an error: bytes that are not UTF-8, or (the quote before it) an escaped unpaired
    /// surrogate.
    /// </summary>
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
                    return (int)reader.TokenStartIndex + 1 + Utf8Text.IndexOfInvalid(
                        ref MemoryMarshal.GetReference(reader.ValueSpan), reader.ValueSpan.Length);
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

    private static MessageFormatException TooDeep(int maxDepth, long byteOffset, string? path) =>
        new(
            MessageFormatErrorCode.DepthExceeded,
            $"The body has more than {maxDepth} nested objects and arrays (FormatterLimits.MaxDepth).",
            byteOffset,
            path);

    /// <summary>
    /// Returns the depth of nesting in the valid part of a body, up to one more than the limit. The reader keeps a bit per level and does not
    /// recurse.
    /// </summary>
    private static int DepthOf(ReadOnlySpan<byte> body, int maxDepth)
    {
        int depth = 0;
        var reader = new Utf8JsonReader(body, ReaderOptions);
        try
        {
            while (depth <= maxDepth && reader.Read())
            {
                // CurrentDepth does not include an object or array that starts.
                if (reader.TokenType is JsonTokenType.StartObject or JsonTokenType.StartArray)
                    depth = Math.Max(depth, reader.CurrentDepth + 1);
            }
        }
        catch (JsonException)
        {
            // The caller reads it again and reports the error.
        }

        return depth;
    }
}
#endif
