namespace Formatters.TradeEngine.Monitoring;

/// <summary>Buzen and Denning's quantities of a station over an observation period.</summary>
/// <param name="Servers">How many instances.</param>
/// <param name="Seconds">T, the length of the period.</param>
/// <param name="Completions">C.</param>
/// <param name="BusySeconds">B, all instances added up.</param>
/// <param name="ArrivalRate">A / T, a second.</param>
/// <param name="Throughput">X = C / T, a second.</param>
/// <param name="Utilization">U = B / (T x servers).</param>
/// <param name="ServiceSeconds">S = B / C.</param>
/// <param name="MeanLength">N = W / T, where W is the area under the curve of the queue's length.</param>
/// <param name="ResponseSeconds">R = W / C: by the lengths alone.</param>
/// <param name="MeasuredResponseSeconds">The mean time from arrival to completion, by what the components note of each, without the lengths.</param>
/// <param name="LittleError">By how much X times the measured response differs from N, as a part of N.</param>
/// <param name="VisitRatio">V, completions here for each in-bound message.</param>
/// <param name="DemandSeconds">D = V x S.</param>
internal sealed record StationAnalysis(
    string Name,
    int Servers,
    double Seconds,
    long Arrivals,
    long Completions,
    double BusySeconds,
    double ArrivalRate,
    double Throughput,
    double Utilization,
    double ServiceSeconds,
    double MeanLength,
    double ResponseSeconds,
    double MeasuredResponseSeconds,
    double LittleError,
    double VisitRatio,
    double DemandSeconds);

/// <summary>The quantities of the network, and what they bound.</summary>
/// <param name="Stations">The stations, the router first.</param>
/// <param name="Throughput">X of the network: in-bound messages a second.</param>
/// <param name="ResponseSeconds">R of the network: the sum of V x R over its stations.</param>
/// <param name="Bottleneck">The station, or the processors, that saturates first.</param>
/// <param name="ThroughputBound">What the bottleneck allows at most, in-bound messages a second.</param>
/// <param name="LeastResponseSeconds">The sum of the demands: no message is faster.</param>
/// <param name="SaturationLength">
/// The number of messages in the network from which on it is the bottleneck that decides: the sum of the demands times the bound.
/// </param>
/// <param name="ProcessorSeconds">The time of all processors that an in-bound message takes, everything in this process included.</param>
/// <param name="ProcessorUtilization">The share of the processors' time that was used.</param>
internal sealed record NetworkAnalysis(
    IReadOnlyList<StationAnalysis> Stations,
    double Throughput,
    double ResponseSeconds,
    string Bottleneck,
    double ThroughputBound,
    double LeastResponseSeconds,
    double SaturationLength,
    double ProcessorSeconds,
    double ProcessorUtilization,
    int ProcessorCount);

/// <summary>The part of the performance operating region at a load: between which response times the components lie.</summary>
/// <param name="LoadShare">The load as a share of the network's bound.</param>
/// <param name="Throughput">In-bound messages a second.</param>
/// <param name="LeastSeconds">Of the component that is least loaded.</param>
internal sealed record OperatingPoint(double LoadShare, double Throughput, double LeastSeconds, double MostSeconds);

/// <summary>The operational analysis of queueing networks (Buzen, Denning; ACM Computing Surveys 10, 3; 1978) of what a monitor has seen.</summary>
internal static class OperationalAnalysis
{
    private const string Processors = "processors";

    /// <summary>Analyses an observation period.</summary>
    /// <param name="monitor">What was seen.</param>
    /// <param name="inbound">How many messages came in.</param>
    /// <param name="processorTime">What this process used of the processors meanwhile.</param>
    internal static NetworkAnalysis Analyze(NetworkMonitor monitor, long inbound, TimeSpan processorTime, int processorCount) =>
        Analyze([.. monitor.Stations.Select(station => (station.Meter.Name, station.Servers))], monitor.Samples, inbound, processorTime,
            processorCount);

