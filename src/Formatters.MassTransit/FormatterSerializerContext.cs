using System;
using System.Collections.Generic;
using System.Diagnostics.CodeAnalysis;
using System.Linq;
using System.Net.Mime;
using System.Runtime.Serialization;
using System.Text.Json;
using Formatters.Hosting;
using Formatters.Hosting.Buses;
using MassTransit;
using MassTransit.Serialization;
using BusBody = MassTransit.MessageBody;
using BusContext = MassTransit.MessageContext;

namespace Formatters.MassTransit;

/// <summary>A received message with a body of a formatter.</summary>
internal sealed class FormatterSerializerContext : BaseSerializerContext
{
    private readonly ContractRegistry _contracts;
    private readonly string _name;
    private readonly ContentType _contentType;
    private readonly byte[] _body;
    private object? _payload;

    internal FormatterSerializerContext(
        ContractRegistry contracts, string name, ContentType contentType, byte[] body, BusContext context, string[] messageTypes)
        : base(SystemTextJsonMessageSerializer.Instance, context, messageTypes)
    {
        _contracts = contracts;
        _name = name;
        _contentType = contentType;
        _body = body;
        if (contracts.Find(name) is { } contract)
            _payload = Read(contract);
    }

    public override bool IsSupportedMessageType<T>() => IsSupportedMessageType(typeof(T));

    public override bool IsSupportedMessageType(Type messageType)
    {
        // The consumer's type may not have been added: it has the attribute.
        if (_payload is null && _contracts.Find(messageType) is { } contract && contract == _contracts.Find(_name))
            _payload = Read(contract);
        return messageType.IsInstanceOfType(_payload);
    }

    public override bool TryGetMessage<T>(out T? message)
        where T : class
    {
        message = IsSupportedMessageType(typeof(T)) ? (T?)_payload : null;
        return message is not null;
    }

    public override bool TryGetMessage(Type messageType, [NotNullWhen(true)] out object? message)
    {
        message = IsSupportedMessageType(messageType) ? _payload : null;
        return message is not null;
    }

    /// <summary>Returns a serializer that sends this message on.</summary>
    public override IMessageSerializer GetMessageSerializer() => new SameBodySerializer(_name, _contentType, _body, SupportedMessageTypes);

    public override IMessageSerializer GetMessageSerializer<T>(MessageEnvelope envelope, T message)
    {
        var serializer = new SystemTextJsonBodyMessageSerializer(
            envelope, SystemTextJsonMessageSerializer.JsonContentType, SystemTextJsonMessageSerializer.Options);
        serializer.Overlay(message);
        return serializer;
    }

    public override IMessageSerializer GetMessageSerializer(object message, string[] messageTypes)
    {
        if (!_contracts.ReadsOnly && _contracts.Find(message.GetType()) is { } contract)
        {
            byte[] body = contract.Write(message, out string contentType);
            return new SameBodySerializer(contract.Name, FormatterMessageSerializer.ContentTypeOf(contentType), body, messageTypes);
        }

        return new SystemTextJsonBodyMessageSerializer(new JsonMessageEnvelope(this, message, messageTypes),
            SystemTextJsonMessageSerializer.JsonContentType, SystemTextJsonMessageSerializer.Options, messageTypes);
    }

    public override Dictionary<string, object> ToDictionary<T>(T? message)
        where T : class => message is null
        ? new Dictionary<string, object>(StringComparer.OrdinalIgnoreCase)
        : JsonSerializer.SerializeToElement(message, SystemTextJsonMessageSerializer.Options).Deserialize<Dictionary<string, object>>()!;

    private object Read(PayloadContract contract)
    {
        try
        {
            return contract.Read(_body, _contentType.MediaType);
        }
        catch (MessageFormatException e)
        {
            throw new SerializationException($"The body of a {_name} cannot be read: {e.Message}", e);
        }
    }

    /// <summary>Sends bytes that are written already.</summary>
    private sealed class SameBodySerializer(string name, ContentType contentType, byte[] body, string[] messageTypes) : IMessageSerializer
    {
        public ContentType ContentType => contentType;

        public BusBody GetMessageBody<T>(SendContext<T> context)
            where T : class
        {
            if (messageTypes.Length > 0)
                context.SupportedMessageTypes = messageTypes;
            return FormatterMessageSerializer.Prepare(context, name, contentType, new FormatterMessageBody(body));
        }
    }
}
