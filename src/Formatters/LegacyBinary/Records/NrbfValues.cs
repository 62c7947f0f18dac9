// [MS-NRBF] 2.1.1: common data types. Numbers, strings and characters are those of System.IO.BinaryWriter; a decimal is a string; a date stores its
// kind in two bits.
using System;
using System.Globalization;
using System.Runtime.CompilerServices;
using Formatters.Binary;

namespace Formatters;

/// <summary>Reads and writes values in a member or an array without a record around them.</summary>
internal static class NrbfValues
{
    private const long TicksMask = 0x3FFF_FFFF_FFFF_FFFF;
    private const NumberStyles DecimalStyle = NumberStyles.AllowLeadingSign | NumberStyles.AllowDecimalPoint;

    /// <summary>Reads a value. The type tests are constants for the JIT: one branch remains.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static T Read<T>(ref BinaryBodyReader reader)
    {
        if (typeof(T) == typeof(int))
            return As<int, T>(reader.ReadInt32());
        if (typeof(T) == typeof(double))
            return As<double, T>(reader.ReadDouble());
        if (typeof(T) == typeof(bool))
            return As<bool, T>(reader.ReadBoolean());
        if (typeof(T) == typeof(byte))
            return As<byte, T>(reader.ReadByte());
        if (typeof(T) == typeof(sbyte))
            return As<sbyte, T>(reader.ReadSByte());
        if (typeof(T) == typeof(short))
            return As<short, T>(reader.ReadInt16());
        if (typeof(T) == typeof(ushort))
            return As<ushort, T>(reader.ReadUInt16());
        if (typeof(T) == typeof(uint))
            return As<uint, T>(reader.ReadUInt32());
        if (typeof(T) == typeof(long))
            return As<long, T>(reader.ReadInt64());
        if (typeof(T) == typeof(ulong))
            return As<ulong, T>(reader.ReadUInt64());
        if (typeof(T) == typeof(float))
            return As<float, T>(reader.ReadSingle());
        if (typeof(T) == typeof(char))
            return As<char, T>(reader.ReadChar());
        if (typeof(T) == typeof(TimeSpan))
            return As<TimeSpan, T>(reader.ReadTimeSpan());
        if (typeof(T) == typeof(DateTime))
            return As<DateTime, T>(ReadDateTime(ref reader));
        if (typeof(T) == typeof(decimal))
            return As<decimal, T>(ReadDecimal(ref reader));
        throw new NotSupportedException();
    }

    /// <summary>Writes a value.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static void Write<T>(ref BinaryBodyWriter writer, T value)
    {
        if (typeof(T) == typeof(int))
            writer.Write(As<T, int>(value));
        else if (typeof(T) == typeof(double))
            writer.Write(As<T, double>(value));
        else if (typeof(T) == typeof(bool))
            writer.Write(As<T, bool>(value));
        else if (typeof(T) == typeof(byte))
            writer.Write(As<T, byte>(value));
        else if (typeof(T) == typeof(sbyte))
            writer.Write(As<T, sbyte>(value));
        else if (typeof(T) == typeof(short))
            writer.Write(As<T, short>(value));
        else if (typeof(T) == typeof(ushort))
            writer.Write(As<T, ushort>(value));
        else if (typeof(T) == typeof(uint))
            writer.Write(As<T, uint>(value));
        else if (typeof(T) == typeof(long))
            writer.Write(As<T, long>(value));
        else if (typeof(T) == typeof(ulong))
            writer.Write(As<T, ulong>(value));
        else if (typeof(T) == typeof(float))
            writer.Write(As<T, float>(value));
        else if (typeof(T) == typeof(char))
            WriteChar(ref writer, As<T, char>(value));
        else if (typeof(T) == typeof(TimeSpan))
            writer.Write(As<T, TimeSpan>(value));
        else if (typeof(T) == typeof(DateTime))
            writer.Write(As<T, long>(value)); // a date is its 64 bits: ticks, and the kind in the upper two
        else if (typeof(T) == typeof(decimal))
            WriteDecimal(ref writer, As<T, decimal>(value));
        else
            throw new NotSupportedException();
    }

    /// <summary>
    /// Converts 64 bits to a date. <see cref="DateTime.FromBinary"/> would convert a local time; the bits contain the sender's local time unchanged.
    /// </summary>
    /// <returns><see langword="false"/> if the ticks are out of range.</returns>
    internal static bool TryGetDateTime(long bits, out DateTime value)
    {
        bool isInRange = (bits & TicksMask) <= DateTime.MaxValue.Ticks;
        value = isInRange ? As<long, DateTime>(bits) : default;
        return isInRange;
    }

    /// <summary>Returns the 64 bits of a date.</summary>
    internal static long GetBits(DateTime value) => As<DateTime, long>(value);

    private static DateTime ReadDateTime(ref BinaryBodyReader reader)
    {
        int offset = reader.ByteOffset;
        if (!TryGetDateTime(reader.ReadInt64(), out DateTime value))
            ThrowHelper.ThrowBadValue(offset, nameof(DateTime));
        return value;
    }

    private static decimal ReadDecimal(ref BinaryBodyReader reader)
    {
        int offset = reader.ByteOffset;
        if (!decimal.TryParse(reader.ReadString(), DecimalStyle, CultureInfo.InvariantCulture, out decimal value))
            ThrowHelper.ThrowBadValue(offset, nameof(Decimal));
        return value;
    }

    // The base library prints a negative zero without its sign, and reads it with one.
    private static void WriteDecimal(ref BinaryBodyWriter writer, decimal value)
    {
        string text = value.ToString(CultureInfo.InvariantCulture);
        writer.Write(value == 0 && decimal.GetBits(value)[3] < 0 ? "-" + text : text);
    }

    private static void WriteChar(ref BinaryBodyWriter writer, char value)
    {
        if (char.IsSurrogate(value))
            throw new MessageFormatException(MessageFormatErrorCode.BadText, "A surrogate is half a character and cannot be written alone.");
        writer.Write(value);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static TTo As<TFrom, TTo>(TFrom value) => Unsafe.As<TFrom, TTo>(ref value);
}
