using System;
using System.Threading;
using System.Threading.Tasks;
using Formatters.Bench.Measurement;

namespace Formatters.Bench.Perftest;

/// <summary>What the classic test times: one batch, over queues that are open.</summary>
internal abstract class BatchOperation : IAsyncDisposable
{
    /// <summary>Runs one batch from beginning to end, and leaves the queues empty.</summary>
    /// <param name="payload">What is sent.</param>
    /// <param name="count">How many messages.</param>
    /// <param name="wholeContent">Whether to compare the whole content of every message.</param>
    /// <param name="cancellationToken">Ends it.</param>
    /// <returns>How long the timed part took.</returns>
    internal abstract Task<TimeSpan> RunAsync(Payload payload, int count, bool wholeContent, CancellationToken cancellationToken);

    /// <inheritdoc/>
    public abstract ValueTask DisposeAsync();
}
