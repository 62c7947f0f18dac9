using System;
using Formatters.Hosting;
using Formatters.Hosting.Buses;
using Wolverine;
using Wolverine.Runtime.Serialization;
using Wolverine.Util;

namespace Formatters.Wolverine;

/// <summary>Reads the messages of known contracts with formatters, and leaves the others to another serializer.</summary>
internal sealed class FormatterMessageSerializer(string contentType, ContractRegistry contracts, IMessageSerializer fallback)
    : IUnwrapsMetadataMessageSerializer
{
    public string ContentType => contentType;

    /// <summary>Sets the message type of a message that has only a contract name.</summary>
    public void Unwrap(Envelope envelope)
    {
        if (envelope.TryGetHeader(ContractNames.HeaderName, out string? name))
            envelope.MessageType = Checked(() => contracts.Get(name!)).PayloadType.ToMessageTypeName();
        else if (contentType == fallback.ContentType)
            fallback.UnwrapEnvelopeIfNecessary(envelope);
    }

    public object ReadFromData(Type messageType, Envelope envelope)
    {
        envelope.TryGetHeader(ContractNames.HeaderName, out string? name);
        if (name is null && contentType == fallback.ContentType)
            return fallback.ReadFromData(messageType, envelope);
        return Checked(() =>
        {
            // The type that Wolverine has found for the message type may not have been added: it has the attribute.
            PayloadContract? ofType = contracts.Find(messageType);
            PayloadContract contract = name is null ? ofType ?? throw Unknown(messageType) : contracts.Get(name);
            object payload = contract.Read(envelope.Data, envelope.ContentType ?? contentType);
            return messageType.IsInstanceOfType(payload) ? payload : throw new MessageFormatException(MessageFormatErrorCode.TypeNotAllowed,
                $"The contract '{contract.Name}' is a {payload.GetType()}, and the message type of the message is {messageType}.");
        });
    }

    public object ReadFromData(byte[] data) => throw new NotSupportedException("A body is read by its message type and contract name.");

    public byte[] Write(Envelope envelope) => WriteMessage(envelope.Message!);

    /// <summary>Writes a message that was sent with this content type explicitly, or that is stored.</summary>
    public byte[] WriteMessage(object message) => contracts.Find(message.GetType()) is { } contract
        ? contract.Write(message, out _)
        : contentType == fallback.ContentType ? fallback.WriteMessage(message) : throw new WolverineSerializationException(
            $"{message.GetType()} has no contract, so that it cannot be written as {contentType}. Add it to the {nameof(ContractRegistry)}.");

    private static MessageFormatException Unknown(Type messageType) => new(MessageFormatErrorCode.UnknownFormat,
        $"{messageType} is not registered here.");

    private static T Checked<T>(Func<T> read)
    {
        try
        {
            return read();
        }
        catch (MessageFormatException e)
        {
            throw new WolverineSerializationException($"The message cannot be read: {e.Message}", e);
        }
    }
}

/// <summary>Writes the messages of one contract.</summary>
internal sealed class ContractSerializer(PayloadContract contract) : IMessageSerializer
{
    public string ContentType { get; } = contract.ContentTypes.Count > 0 ? contract.ContentTypes[0] : ContentTypes.OctetStream;

    public byte[] Write(Envelope envelope)
    {
        byte[] body = contract.Write(envelope.Message!, out string contentType);
        envelope.ContentType = contentType;
        return body;
    }

    public byte[] WriteMessage(object message) => contract.Write(message, out _);

    public object ReadFromData(Type messageType, Envelope envelope) => contract.Read(envelope.Data, envelope.ContentType);

    public object ReadFromData(byte[] data) => contract.Read(data, null);
}
