using System;
using System.Buffers;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using Azure.Messaging.ServiceBus;

namespace Formatters.Queues.ServiceBus;

/// <summary>A message from Service Bus. Maps the properties of messages to the client's.</summary>
internal sealed class ServiceBusQueueMessage : ReceivedMessage
{
    /// <summary>The most characters that the service takes in the id of a message or a session.</summary>
    internal const int MaxIdLength = 128;

    // The same application properties as with RabbitMQ.
    private const string BodyTypeName = "BodyType";
    private const string ReasonName = "DeadLetterReason";
    private const string DescriptionName = "DeadLetterErrorDescription";

    private readonly ServiceBusLocks? _locks;

    /// <summary>Creates a received message.</summary>
    /// <param name="message">The message of the client.</param>
    /// <param name="receiver">The receiver that holds its lock.</param>
    /// <param name="locks">Settle the message; null if it has already left its entity.</param>
    /// <param name="deadLetterSource">The entity whose dead letters the handle receives; null for others.</param>
    internal ServiceBusQueueMessage(ServiceBusReceivedMessage message, ServiceBusReceiver receiver, ServiceBusLocks? locks, string? deadLetterSource)
        : base(BodyOf(message))
    {
        Received = message;
        Receiver = receiver;
        _locks = locks;
        DeliveryCount = Math.Max(1, message.DeliveryCount);
        SentTime = message.EnqueuedTime;
        CopyTo(this, message);
        if (message.DeadLetterReason is { } reason)
        {
            (DeadLetterReason, DeadLetterDescription, DeadLetterSource) = (ReasonOf(reason), message.DeadLetterErrorDescription,
                message.DeadLetterSource ?? deadLetterSource);
            TimeToLive = null;
        }
    }

    internal ServiceBusReceivedMessage Received { get; }

    internal ServiceBusReceiver Receiver { get; }

    internal ServiceBusLocks? Locks => _locks;

    /// <summary>Gets or sets the state of the lock. Changed by the locks only.</summary>
    internal LockState State { get; set; }

    /// <summary>Gets or sets when the lease ends, for a handle with a lease, in the time of the locks.</summary>
    internal TimeSpan? Lease { get; set; }

    /// <summary>Gets or sets the time at which a message that is returned with a delay goes back to its entity.</summary>
    internal TimeSpan? ReturnTime { get; set; }

    /// <summary>Gets or sets the time at which the lock is to be renewed.</summary>
    internal TimeSpan RenewTime { get; set; }

    public override DateTimeOffset? LeaseEnd => _locks?.ByClock(Lease);

    public override string Position => PositionOf(Received);

    public override ValueTask AcknowledgeAsync(CancellationToken cancellationToken = default) =>
        _locks?.SettleAsync(this, Settlement.Complete, cancellationToken) ?? default;

    public override ValueTask ReturnAsync(CancellationToken cancellationToken = default) =>
        _locks?.SettleAsync(this, Settlement.Abandon, cancellationToken) ?? default;

    public override ValueTask ReturnAsync(TimeSpan delay, CancellationToken cancellationToken = default)
    {
        if (delay < TimeSpan.Zero)
            throw new ArgumentOutOfRangeException(nameof(delay), delay, "Zero or more.");
        return delay == TimeSpan.Zero || _locks is null ? ReturnAsync(cancellationToken) : _locks.ReturnLaterAsync(this, delay, cancellationToken);
    }

    protected override ValueTask MoveToDeadLetterQueueAsync(string? reason, string? description, CancellationToken cancellationToken)
    {
        if (_locks is null)
            throw new InvalidOperationException($"The queue was opened as {nameof(ReceiveMode.ReceiveAndDelete)}: the message has left it already.");
        if (!_locks.HasDeadLetters)
            throw new InvalidOperationException($"The queue was opened without a {nameof(QueueOptions.DeadLetterQueue)}.");
        return _locks.SettleAsync(this, Settlement.DeadLetter(reason, description), cancellationToken);
    }

    public override ValueTask DeferAsync(CancellationToken cancellationToken = default) => _locks is null
        ? throw new InvalidOperationException($"The queue was opened as {nameof(ReceiveMode.ReceiveAndDelete)}: the message has left it already.")
        : _locks.SettleAsync(this, Settlement.Defer, cancellationToken);

    public override ValueTask RenewLeaseAsync(CancellationToken cancellationToken = default) =>
        Lease is null || _locks is null ? default : _locks.RenewLeaseAsync(this, cancellationToken);

