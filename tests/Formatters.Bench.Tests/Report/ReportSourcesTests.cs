using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Text.Json;
using System.Threading.Tasks;
using Formatters.Bench.Diff;
using Formatters.Bench.Measurement;
using Formatters.Bench.Report;
using Formatters.Bench.Reports;
using Formatters.Bench.Tests.Support;
using Xunit;

namespace Formatters.Bench.Tests.Report;

public sealed class ReportSourcesTests : IDisposable
{
    private const string Benchmarks =
        """
        { "Title": "Shop.Benchmarks.Orders-20261124-101500",
          "HostEnvironmentInfo": { "BenchmarkDotNetVersion": "0.15.0", "OsVersion": "Linux Debian", "ProcessorName": "AMD EPYC", "LogicalCoreCount": 2, "RuntimeVersion": ".NET 10.0.12" },
          "Benchmarks": [
            { "Type": "Orders", "Method": "Write", "Parameters": "Items=50&Row=hand/coded", "Statistics": { "OriginalValues": [100, 110, 90], "Median": 100 }, "Memory": { "BytesAllocatedPerOperation": 64 } },
            { "Type": "Orders", "Method": "Write", "Parameters": "Items=50&Row=hand/coded", "Statistics": { "OriginalValues": [200] } },
            { "Type": "Orders", "Method": "Read", "Parameters": "", "Statistics": { "OriginalValues": [300, 310] } },
            { "Type": "Orders", "Method": "Failed", "Parameters": "", "Statistics": null } ] }
        """;

