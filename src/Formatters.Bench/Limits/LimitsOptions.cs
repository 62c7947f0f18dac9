namespace Formatters.Bench.Limits;

/// <summary>The options of <c>limits</c>.</summary>
internal sealed record LimitsOptions
{
    /// <summary>The queues; each is deleted afterwards. A folder's disk is measured with it.</summary>
    internal required IReadOnlyList<string> Queues { get; init; }

    /// <summary>Gets how many senders wait for recoverable sends at the same time, one case each.</summary>
    internal IReadOnlyList<int> Senders { get; init; } = [1, 2, 5, 10, 20, 50];

    /// <summary>Gets whether each of these senders is a process.</summary>
    internal bool Processes { get; init; }

    /// <summary>The size of a recoverable message's body, in bytes.</summary>
    internal int ByteCount { get; init; } = 1024;

    /// <summary>The size of an express message's body, in bytes.</summary>
    internal int ExpressByteCount { get; init; } = 100;

    /// <summary>Gets how often every case is measured, in turn.</summary>
    internal int Rounds { get; init; } = 5;

    /// <summary>Gets how long each measurement takes.</summary>
    internal TimeSpan CaseTime { get; init; } = TimeSpan.FromSeconds(1);

    /// <summary>Gets how large the log is that is read on opening, in bytes; 0 leaves that out.</summary>
    internal long RecoveryByteCount { get; init; } = 256L << 20;

    /// <summary>The emulated extra time of each flush of a folder's log.</summary>
    internal TimeSpan FlushDelay { get; init; }

    /// <summary>Gets whether to delete what is in the queues beforehand; else queues that are not empty are refused.</summary>
    internal bool Purge { get; init; }
}
