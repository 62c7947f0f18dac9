using System;
using System.Collections.Generic;
using System.Globalization;
using System.Runtime.CompilerServices;
using System.Text.Json;
using System.Text.Json.Serialization.Metadata;
using Formatters.Hosting;
using Formatters.Hosting.Buses;
using Formatters.Queues;
using Rebus.Extensions;
using Rebus.Messages;

namespace Formatters.Rebus;

/// <summary>Writes and reads Rebus messages on plain queues, so that a program can join or leave a Rebus bus.</summary>
/// <remarks>A Rebus message has its body as it is, and everything else in headers (<c>rbs2-...</c>), whose values are strings. On RabbitMQ, the input
/// queue of an endpoint is a queue like any other.</remarks>
public static class RebusEnvelope
{
    private const string BusContentType = "application/json;charset=utf-8";

    // The options of Rebus's own serializer, with a contract by reflection as it has.
    private static readonly JsonOptions BusJson = new()
    {
        SerializerOptions = new JsonSerializerOptions
        {
            AllowTrailingCommas = true,
            ReadCommentHandling = JsonCommentHandling.Skip,
            TypeInfoResolver = new DefaultJsonTypeInfoResolver(),
        },
    };

    private static readonly ConditionalWeakTable<PayloadContract, IMessageFormatter> BusFormatters = [];

    /// <summary>Creates a message that an endpoint with <c>UseFormatters</c> handles.</summary>
    /// <param name="contracts">The contracts; their formatter writes the body.</param>
    /// <param name="payload">The payload.</param>
    /// <param name="messageType">The value of <c>rbs2-msg-type</c>; null for Rebus's default, the name of the type with that of its assembly.</param>
    /// <returns>A message with the headers that Rebus needs. Set <see cref="QueueMessage.ResponseQueue"/> for replies.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="contracts"/> or <paramref name="payload"/> is null.</exception>
    /// <exception cref="ArgumentException">The type of the payload is not in the registry.</exception>
    /// <exception cref="MessageFormatException">The payload cannot be written.</exception>
    public static QueueMessage Create(ContractRegistry contracts, object payload, string? messageType = null)
    {
        PayloadContract contract = ContractOf(contracts, payload);
        byte[] body = contract.Write(payload, out string contentType);
        QueueMessage message = Create(new MessageBody(body, contentType: contentType), payload.GetType(), messageType);
        message.Headers[ContractNames.HeaderName] = contract.Name;
        return message;
    }

    /// <summary>Creates a message that any endpoint handles, with the JSON that Rebus writes by default (System.Text.Json).</summary>
    /// <inheritdoc cref="Create(ContractRegistry, object, string)"/>
    public static QueueMessage CreateJson(ContractRegistry contracts, object payload, string? messageType = null)
    {
        var body = new MessageBody();
        BusFormatterOf(ContractOf(contracts, payload)).Write(body, payload);
        body.ContentType = BusContentType;
        body.BodyType = 0;
        return Create(body, payload.GetType(), messageType);
    }

    /// <summary>Reads the payload of a message of Rebus: a body of a formatter, or JSON as Rebus writes it by default.</summary>
    /// <param name="contracts">The contracts. A message without a contract name is identified by <c>rbs2-msg-type</c>: the name of the type with
    /// that of its assembly, or a contract name.</param>
    /// <param name="message">The message, as it was received.</param>
    /// <returns>The payload.</returns>
    /// <exception cref="ArgumentNullException">An argument is null.</exception>
    /// <exception cref="MessageFormatException">The body cannot be read, or the contract is not in the registry.</exception>
    public static object Read(ContractRegistry contracts, QueueMessage message)
    {
        ArgumentNullException.ThrowIfNull(contracts);
        ArgumentNullException.ThrowIfNull(message);
        ReadOnlyMemory<byte> bytes = message.Body.Bytes.IsSingleSegment ? message.Body.Bytes.First : message.Body.ToArray();
        string? contentType = TextOf(message, Headers.ContentType) ?? message.Body.ContentType;
        if (TextOf(message, ContractNames.HeaderName) is { } name)
            return contracts.Get(name).Read(bytes, contentType);
        string type = TextOf(message, Headers.Type) ?? throw new MessageFormatException(
            MessageFormatErrorCode.UnknownFormat, $"The message has neither the header '{ContractNames.HeaderName}' nor '{Headers.Type}'.");
        PayloadContract contract = FindByType(contracts, type) ?? contracts.Get(type);
        var body = new MessageBody(bytes, contentType: contentType);
        if (!body.HasContentType(ContentTypes.Json) || (contentType!.Contains("charset", StringComparison.OrdinalIgnoreCase)
            && !contentType.Contains("utf-8", StringComparison.OrdinalIgnoreCase)))
        {
            throw new MessageFormatException(
                MessageFormatErrorCode.UnknownFormat,
                $"The body of a {contract.Name} without the header '{ContractNames.HeaderName}' is not JSON in UTF-8.");
        }

