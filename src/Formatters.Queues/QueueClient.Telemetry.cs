using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;

namespace Formatters.Queues;

// Traces and metrics, of queues that a QueueConnector has opened. A batch is one span, with the number of its messages, and counts each of them.
public abstract partial class QueueClient
{
    private QueueDestination? _destination;

    private bool IsObserved => _destination is not null && QueueTelemetry.IsListening;

    /// <summary>Traces and counts the operations of this handle from now on if there is a listener.</summary>
    /// <returns>This handle.</returns>
    internal QueueClient Observe(QueueDestination? destination = null)
    {
        _destination = destination ?? QueueDestination.OfQueue(Address);
        return this;
    }

    /// <summary>Sends a message that is not traced or counted: part of a batch that is, or a probe.</summary>
    internal ValueTask SendUnobservedAsync(QueueMessage message, QueueTransaction? transaction, CancellationToken cancellationToken) =>
        SendCoreAsync(message, transaction, cancellationToken);

    /// <summary>Receives a message that is not traced or counted: part of a batch that is.</summary>
    internal ValueTask<ReceivedMessage?> ReceiveUnobservedAsync(TimeSpan timeout, QueueTransaction? transaction,
        CancellationToken cancellationToken) =>
        ReceiveCoreAsync(timeout, transaction, cancellationToken);

    /// <summary>Returns the queue's messages in place of those that this handle traces. A decorator passes on those that its inner queue
    /// traces.</summary>
    private IReadOnlyList<ReceivedMessage> Unobserved(IReadOnlyList<ReceivedMessage> messages) =>
        _destination is not null && messages.Any(static message => message is ObservedMessage)
            ? [.. messages.Select(static message => (message as ObservedMessage)?.Inner ?? message)]
            : messages;

    private async ValueTask<ReceivedMessage?> ObserveReceiveAsync<TState>(TState state, Func<TState, ValueTask<ReceivedMessage?>> receive,
        string operation = "receive")
    {
        DateTimeOffset startTime = DateTimeOffset.UtcNow;
        long start = Stopwatch.GetTimestamp();
        try
        {
            ReceivedMessage? message = await receive(state).ConfigureAwait(false);
            if (message is null)
                return null;
            QueueTelemetry.End(QueueTelemetry.StartReceive(_destination!, operation, message, startTime), null);
            QueueTelemetry.RecordConsumed(_destination!, operation);
            QueueTelemetry.RecordDuration(_destination!, operation, "receive", start, null);
            return QueueTelemetry.IsListeningToSettling ? new ObservedMessage(message, _destination!) : message;
        }
        catch (Exception e) when (e is not OperationCanceledException)
        {
            QueueTelemetry.RecordDuration(_destination!, operation, "receive", start, e);
            throw;
        }
    }

    private async ValueTask ObserveSendAsync(IReadOnlyList<QueueMessage> messages, QueueTransaction? transaction, CancellationToken cancellationToken)
    {
        Activity? activity = QueueTelemetry.StartSend(_destination!, messages.Count);
        long start = Stopwatch.GetTimestamp();
        Exception? error = null;
        try
        {
            var copies = new QueueMessage[messages.Count];
            for (int i = 0; i < copies.Length; i++)
                copies[i] = QueueTelemetry.WithContext(messages[i]);
            await SendBatchCoreAsync(copies, transaction, cancellationToken).ConfigureAwait(false);
        }
        catch (Exception e)
        {
            error = e;
            throw;
        }
        finally
        {
            int failed = error is null ? 0 : error is QueueBatchException batch ? batch.Failures.Count : messages.Count;
            QueueTelemetry.RecordSent(_destination!, null, messages.Count - failed);
            QueueTelemetry.RecordSent(_destination!, error, failed);
            QueueTelemetry.RecordDuration(_destination!, "send", "send", start, error);
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
            IReadOnlyList<ReceivedMessage> messages = await ReceiveBatchCoreAsync(maxCount, timeout, transaction, cancellationToken)
                .ConfigureAwait(false);
            if (messages.Count == 0)
                return messages;
            QueueTelemetry.End(QueueTelemetry.StartReceive(_destination!, messages, startTime), null);
            QueueTelemetry.RecordConsumed(_destination!, "receive", messages.Count);
            QueueTelemetry.RecordDuration(_destination!, "receive", "receive", start, null);
            if (!QueueTelemetry.IsListeningToSettling)
                return messages;
            var observed = new ReceivedMessage[messages.Count];
            for (int i = 0; i < observed.Length; i++)
                observed[i] = new ObservedMessage(messages[i], _destination!);
            return observed;
        }
        catch (Exception e) when (e is not OperationCanceledException)
        {
            QueueTelemetry.RecordDuration(_destination!, "receive", "receive", start, e);
            throw;
        }
    }

    private async ValueTask ObserveAcknowledgeAsync(IReadOnlyList<ReceivedMessage> messages, CancellationToken cancellationToken)
    {
        IReadOnlyList<ReceivedMessage> own = Unobserved(messages);
        Activity? activity = QueueTelemetry.StartSettle(_destination!, own, "ack");
        long start = Stopwatch.GetTimestamp();
        Exception? error = null;
        try
        {
            await AcknowledgeBatchCoreAsync(own, cancellationToken).ConfigureAwait(false);
        }
        catch (Exception e)
        {
            error = e;
            throw;
        }
        finally
        {
            QueueTelemetry.RecordDuration(_destination!, "ack", "settle", start, error);
            QueueTelemetry.End(activity, error);
        }
    }
}
