// https://www.rfc-editor.org/rfc/rfc3339#section-5.6
using System;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Formatters;

/// <summary>Writes and reads dates as RFC 3339 text; a <see cref="DateTime"/> of an unspecified kind has no offset.</summary>
internal static class DateText
{
    /// <summary>The size that a destination must have.</summary>
    internal const int MaxByteCount = 40;

    private const int ClockByteCount = 19;
    internal const ulong Zeros = 0x3030_3030_3030_3030;

    /// <summary>Writes a date without trailing zeros of the fraction.</summary>
    /// <returns>The number of bytes.</returns>
    internal static int Format(ref byte destination, DateTime value)
    {
        int byteCount = FormatClock(ref destination, value);
        if (value.Kind == DateTimeKind.Local)
            return FormatOffset(ref destination, byteCount, TimeZoneInfo.Local.GetUtcOffset(value));
        Unsafe.Add(ref destination, byteCount) = (byte)'Z';
        return value.Kind == DateTimeKind.Utc ? byteCount + 1 : byteCount;
    }

    /// <inheritdoc cref="Format(ref byte, DateTime)"/>
    internal static int Format(ref byte destination, DateTimeOffset value) =>
        FormatOffset(ref destination, FormatClock(ref destination, value.DateTime), value.Offset);

    /// <summary>Parses a date, with any number of digits of the fraction.</summary>
    /// <param name="text">The text.</param>
    /// <param name="ticks">Receives the ticks of the clock time.</param>
    /// <param name="offsetMinutes">Receives the offset from UTC; null for <c>Z</c> and without an offset.</param>
    /// <param name="isUtc">Receives whether it ends with <c>Z</c>.</param>
    /// <returns>Whether it is a date of the years 1 to 9999.</returns>
    internal static bool TryParse(ReadOnlySpan<byte> text, out long ticks, out int? offsetMinutes, out bool isUtc)
    {
        (ticks, offsetMinutes, isUtc) = (0, null, false);
        if (text.Length < ClockByteCount)
            return false;
        ref byte start = ref MemoryMarshal.GetReference(text);
        ulong month = (ulong)LittleEndian.ReadInt64(ref start); // yyyy-MM-
        uint day = (uint)LittleEndian.ReadInt32(ref Unsafe.Add(ref start, 7)); // -ddT
        ulong time = (ulong)LittleEndian.ReadInt64(ref Unsafe.Add(ref start, 11)); // HH:mm:ss
        if ((month & 0xFF00_00FF_0000_0000) != 0x2D00_002D_0000_0000 || (day | 0x2000_0000) >> 24 != 't'
            || (time & 0x0000_FF00_00FF_0000) != 0x0000_3A00_003A_0000
            | !TryParsePairs((uint)month | ((month << 8) >> 48 << 32) | ((ulong)(day >> 8) << 48), out ulong date)
            | !TryParsePairs((ushort)time | ((time >> 24 << 48) >> 32) | (time >> 48 << 32) | (Zeros << 48), out ulong clock))
            return false;
        int year = ((int)(date & 0xFF) * 100) + (int)((date >> 16) & 0xFF);
        (int monthOfYear, int dayOfMonth) = ((int)(date >> 32) & 0xFF, (int)(date >> 48));
        (int hour, int minute, int second) = ((int)clock & 0xFF, (int)(clock >> 16) & 0xFF, (int)(clock >> 32));
        if (year < 1 || monthOfYear is < 1 or > 12 || dayOfMonth < 1 || (dayOfMonth > 28 && dayOfMonth > DateTime.DaysInMonth(year, monthOfYear))
            || hour > 23 || minute > 59 || second > 59)
            return false;
        ticks = new DateTime(year, monthOfYear, dayOfMonth).Ticks + ((((hour * 60) + minute) * 60L) + second) * TimeSpan.TicksPerSecond;
        int end = ClockByteCount;
        if (text.Length > end + 1 && text[end] == '.')
        {
            end++;
            int rest = text.Length - end;
            ulong digits = rest >= 8
                ? (ulong)LittleEndian.ReadInt64(ref Unsafe.Add(ref start, end))
                : (ulong)LittleEndian.ReadInt64(ref Unsafe.Add(ref start, text.Length - 8)) >> (8 * (8 - rest));
            ulong others = OtherThanDigits(digits);
            // The bytes before the first other one; the rest counts as zeros.
            ulong mask = ((others & (0 - others)) >> 7) - 1;
            if (mask == 0)
                return false;
            ulong pairs = Join((digits ^ Zeros) & mask, 10, 8, 0x00FF_00FF_00FF_00FF);
            ticks += (uint)Join(Join(pairs, 100, 16, 0x0000_FFFF_0000_FFFF), 10_000, 32, uint.MaxValue) / 10;
            end += LittleEndian.SizeOf(mask);
            while (others == 0 && end < text.Length && text[end] is >= (byte)'0' and <= (byte)'9')
                end++;
        }

        text = text.Slice(end);
        if (text.IsEmpty)
            return true;
        isUtc = text.Length == 1 && text[0] is (byte)'Z' or (byte)'z';
        if (isUtc)
            return true;
        if (text.Length != 6 || text[0] is not ((byte)'+' or (byte)'-') || text[3] != ':'
            || !TryParsePairs((uint)(text[1] | (text[2] << 8) | (text[4] << 16) | (text[5] << 24)) | (Zeros << 32), out ulong offset))
            return false;
        int minutes = ((int)(offset & 0xFF) * 60) + (int)(offset >> 16);
        if (offset >> 16 > 59 || minutes > 14 * 60)
            return false;
        offsetMinutes = text[0] == '-' ? -minutes : minutes;
        return true;
    }

