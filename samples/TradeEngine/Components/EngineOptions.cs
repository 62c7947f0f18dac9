namespace Formatters.TradeEngine.Components;

/// <summary>How an engine is put together.</summary>
internal sealed record EngineOptions
{
    /// <summary>Where the queues are: an address that ends where a queue's name begins, such as <c>memory:</c> or <c>file:folder/</c>.</summary>
    internal required string QueuePrefix { get; init; }

    /// <summary>The format of all bodies.</summary>
    internal MessageFormats Formats { get; init; } = MessageFormats.Xml;

    /// <summary>How many in-bound queues the drivers send to.</summary>
    internal int InboundQueueCount { get; init; } = 1;

    /// <summary>How many routers; each serves one in-bound queue, which others may serve, too, and each queue has at least one.</summary>
    internal int RouterCount { get; init; } = 1;

    /// <summary>How many instances of NOE.</summary>
    internal int NoticeCount { get; init; } = 1;

    /// <summary>How many instances of each of ALC, NPR and SET.</summary>
    internal int InstanceCount { get; init; } = 2;

    /// <summary>How many messages a component takes out of its queue at once.</summary>
    internal int BatchSize { get; init; } = 256;

    /// <summary>How many messages of a type the router sends to their component as one message of the queue, at most; 1: each by itself.</summary>
    internal int BundleSize { get; init; } = MessageBundles.DefaultSize;

    /// <summary>How long a component waits for a message before it looks whether it is to end.</summary>
    internal TimeSpan ReceiveTimeout { get; init; } = TimeSpan.FromMilliseconds(200);

    /// <summary>Which components run here: names as <c>router</c> and <c>alc</c>; empty means all. Others run elsewhere.</summary>
    internal IReadOnlyList<string> Components { get; init; } = [];

    /// <summary>Whether bodies of NOE are kept in the store's audit trail.</summary>
    internal bool KeepsAuditTrail { get; init; } = true;

    /// <summary>For tests: called at the named points of a component's work; what it throws ends the component, as a kill would.</summary>
    internal Action<string>? AtPoint { get; init; }

    /// <summary>Whether a component runs here.</summary>
    internal bool Runs(string component) => Components.Count == 0 || Components.Contains(component);
}
