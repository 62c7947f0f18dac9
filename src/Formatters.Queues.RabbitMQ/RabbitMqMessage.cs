using System;
using System.Collections;
using System.Collections.Generic;
using System.Text;
using System.Text.Unicode;
using System.Threading;
using System.Threading.Tasks;
using RabbitMQ.Client;

namespace Formatters.Queues.RabbitMQ;

/// <summary>A message from RabbitMQ, and what AMQP properties and headers hold for one.</summary>
internal sealed class RabbitMqMessage : ReceivedMessage
{
    // The names and AMQP types are those of the RabbitMQ provider of Mono's System.Messaging: BodyType a 32-bit integer, Label a UTF-8 string.
    private const string BodyTypeHeader = "BodyType";
    private const string LabelHeader = "Label";
    private const int MaxShortStringByteCount = 255;

    private static readonly Dictionary<string, object?> NoHeaders = [];

    private readonly RabbitMqReceiver? _lockedBy;
    private int _isSettled;

    /// <summary>Copies a delivery.</summary>
    /// <param name="deliveryTag">Its number on its channel.</param>
    /// <param name="isRedelivered">Whether the broker has delivered it before.</param>
    /// <param name="properties">Its properties.</param>
    /// <param name="body">Its body; the client reuses the memory.</param>
    /// <param name="lockedBy">Who settles it, or null if that is not the application's business.</param>
    internal RabbitMqMessage(
        ulong deliveryTag, bool isRedelivered, IReadOnlyBasicProperties properties, ReadOnlyMemory<byte> body, RabbitMqReceiver? lockedBy)
        : base(new MessageBody(body.ToArray(), BodyTypeOf(properties), properties.ContentType))
    {
        DeliveryTag = deliveryTag;
        DeliveryCount = isRedelivered ? 2 : 1;
        SentTime = properties.IsTimestampPresent() ? DateTimeOffset.FromUnixTimeSeconds(properties.Timestamp.UnixTime) : null;
        Label = LabelOf(properties);
        MessageId = properties.MessageId;
        CorrelationId = properties.CorrelationId;
        ResponseQueue = properties.ReplyTo;
        foreach ((string name, object? value) in properties.Headers ?? NoHeaders)
        {
            if (value is not null && name is not (BodyTypeHeader or LabelHeader))
                Headers.Add(name, FromAmqp(value));
        }

        _lockedBy = lockedBy;
    }

    internal ulong DeliveryTag { get; }

    public override ValueTask AcknowledgeAsync(CancellationToken cancellationToken = default) => SettleAsync(giveBack: false, cancellationToken);

    public override ValueTask ReturnAsync(CancellationToken cancellationToken = default) => SettleAsync(giveBack: true, cancellationToken);

    /// <summary>The AMQP properties for a message.</summary>
    /// <exception cref="ArgumentException">A text that AMQP limits to 255 bytes is longer; a header has another property's name, or a value that AMQP has not.</exception>
    internal static BasicProperties PropertiesOf(QueueMessage message, string messageId, bool isPersistent)
    {
        var headers = new Dictionary<string, object?>(2) { [BodyTypeHeader] = message.Body.BodyType };
        if (message.HasHeaders)
        {
            foreach ((string name, object value) in message.Headers)
            {
                if (name is BodyTypeHeader or LabelHeader)
                    throw new ArgumentException($"The header {name} is a property of the message.", nameof(message));
                headers.Add(ShortString(name, nameof(message.Headers)), ToAmqp(name, value));
            }
        }

        if (message.Label is not null)
            headers[LabelHeader] = message.Label;
        var properties = new BasicProperties
        {
            DeliveryMode = isPersistent ? DeliveryModes.Persistent : DeliveryModes.Transient,
            Headers = headers,
            Timestamp = new AmqpTimestamp(DateTimeOffset.UtcNow.ToUnixTimeSeconds()),
            MessageId = ShortString(messageId, nameof(message.MessageId)),
        };
        if (message.Body.ContentType is { } contentType)
            properties.ContentType = ShortString(contentType, nameof(message.Body.ContentType));
        if (message.CorrelationId is { } correlationId)
            properties.CorrelationId = ShortString(correlationId, nameof(message.CorrelationId));
        if (message.ResponseQueue is { } responseQueue)
            properties.ReplyTo = ShortString(responseQueue, nameof(message.ResponseQueue));
        return properties;
    }

    private static string ShortString(string value, string name)
    {
        if (value.Length > MaxShortStringByteCount / 3 && Encoding.UTF8.GetByteCount(value) > MaxShortStringByteCount)
            throw new ArgumentException($"The message's {name} has more than the {MaxShortStringByteCount} bytes of UTF-8 that AMQP allows.", nameof(value));
        return value;
    }

    private static object ToAmqp(string name, object value) => value switch
    {
        byte[] bytes => new BinaryTableValue(bytes),
        string or bool or sbyte or byte or short or ushort or int or uint or long or float or double or decimal or AmqpTimestamp or IList or IDictionary => value,
        _ => throw new ArgumentException($"The header {name} is a {value?.GetType().ToString() ?? "null"}, which AMQP has not.", nameof(value)),
    };

    /// <summary>AMQP has one type for text and for bytes, which the client gives as bytes, and one for bytes alone.</summary>
    private static object FromAmqp(object value) => value switch
    {
        byte[] bytes when Utf8.IsValid(bytes) => Encoding.UTF8.GetString(bytes),
        BinaryTableValue { Bytes: { } bytes } => bytes,
        _ => value,
    };

    private static int BodyTypeOf(IReadOnlyBasicProperties properties) => Header(properties, BodyTypeHeader) switch
    {
        int value => value,
        long value when value is >= int.MinValue and <= int.MaxValue => (int)value,
        short value => value,
        byte value => value,
        _ => 0,
    };

    private static string? LabelOf(IReadOnlyBasicProperties properties) => Header(properties, LabelHeader) switch
    {
        byte[] value => Encoding.UTF8.GetString(value),
        string value => value,
        _ => null,
    };

    private static object? Header(IReadOnlyBasicProperties properties, string name) =>
        properties.Headers is { } headers && headers.TryGetValue(name, out object? value) ? value : null;

    private ValueTask SettleAsync(bool giveBack, CancellationToken cancellationToken)
    {
        if (cancellationToken.IsCancellationRequested)
            return ValueTask.FromCanceled(cancellationToken);
        // The first settling counts, as the broker closes the channel over a second one.
        return _lockedBy is null || Interlocked.Exchange(ref _isSettled, 1) != 0 ? default : _lockedBy.SettleAsync(this, giveBack);
    }
}
