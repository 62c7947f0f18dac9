using System;
using System.Threading;
using System.Threading.Tasks;
using Formatters.Queues;

namespace Formatters.Bench.Measurement;

/// <summary>Leaves queues empty, however a run ends.</summary>
internal static class QueueCleanup
{
    /// <summary>Purges a queue if it still answers. Never throws: the run has its own outcome by now.</summary>
    internal static async Task PurgeQuietlyAsync(IMessageQueue queue)
    {
        try
        {
            using var timeout = new CancellationTokenSource(TimeSpan.FromSeconds(5));
            await queue.PurgeAsync(timeout.Token);
        }
        catch (Exception e) when (e is QueueException or OperationCanceledException or ObjectDisposedException)
        {
            // The queue is gone, and that is what the run is about to report; or it is so slow that Ctrl-C must win.
        }
    }
}
