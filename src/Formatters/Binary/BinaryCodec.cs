namespace Formatters.Binary;

/// <summary>
/// Writes and reads the values of a type in the binary or the versioned format. Derive from it, and name the class in a <see
/// cref="MemberCodecAttribute"/>, for a member or type with custom bytes. A contract has one (<see cref="MessageContract{T}"/>), for a hand-written
/// <c>Save</c> and <c>Load</c> (<see cref="IBinaryBody"/>) to call.
/// </summary>
/// <typeparam name="T">The type; for a member the declared one, without <c>?</c>: the codec does not handle the presence byte.</typeparam>
/// <remarks>One object is used for all contracts and threads.</remarks>
/// <example><code>
/// public sealed class CentsCodec : BinaryCodec&lt;decimal&gt;
/// {
///     public override int MinByteCount => 8;
///     public override void Write(ref BinaryBodyWriter writer, decimal value) => writer.Write(checked((long)(value * 100)));
///     public override decimal Read(ref BinaryBodyReader reader, decimal existing) => reader.ReadInt64() / 100m;
/// }
///
/// [MessageContract]
/// public partial class Order { [MessageMember(1), MemberCodec(typeof(CentsCodec))] public decimal Total { get; set; } }
/// </code></example>
public abstract class BinaryCodec<T>
{
    /// <summary>Gets the minimum size of a value in bytes, possibly 0. It is used to check the count of a list.</summary>
    public abstract int MinByteCount { get; }

    /// <summary>Writes a value.</summary>
    /// <param name="writer">The writer; pass it on by reference.</param>
    /// <param name="value">The value, never null.</param>
    /// <exception cref="MessageFormatException">The value cannot be written. Other exceptions of a codec reach the caller as they are.</exception>
    public abstract void Write(ref BinaryBodyWriter writer, T value);

    /// <summary>Reads a value that <see cref="Write"/> has written: exactly its bytes.</summary>
    /// <param name="reader">The reader; pass it on by reference.</param>
    /// <param name="existing">A value that may be filled and returned; null, or the default of a struct, for a new one.</param>
    /// <returns><paramref name="existing"/> if it was filled, otherwise a new value.</returns>
    /// <exception cref="MessageFormatException">The bytes are not valid. Other exceptions of a codec that an attribute names become it, with
    /// <see cref="MessageFormatErrorCode.BadValue"/>.</exception>
    public abstract T Read(ref BinaryBodyReader reader, T? existing = default);

    /// <summary>Gets whether errors already have the member path, up to the type itself; otherwise the code is run again to find it.</summary>
    internal virtual bool KnowsPath => false;

    /// <summary>Writes a value and tracks the member path for errors.</summary>
    internal virtual void WriteTraced(ref BinaryBodyWriter writer, T value) => Write(ref writer, value);

    /// <summary>Reads a new value and tracks the member path for errors.</summary>
    internal virtual T ReadTraced(ref BinaryBodyReader reader) => Read(ref reader);
}