    private readonly string _folder = Directory.CreateTempSubdirectory("formatters-report-").FullName;

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Fact]
    public async Task Results_of_BenchmarkDotNet_are_drawn_and_compared()
    {
        string file = await WriteAsync("Orders-report-full.json", Benchmarks), slower = await WriteAsync("slower.json", Benchmarks.Replace("[300, 310]", "[600, 620]", StringComparison.Ordinal));
        string page = Path.Combine(_folder, "report.html");

        ResultFile result = ResultFile.Read(file);
        ToolResult report = await new Tool().RunAsync("report", file, "-o", page);
        ToolResult diff = await new Tool().RunAsync("diff", Runs(file), Runs(slower), "--fail-above", "5%");

        Assert.Equal(
            ["Orders/Items=50, Row=hand|coded/Write", "Orders/Items=50, Row=hand|coded/Write/allocated", "Orders/Items=50, Row=hand|coded/Write (2)", "Orders/Read"],
            result.Series!.Select(static series => series.Name));
        Assert.Equal([100, 110, 90], result.Series![0].Rounds);
        Assert.Equal((2, "AMD EPYC"), (result.Run!.Machine.LogicalCores, result.Run.Machine.Processor));
        Assert.True(report.ExitCode == 0, report.Error);
        string html = await File.ReadAllTextAsync(page);
        Assert.Contains("Orders: time of an operation", html, StringComparison.Ordinal);
        Assert.Contains("Orders: bytes allocated", html, StringComparison.Ordinal);
        Assert.Equal(4, diff.ExitCode);
        Assert.Contains("1 worse", diff.Output, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Brief_results_of_BenchmarkDotNet_are_refused_with_the_word_what_is_needed()
    {
        string file = await WriteAsync("brief.json", """{ "HostEnvironmentInfo": {}, "Benchmarks": [ { "Type": "A", "Method": "B", "Statistics": null } ] }""");

        ToolResult result = await new Tool().RunAsync("report", file, "-o", Path.Combine(_folder, "r.html"));

        Assert.Equal(2, result.ExitCode);
        Assert.Contains("-report-full.json", result.Error, StringComparison.Ordinal);
    }

    [Fact]
    public async Task All_figures_of_several_files_are_one_result_for_a_gate()
    {
        string one = await WriteAsync("one.json", Result("limits", ("q/recoverable/1+0/10", [1, 2, 3]))), other = await WriteAsync("other.json", Result("limits", ("q/recoverable/1+0/10", [4, 5, 6])));
        string benchmarks = await WriteAsync("b-report-full.json", Benchmarks), all = Path.Combine(_folder, "all.json");

        ToolResult result = await new Tool().RunAsync("report", one, other, benchmarks, "-o", Path.Combine(_folder, "r.html"), "--json", all);
        ToolResult same = await new Tool().RunAsync("diff", Runs(all), Runs(all), "--fail-above", "5%");

        Assert.True(result.ExitCode == 0, result.Error);
        ResultFile file = ResultFile.Read(all);
        Assert.Equal(["limits/q/recoverable/1+0/10", "other/q/recoverable/1+0/10", "BenchmarkDotNet/Orders/Read"], file.Series!.Select(static series => series.Name).Where(static name => !name.Contains("Write", StringComparison.Ordinal)));
        Assert.Equal(0, same.ExitCode);
    }

    /// <summary>A folder of four runs with the same figures.</summary>
    private static string Runs(string file)
    {
        string folder = Directory.CreateDirectory(file + ".runs").FullName;
        for (int run = 0; run < DiffRun.MinRuns; run++)
            File.Copy(file, Path.Combine(folder, $"{run}.json"), overwrite: true);
        return folder;
    }

    [Fact]
    public async Task The_same_file_twice_is_one_too_many_for_a_gate()
    {
        string one = await WriteAsync("limits.json", Result("limits", ("a", [1])));

        ToolResult result = await new Tool().RunAsync("report", one, one, "-o", Path.Combine(_folder, "r.html"), "--json", Path.Combine(_folder, "all.json"));

        Assert.Equal(2, result.ExitCode);
    }

    [Fact]
    public async Task Throughput_is_drawn_over_time_with_its_latencies()
    {
        string json = Path.Combine(_folder, "throughput.json"), page = Path.Combine(_folder, "r.html");
        var tool = new Tool { Clock = TimeProvider.System };
        // On a busy machine a run may be over before its second period is: a longer one has more.
        for (double seconds = 0.4; RowCount(json) < 6 && seconds < 60; seconds *= 2)
        {
            ToolResult measured = await tool.RunAsync(
                "throughput", "-C", "memory:", "-S", "report", "--seconds", seconds.ToString(CultureInfo.InvariantCulture), "-f", "0.1", "--rate", "2000", "--json", json);
            Assert.True(measured.ExitCode == 0, measured.Error);
        }

        Assert.True(RowCount(json) >= 6, "Not even a run of a minute has three periods.");
        ToolResult result = await tool.RunAsync("report", json, "-o", page);

        Assert.True(result.ExitCode == 0, result.Error);
        string html = await File.ReadAllTextAsync(page);
        foreach (string text in new[] { "messages over time", "latencies", "end to end", "seconds" })
            Assert.Contains(text, html, StringComparison.Ordinal);
    }

    [Fact]
    public void A_long_run_is_thinned_out_and_its_axis_is_of_time()
    {
        var none = new Formatters.Bench.Throughput.Durations(1, 1, 1, 1, 1);
        Formatters.Bench.Throughput.ThroughputRow[] rows = [.. Enumerable.Range(0, 10_000).Select(i => new Formatters.Bench.Throughput.ThroughputRow(i, i + 1, 1, 1, none, none, 5, 5, 5, 0, 0, 5, null))];
        var summary = new Formatters.Bench.Throughput.ThroughputSummary(1, 1, 0, 1, 1, null, null, null, null, null, 0, 0, null);

        Chart chart = ThroughputCharts.Build(new ReportPart { Sends = rows, Receives = [], Summary = summary }).First();

        Assert.InRange(chart.Categories.Count, 60, 120);
        Assert.Equal(AxisScale.Differences, chart.AxisScale);
    }

    [Fact]
    public void An_engine_of_an_older_or_newer_build_is_drawn_as_far_as_it_goes()
    {
        JsonElement Parse(string text) => JsonDocument.Parse(text).RootElement;

        Assert.Empty(EngineCharts.Build(Parse("{}")));
        Assert.Empty(EngineCharts.Build(Parse("""{ "analysis": 5, "samples": [ { "stations": null } ] }""")));
        Chart[] charts = [.. EngineCharts.Build(Parse(
            """
            { "analysis": { "stations": [ { "name": "parser", "utilization": 0.5, "serviceSeconds": 0.001 }, { "name": "audit", "utilization": 0.25, "serviceSeconds": 0.002 } ] },
              "samples": [ { "seconds": 0, "stations": [ { "length": 1 }, { "length": 2 } ] }, { "seconds": 1, "stations": [ { "length": 3 }, { "length": 4 } ] }, { "seconds": 2, "stations": [ { "length": 0 }, { "length": 0 } ] } ] }
            """))];
        Assert.Equal([0.5, 0.25], charts[0].Lines[0].Points.Select(static point => point!.Value));
        Assert.Equal([2, 4, 0], charts.Single(static chart => chart.Title.EndsWith("over time", StringComparison.Ordinal)).Lines[1].Points.Select(static point => point!.Value));
    }

    [Fact]
    public void The_figures_of_the_article_stand_beside_its_own()
    {
        ReportSection perftest = Section("perftest", ("SendAndPurge/express/empty", [100]), ("SendAndPurge/express/empty, remote", [50]), ("SendAndPurge/express/string 500", [10]), ("SendAndPurge/express/string 1,000", [5]));
        ReportSection compare = Section("compare", ("order/BinaryFormatter/receive", [7]), ("order/XML/receive", [3]), ("order/hand-coded/receive", [70]), ("Int32/ActiveX/send", [9]));

        FigureGroup group = Assert.Single(ArticleFigures.Build([perftest, compare]));

        Assert.Equal(["1", "4", "8", "10", "13"], group.Charts.Select(static chart => chart.Title.Split(' ', '.')[1]));
        Chart empty = group.Charts[0];
        Assert.Equal(["express", "express, remote"], empty.Categories);
        Assert.Equal([49_311, 25_257], empty.Lines.Single(static line => line.Name == "2004, .NET").Points.Select(static point => point!.Value));
        Assert.Equal([28_572, 23_476], group.Charts[1].Lines.Single(static line => line.Name == "2004, COM").Points.Select(static point => point!.Value));
        Assert.Equal(10_441, group.Charts[3].Lines.Single(static line => line.Name == "2004, .NET Optimized").Points[0]!.Value);
    }

    private static int RowCount(string json)
    {
        if (!File.Exists(json))
            return 0;
        using JsonDocument file = JsonDocument.Parse(File.ReadAllText(json));
        return file.RootElement.GetProperty("sends").GetArrayLength() + file.RootElement.GetProperty("receives").GetArrayLength();
    }

    private static ReportSection Section(string verb, params (string Name, double[] Rounds)[] series) => new(
        verb + ".json",
        new ResultFile(verb, null, [.. series.Select(static item => Series.OfRates(item.Name, item.Rounds))]),
        new ReportPart { Queue = JsonSerializer.SerializeToElement(new QueueInfo("memory:q", "in-memory", "express", "none"), ReportJson.Default.QueueInfo) },
        []);

    private static string Result(string verb, params (string Name, double[] Rounds)[] series)
    {
        var run = new RunInfo("formatters-bench", verb, Tool.Now, 1, MachineInfo.Current());
        return JsonSerializer.Serialize(new ResultFile(verb, run, [.. series.Select(static item => Series.OfRates(item.Name, item.Rounds))]), ReportJson.Default.ResultFile);
    }

    private async Task<string> WriteAsync(string name, string text)
    {
        string path = Path.Combine(_folder, name);
        await File.WriteAllTextAsync(path, text);
        return path;
    }
}
