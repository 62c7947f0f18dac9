using System;
using System.Collections.Generic;
using System.Threading;
using System.Threading.Tasks;

namespace Formatters.Queues.PostgreSql;

/// <summary>Does the work of many callers in batches, one batch at a time: what comes while one is under way goes with the next.</summary>
/// <typeparam name="T">A piece of work: the pump's to complete.</typeparam>
/// <param name="maxCount">How many pieces go in a batch at most.</param>
/// <param name="maxByteCount">How many bytes go in a batch at most, if it is more than one piece.</param>
/// <param name="runAsync">Does a batch, in the order of the calls. Its exception is that of every piece that it has not completed.</param>
internal sealed class BatchPump<T>(int maxCount, long maxByteCount, Func<IReadOnlyList<T>, Task> runAsync)
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
        while (TakeBatch() is { } batch)
        {
            try
            {
                await runAsync(batch).ConfigureAwait(false);
                foreach (T work in batch)
                    work.TrySetResult();
            }
            catch (Exception e)
            {
                foreach (T work in batch)
                    work.TrySetException(e);
            }
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
internal abstract class PumpWork(long byteCount) : TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously)
{
    private int _isStartedOrCanceled;

    internal long ByteCount { get; } = byteCount;

    /// <summary>Claims the work for a batch.</summary>
    /// <returns>False if it was given up.</returns>
    internal bool TryStart() => Interlocked.Exchange(ref _isStartedOrCanceled, 1) == 0;

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