    /// <summary>Converts a parsed date; one with an offset becomes local time.</summary>
    internal static DateTime ToDateTime(long ticks, int? offsetMinutes, bool isUtc)
    {
        if (isUtc || offsetMinutes is not int minutes)
            return new DateTime(ticks, isUtc ? DateTimeKind.Utc : DateTimeKind.Unspecified);
        // The first and last hours have no UTC: they are the clock time, as in ToLocalTime.
        long utc = ticks - (minutes * TimeSpan.TicksPerMinute);
        return utc < 0 || utc > DateTime.MaxValue.Ticks ? new DateTime(ticks, DateTimeKind.Local) : new DateTime(utc, DateTimeKind.Utc).ToLocalTime();
    }

    /// <summary>Converts a parsed date.</summary>
    /// <returns>False if it has no offset, or is out of range in UTC.</returns>
    internal static bool TryToDateTimeOffset(long ticks, int? offsetMinutes, bool isUtc, out DateTimeOffset value)
    {
        long utc = ticks - (offsetMinutes.GetValueOrDefault() * TimeSpan.TicksPerMinute);
        bool isValid = (offsetMinutes is not null || isUtc) && utc >= 0 && utc <= DateTime.MaxValue.Ticks;
        value = isValid ? new DateTimeOffset(ticks, TimeSpan.FromMinutes(offsetMinutes.GetValueOrDefault())) : default;
        return isValid;
    }

