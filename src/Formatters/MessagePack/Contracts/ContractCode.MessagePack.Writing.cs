using System;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Formatters.Generated;

// MessagePack, written: the position is passed and returned, as for the binary format. Every value is in its shortest form.
public static partial class ContractCode
{
    /// <inheritdoc cref="Level(ref BinaryBodyWriter)"/>
    public static int Level(ref MessagePackBodyWriter writer) => writer.Path!.Level;

    /// <inheritdoc cref="At(ref BinaryBodyWriter, int, string)"/>
    public static void At(ref MessagePackBodyWriter writer, int level, string member) => writer.Path!.Set(level, member);

    /// <inheritdoc cref="At(ref BinaryBodyWriter, int, int)"/>
    public static void At(ref MessagePackBodyWriter writer, int level, int index) => writer.Path!.Set(level, index);

    /// <summary>Takes the position from a writer.</summary>
    /// <param name="writer">The writer.</param>
    /// <returns>Where the next byte goes.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ref byte Begin(ref MessagePackBodyWriter writer) => ref writer.Begin();

    /// <summary>Gives the position back to the writer.</summary>
    /// <param name="writer">The writer.</param>
    /// <param name="position">Where the next byte goes.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void End(ref MessagePackBodyWriter writer, ref byte position) => writer.End(ref position);

    /// <summary>Makes room.</summary>
    /// <param name="writer">The writer.</param>
    /// <param name="position">Where the next byte goes.</param>
    /// <param name="byteCount">How many bytes will be written without a further check.</param>
    /// <returns>Where the next byte goes now.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ref byte Reserve(ref MessagePackBodyWriter writer, ref byte position, int byteCount)
    {
        if (writer.RoomAt(ref position) >= byteCount)
            return ref position;
        return ref writer.GrowAt(ref position, byteCount);
    }

    /// <summary>Writes the header of an array, and makes room for it.</summary>
    /// <param name="writer">The writer.</param>
    /// <param name="position">Where the next byte goes.</param>
    /// <param name="elementCount">The number of elements.</param>
    /// <returns>The position behind it.</returns>
    /// <exception cref="MessageFormatException">Above the limit.</exception>
    public static ref byte PackArrayHeader(ref MessagePackBodyWriter writer, ref byte position, int elementCount)
    {
        if ((uint)elementCount > (uint)writer.Limits.MaxElementCount)
            ThrowHelper.ThrowBadElementCount(elementCount, writer.Limits.MaxElementCount);
        position = ref Reserve(ref writer, ref position, MessagePackBytes.MaxHeaderByteCount);
        return ref Unsafe.Add(ref position, MessagePackBytes.WriteArrayHeader(ref position, elementCount));
    }

    /// <summary>Writes the header of a map, and makes room for it.</summary>
    /// <param name="writer">The writer.</param>
    /// <param name="position">Where the next byte goes.</param>
    /// <param name="entryCount">The number of entries.</param>
    /// <returns>The position behind it.</returns>
    /// <exception cref="MessageFormatException">Above the limit.</exception>
    public static ref byte PackMapHeader(ref MessagePackBodyWriter writer, ref byte position, int entryCount)
    {
        if ((uint)entryCount > (uint)writer.Limits.MaxElementCount)
            ThrowHelper.ThrowBadElementCount(entryCount, writer.Limits.MaxElementCount);
        position = ref Reserve(ref writer, ref position, MessagePackBytes.MaxHeaderByteCount);
        return ref Unsafe.Add(ref position, MessagePackBytes.WriteMapHeader(ref position, entryCount));
    }

    /// <summary>Counts a record without further ones in it as a level of nesting.</summary>
    /// <param name="writer">The writer.</param>
    /// <exception cref="MessageFormatException">Deeper than the limits allow.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void Touch(ref MessagePackBodyWriter writer) => writer.Touch();

    /// <summary>Writes a nil; the room has been made.</summary>
    /// <param name="position">Where the next byte goes.</param>
    /// <returns>The position behind it.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ref byte PackNil(ref byte position) => ref Write(ref position, MessagePackCode.Nil);

    /// <summary>Writes a value, for which room has been made.</summary>
    /// <param name="position">Where the next byte goes.</param>
    /// <param name="value">The value.</param>
    /// <returns>The position behind it.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ref byte Pack(ref byte position, bool value) => ref Write(ref position, value ? MessagePackCode.True : MessagePackCode.False);

