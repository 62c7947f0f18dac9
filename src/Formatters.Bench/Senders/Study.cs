namespace Formatters.Bench.Senders;

/// <summary>The figures of the study <i>Optimizing Performance in a Microsoft Message Queue Server Environment</i> (Microsoft, May 1998), tables 1 to
/// 7; messages a second.</summary>
internal static class Study
{
    /// <summary>The size in most of its tables.</summary>
    internal const int UsualByteCount = 1_000;

    /// <summary>The numbers of senders of table 7.</summary>
    internal static readonly int[] CurveThreads = [1, 2, 5, 10, 20, 50];

    /// <summary>Table 7, a machine of its own with one conventional disk, and with three.</summary>
    internal static readonly IReadOnlyDictionary<int, (double OneDisk, double ThreeDisks)> Curve = new Dictionary<int, (double, double)>
    {
        [1] = (38, 66),
        [2] = (36, 110),
        [5] = (99, 166),
        [10] = (199, 249),
        [20] = (232, 332),
        [50] = (665, 999),
    };

    // Mode, threads, bytes; sent and the CPU's utilization in per cent (tables 1, 3, 5), received and the CPU's (tables 2, 4, 6). One processor of
    // 200 MHz.
    // The 1,2512 of table 2 is read as 12,512.
    private static readonly (SendersMode Mode, int Threads, int ByteCount, double Sent, double SendCpu, double Received,
        double ReceiveCpu)[] Figures =
    [
        (SendersMode.Express, 1, 10, 7_564, 100, 13_986, 100),
        (SendersMode.Express, 1, 1_000, 6_630, 100, 12_512, 100),
        (SendersMode.Express, 1, 2_000, 5_547, 100, 10_026, 100),
        (SendersMode.Express, 1, 4_000, 4_510, 100, 10_006, 100),
        (SendersMode.Recoverable, 1, 10, 594, 34, 1_400, 32),
        (SendersMode.Recoverable, 1, 1_000, 587, 30, 1_251, 33),
        (SendersMode.Recoverable, 1, 10_000, 302, 31, 1_251, 25),
        (SendersMode.Recoverable, 3, 10, 1_225, 55, 1_406, 33),
        (SendersMode.Recoverable, 3, 1_000, 834, 52, 1_393, 34),
        (SendersMode.Recoverable, 3, 10_000, 554, 30, 1_362, 12),
        (SendersMode.Internal, 1, 10, 175, 78, 221, 86),
        (SendersMode.Internal, 1, 1_000, 181, 80, 221, 86),
        (SendersMode.Internal, 1, 10_000, 159, 72, 212, 87),
        (SendersMode.Internal, 3, 10, 354, 88, 287, 92),
        (SendersMode.Internal, 3, 1_000, 350, 87, 291, 92),
        (SendersMode.Internal, 3, 10_000, 286, 79, 287, 92),
        (SendersMode.Internal, 5, 10, 439, 93, 294, 92),
        (SendersMode.Internal, 5, 1_000, 406, 87, 283, 93),
        (SendersMode.Internal, 5, 10_000, 340, 86, 271, 92),
        (SendersMode.External, 1, 10, 4, 6, 4, 5),
        (SendersMode.External, 1, 1_000, 4, 6, 4, 5),
        (SendersMode.External, 1, 10_000, 4, 7, 4, 5),
        (SendersMode.External, 3, 10, 78, 83, 88, 86),
        (SendersMode.External, 3, 1_000, 87, 86, 77, 69),
        (SendersMode.External, 3, 10_000, 78, 88, 78, 89),
        (SendersMode.External, 5, 10, 100, 99, 107, 100),
        (SendersMode.External, 5, 1_000, 100, 98, 101, 100),
        (SendersMode.External, 5, 10_000, 101, 99, 106, 99),
    ];

    /// <summary>Tables 8 and 9: what accumulated on one machine and was then sent to another over Fast Ethernet. Percentages of one processor, and of
    /// the network.</summary>
    internal static readonly IReadOnlyList<(
        SendersMode Mode, int ByteCount, double Rate, double SendCpu, double ReceiveCpu, double Network)> Networked =
    [
        (SendersMode.Express, 200, 2_064, 100, 57, 8),
        (SendersMode.Express, 1_000, 1_867, 100, 70, 21),
        (SendersMode.Express, 2_000, 1_720, 92, 87, 30),
        (SendersMode.Express, 4_000, 1_196, 79, 91, 41),
        (SendersMode.Recoverable, 200, 1_032, 49, 35, 3),
        (SendersMode.Recoverable, 1_000, 966, 52, 43, 10),
        (SendersMode.Recoverable, 2_000, 860, 57, 51, 16),
        (SendersMode.Recoverable, 4_000, 760, 56, 61, 27),
    ];

    /// <summary>The least header of MSMQ 1.0, in bytes, and the usual one: the study counts memory as messages times the size and this.</summary>
    internal const int MinHeaderByteCount = 136;

    /// <summary>The usual one.</summary>
    internal const int HeaderByteCount = 150;

    /// <summary>The study's figures for a case; null where it has none.</summary>
    internal static StudyRates? Of(SendersCase item)
    {
        if (!item.IsPlain || item.Receivers != item.Threads)
            return null;
        foreach ((SendersMode mode, int threads, int byteCount, double sent, double sendCpu, double received, double receiveCpu) in Figures)
        {
            if (mode == item.Mode && threads == item.Threads && byteCount == item.ByteCount)
                return new StudyRates(sent, sendCpu, received, receiveCpu);
        }

        return null;
    }

    /// <summary>The ratio of two sends of the study.</summary>
    internal static double Sends(SendersCase one, SendersCase other) => Of(one)!.Sent / Of(other)!.Sent;

    /// <summary>The ratio of two receives of the study.</summary>
    internal static double Receives(SendersCase one, SendersCase other) => Of(one)!.Received / Of(other)!.Received;

    internal static IReadOnlyList<int> SizesOf(SendersMode mode) =>
        [.. Figures.Where(figure => figure.Mode == mode).Select(figure => figure.ByteCount).Distinct()];

    internal static IReadOnlyList<int> ThreadsOf(SendersMode mode) =>
        [.. Figures.Where(figure => figure.Mode == mode).Select(figure => figure.Threads).Distinct()];
}

/// <summary>The study's figures of a case.</summary>
/// <param name="Sent">Messages sent a second.</param>
/// <param name="SendCpuPercent">The CPU's utilization meanwhile.</param>
/// <param name="Received">Messages received a second.</param>
/// <param name="ReceiveCpuPercent">The CPU's utilization meanwhile.</param>
internal sealed record StudyRates(double Sent, double SendCpuPercent, double Received, double ReceiveCpuPercent);
