using System.Text.Json;

namespace Formatters.Bench.Diff;

/// <summary>Reads BenchmarkDotNet's own results, <c>*-report-full.json</c>.</summary>
internal static class BenchmarkDotNetFile
{
    internal static bool IsOne(JsonElement root) =>
        root.ValueKind == JsonValueKind.Object && root.TryGetProperty("Benchmarks", out JsonElement list) && list.ValueKind == JsonValueKind.Array
            && root.TryGetProperty("HostEnvironmentInfo", out _);

    /// <summary>Its figures: times in nanoseconds, and bytes allocated, of each benchmark.</summary>
    /// <exception cref="UsageException">It has no measurements, as <c>*-report-brief.json</c>.</exception>
    internal static ResultFile Read(string path, JsonElement root, DateTimeOffset writtenAt)
    {
        var series = new List<Series>();
        var names = new HashSet<string>(StringComparer.Ordinal);
        foreach (JsonElement benchmark in root.GetProperty("Benchmarks").EnumerateArray())
        {
            double[] rounds = Rounds(benchmark);
            if (rounds.Length == 0)
                continue;
            string name = NameOf(benchmark);
            // The same benchmark under several jobs.
            for (int i = 2; !names.Add(name); i++)
                name = $"{NameOf(benchmark)} ({i})";
            series.Add(new Series(name, "ns", IsHigherBetter: false, rounds));
            if (benchmark.TryGetProperty("Memory", out JsonElement memory) && memory.ValueKind == JsonValueKind.Object
                && memory.TryGetProperty("BytesAllocatedPerOperation", out JsonElement bytes) && bytes.TryGetDouble(out double allocated))
                series.Add(new Series(name + "/allocated", "B", IsHigherBetter: false, [allocated]));
        }

        if (series.Count == 0)
            throw new UsageException($"'{path}' has no measurements: a report needs BenchmarkDotNet's full results "
                + $"(--exporters fulljson, *-report-full.json).");
        return new ResultFile(ResultFile.BenchmarkDotNet, RunOf(root, writtenAt), series);
    }

    private static double[] Rounds(JsonElement benchmark)
    {
        if (!benchmark.TryGetProperty("Statistics", out JsonElement statistics) || statistics.ValueKind != JsonValueKind.Object)
            return [];
        if (statistics.TryGetProperty("OriginalValues", out JsonElement values) && values.ValueKind == JsonValueKind.Array
            && values.GetArrayLength() > 0)
            return [.. values.EnumerateArray().Select(static value => value.GetDouble())];
        return statistics.TryGetProperty("Median", out JsonElement median) && median.TryGetDouble(out double one) ? [one] : [];
    }

    /// <summary><c>OrderBenchmarks/Items=50, Row=hand-coded/Write</c>.</summary>
    private static string NameOf(JsonElement benchmark)
    {
        string parameters = Text(benchmark, "Parameters") ?? "";
        // Slashes separate the parts of a name.
        return string.Join('/',
            new[] { Text(benchmark, "Type") ?? "benchmarks", parameters.Replace("&", ", ", StringComparison.Ordinal).Replace('/', '|'),
                Text(benchmark, "Method") ?? Text(benchmark, "FullName") ?? "?" }.Where(static part => part.Length > 0));
    }

    private static RunInfo RunOf(JsonElement root, DateTimeOffset writtenAt)
    {
        JsonElement host = root.GetProperty("HostEnvironmentInfo");
        string title = Text(root, "Title") ?? "";
        int cores = host.TryGetProperty("LogicalCoreCount", out JsonElement count) && count.ValueKind == JsonValueKind.Number
            && count.TryGetInt32(out int number) ? number : 0;
        var machine = new MachineInfo(
            Text(host, "ProcessorName") ?? "unknown processor", cores, 0, Text(host, "OsVersion") ?? "", Text(host, "RuntimeVersion")
                ?? "", "as each job has it");
        return new RunInfo($"BenchmarkDotNet {Text(host, "BenchmarkDotNetVersion")}".TrimEnd(), title, MomentOf(title) ?? writtenAt, 0, machine);
    }

    /// <summary>Titles end with the local time: <c>Formatters.Benchmarks.OrderBenchmarks-20261124-101500</c>.</summary>
    private static DateTimeOffset? MomentOf(string title) =>
        title.Length > 15 && DateTimeOffset.TryParseExact(title[^15..], "yyyyMMdd-HHmmss", CultureInfo.InvariantCulture, DateTimeStyles.AssumeLocal,
            out DateTimeOffset moment) ? moment : null;

    private static string? Text(JsonElement element, string name) =>
        element.TryGetProperty(name, out JsonElement value) && value.ValueKind == JsonValueKind.String ? value.GetString() : null;
}
