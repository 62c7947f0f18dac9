using System;
using System.Globalization;

namespace Formatters.Msmq;

/// <summary>Adapts a formatter of this library to System.Messaging, for <c>queue.Formatter</c> or <c>message.Formatter</c>.</summary>
/// <remarks>
/// <para>The body is the whole of <c>Message.BodyStream</c>, wherever its position is, and reading leaves the position where it was; a message
/// without a stream has an empty body. A stream that cannot seek is read to its end and replaced in the message by one that can. Writing puts a new
/// stream, at position 0, and then the body type into the message.</para>
/// <para>Message Queuing has no content type. A body type other than 0 says which format a body has; 0 says nothing.</para>
/// <para>Bad bytes throw a <see cref="MessageFormatException"/>, also through <c>Message.Body</c>. The message is unchanged, but if it was received
/// without a transaction, it is no longer on its queue: <see cref="MessageQueueExtensions"/> has receive methods that leave it there.</para>
/// <para>Safe for use by several threads if <see cref="Formatter"/> is, as all of this library are.</para>
/// </remarks>
/// <example><code>
/// queue.Formatter = new FormatterAdapter(new HandCodedFormatter&lt;Order&gt;());
/// queue.Send(order);
/// var same = (Order)queue.Receive().Body;
/// </code></example>
public sealed class FormatterAdapter : ISystemMessageFormatter
{
    /// <summary>Creates an adapter.</summary>
    /// <param name="formatter">Writes and reads the bodies; a <see cref="FormatterRegistry"/> reads those of several formats.</param>
    /// <exception cref="ArgumentNullException"><paramref name="formatter"/> is null.</exception>
    public FormatterAdapter(IMessageFormatter formatter) => Formatter = formatter ?? throw new ArgumentNullException(nameof(formatter));

    /// <summary>Gets the formatter that writes and reads the bodies.</summary>
    public IMessageFormatter Formatter { get; }

    /// <summary>Determines whether the formatter supports the body of a message.</summary>
    /// <param name="message">The message.</param>
    /// <returns><see langword="true"/> if the body is in its format, by body type or first bytes.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="message"/> is null.</exception>
    /// <exception cref="InvalidOperationException">The message was received without its body (<c>MessageReadPropertyFilter</c>).</exception>
    public bool CanRead(Message message) => Formatter.CanRead(MessageBodies.Of(message));

    /// <summary>Reads the object in the body of a message.</summary>
    /// <param name="message">The message.</param>
    /// <returns>The object, or null if the body contains null.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="message"/> is null.</exception>
    /// <exception cref="InvalidOperationException">The message was received without its body (<c>MessageReadPropertyFilter</c>).</exception>
    /// <exception cref="MessageFormatException">The body is damaged, beyond a limit, or has the body type of another format
    /// (<see cref="MessageFormatErrorCode.UnknownFormat"/>).</exception>
    public object? Read(Message message) => MessageBodies.Read(MessageBodies.Of(message), Formatter);

    /// <summary>Writes an object into the body of a message.</summary>
    /// <param name="message">Gets a new body stream and the body type; unchanged if the object cannot be written.</param>
    /// <param name="obj">The object.</param>
    /// <exception cref="ArgumentNullException"><paramref name="message"/> is null, or <paramref name="obj"/> is null and the format has no
    /// null.</exception>
    /// <exception cref="ArgumentException"><paramref name="obj"/> is of a type that the formatter does not write.</exception>
    /// <exception cref="MessageFormatException">The object cannot be written: a null where none is declared, a cycle, or a value beyond a
    /// limit.</exception>
    public void Write(Message message, object? obj)
    {
        if (message is null)
            throw new ArgumentNullException(nameof(message));
        var body = new MessageBody();
        Formatter.Write(body, obj);
        MessageBodies.Put(message, body.Bytes, body.BodyType);
    }

    /// <summary>Returns a formatter for another message: System.Messaging requests one for every message that it receives.</summary>
    /// <returns>This instance if the formatter is its own clone, as all of this library are; otherwise an adapter of its clone.</returns>
    public object Clone()
    {
        object clone = Formatter.Clone();
        return ReferenceEquals(clone, Formatter) ? this : new FormatterAdapter((IMessageFormatter)clone);
    }

    /// <inheritdoc/>
    public override string ToString() => string.Format(CultureInfo.InvariantCulture, "{0} ({1})", nameof(FormatterAdapter), Formatter.GetType().Name);
}
