using System;

namespace Formatters.Msmq;

/// <summary>
/// Extensions that read and write payloads without <c>Message.Body</c>: for messages that are sent with their own properties, or received by other
/// means than <see cref="MessageQueueExtensions"/>.
/// </summary>
public static class MessageExtensions
{
    /// <summary>Reads the payload in the body of a message.</summary>
    /// <typeparam name="T">The type of the payload.</typeparam>
    /// <param name="message">The message; it is not changed.</param>
    /// <param name="formatter">Reads the body; see <see cref="FormatterAdapter"/> for the bodies that it gets. <c>message.Formatter</c> is not
    /// used.</param>
    /// <returns>The payload.</returns>
    /// <exception cref="ArgumentNullException">An argument is null.</exception>
    /// <exception cref="InvalidOperationException">The message was received without its body (<c>MessageReadPropertyFilter</c>).</exception>
    /// <exception cref="MessageFormatException"> The body is damaged, beyond a limit, of another format (<see
    /// cref="MessageFormatErrorCode.UnknownFormat"/>), or contains something other than a <typeparamref name="T"/> (<see
    /// cref="MessageFormatErrorCode.TypeNotAllowed"/>). </exception>
    public static T Read<T>(this Message message, IMessageFormatter formatter) =>
        MessageBodies.Read<T>(MessageBodies.Of(message), formatter ?? throw new ArgumentNullException(nameof(formatter)));

    /// <summary>Writes a payload into the body of a message: a new body stream, and the body type.</summary>
    /// <typeparam name="T">The type of the payload.</typeparam>
    /// <param name="message">Gets the body; unchanged if the payload cannot be written.</param>
    /// <param name="value">The payload.</param>
    /// <param name="formatter">Writes the body.</param>
    /// <exception cref="ArgumentNullException"><paramref name="message"/> or <paramref name="formatter"/> is null, or <paramref name="value"/> is
    /// null and the format has no null.</exception>
    /// <exception cref="ArgumentException"><paramref name="value"/> is of a type that the formatter does not write.</exception>
    /// <exception cref="MessageFormatException">The payload cannot be written.</exception>
    public static void Write<T>(this Message message, T value, IMessageFormatter formatter)
    {
        if (message is null)
            throw new ArgumentNullException(nameof(message));
        if (formatter is null)
            throw new ArgumentNullException(nameof(formatter));
        if (formatter is MessageFormatter<T> typed)
            MessageBodies.Put(message, new(typed.Write(value)), typed.BodyType);
        else
            new FormatterAdapter(formatter).Write(message, value);
    }
}
