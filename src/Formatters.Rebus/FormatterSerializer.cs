using System.Collections.Generic;
using System.Threading.Tasks;
using Formatters.Hosting;
using Formatters.Hosting.Buses;
using Rebus.Exceptions;
using Rebus.Messages;
using Rebus.Serialization;

namespace Formatters.Rebus;

/// <summary>Writes and reads the messages of known contracts with formatters, and leaves the others to another serializer.</summary>
internal sealed class FormatterSerializer(ISerializer inner, ContractRegistry contracts, IMessageTypeNameConvention typeNames) : ISerializer
{
    public Task<TransportMessage> Serialize(Message message)
    {
        if (contracts.ReadsOnly || message.Body is null || contracts.Find(message.Body.GetType()) is not { } contract)
            return inner.Serialize(WithoutContract(message));
        byte[] body = contract.Write(message.Body, out string contentType);
        var headers = new Dictionary<string, string>(message.Headers)
        {
            [Headers.ContentType] = contentType,
            [ContractNames.HeaderName] = contract.Name,
        };
        if (!headers.ContainsKey(Headers.Type))
            headers[Headers.Type] = typeNames.GetTypeName(message.Body.GetType());
        return Task.FromResult(new TransportMessage(headers, body));
    }

    public Task<Message> Deserialize(TransportMessage transportMessage)
    {
        if (!transportMessage.Headers.TryGetValue(ContractNames.HeaderName, out string? name))
            return inner.Deserialize(transportMessage);
        transportMessage.Headers.TryGetValue(Headers.ContentType, out string? contentType);
        object payload;
        try
        {
            payload = contracts.Get(name).Read(transportMessage.Body, contentType);
        }
        catch (MessageFormatException e) when (e.IsPoison)
        {
            throw new FailFastException(e, $"The body of a {name} cannot be read: {e.Message}");
        }

        return Task.FromResult(new Message(new Dictionary<string, string>(transportMessage.Headers), payload));
    }

    /// <summary>Removes the contract name of a message whose headers were copied from another one.</summary>
    private static Message WithoutContract(Message message)
    {
        if (!message.Headers.ContainsKey(ContractNames.HeaderName))
            return message;
        var headers = new Dictionary<string, string>(message.Headers);
        headers.Remove(ContractNames.HeaderName);
        return new Message(headers, message.Body);
    }
}
