using System;
using System.IO;
using System.Threading;
using System.Threading.Tasks;
using Formatters.Bench.Reports;
using Formatters.Queues;
using Formatters.TradeEngine.Components;
using Formatters.TradeEngine.Runs;
using Formatters.TradeEngine.Store.Embedded;

namespace Formatters.Bench.Engine;

/// <summary>Runs the engine and describes how.</summary>
internal static class EngineMeasurement
{
    internal static async Task<EngineReport> RunAsync(
        TextWriter error,
        QueueConnector connector,
        string storeFolder,
        int databaseCount,
        EngineRunOptions options,
        string commandLine,
        TimeProvider clock,
        CancellationToken cancellationToken)
    {
        var recorder = new RunRecorder(commandLine, clock);
        await using EmbeddedTradeStore store = EmbeddedTradeStore.Open(storeFolder, databaseCount);
        QueueInfo queue;
        await using (EngineQueues queues = await EngineQueues.OpenAsync(connector, options.QueuePrefix, options.InboundQueueCount, cancellationToken))
        {
            IMessageQueue first = queues.Inbound[0];
            queue = new QueueInfo(first.Address.ToString(), first.Capabilities.Product, first.Options.DeliveryMode!.Value.ToString()
                .ToLowerInvariant(), first.Capabilities.Durability);
        }

        var run = new EngineRun(connector, store, options);
        EngineRunResult result = await RunProgress.RunAsync(error, progress => run.RunAsync(progress.Stage("trades"), cancellationToken));
        return new EngineReport(
            recorder.Finish(isInterrupted: false), queue, store.Description, options.Formats.Name, options.Signature == SignatureAlgorithm.EcdsaP256
                ? "ECDSA P-256" : "HMAC-SHA-256", result);
    }
}
