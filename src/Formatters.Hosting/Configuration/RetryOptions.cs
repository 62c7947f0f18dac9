using System;

namespace Formatters.Hosting;

/// <summary>Settings of the retries of a message whose handler failed, before it becomes a dead letter.</summary>
/// <remarks>
/// The wait before attempt n+1 is <see cref="Delay"/> times 2 to the power of n-1, at most <see cref="MaxDelay"/>, of which a random part between a
/// half and
/// all is taken, so that messages that failed together do not return together.
/// </remarks>
public sealed class RetryOptions
{
    /// <summary>Gets or sets how many times a message is handled before it becomes a dead letter, the first time included.</summary>
    /// <value>Default 5. 1: no retries.</value>
    /// <remarks>Where the queue counts deliveries, a delivery that a stop or crash interrupted counts as an attempt.</remarks>
    public int MaxAttempts { get; set; } = 5;

    /// <summary>The wait before the second attempt.</summary>
    /// <value>Default 1 second. Zero: at once.</value>
    public TimeSpan Delay { get; set; } = TimeSpan.FromSeconds(1);

    /// <summary>The longest wait between two attempts.</summary>
    /// <value>Default 1 minute.</value>
    public TimeSpan MaxDelay { get; set; } = TimeSpan.FromMinutes(1);

    /// <summary>Gets or sets where a message waits for its next attempt.</summary>
    /// <value>Default null: in the queue if it supports delays and counts deliveries and the order of the messages does not matter, otherwise in the
    /// process.</value>
    public RetryMode? Mode { get; set; }
}

/// <summary>The place in which a message waits for its next attempt.</summary>
public enum RetryMode
{
    /// <summary>In the process: the message stays locked, occupies one of the concurrent handlers, and keeps its order.</summary>
    InProcess,

    /// <summary>In the queue: the message is returned with a delay, and other messages are handled meanwhile, by any process.</summary>
    ByQueue,
}