    /// <summary>Writes date and time, and the fraction without trailing zeros.</summary>
    /// <returns>The number of bytes.</returns>
    private static int FormatClock(ref byte destination, DateTime clock)
    {
        ulong ticks = (ulong)clock.Ticks;
        ulong seconds = ticks / TimeSpan.TicksPerSecond;
        uint fraction = (uint)(ticks - (seconds * TimeSpan.TicksPerSecond));
        uint day = (uint)(seconds / 86_400);
        uint second = (uint)seconds - (day * 86_400);
        uint minute = second / 60;
        ulong time = Digits((minute / 60) | ((ulong)(minute % 60) << 16) | ((ulong)(second - (minute * 60)) << 32));
        // Neri and Schneider, "Euclidean affine functions and their application to calendar algorithms": years begin in March.
        uint quarters = (day * 4) + 1227;
        uint century = quarters / 146_097;
        ulong years = 2_939_745UL * ((quarters - (century * 146_097)) | 3);
        uint dayOfYear = (uint)years / 11_758_980;
        uint months = (2141 * dayOfYear) + 197_913;
        uint isJanuaryOrFebruary = (305 - dayOfYear) >> 31;
        ulong yearOfCentury = (years >> 32) + isJanuaryOrFebruary;
        if (yearOfCentury == 100)
            (century, yearOfCentury) = (century + 1, 0);
        ulong date = Digits(century | (yearOfCentury << 16) | ((ulong)((months >> 16) - (12 * isJanuaryOrFebruary)) << 32)
            | ((ulong)(((months & 0xFFFF) / 2141) + 1) << 48));
        LittleEndian.Write(ref destination, (long)((uint)date | ((date >> 32 << 48) >> 8) | 0x2D00_002D_0000_0000));
        LittleEndian.Write(ref Unsafe.Add(ref destination, 8),
            (long)((date >> 48) | ((ulong)(ushort)time << 24) | (time >> 16 << 48) | 0x3A00_0054_0000));
        LittleEndian.Write(ref Unsafe.Add(ref destination, 16), (int)((uint)(time >> 24) & 0x00FF_FF00 | 0x2E00_003A));
        if (fraction == 0)
            return ClockByteCount;
        uint high = fraction / 1000;
        ulong halves = high | ((ulong)((fraction - (high * 1000)) * 10) << 32);
        ulong hundreds = ((halves * 10_486) >> 20) & 0x0000_007F_0000_007F;
        ulong digits = Digits(hundreds | ((halves - (hundreds * 100)) << 16));
        LittleEndian.Write(ref Unsafe.Add(ref destination, ClockByteCount + 1), (long)digits);
        return ClockByteCount + 1 + LittleEndian.SizeOf(digits ^ Zeros);
    }

    /// <summary>Writes an offset after a number of bytes.</summary>
    /// <returns>The number of bytes of both.</returns>
    private static int FormatOffset(ref byte destination, int byteCount, TimeSpan offset)
    {
        int minutes = (int)(offset.Ticks / TimeSpan.TicksPerMinute);
        uint absolute = (uint)Math.Abs(minutes);
        ulong digits = Digits((absolute / 60) | (absolute % 60 << 16));
        ulong text = (minutes < 0 ? '-' : '+') | (ulong)(ushort)digits << 8 | (ulong)':' << 24 | (digits >> 16) << 32;
        // No byte more: nothing else is reserved.
        LittleEndian.Write(ref Unsafe.Add(ref destination, byteCount), (int)text);
        LittleEndian.Write(ref Unsafe.Add(ref destination, byteCount + sizeof(int)), (short)(text >> 32));
        return byteCount + 6;
    }

    /// <summary>Converts four numbers of 16 bits, each below 100, to eight digits.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static ulong Digits(ulong numbers)
    {
        ulong tens = ((numbers * 103) >> 10) & 0x000F_000F_000F_000F;
        return (tens | ((numbers - (tens * 10)) << 8)) | Zeros;
    }

    /// <summary>Converts eight digits to four numbers of 16 bits.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static bool TryParsePairs(ulong digits, out ulong numbers)
    {
        numbers = Join(digits ^ Zeros, 10, 8, 0x00FF_00FF_00FF_00FF);
        return OtherThanDigits(digits) == 0;
    }

    /// <summary>Sets the highest bit of bytes that are not digits. A bit above the lowest one set may be wrong.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static ulong OtherThanDigits(ulong bytes) => ((bytes ^ Zeros) + 0x7676_7676_7676_7676 | bytes ^ Zeros) & 0x8080_8080_8080_8080;

    /// <summary>Joins adjacent numbers, the lower of which counts for more.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static ulong Join(ulong numbers, uint factor, int bitCount, ulong mask) => ((numbers * factor) + (numbers >> bitCount)) & mask;
}
