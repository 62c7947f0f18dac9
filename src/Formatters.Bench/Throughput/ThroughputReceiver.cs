namespace Formatters.Bench.Throughput;

/// <summary>One receiver: so many loops over one handle, each of which receives, works, and completes.</summary>
internal sealed class ThroughputReceiver(
    ThroughputOptions options, ThroughputSteps steps, QueueClient queue, MessageLoad? load, MessageLedger ledger, MetricsCollector metrics,
    DurationHistogram latencies, TimeProvider clock)
{
    private const int MaxErrors = 10;

    private static readonly TimeSpan Wait = TimeSpan.FromMilliseconds(250);
    private static readonly TimeSpan Pause = TimeSpan.FromMilliseconds(50);

    /// <summary>Receives until it is stopped.</summary>
    /// <exception cref="VerificationException">What came is not of this run, or not what was sent.</exception>
    /// <exception cref="QueueException">The queue failed, again and again.</exception>
    internal Task RunAsync(CancellationToken stop) => Task.WhenAll(Enumerable.Range(0, steps.Largest.InflightReceives)
        .Select(number => Task.Run(() => LoopAsync(number, stop), CancellationToken.None)));

    private async Task LoopAsync(int number, CancellationToken stop)
    {
        int errors = 0;
        var one = new ReceivedMessage[1];
        while (!stop.IsCancellationRequested)
        {
            try
            {
                ThroughputOptions now = steps.Current;
                if (number >= now.InflightReceives)
                {
                    await Task.Delay(Pause, stop);
                    continue;
                }

                long start = clock.GetTimestamp();
                IReadOnlyList<ReceivedMessage> messages;
                if (now.MessagesPerReceive > 1)
                {
                    messages = await queue.ReceiveBatchAsync(now.MessagesPerReceive, Wait, null, stop);
                }
                else
                {
                    ReceivedMessage? message = await queue.ReceiveAsync(Wait, null, stop);
                    one[0] = message!;
                    messages = message is null ? [] : one;
                }

                if (messages.Count == 0)
                    continue;
                await ProcessAsync(messages, Nanoseconds(start));
                errors = 0;
            }
            catch (OperationCanceledException) when (stop.IsCancellationRequested)
            {
                return;
            }
            catch (QueueException) when (++errors < MaxErrors)
            {
                metrics.AddError(isBusy: false);
                await Task.Delay(Pause, CancellationToken.None);
            }
        }
    }

    /// <summary>Works on messages and completes them: to the end, also when the run ends meanwhile.</summary>
    private async ValueTask ProcessAsync(IReadOnlyList<ReceivedMessage> messages, long receiveNanoseconds)
    {
        var stamps = new MessageStamp[messages.Count];
        for (int i = 0; i < stamps.Length; i++)
        {
            if (load is not null)
                stamps[i] = load.Read(messages[i])
                    ?? throw new ForeignMessageException($"A message that does not belong to this run was in {queue.Address}.", messages[i]);
            if (stamps[i].DueTimestamp > 0)
            {
                lock (latencies)
                    latencies.Add(Nanoseconds(stamps[i].DueTimestamp));
            }
        }

        if (steps.Current.WorkDuration is { Ticks: > 0 } work)
            await Task.Delay(work);
        long? completion = null;
        if (options.ReceiveMode == ReceiveMode.PeekLock)
        {
            long start = clock.GetTimestamp();
            if (messages.Count == 1)
                await messages[0].AcknowledgeAsync();
            else
                await queue.AcknowledgeBatchAsync(messages);
            completion = Nanoseconds(start);
        }

        for (int i = 0; i < stamps.Length; i++)
        {
            if (load is { IsNumbered: true })
                ledger.Receive(stamps[i].Number, messages[i].IsRedelivered);
            else
                ledger.Count();
        }

        metrics.Add(messages.Count, receiveNanoseconds, completion);
    }

    private long Nanoseconds(long since) => (long)clock.GetElapsedTime(since).TotalNanoseconds;
}
