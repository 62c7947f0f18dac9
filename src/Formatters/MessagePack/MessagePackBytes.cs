// https://github.com/msgpack/msgpack/blob/master/spec.md
using System;
using System.Runtime.CompilerServices;

namespace Formatters;

/// <summary>Writes values at a position with reserved space, always in the shortest form. Each method returns the number of bytes written.</summary>
internal static class MessagePackBytes
{
    internal const int MaxIntegerByteCount = 9;
    internal const int MaxHeaderByteCount = 6;
    internal const int MaxTimestampByteCount = 15;

    internal const int MaxDecimalValueByteCount = 1 + Decimals.MaxTextByteCount;
    internal const int GuidValueByteCount = 2 + GuidText.ByteCount;

    private const long UnixEpochSeconds = 62_135_596_800;
    private const long MaxSeconds = 315_537_897_599;
    private const int NanosecondsPerTick = 100;

    /// <summary>Gets the NaN of the canonical form, 7FC00000.</summary>
    internal static float CanonicalSingleNaN
    {
        get
        {
            uint bits = 0x7FC0_0000;
            return Unsafe.As<uint, float>(ref bits);
        }
    }

    /// <summary>Gets the NaN of the canonical form, 7FF8000000000000.</summary>
    internal static double CanonicalDoubleNaN => BitConverter.Int64BitsToDouble(0x7FF8_0000_0000_0000);

    /// <summary>Determines whether an integer fits into its format byte.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static bool IsFixInt(long value) => (ulong)(value - MessagePackCode.MinFixInt) <= MessagePackCode.MaxFixInt - MessagePackCode.MinFixInt;

