using System;
using Formatters.Binary;
using Formatters.Buffers;

namespace Formatters;

/// <summary>Writes and reads a value with a custom codec as bytes of the binary format.</summary>
internal static class FormattedValue
{
    /// <summary>Writes the bytes of the binary format, for a format that contains them as one value.</summary>
    internal static void WriteBinary<T>(PooledBufferWriter buffer, FormatterLimits limits, BinaryCodec<T> formatter, T value)
    {
        StackGuard.Check(-1); // the codec may write in yet another format, with its own depth
        var inner = new BinaryBodyWriter(buffer, limits);
        inner.EnterRecord();
        formatter.Write(ref inner, value);
        inner.LeaveRecord();
        inner.Flush();
    }

    /// <summary>Reads the bytes of the binary format.</summary>
    internal static T ReadBinary<T>(ReadOnlySpan<byte> bytes, int start, FormatterLimits limits, BinaryCodec<T> formatter, T? existing)
    {
        StackGuard.Check(start);
        var inner = new BinaryBodyReader(bytes, limits);
        try
        {
            inner.EnterRecord();
            T value = formatter.Read(ref inner, existing);
            inner.LeaveRecord();
            inner.EnsureEnd();
            return value;
        }
        catch (MessageFormatException e)
        {
            throw new MessageFormatException(e.Code, "The bytes of a value with a custom codec are not valid: see the inner exception.",
                start + Math.Max(e.ByteOffset, 0), isPoison: e.IsPoison, innerException: e);
        }
    }
}