    /// <inheritdoc cref="Analyze(NetworkMonitor, long, TimeSpan, int)"/>
    internal static NetworkAnalysis Analyze(
        IReadOnlyList<(string Name, int Servers)> stations, IReadOnlyList<NetworkSample> samples, long inbound, TimeSpan processorTime,
            int processorCount)
    {
        if (samples.Count < 2)
            throw new ArgumentException("An observation period has two samples at least.", nameof(samples));
        double seconds = samples[^1].Seconds - samples[0].Seconds;
        StationAnalysis[] analyses = [.. stations.Select((station, i) => Analyze(station.Name, station.Servers, i, samples, seconds, inbound))];
        double processorSeconds = inbound == 0 ? 0 : processorTime.TotalSeconds / inbound;
        (string bottleneck, double bound) = analyses
            .Select(station => (station.Name, Bound: station.DemandSeconds == 0 ? double.PositiveInfinity : station.Servers / station.DemandSeconds))
            .Append((Name: Processors, Bound: processorSeconds == 0 ? double.PositiveInfinity : processorCount / processorSeconds))
            .MinBy(candidate => candidate.Bound);
        double demand = analyses.Sum(station => station.DemandSeconds);
        return new NetworkAnalysis(
            analyses,
            inbound / seconds,
            analyses.Sum(station => station.VisitRatio * station.ResponseSeconds),
            bottleneck,
            bound,
            demand,
            demand * bound,
            processorSeconds,
            processorTime.TotalSeconds / (seconds * processorCount),
            processorCount);
    }

    /// <summary>
    /// The performance operating region: at each load the response times of the components as open queues with the measured service times, S / (1 -
    /// U).
    /// </summary>
    internal static IReadOnlyList<OperatingPoint> FindOperatingRegion(NetworkAnalysis network)
    {
        var points = new List<OperatingPoint>();
        foreach (double share in (ReadOnlySpan<double>)[0.1, 0.25, 0.5, 0.75, 0.9, 0.95])
        {
            double throughput = share * network.ThroughputBound;
            double[] responses =
            [
                .. network.Stations.Where(station => station.Completions > 0).Select(station =>
                {
                    double utilization = Math.Min(0.999, throughput * station.DemandSeconds / station.Servers);
                    return station.ServiceSeconds / (1 - utilization);
                }),
            ];
            if (responses.Length > 0 && double.IsFinite(throughput))
                points.Add(new OperatingPoint(share, throughput, responses.Min(), responses.Max()));
        }

        return points;
    }

    private static StationAnalysis Analyze(string name, int servers, int index, IReadOnlyList<NetworkSample> samples, double seconds, long inbound)
    {
        StationSample first = samples[0].Stations[index];
        StationSample last = samples[^1].Stations[index];
        long arrivals = last.Arrivals - first.Arrivals;
        long completions = last.Completions - first.Completions;
        double busy = last.BusySeconds - first.BusySeconds;
        double area = 0;
        for (int i = 1; i < samples.Count; i++)
            area += (samples[i].Seconds - samples[i - 1].Seconds) * (samples[i].Stations[index].Length + samples[i - 1].Stations[index].Length) / 2;
        double length = area / seconds;
        double measured = completions == 0 ? 0 : (last.ResponseSeconds - first.ResponseSeconds) / completions;
        double throughput = completions / seconds;
        double service = completions == 0 ? 0 : busy / completions;
        double visits = inbound == 0 ? 0 : (double)completions / inbound;
        return new StationAnalysis(
            name,
            servers,
            seconds,
            arrivals,
            completions,
            busy,
            arrivals / seconds,
            throughput,
            busy / (seconds * servers),
            service,
            length,
            completions == 0 ? 0 : area / completions,
            measured,
            length == 0 ? 0 : ((throughput * measured) - length) / length,
            visits,
            visits * service);
    }
}