    /// <inheritdoc cref="IsFixInt(long)"/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static bool IsFixInt(ulong value) => value <= MessagePackCode.MaxFixInt;

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static int Write(ref byte p, long value)
    {
        if (!IsFixInt(value))
            return value >= 0 ? WriteLarge(ref p, (ulong)value) : WriteNegative(ref p, value);
        p = (byte)value;
        return 1;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static int Write(ref byte p, ulong value)
    {
        if (!IsFixInt(value))
            return WriteLarge(ref p, value);
        p = (byte)value;
        return 1;
    }

    internal static int GetByteCount(long value) =>
        value >= 0
        ? GetByteCount((ulong)value)
        : value >= MessagePackCode.MinFixInt ? 1 : value >= sbyte.MinValue ? 2 : value >= short.MinValue ? 3 : value >= int.MinValue ? 5 : 9;

    internal static int GetByteCount(ulong value) =>
        value <= MessagePackCode.MaxFixInt ? 1 : value <= byte.MaxValue ? 2 : value <= ushort.MaxValue ? 3 : value <= uint.MaxValue ? 5 : 9;

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static int Write(ref byte p, float value)
    {
        p = MessagePackCode.Float32;
        BigEndian.Write(ref Unsafe.Add(ref p, 1), Unsafe.As<float, uint>(ref value));
        return 5;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static int Write(ref byte p, double value)
    {
        p = MessagePackCode.Float64;
        BigEndian.Write(ref Unsafe.Add(ref p, 1), (ulong)BitConverter.DoubleToInt64Bits(value));
        return 9;
    }

    /// <summary>Writes the digits as an invariant string, with their scale.</summary>
    internal static int Write(ref byte p, decimal value)
    {
        int byteCount = Decimals.Format(ref Unsafe.Add(ref p, 1), value);
        p = (byte)(MessagePackCode.FixStr | byteCount);
        return 1 + byteCount;
    }

    /// <summary>Writes 36 characters, lower case, with hyphens.</summary>
    internal static int Write(ref byte p, Guid value)
    {
        int header = WriteStringHeader(ref p, GuidText.ByteCount);
        GuidText.Format(ref Unsafe.Add(ref p, header), value);
        return header + GuidText.ByteCount;
    }

#if NET
    /// <summary>Writes 16 bytes, low byte first.</summary>
    internal static int Write(ref byte p, UInt128 value)
    {
        WriteBinaryHeader(ref p, 16);
        LittleEndian.Write(ref Unsafe.Add(ref p, 2), (long)(ulong)value);
        LittleEndian.Write(ref Unsafe.Add(ref p, 10), (long)(ulong)(value >> 64));
        return 18;
    }
#endif

    internal static int WriteArrayHeader(ref byte p, int elementCount) =>
        WriteCount(ref p, elementCount, MessagePackCode.FixArray, MessagePackCode.Array16);

    internal static int WriteMapHeader(ref byte p, int entryCount) => WriteCount(ref p, entryCount, MessagePackCode.FixMap, MessagePackCode.Map16);

    internal static int GetCountByteCount(int count) => count <= MessagePackCode.MaxFixCount ? 1 : count <= ushort.MaxValue ? 3 : 5;

    internal static int WriteStringHeader(ref byte p, int byteCount)
    {
        if (byteCount > MessagePackCode.MaxFixStr)
            return WriteByteCount(ref p, byteCount, MessagePackCode.Str8);
        p = (byte)(MessagePackCode.FixStr | byteCount);
        return 1;
    }

    internal static int GetStringHeaderByteCount(int byteCount) => byteCount <= MessagePackCode.MaxFixStr ? 1 : GetBinaryHeaderByteCount(byteCount);

    internal static int WriteBinaryHeader(ref byte p, int byteCount) => WriteByteCount(ref p, byteCount, MessagePackCode.Bin8);

    internal static int GetBinaryHeaderByteCount(int byteCount) => byteCount <= byte.MaxValue ? 2 : byteCount <= ushort.MaxValue ? 3 : 5;

    internal static int WriteExtensionHeader(ref byte p, sbyte typeCode, int byteCount)
    {
        int headerByteCount = GetExtensionHeaderByteCount(byteCount);
        if (headerByteCount == 2)
            p = (byte)(MessagePackCode.FixExt1 + (byteCount < 4 ? byteCount - 1 : byteCount == 4 ? 2 : byteCount == 8 ? 3 : 4));
        else
            WriteByteCount(ref p, byteCount, MessagePackCode.Ext8);
        Unsafe.Add(ref p, headerByteCount - 1) = (byte)typeCode;
        return headerByteCount;
    }

    internal static int GetExtensionHeaderByteCount(int byteCount) =>
        byteCount is 1 or 2 or 4 or 8 or 16 ? 2 : GetBinaryHeaderByteCount(byteCount) + 1;

    /// <summary>Writes a timestamp in the shortest form: 32 bits of seconds; 30 bits of nanoseconds and 34 of seconds; or 32 and 64.</summary>
    internal static int WriteTimestamp(ref byte p, DateTime value)
    {
        Split(value, out long seconds, out uint nanoseconds);
        int byteCount = GetTimestampByteCount(seconds, nanoseconds);
        if (byteCount == 15)
        {
            int header = WriteExtensionHeader(ref p, MessagePackCode.Timestamp, 12);
            BigEndian.Write(ref Unsafe.Add(ref p, header), nanoseconds);
            BigEndian.Write(ref Unsafe.Add(ref p, header + 4), (ulong)seconds);
        }
        else if (byteCount == 10)
        {
            WriteExtensionHeader(ref p, MessagePackCode.Timestamp, 8);
            BigEndian.Write(ref Unsafe.Add(ref p, 2), ((ulong)nanoseconds << 34) | (ulong)seconds);
        }
        else
        {
            WriteExtensionHeader(ref p, MessagePackCode.Timestamp, 4);
            BigEndian.Write(ref Unsafe.Add(ref p, 2), (uint)seconds);
        }

        return byteCount;
    }

    internal static int GetTimestampByteCount(DateTime value)
    {
        Split(value, out long seconds, out uint nanoseconds);
        return GetTimestampByteCount(seconds, nanoseconds);
    }

    /// <summary>Reads the content of a timestamp of 4, 8 or 12 bytes.</summary>
    /// <returns>False if it is not a date of the years 1 to 9999.</returns>
    internal static bool TryReadTimestamp(ref byte p, int byteCount, out DateTime value)
    {
        long seconds;
        uint nanoseconds = 0;
        if (byteCount == 4)
        {
            seconds = BigEndian.ReadUInt32(ref p);
        }
        else if (byteCount == 8)
        {
            ulong both = BigEndian.ReadUInt64(ref p);
            nanoseconds = (uint)(both >> 34);
            seconds = (long)(both & 0x3_FFFF_FFFF);
        }
        else
        {
            nanoseconds = BigEndian.ReadUInt32(ref p);
            seconds = (long)BigEndian.ReadUInt64(ref Unsafe.Add(ref p, 4));
        }

        long secondsOfEra = unchecked(seconds + UnixEpochSeconds);
        if ((ulong)secondsOfEra > MaxSeconds || nanoseconds > 999_999_999)
        {
            value = default;
            return false;
        }

        value = new DateTime((secondsOfEra * TimeSpan.TicksPerSecond) + (nanoseconds / NanosecondsPerTick), DateTimeKind.Utc);
        return true;
    }

    private static void Split(DateTime value, out long seconds, out uint nanoseconds)
    {
        if (value.Kind == DateTimeKind.Local)
            value = value.ToUniversalTime();
        long secondsOfEra = value.Ticks / TimeSpan.TicksPerSecond;
        seconds = secondsOfEra - UnixEpochSeconds;
        nanoseconds = (uint)((value.Ticks - (secondsOfEra * TimeSpan.TicksPerSecond)) * NanosecondsPerTick);
    }

    private static int GetTimestampByteCount(long seconds, uint nanoseconds) =>
        (ulong)seconds >> 34 != 0 ? 15 : nanoseconds != 0 || seconds > uint.MaxValue ? 10 : 6;

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static int WriteLarge(ref byte p, ulong value)
    {
        if (value <= ushort.MaxValue)
        {
            if (value > byte.MaxValue)
            {
                p = MessagePackCode.UInt16;
                BigEndian.Write(ref Unsafe.Add(ref p, 1), (ushort)value);
                return 3;
            }

            p = MessagePackCode.UInt8;
            Unsafe.Add(ref p, 1) = (byte)value;
            return 2;
        }

        if (value <= uint.MaxValue)
        {
            p = MessagePackCode.UInt32;
            BigEndian.Write(ref Unsafe.Add(ref p, 1), (uint)value);
            return 5;
        }

        p = MessagePackCode.UInt64;
        BigEndian.Write(ref Unsafe.Add(ref p, 1), value);
        return 9;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static int WriteNegative(ref byte p, long value)
    {
        if (value >= short.MinValue)
        {
            if (value < sbyte.MinValue)
            {
                p = MessagePackCode.Int16;
                BigEndian.Write(ref Unsafe.Add(ref p, 1), (ushort)value);
                return 3;
            }

            p = MessagePackCode.Int8;
            Unsafe.Add(ref p, 1) = (byte)value;
            return 2;
        }

        if (value >= int.MinValue)
        {
            p = MessagePackCode.Int32;
            BigEndian.Write(ref Unsafe.Add(ref p, 1), (uint)value);
            return 5;
        }

        p = MessagePackCode.Int64;
        BigEndian.Write(ref Unsafe.Add(ref p, 1), (ulong)value);
        return 9;
    }

    /// <summary>Writes a count of 4 bits in the code, or of 16 or 32 bits after it.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static int WriteCount(ref byte p, int count, byte fixCode, byte code16)
    {
        if (count <= MessagePackCode.MaxFixCount)
        {
            p = (byte)(fixCode | count);
            return 1;
        }

        if (count <= ushort.MaxValue)
        {
            p = code16;
            BigEndian.Write(ref Unsafe.Add(ref p, 1), (ushort)count);
            return 3;
        }

        p = (byte)(code16 + 1);
        BigEndian.Write(ref Unsafe.Add(ref p, 1), (uint)count);
        return 5;
    }

    /// <summary>Writes a count of 8, 16 or 32 bits, with three consecutive codes.</summary>
    private static int WriteByteCount(ref byte p, int byteCount, byte code8)
    {
        if (byteCount <= byte.MaxValue)
        {
            p = code8;
            Unsafe.Add(ref p, 1) = (byte)byteCount;
            return 2;
        }

        if (byteCount <= ushort.MaxValue)
        {
            p = (byte)(code8 + 1);
            BigEndian.Write(ref Unsafe.Add(ref p, 1), (ushort)byteCount);
            return 3;
        }

        p = (byte)(code8 + 2);
        BigEndian.Write(ref Unsafe.Add(ref p, 1), (uint)byteCount);
        return 5;
    }
}
