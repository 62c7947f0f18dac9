using Formatters.Bench.Servers;

namespace Formatters.Bench.Throughput;

/// <summary>The job of <c>throughput</c>: senders and receivers at the same time, and a row for each from time to time.</summary>
/// <param name="rows">Gets the rows as they come.</param>
internal sealed class ThroughputRun(QueueConnector connector, ThroughputOptions options, TimeProvider clock, TextWriter error, IThroughputRows rows)
{
    private static readonly TimeSpan Glance = TimeSpan.FromMilliseconds(5);

    /// <summary>Rows in a row in which the backlog grows, before that is said.</summary>
    private const int MaxGrowth = 3;

    private readonly MetricsCollector _sends = new();
    private readonly MetricsCollector _receives = new();
    private readonly DurationHistogram _latencies = new();
    private readonly List<ThroughputRow> _sendRows = [];
    private readonly List<ThroughputRow> _receiveRows = [];
    private int _growth;

    private bool HasSenders => options.SenderCount > 0;
    private bool HasReceivers => options.ReceiverCount > 0;

    /// <exception cref="UsageException">A queue is not empty, or there is no such formatter.</exception>
    /// <exception cref="VerificationException">A message was lost, doubled or changed.</exception>
    /// <exception cref="QueueException">A queue failed; or, without senders, does not exist.</exception>
    internal async Task<ThroughputReport> RunAsync(string commandLine, CancellationToken cancellationToken)
    {
        var recorder = new RunRecorder(commandLine, clock);
        MessageLoad load = MessageLoad.Create(options);
        if (options.Rate is not null && !load.IsNumbered)
            throw new UsageException($"--rate needs messages of at least {ByteLoad.StampByteCount} bytes: they carry when they were due.");
        if (!HasSenders)
            await RequireQueuesAsync(cancellationToken);
        string sendAddress = options.Connection.AddressOf(options.SendPath);
        string probedAddress = HasSenders ? sendAddress : options.Connection.AddressOf(options.ReceivePaths[0]);
        if (options.Mode is { } mode)
            await Modes.RequireAsync(connector, probedAddress, mode, cancellationToken);
        bool isTopic = options.ReceivePaths.Any(path => path.Subscription is not null && path.Entity == options.SendPath);
        bool ownsContent = HasSenders && HasReceivers;
        var handles = new List<IAsyncDisposable>();
        var queues = new List<(QueueClient Queue, MessageLedger Ledger)>();
        try
        {
            var subscriptions = new Dictionary<string, MessageLedger>();
            var union = new MessageLedger(HasSenders ? options.MessageCount : 0);
            ThroughputOptions largest = new ThroughputSteps(options, clock).Largest;
            var sendOptions = new QueueOptions
            {
                DeliveryMode = options.Mode,
                ReceiveMode = ReceiveMode.ReceiveAndDelete,
                SendWindow = Math.Max(1_000, largest.InflightSends * largest.MessagesPerSend),
                MaxMessageCount = options.MaxMessageCount,
            };
            QueueOptions receiveOptions = sendOptions with
            {
                ReceiveMode = options.ReceiveMode,
                // What a receiver holds has been fetched: with fewer it would wait for its own messages.
                PrefetchCount = Math.Max(1, Math.Max(options.PrefetchCount, largest.InflightReceives * largest.MessagesPerReceive)),
            };
            if (ownsContent)
                await RequireEmptyAsync(sendAddress, isTopic, receiveOptions, cancellationToken);

            // Subscriptions before the first message: a topic keeps none for those that come later.
            var targets = new List<SendTarget>();
            for (int i = 0; i < options.ReceiverCount; i++)
            {
                foreach (ReceivePath path in options.ReceivePaths)
                {
                    // Each subscription gets every message; of queues, those of one topology share them.
                    if (!subscriptions.TryGetValue(path.Text, out MessageLedger? ledger))
                        ledger = path.Subscription is null
                            ? union
                            : subscriptions[path.Text] = new MessageLedger(HasSenders ? options.MessageCount : 0);
                    queues.Add((await OpenReceiverAsync(path, receiveOptions, handles, cancellationToken), ledger));
                }
            }

            for (int i = 0; i < options.SenderCount; i++)
            {
                SendTarget target = isTopic
                    ? await SendTarget.OpenTopicAsync(connector, sendAddress, sendOptions, cancellationToken)
                    : await SendTarget.OpenQueueAsync(connector, sendAddress, sendOptions, cancellationToken);
                handles.Add(target);
                targets.Add(target);
            }

            (QueueCapabilities capabilities, QueueOptions opened) = targets.Count > 0
                ? (targets[0].Capabilities, targets[0].Options)
                : (queues[0].Queue.Capabilities, queues[0].Queue.Options);
            var info = new QueueInfo(
                QueueAddress.Parse(HasSenders ? sendAddress : options.Connection.AddressOf(options.ReceivePaths[0])).ToString(),
                capabilities.Product,
                Modes.NameOf(opened.DeliveryMode!.Value),
                capabilities.Durability)
            {
                Settings = await ServerSettings.ReadAsync(sendAddress, cancellationToken),
            };
            // Paths that are not subscriptions share a ledger, and receivers of one path do.
            MessageLedger[] ledgers = [.. queues.Select(static item => item.Ledger).Distinct()];
            ThroughputSummary summary = await RunAsync(load, targets, queues, ledgers, cancellationToken);
            if (!cancellationToken.IsCancellationRequested)
                ThrowIfDoubled(ledgers);
            return new ThroughputReport
            {
                Run = recorder.Finish(cancellationToken.IsCancellationRequested),
                Queue = info,
                Load = load.Description,
                ByteCount = load.ByteCount,
                Sends = _sendRows,
                Receives = _receiveRows,
                Summary = summary,
            };
        }
        finally
        {
            // What was sent to be received, and was not, would be in the way of the next run.
            if (ownsContent)
            {
                foreach ((QueueClient queue, _) in queues)
                    await QueueCleanup.PurgeAndCloseAsync(queue);
            }

            foreach (IAsyncDisposable handle in handles)
                await handle.DisposeAsync();
        }
    }

