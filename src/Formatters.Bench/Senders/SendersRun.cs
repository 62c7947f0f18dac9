using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using Formatters.Bench.Measurement;
using Formatters.Bench.Reports;
using Formatters.Bench.Servers;
using Formatters.Queues;
using Formatters.Queues.PostgreSql;

namespace Formatters.Bench.Senders;

/// <summary>The job of <c>senders</c>: the study of 1998, sizes by senders by delivery, sent and then received.</summary>
/// <param name="connector">Opens the queues.</param>
/// <param name="options">What was asked for.</param>
/// <param name="clock">Tells how long it takes.</param>
/// <param name="output">Is told what was purged.</param>
/// <param name="files">The provider of the connector's queues in folders, for external transactions; null without.</param>
internal sealed class SendersRun(QueueConnector connector, SendersOptions options, TimeProvider clock, TextWriter output, FileQueueProvider? files = null)
{
    private const int MaxWarmUpCycles = 6;

    private static readonly TimeSpan WarmUpTime = TimeSpan.FromMilliseconds(50);

    // The JIT compiles anew what was called often when nothing was compiled for the first time for 100 ms.
    private static readonly TimeSpan WarmUpPause = TimeSpan.FromMilliseconds(150);

    /// <summary>Measures.</summary>
    /// <param name="commandLine">The arguments, for the report.</param>
    /// <param name="progress">Is told how far it is.</param>
    /// <param name="cancellationToken">Ends the run. What was measured up to then is the outcome; before each case of a queue has had a round there is none.</param>
    /// <exception cref="OperationCanceledException">The run was ended before there was an outcome.</exception>
    /// <exception cref="VerificationException">What was received is not what was sent.</exception>
    /// <exception cref="QueueException">The queue failed.</exception>
    internal async Task<SendersReport> RunAsync(string commandLine, IRunProgress progress, CancellationToken cancellationToken)
    {
        var recorder = new RunRecorder(commandLine, clock);
        var queues = new List<QueueSenders>();
        // All of them, before the first is measured.
        await EmptyQueues.RequireAsync(connector, options.Queues, Modes.OptionsOf(DeliveryMode.Express), options.Purge, output, cancellationToken);
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

        return new SendersReport(recorder.Finish(cancellationToken.IsCancellationRequested), queues, options.CaseTime.TotalSeconds);
    }

    private async Task<QueueSenders> MeasureAsync(string address, IRunProgress progress, CancellationToken cancellationToken)
    {
        var durability = new Dictionary<string, string>();
        var notOffered = new Dictionary<string, string>();
        QueueCapabilities? capabilities = null;
        foreach (SendersMode mode in options.Cases.Select(item => item.Mode).Distinct())
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

        List<Measured> cases = [.. options.Cases.Where(item => durability.ContainsKey(SendersModes.NameOf(item.Mode))).Select(item => new Measured(item))];
        if (cases.Count == 0)
            throw new UsageException($"'{QueueAddress.Parse(address)}': {string.Join("; ", notOffered.Select(mode => $"{mode.Key}: {mode.Value}"))}. Nothing is left to measure.");
        IReadOnlyDictionary<string, string> settings = await ServerSettings.ReadAsync(address, cancellationToken);
        await using External? external = cases.Exists(item => item.Case.Mode == SendersMode.External)
            ? await External.OpenAsync(files!, address, options.Database!, cancellationToken)
            : null;
        IProgress<double> stage = progress.Stage(QueueAddress.Parse(address).ToString());
        try
        {
            await WarmUpAsync(address, cases, external, cancellationToken);
            for (int round = 0; round < options.Rounds; round++)
            {
                for (int i = 0; i < cases.Count; i++)
                {
                    cancellationToken.ThrowIfCancellationRequested();
                    await MeasureAsync(address, cases[i], external, options.CaseTime, isKept: true, cancellationToken);
                    stage.Report((round + ((i + 1d) / cases.Count)) / options.Rounds);
                }
            }
        }
        catch (OperationCanceledException) when (cases[^1].HasRounds && cancellationToken.IsCancellationRequested)
        {
            // Each case has a round at least: these are the outcome.
        }

        SendersRow[] rows = [.. cases.Select(item => item.ToRow())];
        int usual = options.Cases.Any(item => item.ByteCount == Study.UsualByteCount) ? Study.UsualByteCount : options.Cases[0].ByteCount;
        return new QueueSenders(
            QueueAddress.Parse(address).ToString(), capabilities!.Product, durability, rows, SendersFindings.Judge(rows, usual), notOffered) { Settings = settings };
    }

