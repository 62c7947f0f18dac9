using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using Microsoft.Azure.Amqp;
using Microsoft.Azure.Amqp.Encoding;
using Microsoft.Azure.Amqp.Framing;

namespace Formatters.ServiceBusPeer;

/// <summary>The states of a message, as a peek reports them.</summary>
internal enum MessageState
{
    Active = 0,
    Deferred = 1,
    Scheduled = 2,
}

/// <summary>A message in an entity: what was sent, and what the broker adds to it.</summary>
internal sealed class PeerMessage
{
    private const string ScheduledTime = "x-opt-scheduled-enqueue-time";

    private readonly byte[][]? _data;
    private readonly object? _value;
    private readonly bool _isDurable;
    private readonly Dictionary<string, object?> _annotations = [];

    /// <summary>Copies a message that has arrived.</summary>
    internal PeerMessage(AmqpMessage message, DateTime now)
    {
        if ((message.Sections & SectionFlag.Data) != 0)
            _data = [.. message.DataBody.Select(data => Bytes(data.Value))];
        else if ((message.Sections & SectionFlag.AmqpValue) != 0)
            _value = message.ValueBody.Value;
        if ((message.Sections & SectionFlag.Header) != 0)
        {
            _isDurable = message.Header.Durable ?? false;
            TimeToLive = message.Header.Ttl is { } milliseconds ? TimeSpan.FromMilliseconds(milliseconds) : null;
        }

        if ((message.Sections & SectionFlag.Properties) != 0)
        {
            Properties = message.Properties;
            // The header has only 32 bits for the time to live.
            if (Properties.AbsoluteExpiryTime is { } expiry && Properties.CreationTime is { } created && expiry > created)
                TimeToLive = expiry - created;
        }

        if ((message.Sections & SectionFlag.ApplicationProperties) != 0)
        {
            foreach (KeyValuePair<MapKey, object> property in message.ApplicationProperties.Map)
                ApplicationProperties[(string)property.Key.Key] = property.Value;
        }

        if ((message.Sections & SectionFlag.MessageAnnotations) != 0)
        {
            foreach (KeyValuePair<MapKey, object> annotation in message.MessageAnnotations.Map)
                _annotations[annotation.Key.Key.ToString()!] = annotation.Value;
        }

        EnqueuedTime = now;
        if (_annotations.GetValueOrDefault(ScheduledTime) is DateTime due && due > now)
        {
            State = MessageState.Scheduled;
            EnqueuedTime = due;
        }
    }

    private PeerMessage(PeerMessage other, DateTime now)
    {
        (_data, _value, _isDurable, TimeToLive, Properties) = (other._data, other._value, other._isDurable, other.TimeToLive, other.Properties);
        ApplicationProperties = new Dictionary<string, object?>(other.ApplicationProperties);
        _annotations = new Dictionary<string, object?>(other._annotations);
        (DeliveryCount, DeadLetterSource, EnqueuedTime) = (other.DeliveryCount, other.DeadLetterSource, now);
    }

    internal long SequenceNumber { get; set; }

    internal MessageState State { get; set; }

    /// <summary>Gets or sets when it became active, or will.</summary>
    internal DateTime EnqueuedTime { get; set; }

    internal TimeSpan? TimeToLive { get; set; }

    internal Properties? Properties { get; }

    internal Dictionary<string, object?> ApplicationProperties { get; } = [];

    /// <summary>Gets or sets the number of failed deliveries.</summary>
    internal uint DeliveryCount { get; set; }

    /// <summary>Gets or sets the lock; null if the message is not locked.</summary>
    internal Guid? LockToken { get; set; }

    internal DateTime LockedUntil { get; set; }

    internal string? DeadLetterSource { get; set; }

    internal string? MessageId => Properties?.MessageId?.ToString();

    internal string? SessionId => Properties?.GroupId;

    internal DateTime ExpiryTime => TimeToLive is { } time && time < DateTime.MaxValue - EnqueuedTime ? EnqueuedTime + time : DateTime.MaxValue;

    internal bool IsLockedAt(DateTime now) => LockToken is not null && LockedUntil > now;

    /// <summary>Copies the message for a subscription, a dead-letter queue or a queue to which it is forwarded.</summary>
    internal PeerMessage Copy(DateTime now) => new(this, now);

    /// <summary>Creates what is sent to a receiver. A peek does not tell what is locked.</summary>
    internal AmqpMessage ToAmqp(bool isPeek = false)
    {
        AmqpMessage message = _data is null ? AmqpMessage.Create(new AmqpValue { Value = _value }) : AmqpMessage.Create(_data.Select(bytes => new Data { Value = new ArraySegment<byte>(bytes) }));
        message.Header.DeliveryCount = DeliveryCount;
        message.Header.Durable = _isDurable;
        if (TimeToLive is { } time)
            message.Header.Ttl = (uint)Math.Min(time.TotalMilliseconds, uint.MaxValue);
        if (Properties is { } sent)
        {
            Properties properties = message.Properties;
            (properties.MessageId, properties.CorrelationId, properties.ContentType) = (sent.MessageId, sent.CorrelationId, sent.ContentType);
            (properties.Subject, properties.ReplyTo, properties.To) = (sent.Subject, sent.ReplyTo, sent.To);
            (properties.CreationTime, properties.AbsoluteExpiryTime) = (sent.CreationTime, sent.AbsoluteExpiryTime);
            (properties.GroupId, properties.ReplyToGroupId) = (sent.GroupId, sent.ReplyToGroupId);
        }

        foreach ((string name, object? value) in ApplicationProperties)
            message.ApplicationProperties.Map[name] = value;
        foreach ((string name, object? value) in _annotations)
            message.MessageAnnotations.Map[name] = value;
        MessageAnnotations annotations = message.MessageAnnotations;
        annotations.Map["x-opt-sequence-number"] = SequenceNumber;
        annotations.Map["x-opt-enqueued-sequence-number"] = SequenceNumber;
        annotations.Map["x-opt-enqueued-time"] = EnqueuedTime;
        annotations.Map["x-opt-message-state"] = (int)State;
        if (LockToken is not null && !isPeek)
            annotations.Map["x-opt-locked-until"] = LockedUntil;
        if (DeadLetterSource is not null)
            annotations.Map["x-opt-deadletter-source"] = DeadLetterSource;
        return message;
    }

    /// <summary>Serializes what <see cref="ToAmqp"/> creates.</summary>
    internal ArraySegment<byte> ToBytes(bool isPeek = false)
    {
        using AmqpMessage message = ToAmqp(isPeek);
        var stream = new MemoryStream();
        foreach (ArraySegment<byte> segment in message.GetPayload())
            stream.Write(segment);
        return new ArraySegment<byte>(stream.ToArray());
    }

    private static byte[] Bytes(object value) => value switch
    {
        byte[] bytes => [.. bytes],
        ArraySegment<byte> segment => [.. segment],
        _ => throw new AmqpException(AmqpErrorCode.DecodeError, "A data section without bytes."),
    };
}
