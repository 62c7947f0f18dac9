using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using System.Runtime.CompilerServices;
using System.Text;
using System.Text.Json;
using Formatters.Hosting;
using Formatters.Hosting.Buses;
using Formatters.Queues;
using MassTransit;
using MassTransit.Metadata;
using MassTransit.Serialization;

namespace Formatters.MassTransit;

/// <summary>Writes and reads MassTransit messages on plain queues, so that a program can join or leave a MassTransit bus.</summary>
/// <remarks>MassTransit puts a message into a JSON envelope (<c>application/vnd.masstransit+json</c>), or, with <c>UseFormatters</c> and its raw
/// serializers, into the body as it is, with the rest in headers. On RabbitMQ, the queue of an endpoint is a queue like any other.</remarks>
public static class MassTransitEnvelope
{
    /// <summary>The content type of an envelope: <c>application/vnd.masstransit+json</c>.</summary>
    public const string ContentType = "application/vnd.masstransit+json";

    // Not headers of MassTransit: parts of an envelope that its raw serializers leave out.
    private const string DestinationHeader = "MT-Destination-Address";
    private const string SentTimeHeader = "MT-Sent-Time";

    private static readonly string[] EnvelopeHeaders =
    [
        MessageHeaders.MessageId, MessageHeaders.CorrelationId, MessageHeaders.ConversationId, MessageHeaders.RequestId, MessageHeaders.InitiatorId,
        MessageHeaders.SourceAddress, MessageHeaders.ResponseAddress, MessageHeaders.FaultAddress, MessageHeaders.MessageType,
        MessageHeaders.Host.Info, DestinationHeader, SentTimeHeader, MessageHeaders.ContentType, ContractNames.HeaderName,
    ];

    private static readonly ConditionalWeakTable<PayloadContract, IMessageFormatter> JsonFormatters = [];

    /// <summary>Creates a message that an endpoint with <c>UseFormatters</c> consumes.</summary>
    /// <param name="contracts">The contracts; their formatter writes the body.</param>
    /// <param name="payload">The payload.</param>
    /// <returns>A message with the headers that MassTransit needs. For a reply, add <c>MT-Response-Address</c>, a MassTransit address.</returns>
    /// <exception cref="ArgumentNullException">An argument is null.</exception>
    /// <exception cref="ArgumentException">The type of the payload is not in the registry.</exception>
    /// <exception cref="MessageFormatException">The payload cannot be written.</exception>
    public static QueueMessage Create(ContractRegistry contracts, object payload)
    {
        PayloadContract contract = ContractOf(contracts, payload);
        byte[] body = contract.Write(payload, out string contentType);
        QueueMessage message = CreatePlain(new MessageBody(body, contentType: contentType), payload.GetType());
        message.Headers[ContractNames.HeaderName] = contract.Name;
        return message;
    }

    /// <summary>Creates a message that any endpoint consumes: an envelope with the JSON of MassTransit.</summary>
    /// <param name="contracts">The contracts.</param>
    /// <param name="payload">The payload. It must not contain half a surrogate pair, which JSON of MassTransit replaces.</param>
    /// <inheritdoc cref="Create" path="/returns|/exception"/>
    public static QueueMessage CreateJson(ContractRegistry contracts, object payload)
    {
        var body = new MessageBody();
        JsonFormatterOf(ContractOf(contracts, payload)).Write(body, payload);
        body.BodyType = 0;
        return Wrap(CreatePlain(body, payload.GetType()));
    }

    /// <summary>Reads the payload of a message of MassTransit: a body of a formatter, an envelope, or raw JSON.</summary>
    /// <param name="contracts">The contracts. Without a contract name, the message types (<c>urn:message:...</c>) identify the contract: the first
    /// that is the type of one of them.</param>
    /// <param name="message">The message, as it was received.</param>
    /// <returns>The payload.</returns>
    /// <exception cref="ArgumentNullException">An argument is null.</exception>
    /// <exception cref="MessageFormatException">The envelope or the body cannot be read, or the contract is not in the registry.</exception>
    public static object Read(ContractRegistry contracts, QueueMessage message)
    {
        ArgumentNullException.ThrowIfNull(contracts);
        ArgumentNullException.ThrowIfNull(message);
        QueueMessage plain = Unwrap(message);
        if (TextOf(plain, ContractNames.HeaderName) is { } name)
            return contracts.Get(name).Read(BytesOf(plain), plain.Body.ContentType);
        string types = TextOf(plain, MessageHeaders.MessageType) ?? throw new MessageFormatException(MessageFormatErrorCode.UnknownFormat,
            $"The message has neither the header '{ContractNames.HeaderName}' nor message types of MassTransit.");
        PayloadContract contract = FindByTypes(contracts, types.Split(';')) ?? throw new MessageFormatException(
            MessageFormatErrorCode.UnknownFormat,
            $"None of the message types is registered here: {(types.Length <= 200 ? types : types[..200] + "...")}.");
        if (!plain.Body.HasContentType(ContentTypes.Json))
        {
            throw new MessageFormatException(
                MessageFormatErrorCode.UnknownFormat, $"The body of a {contract.Name} without the header '{ContractNames.HeaderName}' is not JSON.");
        }

