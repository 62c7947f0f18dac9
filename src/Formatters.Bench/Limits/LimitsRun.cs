using Formatters.Bench.Load;
using Formatters.Bench.Senders;
using Formatters.Bench.Servers;

namespace Formatters.Bench.Limits;

/// <summary>The job of <c>limits</c>: what a queue itself does, without formatters, and what its disk would allow.</summary>
/// <param name="openDisk">Makes what measures the disk of a folder, from the bytes of an append and the delay of a flush; null means
/// <see cref="DiskMeter"/>.</param>
internal sealed class LimitsRun(
    QueueConnector connector, LimitsOptions options, TimeProvider clock, TextWriter output, Func<string, int, TimeSpan, IDiskMeter>? openDisk = null)
{
    private const int SectorByteCount = 512;
    private const int MaxWarmUpCycles = 12;

    /// <summary>Further than this the sender does not run ahead of the receiver.</summary>
    private const int MaxAhead = 20_000;

    private const int ClockInterval = 64;

    private static readonly TimeSpan WarmUpTime = TimeSpan.FromMilliseconds(100);

    /// <exception cref="OperationCanceledException">The run was ended before there was an outcome.</exception>
    /// <exception cref="VerificationException">What was received is not what was sent.</exception>
    internal async Task<LimitsReport> RunAsync(string commandLine, IRunProgress progress, CancellationToken cancellationToken)
    {
        var recorder = new RunRecorder(commandLine, clock);
        var queues = new List<QueueLimits>();
        // All of them, before the first is measured.
        await EmptyQueues.RequireAsync(connector, options.Queues, Modes.OptionsOf(DeliveryMode.Express), options.Purge, output, cancellationToken);
        // The disk alone is measured for half the time of each case beside it.
        var estimate = new RunEstimate(output, clock);
        estimate.Print(options.CaseTime * (1 + (1.5 * options.Senders.Count)) * options.Rounds * options.Queues.Count);
        try
        {
            foreach (string queue in options.Queues)
            {
                cancellationToken.ThrowIfCancellationRequested();
                queues.Add(await MeasureAsync(queue, estimate, progress, cancellationToken));
            }
        }
        catch (OperationCanceledException) when (queues.Count > 0 && cancellationToken.IsCancellationRequested)
        {
            // The queues before are the outcome.
        }

        return new LimitsReport(recorder.Finish(cancellationToken.IsCancellationRequested), queues, options.CaseTime.TotalSeconds)
        {
            Processes = options.Processes,
        };
    }

    private async Task<QueueLimits> MeasureAsync(
        string address, RunEstimate estimate, IRunProgress progress, CancellationToken cancellationToken)
    {
        string? folder = FolderOf(address);
        bool isEmulated = folder is not null && options.FlushDelay > TimeSpan.Zero;
        if (folder is not null)
            Directory.CreateDirectory(folder);
        (QueueCapabilities express, _) = await Modes.ProbeAsync(connector, address, DeliveryMode.Express, cancellationToken);
        (QueueCapabilities recoverable, bool isRecoverable) = await Modes.ProbeAsync(connector, address, DeliveryMode.Recoverable, cancellationToken);
        if (options.Processes && express.IsInProcess)
            throw SendersRun.CannotHaveProcesses(address);
        IReadOnlyDictionary<string, string> settings = await ServerSettings.ReadAsync(address, cancellationToken);
        List<Measured> cases = [new(DeliveryMode.Express, 1, 1, options.ExpressByteCount, express.Durability)];
        if (isRecoverable)
            cases.AddRange(
                options.Senders.Select(senders => new Measured(DeliveryMode.Recoverable, senders, 0, options.ByteCount, recoverable.Durability)));

        // One message with its frame, in whole sectors: what a block of one message takes in the log.
        int blockByteCount = (options.ByteCount + 100 + SectorByteCount - 1) / SectorByteCount * SectorByteCount;
        string name = QueueAddress.Parse(address).ToString();
        await using var processes = new SenderProcesses();
        RecoverySpeed? recovery = null;
        try
        {
            using (IDiskMeter? disk = folder is null ? null : (openDisk ?? DiskMeter.Open)(folder, blockByteCount, options.FlushDelay))
            {
                TimeSpan warmUp = WarmUpTime < options.CaseTime ? WarmUpTime : options.CaseTime;
                await Rounds.WarmUpAsync(
                    cases, MaxWarmUpCycles, item =>
                        MeasureAsync(address, item, processes, warmUp, cancellationToken), progress.Stage($"{name}, warm-up"), cancellationToken);
                int left = options.Queues.Count - 1 - options.Queues.TakeWhile(queue => queue != address).Count();
                await Rounds.RunAsync(cases, options.Rounds, item => MeasureBesideDiskAsync(item, disk),
                    estimate.Correct(progress.Stage(name), stage => stage * left), cancellationToken);
            }

            if (folder is not null && options.RecoveryByteCount > 0)
            {
                recovery = await RecoveryMeter.MeasureAsync(
                    Path.Combine(folder, "recovery-" + Guid.NewGuid().ToString("N")), options.RecoveryByteCount, options.ByteCount, options.Rounds,
                        progress.Stage("opening a large log"), cancellationToken);
            }
        }
        catch (OperationCanceledException) when (cases.TrueForAll(static item => item.HasRounds) && cancellationToken.IsCancellationRequested)
        {
            // Each case has a round at least: these are the outcome.
        }

        Measured? one = cases.Find(item => item is { Mode: DeliveryMode.Recoverable, Senders: 1 });
        double[] flushes = [.. cases.SelectMany(item => item.Flushes)];
        return new QueueLimits(
            QueueAddress.Parse(address).ToString(),
            express.Product,
            isEmulated ? options.FlushDelay.TotalMilliseconds : null,
            folder is null ? null : new DiskLimit(blockByteCount, Statistics.Of(flushes), flushes),
            [.. cases.Select(item => item.ToCase(one))],
            recovery)
        {
            Settings = settings,
        };

        async Task MeasureBesideDiskAsync(Measured item, IDiskMeter? disk)
        {
            // The disk before and after: its rate changes from one second to the next.
            double? before = item.Mode == DeliveryMode.Express ? null : disk?.Measure(options.CaseTime / 4);
            (double Rate, double AllocatedBytes) result = await MeasureAsync(address, item, processes, options.CaseTime, cancellationToken,
                item.Tally);
            double? after = item.Mode == DeliveryMode.Express ? null : disk?.Measure(options.CaseTime / 4);
            item.Add(result, (before + after) / 2);
        }
    }

    private async Task<(double Rate, double AllocatedBytes)> MeasureAsync(string address, Measured item, SenderProcesses processes, TimeSpan time,
        CancellationToken cancellationToken, ResourceTally? tally = null)
    {
        QueueClient queue = await connector.OpenAsync(address, Modes.OptionsOf(item.Mode), cancellationToken);
        try
        {
            GC.Collect();
            ResourceMark mark = ResourceMark.Now();
            long allocated = GC.GetTotalAllocatedBytes(precise: true);
            var load = new LoadRun(ScenarioOf(queue, item, time), clock);
            long sent;
            TimeSpan elapsed;
            if (options.Processes && item.Mode == DeliveryMode.Recoverable)
            {
                // This process has the queue open, with the delay of its flushes: it serves the others.
                (IReadOnlyList<long> counts, elapsed, _) = await processes.SendAsync(address,
                    new SendersCase(SendersMode.Recoverable, item.Senders, item.ByteCount), time, int.MaxValue, clock, cancellationToken);
                sent = counts.Sum();
            }
            else
            {
                LoadResult result = item.Receivers > 0 ? await load.SendAndReceiveAsync(cancellationToken) : await load.SendAsync(cancellationToken);
                (sent, elapsed) = (result.Sent, item.Receivers > 0 ? result.Receiving : result.Sending);
            }

            allocated = GC.GetTotalAllocatedBytes(precise: true) - allocated;
            tally?.Add(mark, sent);
            return (sent / elapsed.TotalSeconds, (double)allocated / sent);
        }
        finally
        {
            await QueueCleanup.PurgeAndCloseAsync(queue);
        }
    }

    private static LoadScenario ScenarioOf(QueueClient queue, Measured item, TimeSpan time)
    {
        // Queues copy bodies: one serves all messages, so that what the tool allocates is not measured.
        byte[] body = new byte[item.ByteCount];
        LoadScenario scenario = LoadScenario.OfBytes(queue, item.ByteCount)
            with { Senders = item.Senders, Time = time, Create = _ => new QueueMessage(new MessageBody(body)) };
        return item.Receivers == 0 ? scenario : scenario with
        {
            Create = number =>
            {
                BitConverter.TryWriteBytes(body, number);
                return new QueueMessage(new MessageBody(body));
            },
            IsOrdered = true,
            MaxAhead = MaxAhead,
            ClockInterval = ClockInterval,
        };
    }

    private static string? FolderOf(string address)
    {
        QueueAddress parsed = QueueAddress.Parse(address);
        return parsed.Uri.IsFile ? Path.TrimEndingDirectorySeparator(new Uri(parsed.Uri, ".").LocalPath) : null;
    }

    private sealed record Measured(DeliveryMode Mode, int Senders, int Receivers, int ByteCount, string Durability)
    {
        private readonly List<double> _rates = [];
        private readonly List<double> _allocated = [];

        internal bool HasRounds => _rates.Count > 0;
        internal ResourceTally Tally { get; } = new();

        /// <summary>The disk's rates beside this case's own.</summary>
        internal List<double> Flushes { get; } = [];

        internal void Add((double Rate, double AllocatedBytes) result, double? flushes)
        {
            if (flushes is { } rate)
                Flushes.Add(rate);
            _rates.Add(result.Rate);
            _allocated.Add(result.AllocatedBytes);
        }

        internal LimitsCase ToCase(Measured? one) => new(
            Modes.NameOf(Mode),
            Senders,
            Receivers,
            ByteCount,
            Durability,
            Statistics.Of(_rates),
            RateRatio.Paired(_rates, Flushes),
            Mode == DeliveryMode.Express || one is null ? null : RateRatio.Paired(_rates, one._rates),
            Statistics.Of(_allocated).Median,
            _rates,
            Tally.PerMessage);
    }
}
