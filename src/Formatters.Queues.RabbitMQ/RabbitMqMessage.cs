using System;
using System.Collections;
using System.Collections.Generic;
using System.Globalization;
using System.Text;
using System.Text.Unicode;
using System.Threading;
using System.Threading.Tasks;
using RabbitMQ.Client;

namespace Formatters.Queues.RabbitMQ;

/// <summary>A message from RabbitMQ, and the mapping of message properties to AMQP properties and headers.</summary>
internal sealed class RabbitMqMessage : ReceivedMessage
{
    // The names and AMQP types of the RabbitMQ provider of Mono's System.Messaging: BodyType a 32-bit integer, Label a UTF-8 string.
    private const string BodyTypeHeader = "BodyType";
    private const string LabelHeader = "Label";
    private const string ReasonHeader = "DeadLetterReason";
    private const string DescriptionHeader = "DeadLetterDescription";
    private const string SourceHeader = "DeadLetterSource";
    private const string DeliveryCountHeader = "x-delivery-count";
    private const string BrokerDeathsHeader = "x-death";
    // The AMQP property type, which other libraries use for the type of the payload.
    private const string TypeHeader = "AmqpType";
    private const int MaxShortStringByteCount = 255;

    private static readonly Dictionary<string, object?> NoHeaders = [];

    private readonly RabbitMqSettler? _settler;
    private int _isSettled;

    /// <summary>Creates a message from a delivery of the client.</summary>
    /// <param name="deliveryTag">Its number on its channel.</param>
    /// <param name="isRedelivered">Whether the broker has delivered it before.</param>
    /// <param name="properties">Its properties.</param>
    /// <param name="body">The body. The body of a delivery must be copied, because the client reuses its memory.</param>
    /// <param name="hasPriorities">Whether its handle has priorities.</param>
    /// <param name="settler">The object that settles the message; null if it has already left its queue.</param>
    internal RabbitMqMessage(
        ulong deliveryTag, bool isRedelivered, IReadOnlyBasicProperties properties, ReadOnlyMemory<byte> body, bool hasPriorities,
            RabbitMqSettler? settler)
        : base(new MessageBody(body, BodyTypeOf(properties), properties.ContentType))
    {
        DeliveryTag = deliveryTag;
        // Quorum queues count deliveries; classic queues only have the redelivered flag.
        DeliveryCount = Header(properties, DeliveryCountHeader) is { } count && ToInt64(count) is > 0 and < int.MaxValue and var times
            ? (int)times + 1 : isRedelivered ? 2 : 1;
        SentTime = properties.IsTimestampPresent() ? DateTimeOffset.FromUnixTimeSeconds(properties.Timestamp.UnixTime) : null;
        Label = TextOf(properties, LabelHeader);
        MessageId = properties.MessageId;
        CorrelationId = properties.CorrelationId;
        ResponseQueue = properties.ReplyTo;
        // The client omits a priority of 0, which is also the broker's default.
        if (properties.IsPriorityPresent())
            Priority = Math.Min(properties.Priority, (byte)9);
        else if (hasPriorities)
            Priority = 0;
        if (properties.Expiration is { } expiration
            && uint.TryParse(expiration, NumberStyles.None, CultureInfo.InvariantCulture, out uint milliseconds) && milliseconds > 0)
            TimeToLive = TimeSpan.FromMilliseconds(milliseconds);
        foreach ((string name, object? value) in properties.Headers ?? NoHeaders)
        {
            if (value is not null && !IsOwn(name) && !name.StartsWith("x-first-death-", StringComparison.Ordinal))
                Headers.Add(name, FromAmqp(value));
        }

        if (properties.Type is { Length: > 0 } type)
            Headers[TypeHeader] = type;
        if (TextOf(properties, ReasonHeader) is { } reason)
        {
            DeadLetterReason = reason;
            DeadLetterDescription = TextOf(properties, DescriptionHeader);
            DeadLetterSource = TextOf(properties, SourceHeader);
        }
        else if (Header(properties, BrokerDeathsHeader) is IList { Count: > 0 } deaths && deaths[0] is IDictionary<string, object> last)
        {
            DeadLetterReason = Text(last, "reason") switch
            {
                "expired" => DeadLetterReasons.Expired,
                "delivery_limit" => DeadLetterReasons.MaxDeliveryCountExceeded,
                var other => other,
            };
            DeadLetterSource = Text(last, "queue");
        }

        _settler = settler;

        static string? Text(IDictionary<string, object> table, string name) =>
            table.TryGetValue(name, out object? value) && value is byte[] text ? Encoding.UTF8.GetString(text) : null;
    }

    internal ulong DeliveryTag { get; }

    /// <summary>Gets the object that settles the message; null if it has already left its queue.</summary>
    internal RabbitMqSettler? Settler => _settler;

