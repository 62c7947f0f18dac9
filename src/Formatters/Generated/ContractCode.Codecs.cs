using Formatters.Binary;

namespace Formatters.Generated;

// Values with a custom codec: Formatters.Binary.BinaryCodec<T>.
public static partial class ContractCode
{
    /// <summary>Returns the minimum size of a value with a custom codec.</summary>
    /// <typeparam name="TCodec">The codec.</typeparam>
    /// <typeparam name="T">The type of the value.</typeparam>
    /// <returns>The number; 0 if the codec returns a negative one.</returns>
    public static int MinByteCount<TCodec, T>()
        where TCodec : BinaryCodec<T>, new() => System.Math.Max(SharedInstance<TCodec>.Value.MinByteCount, 0);

    /// <summary>Writes a value with a custom codec.</summary>
    /// <typeparam name="TCodec">The codec.</typeparam>
    /// <typeparam name="T">The type of the value.</typeparam>
    /// <param name="writer">The writer.</param>
    /// <param name="position">The position of the next byte.</param>
    /// <param name="value">The value; null is an error.</param>
    /// <returns>The position after it.</returns>
    public static ref byte WriteFormatted<TCodec, T>(ref BinaryBodyWriter writer, ref byte position, T value)
        where TCodec : BinaryCodec<T>, new()
    {
        writer.Output.MoveTo(ref position);
        WriteFormatted<TCodec, T>(ref writer, value);
        return ref writer.Output.Position;
    }

    /// <summary>Reads a value with a custom codec.</summary>
    /// <typeparam name="TCodec">The codec.</typeparam>
    /// <typeparam name="T">The type of the value.</typeparam>
    /// <param name="reader">The reader.</param>
    /// <param name="existing">A value that may be filled.</param>
    /// <returns>The value.</returns>
    public static T ReadFormatted<TCodec, T>(ref BinaryBodyReader reader, T? existing)
        where TCodec : BinaryCodec<T>, new()
    {
        reader.EnterRecord();
        T value = SharedInstance<TCodec>.Value.Read(ref reader, existing);
        reader.LeaveRecord();
        return value;
    }

    internal static void WriteFormatted<TCodec, T>(ref BinaryBodyWriter writer, T value)
        where TCodec : BinaryCodec<T>, new()
    {
        if (value is null)
            ContractMethods.ThrowUnexpectedNull();
        writer.EnterRecord();
        SharedInstance<TCodec>.Value.Write(ref writer, value);
        writer.LeaveRecord();
    }
}
