using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.IO;
using System.Linq;
using System.Threading.Tasks;
using Formatters.Queues;
using Formatters.TradeEngine.Building;
using Formatters.TradeEngine.Components;
using Formatters.TradeEngine.Monitoring;
using Formatters.TradeEngine.Runs;
using Formatters.TradeEngine.StaticData;
using Formatters.TradeEngine.Store.Sqlite;
using Xunit;

namespace Formatters.TradeEngine.Tests;

public sealed class AnalysisTests
{
    /// <summary>Two stations in a row whose quantities are known: 100 messages, the first takes 10 ms each, the second has two servers of 15 ms.</summary>
    [Fact]
    public void Quantities_OfAKnownNetwork_AreThose()
    {
        var samples = new List<NetworkSample>();
        for (int tick = 0; tick <= 1_000; tick++)
        {
            // All come at once; one leaves the first station each 10 ms.
            long left = Math.Min(100, tick / 10);
            samples.Add(new NetworkSample(tick / 1000.0, [
                new StationSample(100 - left, 100, left, left * 0.010, SumOfLeaving(left)),
                new StationSample(0, left, left, left * 0.015, 0),
            ]));
        }

        samples[0] = new NetworkSample(0, [new StationSample(0, 0, 0, 0, 0), new StationSample(0, 0, 0, 0, 0)]);
        NetworkAnalysis network = OperationalAnalysis.Analyze([("first", 1), ("second", 2)], samples, 100, TimeSpan.FromSeconds(0.4), 2);

        StationAnalysis first = network.Stations[0];
        Assert.Equal(100, first.Completions);
        Assert.Equal(100, first.Throughput, 6);
        Assert.Equal(1, first.Utilization, 6);
        Assert.Equal(0.010, first.ServiceSeconds, 6);
        Assert.InRange(first.MeanLength, 50, 51);
        Assert.InRange(first.ResponseSeconds, 0.50, 0.51);
        Assert.InRange(first.LittleError, -0.01, 0.01);
        Assert.Equal(0.75, network.Stations[1].Utilization, 6);
        // The first station serves 100 a second, the second 133, the processors 500.
        Assert.Equal("first", network.Bottleneck);
        Assert.Equal(100, network.ThroughputBound, 6);
        Assert.Equal(0.025, network.LeastResponseSeconds, 6);
        Assert.Equal(2.5, network.SaturationLength, 6);
        Assert.Equal(0.2, network.ProcessorUtilization, 6);
        OperatingPoint half = OperationalAnalysis.FindOperatingRegion(network).Single(point => point.LoadShare == 0.5);
        Assert.Equal(50, half.Throughput, 6);
        Assert.Equal(0.020, half.LeastSeconds, 6);
        Assert.Equal(0.024, half.MostSeconds, 6);

        static double SumOfLeaving(long count) => Enumerable.Range(1, (int)count).Sum(i => i * 0.010);
    }

    /// <summary>
    /// What is still in the station at the end has waited, too: 100 messages come at once, one leaves each 10 ms, and after half of the time 50 are there. The
    /// area below the length counts their time; what the components note of each message does not.
    /// </summary>
    [Fact]
    public void ResponseTime_CountsWhatIsStillInTheStation()
    {
        var samples = new List<NetworkSample>();
        for (int tick = 0; tick <= 500; tick++)
        {
            long left = tick / 10;
            samples.Add(new NetworkSample(tick / 1000.0, [new StationSample(100 - left, 100, left, left * 0.010, Enumerable.Range(1, (int)left).Sum(static i => i * 0.010))]));
        }

        StationAnalysis station = OperationalAnalysis.Analyze([("first", 1)], samples, 100, TimeSpan.FromSeconds(0.4), 2).Stations[0];

        Assert.Equal(50, station.Completions);
        // The mean length is 75, over half a second: 37.5 message seconds for 50 completions.
        Assert.InRange(station.MeanLength, 75, 76);
        Assert.InRange(station.ResponseSeconds, 0.75, 0.76);
        Assert.InRange(station.MeasuredResponseSeconds, 0.25, 0.26);
        Assert.InRange(station.LittleError, -0.68, -0.64);
    }

