using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using Formatters.Bench.Diff;
using Formatters.Bench.Reports;
using Formatters.Bench.Rows;
using Formatters.Bench.Senders;

namespace Formatters.Bench.Report;

/// <summary>Makes the charts of a result file from its series, by the verb that wrote it.</summary>
internal static class ChartBuilder
{
    private const string Send = "send";
    private const string Receive = "receive";
    private const string Here = "messages a second; more is better";

    /// <summary>Makes them.</summary>
    internal static IReadOnlyList<Chart> Build(ResultFile file)
    {
        Part[] parts = [.. file.Series!.Select(series => new Part(series, series.Name.Split('/')))];
        return file.Verb switch
        {
            "compare" => [.. parts.GroupBy(part => part.Names[0]).Select(group => Both($"{group.Key}: formatters over a queue", [.. group], 1, group.Key == "order" ? StudyOfCompare : null))],
            "matrix" => [.. parts.GroupBy(part => $"{part.Names[0]}, {part.Names[1]}").Select(group => Both(group.Key, [.. group], 2, null))],
            "perftest" => [.. parts.GroupBy(part => $"{part.Names[0]}, {part.Names[1].ToLowerInvariant()}").Select(group => Bars(group.Key, [.. group], part => string.Join('/', part.Names.Skip(2))))],
            "limits" => [.. parts.GroupBy(part => part.Names[0]).SelectMany(Limits)],
            "senders" => [.. parts.GroupBy(part => part.Names[0]).SelectMany(Senders)],
            // Names begin with the delivery mode: "express, 10k".
            "factors" => [.. parts.GroupBy(part => part.Names[0].Split(',')[0]).Select(group => Bars($"{group.Key}: one producer, one consumer", [.. group], part => part.Series.Name))],
            _ => [.. parts.GroupBy(part => (part.Names[0], part.Series.Unit)).Select(group => Bars(group.Key.Item1, [.. group], part => string.Join('/', part.Names.Skip(1))))],
        };
    }

    /// <summary>Sending beside receiving, a row each formatter.</summary>
    private static Chart Both(string title, IReadOnlyList<Part> parts, int depth, Func<string, string, double?>? study)
    {
        string[] formatters = [.. parts.Select(part => part.Names[depth]).Distinct()];
        List<ChartLine> lines = [.. new[] { Send, Receive }.Select(way => new ChartLine(way, [.. formatters.Select(name => Find(parts, [.. parts[0].Names.Take(depth), name, way]))]))];
        if (study is not null)
        {
            lines.AddRange(new[] { Send, Receive }.Select(way => new ChartLine(
                "2004, " + way, [.. formatters.Select(name => study(name, way) is { } rate ? ChartPoint.Of(rate) : null)], IsStudy: true)));
        }

        return new Chart(title, Caption(Here, study is null ? null : "the study of 2004"), Series.MessagesPerSecond, formatters, lines);
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
            title, Caption($"{unit}; {better}", null), unit, [.. parts.Select(part => nameOf(part) is { Length: > 0 } name ? name : title)], [new ChartLine(unit, [.. parts.Select(part => ChartPoint.Of(part.Series.Rounds))])]);
    }

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
            yield return new Chart($"{queue.Key}: senders share flushes", Caption(Here, null), Series.MessagesPerSecond, senders, lines, "senders at once");
        }

        foreach (IGrouping<string, Part> rest in queue.Except(recoverable.Length > 1 ? recoverable : []).Where(part => part.Names is not [_, "disk"]).GroupBy(part => part.Series.Unit))
            yield return Bars($"{queue.Key}: {(rest.Key == Series.MessagesPerSecond ? "one sender and one receiver" : "opening its log")}", [.. rest], part => string.Join(", ", part.Names.Skip(1)));
    }

    /// <summary>Names are <c>product/mode/threads/bytes[/…]/send</c>.</summary>
    private static IEnumerable<Chart> Senders(IGrouping<string, Part> queue)
    {
        Part[] plain = [.. queue.Where(part => part.Names is [_, _, _, _, Send or Receive])];
        string usual = Study.UsualByteCount.ToString(CultureInfo.InvariantCulture);
        Part[] curve = [.. plain.Where(part => part.Names[1] == "recoverable" && part.Names[3] == usual && part.Names[4] == Send).OrderBy(part => Number(part.Names[2]))];
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
                    new ChartLine("here", [.. curve.Select(part => Measurement.RateRatio.Paired(part.Series.Rounds, one) is { } ratio ? new ChartPoint(ratio.Value, ratio.Low, ratio.High) : null)]),
                    new ChartLine("1998, one disk", [.. threads.Select(text => OfCurve(text, static disks => disks.OneDisk))], IsStudy: true),
                    new ChartLine("1998, three disks", [.. threads.Select(text => OfCurve(text, static disks => disks.ThreeDisks))], IsStudy: true),
                ],
                "senders at once");
        }

        foreach (IGrouping<string, Part> mode in plain.GroupBy(part => part.Names[1]))
        {
            Part[] cases = [.. mode.Where(part => part.Names[4] == Send).OrderBy(part => Number(part.Names[2])).ThenBy(part => Number(part.Names[3]))];
            List<ChartLine> lines = [.. new[] { Send, Receive }.Select(way => new ChartLine(way, [.. cases.Select(part => Find([.. mode], [.. part.Names.Take(4), way]))]))];
            lines.AddRange(new[] { Send, Receive }.Select(way => new ChartLine("1998, " + way, [.. cases.Select(part => OfStudy(part, way))], IsStudy: true)));
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
        if (!Enum.TryParse(part.Names[1], ignoreCase: true, out SendersMode mode) || Study.Of(new SendersCase(mode, Number(part.Names[2]), Number(part.Names[3]))) is not { } study)
            return null;
        return ChartPoint.Of(way == Send ? study.Sent : study.Received);
    }

    private static ChartPoint? Find(IReadOnlyList<Part> parts, string[] names) => parts.FirstOrDefault(part => part.Names.SequenceEqual(names)) is { } found ? ChartPoint.Of(found.Series.Rounds) : null;

    private static int Number(string text) => int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out int number) ? number : 0;

    private static string Caption(string what, string? study) =>
        $"{char.ToUpperInvariant(what[0])}{what[1..]}. The thin line is the interval of 95 %." + (study is null ? "" : $" Hollow marks: {study}, on its machine.");

    private sealed record Part(Series Series, string[] Names);
}
