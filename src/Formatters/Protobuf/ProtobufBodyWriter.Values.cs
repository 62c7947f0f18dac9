// https://protobuf.dev/programming-guides/proto3/#scalar
using System;
using System.Runtime.CompilerServices;

namespace Formatters.Protobuf;

public ref partial struct ProtobufBodyWriter
{
    /// <summary>Writes a <c>bool</c>: one byte.</summary>
    /// <param name="value">The value.</param>
    public void WriteBool(bool value)
    {
        ref byte p = ref _output.Reserve(1);
        p = value ? (byte)1 : (byte)0;
        _output.Advance(ref p, 1);
    }

    /// <summary>Writes an <c>int32</c> (or an enum): a varint, of ten bytes if it is negative.</summary>
    /// <param name="value">The value.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void WriteInt32(int value) => WriteUInt64((ulong)value);

    /// <inheritdoc cref="WriteInt32"/>
    /// <summary>Writes an <c>int64</c>: a varint, of ten bytes if it is negative.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void WriteInt64(long value) => WriteUInt64((ulong)value);

    /// <summary>Writes a <c>uint32</c>: a varint, 1 to 5 bytes.</summary>
    /// <param name="value">The value.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void WriteUInt32(uint value)
    {
        ref byte p = ref _output.Reserve(_output.Room >= ProtobufBytes.MaxVarint32ByteCount ? 0 : ProtobufBytes.GetByteCount(value));
        _output.Advance(ref p, ProtobufBytes.Write(ref p, value));
    }

    /// <summary>Writes a <c>uint64</c>: a varint, 1 to 10 bytes.</summary>
    /// <param name="value">The value.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void WriteUInt64(ulong value)
    {
        ref byte p = ref _output.Reserve(_output.Room >= ProtobufBytes.MaxVarintByteCount ? 0 : ProtobufBytes.GetByteCount(value));
        _output.Advance(ref p, ProtobufBytes.Write(ref p, value));
    }

    /// <summary>Writes a <c>sint32</c>: a zigzag varint, 1 to 5 bytes.</summary>
    /// <param name="value">The value.</param>
    public void WriteSInt32(int value) => WriteUInt32(ProtobufBytes.ZigZag(value));

    /// <summary>Writes a <c>sint64</c>: a zigzag varint, 1 to 10 bytes.</summary>
    /// <param name="value">The value.</param>
    public void WriteSInt64(long value) => WriteUInt64(ProtobufBytes.ZigZag(value));

    /// <summary>Writes a <c>fixed32</c>: 4 bytes.</summary>
    /// <param name="value">The value.</param>
    public void WriteFixed32(uint value) => WriteSFixed32((int)value);

    /// <summary>Writes a <c>fixed64</c>: 8 bytes.</summary>
    /// <param name="value">The value.</param>
    public void WriteFixed64(ulong value) => WriteSFixed64((long)value);

    /// <summary>Writes a <c>sfixed32</c>: 4 bytes.</summary>
    /// <param name="value">The value.</param>
    public void WriteSFixed32(int value)
    {
        ref byte p = ref _output.Reserve(sizeof(int));
        LittleEndian.Write(ref p, value);
        _output.Advance(ref p, sizeof(int));
    }

    /// <summary>Writes a <c>sfixed64</c>: 8 bytes.</summary>
    /// <param name="value">The value.</param>
    public void WriteSFixed64(long value)
    {
        ref byte p = ref _output.Reserve(sizeof(long));
        LittleEndian.Write(ref p, value);
        _output.Advance(ref p, sizeof(long));
    }

    /// <summary>Writes a <c>float</c>: 4 bytes, bit for bit; a NaN as 7FC00000 if <see cref="IsCanonical"/>.</summary>
    /// <param name="value">The value.</param>
    public void WriteFloat(float value)
    {
        if (float.IsNaN(value))
            value = Normalize(value);
        ref byte p = ref _output.Reserve(sizeof(float));
        LittleEndian.Write(ref p, value);
        _output.Advance(ref p, sizeof(float));
    }

    /// <summary>Writes a <c>double</c>: 8 bytes, bit for bit; a NaN as 7FF8000000000000 if <see cref="IsCanonical"/>.</summary>
    /// <param name="value">The value.</param>
    public void WriteDouble(double value)
    {
        if (double.IsNaN(value))
            value = Normalize(value);
        ref byte p = ref _output.Reserve(sizeof(double));
        LittleEndian.Write(ref p, value);
        _output.Advance(ref p, sizeof(double));
    }

    /// <summary>Writes a <c>string</c>: its length in bytes as a varint, and its UTF-8.</summary>
    /// <param name="value">The string. A surrogate without its partner is written as U+FFFD, unless <see cref="FormatterLimits.RefuseInvalidText"/>
    /// is on.</param>
    /// <exception cref="MessageFormatException">Null, which protobuf has no value for; or invalid text that is rejected.</exception>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public void WriteString(string value)
    {
        if (value is null)
            ThrowHelper.ThrowUnexpectedNull();
        if (Limits.RefuseInvalidText && !Utf8Text.IsValid(value))
            ThrowHelper.ThrowInvalidText();
        if (_output.Room - ProtobufBytes.MaxVarint32ByteCount >= 3L * value.Length)
        {
            ref byte start = ref _output.Position;
            _output.Advance(ref start, Utf8Text.WritePrefixed(ref start, value));
            return;
        }

        int byteCount = Utf8Text.GetByteCount(value);
        ref byte p = ref ReserveBytes(byteCount, out int header);
        Utf8Text.WriteExact(ref Unsafe.Add(ref p, header), value, byteCount);
        _output.Advance(ref p, header + byteCount);
    }

    /// <summary>
    /// Writes <c>bytes</c>: their number as a varint, then the bytes. Use it also for a string that is already UTF-8, or a message that was written
    /// elsewhere.
    /// </summary>
    /// <param name="value">The bytes.</param>
    public void WriteBytes(scoped ReadOnlySpan<byte> value)
    {
        ref byte p = ref ReserveBytes(value.Length, out int header);
        Copy(value, ref Unsafe.Add(ref p, header));
        _output.Advance(ref p, header + value.Length);
    }

    /// <summary>Returns the NaN to write.</summary>
    internal readonly float Normalize(float nan)
    {
        uint bits = 0x7FC0_0000;
        return IsCanonical ? Unsafe.As<uint, float>(ref bits) : nan;
    }

    /// <inheritdoc cref="Normalize(float)"/>
    internal readonly double Normalize(double nan) => IsCanonical ? BitConverter.Int64BitsToDouble(0x7FF8_0000_0000_0000) : nan;

    /// <summary>Writes a length, and reserves as many bytes after it.</summary>
    /// <returns>The place of the length.</returns>
    internal ref byte ReserveBytes(int byteCount, out int header)
    {
        header = ProtobufBytes.GetByteCount((uint)byteCount);
        if (byteCount > int.MaxValue - header)
            ThrowHelper.ThrowBodyTooLarge(byteCount, Limits.MaxBodyByteCount);
        ref byte p = ref _output.Reserve(header + byteCount);
        ProtobufBytes.Write(ref p, (uint)byteCount);
        return ref p;
    }
}
