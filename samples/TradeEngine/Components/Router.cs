using Formatters.Envelopes;
using Formatters.TradeEngine.Signing;

namespace Formatters.TradeEngine.Components;

/// <summary>Takes messages in: verifies their signature and sends them on, without it, to the queue of their type.</summary>
/// <remarks>Nothing of a message is read but its label. A component holds what the body says against it.</remarks>
internal sealed class Router : Station
{
    private readonly SignedBodyReader _signatures;
    private readonly IReadOnlyDictionary<MessageType, StationMeter> _next;
    private readonly int[] _sent = new int[(int)MessageType.Clearing];

    /// <param name="key">Verifies.</param>
    /// <param name="next">Of the components, for what arrives there.</param>
    internal Router(EngineQueues queues, EngineOptions options, int number, SigningKey key, StationMeter meter, IReadOnlyDictionary<MessageType,
        StationMeter> next)
        : base(queues, options, meter)
    {
        Input = queues.Inbound[number % queues.Inbound.Count];
        _signatures = new SignedBodyReader(options.Formats, key);
        _next = next;
    }

    private protected override QueueClient Input { get; }

    private protected override ValueTask ProcessAsync(WorkBatch batch, CancellationToken cancellationToken)
    {
        Array.Clear(_sent);
        foreach (ReceivedMessage message in batch.Messages)
        {
            ReadOnlyMemory<byte> body;
            try
            {
                body = _signatures.Read(message.Body.Bytes);
            }
            catch (MessageFormatException e)
            {
                Refuse(batch, message, message.MessageId, ExceptionReason.SignatureInvalid, e.Message);
                continue;
            }

            var inner = new QueueMessage(new MessageBody(body, Options.Formats.BodyType, Options.Formats.ContentType))
            {
                Label = message.Label,
                CorrelationId = message.MessageId,
                ResponseQueue = message.ResponseQueue,
            };
            MessageType type = MessageTypes.TypeOf(message.Label);
            if (!Queues.ByType.TryGetValue(type, out QueueClient? queue))
            {
                Refuse(batch, inner, message.MessageId, ExceptionReason.UnknownType, $"The label '{message.Label}' is not NOE, ALC, NPR or SET.");
                continue;
            }

            batch.Send(queue, inner);
            _sent[(int)type]++;
        }

        if (Options.BundleSize > 1)
        {
            foreach (QueueClient queue in Queues.ByType.Values)
                batch.Bundle(queue, Options.BundleSize);
        }

        return default;
    }

    private protected override void CountSent()
    {
        foreach ((MessageType type, StationMeter meter) in _next)
            meter.AddArrivals(_sent[(int)type]);
    }
}
