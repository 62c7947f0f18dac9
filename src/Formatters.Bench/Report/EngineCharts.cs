using System.Text.Json;

namespace Formatters.Bench.Report;

/// <summary>Draws what <c>engine</c> found, from its JSON: what is not there is not drawn. A further chart is one more line in <see
/// cref="Build"/>.</summary>
internal static class EngineCharts
{
    private const int MaxPoints = 120;
    private const string Milliseconds = "ms";

    internal static IEnumerable<Chart> Build(JsonElement result)
    {
        string[] stations = [.. Items(result, "analysis", "stations").Select(static station => Text(station, "name"))];
        Chart?[] charts =
        [
            Bars(result, "utilization of the stations", "The share of its time for which a station worked.", "share", ["analysis", "stations"],
                "name", [("utilization", "utilization")]),
            Bars(
                result,
                "time at the stations",
                "Milliseconds for a message: at work on it, and with its wait; less is better.",
                Milliseconds,
                ["analysis", "stations"],
                "name",
                [("service", "serviceSeconds"), ("response", "responseSeconds")]),
            Bars(result, "messages at the stations", "The mean of those that wait and those that are worked on.", "messages",
                ["analysis", "stations"], "name", [("messages", "meanLength")]),
            LengthsOverTime(result, stations),
            Lines(
                result,
                "performance operating region",
                "Response time in milliseconds by load: the least that is possible, and the most.",
                Milliseconds,
                ["operatingRegion"],
                ("throughput", "messages a second"),
                [("least", "leastSeconds"), ("most", "mostSeconds")]),
        ];
        return charts.OfType<Chart>();
    }

    private static Chart? Bars(JsonElement root, string title, string caption, string unit, string[] path, string name,
        (string Name, string Property)[] lines)
    {
        JsonElement[] items = [.. Items(root, path)];
        return items.Length == 0
            ? null
            : new Chart(title, caption, unit, [.. items.Select(item => Text(item, name))],
                [.. lines.Select(line => new ChartLine(line.Name, [.. items.Select(item => Point(item, line.Property, unit))]))]);
    }

    private static Chart? Lines(JsonElement root, string title, string caption, string unit, string[] path, (string Property, string Name) axis,
        (string Name, string Property)[] lines)
    {
        JsonElement[] items = [.. Thin([.. Items(root, path).Where(item => Number(item, axis.Property) is not null)])];
        return items.Length < 2
            ? null
            : new Chart(
                title,
                caption,
                unit,
                [.. items.Select(item => Number(item, axis.Property)!.Value.ToString("0.##", CultureInfo.InvariantCulture))],
                [.. lines.Select(line => new ChartLine(line.Name, [.. items.Select(item => Point(item, line.Property, unit))]))],
                axis.Name) { AxisScale = AxisScale.Differences };
    }

    /// <summary>The stations with the longest queues: more lines could not be told apart.</summary>
    private static Chart? LengthsOverTime(JsonElement root, string[] stations)
    {
        const int Most = 4;
        JsonElement[] samples = [.. Thin([.. Items(root, "samples")])];
        double?[][] lengths =
            [.. samples.Select(static sample => Items(sample, "stations").Select(static station => Number(station, "length")).ToArray())];
        if (samples.Length < 3 || stations.Length == 0 || lengths.Any(row => row.Length < stations.Length))
            return null;
        int[] drawn = [.. Enumerable.Range(0, stations.Length).OrderByDescending(i => lengths.Max(row => row[i] ?? 0)).Take(Most).Order()];
        return new Chart(
            "messages at the stations over time",
            "Those that wait and those that are worked on." + (stations.Length > Most ? " The four stations with the most." : ""),
            "messages",
            [.. samples.Select(static sample => (Number(sample, "seconds") ?? 0).ToString("0.##", CultureInfo.InvariantCulture))],
            [.. drawn.Select(i => new ChartLine(stations[i], [.. lengths.Select(row => row[i] is { } value ? ChartPoint.Of(value) : null)]))],
            "seconds") { AxisScale = AxisScale.Differences };
    }

    private static IEnumerable<T> Thin<T>(IReadOnlyList<T> items)
    {
        int step = Math.Max(1, (items.Count + MaxPoints - 1) / MaxPoints);
        return items.Where((_, i) => i % step == 0);
    }

    private static JsonElement.ArrayEnumerator Items(JsonElement root, params string[] path)
    {
        foreach (string name in path)
        {
            if (root.ValueKind != JsonValueKind.Object || !root.TryGetProperty(name, out root))
                return default;
        }

        return root.ValueKind == JsonValueKind.Array ? root.EnumerateArray() : default;
    }

    private static string Text(JsonElement item, string name) =>
        item.ValueKind == JsonValueKind.Object && item.TryGetProperty(name, out JsonElement value) ? value.ToString() : "";

    private static double? Number(JsonElement item, string name) =>
        item.ValueKind == JsonValueKind.Object && item.TryGetProperty(name, out JsonElement value) && value.ValueKind == JsonValueKind.Number
            ? value.GetDouble()
            : null;

    /// <summary>The file has seconds.</summary>
    private static ChartPoint? Point(JsonElement item, string name, string unit) =>
        Number(item, name) is { } value ? ChartPoint.Of(unit == Milliseconds ? 1_000 * value : value) : null;
}
