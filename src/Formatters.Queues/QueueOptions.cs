using System;

namespace Formatters.Queues;

/// <summary>How a queue is opened.</summary>
public sealed record QueueOptions
{
    /// <summary>Express, when messages leave on receipt.</summary>
    public static QueueOptions Default { get; } = new();

    /// <summary>What a send promises.</summary>
    /// <value>Default <see cref="DeliveryMode.Express"/>.</value>
    public DeliveryMode DeliveryMode { get; init; }

    /// <summary>When a received message leaves the queue.</summary>
    /// <value>Default <see cref="ReceiveMode.ReceiveAndDelete"/>.</value>
    public ReceiveMode ReceiveMode { get; init; }

    /// <summary>How many messages a receiver may fetch ahead, where the queue fetches over a network.</summary>
    /// <value>Default 200.</value>
    public int PrefetchCount
    {
        get;
        init => field = value > 0 ? value : throw new ArgumentOutOfRangeException(nameof(PrefetchCount), value, "At least 1.");
    }
        = 200;

    /// <summary>How many sends may be under way without the queue's confirmation; further ones wait.</summary>
    /// <value>Default 1,000. A send completes only when its own confirmation is there: the window is used by callers that start several.</value>
    public int SendWindow
    {
        get;
        init => field = value > 0 ? value : throw new ArgumentOutOfRangeException(nameof(SendWindow), value, "At least 1.");
    }
        = 1000;

    /// <summary>How long opening and every operation may wait for the queue itself (a broker that accepts connections but does not answer).</summary>
    /// <value>Default 30 seconds.</value>
    public TimeSpan OperationTimeout
    {
        get;
        init => field = value > TimeSpan.Zero ? value : throw new ArgumentOutOfRangeException(nameof(OperationTimeout), value, "More than zero.");
    }
        = TimeSpan.FromSeconds(30);
}
