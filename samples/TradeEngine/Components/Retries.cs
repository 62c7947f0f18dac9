using System.Data.Common;

namespace Formatters.TradeEngine.Components;

/// <summary>
/// Retries after transient failures of queues and the store: a server was restarted, or did not answer in time. A caller that works in batches
/// begins again, as after a kill; a failure that persists is an error.
/// </summary>
internal sealed class Retries
{
    private const int MaxFailuresInARow = 8;

    private readonly object _gate = new();
    private readonly SortedSet<string> _reasons = new(StringComparer.Ordinal);
    private int _count;

    /// <summary>How long the first wait of several is; each is twice as long as the one before.</summary>
    internal TimeSpan FirstPause { get; set; } = TimeSpan.FromMilliseconds(100);

    /// <summary>How often work was begun again.</summary>
    internal int Count => Volatile.Read(ref _count);

    /// <summary>Why, each reason once.</summary>
    internal IReadOnlyList<string> Reasons
    {
        get
        {
            lock (_gate)
                return [.. _reasons];
        }
    }

    /// <summary>Whether an error may be over the next time.</summary>
    internal static bool IsForAMoment(Exception e) => e is QueueException or TimeoutException or DbException { IsTransient: true };

    /// <summary>Does something again and again, until cancelled.</summary>
    /// <exception cref="QueueException">A queue has failed for good.</exception>
    internal async Task RepeatAsync(Func<ValueTask> work, CancellationToken cancellationToken)
    {
        try
        {
            while (true)
            {
                await DoAsync(
                    async () =>
                    {
                        await work();
                        return true;
                    },
                    cancellationToken);
            }
        }
        catch (OperationCanceledException) when (cancellationToken.IsCancellationRequested)
        {
        }
    }

    /// <summary>Does something that may be done again, until it succeeds.</summary>
    /// <exception cref="QueueException">A queue has failed for good.</exception>
    internal async Task<T> DoAsync<T>(Func<ValueTask<T>> work, CancellationToken cancellationToken)
    {
        for (int failures = 1; ; failures++)
        {
            try
            {
                return await work();
            }
            catch (QueueException e)
            {
                if (!await PauseAsync(e, failures, cancellationToken))
                    throw;
            }
        }
    }

    /// <summary>Notes a failure, and waits: longer each time.</summary>
    /// <param name="failuresInARow">How many there have been since something succeeded, this one included.</param>
    /// <returns>False if it has failed too often.</returns>
    internal async Task<bool> PauseAsync(Exception e, int failuresInARow, CancellationToken cancellationToken)
    {
        if (!IsForAMoment(e) || failuresInARow > MaxFailuresInARow)
            return false;
        Interlocked.Increment(ref _count);
        lock (_gate)
            _reasons.Add(e.Message);
        await Task.Delay(FirstPause * (1 << (failuresInARow - 1)), cancellationToken);
        return true;
    }
}
