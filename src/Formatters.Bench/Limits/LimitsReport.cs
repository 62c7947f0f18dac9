namespace Formatters.Bench.Limits;

/// <summary>The report of <c>limits</c>.</summary>
/// <param name="Queues">The queues, in the order of the arguments.</param>
/// <param name="CaseSeconds">How long each measurement took.</param>
internal sealed record LimitsReport(RunInfo Run, IReadOnlyList<QueueLimits> Queues, double CaseSeconds) : IMeasuredReport
{
    public string Verb => "limits";

    /// <summary>Gets whether the senders of recoverable messages were processes.</summary>
    public bool Processes { get; init; }

    public IReadOnlyList<Series> Series => [.. Queues.SelectMany(static queue => queue.ToSeries())];
}

/// <param name="Address">Its address, without a password.</param>
/// <param name="Product">Its own name.</param>
/// <param name="EmulatedFlushMilliseconds">What was added to each flush; null where nothing was.</param>
/// <param name="Disk">The disk of a folder, or null.</param>
/// <param name="Recovery">How fast the log of a folder is read on opening, or null.</param>
internal sealed record QueueLimits(
    string Address, string Product, double? EmulatedFlushMilliseconds, DiskLimit? Disk, IReadOnlyList<LimitsCase> Cases, RecoverySpeed? Recovery)
{
    /// <summary>The settings of the server, or the file system of the folder.</summary>
    public IReadOnlyDictionary<string, string> Settings { get; init; } = new Dictionary<string, string>();

    /// <summary>The rounds of everything that was measured on this queue.</summary>
    internal IEnumerable<Series> ToSeries()
    {
        foreach (LimitsCase item in Cases)
            yield return Reports.Series.OfRates(string.Create(CultureInfo.InvariantCulture,
                $"{Product}/{item.Mode}/{item.Senders}+{item.Receivers}/{item.ByteCount}"), item.Rounds);
        if (Disk is not null)
            yield return new Series($"{Product}/disk", "flushes/s", IsHigherBetter: true, Disk.Rounds);
        if (Recovery is not null)
            yield return new Series($"{Product}/opening", "B/s", IsHigherBetter: true, Recovery.Rounds);
    }
}

/// <summary>The rate at which bytes can be appended to a preallocated file and flushed (<c>fdatasync</c>), one append after the other, without a
/// queue.</summary>
/// <param name="ByteCount">The size of an append, which is that of one message's block in the log.</param>
/// <param name="FlushesPerSecond">The rate; with the emulated disk's delay where there is one.</param>
/// <param name="Rounds">The rate, measurement by measurement.</param>
internal sealed record DiskLimit(int ByteCount, Statistics FlushesPerSecond, IReadOnlyList<double> Rounds);

/// <summary>Messages per second in one case.</summary>
/// <param name="Mode">express or recoverable.</param>
/// <param name="Senders">How many senders, each of which waits for its sends.</param>
/// <param name="Receivers">How many receivers at the same time.</param>
/// <param name="ByteCount">The size of the bodies.</param>
/// <param name="Durability">What a completed send is worth.</param>
/// <param name="MessagesPerSecond">The rate.</param>
/// <param name="RatioToDisk">To the disk's flushes in the same round, or null.</param>
/// <param name="RatioToOneSender">To one sender in the same round, or null.</param>
/// <param name="AllocatedBytes">What this process allocated for each message, sender and receiver together.</param>
/// <param name="Rounds">The rate, round by round.</param>
/// <param name="Use">What this process needed for each message, over all rounds.</param>
internal sealed record LimitsCase(
    string Mode,
    int Senders,
    int Receivers,
    int ByteCount,
    string Durability,
    Statistics MessagesPerSecond,
    RateRatio? RatioToDisk,
    RateRatio? RatioToOneSender,
    double AllocatedBytes,
    IReadOnlyList<double> Rounds,
    ResourceUse? Use);

/// <summary>The reading of a log on opening.</summary>
/// <param name="LogByteCount">The size of the log.</param>
/// <param name="MessageCount">How many messages it had.</param>
/// <param name="BytesPerSecond">How fast it was read.</param>
/// <param name="Rounds">How fast, round by round.</param>
internal sealed record RecoverySpeed(long LogByteCount, long MessageCount, Statistics BytesPerSecond, IReadOnlyList<double> Rounds);
