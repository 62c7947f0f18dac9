using Formatters.Bench.Compare;

namespace Formatters.Bench.Senders;

/// <summary>The report of <c>senders</c>.</summary>
/// <param name="Queues">The queues, in the order of the arguments.</param>
/// <param name="CaseSeconds">How long each measurement took, at most.</param>
internal sealed record SendersReport(RunInfo Run, IReadOnlyList<QueueSenders> Queues, double CaseSeconds) : IMeasuredReport
{
    /// <summary>Gets whether each sender was a separate process.</summary>
    public bool Processes { get; init; }

    public string Verb => "senders";

    public IReadOnlyList<Series> Series =>
    [
        .. Queues.SelectMany(static queue => queue.Rows.SelectMany(row => new[]
        {
            Reports.Series.OfRates($"{queue.Product}/{row.Name}/send", row.SendRounds),
            Reports.Series.OfRates($"{queue.Product}/{row.Name}/receive", row.ReceiveRounds),
        })),
        .. Queues.SelectMany(static queue => queue.Rows
            .Where(static row => row.WriteRounds is not null)
            .Select(row => new Series($"{queue.Product}/{row.Name}/writes", "writes/msg", IsHigherBetter: false, row.WriteRounds!))),
    ];
}

/// <param name="Address">Its address, without a password.</param>
/// <param name="Product">Its own name.</param>
/// <param name="Durability">What a completed send is worth, by mode.</param>
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

    /// <summary>The bytes of a message in addition to its body.</summary>
    public IReadOnlyList<HeaderRow> Headers { get; init; } = [];

    /// <summary>The memory of waiting messages, and the rate at which further ones are accepted.</summary>
    public IReadOnlyList<MemoryRow> Memory { get; init; } = [];

    /// <summary>The memory of a waiting message of any size, by the rows of <see cref="Memory"/>; null with fewer than two sizes.</summary>
    public MemoryFormula? MemoryFormula { get; init; }

    /// <summary>Messages that accumulated and were forwarded.</summary>
    public IReadOnlyList<NetworkRow> Network { get; init; } = [];

    /// <summary>The parts that were not measured, each with the reason.</summary>
    public IReadOnlyDictionary<string, string> PartsNotMeasured { get; init; } = new Dictionary<string, string>();
}

/// <summary>The bytes of a message in addition to its body.</summary>
/// <param name="Mode">express or recoverable.</param>
/// <param name="Where">What was counted: <c>network</c> or <c>log</c>.</param>
/// <param name="BodyByteCount">The size of the bodies.</param>
/// <param name="Sent">Bytes a message on the way to the queue, the body left out.</param>
/// <param name="Answered">Bytes a message that the server sent back meanwhile: confirmations.</param>
/// <param name="Received">Bytes a message on the way to the receiver, the body left out.</param>
/// <param name="Asked">Bytes a message that the receiver sent for it.</param>
internal sealed record HeaderRow(string Mode, string Where, int BodyByteCount, double Sent, double Answered, double Received, double Asked);

/// <summary>The memory of waiting messages.</summary>
/// <param name="ByteCount">The size of a body.</param>
/// <param name="Messages">How many waited in the end.</param>
/// <param name="BytesPerMessage">The memory of the process that holds them, for each.</param>
/// <param name="Steps">Messages taken a second while more and more waited, a tenth of them in each step.</param>
internal sealed record MemoryRow(int ByteCount, long Messages, double BytesPerMessage, IReadOnlyList<double> Steps);

/// <summary>The memory of waiting messages: messages times (<paramref name="PerBodyByte"/> times the size, and <paramref
/// name="PerMessage"/>).</summary>
internal sealed record MemoryFormula(double PerBodyByte, double PerMessage);

/// <summary>Messages that accumulated in a folder and were forwarded over a link.</summary>
/// <param name="Mode">express or recoverable.</param>
/// <param name="ByteCount">The size of a body.</param>
/// <param name="Rate">Messages forwarded a second, from the moment the link was there.</param>
/// <param name="SendCpu">The part of one processor that this process used, the proxy included.</param>
/// <param name="ServerCpu">The same of the queue's server; null where it is not known.</param>
/// <param name="NetworkUse">The part of the link's bandwidth that was used, towards the server.</param>
internal sealed record NetworkRow(string Mode, int ByteCount, long Messages, double Rate, double SendCpu, double? ServerCpu, double NetworkUse,
    NetworkStudy? Study);

/// <summary>Tables 8 and 9.</summary>
/// <param name="Rate">Messages a second.</param>
/// <param name="SendCpuPercent">The sender's processor.</param>
/// <param name="ReceiveCpuPercent">The receiver's.</param>
internal sealed record NetworkStudy(double Rate, double SendCpuPercent, double ReceiveCpuPercent, double NetworkPercent);

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
    IReadOnlyList<double> ReceiveRounds)
{
    public required int Receivers { get; init; }

    /// <summary>The difference from the tables' cases; empty if there is none.</summary>
    public string Difference { get; init; } = "";

    /// <summary>Gets how often was written to files for a message sent and received, round by round; null where that is not known, or nothing
    /// was.</summary>
    public IReadOnlyList<double>? WriteRounds { get; init; }

    /// <summary>The part of one processor that the queue's server used while messages were sent; null where it is not known.</summary>
    public double? SendServerCpu { get; init; }

    /// <summary>The same while they were received.</summary>
    public double? ReceiveServerCpu { get; init; }
}
