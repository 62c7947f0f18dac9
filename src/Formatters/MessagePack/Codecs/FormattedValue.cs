using System;

namespace Formatters;

/// <summary>A value with a formatter of the binary format: its bytes as a binary value.</summary>
internal static class FormattedValue
{
    internal static void Write<T>(ref MessagePackBodyWriter writer, IMemberFormatter<T> formatter, T value)
    {
        using var buffer = new PooledBufferWriter();
        var inner = new BinaryBodyWriter(buffer, writer.Limits);
        inner.EnterRecord();
        formatter.Write(ref inner, value);
        inner.LeaveRecord();
        inner.Flush();
        writer.WriteBytes(buffer.WrittenSpan);
    }

    internal static T Read<T>(ref MessagePackBodyReader reader, IMemberFormatter<T> formatter, T? existing)
    {
        ReadOnlySpan<byte> bytes = reader.ReadSpan();
        int start = reader.ByteOffset - bytes.Length;
        var inner = new BinaryBodyReader(bytes, reader.Limits);
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
            throw new MessageFormatException(e.Code, "The bytes of a value with a formatter of its own are bad: see the inner exception.", start + Math.Max(e.ByteOffset, 0), isPoison: e.IsPoison, innerException: e);
        }
    }
}
