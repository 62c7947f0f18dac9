using System;
using System.Collections.Generic;
using System.Threading;
using System.Threading.Tasks;

namespace Formatters.Queues;

/// <summary>Batches the work of concurrent callers: one batch runs at a time, and work added meanwhile goes into the next.</summary>
/// <typeparam name="T">A piece of work: the pump's to complete.</typeparam>
/// <param name="maxCount">How many pieces go in a batch at most.</param>
/// <param name="maxByteCount">The maximum size of a batch in bytes; a single larger item forms its own batch.</param>
/// <param name="runAsync">Runs a batch, in the order of the calls. Its exception fails every item without a <see cref="PumpWork.Error"/> of its
/// own.</param>
/// <param name="isRefusal">Returns whether an exception means that the batch had no effect, perhaps because of one item. The batch is then split in
/// halves and retried, so that only this item fails. Null for batches that cannot be split.</param>
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
                // No other work is queued, so the caller continues on this thread. This saves sequential senders a thread switch each.
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
            while ((batch is null || batch.Count < maxCount) && _waiting.TryPeek(out T? next)
                && (batch is null || byteCount + next.ByteCount <= maxByteCount))
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

/// <summary>A work item of a <see cref="BatchPump{T}"/>.</summary>
/// <param name="byteCount">The size of the item in bytes.</param>
internal abstract class PumpWork(long byteCount) : TaskCompletionSource
{
    private int _isStartedOrCanceled;

    /// <summary>Gets or sets the error of this item alone; the rest of the batch is not affected.</summary>
    internal Exception? Error { get; set; }

    internal long ByteCount { get; } = byteCount;

    /// <summary>Claims the work for a batch.</summary>
    /// <returns>False if it was given up.</returns>
    internal bool TryStart() => Interlocked.Exchange(ref _isStartedOrCanceled, 1) == 0;

    /// <summary>Completes the item, with its own error, the error of its batch, or none. Its continuation runs on this thread.</summary>
    internal void Complete(Exception? error)
    {
        if ((Error ?? error) is { } exception)
            TrySetException(exception);
        else
            TrySetResult();
    }

    /// <summary>Waits until the item is complete, or was canceled before it started. Its memory is no longer in use then.</summary>
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
