using System;
using System.Buffers;

namespace Formatters;

/// <summary>Turns objects into message bodies and back, without naming their type: the shape of <c>System.Messaging.IMessageFormatter</c>.</summary>
/// <remarks>Implementations in this library are immutable and safe for use by several threads; <see cref="ICloneable.Clone"/> returns the same instance.</remarks>
public interface IMessageFormatter : ICloneable
{
    /// <summary>Tells from content type, body type and, where needed, the first bytes whether <see cref="Read"/> understands a body.</summary>
    /// <param name="body">The body; it is not changed.</param>
    /// <returns><see langword="true"/> if the body is in this formatter's format. Damage further inside is not looked for.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="body"/> is null.</exception>
    bool CanRead(MessageBody body);

    /// <summary>Reads the object in a body.</summary>
    /// <param name="body">The body; it is not changed.</param>
    /// <returns>The object, or null where the format can carry a null and the body does.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="body"/> is null.</exception>
    /// <exception cref="MessageFormatException">The body is damaged, beyond a limit, or in another format.</exception>
    object? Read(MessageBody body);

    /// <summary>Writes an object: sets the bytes of a body, its body type and its content type.</summary>
    /// <param name="body">Receives bytes, body type and content type; what it held before is replaced.</param>
    /// <param name="value">The object.</param>
    /// <exception cref="ArgumentNullException"><paramref name="body"/> is null, or <paramref name="value"/> is null and the format has no null.</exception>
    /// <exception cref="ArgumentException"><paramref name="value"/> is of a type that this formatter does not write.</exception>
    /// <exception cref="MessageFormatException">The object cannot be written: a null where none is declared, a cycle, beyond a limit.</exception>
    void Write(MessageBody body, object? value);
}

/// <summary>Turns objects of one type into message bodies and back, without boxing and, in the steady state, without allocating for a write.</summary>
/// <typeparam name="T">The type of the payload.</typeparam>
/// <remarks>Derive from <see cref="MessageFormatter{T}"/>, which brings the conveniences and the untyped interface, rather than implementing this.</remarks>
public interface IMessageFormatter<T>
{
    /// <summary>The MIME name of the format, to go into the transport's content type.</summary>
    string ContentType { get; }

    /// <summary>The number of the format, to go into the transport's body type; see <see cref="BodyTypes"/>.</summary>
    int BodyType { get; }

    /// <summary>Says about how long the body of a value will be, so that a transport can rent one buffer for it.</summary>
    /// <param name="value">The payload.</param>
    /// <returns>A number of bytes, at least 1: a good first buffer size, neither an upper nor a lower bound.</returns>
    int GetSizeHint(T value);

    /// <summary>Writes the body of a value.</summary>
    /// <param name="destination">Receives the bytes. On an exception it may hold a part of them.</param>
    /// <param name="value">The payload.</param>
    /// <exception cref="ArgumentNullException">An argument is null.</exception>
    /// <exception cref="MessageFormatException">The value cannot be written: a null where none is declared, a cycle, beyond a limit.</exception>
    void Write(IBufferWriter<byte> destination, T value);

    /// <summary>Reads a value from a whole body.</summary>
    /// <param name="body">The body, all of it: bytes behind the value are an error.</param>
    /// <returns>The payload.</returns>
    /// <exception cref="MessageFormatException">The body is damaged or beyond a limit.</exception>
    T Read(ReadOnlySpan<byte> body);

    /// <inheritdoc cref="Read(ReadOnlySpan{byte})"/>
    T Read(in ReadOnlySequence<byte> body);

    /// <summary>Reads a value from a whole body into an existing object, reusing its objects, lists and equal strings where the format can.</summary>
    /// <remarks>
    /// The existing object must be a tree: an object that it holds in two places is filled twice, and both places have the second content. (One
    /// <c>Address</c> object for shipping and billing is such a case.) What this method itself has filled is a tree, unless a body without a member has left
    /// an object in its place that the type itself shares, such as <c>= Address.None</c>: give such a member an object of its own, or null.
    /// </remarks>
    /// <param name="body">The body, all of it: bytes behind the value are an error.</param>
    /// <param name="value">
    /// The object to fill; null makes a new one. On an exception it is as before in XML, JSON, ActiveX, legacy binary and with delegates, which read a new object; in binary, versioned,
    /// MessagePack, CBOR, compact and protobuf it may hold members of the bad body beside those of the one before, or part of a list: do not use it, or read by
    /// <see cref="MessageFormatter{T}.ReadOrClear"/>, which lets go of it.
    /// </param>
    /// <exception cref="MessageFormatException">The body is damaged or beyond a limit.</exception>
    void Read(ReadOnlySpan<byte> body, ref T value);
}
