using System;
using System.Collections.Concurrent;
using System.Net.Mime;
using System.Runtime.Serialization;
using System.Text;
using System.Text.Json;
using Formatters.Hosting;
using Formatters.Hosting.Buses;
using MassTransit;
using MassTransit.Metadata;
using MassTransit.Serialization;
using BusBody = MassTransit.MessageBody;

namespace Formatters.MassTransit;

/// <summary>Writes and reads the messages of known contracts with formatters, and leaves the others to MassTransit's JSON.</summary>
internal sealed class FormatterMessageSerializer(ContentType contentType, ContractRegistry contracts) : IMessageSerializer, IMessageDeserializer
{
    private static readonly string HostInfo = JsonSerializer.Serialize(HostMetadataCache.Host);
    private static readonly ConcurrentDictionary<string, ContentType> KnownContentTypes = new(StringComparer.Ordinal);

    private readonly SystemTextJsonRawMessageSerializer? _rawJson =
        contentType.MediaType == ContentTypes.Json ? new SystemTextJsonRawMessageSerializer() : null;

    public ContentType ContentType { get; } = contentType;

    public void Probe(ProbeContext context)
    {
        ProbeContext scope = context.CreateScope("formatters");
        scope.Add("contentType", ContentType.MediaType);
        scope.Add("provider", "Formatters");
    }

    public BusBody GetMessageBody<T>(SendContext<T> context)
        where T : class
    {
        if (!contracts.ReadsOnly && contracts.Find(context.Message.GetType()) is { } contract)
        {
            try
            {
                byte[] body = contract.Write(context.Message, out string written);
                return Prepare(context, contract.Name, ContentTypeOf(written), new FormatterMessageBody(body));
            }
            catch (MessageFormatException e)
            {
                throw new SerializationException($"A {contract.Name} cannot be written: {e.Message}", e);
            }
        }

        // The header may have been copied from another message.
        context.Headers.Set(ContractNames.HeaderName, null);
        IMessageSerializer json = SystemTextJsonMessageSerializer.Instance;
        if (context.Serialization is { } serialization && serialization.TryGetMessageSerializer(json.ContentType, out IMessageSerializer? configured))
            json = configured;
        context.ContentType = json.ContentType;
        return json.GetMessageBody(context);
    }

    public ConsumeContext Deserialize(ReceiveContext receiveContext) =>
        new BodyConsumeContext(receiveContext, Deserialize(receiveContext.Body, receiveContext.TransportHeaders, receiveContext.InputAddress));

    public SerializerContext Deserialize(BusBody body, Headers headers, Uri? destinationAddress = null)
    {
        string? name = headers.Get<string>(ContractNames.HeaderName);
        if (name is null)
        {
            return _rawJson?.Deserialize(body, headers, destinationAddress) ?? throw new SerializationException(
                $"A message of content type {ContentType.MediaType} has no contract name: the header '{ContractNames.HeaderName}' is missing.");
        }

        var context = new RawMessageContext(headers, destinationAddress, RawSerializerOptions.CopyHeaders | RawSerializerOptions.AddTransportHeaders);
        return new FormatterSerializerContext(contracts, name, ContentType, body.GetBytes(), context, headers.GetMessageTypes());
    }

    /// <summary>Restores a body that MassTransit has kept as a string, in an outbox.</summary>
    public BusBody GetMessageBody(string text) =>
        _rawJson is not null && text.AsSpan().TrimStart() is ['{' or '[', ..] ? _rawJson.GetMessageBody(text) : new Base64MessageBody(text);

    internal static ContentType ContentTypeOf(string name) => KnownContentTypes.GetOrAdd(name, static name => new ContentType(name));

    /// <summary>Sets the headers of a message whose body is not in an envelope: those of MassTransit's raw serializers, and the contract
    /// name.</summary>
    internal static BusBody Prepare(SendContext context, string contractName, ContentType contentType, BusBody body)
    {
        SendHeaders headers = context.Headers;
        headers.Set(ContractNames.HeaderName, contractName);
        SetId(MessageHeaders.MessageId, context.MessageId);
        SetId(MessageHeaders.CorrelationId, context.CorrelationId);
        SetId(MessageHeaders.ConversationId, context.ConversationId);
        SetId(MessageHeaders.InitiatorId, context.InitiatorId);
        SetId(MessageHeaders.RequestId, context.RequestId);
        if (context.SupportedMessageTypes is { Length: > 0 } types)
            headers.Set(MessageHeaders.MessageType, types.Length == 1 ? types[0] : string.Join(";", types));
        SetAddress(MessageHeaders.ResponseAddress, context.ResponseAddress);
        SetAddress(MessageHeaders.FaultAddress, context.FaultAddress);
        SetAddress(MessageHeaders.SourceAddress, context.SourceAddress);
        headers.Set(MessageHeaders.Host.Info, HostInfo);
        context.ContentType = contentType;
        return body;

        void SetId(string name, Guid? id)
        {
            if (id is { } value)
                headers.Set(name, value.ToString());
        }

        void SetAddress(string name, Uri? address)
        {
            if (address is not null)
                headers.Set(name, address.ToString());
        }
    }
}

/// <summary>A body that a formatter has written. As a string, for an outbox, it is Base64.</summary>
internal sealed class FormatterMessageBody(byte[] bytes) : BusBody
{
    public long? Length => bytes.Length;

    public System.IO.Stream GetStream() => new System.IO.MemoryStream(bytes, writable: false);

    public byte[] GetBytes() => bytes;

    public string GetString() => Convert.ToBase64String(bytes);
}