    /// <inheritdoc cref="Pack(ref byte, bool)"/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ref byte Pack(ref byte position, long value)
    {
        if ((ulong)(value + 32) >= 160)
            return ref Unsafe.Add(ref position, MessagePackBytes.Write(ref position, value));
        position = (byte)value;
        return ref Unsafe.Add(ref position, 1);
    }

    /// <inheritdoc cref="Pack(ref byte, bool)"/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ref byte Pack(ref byte position, ulong value) => ref Unsafe.Add(ref position, (nint)MessagePackBytes.Write(ref position, value));

    /// <inheritdoc cref="Pack(ref byte, bool)"/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ref byte Pack(ref byte position, int value)
    {
        if ((uint)(value + 32) < 160)
        {
            position = (byte)value;
            return ref Unsafe.Add(ref position, 1);
        }

        if ((uint)(value - 256) >= 65536 - 256)
            return ref PackLarge(ref position, value);
        // One store, of which the last byte is written over; there is room for 5.
        BigEndian.Write(ref position, ((uint)MessagePackCode.UInt16 << 24) | ((uint)value << 8));
        return ref Unsafe.Add(ref position, 3);
    }

    /// <inheritdoc cref="Pack(ref byte, bool)"/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ref byte Pack(ref byte position, uint value) => ref Pack(ref position, (ulong)value);

    /// <inheritdoc cref="Pack(ref byte, bool)"/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ref byte Pack(ref byte position, short value) => ref Pack(ref position, (long)value);

    /// <inheritdoc cref="Pack(ref byte, bool)"/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ref byte Pack(ref byte position, ushort value) => ref Pack(ref position, (ulong)value);

    /// <inheritdoc cref="Pack(ref byte, bool)"/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ref byte Pack(ref byte position, sbyte value) => ref Pack(ref position, (long)value);

    /// <inheritdoc cref="Pack(ref byte, bool)"/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ref byte Pack(ref byte position, byte value) => ref Pack(ref position, (ulong)value);

    /// <inheritdoc cref="Pack(ref byte, bool)"/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ref byte Pack(ref byte position, char value) => ref Pack(ref position, (ulong)value);

    /// <inheritdoc cref="Pack(ref byte, bool)"/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ref byte Pack(ref byte position, TimeSpan value) => ref Pack(ref position, value.Ticks);

    /// <inheritdoc cref="Pack(ref byte, bool)"/>
    public static ref byte Pack(ref byte position, DateTime value) => ref Unsafe.Add(ref position, MessagePackBytes.WriteTimestamp(ref position, value));

    /// <inheritdoc cref="Pack(ref byte, bool)"/>
    public static ref byte Pack(ref byte position, decimal value) => ref Unsafe.Add(ref position, MessagePackBytes.Write(ref position, value));

    /// <inheritdoc cref="Pack(ref byte, bool)"/>
    public static ref byte Pack(ref byte position, Guid value) => ref Unsafe.Add(ref position, MessagePackBytes.Write(ref position, value));

    /// <summary>Writes a number of 64 bits; the room has been made.</summary>
    /// <param name="writer">The writer, which may be canonical.</param>
    /// <param name="position">Where the next byte goes.</param>
    /// <param name="value">The value.</param>
    /// <returns>The position behind it.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ref byte Pack(ref MessagePackBodyWriter writer, ref byte position, double value)
    {
        // The bits are compared, not the number: they are needed in a register of integers anyway. A NaN has more than those of infinity.
        ulong bits = (ulong)BitConverter.DoubleToInt64Bits(value);
        if (bits << 1 > 0xFFE0_0000_0000_0000)
            bits = writer.NormalizeNaN(bits);
        position = MessagePackCode.Float64;
        BigEndian.Write(ref Unsafe.Add(ref position, 1), bits);
        return ref Unsafe.Add(ref position, 9);
    }

    /// <inheritdoc cref="Pack(ref MessagePackBodyWriter, ref byte, double)"/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ref byte Pack(ref MessagePackBodyWriter writer, ref byte position, float value)
    {
        if (float.IsNaN(value))
            value = writer.Normalize(value);
        return ref Unsafe.Add(ref position, MessagePackBytes.Write(ref position, value));
    }

