using Formatters.TradeEngine.Monitoring;

namespace Formatters.TradeEngine.Runs;

/// <param name="Trades">How many trades were sent.</param>
/// <param name="Sent">How many messages, those to warm up left out.</param>
/// <param name="Seconds">From the first send to the last CLS, likewise.</param>
/// <param name="DriverSeconds">How long the driver was at work.</param>
/// <param name="ExpectedClearings">How many trades must have a CLS.</param>
/// <param name="Clearings">How many trades have exactly one CLS that holds.</param>
/// <param name="WrongClearings">How many trades have another number.</param>
/// <param name="RepeatedClearings">How many CLS came twice.</param>
/// <param name="CancelledClearings">How many CLS were taken back.</param>
/// <param name="ExpectedExceptions">How many bad messages were sent.</param>
/// <param name="Exceptions">The messages in the exception queue, by reason.</param>
/// <param name="WrongExceptions">Those that were not bad, or have another reason than they should; and bad ones that are missing.</param>
/// <param name="Kills">How many components were killed and started again.</param>
/// <param name="StartSeconds">From the first send to the first CLS.</param>
/// <param name="Latency">How long after its last message was due the CLS of a trade came.</param>
/// <param name="AverageBodyByteCount">Of signed bodies.</param>
/// <param name="StoreByteCount">What the database server has written into its write-ahead log since the measurement began; null if there is
/// none.</param>
/// <param name="AllocatedBytes">What this process allocated for each message.</param>
/// <param name="PeakMemoryBytes">The most memory that this process had.</param>
/// <param name="Analysis">The operational analysis.</param>
/// <param name="OperatingRegion">The performance operating region.</param>
/// <param name="Samples">What the monitor saw.</param>
/// <param name="Processors">The processor time that an in-bound message takes, by where it is spent.</param>
/// <param name="DiskQueue">How many requests the busiest disk of this machine had on average, those of other processes included.</param>
internal sealed record EngineRunResult(
    int Trades,
    long Sent,
    double Seconds,
    double DriverSeconds,
    int ExpectedClearings,
    int Clearings,
    int WrongClearings,
    long RepeatedClearings,
    long CancelledClearings,
    int ExpectedExceptions,
    IReadOnlyDictionary<string, int> Exceptions,
    int WrongExceptions,
    int Kills,
    double? StartSeconds,
    LatencySummary? Latency,
    double AverageBodyByteCount,
    long? StoreByteCount,
    double AllocatedBytes,
    long PeakMemoryBytes,
    NetworkAnalysis Analysis,
    IReadOnlyList<OperatingPoint> OperatingRegion,
    IReadOnlyList<NetworkSample> Samples,
    ProcessorShares Processors,
    double DiskQueue)
{
    /// <summary>How many trades were sent before the measurement: their CLS and exceptions are among those here, their times are not.</summary>
    public int WarmTrades { get; init; }

    /// <summary>How the driver's messages were transferred to the in-bound queues: exactly once, or at least once; null: they were not.</summary>
    public ForwardingGuarantee? Transfer { get; init; }

    /// <summary>How often a component or the sink began again because queues or the store failed for a moment.</summary>
    public int Retries { get; init; }

    /// <summary>Why, each reason once.</summary>
    public IReadOnlyList<string> RetryReasons { get; init; } = [];

    /// <summary>In-bound messages a second.</summary>
    public double MessagesPerSecond => Sent / Seconds;

    /// <summary>The rate as the study gives it: in an hour.</summary>
    public double MessagesPerHour => MessagesPerSecond * 3600;

    /// <summary>In an operating day, which the study takes to have eight hours.</summary>
    public double MessagesPerDay => MessagesPerHour * 8;

    /// <summary>Whether every trade and every bad message ended as it must.</summary>
    public bool IsRight => Clearings == ExpectedClearings && WrongClearings == 0 && RepeatedClearings == 0 && WrongExceptions == 0;
}

/// <summary>The processor time of an in-bound message, in seconds.</summary>
/// <param name="Run">Of the process that drives, takes the CLS and monitors; in a run without other processes of the components, too.</param>
/// <param name="Nodes">Of the component processes; zero where there are none.</param>
/// <param name="Database">Of the database server; zero where it is not on this machine, or there is none.</param>
/// <param name="Broker">Of the broker, likewise.</param>
internal sealed record ProcessorShares(double Run, double Nodes, double Database, double Broker);

/// <summary>Latencies in seconds.</summary>
/// <param name="Count">Of how many trades.</param>
/// <param name="Median">Half of them.</param>
/// <param name="P95">95 of 100.</param>
/// <param name="Max">The longest.</param>
internal sealed record LatencySummary(int Count, double Median, double P95, double Max)
{
    internal static LatencySummary? Of(IReadOnlyList<double> ascending)
    {
        return ascending.Count == 0 ? null : new LatencySummary(ascending.Count, At(0.5), At(0.95), ascending[^1]);

        double At(double share) => ascending[(int)(share * (ascending.Count - 1))];
    }
}
