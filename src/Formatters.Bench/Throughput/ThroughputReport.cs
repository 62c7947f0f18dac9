using System.Collections.Generic;
using Formatters.Bench.Measurement;
using Formatters.Bench.Reports;

namespace Formatters.Bench.Throughput;

/// <summary>The outcome of <c>throughput</c>.</summary>
/// <param name="Run">How it was obtained.</param>
/// <param name="Queues">The queues, in the order of the arguments.</param>
/// <param name="CaseSeconds">How long each measurement took.</param>
internal sealed record ThroughputReport(RunInfo Run, IReadOnlyList<QueueThroughput> Queues, double CaseSeconds);

/// <summary>What one queue does.</summary>
/// <param name="Address">Its address, without a password.</param>
/// <param name="Product">Its own name.</param>
/// <param name="EmulatedFlushMilliseconds">What was added to each flush; null where nothing was.</param>
/// <param name="Disk">The disk of a folder, or null.</param>
/// <param name="Cases">The cases.</param>
/// <param name="Recovery">How fast the log of a folder is read on opening, or null.</param>
internal sealed record QueueThroughput(
    string Address, string Product, double? EmulatedFlushMilliseconds, DiskThroughput? Disk, IReadOnlyList<ThroughputCase> Cases, RecoveryThroughput? Recovery);

/// <summary>How often a second bytes can be appended to a preallocated file and flushed (<c>fdatasync</c>), one append after the other, without a queue.</summary>
/// <param name="ByteCount">The size of an append, which is that of one message's block in the log.</param>
/// <param name="FlushesPerSecond">The rate; with the emulated disk's delay where there is one.</param>
internal sealed record DiskThroughput(int ByteCount, Statistics FlushesPerSecond);

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
internal sealed record ThroughputCase(
    string Mode, int Senders, int Receivers, int ByteCount, string Durability, Statistics MessagesPerSecond, double? RatioToDisk, double? RatioToOneSender, double AllocatedBytes);

/// <summary>The reading of a log on opening.</summary>
/// <param name="LogByteCount">The size of the log.</param>
/// <param name="MessageCount">How many messages it had.</param>
/// <param name="BytesPerSecond">How fast it was read.</param>
internal sealed record RecoveryThroughput(long LogByteCount, long MessageCount, Statistics BytesPerSecond);
