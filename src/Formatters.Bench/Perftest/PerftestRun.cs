using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using Formatters.Bench.Measurement;
using Formatters.Bench.Reports;
using Formatters.Queues;

namespace Formatters.Bench.Perftest;

/// <summary>The classic test: every payload in every mode, batch after batch; prints each case as it is done.</summary>
internal sealed class PerftestRun(QueueConnector connector, PerftestOptions options, TimeProvider clock, TextWriter output)
{
    private const int MaxBatchByteCount = 64 << 20;
    private const int MaxBatchCount = 200_000;

    /// <summary>Measures.</summary>
    /// <param name="commandLine">The arguments, for the report.</param>
    /// <param name="open">Opens the queues of the operation in one mode.</param>
    /// <param name="cancellationToken">Ends the run; the queues are purged then.</param>
    internal async Task<PerftestReport> RunAsync(
        string commandLine, Func<DeliveryMode, CancellationToken, Task<BatchOperation>> open, CancellationToken cancellationToken)
    {
        DateTimeOffset startedAt = clock.GetLocalNow();
        IReadOnlyList<(string Name, Func<Payload> Create)> payloads = SelectPayloads(options);
        IReadOnlyList<QueueAddress> queues = QueueAddress.ParseList(options.Queue);
        var sections = new List<PerftestSection>();
        foreach (DeliveryMode mode in options.Modes)
        {
            (QueueCapabilities capabilities, bool isOffered) = await Modes.ProbeAsync(connector, options.Queue, mode, cancellationToken);
            if (isOffered)
            {
                await EmptyQueues.RequireAsync(
                    connector, options.ResponseQueue is null ? [options.Queue] : [options.Queue, options.ResponseQueue], Modes.OptionsOf(mode), options.Purge, output, cancellationToken);
            }

            // Not before the queue has been reached once.
            if (sections.Count == 0)
                PrintTitle(queues.Count);
            string name = Modes.NameOf(mode);
            var queue = new QueueInfo(string.Join(',', queues), capabilities.Product, name, isOffered ? capabilities.Durability : "");
            output.WriteLine();
            if (!isOffered)
            {
                output.WriteLine($"{name}: not offered by {capabilities.Product}");
                sections.Add(new PerftestSection(queue, IsOffered: false, []));
                continue;
            }

            TextWrap.Print(output, $"{name}: ", $"{capabilities.Product}; {capabilities.Durability}");
            output.WriteLine();
            await using BatchOperation operation = await open(mode, cancellationToken);
            sections.Add(new PerftestSection(queue, IsOffered: true, await RunSectionAsync(operation, payloads, cancellationToken)));
        }

        var report = new PerftestReport
        {
            Run = new RunInfo(
                ToolInfo.NameAndVersion, commandLine, startedAt, (clock.GetLocalNow() - startedAt).TotalSeconds, MachineInfo.Current()),
            Operation = options.Operation,
            QueueCount = queues.Count,
            Sections = sections,
        };
        output.WriteLine();
        output.WriteLine("Measured");
        TextWrap.Print(output, "  queue       ", sections[0].Queue.Address);
        RunText.PrintRun(output, report.Run);
        TextWrap.Print(
            output,
            "  method      ",
            $"{Numbers.Count(options.Rounds)} batches of each case after a warm-up; mean and standard deviation over the batches; every message "
            + (options.Operation == PerftestOperation.SendAndPurge ? "counted in the queue." : "checked when it comes out."));
        return report;
    }

    private void PrintTitle(int queueCount)
    {
        output.WriteLine(Title());
        if (queueCount > 1)
            output.WriteLine($"Sent as one to {queueCount} queues, each message to each");
    }

    private string Title() => options.Operation switch
    {
        PerftestOperation.SendAndPurge => "Sending, in messages per second",
        PerftestOperation.SendAndReceive => "Receiving and reading, in messages per second",
        _ => "Complete processing from CLIENT to SERVER, in messages per second",
    };