    private async Task<QueueClient> OpenReceiverAsync(
        ReceivePath path, QueueOptions receiveOptions, List<IAsyncDisposable> handles, CancellationToken cancellationToken)
    {
        string address = options.Connection.AddressOf(path);
        if (path.Subscription is null)
        {
            QueueClient queue = await connector.OpenAsync(address, receiveOptions, cancellationToken);
            handles.Add(queue);
            return queue;
        }

        MessageTopic topic = await connector.OpenTopicAsync(address, receiveOptions, cancellationToken);
        handles.Add(topic);
        QueueClient subscription = await topic.SubscribeDurableAsync(path.Subscription, null, receiveOptions, cancellationToken);
        handles.Add(subscription);
        return subscription;
    }

    /// <summary>Receivers alone take what is there: a queue that does not exist is a mistake, and is not made.</summary>
    /// <exception cref="QueueException">One does not exist.</exception>
    private async Task RequireQueuesAsync(CancellationToken cancellationToken)
    {
        foreach (ReceivePath path in options.ReceivePaths.Where(static path => path.Subscription is null))
            await QueueCheck.FindAsync(connector, QueueAddress.Parse(options.Connection.AddressOf(path)), cancellationToken);
    }

    /// <summary>Looks at all queues and subscriptions before the first is touched.</summary>
    private async Task RequireEmptyAsync(string sendAddress, bool isTopic, QueueOptions receiveOptions, CancellationToken cancellationToken)
    {
        var handles = new List<IAsyncDisposable>();
        try
        {
            var queues = new List<QueueClient>();
            foreach (ReceivePath path in options.ReceivePaths)
                queues.Add(
                    await OpenReceiverAsync(path, path.Subscription is null ? QueueOptions.Fastest : receiveOptions, handles, cancellationToken));
            if (!isTopic && options.ReceivePaths.All(path => options.Connection.AddressOf(path) != sendAddress))
            {
                QueueClient sent = await connector.OpenAsync(sendAddress, QueueOptions.Fastest, cancellationToken);
                handles.Add(sent);
                queues.Add(sent);
            }

            // A queue that is named twice is one.
            await EmptyQueues.RequireAsync(queues.DistinctBy(static queue => queue.Address.Uri.AbsoluteUri), options.Purge, error, cancellationToken);
        }
        finally
        {
            handles.Reverse();
            foreach (IAsyncDisposable handle in handles)
                await handle.DisposeAsync();
        }
    }

