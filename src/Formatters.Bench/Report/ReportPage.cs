using System.Net;
using Formatters.Bench.Compare;
using Formatters.Bench.Factors;

namespace Formatters.Bench.Report;

/// <summary>Writes result files as one HTML page that needs nothing else: no script, no font, no request.</summary>
internal static class ReportPage
{
    private const string Style =
        """
        :root { color-scheme: light dark; --page: #fbfaf8; --card: #ffffff; --text: #1d2330; --soft: #565e6e; --rule: #dcd9d2; --c1: #1f5fbf;
          --c2: #b4570a; --c3: #0b7a6b; --c4: #7a3fb0; --c5: #a3175f; --c6: #5c6b1f; --good: #14663a; --bad: #a32020; --mark: #1d2330; --in: #ffffff }
        @media (prefers-color-scheme: dark) { :root { --page: #14171d; --card: #1c2028; --text: #e9ebf0; --soft: #aab2c0; --rule: #363c48;
          --c1: #6aa6ff; --c2: #f2a35a; --c3: #4fd1b5; --c4: #c79bf2; --c5: #ff8fbf; --c6: #c9d96b; --good: #6fd39a; --bad: #ff8f85;
          --mark: #ffffff; --in: #10141b } }
        * { box-sizing: border-box }
        body { margin: 0; background: var(--page); color: var(--text); font: 16px/1.5 system-ui, "Segoe UI", Roboto, "Helvetica Neue", sans-serif }
        header, main, footer { max-width: 1240px; margin: 0 auto; padding: 16px }
        h1 { font-size: 1.7rem; line-height: 1.2; margin: 16px 0 4px }
        h2 { font-size: 1.3rem; margin: 40px 0 4px; padding-top: 16px; border-top: 1px solid var(--rule) }
        h3 { font-size: 1rem; margin: 0 0 2px }
        p { margin: 4px 0; max-width: 75ch }
        .soft, figcaption p, caption { color: var(--soft); font-size: .875rem }
        .charts { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 344px), 1fr)); gap: 16px; margin-top: 16px;
          align-items: start }
        figure { margin: 0; padding: 14px; background: var(--card); border: 1px solid var(--rule); border-radius: 8px; min-width: 0 }
        @media (min-width: 900px) { figure:only-child { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); column-gap: 32px }
          figure:only-child > * { grid-column: 1 } figure:only-child > details { grid-column: 2; grid-row: 1 / span 9 } }
        main > figure:only-child { display: block }
        svg { display: block; width: 100%; height: auto; margin-top: 6px; font: 11px system-ui, "Segoe UI", Roboto, sans-serif;
          font-variant-numeric: tabular-nums }
        .legend { display: flex; flex-wrap: wrap; gap: 2px 16px; margin: 6px 0 0; padding: 0; list-style: none; font-size: .8125rem }
        .legend svg { display: inline-block; overflow: visible; width: 14px; height: 10px; margin: 0 6px 0 0; vertical-align: baseline }
        .label { fill: var(--text); font-weight: 600 } .tick { fill: var(--soft); font-size: 10px }
        .value { fill: var(--text); font-size: 10px; paint-order: stroke; stroke: var(--card); stroke-width: 4px; stroke-linejoin: round }
        .inside { fill: var(--in); stroke: none }
        .grid { stroke: var(--rule); stroke-width: 1 } .interval { stroke: var(--text); stroke-width: 1.2 }
        .c1 { fill: var(--c1) } .c2 { fill: var(--c2) } .c3 { fill: var(--c3) } .c4 { fill: var(--c4) } .c5 { fill: var(--c5) }
        .c6 { fill: var(--c6) } .other { fill: var(--card); stroke-width: 1.5 } .o1 { stroke: var(--c1) } .o2 { stroke: var(--c2) }
        .s5 { stroke: var(--c5); stroke-width: 2; stroke-dasharray: 1 3 } .s6 { stroke: var(--c6); stroke-width: 2; stroke-dasharray: 10 3 }
        .s3 { stroke: var(--c3); stroke-width: 2; stroke-dasharray: 2 2 } .s4 { stroke: var(--c4); stroke-width: 2; stroke-dasharray: 8 2 2 2 }
        .s1 { stroke: var(--c1); stroke-width: 2 } .s2 { stroke: var(--c2); stroke-width: 2; stroke-dasharray: 6 3 } .stem { opacity: .45 }
        .study { stroke: var(--soft); stroke-width: 1.2; stroke-dasharray: 2 3 } .mark { fill: var(--card); stroke: var(--mark); stroke-width: 1.4 }
        details { margin-top: 8px; font-size: .875rem } summary { cursor: pointer; color: var(--soft) }
        .scroll { overflow-x: auto } table { border-collapse: collapse; font-variant-numeric: tabular-nums; font-size: .8125rem; width: 100% }
        caption { text-align: left } th, td { padding: 3px 8px; border-bottom: 1px solid var(--rule); text-align: right; white-space: nowrap }
        th:first-child { text-align: left }
        .findings caption span { display: block; position: sticky; left: 0; max-width: calc(100vw - 40px) }
        .findings td:last-child, .findings th:last-child { text-align: left } .findings th:first-child { white-space: normal }
        nav ul { display: flex; flex-wrap: wrap; gap: 4px 20px; margin: 12px 0 0; padding: 0; list-style: none; font-size: .9375rem }
        a { color: var(--c1); display: inline-block; padding: 2px 0 }
        .holds { color: var(--good); font-weight: 600 } .fails { color: var(--bad); font-weight: 600 }
        .advice { margin: 12px 0; padding: 10px 14px; background: var(--card); border-left: 4px solid var(--c1) }
        @media print { body { background: none } details { display: none } figure { break-inside: avoid } nav { display: none } }
        dl { display: grid; grid-template-columns: max-content 1fr; gap: 2px 16px; margin: 8px 0; font-size: .875rem } dt { color: var(--soft) }
        dd { margin: 0; overflow-wrap: anywhere }
        """;

