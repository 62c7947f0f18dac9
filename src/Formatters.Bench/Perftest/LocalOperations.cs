using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using Formatters.Bench.Measurement;
using Formatters.Queues;

namespace Formatters.Bench.Perftest;

/// <summary>SENDANDPURGE: times sending.</summary>
internal sealed class SendAndPurgeOperation : BatchOperation
{
    private readonly IMessageQueue _queue;
    private readonly int _queueCount;
    private readonly TimeSpan _timeout;
    private readonly TimeProvider _clock;

    private SendAndPurgeOperation(IMessageQueue queue, int queueCount, TimeSpan timeout, TimeProvider clock)
    {
        _queue = queue;
        _queueCount = queueCount;
        _timeout = timeout;
        _clock = clock;
    }

    internal static async Task<BatchOperation> OpenAsync(
        QueueConnector connector, PerftestOptions options, DeliveryMode mode, TimeProvider clock, CancellationToken cancellationToken)
    {
        IMessageQueue queue = await connector.OpenAsync(options.Queue, Modes.OptionsOf(mode), cancellationToken);
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
    private readonly QueueConnector _connector;
    private readonly IMessageQueue _queue;
    private readonly IReadOnlyList<QueueAddress> _addresses;
    private readonly TimeSpan _timeout;
    private readonly TimeProvider _clock;

    private SendAndReceiveOperation(QueueConnector connector, IMessageQueue queue, IReadOnlyList<QueueAddress> addresses, TimeSpan timeout, TimeProvider clock)
    {
        _connector = connector;
        _queue = queue;
        _addresses = addresses;
        _timeout = timeout;
        _clock = clock;
    }

    internal static async Task<BatchOperation> OpenAsync(
        QueueConnector connector, PerftestOptions options, DeliveryMode mode, TimeProvider clock, CancellationToken cancellationToken)
    {
        IMessageQueue queue = await connector.OpenAsync(options.Queue, Modes.OptionsOf(mode), cancellationToken);
        return new SendAndReceiveOperation(connector, queue, QueueAddress.ParseList(options.Queue), options.Timeout, clock);
    }

    internal override async Task<TimeSpan> RunAsync(Payload payload, int count, bool wholeContent, CancellationToken cancellationToken)
    {
        await MessageBatch.SendAsync(_queue, payload, count, cancellationToken);
        await MessageBatch.WaitUntilQueuedAsync(_queue, payload, (long)count * _addresses.Count, _timeout, cancellationToken);
        TimeSpan elapsed = TimeSpan.Zero;
        foreach (QueueAddress address in _addresses)
        {
            await using IMessageQueue receiver = await _connector.OpenAsync(address.Uri.AbsoluteUri, _queue.Options, cancellationToken);
            long start = _clock.GetTimestamp();
            await MessageBatch.ReceiveAsync(receiver, payload, count, wholeContent, _timeout, cancellationToken);
            elapsed += _clock.GetElapsedTime(start);
        }

        // Each message was received once from every queue: the mean over the queues is the time of one batch.
        return elapsed / _addresses.Count;
    }

    public override async ValueTask DisposeAsync() => await QueueCleanup.PurgeAndCloseAsync(_queue);
}
