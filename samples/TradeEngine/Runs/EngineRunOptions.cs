using Formatters.Envelopes;
using Formatters.TradeEngine.Building;
using Formatters.TradeEngine.Monitoring;
using Formatters.TradeEngine.Nodes;

namespace Formatters.TradeEngine.Runs;

/// <summary>A run of the whole network.</summary>
internal sealed record EngineRunOptions
{
    /// <summary>Where the queues are: an address that ends where a queue's name begins.</summary>
    internal required string QueuePrefix { get; init; }

    /// <summary>Where the driver's own queues are, likewise: a forwarder transfers each to an in-bound queue. Null: it sends to those.</summary>
    internal string? Transfer { get; init; }

    /// <summary>The queue of the CLS, if the store sends them itself; null: one like the others.</summary>
    internal string? Clearings { get; init; }

    /// <summary>Which messages are sent.</summary>
    internal MessageSetOptions Set { get; init; } = new();

    /// <summary>How many trades of the same kind are sent first, so that the engine is warm: they are checked like the others, and not
    /// measured.</summary>
    internal int WarmTrades { get; init; }

    /// <summary>Called when the measurement begins.</summary>
    internal Func<CancellationToken, Task>? Measuring { get; init; }

    /// <summary>A file with the messages, or null: they are made as they are sent.</summary>
    internal FileInfo? SetFile { get; init; }

    /// <summary>The format of all bodies.</summary>
    internal MessageFormats Formats { get; init; } = MessageFormats.Xml;

    /// <summary>How the driver signs.</summary>
    internal SignatureAlgorithm Signature { get; init; } = SignatureAlgorithm.HmacSha256;

    internal int InboundQueueCount { get; init; } = 1;
    internal int RouterCount { get; init; } = 1;
    internal int NoticeCount { get; init; } = 1;
    internal int InstanceCount { get; init; } = 2;
    internal int BatchSize { get; init; } = 256;

    /// <summary>How many messages of a type the router sends to their component as one message of the queue, at most; 1: each by itself.</summary>
    internal int BundleSize { get; init; } = MessageBundles.DefaultSize;

    /// <summary>The driver waits while there are more messages in the in-bound queues; zero means it does not.</summary>
    internal long MaxBacklog { get; init; } = 20_000;

    /// <summary>Messages a second that are due, at the times of a Poisson process; null means as many as the driver can send.</summary>
    internal double? Rate { get; init; }

    /// <summary>How often the monitor looks.</summary>
    internal TimeSpan MonitorInterval { get; init; } = TimeSpan.FromMilliseconds(100);

    /// <summary>How many components are killed on the way, each at a point of its work that the seed decides.</summary>
    internal int Kills { get; init; }

    /// <summary>The driver's key; null for one of this run only.</summary>
    internal SigningKey? Key { get; init; }

    /// <summary>The processes that run the components; null: this process does.</summary>
    internal INodeFleet? Fleet { get; init; }

    /// <summary>The database server, if it is on this machine.</summary>
    internal ServerProcesses? DatabaseServer { get; init; }

    /// <summary>The broker, if it is on this machine.</summary>
    internal ServerProcesses? BrokerServer { get; init; }

    /// <summary>How many processors this process may use; null means all.</summary>
    internal int? Cores { get; init; }

    /// <summary>Deletes what is in the queues first.</summary>
    internal bool Purges { get; init; }
}