        return JsonFormatterOf(contract).Read(plain.Body)
            ?? throw new MessageFormatException(MessageFormatErrorCode.UnexpectedNull,
                $"The message is null, not a {contract.Name}.", isPoison: true);
    }

    /// <summary>Takes a message out of its envelope.</summary>
    /// <param name="message">The message, as it was received.</param>
    /// <returns>A message whose body is the JSON of the payload, and whose headers are those of the envelope and of MassTransit's raw serializers.
    /// The message itself if it is not in an envelope.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="message"/> is null.</exception>
    /// <exception cref="MessageFormatException">The envelope cannot be read.</exception>
    public static QueueMessage Unwrap(QueueMessage message)
    {
        ArgumentNullException.ThrowIfNull(message);
        if (!message.Body.HasContentType(ContentType))
            return message;
        MessageEnvelope envelope;
        try
        {
            envelope = JsonSerializer.Deserialize<MessageEnvelope>(message.Body.ToArray(), SystemTextJsonMessageSerializer.Options)!;
        }
        catch (Exception e) when (e is JsonException or NotSupportedException or FormatException or InvalidOperationException)
        {
            throw Bad("The envelope of MassTransit is not valid.");
        }

        if (envelope is null || envelope.Message is not JsonElement payload)
            throw Bad("The envelope of MassTransit has no message.");
        var plain = new QueueMessage(new MessageBody(Encoding.UTF8.GetBytes(payload.GetRawText()), contentType: ContentTypes.Json))
        {
            Label = message.Label,
            MessageId = envelope.MessageId ?? message.MessageId,
            CorrelationId = envelope.CorrelationId ?? message.CorrelationId,
            ResponseQueue = message.ResponseQueue,
            Priority = message.Priority,
            TimeToLive = message.TimeToLive,
        };
        if (message.HasHeaders)
        {
            foreach ((string name, object value) in message.Headers)
                plain.Headers[name] = value;
        }

        foreach ((string name, object? value) in envelope.Headers ?? [])
        {
            if (HeaderOf(value) is { } header)
                plain.Headers[name] = header;
        }

        plain.Headers.Remove(MessageHeaders.ContentType);
        Set(MessageHeaders.MessageId, envelope.MessageId);
        Set(MessageHeaders.CorrelationId, envelope.CorrelationId);
        Set(MessageHeaders.ConversationId, envelope.ConversationId);
        Set(MessageHeaders.RequestId, envelope.RequestId);
        Set(MessageHeaders.InitiatorId, envelope.InitiatorId);
        Set(MessageHeaders.SourceAddress, envelope.SourceAddress);
        Set(MessageHeaders.ResponseAddress, envelope.ResponseAddress);
        Set(MessageHeaders.FaultAddress, envelope.FaultAddress);
        Set(DestinationHeader, envelope.DestinationAddress);
        Set(MessageHeaders.MessageType, envelope.MessageType is { Length: > 0 } types ? string.Join(";", types) : null);
        Set(SentTimeHeader, envelope.SentTime?.ToString("O", CultureInfo.InvariantCulture));
        Set(MessageHeaders.Host.Info, envelope.Host is null ? null : JsonSerializer.Serialize(envelope.Host));
        return plain;

        void Set(string name, string? value)
        {
            if (value is not null)
                plain.Headers[name] = value;
        }
    }

