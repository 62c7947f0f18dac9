using Formatters.Envelopes;
using Formatters.TradeEngine.Nodes;
using Formatters.TradeEngine.Runs;
using Formatters.TradeEngine.Store;
using Formatters.TradeEngine.Store.PostgreSql;

namespace Formatters.TradeEngine.Measurement;

/// <summary>Runs the engine and describes how.</summary>
internal static class EngineMeasurement
{
    /// <summary>Less than the time after which an interrupted tool ends at once.</summary>
    private static readonly TimeSpan CleanupTimeout = TimeSpan.FromSeconds(5);

    private static readonly TimeSpan CleanupPause = TimeSpan.FromMilliseconds(100);

    internal static async Task<EngineReport> RunAsync(
        TextWriter error,
        QueueConnector connector,
        string storePlace,
        int databaseCount,
        EngineRunOptions options,
        string commandLine,
        TimeProvider clock,
        CancellationToken cancellationToken)
    {
        return await RunProgress.RunAsync(error, progress =>
            RunAsync(progress.Stage("trades"), connector, storePlace, databaseCount, options, commandLine, clock, cancellationToken));
    }

    /// <summary>Runs without a stage of its own.</summary>
    internal static async Task<EngineReport> RunAsync(
        IProgress<double>? progress,
        QueueConnector connector,
        string storePlace,
        int databaseCount,
        EngineRunOptions options,
        string commandLine,
        TimeProvider clock,
        CancellationToken cancellationToken)
    {
        options = options with
        {
            Clearings = EngineStores.ClearingsOf(storePlace),
            DatabaseServer = EngineStores.FindDatabase(storePlace),
            BrokerServer = EngineStores.FindBroker(options.QueuePrefix),
        };
        bool isNewStore = !EngineStores.IsPostgreSql(storePlace) && !Directory.Exists(storePlace);
        // From then on, what is in the queues and the store is this run's.
        bool hasBegun = false;
        try
        {
            return await RunAsync(progress, connector, storePlace, databaseCount, options, commandLine, clock, () => hasBegun = true,
                cancellationToken);
        }
        catch (Exception e) when (hasBegun)
        {
            if (options.Fleet is not null)
                await options.Fleet.StopAsync();
            await EmptyQueuesAsync(connector, options);
            if (!cancellationToken.IsCancellationRequested)
                throw;
            await EngineStores.DeleteTradesAsync(storePlace, isNewStore);
            // Ctrl-C ends the component processes, too, which looks like a failure of theirs.
            throw e as OperationCanceledException ?? new OperationCanceledException(e.Message, e, cancellationToken);
        }
    }

    private static async Task<EngineReport> RunAsync(
        IProgress<double>? progress,
        QueueConnector connector,
        string storePlace,
        int databaseCount,
        EngineRunOptions options,
        string commandLine,
        TimeProvider clock,
        Action begin,
        CancellationToken cancellationToken)
    {
        var recorder = new RunRecorder(commandLine, clock);
        QueueInfo queue = await CheckQueuesAsync(connector, options, options.Fleet is not null, cancellationToken);
        await using QueueClient? clearings = options.Clearings is null
            ? null
            : await connector.OpenAsync(options.Clearings, new QueueOptions { DeliveryMode = DeliveryMode.Transactional }, cancellationToken);
        await using ITradeStore store =
            await EngineStores.OpenAsync(storePlace, databaseCount, options.Formats, clearings, options.Purges, cancellationToken);
        if (await store.CountAsync(cancellationToken) is { Trades: > 0 } counts)
        {
            throw new UsageException($"The store has {Numbers.Count(counts.Trades, "trade")}. Name another location"
                + (clearings is null ? "." : ", or delete them with --purge."));
        }

        begin();
        var postgreSql = store as PostgreSqlTradeStore;
        long written = 0;
        long rowsBefore = 0;
        if (postgreSql is not null)
        {
            options = options with
            {
                Measuring = async token =>
                {
                    written = await postgreSql.CountLogBytesAsync(token);
                    rowsBefore = await postgreSql.CountRowsAsync(token);
                },
            };
        }

        EngineRunResult result;
        using (options.Cores is { } cores ? ProcessorLimit.Create(cores) : null)
            result = await new EngineRun(connector, store, options).RunAsync(progress, cancellationToken);
        long? rows = null;
        if (postgreSql is not null)
        {
            rows = await postgreSql.CountRowsAsync(cancellationToken) - rowsBefore;
            result = result with { StoreByteCount = await postgreSql.CountLogBytesAsync(cancellationToken) - written };
        }

        string signature = options.Signature == SignatureAlgorithm.EcdsaP256 ? "ECDSA P-256" : "HMAC-SHA-256";
        return new EngineReport(recorder.Finish(isInterrupted: false), queue, store.Description, options.Formats.Name, signature, result)
        {
            NodeProcesses = options.Fleet?.NodeCount,
            Instances = options.InstanceCount,
            Databases = store.DatabaseCount,
            BatchSize = options.BatchSize,
            BundleSize = options.BundleSize,
            InsertedRows = rows,
        };
    }

    /// <summary>Purges the queues of a run that has ended early. Never throws: the run has its own outcome by now.</summary>
    private static async Task EmptyQueuesAsync(QueueConnector connector, EngineRunOptions options)
    {
        using var timeout = new CancellationTokenSource(CleanupTimeout);
        try
        {
            await using EngineQueues queues = await EngineQueues.OpenAsync(
                connector, options.QueuePrefix, options.InboundQueueCount, options.Clearings, transfer: options.Transfer,
                cancellationToken: timeout.Token);
            await using QueueClient? reports = options.Fleet is null ? null : await queues.OpenOtherAsync(EngineNode.QueueName, timeout.Token);
            QueueClient[] all = [.. queues.All.Select(static item => item.Queue), .. reports is null ? [] : new[] { reports }];
            // A broker gives back what receivers held a moment after they are gone.
            for (int quietRounds = 0; quietRounds < 2; quietRounds++)
            {
                foreach (QueueClient queue in all)
                {
                    if (await queue.PurgeAsync(timeout.Token) > 0)
                        quietRounds = -1;
                }

                await Task.Delay(CleanupPause, timeout.Token);
            }
        }
        catch (Exception e) when (e is QueueException or OperationCanceledException or ObjectDisposedException)
        {
            // The queues do not answer, which the run is about to report.
        }
    }

    /// <summary>Looks at all queues of a run, before anything is deleted.</summary>
    /// <returns>The first of them, for the report.</returns>
    /// <exception cref="UsageException">One is not empty, and may not be purged; or holds messages under lock.</exception>
    internal static async Task<QueueInfo> CheckQueuesAsync(
        QueueConnector connector, EngineRunOptions options, bool hasProcesses, CancellationToken cancellationToken)
    {
        await using EngineQueues queues = await EngineQueues.OpenAsync(
            connector, options.QueuePrefix, options.InboundQueueCount, options.Clearings, transfer: options.Transfer,
            cancellationToken: cancellationToken);
        await using QueueClient? reports = hasProcesses ? await queues.OpenOtherAsync(EngineNode.QueueName, cancellationToken) : null;
        IEnumerable<QueueClient> all = queues.All.Select(static item => item.Queue);
        await EmptyQueues.FindAsync(reports is null ? all : all.Append(reports), options.Purges, cancellationToken);
        QueueClient first = queues.Inbound[0];
        string mode = first.Options.DeliveryMode!.Value.ToString().ToLowerInvariant();
        return new QueueInfo(first.Address.ToString(), first.Capabilities.Product, mode, first.Capabilities.Durability);
    }
}
