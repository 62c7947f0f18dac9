namespace Formatters;

/// <summary>Writes and reads the values of one type as protobuf messages: derive from it to give a type fields of your own choice.</summary>
/// <typeparam name="T">The type.</typeparam>
/// <remarks>
/// Immutable, for use by several threads. Make a formatter of it with <see cref="ProtobufFormatter{T}"/>, or let it take part in the contracts of others with
/// <see cref="ProtobufOptions.WithCodec{T}"/>. It is never given a null to write. The caller writes and reads the tag and the length before a message.
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
    /// <summary>The type of the message in a <c>.proto</c> file, as <c>google.type.Money</c>, which is imported from <c>google/type/money.proto</c>.</summary>
    /// <value>Default <c>bytes</c>, which a message also is to a reader that does not know its fields.</value>
    public virtual string SchemaType => "bytes";

    /// <summary>Whether a null can be written: as a message without fields.</summary>
    internal virtual bool AllowsNull => false;

    /// <summary>Whether <see cref="Read"/> goes on at the next part of a message in parts. A codec of the application may not: it reads each part by itself.</summary>
    internal virtual bool ReadsParts => false;

    /// <summary>Writes the fields of a message.</summary>
    /// <param name="writer">The writer; pass it on by reference.</param>
    /// <param name="value">The value.</param>
    /// <exception cref="MessageFormatException">The value cannot be written.</exception>
    public abstract void Write(ref ProtobufBodyWriter writer, T value);

    /// <summary>Reads the fields of a message, to its end.</summary>
    /// <param name="reader">The reader; pass it on by reference.</param>
    /// <param name="existing">A value that may be filled and returned; the default for none.</param>
    /// <param name="merges">Whether these are more fields of the message that <paramref name="existing"/> was read from: what they do not have stays as it
    /// is.</param>
    /// <returns>The value.</returns>
    /// <exception cref="MessageFormatException">The bytes are bad, or beyond a limit.</exception>
    public abstract T Read(ref ProtobufBodyReader reader, T? existing = default, bool merges = false);
}