    /// <summary>The payloads that are asked for.</summary>
    /// <exception cref="UsageException">A part of a name is in none.</exception>
    internal static IReadOnlyList<(string Name, Func<Payload> Create)> SelectPayloads(PerftestOptions options)
    {
        IReadOnlyList<(string Name, Func<Payload> Create)> all = Payloads.Classic(options.LineItems);
        if (options.Payloads.Count == 0)
            return [.. all];
        var names = new HashSet<string>();
        foreach (string part in options.Payloads)
        {
            // "string 1000" is what people type for "string 1,000", and means no longer one.
            List<string> matches = [.. all.Select(payload => payload.Name).Where(name => WithoutCommas(name).Equals(WithoutCommas(part), StringComparison.OrdinalIgnoreCase))];
            if (matches.Count == 0)
                matches = [.. all.Select(payload => payload.Name).Where(name => name.Contains(part, StringComparison.OrdinalIgnoreCase))];
            if (matches.Count == 0)
                throw new UsageException($"No payload has '{part}' in its name. There are: {string.Join("; ", all.Select(payload => payload.Name))}.");
            names.UnionWith(matches);
        }

        return [.. all.Where(payload => names.Contains(payload.Name))];
    }

    private static string WithoutCommas(string name) => name.Replace(",", "", StringComparison.Ordinal);

    private async Task<IReadOnlyList<PerftestRow>> RunSectionAsync(
        BatchOperation operation, IReadOnlyList<(string Name, Func<Payload> Create)> payloads, CancellationToken cancellationToken)
    {
        var table = new TextTable(("payload", -21), ("body bytes", 0), ("batch", 7), ("msg/s", 12), ("stddev", 10));
        table.PrintHeader(output);
        var rows = new List<PerftestRow>();
        foreach ((_, Func<Payload> create) in payloads)
        {
            Payload payload = create();
            int count = await CalibrateAsync(operation, payload, cancellationToken);
            var rates = new double[options.Rounds];
            for (int round = 0; round < rates.Length; round++)
                rates[round] = count / (await operation.RunAsync(payload, count, wholeContent: false, cancellationToken)).TotalSeconds;
            var row = new PerftestRow(payload.Name, payload.BodyByteCount, count, Statistics.Of(rates));
            rows.Add(row);
            table.PrintRow(
                output,
                row.Payload,
                Numbers.Count(row.BodyBytes),
                Numbers.Count(row.BatchCount),
                Numbers.Rate(row.Rate.Mean),
                Numbers.Rate(row.Rate.StandardDeviation));
        }

        return rows;
    }

    /// <summary>Verifies and warms up a case, and finds out how many messages make a batch that fits its time.</summary>
    private async Task<int> CalibrateAsync(BatchOperation operation, Payload payload, CancellationToken cancellationToken)
    {
        int most = Math.Clamp(MaxBatchByteCount / Math.Max(payload.BodyByteCount, 1), 1, MaxBatchCount);
        int count = options.BatchCount ?? Math.Min(10, most);
        await operation.RunAsync(payload, count, wholeContent: true, cancellationToken);
        if (options.BatchCount is not null)
            return count;

        // A fourth of the time for the warm-up; what counts is the whole batch, the untimed part too.
        TimeSpan warmUp = options.TimePerCase / 4;
        TimeSpan turn = options.TimePerCase * 3 / 4 / options.Rounds;
        long warmUpStart = clock.GetTimestamp();
        do
        {
            long start = clock.GetTimestamp();
            await operation.RunAsync(payload, count, wholeContent: false, cancellationToken);
            double factor = turn / clock.GetElapsedTime(start);
            // At most tenfold at once: the first batches are slow and say little.
            count = (int)Math.Clamp(count * Math.Min(factor, 10), 1, most);
        }
        while (clock.GetElapsedTime(warmUpStart) < warmUp);
        return count;
    }
}
