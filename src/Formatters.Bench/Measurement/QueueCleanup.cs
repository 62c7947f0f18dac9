namespace Formatters.Bench.Measurement;

/// <summary>Leaves queues empty, however a run ends.</summary>
internal static class QueueCleanup
{
    private static readonly TimeSpan GoodbyeOfTheGone = TimeSpan.FromSeconds(1);

    /// <summary>Purges a queue if it still answers, and closes it. Never throws: the run has its own outcome by now.</summary>
    /// <remarks>What has not answered the purge is not waited for again.</remarks>
    internal static async Task PurgeAndCloseAsync(QueueClient queue)
    {
        bool answers = await PurgeQuietlyAsync(queue);
        Task closing = queue.DisposeAsync().AsTask();
        if (answers)
            await closing;
        else
            await closing.WaitAsync(GoodbyeOfTheGone).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
    }

    /// <summary>Purges a queue if it still answers. Never throws: the run has its own outcome by now.</summary>
    /// <returns>Whether it answered.</returns>
    internal static async Task<bool> PurgeQuietlyAsync(QueueClient queue)
    {
        try
        {
            using var timeout = new CancellationTokenSource(TimeSpan.FromSeconds(5));
            await queue.PurgeAsync(timeout.Token);
            return true;
        }
        catch (Exception e) when (e is QueueException or OperationCanceledException or ObjectDisposedException)
        {
            // The queue is gone, and that is what the run is about to report; or it is so slow that Ctrl-C must win.
            return false;
        }
    }
}
