namespace Formatters.TradeEngine.Nodes;

/// <summary>A process that runs components, and reports what they do to a queue.</summary>
internal sealed class EngineNode(EngineQueues queues, QueueClient reports, TradeEngineHost host)
{
    /// <summary>The name of the queue of reports, after the prefix of all queues.</summary>
    internal const string QueueName = "nodes";

    /// <summary>How often a process reports.</summary>
    internal static readonly TimeSpan Interval = TimeSpan.FromMilliseconds(500);
    private static readonly string Name = string.Create(CultureInfo.InvariantCulture, $"{Environment.MachineName}/{Environment.ProcessId}");

    private readonly (long Arrivals, long Completions, double Busy)[] _reported = new (long, long, double)[host.Meters.Count()];

    /// <summary>The formatter of reports.</summary>
    internal static MessageFormatter<NodeReport> Formatter { get; } = VersionedFormatter.Create<NodeReport>();

    /// <summary>Runs until cancelled. What is under way then is given back, and the last report sent.</summary>
    internal async Task RunAsync(CancellationToken cancellationToken)
    {
        host.Start();
        try
        {
            while (!cancellationToken.IsCancellationRequested)
            {
                Task pause = Task.Delay(Interval, cancellationToken);
                if (await Task.WhenAny(pause, host.Failure) == host.Failure)
                    await host.Failure;
                await ReportAsync();
            }
        }
        finally
        {
            await host.StopAsync();
            await ReportAsync();
        }
    }

    private async Task ReportAsync()
    {
        var report = new NodeReport { Node = Name, ProcessorSeconds = Environment.CpuUsage.TotalTime.TotalSeconds };
        int i = 0;
        foreach (StationMeter meter in host.Meters)
        {
            (long arrivals, long completions, double busy) = (meter.Arrivals, meter.Completions, meter.Busy.TotalSeconds);
            (long Arrivals, long Completions, double Busy) last = _reported[i];
            _reported[i++] = (arrivals, completions, busy);
            if (arrivals != last.Arrivals || completions != last.Completions)
            {
                report.Stations.Add(new StationReport
                {
                    Name = meter.Name,
                    Arrivals = arrivals - last.Arrivals,
                    Completions = completions - last.Completions,
                    BusySeconds = busy - last.Busy,
                });
            }
        }

        // A node is started before the run that it works for, which requires an empty queue.
        if (report.Stations.Count == 0)
            return;
        var message = new QueueMessage(new MessageBody(Formatter.Write(report), Formatter.BodyType, Formatter.ContentType)) { Label = "node" };
        if (!queues.IsTransactional)
        {
            await reports.SendAsync(message, null, CancellationToken.None);
            return;
        }

        await using QueueTransaction transaction = await reports.BeginTransactionAsync(CancellationToken.None);
        await reports.SendAsync(message, transaction, CancellationToken.None);
        await transaction.CommitAsync(CancellationToken.None);
    }
}
