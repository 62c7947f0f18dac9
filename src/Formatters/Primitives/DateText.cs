// https://www.rfc-editor.org/rfc/rfc3339#section-5.6
using System;
using System.Buffers.Text;

namespace Formatters;

/// <summary>Writes and reads dates as RFC 3339 text; a <see cref="DateTime"/> of an unspecified kind has no offset.</summary>
internal static class DateText
{
    /// <summary>The size that a destination must have.</summary>
    internal const int MaxByteCount = 40;

    private const int SecondsEnd = 19;
    private const int FractionEnd = 27;

    /// <summary>Writes a date without trailing zeros of the fraction.</summary>
    /// <returns>The number of bytes.</returns>
    internal static int Format(Span<byte> destination, DateTime value)
    {
        Utf8Formatter.TryFormat(value, destination, out int byteCount, 'O');
        return Trim(destination, byteCount);
    }

    /// <inheritdoc cref="Format(Span{byte}, DateTime)"/>
    internal static int Format(Span<byte> destination, DateTimeOffset value)
    {
        Utf8Formatter.TryFormat(value, destination, out int byteCount, 'O');
        return Trim(destination, byteCount);
    }

    /// <summary>Parses a date, with any number of digits of the fraction.</summary>
    /// <param name="text">The text.</param>
    /// <param name="ticks">Receives the ticks of the clock time.</param>
    /// <param name="offsetMinutes">Receives the offset from UTC; null for <c>Z</c> and without an offset.</param>
    /// <param name="isUtc">Receives whether it ends with <c>Z</c>.</param>
    /// <returns>Whether it is a date of the years 1 to 9999.</returns>
    internal static bool TryParse(ReadOnlySpan<byte> text, out long ticks, out int? offsetMinutes, out bool isUtc)
    {
        (ticks, offsetMinutes, isUtc) = (0, null, false);
        if (text.Length < 19 || text[4] != '-' || text[7] != '-' || text[10] is not ((byte)'T' or (byte)'t') || text[13] != ':' || text[16] != ':')
            return false;
        int year = (Digits(text, 0) * 100) + Digits(text, 2);
        int month = Digits(text, 5);
        int day = Digits(text, 8);
        (int hour, int minute, int second) = (Digits(text, 11), Digits(text, 14), Digits(text, 17));
        if (Digits(text, 0) < 0 || Digits(text, 2) < 0 || year < 1 || month is < 1 or > 12 || day < 1 || day > DateTime.DaysInMonth(year, month)
            || hour is < 0 or > 23 || minute is < 0 or > 59 || second is < 0 or > 59)
            return false;
        ticks = new DateTime(year, month, day, hour, minute, second).Ticks;
        text = text.Slice(19);
        if (text.Length > 1 && text[0] == '.')
        {
            int i = 1;
            for (long unit = TimeSpan.TicksPerSecond / 10; i < text.Length && text[i] is >= (byte)'0' and <= (byte)'9'; i++, unit /= 10)
                ticks += (text[i] - '0') * unit;
            if (i == 1)
                return false;
            text = text.Slice(i);
        }

        if (text.IsEmpty)
            return true;
        isUtc = text.Length == 1 && text[0] is (byte)'Z' or (byte)'z';
        if (isUtc)
            return true;
        if (text.Length != 6 || text[0] is not ((byte)'+' or (byte)'-') || text[3] != ':')
            return false;
        (int hours, int minutes) = (Digits(text, 1), Digits(text, 4));
        offsetMinutes = ((hours * 60) + minutes) * (text[0] == '-' ? -1 : 1);
        return hours >= 0 && minutes is >= 0 and <= 59 && offsetMinutes is >= -14 * 60 and <= 14 * 60;
    }

    /// <summary>Parses two digits; -1000 if they are not digits.</summary>
    private static int Digits(ReadOnlySpan<byte> text, int at)
    {
        int high = text[at] - '0';
        int low = text[at + 1] - '0';
        return (uint)high <= 9 && (uint)low <= 9 ? (high * 10) + low : -1000;
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

    /// <summary>Removes the trailing zeros of a fraction of seven digits, or the fraction.</summary>
    private static int Trim(Span<byte> text, int byteCount)
    {
        int end = FractionEnd;
        while (end > SecondsEnd + 1 && text[end - 1] == (byte)'0')
            end--;
        if (end == SecondsEnd + 1)
            end = SecondsEnd;
        text.Slice(FractionEnd, byteCount - FractionEnd).CopyTo(text.Slice(end));
        return byteCount - (FractionEnd - end);
    }
}
