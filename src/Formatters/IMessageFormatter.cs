using System;

namespace Formatters;

/// <summary>Writes objects into message bodies and reads them back, without a type parameter; it has the members of
/// <c>System.Messaging.IMessageFormatter</c>.</summary>
/// <remarks>Implementations in this library are immutable and thread-safe; <see cref="ICloneable.Clone"/> returns the same instance.</remarks>
public interface IMessageFormatter : ICloneable
{
    /// <summary>
    /// Determines from the content type, the body type and, if necessary, the first bytes whether <see cref="Read"/> can read a body.
    /// </summary>
    /// <param name="body">The body; it is not changed.</param>
    /// <returns><see langword="true"/> if the body is in this formatter's format. Later bytes are not checked.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="body"/> is null.</exception>
    bool CanRead(MessageBody body);

    /// <summary>Reads the object in a body.</summary>
    /// <param name="body">The body; it is not changed.</param>
    /// <returns>The object, or null if the body contains null.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="body"/> is null.</exception>
    /// <exception cref="MessageFormatException">The body is damaged, beyond a limit, or in another format.</exception>
    object? Read(MessageBody body);

    /// <summary>Writes an object: sets the bytes of a body, its body type and its content type.</summary>
    /// <param name="body">Receives bytes, body type and content type; its previous content is replaced.</param>
    /// <param name="value">The object.</param>
    /// <exception cref="ArgumentNullException"><paramref name="body"/> is null, or <paramref name="value"/> is null and the format has no
    /// null.</exception>
    /// <exception cref="ArgumentException"><paramref name="value"/> is of a type that this formatter does not write.</exception>
    /// <exception cref="MessageFormatException">The object cannot be written: a null where none is declared, a cycle, a value beyond a
    /// limit.</exception>
    void Write(MessageBody body, object? value);
}
