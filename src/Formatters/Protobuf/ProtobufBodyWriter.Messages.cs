// https://protobuf.dev/reference/protobuf/google.protobuf/; for the other values of .NET: docs/wire/protobuf.md, "Values".
using System;
using System.Numerics;
using System.Runtime.CompilerServices;

namespace Formatters.Protobuf;

public ref partial struct ProtobufBodyWriter
{
    // Two tags, an int64, an int32 that may be negative, and a sint32 with its tag.
    private const int MaxTimeByteCount = 1 + (2 * (1 + ProtobufBytes.MaxVarintByteCount)) + 1 + ProtobufBytes.MaxVarint32ByteCount;

    /// <summary>Writes a <c>google.protobuf.Timestamp</c> after its length: seconds since 1970 and nanoseconds.</summary>
    /// <param name="value">The time; a local one is converted to UTC, one of unspecified kind is interpreted as UTC. The kind is not kept.</param>
    public void WriteTimestamp(DateTime value)
    {
        Timestamps.Split(Timestamps.UtcTicks(value), out long seconds, out int nanos);
        WriteTime(seconds, nanos, 0);
    }

    /// <summary>
    /// Writes the instant as a <c>google.protobuf.Timestamp</c>, with a third field that readers of a Timestamp skip: the offset in minutes as a
    /// <c>sint32</c>.
    /// </summary>
    /// <param name="value">The value; seconds of an offset are cut off.</param>
    public void WriteTimestamp(DateTimeOffset value)
    {
        Timestamps.Split(value.UtcTicks, out long seconds, out int nanos);
        WriteTime(seconds, nanos, (int)(value.Offset.Ticks / TimeSpan.TicksPerMinute));
    }

    /// <summary>Writes a <c>google.protobuf.Duration</c> after its length: seconds and nanoseconds of the same sign.</summary>
    /// <param name="value">The value.</param>
    public void WriteDuration(TimeSpan value) =>
        WriteTime(value.Ticks / TimeSpan.TicksPerSecond, (int)(value.Ticks % TimeSpan.TicksPerSecond) * Timestamps.NanosPerTick, 0);

    /// <summary>Writes a <c>string</c> of the digits, invariant; the scale is kept ("1.20").</summary>
    /// <param name="value">The value.</param>
    public void WriteDecimal(decimal value)
    {
        Span<byte> digits = stackalloc byte[Decimals.MaxTextByteCount];
        WriteBytes(digits.Slice(0, Decimals.Format(ref digits[0], value)));
    }

    /// <summary>Writes a <c>string</c> of 36 characters, lower case, with hyphens.</summary>
    /// <param name="value">The value.</param>
    public void WriteGuid(Guid value)
    {
        Span<byte> digits = stackalloc byte[GuidText.ByteCount];
        GuidText.Format(ref digits[0], value);
        WriteBytes(digits);
    }

    /// <summary>Writes <c>bytes</c>: 16, in the order of RFC 9562, which is that of the text.</summary>
    /// <param name="value">The value.</param>
    internal void WriteGuidBytes(Guid value)
    {
        Span<byte> bytes = stackalloc byte[16];
        BigEndian.WriteGuid(ref bytes[0], value);
        WriteBytes(bytes);
    }

    /// <summary>Writes <c>bytes</c>: the fewest bytes of two's complement, low byte first.</summary>
    /// <param name="value">The value.</param>
    public void WriteBigInteger(BigInteger value) => WriteBytes(value.ToByteArray());

#if NET
    /// <summary>Writes <c>bytes</c>: 16, the lowest first.</summary>
    internal void WriteUInt128(UInt128 value)
    {
        Span<byte> bytes = stackalloc byte[16];
        System.Buffers.Binary.BinaryPrimitives.WriteUInt128LittleEndian(bytes, value);
        WriteBytes(bytes);
    }
#endif

    private void WriteTime(long seconds, int nanos, int offsetMinutes)
    {
        if (_output.Room > MaxTimeByteCount)
        {
            ref byte start = ref _output.Position;
            int byteCount = WriteFields(ref Unsafe.Add(ref start, 1), seconds, nanos, offsetMinutes);
            start = (byte)byteCount;
            _output.Advance(ref start, 1 + byteCount);
            return;
        }

        Span<byte> content = stackalloc byte[MaxTimeByteCount];
        WriteBytes(content.Slice(0, WriteFields(ref content[0], seconds, nanos, offsetMinutes)));
    }

    private static int WriteFields(ref byte p, long seconds, int nanos, int offsetMinutes)
    {
        int length = WriteField(ref p, 0, 0x08, (ulong)seconds);
        length = WriteField(ref p, length, 0x10, (ulong)nanos);
        return WriteField(ref p, length, 0x18, ProtobufBytes.ZigZag(offsetMinutes));
    }

    private static int WriteField(ref byte content, int length, byte tag, ulong value)
    {
        if (value == 0)
            return length;
        Unsafe.Add(ref content, length) = tag;
        return length + 1 + ProtobufBytes.Write(ref Unsafe.Add(ref content, length + 1), value);
    }
}
