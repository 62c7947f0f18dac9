namespace Formatters.Binary;

/// <summary>
/// Writes and reads a member, or a type, with custom bytes instead of those of its contract. Reference it with <see
/// cref="MessageFormatterAttribute"/>.
/// </summary>
/// <typeparam name="T">The declared type of the member, without <c>?</c>: the formatter does not handle the presence byte.</typeparam>
/// <remarks>One object, created with the public parameterless constructor, is used for all contracts and threads.</remarks>
/// <example><code>
/// public sealed class CentsFormatter : IMemberFormatter&lt;decimal&gt;
/// {
///     public int MinByteCount => 8;
///     public void Write(ref BinaryBodyWriter writer, decimal value) => writer.Write(checked((long)(value * 100)));
///     public decimal Read(ref BinaryBodyReader reader, decimal existing) => reader.ReadInt64() / 100m;
/// }
///
/// [MessageContract]
/// public partial class Order { [MessageMember(1), MessageFormatter(typeof(CentsFormatter))] public decimal Total { get; set; } }
/// </code></example>
public interface IMemberFormatter<T>
{
    /// <summary>Gets the minimum size of a value in bytes, possibly 0. It is used to check the count of a list.</summary>
    int MinByteCount { get; }

    /// <summary>Writes a value.</summary>
    /// <param name="writer">The writer; pass it on by reference.</param>
    /// <param name="value">The value, never null.</param>
    void Write(ref BinaryBodyWriter writer, T value);

    /// <summary>Reads a value that <see cref="Write"/> has written: exactly its bytes.</summary>
    /// <param name="reader">The reader; pass it on by reference.</param>
    /// <param name="existing">A value that may be filled and returned; null, or the default of a struct, if there is none.</param>
    /// <returns>The value. An exception becomes <see cref="MessageFormatErrorCode.BadValue"/>, unless it is a <see cref="MessageFormatException"/>
    /// itself.</returns>
    T Read(ref BinaryBodyReader reader, T? existing);
}
