using Formatters.Bench.Load;

namespace Formatters.Bench.Senders;

/// <summary>Makes a case of <c>senders</c> a scenario that the load driver can run.</summary>
internal static class SendersScenario
{
    /// <summary>Creates the scenario of a case.</summary>
    /// <param name="item">The case.</param>
    /// <param name="open">Opens the queue once more, for a case that does so for each message.</param>
    /// <param name="begin">Begins a transaction; null without.</param>
    /// <param name="other">The queue that gets the copies or the acknowledgements for which messages ask; null if they ask for none.</param>
    internal static LoadScenario Of(
        SendersCase item,
        QueueClient queue,
        QueueClient receiver,
        Func<CancellationToken, ValueTask<QueueClient>> open,
        Func<CancellationToken, ValueTask<QueueTransaction>>? begin = null,
        string? other = null)
    {
        var bodies = new SendersBodies(item.Variant, item.ByteCount);
        return new LoadScenario
        {
            Name = queue.Address.ToString(),
            Create = Create,
            Read = Read,
            Send = item.OpensEach ? OpenAndSendAsync : (message, _, transaction, token) => queue.SendAsync(message, transaction, token),
            Receive = receiver.ReceiveAsync,
            BeginSend = begin,
            BeginReceive = begin,
            Senders = item.Threads,
            Receivers = item.Receivers,
            PerTransaction = item.PerTransaction,
        };

        QueueMessage Create(long number)
        {
            var message = new QueueMessage(bodies.Write(number));
            if (item.Variant == SendersVariant.SourceJournal)
                message.SourceJournalQueue = other;
            if (item.Variant == SendersVariant.Acknowledged)
            {
                message.AdministrationQueue = other;
                message.AcknowledgeTypes = AcknowledgeTypes.PositiveArrival | AcknowledgeTypes.PositiveReceive;
            }

            return message;
        }

        long? Read(ReceivedMessage message)
        {
            (long number, long byteCount) = bodies.Read(message.Body);
            return byteCount == item.ByteCount
                ? number
                : throw new VerificationException(
                    $"{queue.Address}: message {number} came with {byteCount:#,0} bytes in place of {item.ByteCount:#,0}.");
        }

        async ValueTask OpenAndSendAsync(QueueMessage message, long number, QueueTransaction? transaction, CancellationToken token)
        {
            await using QueueClient opened = await open(token).ConfigureAwait(false);
            await opened.SendAsync(message, transaction, token).ConfigureAwait(false);
        }
    }
}
