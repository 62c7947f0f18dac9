using System;
using System.Collections.Generic;
using System.Linq;
using System.Runtime.ExceptionServices;
using System.Threading;
using System.Threading.Tasks;

namespace Formatters.Queues.RabbitMQ;

// Batches: published consecutively and confirmed in one window; acknowledged with one frame if it covers no other message. AMQP has no atomic batch.
internal sealed partial class RabbitMqQueue
{
    protected override async ValueTask SendBatchCoreAsync(IReadOnlyList<QueueMessage> messages, QueueTransaction? transaction,
        CancellationToken cancellationToken)
    {
        ThrowIfDisposed();
        Check(transaction);
        var sends = new Task[messages.Count];
        int begun = 0;
        // If a send fails synchronously (an invalid message, a canceled token), the next is not started.
        while (begun < sends.Length && (begun == 0 || !sends[begun - 1].IsFaulted && !sends[begun - 1].IsCanceled))
        {
            sends[begun] = StartAsync(messages[begun]);
            begun++;
        }

        await Task.WhenAll(sends.AsSpan(0, begun)).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        List<QueueBatchFailure>? failures = null;
        for (int i = 0; i < begun; i++)
        {
            if (sends[i].IsCanceled)
                throw new OperationCanceledException(cancellationToken);
            if (sends[i].Exception?.InnerException is { } error)
                (failures ??= []).Add(new QueueBatchFailure(i, error));
        }

        for (int i = begun; i < sends.Length; i++)
            failures!.Add(new QueueBatchFailure(i, failures[0].Error is QueueException cause
                ? new QueueException($"Not sent, because message {begun - 1} of the batch was not.", cause) : failures[0].Error));
        // Invalid use throws the same exception as for a single message.
        if (failures?.Count == messages.Count && failures[0].Error is not QueueException)
            ExceptionDispatchInfo.Throw(failures[0].Error);
        if (failures is not null)
            throw new QueueBatchException($"'{Address}': {failures.Count} of {messages.Count} messages were not sent: {failures[0].Error.Message}",
                failures);

        async Task StartAsync(QueueMessage message) => await SendCoreAsync(message, transaction, cancellationToken).ConfigureAwait(false);
    }

    protected override async ValueTask<IReadOnlyList<ReceivedMessage>> ReceiveBatchCoreAsync(
        int maxCount, TimeSpan timeout, QueueTransaction? transaction, CancellationToken cancellationToken)
    {
        if (await ReceiveCoreAsync(timeout, transaction, cancellationToken).ConfigureAwait(false) is not { } first)
            return [];
        var messages = new List<ReceivedMessage> { first };
        try
        {
            // Not canceled, because received messages must be returned. Prefetched messages cost nothing; without any, each must be requested.
            bool asks = timeout == TimeSpan.Zero || transaction is not null;
            while (messages.Count < maxCount)
            {
                ReceivedMessage? next = null;
                if (!asks && _session.OpenReceiver is { } receiver && receiver.TryReceive(out ValueTask<ReceivedMessage?> receive))
                    next = await receive.ConfigureAwait(false);
                else if (asks)
                    next = await ReceiveCoreAsync(TimeSpan.Zero, transaction, CancellationToken.None).ConfigureAwait(false);
                if (next is null)
                    break;
                messages.Add(next);
            }
        }
        catch (QueueException)
        {
            // The next receive meets the error again; messages received so far must not be lost.
        }

        return messages;
    }

    protected override async ValueTask AcknowledgeBatchCoreAsync(IReadOnlyList<ReceivedMessage> messages, CancellationToken cancellationToken)
    {
        var claimed = new Dictionary<RabbitMqMessage, int>(messages.Count);
        for (int i = 0; i < messages.Count; i++)
        {
            if (!IsOwn(messages[i]))
                throw new ArgumentException($"Message {i} was not received by this handle of '{Address}'.", nameof(messages));
        }

        QueueChecks.NotInScope(Address);
        cancellationToken.ThrowIfCancellationRequested();
        for (int i = 0; i < messages.Count; i++)
        {
            var message = (RabbitMqMessage)messages[i];
            if (message.Settler is RabbitMqReceiver && message.TrySettle())
                claimed.Add(message, i);
        }

        List<QueueBatchFailure>? failures = null;
        foreach (IGrouping<RabbitMqSettler, RabbitMqMessage> receiver in claimed.Keys.GroupBy(static message => message.Settler!))
        {
            try
            {
                await ((RabbitMqReceiver)receiver.Key).AcknowledgeAsync(receiver).ConfigureAwait(false);
            }
            catch (QueueException e)
            {
                (failures ??= []).AddRange(receiver.Select(message => new QueueBatchFailure(claimed[message], e)));
            }
        }

        if (failures is null)
            return;
        failures.Sort(static (a, b) => a.Index.CompareTo(b.Index));
        throw new QueueBatchException(
            $"'{Address}': {failures.Count} of {messages.Count} messages were not acknowledged: {failures[0].Error.Message}", failures);
    }

    protected override async ValueTask ReturnUnseenCoreAsync(IReadOnlyList<ReceivedMessage> messages, CancellationToken cancellationToken)
    {
        RabbitMqMessage[] unseen = [.. messages.OfType<RabbitMqMessage>()
            .Where(message => IsOwn(message) && message.Settler is RabbitMqReceiver && message.TrySettle())];
        foreach (IGrouping<RabbitMqSettler, RabbitMqMessage> receiver in unseen.GroupBy(static message => message.Settler!))
        {
            // Messages of an ended receiver are already back in the queue.
            if (receiver.Key is RabbitMqReceiver { IsOpen: true } open)
                await open.ReturnAsync(receiver, cancellationToken).ConfigureAwait(false);
        }
    }

    private bool IsOwn(ReceivedMessage message) =>
        message is RabbitMqMessage { Settler: var settler }
        && (settler is not RabbitMqReceiver receiver || ReferenceEquals(receiver.Target, _target));
}
