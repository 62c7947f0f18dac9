using System.CommandLine;
using System.Security.Cryptography;
using Formatters.Envelopes;
using Formatters.TradeEngine.Building;
using Formatters.TradeEngine.Drivers;
using Formatters.TradeEngine.Measurement;

namespace Formatters.TradeEngine.CommandLine;

/// <summary>The verb <c>driver</c>: Figure 17 of the study.</summary>
internal static class DriverCommand
{
    internal static Command Create(TextWriter output, TextWriter error, QueueConnector connector, TimeProvider clock)
    {
        var queues = new Option<string?>("--queues")
        {
            Description = "Where it sends: the beginning of a queue address, such as amqp://localhost/driver- or memory:. Default: a "
                + "new folder below the current directory.",
            HelpName = "prefix",
        };
        Option<int> trades = CommonOptions.CreateCount("--trades",
            "The number of trades in the set, which is created before the measurement and sent in each round.", 5_000, 1_000_000);
        Option<int> rounds = CommonOptions.CreateCount("--rounds",
            "The number of rounds, in which the cases take turns; an additional first round warms up.", 5, 1_000);
        Option<bool> purge = CommonOptions.CreatePurge();
        var files = new ResultFiles();
        var command = new Command("driver",
            "Measures how fast one driver takes messages from a text file, signs them and sends them, by kind of signature.") { queues, trades,
            rounds, purge, files.Json };
        command.SetAction(async (result, cancellationToken) =>
        {
            files.Check(result);
            string? folder = result.GetValue(queues) is null ? SharedOptions.NewFolderName() : null;
            try
            {
                DriverReport report = await RunProgress.RunAsync(error, progress => RunAsync(
                    progress.Stage("rounds"), connector, result.GetValue(queues) ?? $"file:{folder}/", result.GetValue(trades),
                    result.GetValue(rounds),
                    result.GetValue(purge), CommonOptions.Describe(result), clock, cancellationToken));
                Print(output, report);
                files.Write(result, report, EngineJson.Default.DriverReport);
                return report.ExitCode();
            }
            finally
            {
                if (folder is not null && Directory.Exists(folder))
                    Directory.Delete(folder, recursive: true);
            }
        });
        return command;
    }

    private static async Task<DriverReport> RunAsync(
        IProgress<double> progress, QueueConnector connector, string prefix, int trades, int rounds, bool purges, string commandLine,
        TimeProvider clock,
        CancellationToken cancellationToken)
    {
        var recorder = new RunRecorder(commandLine, clock);
        using var pair = ECDsa.Create(ECCurve.NamedCurves.nistP256);
        (string Name, SigningKey Key)[] keys =
        [
            ("HMAC-SHA-256", SigningKey.HmacSha256("driver", RandomNumberGenerator.GetBytes(32))),
            ("ECDSA P-256", SigningKey.EcdsaP256("driver", pair.ExportParameters(includePrivateParameters: true))),
        ];
        DriverCase[] cases = [.. keys.Select(key => new DriverCase(key.Name, new List<double>(), new List<double>()))];
        // The set as a text file: in memory, so that the disk that is read has no part in it.
        using var set = new MemoryStream();
        MessageSetFile.Write(set, MessageSet.Create(new MessageSetOptions { TradeCount = trades }).GetMessages());
        await using EngineQueues queues = await EngineQueues.OpenAsync(connector, prefix, 1, cancellationToken: cancellationToken);
        QueueClient queue = queues.Inbound[0];
        await EmptyQueues.FindAsync([queue], purges, cancellationToken);
        double bodyBytes = 0;
        int measured;
        try
        {
            for (int i = 0; i < keys.Length; i++)
                await SendAsync(i);
            measured = await Rounds.RunAsync(
                [.. Enumerable.Range(0, keys.Length)],
                rounds,
                async i =>
                {
                    (MessageDriver driver, TimeSpan elapsed, TimeSpan processor) = await SendAsync(i);
                    ((List<double>)cases[i].MessagesPerSecond).Add(driver.SentCount / elapsed.TotalSeconds);
                    ((List<double>)cases[i].ProcessorMicroseconds).Add(processor.TotalMicroseconds / driver.SentCount);
                    bodyBytes = (double)driver.SentByteCount / driver.SentCount;
                },
                progress,
                cancellationToken);
        }
        finally
        {
            await QueueCleanup.PurgeQuietlyAsync(queue);
        }

        string mode = queue.Options.DeliveryMode!.Value.ToString().ToLowerInvariant();
        return new DriverReport(
            recorder.Finish(measured < rounds),
            new QueueInfo(queue.Address.ToString(), queue.Capabilities.Product, mode, queue.Capabilities.Durability),
            $"a text file of {Numbers.Count(trades)} trades in memory, XML",
            bodyBytes,
            // The round that was not finished does not count.
            [.. cases.Select(item => new DriverCase(
                item.Signature, [.. item.MessagesPerSecond.Take(measured)], [.. item.ProcessorMicroseconds.Take(measured)]))]);

        async Task<(MessageDriver Driver, TimeSpan Elapsed, TimeSpan Processor)> SendAsync(int i)
        {
            await queue.PurgeAsync(cancellationToken);
            set.Position = 0;
            var driver = new MessageDriver(queues, MessageFormats.Xml, keys[i].Key);
            TimeSpan processor = Environment.CpuUsage.TotalTime;
            long start = Stopwatch.GetTimestamp();
            await driver.SendAsync(set, cancellationToken);
            return (driver, Stopwatch.GetElapsedTime(start), Environment.CpuUsage.TotalTime - processor);
        }
    }

    private static void Print(TextWriter output, DriverReport report)
    {
        output.WriteLine("A driver alone, as in figure 17 of 'Benchmarking a Transaction Engine Design' (2005)");
        output.WriteLine();
        RunText.PrintQueue(output, report.Queue);
        TextWrap.Print(output, "  messages    ", FormattableString.Invariant($"{report.Source}; {report.AverageBodyByteCount:N0} bytes signed"));
        RunText.PrintRun(output, report.Run);
        output.WriteLine();
        var table = new TextTable(("signature", -12), ("msg/s", 8), ("best", 8), ("us/msg", 7));
        foreach (DriverCase item in report.Cases)
        {
            table.Add(
                item.Signature,
                Numbers.Rate(Statistics.Of(item.MessagesPerSecond).Median),
                Numbers.Rate(item.MessagesPerSecond.Max()),
                Statistics.Of(item.ProcessorMicroseconds).Median.ToString("N1", CultureInfo.InvariantCulture));
        }

        table.Print(output);
        TextWrap.Print(
            output,
            "  ",
            $"msg/s: messages signed and sent a second, the median of {Numbers.Count(report.Cases[0].MessagesPerSecond.Count, "round")}; best: that "
            + $"of the best round; us/msg: processor time of a message. The study: "
            + $"{Numbers.Count((long)EngineStudy.NativeDriver)} messages a second by C++, "
            + $"{Numbers.Count((long)EngineStudy.ManagedDriver)} by C# (.NET Framework 1.1).");
    }
}
