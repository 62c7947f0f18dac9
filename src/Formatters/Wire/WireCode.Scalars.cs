using System;
using System.Runtime.CompilerServices;
using Formatters.Custom;

namespace Formatters.Generated;

// The scalars: a row each, for all formats. Several are represented as another value of the formats: an integer, a number of days.
public static partial class WireCode
{
    /// <summary>The maximum encoded size, in any format, of a value written without its own bounds check.</summary>
    internal const int MaxValueByteCount = 48;

    /// <summary>
    /// Writes a value at a position; the caller has reserved the bytes, except for strings, bytes and integers of any size. Smaller integers are
    /// written as an <see cref="int"/> or a <see cref="long"/>.
    /// </summary>
    /// <typeparam name="TFormat">The format.</typeparam>
    /// <param name="writer">The writer.</param>
    /// <param name="position">The position of the next byte.</param>
    /// <param name="value">The value.</param>
    /// <returns>The position after it.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ref byte Write<TFormat>(ref WireWriter writer, ref byte position, bool value)
        where TFormat : struct, IWireFormat => ref default(TFormat).Write(ref writer, ref position, value);

    /// <summary>Reads a value.</summary>
    /// <typeparam name="TFormat">The format.</typeparam>
    /// <param name="reader">The reader.</param>
    /// <returns>The value.</returns>
    /// <exception cref="MessageFormatException">Another value is next, or the body ends before its end.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static bool ReadBoolean<TFormat>(ref WireReader reader)
        where TFormat : struct, IWireFormat => default(TFormat).ReadBoolean(ref reader);

    /// <inheritdoc cref="Write{TFormat}(ref WireWriter, ref byte, bool)"/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ref byte Write<TFormat>(ref WireWriter writer, ref byte position, int value)
        where TFormat : struct, IWireFormat => ref default(TFormat).Write(ref writer, ref position, value);

    /// <inheritdoc cref="Write{TFormat}(ref WireWriter, ref byte, bool)"/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ref byte Write<TFormat>(ref WireWriter writer, ref byte position, long value)
        where TFormat : struct, IWireFormat => ref default(TFormat).Write(ref writer, ref position, value);

    /// <inheritdoc cref="Write{TFormat}(ref WireWriter, ref byte, bool)"/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ref byte Write<TFormat>(ref WireWriter writer, ref byte position, ulong value)
        where TFormat : struct, IWireFormat => ref default(TFormat).Write(ref writer, ref position, value);

    /// <inheritdoc cref="Write{TFormat}(ref WireWriter, ref byte, bool)"/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ref byte Write<TFormat>(ref WireWriter writer, ref byte position, float value)
        where TFormat : struct, IWireFormat => ref default(TFormat).Write(ref writer, ref position, value);

    /// <inheritdoc cref="Write{TFormat}(ref WireWriter, ref byte, bool)"/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ref byte Write<TFormat>(ref WireWriter writer, ref byte position, double value)
        where TFormat : struct, IWireFormat => ref default(TFormat).Write(ref writer, ref position, value);

    /// <inheritdoc cref="Write{TFormat}(ref WireWriter, ref byte, bool)"/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ref byte Write<TFormat>(ref WireWriter writer, ref byte position, decimal value)
        where TFormat : struct, IWireFormat => ref default(TFormat).Write(ref writer, ref position, value);

    /// <inheritdoc cref="Write{TFormat}(ref WireWriter, ref byte, bool)"/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ref byte Write<TFormat>(ref WireWriter writer, ref byte position, DateTime value)
        where TFormat : struct, IWireFormat => ref default(TFormat).Write(ref writer, ref position, value);

    /// <inheritdoc cref="Write{TFormat}(ref WireWriter, ref byte, bool)"/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ref byte Write<TFormat>(ref WireWriter writer, ref byte position, DateTimeOffset value)
        where TFormat : struct, IWireFormat => ref default(TFormat).Write(ref writer, ref position, value);

