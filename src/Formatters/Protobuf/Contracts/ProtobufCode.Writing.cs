using System;
using System.Runtime.CompilerServices;
using Formatters.Binary;
using Formatters.Protobuf;

namespace Formatters.Generated;

// protobuf, writing: the position is passed and returned, as for the binary format. The tag of a field is a constant before its value.
public static partial class ProtobufCode
{
    /// <inheritdoc cref="ContractCode.Level(ref BinaryBodyWriter)"/>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public static int Level(ref ProtobufBodyWriter writer) => writer.Path!.Depth;

    /// <inheritdoc cref="ContractCode.At(ref BinaryBodyWriter, int, string, int)"/>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public static void At(ref ProtobufBodyWriter writer, int level, string? member = null, int index = -1) => writer.Path!.Set(level, member, index);

    /// <summary>Gets the position from a writer.</summary>
    /// <param name="writer">The writer.</param>
    /// <returns>The position of the next byte.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ref byte Begin(ref ProtobufBodyWriter writer) => ref writer.Begin();

    /// <summary>Returns the position to the writer.</summary>
    /// <param name="writer">The writer.</param>
    /// <param name="position">The position of the next byte.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void End(ref ProtobufBodyWriter writer, ref byte position) => writer.End(ref position);

    /// <summary>Reserves space.</summary>
    /// <param name="writer">The writer.</param>
    /// <param name="position">The position of the next byte.</param>
    /// <param name="byteCount">How many bytes will be written without a further check.</param>
    /// <returns>The position of the next byte in the possibly new span.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ref byte Reserve(ref ProtobufBodyWriter writer, ref byte position, int byteCount)
    {
        if (writer.RoomAt(ref position) >= byteCount)
            return ref position;
        return ref writer.GrowAt(ref position, byteCount);
    }

    /// <summary>Checks the depth for a message that contains no further ones.</summary>
    /// <param name="writer">The writer.</param>
    /// <exception cref="MessageFormatException">Deeper than the limits allow.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void Touch(ref ProtobufBodyWriter writer) => writer.CheckLeafDepth();

    /// <summary>Writes a value as a nested message, after its tag.</summary>
    /// <typeparam name="TMode">The mode.</typeparam>
    /// <typeparam name="T">The type of the value.</typeparam>
    /// <typeparam name="TCode">Its generated code.</typeparam>
    /// <param name="writer">The writer.</param>
    /// <param name="position">The position of the next byte.</param>
    /// <param name="value">The value.</param>
    /// <returns>The position after the message.</returns>
    /// <exception cref="MessageFormatException">It is nested deeper than the limits allow, or its fields cannot be written.</exception>
    public static ref byte Wrap<TMode, T, TCode>(ref ProtobufBodyWriter writer, ref byte position, T value)
        where TMode : struct, IMode
        where TCode : struct, IProtobufCode<T>
    {
        // The size of the last length; the next one is likely to be the same. Threads may interfere here, which does not change the bytes.
        int guess = LengthByteCount<TCode>.Last;
        if (guess == 1 && writer.RoomAt(ref position) > 0)
        {
            long offset = writer.EnterShortMessage(ref position);
            return ref writer.LeaveShortMessage(ref default(TCode).Write<TMode>(ref writer, ref Unsafe.Add(ref position, 1), value), offset,
                ref LengthByteCount<TCode>.Last);
        }

        writer.End(ref position);
        long start = writer.BeginMessage(guess);
        writer.End(ref default(TCode).Write<TMode>(ref writer, ref writer.Begin(), value));
        int byteCount = writer.EndMessage(start, guess);
        if (byteCount != guess)
            LengthByteCount<TCode>.Last = byteCount;
        return ref writer.Begin();
    }

    /// <summary>Writes the length of a short message, which starts after one byte reserved for it.</summary>
    /// <param name="start">The place of the length.</param>
    /// <param name="position">The end of the message. Four more bytes are reserved.</param>
    /// <returns>The position after the message.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ref byte PutLength(ref byte start, ref byte position)
    {
        int byteCount = (int)Unsafe.ByteOffset(ref start, ref position) - 1;
        if (byteCount >= 0x80)
            return ref PutLongLength(ref start, byteCount);
        start = (byte)byteCount;
        return ref position;
    }

