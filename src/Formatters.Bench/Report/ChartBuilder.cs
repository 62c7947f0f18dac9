using Formatters.Bench.Diff;
using Formatters.Bench.Factors;
using Formatters.Bench.Own;
using Formatters.Bench.Senders;

namespace Formatters.Bench.Report;

/// <summary>Makes the charts of a result file from its series, by the verb that wrote it.</summary>
internal static class ChartBuilder
{
    private const string Send = "send";
    private const string Receive = "receive";
    private const string Write = "write";
    private const string Read = "read";
    private const string Here = "messages a second; more is better";

    /// <param name="file">The verb and its series.</param>
    /// <param name="part">What its file holds beside them.</param>
    internal static IReadOnlyList<Chart> Build(ResultFile file, ReportPart? part = null)
    {
        Part[] parts = [.. file.Series!.Select(series => new Part(series, series.Name.Split('/')))];
        return file.Verb switch
        {
            "compare" =>
                [.. parts.GroupBy(part => part.Names[0])
                    .Select(group => Both($"{group.Key}: formatters over a queue", [.. group], 1, group.Key == "order" ? StudyOfCompare : null))],
            "matrix" => [.. parts.GroupBy(part => $"{part.Names[0]}, {part.Names[1]}").Select(group => Both(group.Key, [.. group], 2, null))],
            "perftest" =>
                [.. parts.GroupBy(part => $"{part.Names[0]}, {part.Names[1].ToLowerInvariant()}")
                    .Select(group => Bars(group.Key, [.. group], part => string.Join('/', part.Names.Skip(2))))],
            "limits" => [.. parts.GroupBy(part => part.Names[0]).SelectMany(Limits)],
            "senders" => [.. parts.GroupBy(part => part.Names[0]).SelectMany(Senders)],
            // Names begin with the delivery mode: "express, 10k".
            "factors" =>
                [.. Claims(part?.Claims),
                    .. parts.GroupBy(part => part.Names[0].Split(',')[0])
                        .Select(group => Bars($"{group.Key}: one producer, one consumer", [.. group], part => part.Series.Name))],
            "own" => Own(parts),
            "throughput --type" =>
                [.. parts.GroupBy(part => part.Names[0]).Select(group => Both($"{group.Key}: formatters over a queue", [.. group], 1, null))],
            "throughput" when part?.Summary is not null => [.. ThroughputCharts.Build(part)],
            "throughput --ramp" when part?.Steps is not null => [.. ThroughputCharts.BuildRamp(part.Steps)],
            "engine" when part is { Result: { } result, Figures: null or { Count: 0 } } => [.. EngineCharts.Build(result)],
            ResultFile.BenchmarkDotNet => [.. Benchmarks(parts)],
            _ => [.. Others(parts)],
        };
    }

    /// <summary>Bars of what no verb above knows, by the first part of the name and the unit.</summary>
    private static IEnumerable<Chart> Others(IReadOnlyList<Part> parts) =>
        parts.GroupBy(static part => (Name: part.Names[0], part.Series.Unit)).Select(group => Bars(
        parts.Any(part => part.Names[0] == group.Key.Name && part.Series.Unit != group.Key.Unit)
            ? $"{group.Key.Name}: {InWords(group.Key.Unit)}"
            : group.Key.Name,
        [.. group],
        part => string.Join('/', part.Names.Skip(1))));

    /// <summary>Names are <c>own/formatter/operation</c>.</summary>
    private static List<Chart> Own(Part[] parts)
    {
        Part[] alone = [.. parts.Where(part => part.Names[^1] is Write or Read)];
        if (parts.Length == 0)
            return [];
        string[] formatters = [.. alone.GroupBy(part => part.Names[1]).OrderBy(static group => group.Average(Median))
            .Select(static group => group.Key)];
        List<Chart> charts = [Both("over the queue", [.. parts.Except(alone)], 1, null)];
        if (formatters.Length > 0)
        {
            charts.Insert(0, new Chart(
                "to write and to read a body",
                Caption("nanoseconds, without a queue; less is better", null),
                "ns",
                formatters,
                [.. new[] { Write, Read }.Select(way =>
                    new ChartLine(way, [.. formatters.Select(name => Find(alone, [alone[0].Names[0], name, way]))]))])
            {
                Ours = OursOf(formatters),
            });
        }

        return charts;
    }

    /// <summary>Ratios of the claims of <c>factors</c>, beside the study's.</summary>
    private static IEnumerable<Chart> Claims(IReadOnlyList<ClaimRow>? claims)
    {
        ClaimRow[] drawn = [.. (claims ?? []).Where(claim => claim.Ratio is not null)];
        if (drawn.Length == 0)
            yield break;
        yield return new Chart(
            "ratios of the claims",
            Caption("the ratio that each claim is about", "the study of 2002"),
            "ratio",
            [.. drawn.Select(claim => claim.Text)],
            [
                new ChartLine("here", [.. drawn.Select(claim => new ChartPoint(claim.Ratio!.Value, claim.Ratio.Low, claim.Ratio.High))]),
                new ChartLine("2002", [.. drawn.Select(claim => claim.StudyRatio is { } ratio ? ChartPoint.Of(ratio) : null)], IsStudy: true),
            ]);
    }

