using System;
using System.Globalization;
using System.Runtime.CompilerServices;
using System.Text.Json;
using System.Text.Json.Serialization.Metadata;
using Formatters.Hosting;
using Formatters.Hosting.Buses;
using Formatters.Queues;
using Wolverine;
using Wolverine.Runtime.Serialization;
using Wolverine.Util;

namespace Formatters.Wolverine;

/// <summary>Writes and reads Wolverine messages on plain queues, so that a program can join or leave a Wolverine bus.</summary>
/// <remarks>A Wolverine message has its body as it is, and everything else in headers. Over RabbitMQ, the message type is the AMQP property
/// <c>type</c>, which the queues of <c>Formatters.Queues.RabbitMQ</c> show as the header <see cref="TypeHeader"/>.</remarks>
public static class WolverineEnvelope
{
    /// <summary>The header that is the AMQP property <c>type</c>: <c>AmqpType</c>.</summary>
    public const string TypeHeader = "AmqpType";

    // As Wolverine's mappers write it.
    private const string TimeFormat = "yyyy-MM-dd HH:mm:ss:ffffff Z";

    private static readonly JsonOptions BusJson = new() { SerializerOptions = BusSerializerOptions() };
    private static readonly ConditionalWeakTable<PayloadContract, IMessageFormatter> BusFormatters = [];

    /// <summary>Creates a message that an endpoint with <c>UseFormatters</c> handles.</summary>
    /// <param name="contracts">The contracts; their formatter writes the body.</param>
    /// <param name="payload">The payload.</param>
    /// <returns>A message with the headers that Wolverine needs. For a reply, add <c>reply-uri</c>, an address of Wolverine.</returns>
    /// <exception cref="ArgumentNullException">An argument is null.</exception>
    /// <exception cref="ArgumentException">The type of the payload is not in the registry.</exception>
    /// <exception cref="MessageFormatException">The payload cannot be written.</exception>
    public static QueueMessage Create(ContractRegistry contracts, object payload)
    {
        PayloadContract contract = ContractOf(contracts, payload);
        byte[] body = contract.Write(payload, out string contentType);
        QueueMessage message = Create(new MessageBody(body, contentType: contentType), payload.GetType());
        message.Headers[ContractNames.HeaderName] = contract.Name;
        return message;
    }

    /// <summary>Creates a message that any endpoint handles, with the JSON that Wolverine writes by default.</summary>
    /// <inheritdoc cref="Create(ContractRegistry, object)"/>
    public static QueueMessage CreateJson(ContractRegistry contracts, object payload)
    {
        var body = new MessageBody();
        BusFormatterOf(ContractOf(contracts, payload)).Write(body, payload);
        body.BodyType = 0;
        return Create(body, payload.GetType());
    }

    /// <summary>Reads the payload of a message of Wolverine: a body of a formatter, or JSON as Wolverine writes it by default.</summary>
    /// <param name="contracts">The contracts. A message without a contract name is identified by its message type: that of Wolverine (the full
    /// name of the type, unless <c>[MessageIdentity]</c> gives another one), or a contract name.</param>
    /// <param name="message">The message, as it was received.</param>
    /// <returns>The payload.</returns>
    /// <exception cref="ArgumentNullException">An argument is null.</exception>
    /// <exception cref="MessageFormatException">The body cannot be read, or the contract is not in the registry.</exception>
    public static object Read(ContractRegistry contracts, QueueMessage message)
    {
        ArgumentNullException.ThrowIfNull(contracts);
        ArgumentNullException.ThrowIfNull(message);
        if (TextOf(message, ContractNames.HeaderName) is { } name)
        {
            ReadOnlyMemory<byte> bytes = message.Body.Bytes.IsSingleSegment ? message.Body.Bytes.First : message.Body.ToArray();
            return contracts.Get(name).Read(bytes, message.Body.ContentType);
        }

        string type = TextOf(message, EnvelopeConstants.MessageTypeKey) ?? TextOf(message, TypeHeader) ?? throw new MessageFormatException(
            MessageFormatErrorCode.UnknownFormat,
            $"The message has neither the header '{ContractNames.HeaderName}' nor a message type of Wolverine.");
        PayloadContract contract = FindByType(contracts, type) ?? contracts.Get(type);
        if (!message.Body.HasContentType(ContentTypes.Json))
        {
            throw new MessageFormatException(
                MessageFormatErrorCode.UnknownFormat, $"The body of a {contract.Name} without the header '{ContractNames.HeaderName}' is not JSON.");
        }

        return BusFormatterOf(contract).Read(message.Body)!;
    }

    private static JsonSerializerOptions BusSerializerOptions()
    {
        JsonSerializerOptions options = SystemTextJsonSerializer.DefaultOptions();
        options.TypeInfoResolver = new DefaultJsonTypeInfoResolver();
        return options;
    }

    private static QueueMessage Create(MessageBody body, Type type)
    {
        string id = Guid.NewGuid().ToString(), typeName = type.ToMessageTypeName();
        return new QueueMessage(body)
        {
            MessageId = id,
            Headers =
            {
                [EnvelopeConstants.IdKey] = id,
                [EnvelopeConstants.MessageTypeKey] = typeName,
                [TypeHeader] = typeName,
                [EnvelopeConstants.ContentTypeKey] = body.ContentType!,
                [EnvelopeConstants.SentAtKey] = DateTimeOffset.UtcNow.ToString(TimeFormat, CultureInfo.InvariantCulture),
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
            if (string.Equals(contract.PayloadType.ToMessageTypeName(), type, StringComparison.Ordinal))
                return contract;
        }

        return null;
    }

    private static IMessageFormatter BusFormatterOf(PayloadContract contract) =>
        BusFormatters.GetValue(contract, static contract => contract.CreateJsonFormatter(BusJson));

    private static string? TextOf(QueueMessage message, string name) =>
        message.HasHeaders && message.Headers.TryGetValue(name, out object? value) ? value as string : null;
}
