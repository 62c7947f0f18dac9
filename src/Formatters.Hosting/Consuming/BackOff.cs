using System;
using System.Security.Cryptography;

namespace Formatters.Hosting;

/// <summary>Waits that double up to a maximum, with jitter.</summary>
internal static class BackOff
{
    private const int MaxDoublings = 30;
    private const int JitterSteps = 1000;

    // The most that timers have.
    private static readonly TimeSpan Longest = TimeSpan.FromMilliseconds(int.MaxValue);

    /// <summary>Gets the wait after a failure.</summary>
    /// <param name="delay">The wait after the first failure.</param>
    /// <param name="maxDelay">The longest wait.</param>
    /// <param name="failureCount">How many failures there were: 1 or more.</param>
    /// <returns>A random time between a half and all of the doubled delay.</returns>
    internal static TimeSpan After(TimeSpan delay, TimeSpan maxDelay, int failureCount)
    {
        double ticks = Math.Min(maxDelay.Ticks, delay.Ticks * Math.Pow(2, Math.Min(failureCount - 1, MaxDoublings)));
        double part = 0.5 + (RandomNumberGenerator.GetInt32(JitterSteps + 1) / (2d * JitterSteps));
        return Limit(TimeSpan.FromTicks((long)(ticks * part)));
    }

    /// <summary>Limits a wait to about 24 days, the most that timers have.</summary>
    internal static TimeSpan Limit(TimeSpan wait) => wait < Longest ? wait : Longest;
}
