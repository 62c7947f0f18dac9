using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Net;
using System.Text.Json;
using Formatters.Bench.Compare;
using Formatters.Bench.Diff;
using Formatters.Bench.Measurement;
using Formatters.Bench.Reports;

namespace Formatters.Bench.Report;

/// <summary>Writes result files as one HTML page that needs nothing else: no script, no font, no request.</summary>
internal static class ReportPage
{
    private const string Style =
        """
        :root { color-scheme: light dark; --page: #fbfaf8; --card: #ffffff; --text: #1d2330; --soft: #565e6e; --rule: #dcd9d2; --c1: #1f5fbf; --c2: #b4570a; --mark: #1d2330; --in: #ffffff }
        @media (prefers-color-scheme: dark) { :root { --page: #14171d; --card: #1c2028; --text: #e9ebf0; --soft: #aab2c0; --rule: #363c48; --c1: #6aa6ff; --c2: #f2a35a; --mark: #ffffff; --in: #10141b } }
        * { box-sizing: border-box }
        body { margin: 0; background: var(--page); color: var(--text); font: 16px/1.5 system-ui, "Segoe UI", Roboto, "Helvetica Neue", sans-serif }
        header, main, footer { max-width: 1240px; margin: 0 auto; padding: 16px }
        h1 { font-size: 1.7rem; line-height: 1.2; margin: 16px 0 4px }
        h2 { font-size: 1.3rem; margin: 40px 0 4px; padding-top: 16px; border-top: 1px solid var(--rule) }
        h3 { font-size: 1rem; margin: 0 0 2px }
        p { margin: 4px 0; max-width: 75ch }
        .soft, figcaption p, caption { color: var(--soft); font-size: .875rem }
        .charts { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 344px), 1fr)); gap: 16px; margin-top: 16px; align-items: start }
        figure { margin: 0; padding: 14px; background: var(--card); border: 1px solid var(--rule); border-radius: 8px; min-width: 0; max-width: 620px }
        svg { display: block; width: 100%; height: auto; margin-top: 6px; font: 11px system-ui, "Segoe UI", Roboto, sans-serif; font-variant-numeric: tabular-nums }
        .legend { display: flex; flex-wrap: wrap; gap: 2px 16px; margin: 6px 0 0; padding: 0; list-style: none; font-size: .8125rem }
        .legend svg { display: inline-block; overflow: visible; width: 14px; height: 10px; margin: 0 6px 0 0; vertical-align: baseline }
        .label { fill: var(--text); font-weight: 600 } .tick { fill: var(--soft); font-size: 10px } .value { fill: var(--text); font-size: 10px } .inside { fill: var(--in) }
        .grid { stroke: var(--rule); stroke-width: 1 } .interval { stroke: var(--text); stroke-width: 1.2 }
        .c1 { fill: var(--c1) } .c2 { fill: var(--c2) } .s1 { stroke: var(--c1); stroke-width: 2 } .s2 { stroke: var(--c2); stroke-width: 2; stroke-dasharray: 6 3 } .stem { opacity: .45 }
        .study { stroke: var(--soft); stroke-width: 1.2; stroke-dasharray: 2 3 } .mark { fill: var(--card); stroke: var(--mark); stroke-width: 1.4 }
        details { margin-top: 8px; font-size: .875rem } summary { cursor: pointer; color: var(--soft) }
        .scroll { overflow-x: auto } table { border-collapse: collapse; font-variant-numeric: tabular-nums; font-size: .8125rem; width: 100% }
        caption { text-align: left } th, td { padding: 3px 8px; border-bottom: 1px solid var(--rule); text-align: right; white-space: nowrap } th:first-child { text-align: left }
        .findings td:last-child, .findings th:last-child { text-align: left } .findings th:first-child { white-space: normal }
        dl { display: grid; grid-template-columns: max-content 1fr; gap: 2px 16px; margin: 8px 0; font-size: .875rem } dt { color: var(--soft) } dd { margin: 0; overflow-wrap: anywhere }
        """;

