using Formatters.TradeEngine.Monitoring;
using Formatters.TradeEngine.Runs;
using Formatters.TradeEngine.Simulation;
using Microsoft.Win32.SafeHandles;

namespace Formatters.TradeEngine.Measurement;

/// <summary>Makes a simulation of what a run with component processes has measured.</summary>
internal static class EngineSimulations
{
    /// <param name="result">A run with component processes, database and broker on the same machine: it tells the processor time of each.</param>
    /// <param name="instances">Of each of ALC, NPR and SET in a process.</param>
    /// <param name="batchSize">How many messages a component takes at once.</param>
    /// <param name="flushSeconds">How long a flush of the disk takes.</param>
    /// <param name="diskRate">How many bytes a second a database's disk writes; null where it is no limit.</param>
    internal static SimulationOptions Of(EngineRunResult result, int instances, int batchSize, double flushSeconds, double? diskRate = null)
    {
        double demand = result.Analysis.Stations.Sum(station => station.DemandSeconds);
        return new SimulationOptions
        {
            Instances = instances,
            BatchSize = batchSize,
            // What the processes took of the processors, by how long each component was at work: its waits for store and queue are in that, too.
            StationSeconds = [.. result.Analysis.Stations.Select(station => Share(station))],
            DatabaseSeconds = result.Processors.Database,
            BrokerSeconds = result.Processors.Broker,
            DriverSeconds = result.Processors.Run,
            FlushSeconds = flushSeconds,
            DiskSeconds = diskRate is { } rate && result.StoreByteCount is { } byteCount ? byteCount / rate / result.Sent : 0,
        };

        double Share(StationAnalysis station) => demand == 0 || station.VisitRatio == 0
            ? 0
            : result.Processors.Nodes * station.DemandSeconds / demand / station.VisitRatio;
    }

    /// <summary>How long a flush takes in a folder, in seconds.</summary>
    internal static double MeasureFlush(string folder)
    {
        string path = Path.Combine(Path.GetFullPath(folder), "trade-engine-" + Guid.NewGuid().ToString("N")[..8]);
        using SafeFileHandle file = File.OpenHandle(path, FileMode.CreateNew, FileAccess.Write, options: FileOptions.DeleteOnClose);
        byte[] bytes = new byte[8192];
        int count = 0;
        long start = Stopwatch.GetTimestamp();
        do
        {
            RandomAccess.Write(file, bytes, 0);
            RandomAccess.FlushToDisk(file);
            count++;
        }
        while (Stopwatch.GetElapsedTime(start) < TimeSpan.FromMilliseconds(300));
        return Stopwatch.GetElapsedTime(start).TotalSeconds / count;
    }
}
