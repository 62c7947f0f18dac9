namespace Formatters.Bench.Perftest;

/// <summary>SENDANDPURGE: times sending.</summary>
internal sealed class SendAndPurgeOperation : BatchOperation
{
    private readonly QueueClient _queue;
    private readonly int _queueCount;
    private readonly TimeSpan _timeout;
    private readonly TimeProvider _clock;

    private SendAndPurgeOperation(QueueClient queue, int queueCount, TimeSpan timeout, TimeProvider clock)
    {
        _queue = queue;
        _queueCount = queueCount;
        _timeout = timeout;
        _clock = clock;
    }

    internal static async Task<BatchOperation> OpenAsync(
        QueueConnector connector, PerftestOptions options, DeliveryMode mode, TimeProvider clock, CancellationToken cancellationToken)
    {
        QueueClient queue = await connector.OpenAsync(options.Queue, Modes.OptionsOf(mode), cancellationToken);
        return new SendAndPurgeOperation(queue, QueueAddress.ParseList(options.Queue).Count, options.Timeout, clock);
    }

    internal override async Task<TimeSpan> RunAsync(Payload payload, int count, bool wholeContent, CancellationToken cancellationToken)
    {
        long start = _clock.GetTimestamp();
        await MessageBatch.SendAsync(_queue, payload, count, cancellationToken);
        await MessageBatch.WaitUntilQueuedAsync(_queue, payload, (long)count * _queueCount, _timeout, cancellationToken);
        TimeSpan elapsed = _clock.GetElapsedTime(start);
        long purged = await _queue.PurgeAsync(cancellationToken);
        return purged == (long)count * _queueCount
            ? elapsed
            : throw new VerificationException(string.Create(
                CultureInfo.InvariantCulture, $"{payload.Name}: {(long)count * _queueCount:N0} messages were sent, {purged:N0} were purged."));
    }

    public override async ValueTask DisposeAsync() => await QueueCleanup.PurgeAndCloseAsync(_queue);
}

/// <summary>SENDANDRECEIVE: times receiving, and reading every object, of what was sent before.</summary>
internal sealed class SendAndReceiveOperation : BatchOperation
{
    private readonly QueueClient _queue;
    private readonly IReadOnlyList<QueueClient> _receivers;
    private readonly TimeSpan _timeout;
    private readonly TimeProvider _clock;

    private SendAndReceiveOperation(QueueClient queue, IReadOnlyList<QueueClient> receivers, TimeSpan timeout, TimeProvider clock)
    {
        _queue = queue;
        _receivers = receivers;
        _timeout = timeout;
        _clock = clock;
    }

    internal static async Task<BatchOperation> OpenAsync(
        QueueConnector connector, PerftestOptions options, DeliveryMode mode, TimeProvider clock, CancellationToken cancellationToken)
    {
        QueueClient queue = await connector.OpenAsync(options.Queue, Modes.OptionsOf(mode), cancellationToken);
        var receivers = new List<QueueClient>();
        var operation = new SendAndReceiveOperation(queue, receivers, options.Timeout, clock);
        try
        {
            foreach (QueueAddress address in QueueAddress.ParseList(options.Queue))
                receivers.Add(await connector.OpenAsync(address.Uri.AbsoluteUri, queue.Options, cancellationToken));
            await operation.LookAsync(cancellationToken);
            return operation;
        }
        catch
        {
            await operation.DisposeAsync();
            throw;
        }
    }

    internal override async Task<TimeSpan> RunAsync(Payload payload, int count, bool wholeContent, CancellationToken cancellationToken)
    {
        await MessageBatch.SendAsync(_queue, payload, count, cancellationToken);
        await MessageBatch.WaitUntilQueuedAsync(_queue, payload, (long)count * _receivers.Count, _timeout, cancellationToken);
        long start = _clock.GetTimestamp();
        foreach (QueueClient receiver in _receivers)
            await MessageBatch.ReceiveAsync(receiver, payload, count, wholeContent, _timeout, cancellationToken);
        TimeSpan elapsed = _clock.GetElapsedTime(start);
        await LookAsync(cancellationToken);
        // Each message was received once from every queue: the mean over the queues is the time of one batch.
        return elapsed / _receivers.Count;
    }

    /// <summary>Looks at the empty queues: that connects a new receiver, and ends the consumer of one that has received, so that no batch is taken
    /// while it is sent.</summary>
    private async Task LookAsync(CancellationToken cancellationToken)
    {
        foreach (QueueClient receiver in _receivers)
            await MessageBatch.RequireNoneAsync(receiver, cancellationToken);
    }

    public override async ValueTask DisposeAsync()
    {
        foreach (QueueClient receiver in _receivers)
            await receiver.DisposeAsync();
        await QueueCleanup.PurgeAndCloseAsync(_queue);
    }
}
