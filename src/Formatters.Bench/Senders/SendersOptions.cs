using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;

namespace Formatters.Bench.Senders;

/// <summary>What <c>senders</c> measures.</summary>
internal sealed record SendersOptions
{
    internal const int MinByteCount = 8;

    /// <summary>The queues; what the run leaves in them is deleted.</summary>
    internal required IReadOnlyList<string> Queues { get; init; }

    /// <summary>The cases, each of which is sent and then received.</summary>
    internal required IReadOnlyList<SendersCase> Cases { get; init; }

    /// <summary>A PostgreSQL database for external transactions over the queues in folders, or null.</summary>
    internal string? Database { get; init; }

    /// <summary>How often every case is measured, in turn.</summary>
    internal int Rounds { get; init; } = 7;

    /// <summary>How long each measurement takes.</summary>
    internal TimeSpan CaseTime { get; init; } = TimeSpan.FromSeconds(0.3);

    /// <summary>No measurement sends more than this.</summary>
    internal int MaxMessageCount { get; init; } = 200_000;

    /// <summary>Whether to delete what is in the queues beforehand; else queues that are not empty are refused.</summary>
    internal bool Purge { get; init; }

    internal FileInfo? Json { get; init; }

    internal FileInfo? Csv { get; init; }
}

/// <summary>One case.</summary>
/// <param name="Mode">The delivery, and with transactions whose they are.</param>
/// <param name="Threads">How many senders, and afterwards how many receivers.</param>
/// <param name="ByteCount">The size of a body.</param>
/// <param name="PerTransaction">How many messages a transaction has.</param>
/// <param name="OpensEach">Whether the queue is opened for each message that is sent, and closed.</param>
internal sealed record SendersCase(SendersMode Mode, int Threads, int ByteCount, int PerTransaction = 1, bool OpensEach = false)
{
    internal string Name => string.Create(
        System.Globalization.CultureInfo.InvariantCulture,
        $"{SendersModes.NameOf(Mode)}/{Threads}/{ByteCount}{(PerTransaction > 1 ? $"/{PerTransaction} per transaction" : "")}{(OpensEach ? "/opened each" : "")}");

    /// <summary>The cases of the study's tables 1 to 7, and of its advice.</summary>
    /// <param name="modes">Which of the modes.</param>
    /// <param name="sizes">Sizes in place of those of the study, or null.</param>
    /// <param name="threads">Numbers of senders in place of those of the study, or null.</param>
    internal static IReadOnlyList<SendersCase> OfStudy(IReadOnlyCollection<SendersMode> modes, IReadOnlyList<int>? sizes, IReadOnlyList<int>? threads)
    {
        // A case of several tables is measured once.
        var cases = new HashSet<SendersCase>();
        var ordered = new List<SendersCase>();
        foreach (SendersMode mode in Enum.GetValues<SendersMode>())
        {
            foreach (int count in threads ?? Study.ThreadsOf(mode))
                foreach (int size in sizes ?? Study.SizesOf(mode))
                    Add(new SendersCase(mode, count, size));
            if (mode == SendersMode.Recoverable && threads is null)
            {
                foreach (int count in Study.CurveThreads)
                    Add(new SendersCase(mode, count, sizes is [int first, ..] ? first : Study.UsualByteCount));
            }
        }

        int usual = sizes is [int only, ..] ? only : Study.UsualByteCount;
        foreach (int perTransaction in new[] { 10, 100 })
            Add(new SendersCase(SendersMode.Internal, 1, usual, perTransaction));
        Add(new SendersCase(SendersMode.Recoverable, 1, usual, OpensEach: true));
        return ordered;

        void Add(SendersCase item)
        {
            if (modes.Contains(item.Mode) && cases.Add(item))
                ordered.Add(item);
        }
    }
}