    /// <summary>Puts a message into an envelope.</summary>
    /// <param name="message">The message: its body is JSON as MassTransit writes it, and its headers are those that <see cref="Unwrap"/>
    /// returns.</param>
    /// <returns>A message that MassTransit consumes.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="message"/> is null.</exception>
    /// <exception cref="ArgumentException">The body is not JSON, or the message has no message types.</exception>
    public static QueueMessage Wrap(QueueMessage message)
    {
        ArgumentNullException.ThrowIfNull(message);
        if (!message.Body.HasContentType(ContentTypes.Json))
            throw new ArgumentException($"The body of the message is {message.Body.ContentType ?? "of no content type"}, not JSON.", nameof(message));
        string types = TextOf(message, MessageHeaders.MessageType)
            ?? throw new ArgumentException($"The message has no header '{MessageHeaders.MessageType}'.", nameof(message));
        JsonElement payload;
        try
        {
            payload = JsonSerializer.Deserialize<JsonElement>(message.Body.ToArray(), SystemTextJsonMessageSerializer.Options);
        }
        catch (JsonException)
        {
            throw new ArgumentException("The body of the message is not valid JSON.", nameof(message));
        }

        var envelope = new JsonMessageEnvelope
        {
            MessageId = TextOf(message, MessageHeaders.MessageId) ?? message.MessageId ?? NewId.NextGuid().ToString(),
            CorrelationId = TextOf(message, MessageHeaders.CorrelationId)
                ?? (Guid.TryParse(message.CorrelationId, out _) ? message.CorrelationId : null),
            ConversationId = TextOf(message, MessageHeaders.ConversationId),
            RequestId = TextOf(message, MessageHeaders.RequestId),
            InitiatorId = TextOf(message, MessageHeaders.InitiatorId),
            SourceAddress = TextOf(message, MessageHeaders.SourceAddress),
            DestinationAddress = TextOf(message, DestinationHeader),
            ResponseAddress = TextOf(message, MessageHeaders.ResponseAddress),
            FaultAddress = TextOf(message, MessageHeaders.FaultAddress),
            MessageType = types.Split(';'),
            Message = payload,
            SentTime = DateTime.TryParse(
                TextOf(message, SentTimeHeader), CultureInfo.InvariantCulture, DateTimeStyles.RoundtripKind, out DateTime sentTime)
                ? sentTime : DateTime.UtcNow,
            ExpirationTime = message.TimeToLive is { } time && time < TimeSpan.FromDays(36_500) ? DateTime.UtcNow + time : null,
            Host = HostMetadataCache.Host,
        };
        var wrapped = new QueueMessage
        {
            Label = message.Label,
            MessageId = envelope.MessageId,
            CorrelationId = envelope.CorrelationId ?? message.CorrelationId,
            ResponseQueue = message.ResponseQueue,
            Priority = message.Priority,
            TimeToLive = message.TimeToLive,
        };
        if (message.HasHeaders)
        {
            foreach ((string name, object value) in message.Headers)
            {
                if (!EnvelopeHeaders.Contains(name))
                    envelope.Headers[name] = wrapped.Headers[name] = value;
            }
        }

        wrapped.Body.Bytes = new(JsonSerializer.SerializeToUtf8Bytes<MessageEnvelope>(envelope, SystemTextJsonMessageSerializer.Options));
        wrapped.Body.ContentType = ContentType;
        return wrapped;
    }

    private static QueueMessage CreatePlain(MessageBody body, Type type)
    {
        string id = NewId.NextGuid().ToString();
        return new QueueMessage(body)
        {
            MessageId = id,
            Headers =
            {
                [MessageHeaders.MessageId] = id,
                [MessageHeaders.ConversationId] = NewId.NextGuid().ToString(),
                [MessageHeaders.MessageType] = string.Join(";", MessageTypeCache.GetMessageTypeNames(type)),
            },
        };
    }

    private static PayloadContract ContractOf(ContractRegistry contracts, object payload)
    {
        ArgumentNullException.ThrowIfNull(contracts);
        ArgumentNullException.ThrowIfNull(payload);
        return contracts.Find(payload.GetType())
            ?? throw new ArgumentException($"{payload.GetType()} is not registered: add it to the {nameof(ContractRegistry)}.", nameof(payload));
    }

    private static PayloadContract? FindByTypes(ContractRegistry contracts, string[] types)
    {
        foreach (string type in types)
        {
            foreach (PayloadContract contract in contracts.Contracts)
            {
                if (string.Equals(MessageUrn.ForTypeString(contract.PayloadType), type, StringComparison.OrdinalIgnoreCase))
                    return contract;
            }
        }

        return null;
    }

    private static IMessageFormatter JsonFormatterOf(PayloadContract contract) => JsonFormatters.GetValue(
        contract, static contract => contract.CreateJsonFormatter(new JsonOptions { SerializerOptions = SystemTextJsonMessageSerializer.Options }));

    private static ReadOnlyMemory<byte> BytesOf(QueueMessage message) =>
        message.Body.Bytes.IsSingleSegment ? message.Body.Bytes.First : message.Body.ToArray();

    private static string? TextOf(QueueMessage message, string name) =>
        message.HasHeaders && message.Headers.TryGetValue(name, out object? value) ? value as string : null;

    /// <summary>Converts a header of an envelope, which is JSON.</summary>
    private static object? HeaderOf(object? value) => value switch
    {
        JsonElement { ValueKind: JsonValueKind.Null or JsonValueKind.Undefined } => null,
        JsonElement { ValueKind: JsonValueKind.String } text => text.GetString(),
        JsonElement { ValueKind: JsonValueKind.True or JsonValueKind.False } truth => truth.GetBoolean(),
        JsonElement { ValueKind: JsonValueKind.Number } number => number.TryGetInt64(out long whole) ? whole : number.GetDouble(),
        JsonElement other => other.GetRawText(),
        string or bool or int or long or double or null => value,
        _ => Convert.ToString(value, CultureInfo.InvariantCulture),
    };

    private static MessageFormatException Bad(string message) => new(MessageFormatErrorCode.Malformed, message, isPoison: true);
}
