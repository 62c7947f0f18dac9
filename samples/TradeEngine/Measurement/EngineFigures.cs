using Formatters.TradeEngine.Monitoring;
using Formatters.TradeEngine.Runs;

namespace Formatters.TradeEngine.Measurement;

/// <summary>The study's figures of one run: numbers 3, 6, 10, 14, 15 and 16, and table 6.</summary>
internal static class EngineFigures
{
    private const int Points = 40;

    private static readonly double[] Loads = [0.05, 0.2, 0.35, 0.5, 0.65, 0.8, 0.9, 0.95];

    internal static IReadOnlyList<Figure> Of(EngineRunResult result)
    {
        if (result.Samples.Count < 3)
            return [];
        IReadOnlyList<NetworkSample> samples = Thin(result.Samples, Points);
        return [ExecutionGraph(result, samples), ProcessorTime(result, samples), GeneralCurve(), Degradation(result), Curves(result), Region(result),
            TableSix(result)];
    }

    /// <summary>The rate at which CLS-bound messages were completed, by how many were stored: the points of figure 14.</summary>
    internal static IReadOnlyList<(double Stored, double Rate)> FindDegradation(IReadOnlyList<NetworkSample> samples)
    {
        var points = new List<(double, double)>();
        IReadOnlyList<NetworkSample> thin = Thin(samples, 11);
        for (int i = 1; i < thin.Count; i++)
        {
            double stored = Stored(thin[i]) - Stored(thin[i - 1]);
            if (stored > 0)
                points.Add((Stored(thin[i]), stored / (thin[i].Seconds - thin[i - 1].Seconds)));
        }

        return points;

        static double Stored(NetworkSample sample) => sample.Stations.Skip(1).Sum(station => station.Completions);
    }

    private static Figure ExecutionGraph(EngineRunResult result, IReadOnlyList<NetworkSample> samples) => new(
        "Figure 3: execution graph",
        "Messages in the queues and hands of each component, at the monitor's interval.",
        "messages",
        "seconds",
        [.. samples.Select(sample => Text(sample.Seconds))],
        [.. result.Analysis.Stations.Select((station, i) =>
            new FigureLine(station.Name, [.. samples.Select(sample => (double?)sample.Stations[i].Length)]))]);

    private static Figure ProcessorTime(EngineRunResult result, IReadOnlyList<NetworkSample> samples)
    {
        var lines = new List<FigureLine> { Line("engine", sample => sample.Engine) };
        if (result.Processors.Database > 0)
            lines.Add(Line("PostgreSQL", sample => sample.Database));
        if (result.Processors.Broker > 0)
            lines.Add(Line("broker", sample => sample.Broker));
        return new Figure(
            "Figure 6: processor time",
            $"Of {result.Analysis.ProcessorCount} processors; 100 % is one of them. The study's node was near 100 % "
                + $"at the start, and lower after the burst.",
            "%",
            "seconds",
            [.. samples.Skip(1).Select(sample => Text(sample.Seconds))],
            lines);

        FigureLine Line(string name, Func<ProcessorSample, double> of) => new(
            name,
            [.. samples.Skip(1).Select((sample, i) =>
                (double?)(100 * (of(sample.Processors) - of(samples[i].Processors)) / Math.Max(1e-9, sample.Seconds - samples[i].Seconds)))]);
    }

    private static Figure GeneralCurve() => new(
        "Figure 10: Little's-law curve in general",
        "Response time as a multiple of the service time, by the utilization of one server: R / S = 1 / (1 - U).",
        "times S",
        "% utilization",
        [.. Loads.Select(load => Text(100 * load))],
        [new FigureLine("1 / (1 - U)", [.. Loads.Select(load => (double?)(1 / (1 - load)))])]);

    private static Figure Degradation(EngineRunResult result)
    {
        IReadOnlyList<(double Stored, double Rate)> here = FindDegradation(result.Samples);
        SortedDictionary<double, (double? Here, double? Study)> points = [];
        foreach ((double stored, double rate) in here)
            points[stored] = (rate, null);
        points[2_000_000] = (points.GetValueOrDefault(2_000_000).Here, EngineStudy.MessagesPerSecond);
        points[7_000_000] = (points.GetValueOrDefault(7_000_000).Here, EngineStudy.MessagesPerSecondAtSevenMillion);
        return new Figure(
            "Figure 14: degradation with stored volume",
            "Messages a second while so many were stored. Hollow marks: the study, on eight nodes and four database servers.",
            Series.MessagesPerSecond,
            "messages stored",
            [.. points.Keys.Select(Text)],
            [
                new FigureLine("here", [.. points.Values.Select(point => point.Here)]),
                new FigureLine("the study", [.. points.Values.Select(point => point.Study)], IsStudy: true),
            ]);
    }

    private static Figure Curves(EngineRunResult result)
    {
        StationAnalysis[] stations = [.. result.Analysis.Stations.Where(station => station.Completions > 0)];
        return new Figure(
            "Figure 15: performance curve of each component",
            "Response time without waiting for others, by the load of the network as a share of its bound: S / "
                + "(1 - U), with the measured service times.",
            "ms",
            "% of the bound",
            [.. Loads.Select(load => Text(100 * load))],
            [.. stations.Select(station =>
                new FigureLine(station.Name, [.. Loads.Select(load => (double?)(1000 * Response(result.Analysis, station, load)))]))]);
    }

    private static Figure Region(EngineRunResult result)
    {
        StationAnalysis[] stations = [.. result.Analysis.Stations.Where(station => station.Completions > 0)];
        double[] loads = double.IsFinite(result.Analysis.ThroughputBound) ? Loads : [];
        return new Figure(
            "Figure 16: performance operating region",
            "Between the fastest and the slowest component at each load.",
            "ms",
            "% of the bound",
            [.. loads.Select(load => Text(100 * load))],
            [
                new FigureLine(
                    "slowest", [.. loads.Select(load => (double?)(1000 * stations.Max(station => Response(result.Analysis, station, load))))]),
                new FigureLine(
                    "fastest", [.. loads.Select(load => (double?)(1000 * stations.Min(station => Response(result.Analysis, station, load))))]),
            ]);
    }

    private static Figure TableSix(EngineRunResult result) => new(
        "Table 6: throughput of the components",
        "X = C / T of each. Hollow mark: the study's node, one of two, all its components together, in its own unit of time.",
        "messages a second",
        null,
        [.. result.Analysis.Stations.Select(station => station.Name), "network"],
        [
            new FigureLine("here", [.. result.Analysis.Stations.Select(station => (double?)station.Throughput), result.Analysis.Throughput]),
            new FigureLine("the study", [.. result.Analysis.Stations.Select(_ => (double?)null), EngineStudy.SampleThroughput], IsStudy: true),
        ]);

    private static double Response(NetworkAnalysis network, StationAnalysis station, double load) =>
        station.ServiceSeconds / (1 - Math.Min(0.999, load * network.ThroughputBound * station.DemandSeconds / station.Servers));

    private static IReadOnlyList<NetworkSample> Thin(IReadOnlyList<NetworkSample> samples, int count) => samples.Count <= count
        ? samples
        : [.. Enumerable.Range(0, count).Select(i => samples[(int)((long)i * (samples.Count - 1) / (count - 1))])];

    private static string Text(double number) => number.ToString("0.##", CultureInfo.InvariantCulture);
}