    /// <param name="results">The result files, each with its charts.</param>
    internal static void Write(TextWriter output, string title, IReadOnlyList<ReportSection> results)
    {
        Begin(output, title);
        IReadOnlyList<FigureGroup> figures = ArticleFigures.Build(results);
        output.WriteLine($"<header><h1>{Encode(title)}</h1>");
        string files = $"{Numbers.Count(results.Count)} result file{(results.Count == 1 ? "" : "s")}";
        output.WriteLine($"<p class=\"soft\">{Encode($"{ToolInfo.NameAndVersion}; {files}. Each chart has its figures below it.")}</p>");
        WriteContents(output, figures, NamesOf(results));
        output.WriteLine("</header>");
        output.WriteLine("<main>");
        for (int i = 0; i < figures.Count; i++)
        {
            output.WriteLine($"<section aria-labelledby=\"a{i}\"><h2 id=\"a{i}\">{Encode(figures[i].Heading)}</h2>");
            output.WriteLine($"<p class=\"soft\">{Encode(figures[i].Introduction)}</p>");
            WriteCharts(output, figures[i].Charts, $"f{i}");
            output.WriteLine("</section>");
        }

        string[] names = NamesOf(results);
        for (int number = 0; number < results.Count; number++)
        {
            ReportSection result = results[number];
            output.WriteLine($"<section aria-labelledby=\"s{number}\"><h2 id=\"s{number}\">{Encode(names[number])}</h2>");
            WriteRun(output, result);
            WriteFindings(output, result);
            WriteAdvice(output, result);
            WriteCharts(output, result.Charts, $"c{number}");
            output.WriteLine("</section>");
        }

        output.WriteLine("</main>");
        output.WriteLine("</body></html>");
    }

    private static void WriteContents(TextWriter output, IReadOnlyList<FigureGroup> figures, string[] names)
    {
        if (figures.Count + names.Length < 2)
            return;
        output.WriteLine("<nav aria-label=\"Contents\"><ul>");
        for (int i = 0; i < figures.Count; i++)
            output.WriteLine($"<li><a href=\"#a{i}\">{Encode(figures[i].Heading)}</a></li>");
        for (int i = 0; i < names.Length; i++)
            output.WriteLine($"<li><a href=\"#s{i}\">{Encode(names[i])}</a></li>");
        output.WriteLine("</ul></nav>");
    }

