using System.Security.Cryptography;
using Formatters.Buffers;
using Formatters.Envelopes;
using Formatters.TradeEngine.Building;
using Formatters.TradeEngine.Drivers;
using Formatters.TradeEngine.Extraction;
using Formatters.TradeEngine.Runs;
using Formatters.TradeEngine.Store.Sqlite;

namespace Formatters.TradeEngine.Measurement;

/// <summary>Measures how long the fields of messages take, way by way, and what the whole engine takes with each format.</summary>
internal static class ExtractionMeasurement
{
    private const int MessageCount = 700;

    internal static async Task<ExtractionReport> RunAsync(
        IRunProgress progress, int trades, int rounds, TimeSpan time, string commandLine, TimeProvider clock, CancellationToken cancellationToken)
    {
        var recorder = new RunRecorder(commandLine, clock);
        IReadOnlyList<ExtractionWay> ways = MeasureWays(progress.Stage("ways"), rounds, time, cancellationToken);
        IReadOnlyList<ExtractionEngine> engines = await MeasureEnginesAsync(progress.Stage("engine by format"), trades, rounds, cancellationToken);
        return new ExtractionReport(recorder.Finish(engines[0].MessagesPerSecond.Count < rounds), ways, engines);
    }

    private static IReadOnlyList<ExtractionWay> MeasureWays(IProgress<double> progress, int rounds, TimeSpan time,
        CancellationToken cancellationToken)
    {
        (MessageType Type, TradeMessage Message)[] messages =
            [.. MessageSet.Create(new MessageSetOptions { TradeCount = MessageCount / 7 }).GetMessages()
            .Select(message => (message.Message.Header.Type, message.Message))];
        IReadOnlyList<FieldExtraction> ways = FieldExtraction.CreateAll();
        List<(MessageType Type, byte[] Body)>[] bodies = [.. ways
            .Select(way => messages.Select(message => (message.Type, Write(way, message.Message))).ToList())];
        List<double>[] microseconds = [.. ways.Select(_ => new List<double>())];
        double[] allocated = new double[ways.Count];
        // The first round warms up.
        for (int round = 0; round <= rounds; round++)
        {
            foreach (int i in RoundOrder.Indexes(ways.Count, round))
            {
                cancellationToken.ThrowIfCancellationRequested();
                long bytes = GC.GetAllocatedBytesForCurrentThread();
                (double perMessage, long count) = Measure(ways[i], bodies[i], time);
                if (round == 0)
                    continue;
                microseconds[i].Add(perMessage);
                allocated[i] = (double)(GC.GetAllocatedBytesForCurrentThread() - bytes) / count;
            }

            progress.Report((double)(round + 1) / (rounds + 1));
        }

        return [.. ways.Select((way, i) => new ExtractionWay(way.Name, bodies[i].Average(body => body.Body.Length), microseconds[i], allocated[i]))];
    }

    private static byte[] Write(FieldExtraction way, TradeMessage message)
    {
        using var buffer = new PooledBufferWriter();
        way.Formats.Write(buffer, message);
        return buffer.WrittenSpan.ToArray();
    }

    /// <summary>By the processor time of this process, of which nothing else runs now: other programs of a busy machine do not count.</summary>
    private static (double Microseconds, long Count) Measure(FieldExtraction way, List<(MessageType Type, byte[] Body)> bodies, TimeSpan time)
    {
        var fields = new ExtractedFields();
        TimeSpan start = Environment.CpuUsage.TotalTime;
        TimeSpan used;
        long count = 0;
        do
        {
            foreach ((MessageType type, byte[] body) in bodies)
                way.Extract(type, body, fields);
            count += bodies.Count;
            used = Environment.CpuUsage.TotalTime - start;
        }
        while (used < time);
        return (used.TotalMicroseconds / count, count);
    }

    private static async Task<IReadOnlyList<ExtractionEngine>> MeasureEnginesAsync(IProgress<double> progress, int trades, int rounds,
        CancellationToken cancellationToken)
    {
        ExtractionEngine[] engines = [.. MessageFormats.All.Select(format =>
            new ExtractionEngine(format.Name, new List<double>(), new List<double>(), new List<double>()))];
        for (int i = 0; i < engines.Length; i++)
            await MeasureAsync(i);
        int measured = await Rounds.RunAsync(
            [.. Enumerable.Range(0, engines.Length)],
            rounds,
            async i =>
            {
                (double driver, EngineRunResult result) = await MeasureAsync(i);
                ((List<double>)engines[i].ProcessorMicroseconds).Add(result.Analysis.ProcessorSeconds * 1e6);
                ((List<double>)engines[i].DriverMicroseconds).Add(driver);
                ((List<double>)engines[i].MessagesPerSecond).Add(result.MessagesPerSecond);
            },
            progress,
            cancellationToken);
        // The round that was not finished does not count.
        return [.. engines.Select(engine => new ExtractionEngine(engine.Format, [.. engine.ProcessorMicroseconds.Take(measured)],
            [.. engine.DriverMicroseconds.Take(measured)], [.. engine.MessagesPerSecond.Take(measured)]))];

        async Task<(double Driver, EngineRunResult Result)> MeasureAsync(int i)
        {
            MessageFormats format = MessageFormats.All[i];
            double driver = MeasureDriver(format, trades);
            EngineRunResult result = await RunAsync(format, trades, cancellationToken);
            return result.IsRight
                ? (driver, result)
                : throw new QueueException($"The run with {format.Name} did not end as it must: "
                    + $"{result.Clearings} CLS of {result.ExpectedClearings}.");
        }
    }

    private static double MeasureDriver(MessageFormats format, int trades)
    {
        MessageSet set = MessageSet.Create(new MessageSetOptions { TradeCount = trades });
        var driver = new MessageDriver(null!, format, SigningKey.HmacSha256("driver", RandomNumberGenerator.GetBytes(32)));
        TimeSpan start = Environment.CpuUsage.TotalTime;
        long count = 0;
        foreach (SetMessage message in set.GetMessages())
        {
            driver.WriteSigned(message);
            count++;
        }

        return (Environment.CpuUsage.TotalTime - start).TotalMicroseconds / count;
    }

    private static async Task<EngineRunResult> RunAsync(MessageFormats format, int trades, CancellationToken cancellationToken)
    {
        string folder = Directory.CreateTempSubdirectory("formatters-engine-").FullName;
        try
        {
            await using SqliteTradeStore store = await SqliteTradeStore.OpenAsync(folder);
            var options = new EngineRunOptions { QueuePrefix = "memory:", Formats = format, Set = new MessageSetOptions { TradeCount = trades } };
            return await new EngineRun(new QueueConnector(new MemoryQueueProvider()), store, options).RunAsync(null, cancellationToken);
        }
        finally
        {
            Directory.Delete(folder, recursive: true);
        }
    }
}