    /// <summary>Creates the message of the client.</summary>
    /// <exception cref="ArgumentException">A property is longer than Service Bus allows, a header has a reserved name, or a value of a type that it
    /// does not carry.</exception>
    internal static ServiceBusMessage ToServiceBus(QueueMessage message)
    {
        if (message.MessageId is "" or { Length: > MaxIdLength })
            throw new ArgumentException($"Service Bus takes a {nameof(message.MessageId)} of 1 to {MaxIdLength} characters.", nameof(message));
        if (message.SessionId is "" or { Length: > MaxIdLength })
            throw new ArgumentException($"Service Bus takes a {nameof(message.SessionId)} of 1 to {MaxIdLength} characters.", nameof(message));
        // A copy: the client reads the body until the service has answered, and its caller may have stopped waiting by then.
        var sent = new ServiceBusMessage(BinaryData.FromBytes(message.Body.ToArray()))
        {
            MessageId = message.MessageId ?? Guid.NewGuid().ToString("N"),
        };
        if (message.Body.ContentType is not null)
            sent.ContentType = message.Body.ContentType;
        if (message.CorrelationId is not null)
            sent.CorrelationId = message.CorrelationId;
        if (message.Label is not null)
            sent.Subject = message.Label;
        if (message.ResponseQueue is not null)
            sent.ReplyTo = message.ResponseQueue;
        if (message.SessionId is not null)
            sent.SessionId = message.SessionId;
        if (message.TimeToLive is { } time)
            sent.TimeToLive = time;
        if (message.DueTime is { } due)
            sent.ScheduledEnqueueTime = due;
        sent.ApplicationProperties[BodyTypeName] = message.Body.BodyType;
        if (!message.HasHeaders)
            return sent;
        foreach ((string name, object value) in message.Headers)
        {
            if (IsOwn(name))
                throw new ArgumentException($"The header {name} is a property of the message.", nameof(message));
            sent.ApplicationProperties[name] = value is string or bool or byte or sbyte or short or ushort or int or uint or long or ulong or float
                or double or decimal or char or Guid or DateTime or DateTimeOffset or TimeSpan or Uri or byte[]
                ? value
                : throw new ArgumentException($"The header {name} is a {value?.GetType().ToString() ?? "null"}, which Service Bus does not carry.",
                    nameof(message));
        }

        return sent;
    }

    /// <summary>Creates a peeked message.</summary>
    internal static PeekedMessage Peeked(ServiceBusReceivedMessage message, bool isLocked, DateTimeOffset? returnTime, DateTimeOffset? leaseEnd,
        string? deadLetterSource)
    {
        string? reason = message.DeadLetterReason;
        var peeked = new PeekedMessage(BodyOf(message))
        {
            Position = PositionOf(message),
            DeliveryCount = message.DeliveryCount + (returnTime is null ? 0 : 1),
            IsLocked = isLocked && returnTime is null,
            IsDeferred = message.State == ServiceBusMessageState.Deferred,
            LeaseEnd = returnTime is null ? leaseEnd : null,
            SentTime = message.EnqueuedTime,
            DeadLetterReason = reason is null ? null : ReasonOf(reason),
            DeadLetterDescription = message.DeadLetterErrorDescription,
            DeadLetterSource = reason is null ? null : message.DeadLetterSource ?? deadLetterSource,
        };
        CopyTo(peeked, message);
        peeked.DueTime = returnTime ?? (message.State == ServiceBusMessageState.Scheduled ? message.ScheduledEnqueueTime : null);
        if (reason is not null)
            peeked.TimeToLive = null;
        return peeked;
    }

    private static string PositionOf(ServiceBusReceivedMessage message) =>
        message.SequenceNumber.ToString(System.Globalization.CultureInfo.InvariantCulture);

    private static bool IsOwn(string name) => name is BodyTypeName or ReasonName or DescriptionName;

    private static string ReasonOf(string reason) => reason switch
    {
        "TTLExpiredException" => DeadLetterReasons.Expired,
        "MaxDeliveryCountExceeded" => DeadLetterReasons.MaxDeliveryCountExceeded,
        _ => reason,
    };

    private static MessageBody BodyOf(ServiceBusReceivedMessage message)
    {
        // A message of another program may have a value instead of bytes.
        ReadOnlyMemory<byte> bytes = message.GetRawAmqpMessage().Body.TryGetData(out IEnumerable<ReadOnlyMemory<byte>>? data) && data is not null
            ? data.Take(2).ToArray() is [var only] ? only : message.Body.ToMemory()
            : default;
        return new MessageBody(bytes, message.ApplicationProperties.GetValueOrDefault(BodyTypeName) is int type ? type : 0, message.ContentType);
    }

    private static void CopyTo(QueueMessage target, ServiceBusReceivedMessage message)
    {
        target.Label = message.Subject;
        target.MessageId = message.MessageId;
        target.CorrelationId = message.CorrelationId;
        target.ResponseQueue = message.ReplyTo;
        target.SessionId = message.SessionId;
        if (message.TimeToLive != TimeSpan.MaxValue && message.TimeToLive > TimeSpan.Zero)
            target.TimeToLive = message.TimeToLive;
        if (message.ScheduledEnqueueTime != default)
            target.DueTime = message.ScheduledEnqueueTime;
        foreach ((string name, object? value) in message.ApplicationProperties)
        {
            if (value is not null && !IsOwn(name))
                target.Headers.Add(name, value);
        }
    }
}

/// <summary>The state of a message's lock.</summary>
internal enum LockState
{
    Locked,

    /// <summary>It is being settled, or is settled.</summary>
    Settled,

    /// <summary>It is held back until it is returned.</summary>
    Delayed,

    /// <summary>The lease or the lock has ended.</summary>
    Lost,

    /// <summary>The handle was closed.</summary>
    Closed,
}

/// <summary>How a received message is settled, with the reason of a dead letter.</summary>
/// <param name="Kind">Which of the four.</param>
/// <param name="Reason">Why, for a dead letter.</param>
/// <param name="Description">Why, for people.</param>
internal sealed record Settlement(SettlementKind Kind, string? Reason = null, string? Description = null)
{
    internal static Settlement Complete { get; } = new(SettlementKind.Complete);

    internal static Settlement Abandon { get; } = new(SettlementKind.Abandon);

    internal static Settlement Defer { get; } = new(SettlementKind.Defer);

    internal static Settlement DeadLetter(string? reason, string? description) => new(SettlementKind.DeadLetter, reason, description);
}

/// <summary>The four ways to settle a message.</summary>
internal enum SettlementKind
{
    Complete,
    Abandon,
    Defer,
    DeadLetter,
}
