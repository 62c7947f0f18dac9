using System.Diagnostics.CodeAnalysis;

namespace Formatters.TradeEngine.Drivers;

/// <summary>Takes the CLS out of their queue, and counts them by trade.</summary>
internal sealed class ClearingSink(EngineQueues queues, MessageFormats formats)
{
    private readonly Dictionary<TradeKey, Counts> _trades = [];
    private readonly HashSet<string> _unsure = new(StringComparer.Ordinal);
    private readonly object _gate = new();
    private ClearingMessage? _message;
    private long _received;
    private long _repeated;

    /// <summary>Called for each trade that gets its first CLS.</summary>
    internal Action<TradeTerms>? Cleared { get; init; }

    /// <summary>The addresses of the queues of participants, by their codes: both parties of a trade hear what became of it.</summary>
    internal IReadOnlyDictionary<string, string> Participants { get; init; } = new Dictionary<string, string>();

    /// <summary>How many messages came.</summary>
    internal long ReceivedCount => Interlocked.Read(ref _received);

    /// <summary>How many messages came that had come before, by their number of the trade.</summary>
    internal long RepeatedCount => Interlocked.Read(ref _repeated);

    /// <summary>How many trades have exactly one CLS that holds.</summary>
    internal int ClearedCount
    {
        get
        {
            lock (_gate)
                return _trades.Values.Count(counts => counts.News - counts.Cancels == 1);
        }
    }

    /// <summary>Trades that have more than one CLS that holds, or more taken back than sent.</summary>
    internal IReadOnlyList<TradeKey> Wrong
    {
        get
        {
            lock (_gate)
                return [.. _trades.Where(trade => trade.Value.News - trade.Value.Cancels is not (0 or 1)).Select(trade => trade.Key)];
        }
    }

    /// <summary>How many CLS were taken back.</summary>
    internal long CancelledCount
    {
        get
        {
            lock (_gate)
                return _trades.Values.Sum(counts => (long)counts.Cancels);
        }
    }

    /// <summary>The retries after transient failures of the queue.</summary>
    internal Retries Retries { get; init; } = new();

    /// <exception cref="QueueException">The queue has failed for good.</exception>
    internal Task RunAsync(CancellationToken cancellationToken) =>
        Retries.RepeatAsync(async () => await RunOnceAsync(TimeSpan.FromMilliseconds(200), cancellationToken), cancellationToken);

    /// <summary>Takes what is there, up to a batch.</summary>
    internal async ValueTask<int> RunOnceAsync(TimeSpan timeout, CancellationToken cancellationToken)
    {
        await using WorkBatch batch =
            await WorkBatch.ReceiveAsync(queues.Clearings, queues.AreClearingsTransactional, 256, timeout, cancellationToken);
        if (batch.Messages.Count == 0)
            return 0;
        if (Participants.Count > 0)
            await ConfirmAsync(batch, cancellationToken);
        try
        {
            await batch.CompleteAsync();
        }
        catch (QueueException e) when (e.OutcomeUnknown)
        {
            // They count now, and not again if they come again.
            foreach (ReceivedMessage message in batch.Messages)
            {
                if (message.MessageId is { } id && _unsure.Add(id))
                    Take(message);
            }

            throw;
        }

        foreach (ReceivedMessage message in batch.Messages)
        {
            if (message.MessageId is not { } id || !_unsure.Remove(id))
                Take(message);
        }

        return batch.Messages.Count;
    }

    [MemberNotNull(nameof(_message))]
    private ClearingMessage Read(ReceivedMessage message)
    {
        ReadOnlyMemory<byte> body = message.Body.Bytes.IsSingleSegment ? message.Body.Bytes.First : message.Body.ToArray();
        formats.Clearings.ReadOrClear(body.Span, ref _message);
        return _message;
    }

    /// <summary>Tells both parties, with the batch where the queues are of one place.</summary>
    private async ValueTask ConfirmAsync(WorkBatch batch, CancellationToken cancellationToken)
    {
        foreach (ReceivedMessage message in batch.Messages)
        {
            ClearingMessage clearing = Read(message);
            bool isMatched = clearing.Header.Variant != MessageVariant.Cancel;
            foreach (string participant in (string[])[clearing.Terms.ExecutingBroker, clearing.Terms.InvestmentManager])
            {
                if (!Participants.TryGetValue(participant, out string? address))
                    continue;
                var reply = new ReplyMessage
                {
                    Header = new MessageHeader
                    {
                        MessageId = "R" + clearing.Header.MessageId,
                        Type = MessageType.Clearing,
                        Variant = isMatched ? MessageVariant.Confirm : MessageVariant.Cancel,
                        Version = clearing.Header.Version,
                        Sender = clearing.Header.Sender,
                        Receiver = participant,
                        CreatedAt = clearing.Header.CreatedAt,
                    },
                    AnsweredMessageId = clearing.Header.MessageId,
                    TradeReference = clearing.Terms.TradeReference,
                };
                QueueClient queue = await queues.OpenResponseAsync(address);
                var confirmation = new QueueMessage(
                    new MessageBody(formats.Replies.Write(reply), formats.Replies.BodyType, formats.Replies.ContentType))
                {
                    Label = reply.Header.Variant.ToString(),
                    CorrelationId = clearing.Header.MessageId,
                };
                if (queues.AreClearingsTransactional == queues.IsTransactional)
                    batch.Send(queue, confirmation);
                else
                    await queue.SendAsync(confirmation, null, cancellationToken);
            }
        }
    }

    private void Take(ReceivedMessage message)
    {
        TradeTerms terms = Read(message).Terms;
        PackedCode.TryPack(terms.ExecutingBroker, out long broker);
        PackedCode.TryPack(terms.TradeReference, out long reference);
        var key = new TradeKey(broker, terms.TradeDate, reference);
        bool isFirst;
        lock (_gate)
        {
            isFirst = !_trades.TryGetValue(key, out Counts counts);
            _trades[key] = _message.Header.Variant == MessageVariant.Cancel
                ? counts with { Cancels = counts.Cancels + 1, SeenCancels = See(counts.SeenCancels) }
                : counts with { News = counts.News + 1, SeenNews = See(counts.SeenNews) };
        }

        Interlocked.Increment(ref _received);
        if (isFirst)
            Cleared?.Invoke(terms);

        uint See(uint seen)
        {
            // The first 32 times that a trade was matched: none is changed more often.
            uint bit = 1u << (_message.Header.Version & 31);
            if ((seen & bit) != 0)
                Interlocked.Increment(ref _repeated);
            return seen | bit;
        }
    }

    private readonly record struct Counts(int News, int Cancels, uint SeenNews, uint SeenCancels);
}