    /// <summary>Names are <c>type[/parameters]/method[/allocated]</c>: a chart for each type and unit, or several where it has many
    /// benchmarks.</summary>
    private static IEnumerable<Chart> Benchmarks(IReadOnlyList<Part> parts)
    {
        const int MaxRows = 40;
        foreach (IGrouping<(string Type, string Unit), Part> group in parts.GroupBy(part => (part.Names[0], part.Series.Unit)))
        {
            Part[][] pieces = group.Count() <= MaxRows
                ? [[.. group]]
                : [.. group.GroupBy(part => part.Names.Length > 2 ? part.Names[1].Split(',')[0] : "")
                    .SelectMany(static piece => piece.Chunk(MaxRows))];
            foreach (Part[] piece in pieces)
            {
                string which = pieces.Length > 1 && piece[0].Names.Length > 2 ? ", " + piece[0].Names[1].Split(',')[0] : "";
                string what = group.Key.Unit == "B" ? "bytes allocated" : "time of an operation";
                yield return Bars(
                    $"{group.Key.Type}{which}: {what}", piece,
                    part => string.Join(", ", part.Names.Skip(1).Where(static name => name != "allocated")));
            }
        }
    }

    /// <summary>Sending beside receiving, a row each formatter.</summary>
    private static Chart Both(string title, IReadOnlyList<Part> parts, int depth, Func<string, string, double?>? study)
    {
        // The fastest first: by the time to send and to receive a message.
        string[] formatters = [.. parts.GroupBy(part => part.Names[depth]).OrderBy(static group => group.Average(static part => 1 / Median(part)))
            .Select(static group => group.Key)];
        List<ChartLine> lines = [.. new[] { Send,
            Receive }.Select(way => new ChartLine(way, [.. formatters.Select(name => Find(parts, [.. parts[0].Names.Take(depth), name, way]))]))];
        if (study is not null)
        {
            lines.AddRange(new[] { Send, Receive }.Select(way => new ChartLine(
                "2004, " + way, [.. formatters.Select(name => study(name, way) is { } rate ? ChartPoint.Of(rate) : null)], IsStudy: true)));
        }

        return new Chart(title, Caption(Here, study is null ? null : "the study of 2004"), Series.MessagesPerSecond, formatters, lines)
        {
            Ours = OursOf(formatters),
        };
    }

    private static double? StudyOfCompare(string formatter, string way) => (formatter, way) switch
    {
        (OrderFormatterRows.HandCoded, Send) => Compare.Study.HandCodedSend,
        (OrderFormatterRows.HandCoded, Receive) => Compare.Study.HandCodedReceive,
        (OrderFormatterRows.Legacy, Send) => Compare.Study.BinarySend,
        (OrderFormatterRows.Legacy, Receive) => Compare.Study.BinaryReceive,
        (OrderFormatterRows.Xml, Send) => Compare.Study.XmlSend,
        (OrderFormatterRows.Xml, Receive) => Compare.Study.XmlReceive,
        _ => null,
    };

    private static Chart Bars(string title, IReadOnlyList<Part> parts, Func<Part, string> nameOf)
    {
        string unit = parts[0].Series.Unit;
        string better = parts[0].Series.IsHigherBetter ? "more is better" : "less is better";
        return new Chart(
            title, Caption($"{InWords(unit)}; {better}", null), unit, [.. parts.Select(part => nameOf(part) is { Length: > 0 } name ? name : title)],
            [new ChartLine(unit, [.. parts.Select(part => ChartPoint.Of(part.Series.Rounds))])]);
    }

    private static string InWords(string unit) => unit switch
    {
        Series.MessagesPerSecond => "messages a second",
        "us/msg" => "microseconds a message",
        "us" => "microseconds",
        "ms" => "milliseconds",
        _ => unit,
    };

