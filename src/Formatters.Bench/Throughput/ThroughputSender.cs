using System.Collections.Concurrent;

namespace Formatters.Bench.Throughput;

/// <summary>One sender: keeps up to so many sends under way; their acknowledgements come asynchronously.</summary>
internal sealed class ThroughputSender(ThroughputOptions options, ThroughputSteps steps, SendTarget target, MessageLoad load, SendState state,
    MetricsCollector metrics, TimeProvider clock) : IDisposable
{
    /// <summary>A queue that fails so often in a row has failed.</summary>
    private const int MaxErrors = 10;

    private static readonly TimeSpan Pause = TimeSpan.FromMilliseconds(10);

    /// <summary>Shorter waits than this are spun away.</summary>
    private static readonly TimeSpan Spin = TimeSpan.FromMicroseconds(50);

    /// <summary>Of longer waits than this the first part is a timer's, which can be cancelled.</summary>
    private static readonly TimeSpan LongWait = TimeSpan.FromMilliseconds(50);

    private readonly SemaphoreSlim _gate = new(steps.Largest.InflightSends);
    private readonly ConcurrentBag<Slot> _slots =
        [.. Enumerable.Range(0, steps.Largest.InflightSends)
            .Select(_ => new Slot([.. Enumerable.Range(0, steps.Largest.MessagesPerSend).Select(_ => load.CreateMessage())]))];
    private int _unused;
    private int _errors;
    private Exception? _failure;

    /// <summary>Sends until there are no more numbers.</summary>
    /// <exception cref="OperationCanceledException">The run was ended.</exception>
    /// <exception cref="QueueException">The queue failed, again and again.</exception>
    internal async Task RunAsync(CancellationToken cancellationToken)
    {
        try
        {
            while (Volatile.Read(ref _failure) is null)
            {
                cancellationToken.ThrowIfCancellationRequested();
                await LimitAsync(cancellationToken);
                long before = clock.GetTimestamp();
                if (!_gate.Wait(0, CancellationToken.None))
                    await _gate.WaitAsync(cancellationToken);
                long gateLock = Nanoseconds(before);
                (long first, int count) = state.Take(steps.Current.MessagesPerSend);
                if (count == 0)
                {
                    _gate.Release();
                    break;
                }

                Slot? slot;
                long timestamp;
                ValueTask send;
                try
                {
                    await PaceAsync(first + count - 1, cancellationToken);
                    _slots.TryTake(out slot);
                    timestamp = clock.GetTimestamp();
                    send = Begin(slot!, first, count, cancellationToken);
                }
                catch
                {
                    // Nothing is under way that would release it.
                    _gate.Release();
                    throw;
                }

                if (send.IsCompletedSuccessfully)
                    End(slot!, count, timestamp, gateLock);
                else
                    _ = EndAsync(send, slot!, first, count, timestamp, gateLock, cancellationToken);
            }
        }
        finally
        {
            // What is under way still holds its slot.
            for (int i = _unused; i < steps.Largest.InflightSends; i++)
                await _gate.WaitAsync(CancellationToken.None);
        }

        if (_failure is { } failure)
            throw failure;
    }

    /// <summary>To be called when the run is over.</summary>
    public void Dispose()
    {
        _gate.Dispose();
        foreach (LoadMessage message in _slots.SelectMany(static slot => slot.Messages))
            message.Dispose();
    }

    /// <summary>Holds as many places of the gate as are not to be used now.</summary>
    private async ValueTask LimitAsync(CancellationToken cancellationToken)
    {
        int unused = steps.Largest.InflightSends - steps.Current.InflightSends;
        for (; _unused > unused; _unused--)
            _gate.Release();
        for (; _unused < unused; _unused++)
            await _gate.WaitAsync(cancellationToken);
    }

    private ValueTask Begin(Slot slot, long first, int count, CancellationToken cancellationToken)
    {
        for (int i = 0; i < count; i++)
            slot.Messages[i].Stamp(new MessageStamp(first + i, options.Rate is null ? 0 : state.DueTimestamp(first + i)));
        try
        {
            return count == 1
                ? target.SendAsync(slot.Messages[0].Message, cancellationToken)
                : target.SendBatchAsync(count == slot.List.Count ? slot.List : [.. slot.List.Take(count)], cancellationToken);
        }
        catch (QueueException e)
        {
            // A queue that need not wait may refuse at once.
            return ValueTask.FromException(e);
        }
    }

    private void End(Slot slot, int count, long timestamp, long gateLock)
    {
        metrics.Add(count, Nanoseconds(timestamp), gateLock);
        state.Acknowledge(count);
        _slots.Add(slot);
        _gate.Release();
    }

    private async Task EndAsync(ValueTask send, Slot slot, long first, int count, long timestamp, long gateLock, CancellationToken cancellationToken)
    {
        while (true)
        {
            try
            {
                await send;
                Volatile.Write(ref _errors, 0);
                End(slot, count, timestamp, gateLock);
                return;
            }
            catch (QueueException e) when (SendState.IsBusy(e))
            {
                metrics.AddError(isBusy: true);
            }
            catch (QueueException e)
            {
                metrics.AddError(isBusy: false);
                bool isUncertain = e.OutcomeUnknown || e is QueueBatchException;
                if (isUncertain)
                    state.SetUncertain(first, count);
                bool hasFailed = Interlocked.Increment(ref _errors) >= MaxErrors;
                if (hasFailed)
                    Volatile.Write(ref _failure, e);
                if (isUncertain || hasFailed)
                {
                    _slots.Add(slot);
                    _gate.Release();
                    return;
                }
            }
            catch (Exception e)
            {
                // Also a cancellation: the loop looks at the token itself.
                if (e is not OperationCanceledException)
                    Volatile.Write(ref _failure, e);
                state.SetUncertain(first, count);
                _gate.Release();
                return;
            }

            await Task.Delay(Pause, CancellationToken.None);
            timestamp = clock.GetTimestamp();
            // Busy: the same messages again, until they are taken or the run ends.
            send = cancellationToken.IsCancellationRequested
                ? ValueTask.FromCanceled(cancellationToken)
                : Begin(slot, first, count, cancellationToken);
        }
    }

    /// <summary>Waits as long as the delay between sends, or until the last message of a send is due.</summary>
    private async ValueTask PaceAsync(long last, CancellationToken cancellationToken)
    {
        if (steps.Current.SendDelay is { Ticks: > 0 } delay)
            await Task.Delay(delay, cancellationToken);
        if (options.Rate is null)
            return;
        long due = state.DueTimestamp(last);
        TimeSpan left;
        // The wait takes no processor time, which is measured for each message; only the last microseconds are spun away.
        while ((left = clock.GetElapsedTime(clock.GetTimestamp(), due)) > Spin)
        {
            if (left > LongWait)
                await Task.Delay(left - LongWait, cancellationToken);
            else
                await PreciseTimer.WaitAsync(Stopwatch.GetTimestamp() + (long)(left.TotalSeconds * Stopwatch.Frequency));
            cancellationToken.ThrowIfCancellationRequested();
        }

        while (clock.GetTimestamp() < due)
            Thread.SpinWait(1);
    }

    private long Nanoseconds(long since) => (long)clock.GetElapsedTime(since).TotalNanoseconds;

    private sealed class Slot(LoadMessage[] messages)
    {
        internal LoadMessage[] Messages => messages;
        internal IReadOnlyList<QueueMessage> List { get; } = [.. messages.Select(static message => message.Message)];
    }
}
