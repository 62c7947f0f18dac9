using System.Collections.Concurrent;

namespace Formatters.TradeEngine.Drivers;

/// <summary>The participants' side: hears what became of messages and trades.</summary>
internal sealed class ParticipantStub(EngineQueues queues, MessageFormats formats, string address)
{
    private readonly ConcurrentDictionary<string, int> _acknowledged = new(StringComparer.Ordinal);
    private readonly ConcurrentDictionary<string, string> _rejected = new(StringComparer.Ordinal);
    private readonly ConcurrentDictionary<(string Trade, string Participant), (int Confirmed, int Cancelled)> _trades = new();

    /// <summary>How often each message was acknowledged.</summary>
    internal IReadOnlyDictionary<string, int> Acknowledged => _acknowledged;

    /// <summary>Why messages were rejected, by their ids as far as they could be read.</summary>
    internal IReadOnlyDictionary<string, string> Rejected => _rejected;

    /// <summary>The trades whose matching holds, for each participant that has heard of it.</summary>
    internal IReadOnlyList<(string Trade, string Participant)> Confirmed =>
        [.. _trades.Where(trade => trade.Value.Confirmed > trade.Value.Cancelled).Select(trade => trade.Key)];

    /// <summary>Takes what is there.</summary>
    internal async Task DrainAsync(CancellationToken cancellationToken = default)
    {
        QueueClient queue = await queues.OpenResponseAsync(address);
        while (true)
        {
            await using WorkBatch batch =
                await WorkBatch.ReceiveAsync(queue, queues.IsTransactional, 256, TimeSpan.FromMilliseconds(100), cancellationToken);
            if (batch.Messages.Count == 0)
                return;
            foreach (ReceivedMessage message in batch.Messages)
                Take(formats.Replies.Read(message.Body.Bytes));
            await batch.CompleteAsync();
        }
    }

    private void Take(ReplyMessage reply)
    {
        (string, string) trade = (reply.TradeReference, reply.Header.Receiver);
        switch (reply.Header.Variant)
        {
            case MessageVariant.Acknowledge:
                _acknowledged.AddOrUpdate(reply.AnsweredMessageId, 1, (_, count) => count + 1);
                break;
            case MessageVariant.Reject:
                _rejected[reply.AnsweredMessageId] = reply.Reason;
                break;
            case MessageVariant.Confirm:
                _trades.AddOrUpdate(trade, (1, 0), (_, counts) => (counts.Confirmed + 1, counts.Cancelled));
                break;
            default:
                _trades.AddOrUpdate(trade, (0, 1), (_, counts) => (counts.Confirmed, counts.Cancelled + 1));
                break;
        }
    }
}
