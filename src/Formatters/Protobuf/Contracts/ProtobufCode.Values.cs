// https://protobuf.dev/programming-guides/proto3/#scalar
using System;
using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using Formatters.Protobuf;

namespace Formatters.Generated;

// protobuf, reading: values at a position.
public static partial class ProtobufCode
{
    /// <summary>Reads a value at a position.</summary>
    /// <param name="reader">The reader.</param>
    /// <param name="position">The position of the value.</param>
    /// <param name="value">The value.</param>
    /// <returns>The position after it.</returns>
    /// <exception cref="MessageFormatException">The value is invalid, or the body ends too early.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ref byte Get(ref ProtobufBodyReader reader, ref byte position, out ulong value)
    {
        int remaining = reader.RemainingAt(ref position);
        if (remaining > 0 && position < 0x80)
        {
            value = position;
            return ref Unsafe.Add(ref position, 1);
        }

        if (remaining > 1 && Unsafe.Add(ref position, 1) < 0x80)
        {
            value = (position & 0x7FU) | ((uint)Unsafe.Add(ref position, 1) << 7);
            return ref Unsafe.Add(ref position, 2);
        }

        position = ref GetLarge(ref reader, ref position, out ulong large);
        value = large;
        return ref position;
    }

    /// <inheritdoc cref="Get(ref ProtobufBodyReader, ref byte, out ulong)"/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ref byte Get(ref ProtobufBodyReader reader, ref byte position, out int value)
    {
        position = ref Get(ref reader, ref position, out ulong wide);
        value = (int)wide;
        return ref position;
    }

    /// <inheritdoc cref="Get(ref ProtobufBodyReader, ref byte, out ulong)"/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ref byte Get(ref ProtobufBodyReader reader, ref byte position, out uint value)
    {
        position = ref Get(ref reader, ref position, out ulong wide);
        value = (uint)wide;
        return ref position;
    }

    /// <inheritdoc cref="Get(ref ProtobufBodyReader, ref byte, out ulong)"/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ref byte Get(ref ProtobufBodyReader reader, ref byte position, out long value)
    {
        position = ref Get(ref reader, ref position, out ulong wide);
        value = (long)wide;
        return ref position;
    }

    /// <inheritdoc cref="Get(ref ProtobufBodyReader, ref byte, out ulong)"/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ref byte Get(ref ProtobufBodyReader reader, ref byte position, out bool value)
    {
        position = ref Get(ref reader, ref position, out ulong wide);
        value = wide != 0;
        return ref position;
    }

    /// <summary>Reads a zigzag varint at a position.</summary>
    /// <inheritdoc cref="Get(ref ProtobufBodyReader, ref byte, out ulong)"/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ref byte GetZigZag(ref ProtobufBodyReader reader, ref byte position, out int value)
    {
        position = ref Get(ref reader, ref position, out ulong wide);
        value = ProtobufBytes.UnZigZag((uint)wide);
        return ref position;
    }

    /// <inheritdoc cref="GetZigZag(ref ProtobufBodyReader, ref byte, out int)"/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ref byte GetZigZag(ref ProtobufBodyReader reader, ref byte position, out long value)
    {
        position = ref Get(ref reader, ref position, out ulong wide);
        value = ProtobufBytes.UnZigZag(wide);
        return ref position;
    }

    /// <summary>Reads an integer of 4 or 8 bytes at a position.</summary>
    /// <inheritdoc cref="Get(ref ProtobufBodyReader, ref byte, out ulong)"/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ref byte GetFixed(ref ProtobufBodyReader reader, ref byte position, out int value)
    {
        Require(ref reader, ref position, sizeof(int));
        value = LittleEndian.ReadInt32(ref position);
        return ref Unsafe.Add(ref position, sizeof(int));
    }

    /// <inheritdoc cref="GetFixed(ref ProtobufBodyReader, ref byte, out int)"/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ref byte GetFixed(ref ProtobufBodyReader reader, ref byte position, out uint value)
    {
        position = ref GetFixed(ref reader, ref position, out int signed);
        value = (uint)signed;
        return ref position;
    }

    /// <inheritdoc cref="GetFixed(ref ProtobufBodyReader, ref byte, out int)"/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ref byte GetFixed(ref ProtobufBodyReader reader, ref byte position, out long value)
    {
        Require(ref reader, ref position, sizeof(long));
        value = LittleEndian.ReadInt64(ref position);
        return ref Unsafe.Add(ref position, sizeof(long));
    }

    /// <inheritdoc cref="GetFixed(ref ProtobufBodyReader, ref byte, out int)"/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ref byte GetFixed(ref ProtobufBodyReader reader, ref byte position, out ulong value)
    {
        position = ref GetFixed(ref reader, ref position, out long signed);
        value = (ulong)signed;
        return ref position;
    }

    /// <inheritdoc cref="Get(ref ProtobufBodyReader, ref byte, out ulong)"/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ref byte Get(ref ProtobufBodyReader reader, ref byte position, out double value)
    {
        Require(ref reader, ref position, sizeof(double));
        value = LittleEndian.ReadDouble(ref position);
        return ref Unsafe.Add(ref position, sizeof(double));
    }