        return BusFormatterOf(contract).Read(body)!;
    }

    /// <summary>Converts a message that was received from a plain queue into one for Rebus.</summary>
    /// <param name="message">The message. Its body must not change while the result is in use.</param>
    /// <returns>The body, and the headers as strings. Properties of the message become headers that are missing: the message id, correlation id,
    /// response queue, content type, time to live and time of sending.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="message"/> is null.</exception>
    /// <exception cref="ArgumentException">A header is not a string, number or Boolean.</exception>
    public static TransportMessage ToTransportMessage(this QueueMessage message)
    {
        ArgumentNullException.ThrowIfNull(message);
        var headers = new Dictionary<string, string>(StringComparer.Ordinal);
        if (message.HasHeaders)
        {
            foreach ((string name, object value) in message.Headers)
                headers.Add(name, TextOf(name, value));
        }

        Add(Headers.MessageId, message.MessageId ?? Guid.NewGuid().ToString());
        Add(Headers.CorrelationId, message.CorrelationId);
        Add(Headers.ReturnAddress, message.ResponseQueue);
        Add(Headers.ContentType, message.Body.ContentType);
        Add(Headers.TimeToBeReceived, message.TimeToLive?.ToString("c"));
        Add(Headers.SentTime, (message as ReceivedMessage)?.SentTime?.ToString("O"));
        return new TransportMessage(headers, message.Body.ToArray());

        void Add(string name, string? value)
        {
            if (value is not null)
                headers.TryAdd(name, value);
        }
    }

    /// <summary>Converts a message of Rebus into one for a plain queue.</summary>
    /// <param name="message">The message. Its body must not change until the result is sent.</param>
    /// <returns>The body and all headers. The message id, correlation id, return address, content type and time to be received are also set as
    /// properties.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="message"/> is null.</exception>
    public static QueueMessage ToQueueMessage(this TransportMessage message)
    {
        ArgumentNullException.ThrowIfNull(message);
        message.Headers.TryGetValue(Headers.ContentType, out string? contentType);
        var result = new QueueMessage(new MessageBody(message.Body, contentType: contentType))
        {
            MessageId = Find(Headers.MessageId),
            CorrelationId = Find(Headers.CorrelationId),
            ResponseQueue = Find(Headers.ReturnAddress),
        };
        foreach ((string name, string value) in message.Headers)
        {
            if (value is not null)
                result.Headers[name] = value;
        }

        if (TimeSpan.TryParse(Find(Headers.TimeToBeReceived), CultureInfo.InvariantCulture, out TimeSpan time) && time > TimeSpan.Zero)
            result.TimeToLive = time;
        return result;

        string? Find(string name) => message.Headers.GetValueOrDefault(name);
    }

    private static QueueMessage Create(MessageBody body, Type type, string? messageType)
    {
        string id = Guid.NewGuid().ToString();
        return new QueueMessage(body)
        {
            MessageId = id,
            CorrelationId = id,
            Headers =
            {
                [Headers.MessageId] = id,
                [Headers.CorrelationId] = id,
                [Headers.CorrelationSequence] = "0",
                [Headers.ContentType] = body.ContentType!,
                [Headers.Type] = messageType ?? type.GetSimpleAssemblyQualifiedName(),
                [Headers.Intent] = Headers.IntentOptions.PointToPoint,
                [Headers.SentTime] = DateTimeOffset.Now.ToString("O"),
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

    private static PayloadContract? FindByType(ContractRegistry contracts, string type)
    {
        foreach (PayloadContract contract in contracts.Contracts)
        {
            if (string.Equals(contract.PayloadType.GetSimpleAssemblyQualifiedName(), type, StringComparison.Ordinal))
                return contract;
        }

        return null;
    }

    private static IMessageFormatter BusFormatterOf(PayloadContract contract) =>
        BusFormatters.GetValue(contract, static contract => contract.CreateJsonFormatter(BusJson));

    private static string? TextOf(QueueMessage message, string name) =>
        message.HasHeaders && message.Headers.TryGetValue(name, out object? value) ? value as string : null;

    private static string TextOf(string name, object value) => value switch
    {
        string text => text,
        IFormattable or bool => Convert.ToString(value, CultureInfo.InvariantCulture)!,
        _ => throw new ArgumentException($"The header {name} is a {value.GetType()}. Headers of Rebus are strings.", nameof(value)),
    };
}
