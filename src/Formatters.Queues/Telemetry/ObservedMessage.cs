using System;
using System.Diagnostics;
using System.Threading;
using System.Threading.Tasks;

namespace Formatters.Queues;

/// <summary>A received message whose settling is traced and measured; created only if there is a listener.</summary>
internal sealed class ObservedMessage : ReceivedMessage
{
    private readonly ReceivedMessage _message;

    internal ObservedMessage(ReceivedMessage message, QueueDestination destination)
        : base(message.Body)
    {
        _message = message;
        Destination = destination;
        CopyProperties(message);
        MessageId = message.MessageId;
        DeliveryCount = message.DeliveryCount;
        SentTime = message.SentTime;
        if (message.DeadLetterReason is not null)
        {
            DeadLetterReason = message.DeadLetterReason;
            DeadLetterDescription = message.DeadLetterDescription;
            DeadLetterSource = message.DeadLetterSource;
        }
    }

    public override DateTimeOffset? LeaseEnd => _message.LeaseEnd;

    public override string? Position => _message.Position;

    internal QueueDestination Destination { get; }

    /// <summary>Gets the queue's message.</summary>
    internal ReceivedMessage Inner => _message;

    public override ValueTask AcknowledgeAsync(CancellationToken cancellationToken = default) =>
        ObserveAsync("ack", message => message.AcknowledgeAsync(cancellationToken));

    public override ValueTask ReturnAsync(CancellationToken cancellationToken = default) =>
        ObserveAsync("nack", message => message.ReturnAsync(cancellationToken));

    public override ValueTask ReturnAsync(TimeSpan delay, CancellationToken cancellationToken = default) =>
        ObserveAsync("nack", message => message.ReturnAsync(delay, cancellationToken));

    protected internal override ValueTask MoveToDeadLetterQueueAsync(string? reason, string? description, CancellationToken cancellationToken) =>
        ObserveAsync("dead_letter", message => message.MoveToDeadLetterQueueAsync(reason, description, cancellationToken));

    public override ValueTask DeferAsync(CancellationToken cancellationToken = default) =>
        ObserveAsync("defer", message => message.DeferAsync(cancellationToken));

    public override ValueTask RenewLeaseAsync(CancellationToken cancellationToken = default) => _message.RenewLeaseAsync(cancellationToken);

    private async ValueTask ObserveAsync(string operation, Func<ReceivedMessage, ValueTask> settle)
    {
        Activity? activity = QueueTelemetry.StartSettle(Destination, this, operation);
        long start = Stopwatch.GetTimestamp();
        Exception? error = null;
        try
        {
            await settle(_message).ConfigureAwait(false);
        }
        catch (Exception e)
        {
            error = e;
            throw;
        }
        finally
        {
            QueueTelemetry.RecordDuration(Destination, operation, "settle", start, error);
            QueueTelemetry.End(activity, error);
        }
    }
}
