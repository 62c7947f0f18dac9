using System;
using System.Collections.Generic;
using System.Globalization;
using System.Threading;
using System.Threading.Tasks;

namespace Formatters.Queues;

/// <summary>Reads the bodies of messages, after checking that they have the formatter's format.</summary>
internal static class BodyReading
{
    /// <summary>Reads a body that has the formatter's content type and body type, or neither.</summary>
    /// <exception cref="MessageFormatException">The message is in another format, or the formatter threw it.</exception>
    internal static T Read<T>(QueueMessage message, MessageFormatter<T> formatter)
    {
        ThrowIfForeign(message.Body, formatter);
        using (QueueTelemetry.StartFormatActivity("parse", formatter.ContentType))
            return formatter.Read(message.Body.Bytes);
    }

    /// <inheritdoc cref="Read{T}(QueueMessage, MessageFormatter{T})"/>
    internal static T Read<T>(QueueMessage message, FormatterRegistry registry)
    {
        // The reader reports formats that it does not know.
        using (QueueTelemetry.StartFormatActivity("parse", message.Body.ContentType ?? ContentTypes.OctetStream))
            return registry.Read<T>(message.Body);
    }

    /// <inheritdoc cref="Read{T}(QueueMessage, MessageFormatter{T})"/>
    internal static object? Read(QueueMessage message, IMessageFormatter formatter)
    {
        if (formatter is not FormatterRegistry && (HasContentType(message.Body) || message.Body.BodyType != 0) && !formatter.CanRead(message.Body))
            throw Foreign(message.Body, $"{formatter.GetType()} does not read");
        return formatter.Read(message.Body);
    }

    /// <summary>
    /// Receives a message and reads its body. If that throws for another reason than an unreadable body, the message is returned to its queue.
    /// </summary>
    internal static async ValueTask<ReceivedMessage<T>?> ReceiveAsync<T>(ValueTask<ReceivedMessage?> receive, Func<QueueMessage, T> read) =>
        await receive.ConfigureAwait(false) is { } message ? await ReadOrReturnAsync(message, read).ConfigureAwait(false) : null;

    /// <inheritdoc cref="ReceiveAsync"/>
    internal static async ValueTask<IReadOnlyList<ReceivedMessage<T>>> ReceiveBatchAsync<T>(
        ValueTask<IReadOnlyList<ReceivedMessage>> receive, Func<QueueMessage, T> read)
    {
        IReadOnlyList<ReceivedMessage> messages = await receive.ConfigureAwait(false);
        var batch = new List<ReceivedMessage<T>>(messages.Count);
        try
        {
            foreach (ReceivedMessage message in messages)
                batch.Add(new ReceivedMessage<T>(message, read));
            return batch;
        }
        catch
        {
            // The caller has no messages to return. The last one first, so that they keep their order where a return goes to the front.
            for (int i = messages.Count - 1; i >= 0; i--)
                await TryReturnAsync(messages[i]).ConfigureAwait(false);
            throw;
        }
    }

    /// <summary>Reads the body of a message. If that throws for another reason than an unreadable body, the message is returned.</summary>
    internal static async ValueTask<ReceivedMessage<T>> ReadOrReturnAsync<T>(ReceivedMessage message, Func<QueueMessage, T> read)
    {
        try
        {
            return new ReceivedMessage<T>(message, read);
        }
        catch
        {
            // The caller has no message to return.
            await TryReturnAsync(message).ConfigureAwait(false);
            throw;
        }
    }

    /// <summary>Converts an exception of a formatter that does not concern the body's format.</summary>
    internal static MessageFormatException ErrorOf(Exception exception) =>
        exception as MessageFormatException
        ?? new MessageFormatException(
            MessageFormatErrorCode.None,
                $"The formatter failed with {exception.GetType()}, which is the inner exception. A formatter reports a bad body with "
                + $"{nameof(MessageFormatException)}.", innerException: exception);

    /// <summary>Determines whether an exception concerns the process or the caller rather than a body.</summary>
    internal static bool IsFatal(Exception exception) =>
        exception is OperationCanceledException or OutOfMemoryException or AccessViolationException or ThreadAbortException;

    private static async ValueTask TryReturnAsync(ReceivedMessage message)
    {
        try
        {
            await message.ReturnAsync(CancellationToken.None).ConfigureAwait(false);
        }
        catch (Exception e) when (e is QueueException or ObjectDisposedException)
        {
            // The message will be redelivered anyway.
        }
    }

    private static void ThrowIfForeign<T>(MessageBody body, MessageFormatter<T> formatter)
    {
        bool isContentTypeKnown = !HasContentType(body) || body.HasContentType(formatter.ContentType) || HasSyntaxOf(body, formatter.ContentType);
        // A formatter without a body type relies on the content type.
        bool isBodyTypeKnown = body.BodyType == 0 || body.BodyType == formatter.BodyType || (formatter.BodyType == 0 && HasContentType(body));
        if (isContentTypeKnown && isBodyTypeKnown)
            return;
        // Aliases of the format, and formatters of several formats: the body type and the content type are checked separately.
        if (formatter is IMessageFormatter untyped
            && (isContentTypeKnown || untyped.CanRead(new MessageBody(body.Bytes, 0, body.ContentType))
                || (formatter.BodyType == 0 && untyped.CanRead(body)))
            && (isBodyTypeKnown || untyped.CanRead(new MessageBody(body.Bytes, body.BodyType))))
            return;
        throw Foreign(body, string.Create(CultureInfo.InvariantCulture,
            $"this formatter reads content type '{formatter.ContentType}', body type {formatter.BodyType}, and not"));
    }

    private static bool HasContentType(MessageBody body) =>
        !string.IsNullOrWhiteSpace(body.ContentType) && !body.HasContentType(ContentTypes.OctetStream);

    /// <summary>
    /// Determines whether a content type has the structured syntax suffix of another (RFC 6839): <c>application/vnd.shop.order+json</c>.
    /// </summary>
    private static bool HasSyntaxOf(MessageBody body, string contentType)
    {
        int slash = contentType.IndexOf('/');
        if (slash < 0)
            return false;
        ReadOnlySpan<char> own = body.ContentType.AsSpan();
        int semicolon = own.IndexOf(';');
        if (semicolon >= 0)
            own = own[..semicolon];
        int plus = own.LastIndexOf('+');
        return plus >= 0 && own[(plus + 1)..].Trim().Equals(contentType.AsSpan(slash + 1), StringComparison.OrdinalIgnoreCase);
    }

    private static MessageFormatException Foreign(MessageBody body, string what) => new(
        MessageFormatErrorCode.UnknownFormat,
        $"The message is in another format: {what} content type {Printable(body.ContentType)}, body type "
        + $"{body.BodyType.ToString(CultureInfo.InvariantCulture)}. For a queue with several formats, use a {nameof(FormatterRegistry)}.");

    /// <summary>Truncates a content type, which comes from the sender, and replaces characters that could break a line of a log.</summary>
    private static string Printable(string? contentType)
    {
        if (contentType is null)
            return "(none)";
        char[] chars = contentType.AsSpan(0, Math.Min(contentType.Length, 100)).ToArray();
        for (int i = 0; i < chars.Length; i++)
        {
            if (chars[i] is < ' ' or > '~')
                chars[i] = '?';
        }

        return "'" + new string(chars) + "'";
    }
}
