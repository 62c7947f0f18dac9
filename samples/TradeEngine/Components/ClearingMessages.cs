using Formatters.TradeEngine.Building;
using Formatters.TradeEngine.Store;

namespace Formatters.TradeEngine.Components;

internal static class ClearingMessages
{
    /// <summary>The CLS for what the store has found, or the one that takes it back.</summary>
    internal static QueueMessage Make(MessageFormats formats, Emission emission)
    {
        TradeTerms terms = emission.Terms.ToTerms();
        bool isMatched = emission.Transition == Transition.Matched;
        var clearing = new ClearingMessage
        {
            Header = new MessageHeader
            {
                MessageId = string.Create(CultureInfo.InvariantCulture, $"{(isMatched ? 'C' : 'U')}{terms.TradeReference}N{emission.Number}"),
                Type = MessageType.Clearing,
                Variant = isMatched ? MessageVariant.New : MessageVariant.Cancel,
                Version = emission.Number,
                Sender = TradeBuilder.Utility,
                Receiver = terms.ExecutingBroker,
                CreatedAt = DateTime.UtcNow,
            },
            Terms = terms,
        };
        MessageFormatter<ClearingMessage> formatter = formats.Clearings;
        return new QueueMessage(new MessageBody(formatter.Write(clearing), formatter.BodyType, formatter.ContentType))
        {
            Label = "CLS",
            // The same each time this is told: a receiver of a queue without transactions knows what it has already.
            CorrelationId = clearing.Header.MessageId,
        };
    }
}