    private async Task<ThroughputSummary> RunAsync(
        MessageLoad load, List<SendTarget> targets, List<(QueueClient Queue, MessageLedger Ledger)> queues, MessageLedger[] ledgers,
        CancellationToken cancellationToken)
    {
        using var stopSends = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        using var stopReceives = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        using var stopRows = new CancellationTokenSource();
        var tally = new ResourceTally();
        ResourceMark mark = ResourceMark.Now();
        long start = clock.GetTimestamp();
        var state = new SendState(options, clock);
        var steps = new ThroughputSteps(options, clock);
        Task receiving = Task.WhenAll(
            queues.Select(item =>
                new ThroughputReceiver(options, steps, item.Queue, HasSenders ? load : null, item.Ledger, _receives, _latencies, clock)
                    .RunAsync(stopReceives.Token)));
        Task sending = Task.WhenAll(targets.Select(target => Task.Run(() => SendAsync(target), CancellationToken.None)));
        Task reporting = ReportAsync(start, state, steps, ledgers, stopRows.Token);
        TimeSpan sendTime = TimeSpan.Zero;
        TimeSpan receiveTime = TimeSpan.Zero;
        try
        {
            // The first that fails ends the others.
            if (HasSenders)
                await (HasReceivers ? await Task.WhenAny(sending, receiving) : sending);
            sendTime = clock.GetElapsedTime(start);
            if (HasReceivers)
                receiveTime = await DrainAsync(start, receiving, state, ledgers, cancellationToken);
        }
        catch (OperationCanceledException) when (cancellationToken.IsCancellationRequested)
        {
            // What was done up to now is the outcome.
            TimeSpan now = clock.GetElapsedTime(start);
            (sendTime, receiveTime) = (sendTime == TimeSpan.Zero ? now : sendTime, now);
        }
        finally
        {
            await stopSends.CancelAsync();
            await stopReceives.CancelAsync();
            await stopRows.CancelAsync();
            await Task.WhenAll(sending, receiving, reporting).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        }

        // A failure of receivers that came with their end.
        if (receiving.IsFaulted)
            await receiving;
        long received = ledgers.Sum(static ledger => ledger.ReceivedCount);
        tally.Add(mark, Math.Max(1, Math.Max(state.AcknowledgedCount, received)));
        return new ThroughputSummary(
            state.AcknowledgedCount,
            received,
            ledgers.Sum(static ledger => ledger.RedeliveredCount),
            sendTime > TimeSpan.Zero ? state.AcknowledgedCount / sendTime.TotalSeconds : 0,
            receiveTime > TimeSpan.Zero ? received / receiveTime.TotalSeconds : 0,
            Percentiles.Of(_sends.Overall.First),
            Percentiles.Of(_sends.Overall.Second),
            Percentiles.Of(_receives.Overall.First),
            Percentiles.Of(_receives.Overall.Second),
            Percentiles.Of(_latencies),
            _sends.Overall.Errors + _receives.Overall.Errors,
            _sends.Overall.Busy + _receives.Overall.Busy,
            tally.PerMessage);

        async Task SendAsync(SendTarget target)
        {
            using var sender = new ThroughputSender(options, steps, target, load, state, _sends, clock);
            await sender.RunAsync(stopSends.Token);
        }
    }

    /// <summary>Waits until all that was sent has come out, or with no sender until as much came out as was asked for.</summary>
    /// <returns>When the last message came.</returns>
    private async Task<TimeSpan> DrainAsync(long start, Task receiving, SendState state, MessageLedger[] ledgers, CancellationToken cancellationToken)
    {
        long before = -1;
        TimeSpan last = TimeSpan.Zero;
        // By the machine's own time: the run's clock may stand still when nothing comes.
        long lastSeen = TimeProvider.System.GetTimestamp();
        while (true)
        {
            cancellationToken.ThrowIfCancellationRequested();
            if (receiving.IsCompleted)
                await receiving;
            long received = ledgers.Sum(static ledger => ledger.ReceivedCount);
            if (received != before)
                (before, last, lastSeen) = (received, clock.GetElapsedTime(start), TimeProvider.System.GetTimestamp());
            if (!HasSenders)
            {
                if (received >= options.MessageCount || (options.Duration is { } duration && clock.GetElapsedTime(start) >= duration))
                    return last;
            }
            else if (ledgers.All(ledger => ledger.ReceivedCount >= state.AcknowledgedCount))
            {
                return last;
            }
            else if (TimeProvider.System.GetElapsedTime(lastSeen) > options.LostAfter)
            {
                ThrowIfLost(state, ledgers);
                return last;
            }

            await Task.Delay(Glance, cancellationToken);
        }
    }