    /// <summary>Tries to claim the settlement of the message.</summary>
    /// <returns>False if it was settled before.</returns>
    internal bool TrySettle() => Interlocked.Exchange(ref _isSettled, 1) == 0;

    /// <summary>Determines whether a header's name is reserved for a property, or set by the broker.</summary>
    internal static bool IsOwn(string name) => name is BodyTypeHeader or LabelHeader or ReasonHeader or DescriptionHeader or SourceHeader
        or DeliveryCountHeader or BrokerDeathsHeader;

    public override ValueTask AcknowledgeAsync(CancellationToken cancellationToken = default) => SettleAsync(giveBack: false, cancellationToken);

    public override ValueTask ReturnAsync(CancellationToken cancellationToken = default) => SettleAsync(giveBack: true, cancellationToken);

    protected override ValueTask MoveToDeadLetterQueueAsync(string? reason, string? description, CancellationToken cancellationToken)
    {
        if (_settler is null)
            throw new InvalidOperationException($"The queue was opened as {nameof(ReceiveMode.ReceiveAndDelete)}: the message has left it already.");
        if (_settler.DeadLetterQueue is null)
            throw new InvalidOperationException($"The queue was opened without a {nameof(QueueOptions.DeadLetterQueue)}.");
        if (cancellationToken.IsCancellationRequested)
            return ValueTask.FromCanceled(cancellationToken);
        if (_settler is RabbitMqReceiver receiver)
            QueueChecks.NotInScope(receiver.Target.Address.Text);
        return Interlocked.Exchange(ref _isSettled, 1) != 0 ? default : DeadLetterCoreAsync();

        async ValueTask DeadLetterCoreAsync()
        {
            try
            {
                await _settler.SendDeadLetterAsync(this, new DeadLetterProperties(reason, description, _settler.QueueName), cancellationToken)
                    .ConfigureAwait(false);
            }
            catch
            {
                // The message is still locked, and may be settled in another way.
                Volatile.Write(ref _isSettled, 0);
                throw;
            }

            await _settler.SettleAsync(this, giveBack: false).ConfigureAwait(false);
        }
    }