    /// <summary>Names are <c>product/mode/senders+receivers/bytes</c>.</summary>
    private static IEnumerable<Chart> Limits(IGrouping<string, Part> queue)
    {
        Part[] recoverable = [.. queue.Where(part => part.Names is [_, "recoverable", _, _])];
        if (recoverable.Length > 1)
        {
            string[] senders = [.. recoverable.Select(part => part.Names[2].Split('+')[0])];
            List<ChartLine> lines = [new ChartLine("sent and on disk", [.. recoverable.Select(part => ChartPoint.Of(part.Series.Rounds))])];
            if (queue.FirstOrDefault(part => part.Names is [_, "disk"]) is { } disk && ChartPoint.Of(disk.Series.Rounds) is { } flushes)
                lines.Add(new ChartLine("flushes of the disk alone", [.. senders.Select(_ => flushes)]));
            yield return new Chart($"{queue.Key}: senders share flushes", Caption(Here, null), Series.MessagesPerSecond, senders, lines,
                "senders at once");
        }

        foreach (IGrouping<string, Part> rest in queue.Except(recoverable.Length > 1 ? recoverable : []).Where(part => part.Names is not [_, "disk"])
            .GroupBy(part => part.Series.Unit))
            yield return Bars($"{queue.Key}: {(rest.Key == Series.MessagesPerSecond ? "one sender and one receiver" : "opening its log")}", [.. rest],
                part => string.Join(", ", part.Names.Skip(1)));
    }

    /// <summary>Names are <c>product/mode/threads/bytes[/…]/send</c>.</summary>
    private static IEnumerable<Chart> Senders(IGrouping<string, Part> queue)
    {
        Part[] plain = [.. queue.Where(part => part.Names is [_, _, _, _, Send or Receive])];
        string usual = Study.UsualByteCount.ToString(CultureInfo.InvariantCulture);
        Part[] curve = [.. plain.Where(part => part.Names[1] == "recoverable" && part.Names[3] == usual && part.Names[4] == Send)
            .OrderBy(part => Number(part.Names[2]))];
        if (curve.Length > 2 && curve[0].Names[2] == "1")
        {
            IReadOnlyList<double> one = curve[0].Series.Rounds;
            string[] threads = [.. curve.Select(part => part.Names[2])];
            yield return new Chart(
                $"{queue.Key}: what more senders gain (table 7)",
                Caption("times what one sender sends, recoverable, 1,000 bytes", "the study of 1998, with one disk and with three"),
                "times one",
                threads,
                [
                    new ChartLine(
                        "here", [.. curve.Select(part => Measurement.RateRatio.Paired(part.Series.Rounds, one) is { } ratio
                            ? new ChartPoint(ratio.Value, ratio.Low, ratio.High) : null)]),
                    new ChartLine("1998, one disk", [.. threads.Select(text => OfCurve(text, static disks => disks.OneDisk))], IsStudy: true),
                    new ChartLine("1998, three disks", [.. threads.Select(text => OfCurve(text, static disks => disks.ThreeDisks))], IsStudy: true),
                ],
                "senders at once");
        }

        foreach (IGrouping<string, Part> mode in plain.GroupBy(part => part.Names[1]))
        {
            Part[] cases =
                [.. mode.Where(part => part.Names[4] == Send).OrderBy(part => Number(part.Names[2])).ThenBy(part => Number(part.Names[3]))];
            List<ChartLine> lines = [.. new[] { Send,
                Receive }.Select(way => new ChartLine(way, [.. cases.Select(part => Find([.. mode], [.. part.Names.Take(4), way]))]))];
            lines.AddRange(new[] { Send,
                Receive }.Select(way => new ChartLine("1998, " + way, [.. cases.Select(part => OfStudy(part, way))], IsStudy: true)));
            yield return new Chart(
                $"{queue.Key}: {mode.Key}",
                Caption(Here, "the study of 1998"),
                Series.MessagesPerSecond,
                [.. cases.Select(part => $"{part.Names[2]} × {Numbers.Count(Number(part.Names[3]))} bytes")],
                lines);
        }
    }

    private static ChartPoint? OfCurve(string threads, Func<(double OneDisk, double ThreeDisks), double> disks) =>
        Study.Curve.TryGetValue(Number(threads), out (double, double) rates) ? ChartPoint.Of(disks(rates) / disks(Study.Curve[1])) : null;

    private static ChartPoint? OfStudy(Part part, string way)
    {
        if (!Enum.TryParse(part.Names[1], ignoreCase: true, out SendersMode mode)
            || Study.Of(new SendersCase(mode, Number(part.Names[2]), Number(part.Names[3]))) is not { } study)
            return null;
        return ChartPoint.Of(way == Send ? study.Sent : study.Received);
    }

    private static ChartPoint? Find(IReadOnlyList<Part> parts, string[] names) =>
        parts.FirstOrDefault(part => part.Names.SequenceEqual(names)) is { } found ? ChartPoint.Of(found.Series.Rounds) : null;

    private static double Median(Part part) => ChartPoint.Of(part.Series.Rounds)?.Value ?? 0;

    private static string[] OursOf(IEnumerable<string> formatters) => [.. formatters.Where(RowOwners.IsOurs)];

    private static int Number(string text) => int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out int number) ? number : 0;

    internal static string Caption(string what, string? study) =>
        $"{char.ToUpperInvariant(what[0])}{what[1..]}. The thin line is the interval of the rounds; with an arrow, it goes on."
            + (study is null ? "" : $" Hollow marks: {study}, on its machine.");

    private sealed record Part(Series Series, string[] Names);
}
