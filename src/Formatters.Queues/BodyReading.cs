using System;
using System.Globalization;
using System.Threading;
using System.Threading.Tasks;

namespace Formatters.Queues;

/// <summary>Reads the bodies of messages: checks first that the message is in the formatter's format.</summary>
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
        // It says itself what it does not know.
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

    /// <summary>Receives a message and reads its body. If that throws, other than by a body that cannot be read, the message goes back to its queue.</summary>
    internal static async ValueTask<ReceivedMessage<T>?> ReceiveAsync<T>(ValueTask<ReceivedMessage?> receive, Func<QueueMessage, T> read)
    {
        if (await receive.ConfigureAwait(false) is not { } message)
            return null;
        try
        {
            return new ReceivedMessage<T>(message, read);
        }
        catch
        {
            // The caller gets no message with which to do so.
            await TryReturnAsync(message).ConfigureAwait(false);
            throw;
        }
    }

    /// <summary>Makes an error of what a formatter threw, which tells nothing about the body itself.</summary>
    internal static MessageFormatException ErrorOf(Exception exception) =>
        exception as MessageFormatException
        ?? new MessageFormatException(
            MessageFormatErrorCode.None, $"The formatter failed with {exception.GetType()}, which is the inner exception. A formatter reports a bad body with {nameof(MessageFormatException)}.", innerException: exception);

    /// <summary>Whether an exception says something about the process or the caller and not about a body.</summary>
    internal static bool IsFatal(Exception exception) => exception is OperationCanceledException or OutOfMemoryException or AccessViolationException or ThreadAbortException;

    private static async ValueTask TryReturnAsync(ReceivedMessage message)
    {
        try
        {
            await message.ReturnAsync(CancellationToken.None).ConfigureAwait(false);
        }
        catch (Exception e) when (e is QueueException or ObjectDisposedException)
        {
            // It comes again by itself.
        }
    }

    private static void ThrowIfForeign<T>(MessageBody body, MessageFormatter<T> formatter)
    {
        bool isContentTypeKnown = !HasContentType(body) || body.HasContentType(formatter.ContentType) || HasSyntaxOf(body, formatter.ContentType);
        // A formatter without a number leaves it to the content type.
        bool isBodyTypeKnown = body.BodyType == 0 || body.BodyType == formatter.BodyType || (formatter.BodyType == 0 && HasContentType(body));
        if (isContentTypeKnown && isBodyTypeKnown)
            return;
        // Other names of the format, and formatters of several: each of the two is looked at alone.
        if (formatter is IMessageFormatter untyped
            && (isContentTypeKnown || untyped.CanRead(new MessageBody(body.Bytes, 0, body.ContentType)) || (formatter.BodyType == 0 && untyped.CanRead(body)))
            && (isBodyTypeKnown || untyped.CanRead(new MessageBody(body.Bytes, body.BodyType))))
            return;
        throw Foreign(body, string.Create(CultureInfo.InvariantCulture, $"this formatter reads content type '{formatter.ContentType}', body type {formatter.BodyType}, and not"));
    }

    private static bool HasContentType(MessageBody body) => !string.IsNullOrWhiteSpace(body.ContentType) && !body.HasContentType(ContentTypes.OctetStream);

    /// <summary>Whether a content type ends in the suffix for the syntax of another (RFC 6839): <c>application/vnd.shop.order+json</c>.</summary>
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
        string.Create(CultureInfo.InvariantCulture, $"The message is in another format: {what} content type {Printable(body.ContentType)}, body type {body.BodyType}. For a queue with several formats, use a {nameof(FormatterRegistry)}."));

    /// <summary>The content type comes from the sender: it is cut, and what could break a line of a log is replaced.</summary>
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
