using System.ComponentModel;

namespace System.Messaging;

/// <summary>The checks of arguments.</summary>
internal static class Checks
{
    internal static T Defined<T>(T value, string name)
        where T : struct, Enum =>
        Enum.IsDefined(value) ? value : throw new InvalidEnumArgumentException(name, Convert.ToInt32(value, null), typeof(T));

    /// <summary>Checks a timeout as .NET Framework does: from zero to <see cref="MessageQueue.InfiniteTimeout"/>.</summary>
    internal static TimeSpan Timeout(TimeSpan timeout) => timeout >= TimeSpan.Zero && timeout <= MessageQueue.InfiniteTimeout
        ? timeout
        : throw new ArgumentException(
            $"The timeout is {timeout}: from zero to {nameof(MessageQueue)}.{nameof(MessageQueue.InfiniteTimeout)}.", nameof(timeout));
}
