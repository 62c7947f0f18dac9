using System.ComponentModel;

namespace System.Messaging;

/// <summary>Checks arguments, with the exceptions of .NET Framework.</summary>
internal static class Checks
{
    private static readonly DateTime LastDate = new(2038, 1, 19);

    internal static T Defined<T>(T value, string name)
        where T : struct, Enum =>
        Enum.IsDefined(value) ? value : throw new InvalidEnumArgumentException(name, Convert.ToInt32(value, null), typeof(T));

    /// <summary>Checks that a value has no other bits than those of a mask.</summary>
    internal static int Bits<T>(T value, int mask, string name)
        where T : struct, Enum =>
        Convert.ToInt32(value, null) is var bits && (bits & ~mask) == 0 ? bits : throw new InvalidEnumArgumentException(name, bits, typeof(T));

    /// <summary>Checks a date as .NET Framework does: within the seconds of a 32-bit clock.</summary>
    internal static DateTime Date(DateTime date, string name) => date >= DateTime.UnixEpoch && date <= LastDate
        ? date
        : throw new ArgumentException($"The date is {date:O}: from 1970-01-01 to 2038-01-19.", name);

    /// <summary>Checks a timeout as .NET Framework does: from zero to <see cref="MessageQueue.InfiniteTimeout"/>.</summary>
    internal static TimeSpan Timeout(TimeSpan timeout) => timeout >= TimeSpan.Zero && timeout <= MessageQueue.InfiniteTimeout
        ? timeout
        : throw new ArgumentException(
            $"The timeout is {timeout}: from zero to {nameof(MessageQueue)}.{nameof(MessageQueue.InfiniteTimeout)}.", nameof(timeout));
}
