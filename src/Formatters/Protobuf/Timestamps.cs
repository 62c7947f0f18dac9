// https://protobuf.dev/reference/protobuf/google.protobuf/#timestamp and #duration
using System;

namespace Formatters;

/// <summary>Converts times to those of protobuf: seconds since 1970 or of a duration, and nanoseconds.</summary>
internal static class Timestamps
{
    internal const int NanosPerTick = 100;
    internal const long UnixEpochTicks = 621_355_968_000_000_000;
    internal const long UnixEpochSeconds = UnixEpochTicks / TimeSpan.TicksPerSecond;

    private const int NanosPerSecond = 1_000_000_000;
    private const long MaxOffsetMinutes = 14 * 60;

    internal static long UtcTicks(DateTime value) => value.Kind == DateTimeKind.Local ? value.ToUniversalTime().Ticks : value.Ticks;

    /// <param name="ticks">Ticks since the year 1.</param>
    /// <param name="seconds">Seconds since 1970.</param>
    /// <param name="nanos">Nanoseconds, counted forward also before 1970.</param>
    internal static void Split(long ticks, out long seconds, out int nanos)
    {
        seconds = (ticks / TimeSpan.TicksPerSecond) - UnixEpochSeconds;
        nanos = (int)(ticks % TimeSpan.TicksPerSecond) * NanosPerTick;
    }

    /// <returns>Whether the time is in the years 1 to 9999. Digits below 100 ns are truncated.</returns>
    internal static bool TryGetDateTime(long seconds, int nanos, out DateTime value)
    {
        value = default;
        long second = unchecked(seconds + UnixEpochSeconds);
        if ((uint)nanos >= NanosPerSecond || (ulong)second > (ulong)(DateTime.MaxValue.Ticks / TimeSpan.TicksPerSecond))
            return false;
        value = new DateTime((second * TimeSpan.TicksPerSecond) + (nanos / NanosPerTick), DateTimeKind.Utc);
        return true;
    }

    internal static bool TryGetDateTimeOffset(long seconds, int nanos, int offsetMinutes, out DateTimeOffset value)
    {
        value = default;
        if (!TryGetDateTime(seconds, nanos, out DateTime utc) || offsetMinutes < -MaxOffsetMinutes || offsetMinutes > MaxOffsetMinutes)
            return false;
        long ticks = utc.Ticks + (offsetMinutes * TimeSpan.TicksPerMinute);
        if ((ulong)ticks > (ulong)DateTime.MaxValue.Ticks)
            return false;
        value = new DateTimeOffset(ticks, TimeSpan.FromMinutes(offsetMinutes));
        return true;
    }

    /// <returns>Whether the two parts have the same sign and the duration is in the range of <see cref="TimeSpan"/>. Digits below 100 ns are
    /// truncated.</returns>
    internal static bool TryGetTimeSpan(long seconds, int nanos, out TimeSpan value)
    {
        value = default;
        if (nanos is <= -NanosPerSecond or >= NanosPerSecond || seconds > 0 && nanos < 0 || seconds < 0 && nanos > 0
            || seconds is < long.MinValue / TimeSpan.TicksPerSecond or > long.MaxValue / TimeSpan.TicksPerSecond)
            return false;
        long whole = seconds * TimeSpan.TicksPerSecond;
        long part = nanos / NanosPerTick;
        long ticks = unchecked(whole + part);
        if (((whole ^ ticks) & (part ^ ticks)) < 0)
            return false;
        value = new TimeSpan(ticks);
        return true;
    }
}

/// <summary>Reads and writes GUIDs of 16 bytes.</summary>
internal static class ProtobufGuids
{
    /// <summary>Converts between the byte order of .NET, in which the first three parts are little endian, and that of RFC 9562.</summary>
    internal static void SwapOrder(byte[] bytes)
    {
        Array.Reverse(bytes, 0, 4);
        Array.Reverse(bytes, 4, 2);
        Array.Reverse(bytes, 6, 2);
    }
}