    /// <summary>Writes the page.</summary>
    /// <param name="output">Where to.</param>
    /// <param name="title">Its title.</param>
    /// <param name="results">The result files, each with its charts.</param>
    internal static void Write(TextWriter output, string title, IReadOnlyList<ReportSection> results)
    {
        Begin(output, title);
        output.WriteLine($"<header><h1>{Encode(title)}</h1>");
        output.WriteLine($"<p class=\"soft\">{Encode($"{ToolInfo.NameAndVersion}; {Numbers.Count(results.Count)} result file{(results.Count == 1 ? "" : "s")}. Each chart has its figures below it.")}</p></header>");
        output.WriteLine("<main>");
        int number = 0;
        foreach (ReportSection result in results)
        {
            output.WriteLine($"<section aria-labelledby=\"s{number}\"><h2 id=\"s{number}\">{Encode(result.Heading)}</h2>");
            WriteRun(output, result);
            WriteFindings(output, result);
            output.WriteLine("<div class=\"charts\">");
            for (int i = 0; i < result.Charts.Count; i++)
                WriteFigure(output, result.Charts[i], $"c{number}-{i}", withFigures: true);
            output.WriteLine("</div></section>");
            number++;
        }

        output.WriteLine("</main>");
        output.WriteLine("</body></html>");
    }

    /// <summary>Writes a page with one chart and nothing else, to be photographed.</summary>
    internal static void WriteOne(TextWriter output, Chart chart)
    {
        Begin(output, chart.Title);
        output.WriteLine("<main style=\"padding:0;max-width:none\">");
        WriteFigure(output, chart, "c", withFigures: false);
        output.WriteLine("</main></body></html>");
    }

    private static void Begin(TextWriter output, string title)
    {
        output.WriteLine("<!DOCTYPE html>");
        output.WriteLine("<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">");
        output.WriteLine("<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">");
        output.WriteLine($"<title>{Encode(title)}</title><style>{Style}</style></head><body>");
    }

    private static void WriteRun(TextWriter output, ReportSection result)
    {
        RunInfo run = result.File.Run!;
        MachineInfo machine = run.Machine;
        output.WriteLine("<dl>");
        Line("command", $"{run.Tool.Split(' ')[0]} {run.CommandLine}");
        Line("when", string.Create(CultureInfo.InvariantCulture, $"{Numbers.Moment(run.StartedAt)}, {run.Seconds:0} s"));
        Line("machine", $"{machine.Processor}, {Numbers.Count(machine.LogicalCores)} logical cores, {Numbers.Gibibytes(machine.MemoryBytes)}; {machine.OperatingSystem}");
        Line("runtime", machine.Runtime);
        if (run is { LoadBefore: { Count: > 0 } before, LoadAfter: { Count: > 0 } after })
            Line("load", string.Create(CultureInfo.InvariantCulture, $"{before[0]:0.00} before, {after[0]:0.00} after"));
        if (run.IsInterrupted)
            Line("interrupted", "ended before it was done: the figures are those of the rounds up to then");
        Line("file", result.FileName);
        output.WriteLine("</dl>");

        void Line(string name, string text) => output.WriteLine($"<dt>{Encode(name)}</dt><dd>{Encode(text)}</dd>");
    }

    private static void WriteFindings(TextWriter output, ReportSection result)
    {
        int number = 0;
        foreach ((string name, IReadOnlyList<Finding> findings) in result.Findings)
        {
            if (findings.Count == 0)
                continue;
            output.WriteLine($"<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"{Encode($"Findings {++number} of {result.Heading}")}\"><table class=\"findings\">");
            output.WriteLine($"<caption>{Encode($"What the study found{(name.Length > 0 ? ", " + name : "")}")}</caption>");
            output.WriteLine("<thead><tr><th scope=\"col\">finding</th><th scope=\"col\">study</th><th scope=\"col\">here</th><th scope=\"col\">interval</th><th scope=\"col\">verdict</th></tr></thead><tbody>");
            foreach (Finding finding in findings)
            {
                string interval = finding.Ratio is { } ratio ? $"{Numbers.Ratio(ratio.Low)} to {Numbers.Ratio(ratio.High)}" : Numbers.None;
                output.WriteLine(
                    $"<tr><th scope=\"row\">{Encode(finding.Text)}</th><td>{Numbers.Ratio(finding.StudyRatio)}</td><td>{Numbers.Ratio(finding.Ratio?.Value)}</td><td>{interval}</td><td>{CompareText.Describe(finding.Verdict)}</td></tr>");
            }

            output.WriteLine("</tbody></table></div>");
        }
    }

    private static void WriteFigure(TextWriter output, Chart chart, string id, bool withFigures)
    {
        output.WriteLine($"<figure><figcaption><h3>{Encode(chart.Title)}</h3><p>{Encode(chart.Caption)}{(chart.IsLogarithmic ? " By powers of ten." : "")}</p></figcaption>");
        if (chart.Lines.Count > 1)
        {
            output.WriteLine("<ul class=\"legend\">");
            int colour = 0;
            foreach (ChartLine line in chart.Lines.Where(line => line.Points.Any(point => point is not null)))
            {
                string key = line.IsStudy ? ChartSvg.MarkOf(chart, line) : $"<rect class=\"c{++colour}\" width=\"14\" height=\"10\" rx=\"2\"/>";
                output.WriteLine($"<li><svg viewBox=\"0 0 14 10\" aria-hidden=\"true\">{key}</svg>{Encode(line.Name)}</li>");
            }

            output.WriteLine("</ul>");
        }

        output.WriteLine(ChartSvg.Draw(chart, id));
        if (withFigures)
            WriteTable(output, chart, id);
        output.WriteLine("</figure>");
    }

    private static void WriteTable(TextWriter output, Chart chart, string id)
    {
        ChartLine[] lines = [.. chart.Lines.Where(line => line.Points.Any(point => point is not null))];
        output.WriteLine($"<details><summary>Figures</summary><div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"{Encode($"Figures of {chart.Title} ({id})")}\"><table>");
        output.WriteLine($"<caption>{Encode(chart.Unit)}, medians; in brackets the interval</caption>");
        output.WriteLine($"<thead><tr><th scope=\"col\">{Encode(chart.Axis ?? "case")}</th>{string.Concat(lines.Select(line => $"<th scope=\"col\">{Encode(line.Name)}</th>"))}</tr></thead><tbody>");
        for (int row = 0; row < chart.Categories.Count; row++)
            output.WriteLine($"<tr><th scope=\"row\">{Encode(chart.Categories[row])}</th>{string.Concat(lines.Select(line => $"<td>{Cell(line.Points[row])}</td>"))}</tr>");
        output.WriteLine("</tbody></table></div></details>");
    }

