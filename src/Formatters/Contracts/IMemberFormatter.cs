namespace Formatters;

/// <summary>Writes and reads a member, or a type, with bytes other than those of its contract. Name it with <see cref="MessageFormatterAttribute"/>.</summary>
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
/// public partial class Order { [MessageFormatter(typeof(CentsFormatter))] public decimal Total { get; set; } }
/// </code></example>
public interface IMemberFormatter<T>
{
    /// <summary>The minimum number of bytes of a value, possibly 0. It is used to check the count of a list.</summary>
    int MinByteCount { get; }

    /// <summary>Writes a value.</summary>
    /// <param name="writer">The writer; pass it on by reference.</param>
    /// <param name="value">The value, never null.</param>
    void Write(ref BinaryBodyWriter writer, T value);

    /// <summary>Reads what <see cref="Write"/> has written: all of it, and nothing after it.</summary>
    /// <param name="reader">The reader; pass it on by reference.</param>
    /// <param name="existing">A value that may be filled and returned; null, or the default of a struct, if there is none.</param>
    /// <returns>The value. An exception is <see cref="MessageFormatErrorCode.BadValue"/>, unless it is a <see cref="MessageFormatException"/> itself.</returns>
    T Read(ref BinaryBodyReader reader, T? existing);
}
