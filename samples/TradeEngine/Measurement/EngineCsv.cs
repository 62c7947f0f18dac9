using Formatters.TradeEngine.Monitoring;

namespace Formatters.TradeEngine.Measurement;

/// <summary>Writes the execution graph: the lengths of all queues at the monitor's interval.</summary>
internal static class EngineCsv
{
    internal static void Write(TextWriter writer, EngineReport report)
    {
        var stations = report.Result.Analysis.Stations;
        writer.WriteLine(string.Join(',', stations.SelectMany(station => new[] { station.Name + "-length", station.Name + "-arrivals", station.Name
            + "-completions" }).Prepend("seconds")));
        foreach (NetworkSample sample in report.Result.Samples)
        {
            writer.WriteLine(string.Join(
                ',',
                sample.Stations.SelectMany(station => new[] { station.Length, station.Arrivals, station.Completions })
                    .Select(number => number.ToString(CultureInfo.InvariantCulture))
                    .Prepend(sample.Seconds.ToString("0.###", CultureInfo.InvariantCulture))));
        }
    }
}