    /// <summary>Creates the AMQP properties of a message.</summary>
    /// <exception cref="ArgumentException">A string exceeds AMQP's limit of 255 bytes; a header has a reserved name, or a value that AMQP or the
    /// broker does not support; the time to live is too long.</exception>
    internal static BasicProperties PropertiesOf(QueueMessage message, string messageId, bool isPersistent, bool hasPriority,
        DeadLetterProperties? deadLetter = null)
    {
        var headers = new Dictionary<string, object?>(2) { [BodyTypeHeader] = message.Body.BodyType };
        string? type = null;
        if (message.HasHeaders)
        {
            foreach ((string name, object value) in message.Headers)
            {
                if (name == TypeHeader && value is string text)
                {
                    type = ShortString(text, TypeHeader);
                    continue;
                }

                if (IsOwn(name))
                    throw new ArgumentException($"The header {name} is a property of the message.", nameof(message));
                if (name is "CC" or "BCC" && value is not IList)
                    throw new ArgumentException(
                        $"The header {name} is one of the broker's own, a list of queues that get copies; it cannot be a "
                        + $"{value?.GetType().ToString() ?? "null"}.", nameof(message));
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
        if (type is { Length: > 0 })
            properties.Type = type;
        if (message.Body.ContentType is { } contentType)
            properties.ContentType = ShortString(contentType, nameof(message.Body.ContentType));
        if (message.CorrelationId is { } correlationId)
            properties.CorrelationId = ShortString(correlationId, nameof(message.CorrelationId));
        if (message.ResponseQueue is { } responseQueue)
            properties.ReplyTo = ShortString(responseQueue, nameof(message.ResponseQueue));
        // A dead letter keeps its priority in any queue.
        if (hasPriority || (deadLetter is not null && message.Priority != QueueMessage.DefaultPriority))
            properties.Priority = (byte)message.Priority;
        if (deadLetter is not null)
        {
            if (deadLetter.Reason is not null)
                (headers[ReasonHeader], headers[SourceHeader]) = (deadLetter.Reason, deadLetter.Source);
            if (deadLetter.Description is not null)
                headers[DescriptionHeader] = deadLetter.Description;
        }
        else if (message.TimeToLive is { } time)
        {
            double milliseconds = Math.Ceiling(time.TotalMilliseconds);
            if (milliseconds > uint.MaxValue)
                throw new ArgumentException($"RabbitMQ supports a {nameof(message.TimeToLive)} of at most 49 days.", nameof(message));
            properties.Expiration = milliseconds.ToString("0", CultureInfo.InvariantCulture);
        }

        return properties;
    }

    /// <summary>
    /// Checks that a message's properties fit into one frame, as AMQP requires. The broker ends the connection over larger ones, with everything in
    /// progress on it.
    /// </summary>
    /// <exception cref="ArgumentException">They do not.</exception>
    internal static void ThrowIfTooLarge(BasicProperties properties, uint maxFrameByteCount)
    {
        // A frame has 8 bytes around its content. A properties frame starts with 12 bytes: the class, the weight, and the body size.
        const int FrameByteCount = 8 + 12;
        long byteCount = ((IAmqpWriteable)properties).GetRequiredBufferSize();
        if (maxFrameByteCount > 0 && byteCount > maxFrameByteCount - FrameByteCount)
        {
            throw new ArgumentException(
                $"The message's properties and headers have {byteCount} bytes; the broker takes {maxFrameByteCount - FrameByteCount}, which fit into "
                + "a frame (frame_max in its rabbitmq.conf).");
        }
    }

    private static string ShortString(string value, string name)
    {
        if (value.Length > MaxShortStringByteCount / 3 && Encoding.UTF8.GetByteCount(value) > MaxShortStringByteCount)
            throw new ArgumentException($"The message's {name} has more than the {MaxShortStringByteCount} bytes of UTF-8 that AMQP allows.",
                nameof(value));
        return value;
    }

    private static object ToAmqp(string name, object value) => value switch
    {
        byte[] bytes => new BinaryTableValue(bytes),
        // The broker cannot parse these, and ends the connection.
        double number when !double.IsFinite(number) => throw NotFinite(name, number),
        float number when !float.IsFinite(number) => throw NotFinite(name, number),
        decimal number when !IsAmqpDecimal(number) => throw new ArgumentException(
            $"The header {name} is {number.ToString(CultureInfo.InvariantCulture)}: without its point, a decimal in AMQP has at most 31 bits.",
            nameof(value)),
        IDictionary table => ToAmqp(name, table),
        IList list => ToAmqp(name, list),
        string text when QueueStrings.IndexOfHalfPair(text) >= 0 =>
            throw new ArgumentException($"The header {name} has a string with half of a surrogate pair, which UTF-8 cannot carry.", nameof(value)),
        string or bool or sbyte or byte or short or ushort or int or uint or long or float or double or decimal or AmqpTimestamp => value,
        _ => throw new ArgumentException($"The header {name} is a {value?.GetType().ToString() ?? "null"}, which AMQP does not support.",
            nameof(value)),
    };

    private static bool IsAmqpDecimal(decimal number) => decimal.GetBits(number) is [>= 0, 0, 0, _];

    /// <summary>Converts a nested table, with the same checks.</summary>
    private static Dictionary<string, object?> ToAmqp(string name, IDictionary table)
    {
        var checkedTable = new Dictionary<string, object?>(table.Count);
        foreach (DictionaryEntry entry in table)
        {
            string key = entry.Key as string ?? throw new ArgumentException(
                $"The header {name} has a table whose keys are not strings.", nameof(table));
            checkedTable.Add(ShortString(key, nameof(QueueMessage.Headers)), entry.Value is null or BinaryTableValue
                ? entry.Value
                : ToAmqp(name, entry.Value));
        }

        return checkedTable;
    }

    private static List<object?> ToAmqp(string name, IList list)
    {
        var checkedList = new List<object?>(list.Count);
        foreach (object? value in list)
            checkedList.Add(value is null or BinaryTableValue ? value : ToAmqp(name, value));
        return checkedList;
    }

    private static ArgumentException NotFinite(string name, object number) =>
        new($"The header {name} is {number}, which RabbitMQ cannot read. Send it as a string or as bytes.", nameof(number));

    /// <summary>Converts an AMQP value. AMQP has one type for strings and bytes, which the client returns as bytes, and one for bytes only.</summary>
    private static object FromAmqp(object value) => value switch
    {
        byte[] bytes when Utf8.IsValid(bytes) => Encoding.UTF8.GetString(bytes),
        BinaryTableValue { Bytes: { } bytes } => bytes,
        _ => value,
    };

    private static int BodyTypeOf(IReadOnlyBasicProperties properties) =>
        Header(properties, BodyTypeHeader) is { } value && ToInt64(value) is >= int.MinValue and <= int.MaxValue and var number ? (int)number : 0;

    private static long? ToInt64(object value) => value switch
    {
        int number => number,
        long number => number,
        short number => number,
        byte number => number,
        _ => null,
    };

    private static string? TextOf(IReadOnlyBasicProperties properties, string name) => Header(properties, name) switch
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
        if (_settler is RabbitMqReceiver receiver)
            QueueChecks.NotInScope(receiver.Target.Address.Text);
        // Only the first settlement is sent, because the broker closes the channel over a second one.
        return _settler is null || Interlocked.Exchange(ref _isSettled, 1) != 0 ? default : _settler.SettleAsync(this, giveBack);
    }
}