    /// <summary>A single server with Poisson arrivals and exponential service: the analysis finds what queueing theory says of it.</summary>
    [Fact]
    public void Quantities_OfASimulatedQueue_AreThoseOfTheTheory()
    {
        var random = new SeededRandom(42);
        const double ArrivalRate = 70;
        const double ServiceSeconds = 0.010;
        const int Count = 60_000;
        var arrivals = new double[Count];
        var leavings = new double[Count];
        double busy = 0;
        for (int i = 0; i < Count; i++)
        {
            arrivals[i] = (i == 0 ? 0 : arrivals[i - 1]) + Exponential(1 / ArrivalRate);
            double service = Exponential(ServiceSeconds);
            busy += service;
            leavings[i] = Math.Max(arrivals[i], i == 0 ? 0 : leavings[i - 1]) + service;
        }

        double end = leavings[^1];
        var samples = new List<NetworkSample>();
        int arrived = 0;
        int left = 0;
        double response = 0;
        for (double time = 0; time < end + 0.05; time += 0.05)
        {
            while (arrived < Count && arrivals[arrived] <= time)
                arrived++;
            for (; left < Count && leavings[left] <= time; left++)
                response += leavings[left] - arrivals[left];
            samples.Add(new NetworkSample(time, [new StationSample(arrived - left, arrived, left, busy * left / Count, response)]));
        }

        StationAnalysis station = OperationalAnalysis.Analyze([("station", 1)], samples, Count, TimeSpan.Zero, 1).Stations[0];

        Assert.InRange(station.Utilization, 0.68, 0.72);
        // R = S / (1 - U), N = U / (1 - U).
        Assert.InRange(station.ResponseSeconds, 0.030, 0.037);
        Assert.InRange(station.MeanLength, 2.1, 2.6);
        Assert.InRange(station.LittleError, -0.05, 0.05);

        double Exponential(double mean) => -mean * Math.Log(1 - (random.Next() >> 11) / (double)(1UL << 53));
    }

    [Theory]
    [InlineData(1)]
    [InlineData(64)]
    public async Task LittlesLaw_OfARun_HoldsAgainstDirectMeasurement(int bundleSize)
    {
        string folder = Directory.CreateTempSubdirectory("formatters-analysis").FullName;
        try
        {
            await using SqliteTradeStore store = await SqliteTradeStore.OpenAsync(folder);
            var options = new EngineRunOptions
            {
                QueuePrefix = "memory:", Set = new MessageSetOptions { TradeCount = 3_000 }, BatchSize = 16, BundleSize = bundleSize,
                    MaxBacklog = 0, MonitorInterval = TimeSpan.FromMilliseconds(5),
            };

            EngineRunResult result = await new EngineRun(new QueueConnector(new MemoryQueueProvider()), store, options).RunAsync();

            Assert.True(result.IsRight);
            Assert.Equal(21_000, result.Analysis.Stations[0].Completions);
            Assert.Equal(21_000, result.Analysis.Stations.Skip(1).Sum(station => station.Completions));
            // The router's queue, which is the long one; where few messages wait, samples are too coarse.
            StationAnalysis longest = result.Analysis.Stations.MaxBy(station => station.MeanLength)!;
            Assert.InRange(longest.LittleError, -0.05, 0.05);
            Assert.All(result.Analysis.Stations, station => Assert.InRange(station.Utilization, 0.0001, 1.0001));
        }
        finally
        {
            Directory.Delete(folder, recursive: true);
        }
    }

    /// <summary>A queue tells how many bundles it has; the length of a station is in messages all the same.</summary>
    [Theory]
    [InlineData(false, 2)]
    [InlineData(true, 80)]
    public async Task Length_OfAQueueOfBundles_IsThatOfTheirMessages(bool hasBundles, int expected)
    {
        await using QueueClient queue = await new QueueConnector(new MemoryQueueProvider()).OpenAsync("memory:bundles");
        await queue.SendBatchAsync([new QueueMessage(), new QueueMessage()]);
        var meter = new StationMeter("alc");
        meter.AddArrivals(100);
        meter.AddCompletions(20, 0);
        await using var monitor = new NetworkMonitor([new MonitoredStation(meter, 1, [queue], hasBundles)], TimeSpan.FromHours(1));

        await monitor.StopAsync();

        Assert.Equal(expected, monitor.Samples.Single().Stations.Single().Length);
    }

    /// <summary>The work that component processes report after the end belongs to the period, and the wait for their reports does not.</summary>
    [Fact]
    public async Task Period_EndsBeforeTheLastReports()
    {
        await using QueueClient queue = await new QueueConnector(new MemoryQueueProvider()).OpenAsync("memory:period");
        var meter = new StationMeter("alc");
        await using var monitor = new NetworkMonitor([new MonitoredStation(meter, 1, [queue])], TimeSpan.FromHours(1));
        long start = Stopwatch.GetTimestamp();

        await monitor.StartAsync();
        await monitor.EndPeriodAsync(Stopwatch.GetTimestamp());
        TimeSpan period = Stopwatch.GetElapsedTime(start);
        await Task.Delay(50);
        meter.AddCompletions(20, 0);
        await monitor.StopAsync();

        Assert.Equal(20, monitor.Samples[^1].Stations.Single().Completions);
        Assert.InRange(monitor.Samples[^1].Seconds - monitor.Samples[0].Seconds, 0, period.TotalSeconds);
    }
}
