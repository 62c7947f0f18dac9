using Formatters.Bench.Load;
using Formatters.Bench.Servers;
using Formatters.Queues.PostgreSql;

namespace Formatters.Bench.Senders;

/// <summary>The job of <c>senders</c>: the study of 1998, sizes by senders by delivery, sent and then received.</summary>
/// <param name="files">The provider of the connector's queues in folders, for external transactions; null without.</param>
internal sealed class SendersRun(QueueConnector connector, SendersOptions options, TimeProvider clock, TextWriter output,
    FileQueueProvider? files = null)
{
    private const int MaxWarmUpCycles = 6;

    private static readonly TimeSpan WarmUpTime = TimeSpan.FromMilliseconds(50);

    private long _start;

    /// <summary>The last estimate of the whole run, as printed.</summary>
    private TimeSpan _estimate;

    /// <exception cref="OperationCanceledException">The run was ended before there was an outcome.</exception>
    /// <exception cref="VerificationException">What was received is not what was sent.</exception>
    internal async Task<SendersReport> RunAsync(string commandLine, IRunProgress progress, CancellationToken cancellationToken)
    {
        var recorder = new RunRecorder(commandLine, clock);
        var queues = new List<QueueSenders>();
        // All of them, before the first is measured.
        await EmptyQueues.RequireAsync(connector, [.. options.Queues, .. OthersOf(options)], Modes.OptionsOf(DeliveryMode.Express), options.Purge,
            output, cancellationToken);
        _estimate = options.CaseTime * (2 * options.Rounds * options.Cases.Count * options.Queues.Count);
        RunText.PrintEstimate(output, _estimate);
        _start = clock.GetTimestamp();
        try
        {
            foreach (string queue in options.Queues)
            {
                cancellationToken.ThrowIfCancellationRequested();
                queues.Add(await MeasureAsync(queue, progress, cancellationToken));
            }
        }
        catch (OperationCanceledException) when (queues.Count > 0 && cancellationToken.IsCancellationRequested)
        {
            // The queues before are the outcome.
        }

        return new SendersReport(recorder.Finish(cancellationToken.IsCancellationRequested), queues,
            options.CaseTime.TotalSeconds) { Processes = options.Processes };
    }

    /// <summary>The journals and administration queues of the queues, which are used too.</summary>
    private static IEnumerable<string> OthersOf(SendersOptions options) =>
        from queue in options.Queues.Select(QueueAddress.Parse)
        where queue.Scheme is "memory" or "file" or "postgres" or "postgresql"
        from suffix in options.Cases.Select(static item => SuffixOf(item.Variant)).OfType<string>().Distinct()
        select queue.WithQueueName(queue.QueueName + suffix).Uri.AbsoluteUri;

    /// <summary>Returns the suffix of the second queue that a variant uses; null if it uses none.</summary>
    private static string? SuffixOf(SendersVariant variant) => variant switch
    {
        SendersVariant.Journal or SendersVariant.SourceJournal => "-journal",
        SendersVariant.Acknowledged => "-acknowledgements",
        _ => null,
    };

    /// <summary>The part of the report that says that a queue does not offer a variant; null if all do.</summary>
    private static string? PartOf(SendersVariant variant) => variant switch
    {
        SendersVariant.Journal => "journal",
        SendersVariant.SourceJournal => "journal by message",
        SendersVariant.Acknowledged => "acknowledgements",
        _ => null,
    };

    private static bool IsOffered(SendersVariant variant, QueueCapabilities capabilities) => variant switch
    {
        SendersVariant.Journal => capabilities.Supports(QueueFeatures.Journal),
        SendersVariant.SourceJournal => capabilities.Supports(QueueFeatures.SourceJournal),
        SendersVariant.Acknowledged => capabilities.Supports(QueueFeatures.Acknowledgments),
        _ => true,
    };

    internal static UsageException CannotHaveProcesses(string address) =>
        new($"'{QueueAddress.Parse(address)}': --processes needs a queue that processes share. This queue belongs to one process, so that its "
            + "senders are threads.");

    private async Task<QueueSenders> MeasureAsync(string address, IRunProgress progress, CancellationToken cancellationToken)
    {
        var durability = new Dictionary<string, string>();
        var notOffered = new Dictionary<string, string>();
        QueueCapabilities? capabilities = null;
        foreach (SendersMode mode in options.Cases.Select(item => item.Mode).DefaultIfEmpty(SendersMode.Express).Distinct())
        {
            (QueueCapabilities found, bool isOffered) = await Modes.ProbeAsync(connector, address, SendersModes.DeliveryOf(mode), cancellationToken);
            capabilities ??= found;
            string? reason = !isOffered ? mode == SendersMode.Recoverable ? "it is not recoverable" : "it has no transactions"
                : mode == SendersMode.External ? WhyNotExternal(address)
                : null;
            if (reason is null)
                durability[SendersModes.NameOf(mode)] = found.Durability;
            else
                notOffered[SendersModes.NameOf(mode)] = reason;
        }

        if (options.Processes && capabilities?.IsInProcess == true)
            throw CannotHaveProcesses(address);
        List<Measured> cases =
        [
            .. options.Cases
                .Where(item => durability.ContainsKey(SendersModes.NameOf(item.Mode)) && IsOffered(item.Variant, capabilities!))
                // Processes send, and then this one receives; a transaction over a database is this process's.
                .Where(item => !options.Processes || (item.Variant == SendersVariant.None && item.Mode != SendersMode.External))
                .Select(item => new Measured(item)),
        ];
        var partsNotMeasured = new Dictionary<string, string>();
        foreach (SendersVariant variant in options.Cases.Select(static item => item.Variant).Distinct())
        {
            if (PartOf(variant) is { } part && capabilities is not null && !IsOffered(variant, capabilities))
                partsNotMeasured[part] = "the queue has none";
        }

        if (cases.Count == 0 && options.Cases.Count > 0)
            throw new UsageException($"'{QueueAddress.Parse(address)}': "
                + $"{string.Join("; ", notOffered.Select(mode => $"{mode.Key}: {mode.Value}"))}. Nothing is left to measure.");
        IReadOnlyDictionary<string, string> settings = await ServerSettings.ReadAsync(address, cancellationToken);
        await using External? external = cases.Exists(item => item.Case.Mode == SendersMode.External)
            ? await External.OpenAsync(files!, address, options.Database!, cancellationToken)
            : null;
        ServerProcess? server = ServerProcess.Find(address);
        await using var processes = new SenderProcesses();
        string name = QueueAddress.Parse(address).ToString();
        TimeSpan warmUp = WarmUpTime < options.CaseTime ? WarmUpTime : options.CaseTime;
        try
        {
            if (cases.Count > 0)
            {
                TimeSpan before = clock.GetElapsedTime(_start);
                int warmedUp = 0;
                await Rounds.WarmUpAsync(
                    cases,
                    MaxWarmUpCycles,
                    item =>
                    {
                        warmedUp++;
                        return MeasureCaseAsync(item, warmUp, isKept: false);
                    },
                    progress.Stage($"{name}, warm-up"),
                    cancellationToken);
                CorrectEstimate(address, before, warmUp, warmedUp, cases.Count);
            }

            await Rounds.RunAsync(cases, options.Rounds, item => MeasureCaseAsync(item, options.CaseTime, isKept: true), progress.Stage(name),
                cancellationToken);
        }
        catch (OperationCanceledException) when (cases.Exists(item => item.HasRounds) && cancellationToken.IsCancellationRequested)
        {
            // The cases that have a round at least are the outcome.
        }

        SendersRow[] rows = [.. cases.Where(item => item.HasRounds).Select(item => item.ToRow())];
        int usual = options.Cases.Count == 0 || options.Cases.Any(item => item.ByteCount == Study.UsualByteCount)
            ? Study.UsualByteCount
            : options.Cases[0].ByteCount;
        IReadOnlyList<HeaderRow> headers = [];
        IReadOnlyList<MemoryRow> memory = [];
        IReadOnlyList<NetworkRow> network = [];
        try
        {
            if (Wants(SendersPart.Headers, () => HeaderMeter.WhyNot(address)))
                headers = await HeaderMeter.MeasureAsync(connector, address, usual, cancellationToken);
            if (Wants(SendersPart.Memory, () => MemoryMeter.WhyNot(capabilities!, server)))
                memory = await MemoryMeter.MeasureAsync(connector, address, Modes.HasNoServer(capabilities!) ? null : server, options.MaxMessageCount,
                    clock, cancellationToken);
            if (Wants(SendersPart.Network, () => NetworkMeter.WhyNot(address)))
                network = await NetworkMeter.MeasureAsync(connector, address, server, options.MaxMessageCount, clock, progress.Stage("network"),
                    cancellationToken);
        }
        catch (OperationCanceledException) when (rows.Length > 0 && cancellationToken.IsCancellationRequested)
        {
            // The parts up to then are the outcome.
        }

        return new QueueSenders(QueueAddress.Parse(address).ToString(), capabilities!.Product, durability, rows,
            options.Cases.Count == 0 ? [] : SendersFindings.Judge(rows, usual), notOffered)
        {
            Settings = settings,
            Headers = headers,
            Memory = memory,
            MemoryFormula = MemoryMeter.FormulaOf(memory),
            Network = network,
            PartsNotMeasured = partsNotMeasured,
        };

        Task MeasureCaseAsync(Measured item, TimeSpan time, bool isKept) =>
            MeasureAsync(address, item, external, server, processes, time, isKept, cancellationToken);

        bool Wants(SendersPart part, Func<string?> whyNot)
        {
            if (!options.Parts.Contains(part))
                return false;
            cancellationToken.ThrowIfCancellationRequested();
            if (whyNot() is not { } reason)
                return true;
            partsNotMeasured[part.ToString().ToLowerInvariant()] = reason;
            return false;
        }
    }

    /// <summary>Adds what the warm-up of a queue needed beside the measured time: opening, purging, sending more than is received.</summary>
    private void CorrectEstimate(string address, TimeSpan before, TimeSpan warmUp, int warmedUp, int caseCount)
    {
        TimeSpan spent = clock.GetElapsedTime(_start);
        TimeSpan beside = ((spent - before) / warmedUp) - (2 * warmUp);
        TimeSpan rounds = ((2 * options.CaseTime) + (beside > TimeSpan.Zero ? beside : TimeSpan.Zero)) * (caseCount * options.Rounds);
        int left = options.Queues.Count - 1 - options.Queues.TakeWhile(queue => queue != address).Count();
        TimeSpan whole = spent + rounds + ((spent - before + rounds) * left);
        _estimate = RunText.PrintCorrectedEstimate(output, _estimate, whole);
    }

    private string? WhyNotExternal(string address) =>
        options.Database is null ? "--database names no database"
        : !QueueAddress.Parse(address).Uri.IsFile ? "the coordinator's log is that of a folder: a queue in a folder is needed"
        : files is null ? "queues in folders are opened by another program"
        : null;

    private async Task MeasureAsync(
        string address,
        Measured measured,
        External? external,
        ServerProcess? server,
        SenderProcesses processes,
        TimeSpan time,
        bool isKept,
        CancellationToken cancellationToken)
    {
        SendersCase item = measured.Case;
        QueueOptions opened = Modes.OptionsOf(SendersModes.DeliveryOf(item.Mode));
        QueueAddress? other = SuffixOf(item.Variant) is { } suffix && QueueAddress.Parse(address) is var own
            ? own.WithQueueName(own.QueueName + suffix)
            : null;
        if (item.Variant == SendersVariant.Journal)
            opened = opened with { JournalQueue = other!.QueueName };

        QueueClient queue = await connector.OpenAsync(address, opened, cancellationToken);
        QueueClient? receiver = null;
        try
        {
            receiver = item.Variant == SendersVariant.Waiting ? await connector.OpenAsync(address, opened, cancellationToken) : null;
            LoadScenario scenario = SendersScenario.Of(
                item,
                queue,
                receiver ?? queue,
                token => connector.OpenAsync(address, opened, token),
                item.Mode switch
                {
                    SendersMode.Internal => queue.BeginTransactionAsync,
                    SendersMode.External => external!.BeginAsync,
                    _ => null,
                },
                other?.QueueName) with { Time = time, MaxCount = options.MaxMessageCount };
            GC.Collect();
            long? writes = WriteCalls.Count(address, server);
            ProcessorMark mark = ProcessorMark.Now(server);
            if (receiver is not null)
            {
                LoadResult both = await new LoadRun(scenario, clock).SendAndReceiveAsync(cancellationToken);
                if (await queue.GetMessageCountAsync(cancellationToken) is > 0 and var rest)
                    throw new VerificationException($"{queue.Address}: {both.Sent:#,0} messages were sent and came, and {rest:#,0} are there still.");
                if (isKept)
                {
                    measured.Sending.Add(mark, both.Receiving, server);
                    measured.Receiving.Add(mark, both.Receiving, server);
                    measured.Add(both.Sent / both.Sending.TotalSeconds, both.Received / both.Receiving.TotalSeconds, WritesSince(writes, both.Sent));
                }

                return;
            }

            IReadOnlyList<long> sent;
            TimeSpan sendTime;
            TimeSpan helpers = TimeSpan.Zero;
            if (options.Processes)
            {
                (sent, sendTime, helpers) = await processes.SendAsync(address, item, time, options.MaxMessageCount, clock, cancellationToken);
            }
            else
            {
                LoadResult sending = await new LoadRun(scenario, clock).SendAsync(cancellationToken);
                (sent, sendTime) = ([sending.Sent], sending.Sending);
            }

            if (isKept)
                measured.Sending.Add(mark, sendTime, server, helpers);
            double? sendWrites = WritesSince(writes, sent.Sum());
            writes = WriteCalls.Count(address, server);
            mark = ProcessorMark.Now(server);
            LoadResult receiving = await new LoadRun(scenario, clock).ReceiveAsync(sent, cancellationToken);
            long received = receiving.Received;
            if (isKept)
                measured.Receiving.Add(mark, receiving.Receiving, server);
            double? receiveWrites = WritesSince(writes, received);
            long left = await queue.PurgeAsync(cancellationToken);
            if (received + left != sent.Sum())
                throw new VerificationException($"{queue.Address}: {sent.Sum():#,0} messages were sent, "
                    + $"{received:#,0} came and {left:#,0} were left.");
            if (other is not null)
                await CheckOtherAsync(other, item.Variant, sent.Sum(), received, cancellationToken);
            if (isKept)
                measured.Add(sent.Sum() / sendTime.TotalSeconds, received / receiving.Receiving.TotalSeconds, sendWrites + receiveWrites);
        }
        finally
        {
            if (receiver is not null)
                await receiver.DisposeAsync();
            await QueueCleanup.PurgeAndCloseAsync(queue);
            if (other is not null)
                await QueueCleanup.PurgeAndCloseAsync(await connector.OpenAsync(other.Uri.AbsoluteUri, QueueOptions.Fastest, CancellationToken.None));
        }

        double? WritesSince(long? before, long messages) => (double?)(WriteCalls.Count(address, server) - before) / messages;
    }

    /// <summary>Makes sure that a journal has a copy of each message, or that each has been acknowledged, and empties the queue.</summary>
    private async Task CheckOtherAsync(QueueAddress other, SendersVariant variant, long sent, long received, CancellationToken cancellationToken)
    {
        await using QueueClient queue = await connector.OpenAsync(other.Uri.AbsoluteUri, QueueOptions.Fastest, cancellationToken);
        long count = await queue.PurgeAsync(cancellationToken);
        (long expected, string what) = variant switch
        {
            SendersVariant.Journal => (received, "copies"),
            SendersVariant.SourceJournal => (sent, "copies"),
            _ => (sent + received, "acknowledgements"),
        };
        if (count != expected)
            throw new VerificationException($"{other}: {sent:#,0} messages were sent and {received:#,0} received, and the queue has "
                + $"{count:#,0} {what} in place of {expected:#,0}.");
    }

    private sealed class Measured(SendersCase item)
    {
        private readonly List<double> _sent = [];
        private readonly List<double> _received = [];
        private readonly List<double> _writes = [];

        internal SendersCase Case => item;
        internal ProcessorTally Sending { get; } = new();
        internal ProcessorTally Receiving { get; } = new();
        internal bool HasRounds => _sent.Count > 0;

        internal void Add(double sent, double received, double? writes)
        {
            _sent.Add(sent);
            _received.Add(received);
            if (writes > 0)
                _writes.Add(writes.Value);
        }

        internal SendersRow ToRow() => new(
            item.Name,
            SendersModes.NameOf(item.Mode),
            item.Threads,
            item.ByteCount,
            item.PerTransaction,
            item.OpensEach,
            Statistics.Of(_sent),
            Sending.Own,
            Sending.Others,
            Statistics.Of(_received),
            Receiving.Own,
            Receiving.Others,
            Study.Of(item),
            _sent,
            _received)
        {
            Receivers = item.Receivers,
            Difference = item.Difference,
            WriteRounds = _writes.Count == _sent.Count ? _writes : null,
            SendServerCpu = Sending.Server,
            ReceiveServerCpu = Receiving.Server,
        };
    }

    /// <summary>Transactions over a folder and a database: each also writes a message of a few bytes there.</summary>
    private sealed class External(PostgreSqlQueueProvider databases, ResourceManager database, TransactionCoordinator coordinator,
        QueueClient rows) : IAsyncDisposable
    {
        internal static async Task<External> OpenAsync(FileQueueProvider files, string address, string databaseAddress,
            CancellationToken cancellationToken)
        {
            Uri folder = new(QueueAddress.Parse(address).Uri, ".");
            var databases = new PostgreSqlQueueProvider();
            ResourceManager database = await databases.OpenResourceManagerAsync(databaseAddress, cancellationToken: cancellationToken);
            TransactionCoordinator coordinator =
                await files.OpenCoordinatorAsync("file:" + folder.LocalPath, database, cancellationToken: cancellationToken);
            var connector = new QueueConnector(databases);
            QueueClient rows = await connector.OpenAsync(
                $"{databaseAddress.TrimEnd('/')}/formatters-bench-{Guid.NewGuid():N}", new QueueOptions { DeliveryMode = DeliveryMode.Transactional },
                    cancellationToken);
            return new External(databases, database, coordinator, rows);
        }

        internal async ValueTask<QueueTransaction> BeginAsync(CancellationToken cancellationToken)
        {
            CoordinatedTransaction transaction = await coordinator.BeginTransactionAsync(cancellationToken);
            try
            {
                await rows.SendAsync(new QueueMessage(new MessageBody(new byte[10])), transaction, cancellationToken);
                return transaction;
            }
            catch
            {
                await transaction.DisposeAsync();
                throw;
            }
        }

        public async ValueTask DisposeAsync()
        {
            QueueAddress address = rows.Address;
            await rows.DisposeAsync();
            await coordinator.DisposeAsync();
            await database.DisposeAsync();
            await databases.DeleteAsync(address);
        }
    }
}
