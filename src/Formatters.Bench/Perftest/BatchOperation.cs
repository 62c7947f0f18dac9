namespace Formatters.Bench.Perftest;

/// <summary>An operation that the classic test times: one batch, over open queues.</summary>
internal abstract class BatchOperation : IAsyncDisposable
{
    /// <summary>Runs one batch from beginning to end, and leaves the queues empty.</summary>
    /// <param name="payload">What is sent.</param>
    /// <param name="wholeContent">Whether to compare the whole content of every message.</param>
    /// <returns>How long the timed part took.</returns>
    internal abstract Task<TimeSpan> RunAsync(Payload payload, int count, bool wholeContent, CancellationToken cancellationToken);

    public abstract ValueTask DisposeAsync();
}
