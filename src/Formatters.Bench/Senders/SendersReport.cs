using System.Collections.Generic;
using System.Linq;
using Formatters.Bench.Compare;
using Formatters.Bench.Measurement;
using Formatters.Bench.Reports;

namespace Formatters.Bench.Senders;

/// <summary>The outcome of <c>senders</c>.</summary>
/// <param name="Run">How it was obtained.</param>
/// <param name="Queues">The queues, in the order of the arguments.</param>
/// <param name="CaseSeconds">How long each measurement took, at most.</param>
internal sealed record SendersReport(RunInfo Run, IReadOnlyList<QueueSenders> Queues, double CaseSeconds) : IMeasuredReport
{
    /// <inheritdoc/>
    public string Verb => "senders";

    /// <inheritdoc/>
    public IReadOnlyList<Series> Series =>
    [
        .. Queues.SelectMany(static queue => queue.Rows.SelectMany(row => new[]
        {
            Reports.Series.OfRates($"{queue.Product}/{row.Name}/send", row.SendRounds),
            Reports.Series.OfRates($"{queue.Product}/{row.Name}/receive", row.ReceiveRounds),
        })),
    ];
}

/// <summary>What was measured over one queue.</summary>
/// <param name="Address">Its address, without a password.</param>
/// <param name="Product">Its own name.</param>
/// <param name="Durability">What a completed send is worth, by mode.</param>
/// <param name="Rows">The cases.</param>
/// <param name="Findings">The study's findings, each with what was measured here.</param>
/// <param name="NotOffered">The modes that the queue does not have, each with the reason.</param>
internal sealed record QueueSenders(
    string Address,
    string Product,
    IReadOnlyDictionary<string, string> Durability,
    IReadOnlyList<SendersRow> Rows,
    IReadOnlyList<Finding> Findings,
    IReadOnlyDictionary<string, string> NotOffered)
{
    /// <summary>The settings of the server, or the file system of the folder.</summary>
    public IReadOnlyDictionary<string, string> Settings { get; init; } = new Dictionary<string, string>();
}

/// <summary>One case, sent and received.</summary>
/// <param name="Name">Mode, threads and size.</param>
/// <param name="Mode">express, recoverable, internal or external.</param>
/// <param name="Threads">How many senders, and then how many receivers.</param>
/// <param name="ByteCount">The size of a body.</param>
/// <param name="PerTransaction">How many messages a transaction had.</param>
/// <param name="OpensEach">Whether the queue was opened for each message sent.</param>
/// <param name="Sent">Messages sent a second.</param>
/// <param name="SendCpu">The part of one processor that this process used meanwhile.</param>
/// <param name="SendOthersCpu">The same of all other processes of the machine; null where the system does not say.</param>
/// <param name="Received">Messages received a second.</param>
/// <param name="ReceiveCpu">As <paramref name="SendCpu"/>, receiving.</param>
/// <param name="ReceiveOthersCpu">As <paramref name="SendOthersCpu"/>, receiving.</param>
/// <param name="Study">What the study has for this case, or null.</param>
/// <param name="SendRounds">The rates, round by round.</param>
/// <param name="ReceiveRounds">The same, receiving.</param>
internal sealed record SendersRow(
    string Name,
    string Mode,
    int Threads,
    int ByteCount,
    int PerTransaction,
    bool OpensEach,
    Statistics Sent,
    double SendCpu,
    double? SendOthersCpu,
    Statistics Received,
    double ReceiveCpu,
    double? ReceiveOthersCpu,
    StudyRates? Study,
    IReadOnlyList<double> SendRounds,
    IReadOnlyList<double> ReceiveRounds);
