using Formatters.Bench.Perftest;

namespace Formatters.Bench.Report;

/// <summary>Charts that belong together, and do not come from one file.</summary>
/// <param name="Heading">What stands above them.</param>
internal sealed record FigureGroup(string Heading, string Introduction, IReadOnlyList<Chart> Charts);

/// <summary>Figures 1 to 14 of <i>System.Messaging Performance</i> (2004), from the files of <c>perftest</c> and <c>compare</c> over one queue, with
/// the study's points beside them.</summary>
internal static class ArticleFigures
{
    private const string Remote = ", remote";

    private static readonly string[] Modes = ["express", "recoverable", "transactional"];

    /// <summary>A figure whose bars stand by kind of messages.</summary>
    private sealed record Figure(int Number, string Title, PerftestOperation Operation, string Message,
        IReadOnlyList<(string Name, string Payload)> Lines, IReadOnlyList<string> StudyColumns);

    private static readonly Figure[] ByMode =
    [
        new(1, "Enqueuing empty messages", PerftestOperation.SendAndPurge, "empty", [("here", Payloads.EmptyName)], [AppendixA.Net, AppendixA.Com]),
        new(2, "Dequeuing empty messages", PerftestOperation.SendAndReceive, "empty", [("here", Payloads.EmptyName)], [AppendixA.Net, AppendixA.Com]),
        new(3, "Complete processing of empty messages", PerftestOperation.Client, "empty", [("here", Payloads.EmptyName)],
            [AppendixA.Net, AppendixA.Com]),
        new(7, "Serialization, enqueuing", PerftestOperation.SendAndPurge, "order", Serialization, [AppendixA.Net, AppendixA.Com]),
        new(8, "Serialization, dequeuing", PerftestOperation.SendAndReceive, "order", Serialization, [AppendixA.Net, AppendixA.Com]),
        new(
            9, "Serialization by hand, enqueuing", PerftestOperation.SendAndPurge, "order", ByHand,
            [AppendixA.Net, AppendixA.Com, AppendixA.Optimized]),
        new(
            10, "Serialization by hand, dequeuing", PerftestOperation.SendAndReceive, "order", ByHand,
            [AppendixA.Net, AppendixA.Com, AppendixA.Optimized]),
        new(11, "Formatters, enqueuing", PerftestOperation.SendAndPurge, "order", XmlAndBinary, [AppendixA.Binary, AppendixA.Xml]),
        new(12, "Formatters, complete processing", PerftestOperation.Client, "order", XmlAndBinary, []),
        new(13, "COM-compatible messages (an Int32), enqueuing", PerftestOperation.SendAndPurge, "Int32", Int32s, []),
        new(14, "COM-compatible messages (an Int32), dequeuing", PerftestOperation.SendAndReceive, "Int32", Int32s, []),
    ];

    private static readonly (int Number, string Title, PerftestOperation Operation)[] BySize =
    [
        (4, "Enqueuing strings, express", PerftestOperation.SendAndPurge),
        (5, "Dequeuing strings, express", PerftestOperation.SendAndReceive),
        (6, "Complete processing of strings, express", PerftestOperation.Client),
    ];

    private static IReadOnlyList<(string, string)> Serialization =>
        [("BinaryFormatter", Payloads.OrderName(OrderFormatterRows.Legacy)),
            ("persist stream", Payloads.OrderName(OrderFormatterRows.PersistStream))];

    private static IReadOnlyList<(string, string)> ByHand =>
        [.. Serialization, ("hand-coded", Payloads.OrderName(OrderFormatterRows.HandCoded)), ("generated", Payloads.OrderName("generated"))];

    private static IReadOnlyList<(string, string)> XmlAndBinary =>
        [("BinaryFormatter", Payloads.OrderName(OrderFormatterRows.Legacy)), ("XML", Payloads.OrderName(OrderFormatterRows.Xml))];

    private static IReadOnlyList<(string, string)> Int32s =>
        [("BinaryFormatter", Payloads.Int32Name(OrderFormatterRows.Legacy)), ("XML", Payloads.Int32Name(OrderFormatterRows.Xml)),
            ("ActiveX", Payloads.Int32Name(Int32FormatterRow.ActiveX))];

    /// <summary>Makes them, a group for each queue that was measured.</summary>
    internal static IReadOnlyList<FigureGroup> Build(IReadOnlyList<ReportSection> results)
    {
        var groups = new List<FigureGroup>();
        foreach (IGrouping<string, ReportSection> queue in results
            .Where(static result => result.File.Verb is "perftest" or "compare" && result.Part.Product is not null)
                .GroupBy(static result => result.Part.Product!))
        {
            Dictionary<string, IReadOnlyList<double>> measured = Measured(queue);
            Chart[] charts = [.. ByMode.Select(figure => (figure.Number, Chart: Draw(figure, measured)))
                .Concat(BySize.Select(figure => (figure.Number, Chart: Draw(figure, measured))))
                .Where(static item => item.Chart is not null).OrderBy(static item => item.Number).Select(static item => item.Chart!)];
            if (charts.Length > 0)
            {
                groups.Add(new FigureGroup(
                    $"Figures 1 to 14 of System.Messaging Performance (2004): {queue.Key}",
                    "The figures of the article, measured here again; hollow marks are its own figures (Appendix A), on "
                        + "two machines of 2.8 GHz with MSMQ 3.0. "
                    + "What is missing here was not measured: perftest NOTX and TX, with SENDANDPURGE (sent), SENDANDRECEIVE "
                    + "(received) and CLIENT (complete), gives all.",
                    charts));
            }
        }

        return groups;
    }

