using System;
using System.Collections.Generic;
using System.Threading;
using System.Threading.Tasks;

namespace Formatters.Queues.PostgreSql;

/// <summary>Does the work of many callers in batches, one batch at a time: what comes while one is under way goes with the next.</summary>
/// <typeparam name="T">A piece of work: the pump's to complete.</typeparam>
/// <param name="maxCount">How many pieces go in a batch at most.</param>
/// <param name="maxByteCount">How many bytes go in a batch at most, if it is more than one piece.</param>
/// <param name="runAsync">Does a batch, in the order of the calls. Its exception is that of every piece that has no <see cref="PumpWork.Error"/> of its
/// own.</param>
/// <param name="isRefusal">Whether an exception says that nothing of a batch was done, perhaps for the sake of one piece: then each half of the batch
/// is tried by itself, so that the error is that of this piece alone. Null for a batch that is not to be divided.</param>
internal sealed class BatchPump<T>(int maxCount, long maxByteCount, Func<IReadOnlyList<T>, Task> runAsync, Predicate<Exception>? isRefusal = null)
    where T : PumpWork
{
    private readonly Queue<T> _waiting = new();
    private readonly Lock _gate = new();
    private bool _isRunning;

    internal void Add(T work)
    {
        lock (_gate)
        {
            _waiting.Enqueue(work);
            if (_isRunning)
                return;
            _isRunning = true;
        }

        _ = RunAsync();
    }

    private async Task RunAsync()
    {
        List<T>? batch = TakeBatch();
        while (batch is not null)
        {
            Exception? error = null;
            try
            {
                await RunAsync(batch).ConfigureAwait(false);
            }
            catch (Exception e)
            {
                error = e;
            }

            List<T>? next = TakeBatch();
            if (next is null && batch is [{ } only])
            {
                // Nobody else waits: the caller goes on in this thread, which is worth a change of threads for each of those who send one after the other.
                only.Complete(error);
                return;
            }

            foreach (T work in batch)
                ThreadPool.UnsafeQueueUserWorkItem(static state => state.Work.Complete(state.Error), (Work: work, Error: error), preferLocal: false);
            batch = next;
        }
    }

    private async Task RunAsync(List<T> batch)
    {
        try
        {
            await runAsync(batch).ConfigureAwait(false);
            return;
        }
        catch (Exception e) when (isRefusal?.Invoke(e) == true && batch.Count > 1)
        {
            foreach (T work in batch)
                work.Error = null;
        }

        // In their order.
        await RunPartAsync(batch[..(batch.Count / 2)]).ConfigureAwait(false);
        await RunPartAsync(batch[(batch.Count / 2)..]).ConfigureAwait(false);
    }

    private async Task RunPartAsync(List<T> part)
    {
        try
        {
            await RunAsync(part).ConfigureAwait(false);
        }
        catch (Exception e)
        {
            foreach (T work in part)
                work.Error ??= e;
        }
    }

    private List<T>? TakeBatch()
    {
        lock (_gate)
        {
            List<T>? batch = null;
            long byteCount = 0;
            while ((batch is null || batch.Count < maxCount) && _waiting.TryPeek(out T? next) && (batch is null || byteCount + next.ByteCount <= maxByteCount))
            {
                _waiting.Dequeue();
                if (!next.TryStart())
                    continue;
                byteCount += next.ByteCount;
                (batch ??= []).Add(next);
            }

            _isRunning = batch is not null;
            return batch;
        }
    }
}

/// <summary>A piece of work for a <see cref="BatchPump{T}"/>.</summary>
/// <param name="byteCount">How large it is.</param>
internal abstract class PumpWork(long byteCount) : TaskCompletionSource
{
    private int _isStartedOrCanceled;

    /// <summary>What is wrong with this piece alone, while the batch goes on.</summary>
    internal Exception? Error { get; set; }

    internal long ByteCount { get; } = byteCount;

    /// <summary>Claims the work for a batch.</summary>
    /// <returns>False if it was given up.</returns>
    internal bool TryStart() => Interlocked.Exchange(ref _isStartedOrCanceled, 1) == 0;

    /// <summary>Ends the work, with its own error, or that of its batch, or none. Whoever waits for it goes on in this thread.</summary>
    internal void Complete(Exception? error)
    {
        if ((Error ?? error) is { } exception)
            TrySetException(exception);
        else
            TrySetResult();
    }

    /// <summary>Waits until the work is done, or was given up before it was begun: memory that belongs to it is in use no longer then.</summary>
    internal async Task WaitAsync(CancellationToken cancellationToken)
    {
        using CancellationTokenRegistration cancellation = cancellationToken.UnsafeRegister(
            static (state, token) =>
            {
                var work = (PumpWork)state!;
                if (work.TryStart())
                    work.TrySetCanceled(token);
            },
            this);
        await Task.ConfigureAwait(false);
    }
}