    private void ThrowIfLost(SendState state, MessageLedger[] ledgers)
    {
        long lost = ledgers.Max(state.CountLost);
        if (lost > 0)
        {
            throw new VerificationException(string.Create(
                CultureInfo.InvariantCulture,
                $"{Numbers.Count(state.AcknowledgedCount, "message")} {(state.AcknowledgedCount == 1 ? "was" : "were")} sent to "
                    + $"'{options.SendPath}', {lost:N0} of them did not come out of "
                    + $"'{string.Join("', '", options.ReceivePaths.Select(static path => path.Text))}' within {options.LostAfter.TotalSeconds} s."));
        }
    }

    private static void ThrowIfDoubled(MessageLedger[] ledgers)
    {
        long doubled = ledgers.Sum(static ledger => ledger.DoubledCount);
        if (doubled > 0)
            throw new VerificationException(
                $"{Numbers.Count(doubled, "message")} came twice, and the queue did not mark {(doubled == 1 ? "it" : "them")} as delivered again.");
    }

    private async Task ReportAsync(long start, SendState state, ThroughputSteps steps, MessageLedger[] ledgers, CancellationToken stop)
    {
        rows.PrintHeaders(HasSenders, HasReceivers);
        double from = 0;
        bool isDone = false;
        while (!isDone)
        {
            // Options do not change within a row.
            ThroughputOptions now = steps.At(TimeSpan.FromSeconds(from));
            TimeSpan length = steps.UntilNext is { } next && next < options.Frequency ? next + TimeSpan.FromMilliseconds(1) : options.Frequency;
            try
            {
                await Task.Delay(length, clock, stop);
            }
            catch (OperationCanceledException)
            {
                isDone = true;
            }

            double to = clock.GetElapsedTime(start).TotalSeconds;
            if (HasSenders)
            {
                ThroughputRow row = Row(_sends, from, to, now.SendBatchCount, now.InflightSends, null);
                _sendRows.Add(row);
                rows.PrintSend(row);
            }

            if (HasReceivers)
            {
                long? backlog = HasSenders
                    ? Math.Max(0, (state.AcknowledgedCount * ledgers.Length) - ledgers.Sum(static ledger => ledger.ReceivedCount))
                    : null;
                ThroughputRow row = Row(_receives, from, to, now.ReceiveBatchCount, now.InflightReceives, backlog);
                Watch(row, isDone);
                _receiveRows.Add(row);
                rows.PrintReceive(row);
            }

            from = to;
        }
    }

    /// <summary>Says that receivers fall behind, once.</summary>
    private void Watch(ThroughputRow row, bool isDone)
    {
        _growth = isDone || _receiveRows.Count == 0 || row.Backlog is null || row.Backlog <= _receiveRows[^1].Backlog
            ? (_growth > MaxGrowth ? _growth : 0)
            : _growth + 1;
        if (_growth == MaxGrowth)
        {
            _growth++;
            error.WriteLine(
                string.Create(CultureInfo.InvariantCulture,
                    $"The receivers are falling behind: {row.Backlog:N0} messages wait. This rate of sends cannot be sustained."));
        }
    }

    private static ThroughputRow Row(MetricsCollector collector, double from, double to, int batchCount, int inflight, long? backlog)
    {
        Metrics period = collector.Take();
        return new ThroughputRow(
            from,
            to,
            batchCount,
            inflight,
            Durations.Of(period.First),
            Durations.Of(period.Second),
            to > from ? period.Messages / (to - from) : 0,
            period.Messages,
            period.Operations,
            period.Errors,
            period.Busy,
            collector.Overall.Messages,
            backlog);
    }
}