    /// <inheritdoc cref="Pack(ref MessagePackBodyWriter, ref byte, double)"/>
    /// <exception cref="MessageFormatException">Deeper than the limits allow.</exception>
    public static ref byte Pack(ref MessagePackBodyWriter writer, ref byte position, DateTimeOffset value)
    {
        writer.Enter();
        position = (byte)(MessagePackCode.FixArray | 2);
        position = ref Pack(ref Unsafe.Add(ref position, 1), new DateTime(value.Ticks, DateTimeKind.Utc));
        position = ref Pack(ref position, value.Offset.Ticks / TimeSpan.TicksPerMinute);
        writer.Leave();
        return ref position;
    }

#if NET
    /// <inheritdoc cref="Pack(ref MessagePackBodyWriter, ref byte, double)"/>
    public static ref byte Pack(ref MessagePackBodyWriter writer, ref byte position, Half value) => ref Pack(ref writer, ref position, (float)value);

    /// <inheritdoc cref="Pack(ref byte, bool)"/>
    public static ref byte Pack(ref byte position, DateOnly value) => ref Pack(ref position, value.DayNumber);

    /// <inheritdoc cref="Pack(ref byte, bool)"/>
    public static ref byte Pack(ref byte position, TimeOnly value) => ref Pack(ref position, value.Ticks);

    /// <inheritdoc cref="Pack(ref byte, bool)"/>
    public static ref byte Pack(ref byte position, Int128 value) => ref Pack(ref position, (UInt128)value);

    /// <inheritdoc cref="Pack(ref byte, bool)"/>
    public static ref byte Pack(ref byte position, UInt128 value) => ref Unsafe.Add(ref position, MessagePackBytes.Write(ref position, value));
#endif

    /// <summary>Writes a text, and makes room for it and for what is behind it.</summary>
    /// <param name="writer">The writer.</param>
    /// <param name="position">Where the next byte goes.</param>
    /// <param name="value">The text; null is an error.</param>
    /// <param name="roomBehind">The most bytes of the members behind it, up to the next one of no greatest size.</param>
    /// <returns>The position behind the text.</returns>
    /// <exception cref="MessageFormatException">A null, or text that is refused.</exception>
    /// <remarks>Not inlined, for records of many texts.</remarks>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public static ref byte PackText(ref MessagePackBodyWriter writer, ref byte position, string value, int roomBehind) =>
        ref PackTextInline(ref writer, ref position, value, roomBehind);

    /// <inheritdoc cref="PackText"/>
    /// <remarks>Inlined: each copy learns the length of its own member.</remarks>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ref byte PackTextInline(ref MessagePackBodyWriter writer, ref byte position, string value, int roomBehind)
    {
        if (value is null)
            ContractMethods.ThrowUnexpectedNull();
#if NET
        if (writer.RoomAt(ref position) >= Utf8Text.MaxShortAsciiByteCount + roomBehind)
        {
            nuint n = (uint)value.Length;
            if (n - 8 <= 8)
            {
                if (Utf8Text.TryWrite8To16(ref position, value, n, MessagePackCode.FixStr))
                    return ref Unsafe.Add(ref position, n + 1);
            }
            else if (n - 17 <= MessagePackCode.MaxFixStr - 17 && Utf8Text.TryWrite17To32(ref position, value, n, MessagePackCode.FixStr))
            {
                return ref Unsafe.Add(ref position, n + 1);
            }
        }
#endif
        return ref writer.WriteTextAt(ref position, value, roomBehind);
    }

    /// <summary>Writes bytes, and makes room for what is behind them.</summary>
    /// <param name="writer">The writer.</param>
    /// <param name="position">Where the next byte goes.</param>
    /// <param name="value">The bytes; null is an error.</param>
    /// <returns>The position behind the bytes.</returns>
    /// <exception cref="MessageFormatException">A null.</exception>
    public static ref byte PackBytes(ref MessagePackBodyWriter writer, ref byte position, byte[] value)
    {
        if (value is null)
            ContractMethods.ThrowUnexpectedNull();
        return ref PackKnown(ref writer, ref position, (ReadOnlyMemory<byte>)value);
    }

    /// <inheritdoc cref="PackBytes"/>
    public static ref byte PackKnown(ref MessagePackBodyWriter writer, ref byte position, ReadOnlyMemory<byte> value)
    {
        writer.End(ref position);
        writer.WriteBytes(value.Span);
        return ref writer.Begin();
    }

    /// <summary>An integer of 2 to 5 bytes.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static ref byte PackLarge(ref byte position, int value) =>
        ref Unsafe.Add(ref position, (nint)(uint)MessagePackBytes.Write(ref position, (long)value));
}
