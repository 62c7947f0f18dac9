using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Net;
using System.Text.RegularExpressions;
using System.Threading.Tasks;
using Formatters.Bench.Compare;
using Formatters.Bench.Measurement;
using Formatters.Bench.Report;
using Formatters.Bench.Reports;
using Formatters.Bench.Senders;
using Formatters.Bench.Tests.Support;
using Formatters.Queues;
using Formatters.TestSupport;
using Xunit;

namespace Formatters.Bench.Tests.Report;

public sealed partial class ReportTests : IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("formatters-report-").FullName;

    [Fact]
    public async Task Results_of_every_verb_are_drawn_on_one_page()
    {
        string[] files = await MeasureAsync();

        (ToolResult result, string page) = await ReportAsync([.. files, "--title", "Queues & <more>"]);

        Assert.Contains("charts", result.Output, StringComparison.Ordinal);
        Assert.Contains("<h1>Queues &amp; &lt;more&gt;</h1>", page, StringComparison.Ordinal);
        foreach (string text in new[] { "order: formatters over a queue", "in-memory: express", "SendAndReceive, express", "in-memory: one sender and one receiver", "Hand-coded beats BinaryFormatter, sending" })
            Assert.Contains(WebUtility.HtmlEncode(text), page, StringComparison.Ordinal);
        // Each chart has its table, each section its heading.
        int charts = page.Split("<figure>").Length - 1;
        Assert.True(charts >= 5, $"{charts} charts");
        Assert.Equal(charts, Regex.Count(page, "<details( open)?>"));
        Assert.Equal(files.Length, page.Split("<section aria-labelledby=\"s").Length - 1);
    }

    [Fact]
    public async Task A_page_needs_nothing_else_and_is_small()
    {
        (_, string page) = await ReportAsync(await MeasureAsync());

        Assert.DoesNotContain("<script", page, StringComparison.OrdinalIgnoreCase);
        Assert.DoesNotMatch(Requests(), page);
        Assert.InRange(page.Length, 1_000, 500_000);
        // The numbers of the drawing are those of the web, whatever the culture is here.
        Assert.All(Attributes().Matches(page), match => Assert.DoesNotContain(',', match.Groups[1].Value));
        Assert.DoesNotContain('\u2212', page);
    }

    /// <summary>A value beside a mark of the study would seem to be that mark's.</summary>
    [Theory]
    [InlineData(100, 80, new double[0], 100, true)]
    [InlineData(100, 80, new double[] { 200 }, 100, true)]
    [InlineData(100, 80, new double[] { 115 }, 80, false)]
    [InlineData(20, 6, new double[] { 30 }, 42, true)]
    public void A_value_stands_beside_its_bar_and_not_beside_a_mark(double after, double before, double[] marks, double place, bool isAfter) =>
        Assert.Equal((place, isAfter), ChartSvg.PlaceLabel(after, before, marks));

    [Theory]
    [InlineData(399, 40, 900, "value", "start")]
    [InlineData(890, 40, 900, "value inside", "end")]
    public void A_value_whose_interval_spans_the_chart_is_inside_of_it(double value, double low, double high, string style, string anchor)
    {
        string svg = ChartSvg.Draw(new Chart("rates", "", "msg/s", ["a"], [new ChartLine("here", [new ChartPoint(value, low, high)])]), "c");

        Match label = Regex.Match(svg, $"<text class=\"{style}\" x=\"([0-9.]+)\" y=\"[0-9.]+\" text-anchor=\"{anchor}\">{value}</text>");
        Assert.True(label.Success, svg);
        Assert.InRange(double.Parse(label.Groups[1].Value, CultureInfo.InvariantCulture), 42, ChartSvg.Width - 42);
    }

    /// <summary>An interval that goes on beyond the chart has an arrow, and the axis has its unit.</summary>
    [Theory]
    [InlineData(null, 33, 60, true)]
    [InlineData(null, 33, 40, false)]
    [InlineData("seconds", 33, 60, true)]
    [InlineData("seconds", 33, 40, false)]
    public void An_interval_that_is_cut_has_an_arrow(string? axis, double value, double high, bool hasArrow)
    {
        string svg = ChartSvg.Draw(new Chart("rates", "", "ms", ["1"], [new ChartLine("here", [new ChartPoint(value, 30, high)])], axis), "c");

        Assert.Equal(hasArrow ? 1 : 0, Regex.Count(svg, "<path class=\"interval\""));
        Assert.Contains(">ms</text>", svg, StringComparison.Ordinal);
    }

    /// <summary>On a scale by powers of ten an empty queue would be at the lowest power.</summary>
    [Fact]
    public void A_zero_is_drawn_at_zero()
    {
        var chart = new Chart("lengths", "", "messages", ["1", "2", "3"], [new ChartLine("noe", [ChartPoint.Of(0), ChartPoint.Of(20), ChartPoint.Of(9_000)])], "seconds");

        Assert.False(chart.IsLogarithmic);
        string svg = ChartSvg.Draw(chart, "c");
        string bottom = Regex.Match(svg, "y=\"([0-9.]+)\" text-anchor=\"end\">0</text>").Groups[1].Value;
        string point = Regex.Match(svg, "<circle class=\"c1\" cx=\"[0-9.]+\" cy=\"([0-9.]+)\"").Groups[1].Value;
        Assert.Equal(double.Parse(bottom, CultureInfo.InvariantCulture) - 3.5, double.Parse(point, CultureInfo.InvariantCulture), 1);
    }

    /// <summary>The label of a value whose interval spans the chart is past the mark that it would cover, not under it.</summary>
    [Fact]
    public void A_value_whose_interval_spans_the_chart_does_not_lie_under_a_mark()
    {
        ChartLine[] lines =
        [
            new ChartLine("send", [new ChartPoint(300, 5, 990)]),
            new ChartLine("1998, send", [ChartPoint.Of(340)], IsStudy: true),
        ];
        string svg = ChartSvg.Draw(new Chart("rates", "", "msg/s", ["a"], lines), "c");

        double label = double.Parse(Regex.Match(svg, "<text class=\"value\" x=\"([0-9.]+)\"[^>]*>300</text>").Groups[1].Value, CultureInfo.InvariantCulture);
        double bar = double.Parse(Regex.Match(svg, "<rect class=\"c1\"[^>]* width=\"([0-9.]+)\"").Groups[1].Value, CultureInfo.InvariantCulture);
        // Its own bar ends at 300 of 1,000, and the mark of 340 is 40 thousandths of the chart after that.
        Assert.True(label > bar + (bar * 40 / 300) + 5, $"label {label}, bar {bar}: {svg}");
    }

    [Fact]
    public void Charts_of_one_name_and_several_units_have_titles_that_tell_them_apart()
    {
        Series[] series = [Series.OfRates("engine/rate", [1, 2]), new Series("engine/latency", "ms", IsHigherBetter: false, [1, 2]), new Series("engine/cpu", "us", IsHigherBetter: false, [1, 2])];

        IReadOnlyList<Chart> charts = ChartBuilder.Build(new Formatters.Bench.Diff.ResultFile("other", null, series));

        Assert.Equal(3, charts.Select(static chart => chart.Title).Distinct().Count());
    }

    [Fact]
    public void Formatters_are_sorted_by_speed_and_those_of_the_library_are_marked()
    {
        Series[] series = [.. new[] { ("JSON", 10d), ("MemoryPack", 20), ("generated", 40) }.SelectMany(static row => new[] { "send", "receive" }
            .Select(way => Series.OfRates($"order/{row.Item1}/{way}", [row.Item2])))];
        Series[] own = [.. series.Select(static item => new Series(item.Name.Replace("send", "write").Replace("receive", "read"), "ns", false, item.Rounds))];

        Chart chart = Assert.Single(ChartBuilder.Build(new Formatters.Bench.Diff.ResultFile("compare", null, series)));
        Assert.Equal(["generated", "MemoryPack", "JSON"], chart.Categories);
        Assert.Equal(["generated", "JSON"], chart.Ours!);
        Assert.Equal(["JSON", "MemoryPack", "generated"], ChartBuilder.Build(new Formatters.Bench.Diff.ResultFile("own", null, [.. own, .. series]))[0].Categories);
        string svg = ChartSvg.Draw(chart, "c");
        Assert.Contains($">{System.Net.WebUtility.HtmlEncode(ChartSvg.OursMark + "generated")}<", svg, StringComparison.Ordinal);
        Assert.Contains(">MemoryPack<", svg, StringComparison.Ordinal);
        Assert.Equal(2, svg.Split("\"other o").Length - 1);
        Assert.Empty(ChartBuilder.Build(new Formatters.Bench.Diff.ResultFile("own", null, [])));
    }

    [Fact]
    public void Figures_stand_below_the_chart_with_their_interval()
    {
        Series[] series =
        [
            Series.OfRates("order/hand-coded/send", [90, 100, 110, 100, 100, 100, 100]),
            Series.OfRates("order/hand-coded/receive", [50]),
            Series.OfRates("order/XML/send", [1, 1, 1]),
        ];

        Chart chart = Assert.Single(ChartBuilder.Build(new Formatters.Bench.Diff.ResultFile("compare", null, series)));

        Assert.Equal(["hand-coded", "XML"], chart.Categories);
        Assert.Equal(new ChartPoint(100, 90, 110), chart.Lines[0].Points[0]);
        Assert.Equal([new ChartPoint(50, 50, 50), null], chart.Lines[1].Points);
        Assert.Equal(["2004, send", "2004, receive"], chart.Lines.Where(line => line.IsStudy).Select(line => line.Name));
        Assert.Equal([13_305, 1_344], chart.Lines[2].Points.Select(point => point!.Value));
        Assert.True(chart.IsLogarithmic);
    }

    [Fact]
    public void The_curve_of_senders_stands_beside_that_of_the_study()
    {
        Series[] series = [.. new[] { 1, 2, 5, 50 }.SelectMany(n => new[] { Series.OfRates($"q/recoverable/{n}/1000/send", [100 * n, 100 * n]), Series.OfRates($"q/recoverable/{n}/1000/receive", [7]) })];

        Chart[] charts = [.. ChartBuilder.Build(new Formatters.Bench.Diff.ResultFile("senders", null, series))];

        Assert.Equal(["1", "2", "5", "50"], charts[0].Categories);
        Assert.Equal([1, 2, 5, 50], charts[0].Lines[0].Points.Select(point => point!.Value));
        Assert.Equal(665 / 38d, charts[0].Lines[1].Points[3]!.Value);
        Assert.Equal(999 / 66d, charts[0].Lines[2].Points[3]!.Value);
        Assert.Equal(1_251, charts[1].Lines.Single(line => line.Name == "1998, receive").Points[0]!.Value);
    }

    [Theory]
    [InlineData("missing.json", "cannot be read")]
    [InlineData("text.json", "is not a result file")]
    [InlineData("other.json", "has no verb, run and series")]
    [InlineData("doctor.json", "is a file of 'doctor', which has no series of measurements")]
    public async Task What_is_no_result_is_refused_and_the_page_left_as_it_is(string file, string words)
    {
        await File.WriteAllTextAsync(Path.Combine(_folder, "text.json"), "no JSON");
        await File.WriteAllTextAsync(Path.Combine(_folder, "other.json"), "{}");
        await new Tool().RunAsync("doctor", "--seconds", "0.01", "--json", Path.Combine(_folder, "doctor.json"));
        string page = Path.Combine(_folder, "report.html");
        await File.WriteAllTextAsync(page, "before");

        ToolResult result = await new Tool().RunAsync("report", Path.Combine(_folder, file), "-o", page);

        Assert.Equal(2, result.ExitCode);
        Assert.Contains(words, result.Error, StringComparison.Ordinal);
        Assert.Equal("before", await File.ReadAllTextAsync(page));
    }

    [Fact]
    public async Task A_browser_that_is_not_there_is_said_before_anything_is_written()
    {
        string[] files = await MeasureAsync();
        string page = Path.Combine(_folder, "none.html");

        ToolResult result = await new Tool().RunAsync(["report", files[0], "-o", page, "--png", Path.Combine(_folder, "img"), "--browser", "/nowhere/chromium"]);

        Assert.Equal(2, result.ExitCode);
        Assert.Contains("/nowhere/chromium", result.Error, StringComparison.Ordinal);
        Assert.False(File.Exists(page));
    }

    [BrowserFact]
    public async Task Every_chart_becomes_an_image()
    {
        string[] files = await MeasureAsync();
        string images = Path.Combine(_folder, "img");

        (ToolResult _, string page) = await ReportAsync([files[0], "--png", images]);

        string[] made = Directory.GetFiles(images);
        Assert.Equal(page.Split("<figure>").Length - 1, made.Length);
        Assert.All(made, file => Assert.Equal([0x89, (byte)'P', (byte)'N', (byte)'G'], File.ReadAllBytes(file)[..4]));
    }

    /// <summary>axe-core in Chromium, in both themes, on a desk and on a telephone; nothing may be wider than the page.</summary>
    [BrowserTheory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task A_page_is_accessible(bool isOfOtherVerbs)
    {
        (ToolResult _, string page) = await ReportAsync(isOfOtherVerbs ? await MeasureOthersAsync() : await MeasureAsync());
        // Colours do not depend on the width, and widths do not depend on the colours.
        await CheckAsync(page, 1280, isDark: false);
        await CheckAsync(page, 400, isDark: true);
    }

    private async Task CheckAsync(string page, int width, bool isDark)
    {
        // The page itself allows no script; the tables are opened, so that they are looked at.
        string tried = page.Replace("<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">", "", StringComparison.Ordinal)
            .Replace("<details>", "<details open>", StringComparison.Ordinal)
            .Replace(
                "</body>",
                $$"""
                <script>{{await File.ReadAllTextAsync(Browser.AxeCore)}}</script>
                <script>
                // Chromium's windows are 500 wide at least: a telephone is a narrower page in one.
                document.documentElement.style.width = '{{width}}px';
                const content = Math.max(...[...document.querySelectorAll('h1, h2, h3, p, dl, dd, figure, figure > svg, .scroll')].map(e => Math.ceil(e.getBoundingClientRect().right)));
                axe.run().then(results => {
                    document.title = 'done ' + JSON.stringify({
                        width: {{width}}, content: content, dark: matchMedia('(prefers-color-scheme: dark)').matches,
                        violations: results.violations.map(v => v.id + ': ' + v.nodes.slice(0, 2).map(n => n.html.slice(0, 120)).join(' | ')), passes: results.passes.length });
                });
                </script></body>
                """,
                StringComparison.Ordinal);
        string file = Path.Combine(_folder, "tried.html");
        await File.WriteAllTextAsync(file, tried);

        string dom = await Browser.DumpAsync(file, width, isDark, Path.Combine(_folder, "profile"));

        string outcome = WebUtility.HtmlDecode(Title().Match(dom).Groups[1].Value);
        Assert.StartsWith("done ", outcome, StringComparison.Ordinal);
        Assert.Contains($"\"dark\":{(isDark ? "true" : "false")},\"violations\":[]", outcome, StringComparison.Ordinal);
        Match widths = Regex.Match(outcome, "\"width\":(\\d+),\"content\":(\\d+)");
        Assert.True(int.Parse(widths.Groups[2].Value, Invariant) <= int.Parse(widths.Groups[1].Value, Invariant), outcome);
    }

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    private static IFormatProvider Invariant => System.Globalization.CultureInfo.InvariantCulture;

    private async Task<string[]> MeasureAsync()
    {
        string[] lines =
        [
            "compare --quick --study --formatter hand-coded --formatter BinaryFormatter --items 2",
            "senders memory:report --part tables,advice --sizes 10,1000 --senders 1,3 --rounds 2 --seconds-per-case 0.02 --max-messages 100",
            "perftest NOTX SENDANDRECEIVE memory:report --rounds 2 --batch 8 --seconds-per-case 0.1",
            "limits memory:report --rounds 2 --seconds-per-case 0.02",
        ];
        return await MeasureAsync(new Tool(), lines);
    }

    /// <summary>What the sample TradeEngine writes, and what the verb <c>engine</c> of version 0.1.0 wrote.</summary>
    private static string[] EngineFiles => Directory.GetFiles(Path.Combine(RepositoryFolder.Path, "tests", "Formatters.Bench.Tests", "Report", "Engine"), "*.json");

    [Theory]
    [InlineData("engine", "Figure 3:", "Figure 6:", "Figure 10:", "Figure 14:", "Figure 15:", "Figure 16:", "Table 6:")]
    [InlineData("engine-0.1.0", "Figure 3:", "Figure 6:", "Figure 10:", "Figure 14:", "Figure 15:", "Figure 16:", "Table 6:")]
    [InlineData("driver", "Figure 17:")]
    [InlineData("sweep", "Figure 5, its cure:")]
    [InlineData("simulation", "Figures 11 and 12, simulated", "Figure 7, simulated", "Figure 8, its cause, simulated", "Figure 13, simulated")]
    public async Task Figures_OfTheTransactionEngine_AreDrawn(string name, params string[] figures)
    {
        (ToolResult _, string page) = await ReportAsync([EngineFiles.Single(file => Path.GetFileNameWithoutExtension(file) == name)]);

        Assert.All(figures, figure => Assert.Contains(figure, page, StringComparison.Ordinal));
        string[] colours = [.. Regex.Matches(page, "class=\"(?:stem )?([cs][0-9]+)\"").Select(match => match.Groups[1].Value).Distinct()];
        Assert.NotEmpty(colours);
        Assert.All(colours, colour => Assert.Contains($".{colour} {{", page, StringComparison.Ordinal));
    }

    [Fact]
    public async Task Runs_OfTheTransactionEngine_AreComparedWithThoseOfVersion010()
    {
        string[] runs = [.. EngineFiles.Where(file => Path.GetFileName(file).StartsWith("engine", StringComparison.Ordinal)).Order(StringComparer.Ordinal)];

        ToolResult result = await new Tool().RunAsync(["diff", .. runs]);

        Assert.True(result.ExitCode == 0, result.Error);
        Assert.Contains(result.OutputLines, line => line.StartsWith("engine/messages", StringComparison.Ordinal));
    }

    /// <summary>What the other verbs make.</summary>
    private async Task<string[]> MeasureOthersAsync()
    {
        string[] measured = await MeasureAsync(
            new Tool { Clock = TimeProvider.System },
            [
                "factors memory:factors --rounds 2 --seconds 0.02",
                "throughput -C memory: -S t -n 2000 -f 0.05 --rate 8000",
                "throughput -C memory: -S t --ramp --seconds 0.02",
                "matrix memory:matrix --seconds-per-case 0.1 --formatter generated --formatter JSON --formatter BinaryFormatter",
            ]);
        return [.. measured, .. EngineFiles];
    }

    private async Task<string[]> MeasureAsync(Tool tool, string[] lines)
    {
        var files = new string[lines.Length];
        for (int i = 0; i < lines.Length; i++)
        {
            files[i] = Path.Combine(_folder, $"{lines[i].Split(' ')[0]}{i}.json");
            ToolResult result = await tool.RunAsync([.. lines[i].Split(' '), "--json", files[i]]);
            Assert.True(result.ExitCode == 0, $"{lines[i]}: {result.Error}");
        }

        return files;
    }

    private async Task<(ToolResult Result, string Page)> ReportAsync(string[] arguments)
    {
        string page = Path.Combine(_folder, "report.html");
        ToolResult result = await new Tool().RunAsync(["report", .. arguments, "-o", page]);
        Assert.True(result.ExitCode == 0, result.Error);
        return (result, await File.ReadAllTextAsync(page));
    }

    [GeneratedRegex("src=|href=\"(?!#)|url\\(|@import|https?://(?!www\\.w3\\.org)", RegexOptions.IgnoreCase)]
    private static partial Regex Requests();

    [GeneratedRegex("(?: x| y|x1|x2|y1|y2|cx|cy|width)=\"([^\"]*)\"")]
    private static partial Regex Attributes();

    [GeneratedRegex("<title>(done [^<]*)</title>")]
    private static partial Regex Title();
}

/// <summary>The Chromium of this machine, and axe-core.</summary>
internal static class Browser
{
    internal static string AxeCore { get; } = Path.Combine(RepositoryFolder.Path, "tests", "Formatters.Interop.Tests", "node", "node_modules", "axe-core", "axe.min.js");

    internal static string? SkipReason() => TestScale.SkipReason(() =>
        !File.Exists(AxeCore) ? "axe-core is not installed: npm ci --ignore-scripts --omit=optional in tests/Formatters.Interop.Tests/node."
        : Find() is null ? "There is no Chromium here: apt-get install chromium."
        : null);

    internal static async Task<string> DumpAsync(string file, int width, bool isDark, string profile)
    {
        var start = new ProcessStartInfo(Find() ?? throw new InvalidOperationException("There is no Chromium.")) { RedirectStandardOutput = true, RedirectStandardError = true };
        // Chromium's own settings: 0 is dark, 1 is light.
        foreach (string argument in (string[])
        [
            "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", $"--user-data-dir={profile}", FormattableString.Invariant($"--window-size={width},2000"),
            $"--blink-settings=preferredColorScheme={(isDark ? 0 : 1)}", "--virtual-time-budget=60000", "--dump-dom", new Uri(file).AbsoluteUri,
        ])
            start.ArgumentList.Add(argument);
        using Process process = Process.Start(start)!;
        Task<string> error = process.StandardError.ReadToEndAsync();
        string dom = await process.StandardOutput.ReadToEndAsync();
        await process.WaitForExitAsync();
        Assert.True(process.ExitCode == 0, await error);
        return dom;
    }

    private static string? Find()
    {
        try
        {
            return ChartImages.FindBrowser(null);
        }
        catch (UsageException)
        {
            return null;
        }
    }
}

/// <summary>A test that needs Chromium and axe-core.</summary>
[AttributeUsage(AttributeTargets.Method)]
public sealed class BrowserFactAttribute : FactAttribute
{
    public BrowserFactAttribute() => Skip = Browser.SkipReason();
}

/// <summary>A theory that needs Chromium and axe-core.</summary>
[AttributeUsage(AttributeTargets.Method)]
public sealed class BrowserTheoryAttribute : TheoryAttribute
{
    public BrowserTheoryAttribute() => Skip = Browser.SkipReason();
}
