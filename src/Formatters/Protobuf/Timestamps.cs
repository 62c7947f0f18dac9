// https://protobuf.dev/reference/protobuf/google.protobuf/#timestamp and #duration
using System;
using System.Runtime.CompilerServices;

namespace Formatters;

/// <summary>Converts times to those of protobuf: seconds since 1970 or of a duration, and nanoseconds.</summary>
internal static class Timestamps
{
    internal const uint SecondsTag = 0x08;
    internal const uint NanosTag = 0x10;

    /// <summary>The tag of the offset that a <see cref="DateTimeOffset"/> has in addition.</summary>
    internal const byte OffsetTag = 0x18;

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

    /// <summary>Reads a time of seconds and nanoseconds in this order, each of at most eight bytes. Row "generated protobuf", read.</summary>
    /// <param name="position">The position of its length.</param>
    /// <param name="available">The number of available bytes.</param>
    /// <param name="seconds">The seconds.</param>
    /// <param name="nanos">The nanoseconds.</param>
    /// <returns>
    /// The number of bytes, with the length; 0 for any other form, and where fewer bytes are available than a load of the seconds takes.
    /// </returns>
    internal static int Read(ref byte position, int available, out long seconds, out int nanos)
    {
        seconds = 0;
        nanos = 0;
        if (available < 2 + sizeof(long) || position >= available)
            return 0;
        int end = position + 1;
        int offset = 1;
        int byteCount;
        if (Unsafe.Add(ref position, offset) == SecondsTag)
        {
            seconds = (long)ProtobufBytes.Decode((ulong)LittleEndian.ReadInt64(ref Unsafe.Add(ref position, 2)), out byteCount);
            if (byteCount == 0)
                return 0;
            offset = 2 + byteCount;
        }

        if (offset < end && Unsafe.Add(ref position, offset) == NanosTag)
        {
            // From the last eight bytes: a time is often the last member of its message, with nothing behind it that could be loaded. One that is
            // shorter than eight bytes is left to others.
            int nanosByteCount = end - offset - 1;
            if (end < sizeof(long) || (uint)(nanosByteCount - 1) >= sizeof(long))
                return 0;
            ulong last = (ulong)LittleEndian.ReadInt64(ref Unsafe.Add(ref position, end - sizeof(long)));
            nanos = (int)ProtobufBytes.Decode(last >> (8 * (sizeof(long) - nanosByteCount)), out byteCount);
            if (byteCount == 0)
                return 0;
            offset += 1 + byteCount;
        }

        return offset == end ? end : 0;
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
