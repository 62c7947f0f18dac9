using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Threading;
using System.Threading.Tasks;

namespace Formatters.Queues;

// A batch is one span, with the number of its messages, and counts each of them.
internal partial class ObservedQueue
{
    public ValueTask SendBatchAsync(IReadOnlyList<QueueMessage> messages, QueueTransaction? transaction = null,
        CancellationToken cancellationToken = default) =>
        QueueTelemetry.IsListening
        ? ObserveSendAsync(messages, transaction, cancellationToken)
        : queue.SendBatchAsync(messages, transaction, cancellationToken);

    public ValueTask<IReadOnlyList<ReceivedMessage>> ReceiveBatchAsync(
        int maxCount, TimeSpan timeout, QueueTransaction? transaction = null, CancellationToken cancellationToken = default) =>
        QueueTelemetry.IsListening
            ? ObserveReceiveAsync(maxCount, timeout, transaction, cancellationToken)
            : queue.ReceiveBatchAsync(maxCount, timeout, transaction, cancellationToken);

    public ValueTask AcknowledgeBatchAsync(IReadOnlyList<ReceivedMessage> messages, CancellationToken cancellationToken = default)
    {
        ReceivedMessage[] own = Unwrap(messages);
        return QueueTelemetry.IsListeningToSettling
            ? ObserveAcknowledgeAsync(own, cancellationToken)
            : queue.AcknowledgeBatchAsync(own, cancellationToken);
    }

    public ValueTask ReturnUnseenAsync(IReadOnlyList<ReceivedMessage> messages, CancellationToken cancellationToken = default)
    {
        ReceivedMessage[] own = Unwrap(messages);
        return queue is IBatchQueue batches ? batches.ReturnUnseenAsync(own, cancellationToken) : QueueBatches.ReturnEachAsync(own);
    }

    public ValueTask<IReadOnlyList<PeekedMessage>> PeekAsync(PeekOptions options, CancellationToken cancellationToken = default) =>
        queue.PeekAsync(options, cancellationToken);

    public ValueTask<ReceivedMessage?> ReceiveByIdAsync(
        string messageId, TimeSpan timeout, QueueTransaction? transaction = null, CancellationToken cancellationToken = default) =>
        QueueTelemetry.IsListening
            ? ObserveReceiveAsync(
                (queue, messageId, timeout, transaction, cancellationToken),
                static on => on.queue.ReceiveByIdAsync(on.messageId, on.timeout, on.transaction, on.cancellationToken))
            : queue.ReceiveByIdAsync(messageId, timeout, transaction, cancellationToken);

    public ValueTask<ReceivedMessage?> ReceiveByCorrelationIdAsync(
        string correlationId, TimeSpan timeout, QueueTransaction? transaction = null, CancellationToken cancellationToken = default) =>
        QueueTelemetry.IsListening
            ? ObserveReceiveAsync(
                (queue, correlationId, timeout, transaction, cancellationToken),
                static on => on.queue.ReceiveByCorrelationIdAsync(on.correlationId, on.timeout, on.transaction, on.cancellationToken))
            : queue.ReceiveByCorrelationIdAsync(correlationId, timeout, transaction, cancellationToken);

    private static ReceivedMessage[] Unwrap(IReadOnlyList<ReceivedMessage> messages)
    {
        var own = new ReceivedMessage[messages.Count];
        for (int i = 0; i < own.Length; i++)
            own[i] = messages[i] is ObservedMessage observed ? observed.Inner : messages[i];
        return own;
    }

    private async ValueTask ObserveSendAsync(IReadOnlyList<QueueMessage> messages, QueueTransaction? transaction, CancellationToken cancellationToken)
    {
        Activity? activity = QueueTelemetry.StartSend(_destination, messages.Count);
        long start = Stopwatch.GetTimestamp();
        Exception? error = null;
        try
        {
            var copies = new QueueMessage[messages.Count];
            for (int i = 0; i < copies.Length; i++)
                copies[i] = QueueTelemetry.WithContext(messages[i]);
            await queue.SendBatchAsync(copies, transaction, cancellationToken).ConfigureAwait(false);
        }
        catch (Exception e)
        {
            error = e;
            throw;
        }
        finally
        {
            int failed = error is null ? 0 : error is QueueBatchException batch ? batch.Failures.Count : messages.Count;
            QueueTelemetry.RecordSent(_destination, null, messages.Count - failed);
            QueueTelemetry.RecordSent(_destination, error, failed);
            QueueTelemetry.RecordDuration(_destination, "send", "send", start, error);
            QueueTelemetry.End(activity, error);
        }
    }

    private async ValueTask<IReadOnlyList<ReceivedMessage>> ObserveReceiveAsync(
        int maxCount, TimeSpan timeout, QueueTransaction? transaction, CancellationToken cancellationToken)
    {
        DateTimeOffset startTime = DateTimeOffset.UtcNow;
        long start = Stopwatch.GetTimestamp();
        try
        {
            IReadOnlyList<ReceivedMessage> messages = await queue.ReceiveBatchAsync(maxCount, timeout, transaction, cancellationToken)
                .ConfigureAwait(false);
            if (messages.Count == 0)
                return messages;
            QueueTelemetry.End(QueueTelemetry.StartReceive(_destination, messages, startTime), null);
            QueueTelemetry.RecordConsumed(_destination, "receive", messages.Count);
            QueueTelemetry.RecordDuration(_destination, "receive", "receive", start, null);
            if (!QueueTelemetry.IsListeningToSettling)
                return messages;
            var observed = new ReceivedMessage[messages.Count];
            for (int i = 0; i < observed.Length; i++)
                observed[i] = new ObservedMessage(messages[i], _destination);
            return observed;
        }
        catch (Exception e) when (e is not OperationCanceledException)
        {
            QueueTelemetry.RecordDuration(_destination, "receive", "receive", start, e);
            throw;
        }
    }

    private async ValueTask ObserveAcknowledgeAsync(IReadOnlyList<ReceivedMessage> messages, CancellationToken cancellationToken)
    {
        Activity? activity = QueueTelemetry.StartSettle(_destination, messages, "ack");
        long start = Stopwatch.GetTimestamp();
        Exception? error = null;
        try
        {
            await queue.AcknowledgeBatchAsync(messages, cancellationToken).ConfigureAwait(false);
        }
        catch (Exception e)
        {
            error = e;
            throw;
        }
        finally
        {
            QueueTelemetry.RecordDuration(_destination, "ack", "settle", start, error);
            QueueTelemetry.End(activity, error);
        }
    }
}
