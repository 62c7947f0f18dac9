namespace Formatters.Bench.Senders;

/// <summary>The options of <c>senders</c>.</summary>
internal sealed record SendersOptions
{
    internal const int MinByteCount = 8;

    /// <summary>The queues; what the run leaves in them is deleted.</summary>
    internal required IReadOnlyList<string> Queues { get; init; }

    /// <summary>The cases, each of which is sent and then received.</summary>
    internal required IReadOnlyList<SendersCase> Cases { get; init; }

    /// <summary>A PostgreSQL database for external transactions over the queues in folders, or null.</summary>
    internal string? Database { get; init; }

    /// <summary>Gets how often every case is measured, in turn.</summary>
    internal int Rounds { get; init; } = 7;

    /// <summary>Gets how long each measurement takes.</summary>
    internal TimeSpan CaseTime { get; init; } = TimeSpan.FromSeconds(0.3);

    /// <summary>No measurement sends more than this.</summary>
    internal int MaxMessageCount { get; init; } = 200_000;

    /// <summary>Gets whether to delete what is in the queues beforehand; else queues that are not empty are refused.</summary>
    internal bool Purge { get; init; }

    internal IReadOnlyList<SendersPart> Parts { get; init; } = Enum.GetValues<SendersPart>();

    /// <summary>Gets whether each sender is a separate process.</summary>
    internal bool Processes { get; init; }
}

internal enum SendersPart
{
    /// <summary>Sizes by senders by delivery: tables 1 to 7 of the study.</summary>
    Tables,

    /// <summary>The topics of its advice: transactions of many messages, opening, signing, encrypting, journals, waiting receivers.</summary>
    Advice,

    /// <summary>The bytes that a message has beside its body.</summary>
    Headers,

    /// <summary>The memory of messages that wait.</summary>
    Memory,

    /// <summary>Messages that accumulate, and are forwarded when the network is there: tables 8 and 9.</summary>
    Network,
}

/// <summary>The difference of a case from the tables' cases.</summary>
internal enum SendersVariant
{
    None,

    /// <summary>Bodies are signed with HMAC-SHA256.</summary>
    Signed,

    /// <summary>Bodies are signed with ECDSA over P-256.</summary>
    SignedByCertificate,

    /// <summary>Bodies are encrypted with AES-GCM.</summary>
    Encrypted,

    /// <summary>The queue has a journal.</summary>
    Journal,

    /// <summary>Each message asks for a copy of it in a journal when it is sent.</summary>
    SourceJournal,

    /// <summary>Each message asks for acknowledgements of its arrival and its receipt.</summary>
    Acknowledged,

    /// <summary>Receivers wait while messages are sent.</summary>
    Waiting,
}

