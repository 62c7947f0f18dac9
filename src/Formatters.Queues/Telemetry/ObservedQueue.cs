using System;
using System.Diagnostics;
using System.Threading;
using System.Threading.Tasks;

namespace Formatters.Queues;

/// <summary>A decorator that traces and counts the operations of a queue if there is a listener.</summary>
internal partial class ObservedQueue(IMessageQueue queue, QueueDestination? destination = null)
    : IBatchQueue, IBrowsableQueue, ISessionQueue, IDeferringQueue
{
    private readonly QueueDestination _destination = destination ?? QueueDestination.OfQueue(queue.Address);

    /// <summary>Gets the provider's queue.</summary>
    internal IMessageQueue Inner => queue;

    public QueueAddress Address => queue.Address;

    public QueueCapabilities Capabilities => queue.Capabilities;

    public QueueOptions Options => queue.Options;

    public ValueTask SendAsync(QueueMessage message, QueueTransaction? transaction = null, CancellationToken cancellationToken = default) =>
        message is null || !QueueTelemetry.IsListening
            ? queue.SendAsync(message!, transaction, cancellationToken)
            : ObservedSend.RunAsync(_destination, message, (queue, transaction, cancellationToken),
                static (copy, on) => on.queue.SendAsync(copy, on.transaction, on.cancellationToken));

    public ValueTask<ReceivedMessage?> ReceiveAsync(
        TimeSpan timeout, QueueTransaction? transaction = null, CancellationToken cancellationToken = default) =>
        QueueTelemetry.IsListening ? ObserveReceiveAsync((queue, timeout, transaction, cancellationToken), static on =>
            on.queue.ReceiveAsync(on.timeout, on.transaction, on.cancellationToken)) : queue.ReceiveAsync(timeout, transaction, cancellationToken);

    public async ValueTask<IMessageSession?> AcceptSessionAsync(string? sessionId, TimeSpan timeout, CancellationToken cancellationToken = default) =>
        await queue.AcceptSessionAsync(sessionId, timeout, cancellationToken).ConfigureAwait(false) is { } session ? new ObservedSession(session)
            : null;

    public ValueTask<ReceivedMessage> ReceiveDeferredAsync(string position, QueueTransaction? transaction = null,
        CancellationToken cancellationToken = default) =>
        QueueTelemetry.IsListening ? ObserveReceiveAsync((queue, position, transaction, cancellationToken), static async on =>
            await on.queue.ReceiveDeferredAsync(on.position, on.transaction, on.cancellationToken).ConfigureAwait(false), "receive_deferred")!
            : queue.ReceiveDeferredAsync(position, transaction, cancellationToken);

    public ValueTask<long> PurgeAsync(CancellationToken cancellationToken = default) => queue.PurgeAsync(cancellationToken);

    public ValueTask<long> GetMessageCountAsync(CancellationToken cancellationToken = default) => queue.GetMessageCountAsync(cancellationToken);

    public ValueTask<long?> GetLockedCountAsync(CancellationToken cancellationToken = default) => queue.GetLockedCountAsync(cancellationToken);

    public ValueTask<QueueTransaction> BeginTransactionAsync(CancellationToken cancellationToken = default) =>
        queue.BeginTransactionAsync(cancellationToken);

    public ValueTask DisposeAsync() => queue.DisposeAsync();

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
            QueueTelemetry.End(QueueTelemetry.StartReceive(_destination, operation, message, startTime), null);
            QueueTelemetry.RecordConsumed(_destination, operation);
            QueueTelemetry.RecordDuration(_destination, operation, "receive", start, null);
            return QueueTelemetry.IsListeningToSettling ? new ObservedMessage(message, _destination) : message;
        }
        catch (Exception e) when (e is not OperationCanceledException)
        {
            QueueTelemetry.RecordDuration(_destination, operation, "receive", start, e);
            throw;
        }
    }
}

/// <summary>Traces and measures a send.</summary>
internal static class ObservedSend
{
    internal static async ValueTask RunAsync<TState>(QueueDestination destination, QueueMessage message, TState state,
        Func<QueueMessage, TState, ValueTask> send)
    {
        Activity? activity = QueueTelemetry.StartSend(destination, message);
        long start = Stopwatch.GetTimestamp();
        Exception? error = null;
        try
        {
            await send(QueueTelemetry.WithContext(message), state).ConfigureAwait(false);
        }
        catch (Exception e)
        {
            error = e;
            throw;
        }
        finally
        {
            QueueTelemetry.RecordSent(destination, error);
            QueueTelemetry.RecordDuration(destination, "send", "send", start, error);
            QueueTelemetry.End(activity, error);
        }
    }
}
