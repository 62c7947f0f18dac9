using System.Buffers;
using System.Text;
using Formatters.Buffers;

namespace Formatters.TradeEngine.Building;

/// <summary>A set of messages in a text file, as the study stored them: XML in UTF-8, a separator after each message.</summary>
internal static class MessageSetFile
{
    /// <summary>The record separator after each message, which XML does not contain.</summary>
    internal const byte Separator = 0x1E;

    private const int ReadByteCount = 1 << 16;

    private static readonly SearchValues<byte> NameEnds = SearchValues.Create(" \r\n\t/>"u8);

    /// <summary>Writes the messages of a set, all but those whose defect is in the signature: files have none.</summary>
    internal static long Write(Stream stream, IEnumerable<SetMessage> messages)
    {
        using var text = new PooledBufferWriter(ReadByteCount);
        var buffered = new BufferedStream(stream, ReadByteCount);
        long count = 0;
        foreach (SetMessage message in messages.Where(static message => message.Defect != Defect.Signature))
        {
            buffered.Write(TextOf(message, text));
            buffered.WriteByte(Separator);
            count++;
        }

        buffered.Flush();
        return count;
    }

    /// <summary>Counts the trades of a file by the highest number in its message ids: <c>M000000017S0V1</c> is of the trade 17.</summary>
    internal static int CountTrades(Stream stream) => 1 + Read(stream).Select(static body => MessageIdOf(body.Span) is { Length: > 10 } id
        && int.TryParse(id.AsSpan(1, 9), NumberStyles.None, CultureInfo.InvariantCulture, out int trade) ? trade : -1).DefaultIfEmpty(-1).Max();

    /// <summary>Compares a file with the messages of a set.</summary>
    /// <returns>The number of the first message that differs, counted from 1; null if all are the same.</returns>
    internal static long? FindDifference(Stream stream, IEnumerable<SetMessage> messages)
    {
        using var text = new PooledBufferWriter(ReadByteCount);
        using IEnumerator<ReadOnlyMemory<byte>> bodies = Read(stream).GetEnumerator();
        long number = 1;
        foreach (SetMessage message in messages.Where(static message => message.Defect != Defect.Signature))
        {
            if (!bodies.MoveNext() || !bodies.Current.Span.SequenceEqual(TextOf(message, text)))
                return number;
            number++;
        }

        return bodies.MoveNext() ? number : null;
    }

    /// <summary>Reads messages one after the other.</summary>
    /// <returns>The bytes of each; valid until the next.</returns>
    /// <exception cref="InvalidDataException">The file ends within a message.</exception>
    internal static IEnumerable<ReadOnlyMemory<byte>> Read(Stream stream)
    {
        byte[] buffer = new byte[ReadByteCount];
        int start = 0;
        int end = 0;
        while (true)
        {
            int length = buffer.AsSpan(start, end - start).IndexOf(Separator);
            if (length >= 0)
            {
                yield return buffer.AsMemory(start, length);
                start += length + 1;
                continue;
            }

            buffer.AsSpan(start, end - start).CopyTo(buffer);
            (start, end) = (0, end - start);
            if (end == buffer.Length)
                Array.Resize(ref buffer, buffer.Length * 2);
            int read = stream.Read(buffer, end, buffer.Length - end);
            if (read > 0)
                end += read;
            else if (end > 0)
                throw new InvalidDataException($"The message set ends within a message: its last {end} bytes have no separator (U+001E) after them.");
            else
                yield break;
        }
    }

    /// <summary>The label of a message: the name of its root element.</summary>
    /// <returns>Empty if there is none.</returns>
    internal static string LabelOf(ReadOnlySpan<byte> body)
    {
        int start = 0;
        while (true)
        {
            int element = body[start..].IndexOf((byte)'<');
            if (element < 0 || start + element + 1 >= body.Length)
                return "";
            start += element + 1;
            if (body[start] is not ((byte)'?' or (byte)'!'))
                break;
        }

        int length = body[start..].IndexOfAny(NameEnds);
        return length is < 1 or > 20 ? "" : body.Slice(start, length) switch
        {
            [(byte)'N', (byte)'O', (byte)'E'] => "NOE",
            [(byte)'A', (byte)'L', (byte)'C'] => "ALC",
            [(byte)'N', (byte)'P', (byte)'R'] => "NPR",
            [(byte)'S', (byte)'E', (byte)'T'] => "SET",
            var other => Encoding.UTF8.GetString(other),
        };
    }

    /// <summary>The message id in a body, found by a search of the text: a driver does not parse.</summary>
    internal static string? MessageIdOf(ReadOnlySpan<byte> body)
    {
        int start = body.IndexOf("<MessageId>"u8);
        if (start < 0)
            return null;
        start += "<MessageId>".Length;
        int length = body[start..].IndexOf((byte)'<');
        return length is < 1 or > 64 ? null : Encoding.UTF8.GetString(body.Slice(start, length));
    }

    private static ReadOnlySpan<byte> TextOf(SetMessage message, PooledBufferWriter buffer)
    {
        buffer.Clear();
        MessageFormats.Xml.Write(buffer, message.Message);
        return SpoilText(buffer.WrittenSpan, message) ?? buffer.WrittenSpan;
    }

    /// <summary>Makes the text of a message bad whose values are right.</summary>
    private static byte[]? SpoilText(ReadOnlySpan<byte> body, SetMessage message) => message.Defect switch
    {
        Defect.Truncated => body[..(body.Length * 3 / 4)].ToArray(),
        Defect.Label or Defect.Misrouted => Encoding.UTF8.GetBytes(RenameRoot(Encoding.UTF8.GetString(body), message)),
        _ => null,
    };

    private static string RenameRoot(string body, SetMessage message)
    {
        string root = MessageTypes.CodeOf(message.Message.Header.Type);
        return body.Replace($"<{root} ", $"<{message.Label} ", StringComparison.Ordinal)
            .Replace($"</{root}>", $"</{message.Label}>", StringComparison.Ordinal);
    }
}
