using System.Collections.Concurrent;
using Formatters.Hosting;
using Formatters.Hosting.Buses;
using Wolverine;

namespace Formatters.Wolverine;

/// <summary>Chooses the formatter of each message that is sent.</summary>
internal sealed class ContractRule(ContractRegistry contracts) : IEnvelopeRule
{
    private readonly ConcurrentDictionary<PayloadContract, ContractSerializer> _serializers = new();

    public void Modify(Envelope envelope)
    {
        if (contracts.ReadsOnly || envelope.Message is null || contracts.Find(envelope.Message.GetType()) is not { } contract)
        {
            // The header may have been copied from another message.
            if (envelope.Message is not null && envelope.TryGetHeader(ContractNames.HeaderName, out _))
                envelope.Headers.Remove(ContractNames.HeaderName);
            return;
        }

        ContractSerializer serializer = _serializers.GetOrAdd(contract, static contract => new ContractSerializer(contract));
        envelope.Serializer = serializer;
        envelope.ContentType = serializer.ContentType;
        envelope.Headers[ContractNames.HeaderName] = contract.Name;
    }

    public override string ToString() => $"Formatters ({contracts.Format})";
}