    /// <summary>Returns the maximum size of a string.</summary>
    /// <param name="value">The string; null is an error.</param>
    /// <returns>The number of bytes, without those always reserved for the length.</returns>
    /// <exception cref="MessageFormatException">A null.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static long TextBound(string value)
    {
        if (value is null)
            ContractMethods.ThrowUnexpectedNull();
        return 3L * value.Length;
    }

    /// <summary>Returns the maximum size of a string that may be null.</summary>
    /// <param name="value">The string.</param>
    /// <returns>The number of bytes.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static long OptionalTextBound(string? value) => value is null ? 0 : 3L * value.Length;

    /// <summary>Writes a tag, for which space is reserved.</summary>
    /// <param name="position">The position of the next byte.</param>
    /// <param name="tag">The tag.</param>
    /// <param name="byteCount">How many bytes it has.</param>
    /// <returns>The position after it.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ref byte PutTag(ref byte position, uint tag, int byteCount)
    {
        if (byteCount == 1)
            position = (byte)tag;
        else if (byteCount == 2)
            LittleEndian.Write(ref position, (short)((tag & 0x7F) | 0x80 | (tag >> 7 << 8)));
        else
            ProtobufBytes.Write(ref position, tag);
        return ref Unsafe.Add(ref position, byteCount);
    }

    /// <summary>Writes an integer, for which space is reserved.</summary>
    /// <param name="position">The position of the next byte.</param>
    /// <param name="value">The value.</param>
    /// <returns>The position after it.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ref byte Put(ref byte position, long value) => ref Put(ref position, (ulong)value);

    /// <inheritdoc cref="Put(ref byte, long)"/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ref byte Put(ref byte position, bool value)
    {
        position = value ? (byte)1 : (byte)0;
        return ref Unsafe.Add(ref position, 1);
    }

    /// <summary>Writes an integer with zigzag encoding: one of small absolute value takes few bytes.</summary>
    /// <inheritdoc cref="Put(ref byte, long)"/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ref byte PutZigZag(ref byte position, long value) => ref Put(ref position, ProtobufBytes.ZigZag(value));

    /// <summary>Writes an integer of 4 or 8 bytes, for which space is reserved.</summary>
    /// <inheritdoc cref="Put(ref byte, long)"/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ref byte PutFixed(ref byte position, int value)
    {
        LittleEndian.Write(ref position, value);
        return ref Unsafe.Add(ref position, sizeof(int));
    }

    /// <inheritdoc cref="PutFixed(ref byte, int)"/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ref byte PutFixed(ref byte position, long value)
    {
        LittleEndian.Write(ref position, value);
        return ref Unsafe.Add(ref position, sizeof(long));
    }

    /// <summary>Writes a number, for which space is reserved.</summary>
    /// <param name="writer">The writer, which may be canonical.</param>
    /// <param name="position">The position of the next byte.</param>
    /// <param name="value">The value.</param>
    /// <returns>The position after it.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ref byte Put(ref ProtobufBodyWriter writer, ref byte position, double value)
    {
        if (double.IsNaN(value))
            value = writer.Normalize(value);
        LittleEndian.Write(ref position, value);
        return ref Unsafe.Add(ref position, sizeof(double));
    }

    /// <inheritdoc cref="Put(ref ProtobufBodyWriter, ref byte, double)"/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ref byte Put(ref ProtobufBodyWriter writer, ref byte position, float value)
    {
        if (float.IsNaN(value))
            value = writer.Normalize(value);
        LittleEndian.Write(ref position, value);
        return ref Unsafe.Add(ref position, sizeof(float));
    }

    /// <summary>Writes a date after its length, for which space is reserved.</summary>
    /// <inheritdoc cref="Put(ref byte, long)"/>
    public static ref byte Put(ref byte position, DateTime value)
    {
        Timestamps.Split(Timestamps.UtcTicks(value), out long seconds, out int nanos);
        return ref PutTime(ref position, seconds, nanos);
    }

