namespace Formatters.Protobuf;

/// <summary>Writes and reads the values of one type as protobuf messages: derive from it to give a type custom fields.</summary>
/// <typeparam name="T">The type.</typeparam>
/// <remarks>
/// Immutable and thread-safe. Create a formatter from it with <see cref="ProtobufFormatter{T}"/>, or use it in the contracts of other types with <see
/// cref="ProtobufOptions.WithCodec{T}"/>. It is never called for null. The caller writes and reads the tag and the length before a message.
/// </remarks>
/// <example><code>
/// sealed class MoneyCodec : ProtobufCodec&lt;Money&gt;
/// {
///     public override string SchemaType =&gt; "google.type.Money";
///
///     public override void Write(ref ProtobufBodyWriter writer, Money value)
///     {
///         writer.WriteTag(2, ProtobufWireType.Varint);
///         writer.WriteInt64(value.Units);
///     }
///
///     public override Money Read(ref ProtobufBodyReader reader, Money existing = default, bool merges = false)
///     {
///         long units = merges ? existing.Units : 0;
///         while (reader.TryReadTag(out int number, out ProtobufWireType wireType))
///         {
///             if (number == 2 &amp;&amp; wireType == ProtobufWireType.Varint)
///                 units = reader.ReadInt64();
///             else
///                 reader.Skip(number, wireType);
///         }
///
///         return new Money(units);
///     }
/// }
/// </code></example>
public abstract class ProtobufCodec<T>
{
    /// <summary>
    /// Gets the type of the message in a <c>.proto</c> file, as <c>google.type.Money</c>, which is imported from <c>google/type/money.proto</c>.
    /// </summary>
    /// <value>Default <c>bytes</c>, as which a reader that does not know its fields can read a message.</value>
    public virtual string SchemaType => "bytes";

    /// <summary>Gets whether null can be written: as a message without fields.</summary>
    internal virtual bool AllowsNull => false;

    /// <summary>
    /// Gets whether <see cref="Read"/> continues at the next part of a message in parts. A codec of the application may not: it reads each part
    /// separately.
    /// </summary>
    internal virtual bool ReadsParts => false;

    /// <summary>Does what <see cref="Write"/> does, for a writer that tracks the member path.</summary>
    internal virtual void WriteTraced(ref ProtobufBodyWriter writer, T value) => Write(ref writer, value);

    /// <summary>Does what <see cref="Read"/> does for a new value, for a reader that tracks the member path.</summary>
    internal virtual T ReadTraced(ref ProtobufBodyReader reader) => Read(ref reader);

    /// <inheritdoc cref="Generated.IProtobufCode{T}.TryReadShort"/>
    internal virtual bool TryReadShort(ref byte start, int byteCount, ref T? value) => false;

    /// <inheritdoc cref="Generated.ProtobufValue{T}.WriteItems"/>
    internal virtual void WriteItems(ref ProtobufBodyWriter writer, uint tag, System.ReadOnlySpan<T> items, ref int index)
    {
    }

    /// <inheritdoc cref="Generated.ProtobufValue{T}.ReadItems"/>
    internal virtual bool ReadItems(ref ProtobufBodyReader reader, uint tag, System.Span<T> items, System.ReadOnlySpan<T> existing, int allocation,
        ref int index) => true;

    /// <summary>Writes the fields of a message.</summary>
    /// <param name="writer">The writer; pass it on by reference.</param>
    /// <param name="value">The value.</param>
    /// <exception cref="MessageFormatException">The value cannot be written.</exception>
    public abstract void Write(ref ProtobufBodyWriter writer, T value);

    /// <summary>Reads the fields of a message, to its end.</summary>
    /// <param name="reader">The reader; pass it on by reference.</param>
    /// <param name="existing">A value that may be filled and returned; the default for none.</param>
    /// <param name="merges">Whether these are more fields of the message from which <paramref name="existing"/> was read: members that they do not
    /// contain keep their values.</param>
    /// <returns>The value.</returns>
    /// <exception cref="MessageFormatException">The bytes are invalid, or beyond a limit.</exception>
    public abstract T Read(ref ProtobufBodyReader reader, T? existing = default, bool merges = false);
}