    /// <inheritdoc cref="Write{TFormat}(ref WireWriter, ref byte, bool)"/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ref byte Write<TFormat>(ref WireWriter writer, ref byte position, Guid value)
        where TFormat : struct, IWireFormat => ref default(TFormat).Write(ref writer, ref position, value);

    /// <inheritdoc cref="Write{TFormat}(ref WireWriter, ref byte, bool)"/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static ref byte Write<TFormat>(ref WireWriter writer, ref byte position, TimeSpan value)
        where TFormat : struct, IWireFormat => ref default(TFormat).Write(ref writer, ref position, value.Ticks);

    /// <inheritdoc cref="ReadBoolean"/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static byte ReadByte<TFormat>(ref WireReader reader)
        where TFormat : struct, IWireFormat => (byte)default(TFormat).ReadInteger(ref reader, byte.MinValue, byte.MaxValue, nameof(Byte));

    /// <inheritdoc cref="ReadBoolean"/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static sbyte ReadSByte<TFormat>(ref WireReader reader)
        where TFormat : struct, IWireFormat => (sbyte)default(TFormat).ReadInteger(ref reader, sbyte.MinValue, sbyte.MaxValue, nameof(SByte));

    /// <inheritdoc cref="ReadBoolean"/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static short ReadInt16<TFormat>(ref WireReader reader)
        where TFormat : struct, IWireFormat => (short)default(TFormat).ReadInteger(ref reader, short.MinValue, short.MaxValue, nameof(Int16));

    /// <inheritdoc cref="ReadBoolean"/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ushort ReadUInt16<TFormat>(ref WireReader reader)
        where TFormat : struct, IWireFormat => (ushort)default(TFormat).ReadInteger(ref reader, ushort.MinValue, ushort.MaxValue, nameof(UInt16));

    /// <inheritdoc cref="ReadBoolean"/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static int ReadInt32<TFormat>(ref WireReader reader)
        where TFormat : struct, IWireFormat => (int)default(TFormat).ReadInteger(ref reader, int.MinValue, int.MaxValue, nameof(Int32));

    /// <inheritdoc cref="ReadBoolean"/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static uint ReadUInt32<TFormat>(ref WireReader reader)
        where TFormat : struct, IWireFormat => (uint)default(TFormat).ReadInteger(ref reader, uint.MinValue, uint.MaxValue, nameof(UInt32));

    /// <inheritdoc cref="ReadBoolean"/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static char ReadChar<TFormat>(ref WireReader reader)
        where TFormat : struct, IWireFormat => (char)default(TFormat).ReadInteger(ref reader, char.MinValue, char.MaxValue, nameof(Char));

    /// <inheritdoc cref="ReadBoolean"/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static long ReadInt64<TFormat>(ref WireReader reader)
        where TFormat : struct, IWireFormat => default(TFormat).ReadInteger(ref reader, long.MinValue, long.MaxValue, nameof(Int64));

    /// <inheritdoc cref="ReadBoolean"/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ulong ReadUInt64<TFormat>(ref WireReader reader)
        where TFormat : struct, IWireFormat => default(TFormat).ReadUInt64(ref reader);

    /// <inheritdoc cref="ReadBoolean"/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static float ReadSingle<TFormat>(ref WireReader reader)
        where TFormat : struct, IWireFormat => default(TFormat).ReadSingle(ref reader);

    /// <inheritdoc cref="ReadBoolean"/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static double ReadDouble<TFormat>(ref WireReader reader)
        where TFormat : struct, IWireFormat => default(TFormat).ReadDouble(ref reader);

    /// <inheritdoc cref="ReadBoolean"/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static decimal ReadDecimal<TFormat>(ref WireReader reader)
        where TFormat : struct, IWireFormat
    {
        default(TFormat).ReadDecimal(ref reader, out decimal value);
        return value;
    }

    /// <inheritdoc cref="ReadBoolean"/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static DateTime ReadDateTime<TFormat>(ref WireReader reader)
        where TFormat : struct, IWireFormat => default(TFormat).ReadDateTime(ref reader);