    private static string Cell(ChartPoint? point) => point switch
    {
        null => Numbers.None,
        _ when point.High > point.Low => $"{Numbers.Rate(point.Value)} ({Numbers.Rate(point.Low)} to {Numbers.Rate(point.High)})",
        _ => Numbers.Rate(point.Value),
    };

    private static string Encode(string text) => WebUtility.HtmlEncode(text);
}

/// <summary>One result file in a report.</summary>
/// <param name="FileName">Its name, without folders.</param>
/// <param name="File">What is in it.</param>
/// <param name="Charts">Its charts.</param>
/// <param name="Findings">The findings of a study that it holds, by queue.</param>
internal sealed record ReportSection(string FileName, ResultFile File, IReadOnlyList<Chart> Charts, IReadOnlyList<(string Queue, IReadOnlyList<Finding> Findings)> Findings)
{
    /// <summary>What stands above it.</summary>
    internal string Heading => File.Verb switch
    {
        "compare" => "compare: formatters, after System.Messaging Performance (2004)",
        "perftest" => "perftest: payloads, after MsmqPerfTest (2004)",
        "senders" => "senders: after Optimizing Performance in an MSMQ Environment (1998)",
        "limits" => "limits: queues without formatters",
        "matrix" => "matrix: every formatter over every queue",
        _ => File.Verb!,
    };

    /// <summary>Reads a result file and makes its charts.</summary>
    /// <exception cref="UsageException">It cannot be read, or is no such file.</exception>
    internal static ReportSection Read(string path)
    {
        ResultFile file = ResultFile.Read(path);
        using FileStream stream = System.IO.File.OpenRead(path);
        FindingsPart part = JsonSerializer.Deserialize(stream, ReportJson.Default.FindingsPart)!;
        List<(string, IReadOnlyList<Finding>)> findings = [.. (part.Queues ?? []).Where(queue => queue.Findings is not null).Select(queue => (queue.Product ?? "", queue.Findings!))];
        if (part.Findings is not null)
            findings.Insert(0, ("", part.Findings));
        stream.Position = 0;
        FiguresPart figures = JsonSerializer.Deserialize(stream, ReportJson.Default.FiguresPart)!;
        return new ReportSection(Path.GetFileName(path), file, [.. ChartBuilder.Build(file), .. (figures.Figures ?? []).Where(HasPoints).Select(Chart.Of)], findings);

        static bool HasPoints(Figure figure) => figure.Categories.Count > 0 && figure.Lines.Any(line => line.Values.Any(value => value is not null));
    }
}

/// <summary>The findings that some verbs put into their result files: <c>compare</c> at the top, <c>senders</c> with each queue.</summary>
internal sealed record FindingsPart(IReadOnlyList<Finding>? Findings, IReadOnlyList<FindingsPart>? Queues, string? Product);