    /// <inheritdoc cref="Get(ref ProtobufBodyReader, ref byte, out ulong)"/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ref byte Get(ref ProtobufBodyReader reader, ref byte position, out float value)
    {
        Require(ref reader, ref position, sizeof(float));
        value = LittleEndian.ReadSingle(ref position);
        return ref Unsafe.Add(ref position, sizeof(float));
    }

    /// <inheritdoc cref="Get(ref ProtobufBodyReader, ref byte, out ulong)"/>
    public static ref byte Get(ref ProtobufBodyReader reader, ref byte position, out DateTime value)
    {
        // Rows "event list" and "invoice" of protobuf in models.
        int byteCount = Timestamps.Read(ref position, reader.RemainingAt(ref position), out long seconds, out int nanos);
        if (byteCount > 0 && Timestamps.TryGetDateTime(seconds, nanos, out value))
            return ref Unsafe.Add(ref position, byteCount);
        reader.End(ref position);
        value = reader.ReadTimestamp();
        return ref reader.Begin();
    }

    /// <inheritdoc cref="Get(ref ProtobufBodyReader, ref byte, out ulong)"/>
    public static ref byte Get(ref ProtobufBodyReader reader, ref byte position, out TimeSpan value)
    {
        reader.End(ref position);
        value = reader.ReadDuration();
        return ref reader.Begin();
    }

    /// <summary>Reads a string at a position.</summary>
    /// <param name="reader">The reader.</param>
    /// <param name="position">The position of the string.</param>
    /// <param name="existing">The string to return if it is equal.</param>
    /// <param name="value">The string.</param>
    /// <returns>The position after it.</returns>
    /// <exception cref="MessageFormatException">The string is invalid, or the body ends too early.</exception>
    /// <remarks>Inlined: each copy adapts to the length of its own member. Row "generated protobuf", read.</remarks>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ref byte Get(ref ProtobufBodyReader reader, ref byte position, string? existing, out string value)
    {
#if NET
        int remaining = reader.RemainingAt(ref position);
        if (System.Runtime.Intrinsics.Vector128.IsHardwareAccelerated && remaining > 8)
        {
            int byteCount = position;
            ref byte text = ref Unsafe.Add(ref position, 1);
            if ((uint)(byteCount - 8) <= 32 - 8 && byteCount < remaining && Utf8Text.IsShortAscii(ref text, byteCount))
            {
                value = Utf8Text.ReadShortAscii(ref text, byteCount, existing);
                return ref Unsafe.Add(ref text, (nint)(uint)byteCount);
            }
        }
#endif
        position = ref GetOther(ref reader, ref position, existing, out string other);
        value = other;
        return ref position;
    }

    /// <summary>
    /// Does what <see cref="Get(ref ProtobufBodyReader, ref byte, string, out string)"/> does, without inlining, for records with many strings.
    /// </summary>
    /// <inheritdoc cref="Get(ref ProtobufBodyReader, ref byte, string, out string)"/>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public static ref byte GetOther(ref ProtobufBodyReader reader, ref byte position, string? existing, out string value)
    {
        int remaining = reader.RemainingAt(ref position);
        if (remaining > 0)
        {
            int byteCount = position;
            if (byteCount < 0x80 && byteCount < remaining && Utf8Text.Read(ref Unsafe.Add(ref position, 1), byteCount, existing) is string text)
            {
                value = text;
                return ref Unsafe.Add(ref position, 1 + byteCount);
            }
        }

        reader.End(ref position);
        value = reader.ReadString(existing);
        return ref reader.Begin();
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static void Require(ref ProtobufBodyReader reader, ref byte position, int byteCount)
    {
        if (reader.RemainingAt(ref position) < byteCount)
            ThrowTruncated(ref reader, ref position, byteCount);
    }

    [DoesNotReturn]
    private static void ThrowTruncated(ref ProtobufBodyReader reader, ref byte position, int byteCount)
    {
        reader.End(ref position);
        reader.ThrowTruncated(byteCount);
    }

    /// <summary>Reads a varint of three bytes or more, or an invalid one.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static ref byte GetLarge(ref ProtobufBodyReader reader, ref byte position, out ulong value)
    {
        if (reader.RemainingAt(ref position) >= sizeof(int))
        {
            uint word = (uint)LittleEndian.ReadInt32(ref position);
            if ((word & 0x808080) == 0x8080)
            {
                value = (word & 0x7F) | ((word & 0x7F00) >> 1) | ((word & 0x7F0000) >> 2);
                return ref Unsafe.Add(ref position, 3);
            }

            if ((word & 0x80808080) == 0x808080)
            {
                value = (word & 0x7F) | ((word & 0x7F00) >> 1) | ((word & 0x7F0000) >> 2) | ((word & 0x7F000000) >> 3);
                return ref Unsafe.Add(ref position, 4);
            }
        }

        reader.End(ref position);
        value = reader.ReadUInt64();
        return ref reader.Begin();
    }
}
