using Formatters.Orders;

namespace Formatters.Bench.Perftest;

/// <summary>The first argument of the classic test.</summary>
internal enum TransactionMode
{
    /// <summary>No transactions: express and recoverable messages.</summary>
    NoTx,

    /// <summary>Every send and every receive in a transaction of its own.</summary>
    Tx,
}

/// <summary>The second argument of the classic test.</summary>
internal enum PerftestOperation
{
    /// <summary>Times sending; the queue is purged after each batch.</summary>
    SendAndPurge,

    /// <summary>Sends, and times receiving everything afterwards.</summary>
    SendAndReceive,

    /// <summary>Processes messages as they arrive and answers once after each batch.</summary>
    Server,

    /// <summary>Sends a batch and waits for the server's answer.</summary>
    Client,
}

internal sealed record PerftestOptions
{
    /// <summary>With or without transactions.</summary>
    public required TransactionMode TransactionMode { get; init; }

    public required PerftestOperation Operation { get; init; }

    /// <summary>The queue under test, or several separated by commas. For CLIENT and SERVER: the server's.</summary>
    public required string Queue { get; init; }

    /// <summary>The queue of the server's answers.</summary>
    public string? ResponseQueue { get; init; }

    /// <summary>The measured batches of each case.</summary>
    public int Rounds { get; init; } = 7;

    /// <summary>The messages of one batch; null means as many as fit the time of a case.</summary>
    public int? BatchCount { get; init; }

    /// <summary>About how long one case takes.</summary>
    public TimeSpan TimePerCase { get; init; } = TimeSpan.FromSeconds(2);

    /// <summary>Parts of payload names; none means all payloads.</summary>
    public IReadOnlyList<string> Payloads { get; init; } = [];

    /// <summary>Rows of formatters of other libraries: their orders are payloads, too. CLIENT and SERVER need the same.</summary>
    public IReadOnlyList<OrderFormatterRow> Libraries { get; init; } = [];

    /// <summary>The one kind of messages without transactions to measure; null means express and recoverable.</summary>
    public DeliveryMode? Mode { get; init; }

    public int LineItems { get; init; } = SampleOrders.DefaultLineItemCount;

    /// <summary>Gets how long to wait for a message, or for the other end, before giving up.</summary>
    public TimeSpan Timeout { get; init; } = TimeSpan.FromSeconds(30);

    /// <summary>For SERVER: whether to end with the first client that ends.</summary>
    public bool Once { get; init; }

    /// <summary>Numbers of queues for one send to all of them against a send to each; empty means no such rows.</summary>
    public IReadOnlyList<int> FanOut { get; init; } = [];

#if NET
    /// <summary>The link to measure a server of the queues over, beside the direct way; null means none.</summary>
    public Network.LinkSpeed? Remote { get; init; }

    /// <summary>The program in C that does the same over the libraries of the servers; null means none.</summary>
    public FileInfo? Native { get; init; }
#endif

    /// <summary>Gets whether to delete what is in the queues beforehand; else queues that are not empty are refused.</summary>
    public bool Purge { get; init; }

    /// <summary>The kinds of messages to measure.</summary>
    public IReadOnlyList<DeliveryMode> Modes => TransactionMode == TransactionMode.Tx
        ? [DeliveryMode.Transactional]
        : Mode is { } mode ? [mode] : [DeliveryMode.Express, DeliveryMode.Recoverable];
}