    /// <inheritdoc cref="ReadBoolean"/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static DateTimeOffset ReadDateTimeOffset<TFormat>(ref WireReader reader)
        where TFormat : struct, IWireFormat => default(TFormat).ReadDateTimeOffset(ref reader);

    /// <inheritdoc cref="ReadBoolean"/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static Guid ReadGuid<TFormat>(ref WireReader reader)
        where TFormat : struct, IWireFormat
    {
        default(TFormat).ReadGuid(ref reader, out Guid value);
        return value;
    }

    /// <inheritdoc cref="ReadBoolean"/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static TimeSpan ReadTimeSpan<TFormat>(ref WireReader reader)
        where TFormat : struct, IWireFormat => new TimeSpan(default(TFormat).ReadInteger(ref reader, long.MinValue, long.MaxValue, nameof(TimeSpan)));

    /// <inheritdoc cref="Write{TFormat}(ref WireWriter, ref byte, bool)"/>
    public static ref byte Write<TFormat>(ref WireWriter writer, ref byte position, byte[] value)
        where TFormat : struct, IWireFormat
    {
        if (value is null)
            ContractMethods.ThrowUnexpectedNull();
        return ref default(TFormat).WriteBytes(ref writer, ref position, value);
    }

    /// <inheritdoc cref="Write{TFormat}(ref WireWriter, ref byte, bool)"/>
    public static ref byte Write<TFormat>(ref WireWriter writer, ref byte position, ReadOnlyMemory<byte> value)
        where TFormat : struct, IWireFormat => ref default(TFormat).WriteBytes(ref writer, ref position, value.Span);

    /// <inheritdoc cref="Write{TFormat}(ref WireWriter, ref byte, bool)"/>
    internal static ref byte Write<TFormat>(ref WireWriter writer, ref byte position, Memory<byte> value)
        where TFormat : struct, IWireFormat => ref default(TFormat).WriteBytes(ref writer, ref position, value.Span);

    /// <inheritdoc cref="Write{TFormat}(ref WireWriter, ref byte, bool)"/>
    internal static ref byte Write<TFormat>(ref WireWriter writer, ref byte position, ArraySegment<byte> value)
        where TFormat : struct, IWireFormat => ref default(TFormat).WriteBytes(ref writer, ref position, value);

    /// <summary>Reads bytes into an array.</summary>
    /// <typeparam name="TFormat">The format.</typeparam>
    /// <param name="reader">The reader.</param>
    /// <param name="existing">An array to fill if it has the right length; null for none.</param>
    /// <returns><paramref name="existing"/> or a new array.</returns>
    /// <exception cref="MessageFormatException">Another value is next, or the body ends before its end.</exception>
    public static byte[] ReadBytes<TFormat>(ref WireReader reader, byte[]? existing)
        where TFormat : struct, IWireFormat
    {
        ReadOnlySpan<byte> bytes = default(TFormat).ReadBytes(ref reader);
        if (existing is null || existing.Length != bytes.Length)
            return bytes.ToArray();
        bytes.CopyTo(existing);
        return existing;
    }

    /// <inheritdoc cref="ReadBoolean"/>
    internal static ReadOnlyMemory<byte> ReadReadOnlyMemory<TFormat>(ref WireReader reader)
        where TFormat : struct, IWireFormat => default(TFormat).ReadBytes(ref reader).ToArray();

    /// <inheritdoc cref="ReadBoolean"/>
    internal static Memory<byte> ReadMemory<TFormat>(ref WireReader reader)
        where TFormat : struct, IWireFormat => default(TFormat).ReadBytes(ref reader).ToArray();

