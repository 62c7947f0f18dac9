using System;
using System.Buffers;

namespace Formatters;

/// <summary>Writes objects into message bodies and reads them back, without a type parameter; it has the members of
/// <c>System.Messaging.IMessageFormatter</c>.</summary>
/// <remarks>Implementations in this library are immutable and thread-safe; <see cref="ICloneable.Clone"/> returns the same instance.</remarks>
public interface IMessageFormatter : ICloneable
{
    /// <summary>Determines from the content type, the body type and, if necessary, the first bytes whether <see cref="Read"/> can read a body.</summary>
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
    /// <param name="body">Receives bytes, body type and content type; what it held before is replaced.</param>
    /// <param name="value">The object.</param>
    /// <exception cref="ArgumentNullException"><paramref name="body"/> is null, or <paramref name="value"/> is null and the format has no null.</exception>
    /// <exception cref="ArgumentException"><paramref name="value"/> is of a type that this formatter does not write.</exception>
    /// <exception cref="MessageFormatException">The object cannot be written: a null where none is declared, a cycle, beyond a limit.</exception>
    void Write(MessageBody body, object? value);
}

/// <summary>Writes objects of one type into message bodies and reads them back, without boxing and, in the steady state, without allocating memory to
/// write.</summary>
/// <typeparam name="T">The type of the payload.</typeparam>
/// <remarks>Derive from <see cref="MessageFormatter{T}"/>, which provides the conveniences and the untyped interface, instead of implementing this
/// interface.</remarks>
public interface IMessageFormatter<T>
{
    /// <summary>The MIME name of the format, for the content type of the transport.</summary>
    string ContentType { get; }

    /// <summary>The number of the format, for the body type of the transport; see <see cref="BodyTypes"/>.</summary>
    int BodyType { get; }

    /// <summary>Estimates the length of the body of a value, so that a transport can rent one buffer for it.</summary>
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
    /// <param name="body">The body, all of it: bytes after the value are an error.</param>
    /// <returns>The payload.</returns>
    /// <exception cref="MessageFormatException">The body is damaged or beyond a limit.</exception>
    T Read(ReadOnlySpan<byte> body);

    /// <inheritdoc cref="Read(ReadOnlySpan{byte})"/>
    T Read(in ReadOnlySequence<byte> body);

    /// <summary>Reads a value from a whole body into an existing object, reusing its objects, lists and equal strings where the format can.</summary>
    /// <remarks>
    /// No object may be reachable twice from the existing object: it would be filled twice, and both places would have the second content. (One
    /// <c>Address</c> object for shipping and billing is such a case.) Objects that this method has filled are safe, unless a body without a member has left
    /// a shared default in place, such as <c>= Address.None</c>: give such a member an object of its own, or null.
    /// </remarks>
    /// <param name="body">The body, all of it: bytes after the value are an error.</param>
    /// <param name="value">
    /// The object to fill; null for a new one. After an exception, it is unchanged in XML, JSON, ActiveX, legacy binary and with delegates, which read a new
    /// object. In binary, versioned, MessagePack, CBOR, compact and protobuf it may have some members of the bad body and some of the previous one, or part
    /// of a list: do not use it, or read with <see cref="MessageFormatter{T}.ReadOrClear"/>, which clears the variable then.
    /// </param>
    /// <exception cref="MessageFormatException">The body is damaged or beyond a limit.</exception>
    void Read(ReadOnlySpan<byte> body, ref T value);
}