    /// <summary>Collects the rates of one queue by operation, delivery mode and payload. <c>perftest</c> takes precedence over
    /// <c>compare</c>.</summary>
    private static Dictionary<string, IReadOnlyList<double>> Measured(IEnumerable<ReportSection> results)
    {
        var all = new Dictionary<string, IReadOnlyList<double>>(StringComparer.OrdinalIgnoreCase);
        foreach (ReportSection result in results.OrderByDescending(static result => result.File.Verb == "perftest"))
        {
            foreach (Series series in result.File.Series!)
            {
                string[] names = series.Name.Split('/');
                if (result.File.Verb == "perftest")
                    all.TryAdd(series.Name, series.Rounds);
                else if (names is [("order" or "Int32") and var payload, var formatter, var way] && result.Part.OneQueue is { } info)
                    all.TryAdd(Key(way == "send" ? PerftestOperation.SendAndPurge : PerftestOperation.SendAndReceive, info.DeliveryMode,
                        $"{payload} {formatter}"), series.Rounds);
            }
        }

        return all;
    }

    private static string Key(PerftestOperation operation, string mode, string payload) => $"{operation}/{mode}/{payload}";

    private static Chart? Draw(Figure figure, Dictionary<string, IReadOnlyList<double>> measured)
    {
        // The kinds of messages that were measured here, locally or over a network.
        (string Mode, bool IsRemote)[] rows = [.. Modes.SelectMany(static mode => new[] { (mode, false), (mode, true) })
            .Where(row => figure.Lines.Any(line => Find(measured, figure.Operation, row, line.Payload) is not null))];
        if (rows.Length == 0)
            return null;
        ChartLine[] lines =
        [
            .. figure.Lines.Select(line => new ChartLine(line.Name, [.. rows.Select(row => Find(measured, figure.Operation, row, line.Payload))]))
                .Where(static line => line.Points.Any(static point => point is not null)),
            .. figure.StudyColumns.Select(column => new ChartLine(
                $"2004, {column}", [.. rows.Select(row =>
                    AppendixA.All.FirstOrDefault(item => item.Operation == figure.Operation && item.Message == figure.Message && item.Column == column
                    && item.IsRemote == row.IsRemote
                    && item.Mode.ToString().Equals(row.Mode, StringComparison.OrdinalIgnoreCase)) is { } found ? ChartPoint.Of(found.Rate) : null)],
                        IsStudy: true)),
        ];
        return new Chart(
            $"Figure {figure.Number}. {figure.Title}",
            Caption(figure.StudyColumns.Count > 0,
                figure.Number == 12 ? " The article gives only a ratio: binary completes 77 % more than XML, express." : ""),
            Series.MessagesPerSecond,
            [.. rows.Select(static row => row.Mode + (row.IsRemote ? Remote : ""))],
            lines);
    }

    private static Chart? Draw((int Number, string Title, PerftestOperation Operation) figure, Dictionary<string, IReadOnlyList<double>> measured)
    {
        int[] lengths = [.. Payloads.StringLengths
            .Where(length => Find(measured, figure.Operation, ("express", false), Payloads.StringName(length)) is not null)];
        if (lengths.Length < 2)
            return null;
        ChartLine Study(string column) => new(
            $"2004, {column}",
            [.. lengths.Select(length =>
                AppendixA.All.FirstOrDefault(item => item.Operation == figure.Operation && item.Mode == DeliveryMode.Express
                    && item.Message == Payloads.StringName(length) && item.Column == column) is { } found
                ? ChartPoint.Of(found.Rate)
                : null)],
            IsStudy: true);
        ChartLine remote = new(
            "here, remote", [.. lengths.Select(length => Find(measured, figure.Operation, ("express", true), Payloads.StringName(length)))]);
        return new Chart(
            $"Figure {figure.Number}. {figure.Title}",
            Caption(true, figure.Number == 6 ? " Those of the study were received on a second machine." : ""),
            Series.MessagesPerSecond,
            [.. lengths.Select(static length => length.ToString(CultureInfo.InvariantCulture))],
            [
                new ChartLine(
                    "here", [.. lengths.Select(length => Find(measured, figure.Operation, ("express", false), Payloads.StringName(length)))]),
                .. remote.Points.Any(static point => point is not null) ? new[] { remote } : [],
                Study(AppendixA.Net),
                Study(AppendixA.Com),
            ],
            "characters");
    }

    private static ChartPoint? Find(Dictionary<string, IReadOnlyList<double>> measured, PerftestOperation operation, (string Mode, bool IsRemote) row,
        string payload) =>
        measured.TryGetValue(Key(operation, row.Mode, payload + (row.IsRemote ? Remote : "")), out IReadOnlyList<double>? rounds)
            ? ChartPoint.Of(rounds)
            : null;

    private static string Caption(bool hasStudy, string further) =>
        ChartBuilder.Caption("messages a second; more is better", hasStudy ? "the study of 2004" : null) + further;
}