    /// <summary>The headings; where two are alike, with the files.</summary>
    private static string[] NamesOf(IReadOnlyList<ReportSection> results) =>
        [.. results.Select(result => results.Count(other => other.Title == result.Title) > 1 ? $"{result.Title}: {result.FileName}" : result.Title)];

    private static void WriteCharts(TextWriter output, IReadOnlyList<Chart> charts, string id)
    {
        output.WriteLine("<div class=\"charts\">");
        for (int i = 0; i < charts.Count; i++)
            WriteFigure(output, charts[i], $"{id}-{i}", withFigures: true, isAlone: charts.Count == 1);
        output.WriteLine("</div>");
    }

    /// <summary>Writes the recommendation of <c>own</c>, and the formatters left out.</summary>
    private static void WriteAdvice(TextWriter output, ReportSection result)
    {
        if (result.Part.Advice is { } advice)
        {
            output.WriteLine($"<div class=\"advice\"><p><strong>Recommended: {Encode(advice.Formatter)}</strong></p>");
            foreach (string reason in advice.Reasons)
                output.WriteLine($"<p>{Encode(reason)}</p>");
            output.WriteLine("</div>");
        }

        if (result.Part.Refused is not { Count: > 0 } refused)
            return;
        output.WriteLine($"<details class=\"out\"><summary>Formatters left out: {Numbers.Count(refused.Count)}</summary><dl>");
        foreach (Own.OwnRefusal refusal in refused)
            output.WriteLine($"<dt>{Encode(refusal.Formatter)}</dt><dd>{Encode(refusal.Reason)}</dd>");
        output.WriteLine("</dl></details>");
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
        // BenchmarkDotNet does not say how long it took, nor how much memory there is.
        Line("when", Numbers.Moment(run.StartedAt) + (run.Seconds > 0 ? string.Create(CultureInfo.InvariantCulture, $", {run.Seconds:0} s") : ""));
        string memory = machine.MemoryBytes > 0 ? $", {Numbers.Gibibytes(machine.MemoryBytes)}" : "";
        string limits = machine.ContainerLimits is { } limit ? $"; container: {limit}" : "";
        Line("machine", $"{machine.Processor}, {Numbers.Count(machine.LogicalCores)} logical cores{memory}{limits}; {machine.OperatingSystem}");
        if (result.Part.OneQueue is { } queue)
        {
            Line("queue", $"{queue.Product}, {queue.DeliveryMode}: {queue.Durability}");
            if (queue.Settings.Count > 0)
                Line("settings", string.Join(", ", queue.Settings.Select(setting => $"{setting.Key} {setting.Value}")));
        }

        Line("runtime", $"{machine.Runtime}; garbage collector {machine.GarbageCollector}{(machine.Tiering is { }
        tiering ? $"; JIT {tiering}" : "")}");
        if (run is { LoadBefore: { Count: > 0 } before, LoadAfter: { Count: > 0 } after })
            Line("load", string.Create(CultureInfo.InvariantCulture, $"{before[0]:0.00} before, {after[0]:0.00} after"));
        if (run.IsInterrupted)
            Line("interrupted", "the figures are those of the rounds completed before the interruption");
        Line("file", result.FileName);
        output.WriteLine("</dl>");

