using System;
using System.IO;
using System.Threading;
using System.Threading.Tasks;
using Formatters.Bench.Reports;
using Formatters.Queues;
using Formatters.TradeEngine.Components;
using Formatters.TradeEngine.Runs;
using Formatters.TradeEngine.Store;
using Formatters.TradeEngine.Store.Embedded;
using Formatters.TradeEngine.Store.PostgreSql;
using Npgsql;

namespace Formatters.Bench.Engine;

/// <summary>Runs the engine and describes how.</summary>
internal static class EngineMeasurement
{
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
        var recorder = new RunRecorder(commandLine, clock);
        bool isPostgreSql = storePlace.StartsWith("postgres:", StringComparison.OrdinalIgnoreCase);
        if (isPostgreSql)
            options = options with { Clearings = storePlace.TrimEnd('/') + "/engine-cls" };
        await using IMessageQueue? clearings = options.Clearings is null
            ? null
            : await connector.OpenAsync(options.Clearings, new QueueOptions { DeliveryMode = DeliveryMode.Transactional }, cancellationToken);
        await using ITradeStore store = clearings is null
            ? EmbeddedTradeStore.Open(storePlace, databaseCount)
            : await OpenPostgreSqlAsync(storePlace, databaseCount, options, clearings, cancellationToken);
        if (await store.CountAsync(cancellationToken) is { Trades: > 0 } counts)
            throw new UsageException($"The store has {Numbers.Count(counts.Trades)} trades. Take another place{(isPostgreSql ? ", or have them deleted (--purge)" : "")}.");
        QueueInfo queue;
        await using (EngineQueues queues = await EngineQueues.OpenAsync(connector, options.QueuePrefix, options.InboundQueueCount, options.Clearings,
            cancellationToken))
        {
            IMessageQueue first = queues.Inbound[0];
            string mode = first.Options.DeliveryMode!.Value.ToString().ToLowerInvariant();
            queue = new QueueInfo(first.Address.ToString(), first.Capabilities.Product, mode, first.Capabilities.Durability);
        }

        var run = new EngineRun(connector, store, options);
        EngineRunResult result = await RunProgress.RunAsync(error, progress => run.RunAsync(progress.Stage("trades"), cancellationToken));
        string signature = options.Signature == SignatureAlgorithm.EcdsaP256 ? "ECDSA P-256" : "HMAC-SHA-256";
        return new EngineReport(recorder.Finish(isInterrupted: false), queue, store.Description, options.Formats.Name, signature, result);
    }

    private static async Task<PostgreSqlTradeStore> OpenPostgreSqlAsync(
        string place, int databaseCount, EngineRunOptions options, IMessageQueue clearings, CancellationToken cancellationToken)
    {
        while (true)
        {
            PostgreSqlTradeStore store = await PostgreSqlTradeStore.OpenAsync(
                ConnectionStringOf(place), databaseCount, "engine", clearings, emission => ClearingMessages.Make(options.Formats, emission), cancellationToken);
            if (!options.Purges || (await store.CountAsync(cancellationToken)).Trades == 0)
                return store;
            await store.DropAsync();
            await store.DisposeAsync();
        }
    }

    /// <summary>What Npgsql is told of postgres://user:password@host:port/database.</summary>
    private static string ConnectionStringOf(string address)
    {
        Uri uri = QueueAddress.Parse(address).Uri;
        string[] user = uri.UserInfo.Split(':', 2);
        var builder = new NpgsqlConnectionStringBuilder { Host = uri.Host, Database = Uri.UnescapeDataString(uri.AbsolutePath.Trim('/')) };
        if (uri.Port > 0)
            builder.Port = uri.Port;
        if (user[0].Length > 0)
            builder.Username = Uri.UnescapeDataString(user[0]);
        if (user.Length > 1)
            builder.Password = Uri.UnescapeDataString(user[1]);
        return builder.ConnectionString;
    }
}