    /// <inheritdoc cref="ReadBoolean"/>
    internal static ArraySegment<byte> ReadArraySegment<TFormat>(ref WireReader reader)
        where TFormat : struct, IWireFormat => new(default(TFormat).ReadBytes(ref reader).ToArray());

#if NET
    /// <inheritdoc cref="Write{TFormat}(ref WireWriter, ref byte, bool)"/>
    public static ref byte Write<TFormat>(ref WireWriter writer, ref byte position, Half value)
        where TFormat : struct, IWireFormat => ref default(TFormat).Write(ref writer, ref position, (float)value);

    /// <inheritdoc cref="ReadBoolean"/>
    public static Half ReadHalf<TFormat>(ref WireReader reader)
        where TFormat : struct, IWireFormat
    {
        int byteOffset = reader.ByteOffset;
        bool isRounded = default(TFormat).RoundsFloat(in reader);
        float wide = default(TFormat).ReadSingle(ref reader);
        var value = (Half)wide;
        if (isRounded ? Half.IsInfinity(value) && !float.IsInfinity(wide) : (float)value != wide && !float.IsNaN(wide))
            ThrowHelper.ThrowBadValue(byteOffset, nameof(Half));
        return value;
    }

    /// <inheritdoc cref="Write{TFormat}(ref WireWriter, ref byte, bool)"/>
    public static ref byte Write<TFormat>(ref WireWriter writer, ref byte position, DateOnly value)
        where TFormat : struct, IWireFormat => ref default(TFormat).WriteDate(ref writer, ref position, value.DayNumber);

    /// <inheritdoc cref="ReadBoolean"/>
    public static DateOnly ReadDateOnly<TFormat>(ref WireReader reader)
        where TFormat : struct, IWireFormat
    {
        int byteOffset = reader.ByteOffset;
        long dayNumber = default(TFormat).ReadDate(ref reader);
        if (dayNumber < 0 || dayNumber > DateOnly.MaxValue.DayNumber)
            ThrowHelper.ThrowBadValue(byteOffset, nameof(DateOnly));
        return DateOnly.FromDayNumber((int)dayNumber);
    }

    /// <inheritdoc cref="Write{TFormat}(ref WireWriter, ref byte, bool)"/>
    internal static ref byte Write<TFormat>(ref WireWriter writer, ref byte position, TimeOnly value)
        where TFormat : struct, IWireFormat => ref default(TFormat).Write(ref writer, ref position, value.Ticks);

    /// <inheritdoc cref="ReadBoolean"/>
    public static TimeOnly ReadTimeOnly<TFormat>(ref WireReader reader)
        where TFormat : struct, IWireFormat => new(default(TFormat).ReadInteger(ref reader, 0, TimeOnly.MaxValue.Ticks, nameof(TimeOnly)));

    /// <inheritdoc cref="Write{TFormat}(ref WireWriter, ref byte, bool)"/>
    public static ref byte Write<TFormat>(ref WireWriter writer, ref byte position, Int128 value)
        where TFormat : struct, IWireFormat => ref default(TFormat).WriteWide(
            ref writer, ref position, (ulong)(value >> 64), (ulong)value, isSigned: true);

    /// <inheritdoc cref="ReadBoolean"/>
    public static Int128 ReadInt128<TFormat>(ref WireReader reader)
        where TFormat : struct, IWireFormat
    {
        default(TFormat).ReadWide(ref reader, isSigned: true, out ulong high, out ulong low);
        return new Int128(high, low);
    }

    /// <inheritdoc cref="Write{TFormat}(ref WireWriter, ref byte, bool)"/>
    public static ref byte Write<TFormat>(ref WireWriter writer, ref byte position, UInt128 value)
        where TFormat : struct, IWireFormat => ref default(TFormat).WriteWide(
            ref writer, ref position, (ulong)(value >> 64), (ulong)value, isSigned: false);

    /// <inheritdoc cref="ReadBoolean"/>
    public static UInt128 ReadUInt128<TFormat>(ref WireReader reader)
        where TFormat : struct, IWireFormat
    {
        default(TFormat).ReadWide(ref reader, isSigned: false, out ulong high, out ulong low);
        return new UInt128(high, low);
    }
#endif
}