/// <param name="Mode">The delivery, and with transactions whose they are.</param>
/// <param name="Threads">How many senders, and afterwards how many receivers.</param>
/// <param name="ByteCount">The size of a body.</param>
/// <param name="PerTransaction">How many messages a transaction has.</param>
/// <param name="OpensEach">Whether the queue is opened for each message that is sent, and closed.</param>
/// <param name="Variant">What else is different.</param>
/// <param name="ReceiverCount">How many receivers, if not as many as senders.</param>
internal sealed record SendersCase(
    SendersMode Mode, int Threads, int ByteCount, int PerTransaction = 1, bool OpensEach = false, SendersVariant Variant = SendersVariant.None,
    int? ReceiverCount = null)
{
    internal int Receivers => ReceiverCount ?? Threads;

    /// <summary>Gets whether it is one of the tables' cases, with any numbers.</summary>
    internal bool IsPlain => PerTransaction == 1 && !OpensEach && Variant == SendersVariant.None;

    /// <summary>The difference from the tables' cases in words; empty if there is none.</summary>
    internal string Difference => Variant switch
    {
        SendersVariant.Signed => "bodies signed (HMAC-SHA256)",
        SendersVariant.SignedByCertificate => "bodies signed (ECDSA P-256)",
        SendersVariant.Encrypted => "bodies encrypted (AES-GCM)",
        SendersVariant.Journal => "a journal of what was received",
        SendersVariant.SourceJournal => "a journal of what was sent",
        SendersVariant.Acknowledged => "acknowledgements asked for",
        SendersVariant.Waiting => "receivers waiting meanwhile",
        _ when OpensEach => "the queue opened for each message sent",
        _ when PerTransaction > 1 =>
            string.Create(System.Globalization.CultureInfo.InvariantCulture, $"{PerTransaction:N0} messages in a transaction"),
        _ => "",
    };

    internal string Name => string.Create(
        System.Globalization.CultureInfo.InvariantCulture,
        $"{SendersModes.NameOf(Mode)}/{Threads}/{ByteCount}{(PerTransaction > 1 ? $"/{PerTransaction} per transaction" : "")}")
        + (OpensEach ? "/opened each" : "")
        + (Variant == SendersVariant.None ? "" : "/" + Difference)
        + (
            ReceiverCount is null || ReceiverCount == Threads
                ? ""
                : string.Create(System.Globalization.CultureInfo.InvariantCulture, $"/{ReceiverCount} receivers"));

    /// <summary>The messages of a transaction that the curve has.</summary>
    private static readonly int[] PerTransactionCurve = [2, 5, 10, 20, 50, 100];

    /// <summary>Those that differ by what a flush costs, and so are measured express and recoverable.</summary>
    private static readonly SendersVariant[] WithReceipts =
        [SendersVariant.Journal, SendersVariant.SourceJournal, SendersVariant.Acknowledged, SendersVariant.Waiting];

    /// <summary>The cases of the study's tables 1 to 7, and of its advice.</summary>
    /// <param name="sizes">Sizes in place of those of the study, or null.</param>
    /// <param name="threads">Numbers of senders in place of those of the study, or null.</param>
    /// <param name="receivers">Numbers of receivers, each with every number of senders; null means as many as senders.</param>
    /// <param name="parts">Which parts; null means all.</param>
    internal static IReadOnlyList<SendersCase> OfStudy(
        IReadOnlyCollection<SendersMode> modes, IReadOnlyList<int>? sizes, IReadOnlyList<int>? threads, IReadOnlyList<int>? receivers = null,
        IReadOnlyCollection<SendersPart>? parts = null)
    {
        // A case of several tables is measured once.
        var cases = new HashSet<SendersCase>();
        var ordered = new List<SendersCase>();
        bool hasTables = parts?.Contains(SendersPart.Tables) != false;
        foreach (SendersMode mode in Enum.GetValues<SendersMode>().Where(_ => hasTables))
        {
            foreach (int count in threads ?? Study.ThreadsOf(mode))
            {
                foreach (int size in sizes ?? Study.SizesOf(mode))
                    AddEach(new SendersCase(mode, count, size));
            }

            if (mode == SendersMode.Recoverable && threads is null)
            {
                foreach (int count in Study.CurveThreads)
                    AddEach(new SendersCase(mode, count, sizes is [int first, ..] ? first : Study.UsualByteCount));
            }
        }

        if (parts?.Contains(SendersPart.Advice) == false)
            return ordered;
        int usual = sizes is [int only, ..] ? only : Study.UsualByteCount;
        // That with which the others are compared.
        foreach (SendersMode mode in new[] { SendersMode.Express, SendersMode.Recoverable, SendersMode.Internal })
            Add(new SendersCase(mode, 1, usual));
        foreach (int perTransaction in PerTransactionCurve)
            Add(new SendersCase(SendersMode.Internal, 1, usual, perTransaction));
        Add(new SendersCase(SendersMode.Recoverable, 1, usual, OpensEach: true));
        foreach (SendersVariant variant in new[] { SendersVariant.Signed, SendersVariant.SignedByCertificate,
            SendersVariant.Encrypted }.Concat(WithReceipts))
            Add(new SendersCase(SendersMode.Express, 1, usual, Variant: variant));
        foreach (SendersVariant variant in WithReceipts)
            Add(new SendersCase(SendersMode.Recoverable, 1, usual, Variant: variant));
        return ordered;

        void AddEach(SendersCase item)
        {
            if (receivers is null)
                Add(item);
            foreach (int count in receivers ?? [])
                Add(item with { ReceiverCount = count });
        }

        void Add(SendersCase item)
        {
            if (item.ReceiverCount == item.Threads)
                item = item with { ReceiverCount = null };
            if (modes.Contains(item.Mode) && cases.Add(item))
                ordered.Add(item);
        }
    }
}