        void Line(string name, string text) => output.WriteLine($"<dt>{Encode(name)}</dt><dd>{Encode(text)}</dd>");
    }

    private static string Legend => $"Study and here: ratios; {RatioText.IntervalLegend(null)}.";

    private static string ClassOf(Verdict verdict) => verdict switch
    {
        Verdict.Holds => " class=\"holds\"",
        Verdict.DoesNotHold => " class=\"fails\"",
        _ => "",
    };

    private static void WriteFindings(TextWriter output, ReportSection result)
    {
        if (result.Part.Claims is { Count: > 0 } claims)
        {
            WriteVerdicts(
                output,
                $"Claims of {result.FileName}",
                claims.All(static claim => claim.Low == 0)
                    ? "What the study claims, and how many messages came again."
                    : $"What the study claims. {Legend} A claim holds if the whole interval is in its range, and does not if it is outside. "
                    + $"Undecided: anything else, or fewer than {RateRatio.MinRounds} rounds. {Findings.Legend([], "claim of more than 1")}",
                "claim",
                claims.Select(static claim => (new Finding(claim.Text, claim.Verdict, claim.Ratio, claim.StudyRatio), claim.Bounds, claim.Reason,
                    claim.Low == 0 ? null : claim.Range)));
        }

        int number = 0;
        foreach ((string name, IReadOnlyList<Finding> findings) in result.Findings.Where(static item => item.Findings.Count > 0))
        {
            WriteVerdicts(
                output,
                $"Findings {++number} of {result.Heading}",
                $"What the study found{(name.Length > 0 ? ", " + name : "")}. {Legend} {Findings.Legend(findings)}",
                "finding",
                findings.Select(static finding => (finding, RatioText.FindingBounds, (string?)null, (string?)null)));
        }
    }

    private static void WriteVerdicts(TextWriter output, string name, string caption, string what,
        IEnumerable<(Finding Finding, double[] Bounds, string? Reason, string? Range)> rows)
    {
        (Finding Finding, double[] Bounds, string? Reason, string? Range)[] all = [.. rows];
        bool hasRanges = all.Any(static row => row.Range is not null);
        output.WriteLine($"<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"{Encode(name)}\"><table class=\"findings\">");
        output.WriteLine($"<caption><span>{Encode(caption)}</span></caption>");
        output.WriteLine(
            $"<thead><tr><th scope=\"col\">{what}</th><th scope=\"col\">study</th>"
                + (hasRanges ? "<th scope=\"col\">range</th>" : "")
                + $"<th scope=\"col\">here</th><th scope=\"col\">interval</th><th "
                + "scope=\"col\">verdict</th></tr></thead><tbody>");
        foreach ((Finding finding, double[] bounds, string? reason, string? range) in all)
        {
            string verdict = Findings.Describe(finding.Verdict) + (reason is null ? "" : ": " + Encode(reason));
            output.WriteLine(
                $"<tr><th scope=\"row\">{Encode(finding.Text)}</th><td>{Numbers.Ratio(finding.StudyRatio)}</td>"
                + (hasRanges ? $"<td>{range ?? Numbers.None}</td>" : "")
                + $"<td>{RatioText.Value(finding.Ratio, bounds)}</td><td>{RatioText.Interval(finding.Ratio, bounds)}</td>"
                + $"<td{ClassOf(finding.Verdict)}>{verdict}</td></tr>");
        }

        output.WriteLine("</tbody></table></div>");
    }

    private static void WriteFigure(TextWriter output, Chart chart, string id, bool withFigures, bool isAlone = false)
    {
        string scale = chart.IsLogarithmic ? " By powers of ten." : "";
        string ours = chart.Ours is { Count: > 0 } ? $" {ChartSvg.OursMark}and filled bars: this library. Outlines: others." : "";
        output.WriteLine($"<figure><figcaption><h3>{Encode(chart.Title)}</h3><p>{Encode(chart.Caption)}{scale}{ours}</p></figcaption>");
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
            WriteTable(output, chart, id, isAlone);
        output.WriteLine("</figure>");
    }

    private static void WriteTable(TextWriter output, Chart chart, string id, bool isOpen)
    {
        ChartLine[] lines = [.. chart.Lines.Where(line => line.Points.Any(point => point is not null))];
        output.WriteLine($"<details{(isOpen ? " open" : "")}><summary>Figures</summary><div class=\"scroll\" tabindex=\"0\" role=\"region\" "
            + $"aria-label=\"{Encode($"Figures of {chart.Title} ({id})")}\"><table>");
        output.WriteLine($"<caption>{Encode(chart.Unit)}, medians; in parentheses the interval: {RatioText.DescribeInterval(null)}</caption>");
        string names = string.Concat(lines.Select(line => $"<th scope=\"col\">{Encode(line.Name)}</th>"));
        output.WriteLine($"<thead><tr><th scope=\"col\">{Encode(chart.Axis ?? "case")}</th>{names}</tr></thead><tbody>");
        for (int row = 0; row < chart.Categories.Count; row++)
        {
            string cells = string.Concat(lines.Select(line => $"<td>{Cell(line.Points[row])}</td>"));
            output.WriteLine($"<tr><th scope=\"row\">{Encode(chart.Categories[row])}</th>{cells}</tr>");
        }


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
