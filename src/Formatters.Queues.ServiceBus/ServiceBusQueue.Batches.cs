using System;
using System.Collections.Generic;
using System.Linq;
using System.Runtime.ExceptionServices;
using System.Threading;
using System.Threading.Tasks;

namespace Formatters.Queues.ServiceBus;

// Batches: as many messages as fit go to the service together; a long list is several batches, so that it is not sent as a whole or not at all.
internal partial class ServiceBusQueue
{
    protected override async ValueTask SendBatchCoreAsync(IReadOnlyList<QueueMessage> messages, QueueTransaction? transaction,
        CancellationToken cancellationToken)
    {
        ThrowIfDisposed();
        Check(transaction);
        var sends = new Task[messages.Count];
        int begun = 0;
        // If a send fails synchronously (an invalid message, a canceled token), the next is not started.
        while (begun < sends.Length && (begun == 0 || (!sends[begun - 1].IsFaulted && !sends[begun - 1].IsCanceled)))
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
        timeout = QueueChecks.Timeout(timeout);
        ThrowIfDisposed();
        ServiceBusTransaction? own = Check(transaction);
        return await InboxOf(own).ReceiveAsync(Math.Min(maxCount, Options.PrefetchCount), timeout, cancellationToken).ConfigureAwait(false);
    }

    protected override async ValueTask AcknowledgeBatchCoreAsync(IReadOnlyList<ReceivedMessage> messages, CancellationToken cancellationToken)
    {
        for (int i = 0; i < messages.Count; i++)
        {
            if (!IsOwn(messages[i]))
                throw new ArgumentException($"Message {i} was not received by this handle of '{Address}'.", nameof(messages));
        }

        QueueChecks.NotInScope(Address);
        cancellationToken.ThrowIfCancellationRequested();
        Task[] settlements = [.. messages.Select(async message => await message.AcknowledgeAsync(cancellationToken).ConfigureAwait(false))];
        await Task.WhenAll(settlements).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        List<QueueBatchFailure>? failures = null;
        for (int i = 0; i < settlements.Length; i++)
        {
            if (settlements[i].Exception?.InnerException is { } error)
                (failures ??= []).Add(new QueueBatchFailure(i, error));
        }

        if (failures is not null)
            throw new QueueBatchException(
                $"'{Address}': {failures.Count} of {messages.Count} messages were not acknowledged: {failures[0].Error.Message}", failures);
    }

    protected override ValueTask ReturnUnseenCoreAsync(IReadOnlyList<ReceivedMessage> messages, CancellationToken cancellationToken) =>
        Inbox.ReturnUnseenAsync(messages.OfType<ServiceBusQueueMessage>().Where(message => ReferenceEquals(message.Locks, _inbox?.Locks)));

    private bool IsOwn(ReceivedMessage message) =>
        message is ServiceBusQueueMessage { Locks: var locks }
        && (locks is null || ReferenceEquals(locks, _inbox?.Locks) || locks.Address.Equals(Address));
}