    private string? WhyNotExternal(string address) =>
        options.Database is null ? "--database names no database"
        : !QueueAddress.Parse(address).Uri.IsFile ? "the coordinator's log is that of a folder: a queue in a folder is needed"
        : files is null ? "queues in folders are opened by another program"
        : null;

    /// <summary>Runs all cases, shortly, until the JIT has nothing left to do.</summary>
    private async Task WarmUpAsync(string address, List<Measured> cases, External? external, CancellationToken cancellationToken)
    {
        var jit = new JitWatch();
        TimeSpan time = WarmUpTime < options.CaseTime ? WarmUpTime : options.CaseTime;
        for (int cycle = 0; cycle < MaxWarmUpCycles; cycle++)
        {
            foreach (Measured item in cases)
                await MeasureAsync(address, item, external, time, isKept: false, cancellationToken);
            await Task.Delay(WarmUpPause, cancellationToken);
            if (jit.EndCycle())
                return;
        }
    }

    private async Task MeasureAsync(string address, Measured measured, External? external, TimeSpan time, bool isKept, CancellationToken cancellationToken)
    {
        SendersCase item = measured.Case;
        QueueOptions opened = Modes.OptionsOf(SendersModes.DeliveryOf(item.Mode));
        IMessageQueue queue = await connector.OpenAsync(address, opened, cancellationToken);
        try
        {
            var load = new SendersLoad(
                item,
                token => connector.OpenAsync(address, opened, token),
                item.Mode switch
                {
                    SendersMode.Internal => queue.BeginTransactionAsync,
                    SendersMode.External => external!.BeginAsync,
                    _ => null,
                },
                clock);
            GC.Collect();
            ProcessorMark mark = ProcessorMark.Now();
            (long sent, TimeSpan sendTime) = await load.SendAsync(queue, time, options.MaxMessageCount, cancellationToken);
            if (isKept)
                measured.Sending.Add(mark, sendTime);
            mark = ProcessorMark.Now();
            (long received, TimeSpan receiveTime) = await load.ReceiveAsync(queue, sent, time, cancellationToken);
            if (isKept)
                measured.Receiving.Add(mark, receiveTime);
            long left = await queue.PurgeAsync(cancellationToken);
            if (received + left != sent)
                throw new VerificationException($"{queue.Address}: {sent:#,0} messages were sent, {received:#,0} came and {left:#,0} were left.");
            if (isKept)
                measured.Add(sent / sendTime.TotalSeconds, received / receiveTime.TotalSeconds);
        }
        finally
        {
            await QueueCleanup.PurgeAndCloseAsync(queue);
        }
    }

    private sealed class Measured(SendersCase item)
    {
        private readonly List<double> _sent = [];
        private readonly List<double> _received = [];

        internal SendersCase Case => item;

        internal ProcessorTally Sending { get; } = new();

        internal ProcessorTally Receiving { get; } = new();

        internal bool HasRounds => _sent.Count > 0;

        internal void Add(double sent, double received)
        {
            _sent.Add(sent);
            _received.Add(received);
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
            _received);
    }

    /// <summary>Transactions over a folder and a database: each also writes a message of a few bytes there.</summary>
    private sealed class External(PostgreSqlQueueProvider databases, ResourceManager database, TransactionCoordinator coordinator, IMessageQueue rows) : IAsyncDisposable
    {
        internal static async Task<External> OpenAsync(FileQueueProvider files, string address, string databaseAddress, CancellationToken cancellationToken)
        {
            Uri folder = new(QueueAddress.Parse(address).Uri, ".");
            var databases = new PostgreSqlQueueProvider();
            ResourceManager database = await databases.OpenResourceManagerAsync(databaseAddress, cancellationToken: cancellationToken);
            TransactionCoordinator coordinator = await files.OpenCoordinatorAsync("file:" + folder.LocalPath, database, cancellationToken: cancellationToken);
            var connector = new QueueConnector(databases);
            IMessageQueue rows = await connector.OpenAsync(
                $"{databaseAddress.TrimEnd('/')}/formatters-bench-{Guid.NewGuid():N}", new QueueOptions { DeliveryMode = DeliveryMode.Transactional }, cancellationToken);
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
