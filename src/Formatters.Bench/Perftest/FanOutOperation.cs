namespace Formatters.Bench.Perftest;

/// <summary>Sends every message to several queues: by one send to all of them, its body made once, or by a send to each, its body made each
/// time.</summary>
internal sealed class FanOutOperation : BatchOperation
{
    private readonly IReadOnlyList<QueueClient> _targets;
    private readonly int _queueCount;
    private readonly TimeSpan _timeout;
    private readonly TimeProvider _clock;

    private FanOutOperation(IReadOnlyList<QueueClient> targets, int queueCount, TimeSpan timeout, TimeProvider clock)
    {
        (_targets, _queueCount, _timeout, _clock) = (targets, queueCount, timeout, clock);
    }

    /// <summary>The queues: those beside the one of the options whose names end with <c>-1</c>, <c>-2</c> and so on.</summary>
    internal static IReadOnlyList<string> AddressesOf(string queue, int count)
    {
        QueueAddress first = QueueAddress.Parse(queue);
        return [.. Enumerable.Range(1, count).Select(i => first.WithQueueName($"{first.QueueName}-{i}").Uri.AbsoluteUri)];
    }

    /// <summary>Opens the queues.</summary>
    /// <param name="mode">The kind of messages.</param>
    /// <param name="isOne">Whether one send goes to all of them.</param>
    internal static async Task<BatchOperation> OpenAsync(
        QueueConnector connector, PerftestOptions options, DeliveryMode mode, int queueCount, bool isOne, TimeProvider clock,
        CancellationToken cancellationToken)
    {
        IReadOnlyList<string> addresses = AddressesOf(options.Queue, queueCount);
        var targets = new List<QueueClient>();
        try
        {
            foreach (string address in isOne ? [string.Join(",", addresses)] : addresses)
                targets.Add(await connector.OpenAsync(address, Modes.OptionsOf(mode), cancellationToken));
            return new FanOutOperation(targets, queueCount, options.Timeout, clock);
        }
        catch
        {
            foreach (QueueClient target in targets)
                await target.DisposeAsync();
            throw;
        }
    }

    internal override async Task<TimeSpan> RunAsync(Payload payload, int count, bool wholeContent, CancellationToken cancellationToken)
    {
        long start = _clock.GetTimestamp();
        foreach (QueueClient target in _targets)
            await MessageBatch.SendAsync(target, payload, count, cancellationToken);
        foreach (QueueClient target in _targets)
            await MessageBatch.WaitUntilQueuedAsync(target, payload, (long)count * _queueCount / _targets.Count, _timeout, cancellationToken);
        TimeSpan elapsed = _clock.GetElapsedTime(start);
        long purged = 0;
        foreach (QueueClient target in _targets)
            purged += await target.PurgeAsync(cancellationToken);
        return purged == (long)count * _queueCount
            ? elapsed
            : throw new VerificationException(string.Create(
                System.Globalization.CultureInfo.InvariantCulture,
                $"{payload.Name}: {count:N0} messages were sent to {_queueCount} queues each, {purged:N0} were purged."));
    }

    public override async ValueTask DisposeAsync()
    {
        foreach (QueueClient target in _targets)
            await QueueCleanup.PurgeAndCloseAsync(target);
    }
}
