using Formatters.Bench.Own;
using Formatters.Bench.Peers;

namespace Formatters.Bench.Compare;

/// <summary>The five lines with which <c>compare</c> begins: which format to take here.</summary>
internal static class CompareAnswer
{
    private const int MaxNames = 4;

    /// <summary>A format of this library and a peer, of the same or the nearest wire format.</summary>
    private static readonly (string Ours, string Peer)[] Pairs =
    [
        (OrderFormatterRows.MessagePack, MessagePackCSharpPeer.RowName), (OrderFormatterRows.Generated, "MemoryPack"),
        (OrderFormatterRows.Protobuf, "protobuf-net"), (OrderFormatterRows.Json, "System.Text.Json"),
    ];

    /// <summary>Creates the lines: a label, and a sentence.</summary>
    internal static IReadOnlyList<(string Label, string Text)> Of(CompareReport report)
    {
        // What reads old bodies is not a format to choose.
        CompareRow[] rows =
            [.. report.Orders.Where(static row => row.Formatter is not (OrderFormatterRows.Legacy or OrderFormatterRows.LegacyBinary))];
        if (rows.Length == 0)
            rows = [.. report.Orders];
        CompareRow fastest = rows.MaxBy(Rate)!, smallest = rows.MinBy(static row => row.BodyBytes)!;
        CompareRow? changing = rows.Where(static row => row.CanChange == true).MaxBy(Rate);
        string[] equal = [.. rows.Where(row => row != fastest && Findings.Judge(Ratio(row, fastest)) is not Verdict.DoesNotHold)
            .OrderByDescending(Rate).Select(static row => row.Formatter)];
        return
        [
            ("fastest", $"{Describe(fastest)}: {Numbers.Rate(fastest.Send.Median)} sent/s, {Numbers.Rate(fastest.Receive.Median)} received/s."
                + (equal.Length == 0 ? "" : $" Not slower beyond doubt: {List(equal)}.")),
            ("types change", changing is null ? "no such format was measured."
                : $"{Describe(changing)}: members can be added and removed; {AsFast(changing, fastest)}"),
            ("smallest", $"{Describe(smallest)}: {Numbers.Count(smallest.BodyBytes)} bytes, where the fastest has "
                + $"{Numbers.Count(fastest.BodyBytes)}; {AsFast(smallest, fastest)}"),
            ("beside others", Beside(report.Orders)),
            ("trust", Trust(report)),
        ];
    }

    /// <summary>Determines whether readers may have other members than writers; null if that is not known, as of a formatter of the user's.</summary>
    internal static bool? CanChange(string formatter) => formatter switch
    {
        OrderFormatterRows.HandCoded or OrderFormatterRows.ClassicBinaryWriter or OrderFormatterRows.Bridge or OrderFormatterRows.PersistStream
            or OrderFormatterRows.Reflection or OrderFormatterRows.Generated => false,
        _ => Peer.All.FirstOrDefault(peer => peer.Name == formatter)?.CanChange ?? true,
    };

    /// <summary>Messages a second that one thread sends and then receives.</summary>
    internal static double Rate(CompareRow row) => Rate(row.Send.Median, row.Receive.Median);

    private static double Rate(double send, double receive) => 1 / ((1 / send) + (1 / receive));

    private static RateRatio Ratio(CompareRow row, CompareRow other) => RateRatio.Paired(Rates(row), Rates(other))!;

    private static IEnumerable<double> Rates(CompareRow row) => row.SendRounds.Zip(row.ReceiveRounds, Rate);

    private static string AsFast(CompareRow row, CompareRow fastest) =>
        row == fastest ? "it is the fastest." : $"{RatioText.Value(Ratio(row, fastest))} as fast as the fastest.";

    private static string Describe(CompareRow row) => RowOwners.IsOurs(row.Formatter) ? row.Formatter : $"{row.Formatter} (not ours)";

    private static string Beside(IReadOnlyList<CompareRow> rows)
    {
        string[] parts = [.. Pairs
            .Select(pair => (Ours: Find(pair.Ours), Peer: Find(pair.Peer)))
            .Where(static pair => pair is { Ours: not null, Peer: not null })
            .Select(static pair => (pair.Ours, pair.Peer, Ratio: Ratio(pair.Ours!, pair.Peer!)))
            .Select(static pair => $"{pair.Ours!.Formatter} {RatioText.Value(pair.Ratio)} as fast as {pair.Peer!.Formatter}"
                + (Findings.Judge(pair.Ratio) == Verdict.Undecided ? " (undecided)" : ""))];
        return parts.Length == 0 ? "no pair of a format of ours and a peer was measured." : string.Join(", ", parts) + ".";

        CompareRow? Find(string name) => rows.FirstOrDefault(row => row.Formatter == name);
    }

    private static string Trust(CompareReport report)
    {
        int rounds = report.Orders[0].Send.Count;
        if (rounds < Findings.MinRounds)
            return $"little: {Numbers.Count(rounds, "round")}, and fewer than {Findings.MinRounds} decide nothing.";
        double noise = report.Orders.SelectMany(static row => new[] { row.SendRatio, row.ReceiveRatio }).Max(static ratio => ratio?.Noise ?? 0);
        return $"{Numbers.Count(rounds, "round")}, noise up to {Numbers.Percent(noise)}: "
            + (noise > CompareText.NoisyAbove ? "the machine was disturbed, so do not trust small differences." : "a smaller difference is none.");
    }

    private static string List(string[] names) =>
        string.Join(", ", names.Take(MaxNames)) + (names.Length > MaxNames ? $" and {Numbers.Count(names.Length - MaxNames)} more" : "");
}