    /// <inheritdoc cref="Put(ref byte, DateTime)"/>
    public static ref byte Put(ref byte position, TimeSpan value) =>
        ref PutTime(ref position, value.Ticks / TimeSpan.TicksPerSecond, (int)(value.Ticks % TimeSpan.TicksPerSecond) * Timestamps.NanosPerTick);

    /// <summary>Determines whether a number is omitted: 0, but not -0.</summary>
    /// <param name="value">The value.</param>
    /// <returns>Whether it is omitted.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static bool IsZero(double value) => BitConverter.DoubleToInt64Bits(value) == 0;

    /// <inheritdoc cref="IsZero(double)"/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static bool IsZero(float value) => Unsafe.As<float, int>(ref value) == 0;

    /// <summary>Writes a string unless it is the default, and reserves space for it and for the members after it.</summary>
    /// <param name="writer">The writer.</param>
    /// <param name="position">The position of the next byte.</param>
    /// <param name="tag">The tag.</param>
    /// <param name="tagByteCount">How many bytes it has.</param>
    /// <param name="value">The string; null is an error.</param>
    /// <param name="roomBehind">The maximum size of the members after it, up to the next one of unbounded size.</param>
    /// <param name="isOptional">Whether its default is null, which the caller has excluded; otherwise it is the empty string.</param>
    /// <returns>The position after the string.</returns>
    /// <exception cref="MessageFormatException">The string is null, or invalid text that is rejected.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ref byte PutText(ref ProtobufBodyWriter writer, ref byte position, uint tag, int tagByteCount, string value, int roomBehind,
        bool isOptional)
    {
        if (!isOptional)
        {
            if (value is null)
                ContractMethods.ThrowUnexpectedNull();
            if (value.Length == 0)
                return ref Reserve(ref writer, ref position, roomBehind);
        }

#if NET
        if (writer.RoomAt(ref position) - (tagByteCount + roomBehind) > value.Length
            && Utf8Text.TryWriteShortAscii(ref Unsafe.Add(ref position, tagByteCount), value))
        {
            PutTag(ref position, tag, tagByteCount);
            return ref Unsafe.Add(ref position, (nuint)(uint)(value.Length + 1 + tagByteCount));
        }
#endif
        return ref PutOtherText(ref writer, ref position, tag, tagByteCount, value, roomBehind);
    }

    /// <summary>Writes a string unless it is the default, for which three bytes per character and five for its length are reserved.</summary>
    /// <inheritdoc cref="PutText"/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ref byte PutBoundText(ref ProtobufBodyWriter writer, ref byte position, uint tag, int tagByteCount, string value, bool isOptional)
    {
        if (!isOptional && value.Length == 0)
            return ref position;
#if NET
        if (Utf8Text.TryWriteShortAscii(ref Unsafe.Add(ref position, tagByteCount), value))
        {
            PutTag(ref position, tag, tagByteCount);
            return ref Unsafe.Add(ref position, (nuint)(uint)(value.Length + 1 + tagByteCount));
        }
#endif
        return ref PutOtherBoundText(ref writer, ref position, tag, tagByteCount, value);
    }

    /// <summary>Writes the stored unknown fields.</summary>
    /// <param name="writer">The writer.</param>
    /// <param name="position">The position of the next byte.</param>
    /// <param name="unknown">The stored fields; null for none.</param>
    /// <returns>The position after it.</returns>
    /// <exception cref="MessageFormatException">They are of another format.</exception>
    public static ref byte PutUnknown(ref ProtobufBodyWriter writer, ref byte position, UnknownMembers? unknown)
    {
        if (UnknownMembers.Take(unknown, BodyTypes.Protobuf, isMap: false, writer.Limits) is not UnknownMembers fields)
            return ref position;
        writer.End(ref position);
        fields.WriteFields(ref writer);
        return ref writer.Begin();
    }

    /// <summary>Throws for a list with more elements than the limit.</summary>
    /// <param name="writer">The writer.</param>
    /// <param name="elementCount">The number of elements.</param>
    /// <exception cref="MessageFormatException">Above the limit.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void CheckCount(ref ProtobufBodyWriter writer, int elementCount)
    {
        if (elementCount > writer.Limits.MaxElementCount)
            ThrowHelper.ThrowTooManyElements(-1, elementCount, writer.Limits.MaxElementCount);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static ref byte PutOtherText(ref ProtobufBodyWriter writer, ref byte position, uint tag, int tagByteCount, string value, int roomBehind)
    {
        position = ref Reserve(ref writer, ref position, tagByteCount);
        PutTag(ref position, tag, tagByteCount);
        writer.End(ref Unsafe.Add(ref position, tagByteCount));
        writer.WriteString(value);
        return ref Reserve(ref writer, ref writer.Begin(), roomBehind);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static ref byte PutOtherBoundText(ref ProtobufBodyWriter writer, ref byte position, uint tag, int tagByteCount, string value)
    {
        if (writer.Limits.RefuseInvalidText && !Utf8Text.IsValid(value))
            ThrowHelper.ThrowInvalidText();
        PutTag(ref position, tag, tagByteCount);
        position = ref Unsafe.Add(ref position, tagByteCount);
        return ref Unsafe.Add(ref position, Utf8Text.WritePrefixed(ref position, value));
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static ref byte Put(ref byte position, ulong value)
    {
        if (value < 0x80)
        {
            position = (byte)value;
            return ref Unsafe.Add(ref position, 1);
        }

        if (value < 0x4000)
        {
            LittleEndian.Write(ref position, (short)((value & 0x7F) | 0x80 | (value >> 7 << 8)));
            return ref Unsafe.Add(ref position, 2);
        }

        return ref PutLarge(ref position, value);
    }

    /// <summary>Writes a varint of three bytes or more by overlapping words, without a byte more.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static ref byte PutLarge(ref byte position, ulong value)
    {
        int byteCount = ProtobufBytes.GetByteCount(value);
        ulong word = ProtobufBytes.Split(value) | (0x8080_8080_8080_8080 >> (8 * Math.Max(9 - byteCount, 0)));
        ref byte end = ref Unsafe.Add(ref position, byteCount);
        if (byteCount > sizeof(long))
        {
            LittleEndian.Write(ref position, (long)word);
            Unsafe.Add(ref position, 8) = (byte)(((value >> 56) & 0x7F) | (byteCount == 9 ? 0 : 0x80UL));
            if (byteCount > 9)
                Unsafe.Add(ref position, 9) = (byte)(value >> 63);
        }
        else if (byteCount > sizeof(int))
        {
            LittleEndian.Write(ref position, (int)word);
            LittleEndian.Write(ref Unsafe.Subtract(ref end, sizeof(int)), (int)(word >> (8 * (byteCount - sizeof(int)))));
        }
        else
        {
            LittleEndian.Write(ref position, (short)word);
            LittleEndian.Write(ref Unsafe.Subtract(ref end, sizeof(short)), (short)(word >> (8 * (byteCount - sizeof(short)))));
        }

        return ref end;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static ref byte PutLongLength(ref byte start, int byteCount)
    {
        int needed = ProtobufBytes.GetByteCount((uint)byteCount);
        Utf8Text.Move(ref start, 1, needed, byteCount);
        ProtobufBytes.Write(ref start, (uint)byteCount);
        return ref Unsafe.Add(ref start, needed + byteCount);
    }

    private static ref byte PutTime(ref byte position, long seconds, int nanos)
    {
        ref byte p = ref Unsafe.Add(ref position, 1);
        if (seconds != 0)
        {
            p = 0x08;
            p = ref Put(ref Unsafe.Add(ref p, 1), (ulong)seconds);
        }

        if (nanos != 0)
        {
            p = 0x10;
            p = ref Put(ref Unsafe.Add(ref p, 1), (ulong)nanos);
        }

        return ref PutLength(ref position, ref p);
    }

    private static class LengthByteCount<TCode>
        where TCode : struct
    {
        internal static int Last = 1;
    }
}
