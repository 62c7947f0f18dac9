namespace Formatters.MessagePack;

/// <summary>Writes and reads the values of one type as MessagePack: derive from it to give a type custom bytes.</summary>
/// <typeparam name="T">The type.</typeparam>
/// <remarks>
/// Immutable and thread-safe. Create a formatter from it with <see cref="MessagePackFormatter{T}"/>, or use it in the contracts of other types with
/// <see cref="MessagePackOptions.WithCodec{T}"/>. It is never called for null or nil: the member handles these.
/// </remarks>
/// <example><code>
/// sealed class MoneyCodec : MessagePackCodec&lt;Money&gt;
/// {
///     public override void Write(ref MessagePackBodyWriter writer, Money value)
///     {
///         Span&lt;byte&gt; content = stackalloc byte[8];
///         BinaryPrimitives.WriteInt64BigEndian(content, value.Cents);
///         writer.WriteExtension(5, content);
///     }
///
///     public override Money Read(ref MessagePackBodyReader reader, Money existing = default)
///     {
///         int byteOffset = reader.ByteOffset;
///         ReadOnlySpan&lt;byte&gt; content = reader.ReadExtension(out sbyte extensionType);
///         if (extensionType != 5 || content.Length != 8)
///             throw new MessageFormatException(MessageFormatErrorCode.BadValue, "The bytes are not a valid Money.", byteOffset, isPoison: true);
///         return new Money(BinaryPrimitives.ReadInt64BigEndian(content));
///     }
/// }
/// </code></example>
public abstract class MessagePackCodec<T>
{
    /// <summary>Writes a value: exactly one value of MessagePack, which may be an array or a map of others.</summary>
    /// <param name="writer">The writer; pass it on by reference.</param>
    /// <param name="value">The value.</param>
    /// <exception cref="MessageFormatException">The value cannot be written.</exception>
    public abstract void Write(ref MessagePackBodyWriter writer, T value);

    /// <summary>Reads a value: exactly the bytes that <see cref="Write"/> wrote.</summary>
    /// <param name="reader">The reader; pass it on by reference.</param>
    /// <param name="existing">A value that may be filled and returned; the default for none.</param>
    /// <returns>The value.</returns>
    /// <exception cref="MessageFormatException">The bytes are invalid, or beyond a limit.</exception>
    public abstract T Read(ref MessagePackBodyReader reader, T? existing = default);
}
