using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using Formatters.Bench.Measurement;
using Formatters.Queues;

namespace Formatters.Bench.Senders;

/// <summary>Senders for a time, and then as many receivers; every message has a number, and each number comes once.</summary>
/// <param name="item">The case.</param>
/// <param name="open">Opens the queue once more, for a case that does so for each message.</param>
/// <param name="begin">Begins a transaction; null without.</param>
/// <param name="clock">Tells how long it takes.</param>
/// <param name="sender">The sender's own number, where each is a process.</param>
/// <param name="other">The queue that gets the copies or the acknowledgements for which the messages of a case ask; null if they ask for none.</param>
internal sealed class SendersLoad(
    SendersCase item,
    Func<CancellationToken, ValueTask<IMessageQueue>> open,
    Func<CancellationToken, ValueTask<QueueTransaction>>? begin,
    TimeProvider clock,
    int sender = 0,
    string? other = null)
{
    /// <summary>A message's number has the sender's above these bits.</summary>
    internal const int SenderShift = 40;

    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(5);
    private static readonly TimeSpan ShortPatience = TimeSpan.FromMilliseconds(100);

    private readonly SendersBodies _bodies = new(item.Variant, item.ByteCount);

    /// <summary>Lets the senders send, each at least one transaction or message.</summary>
    /// <returns>How many messages were sent, and how long it took.</returns>
    internal async Task<(long Count, TimeSpan Elapsed)> SendAsync(IMessageQueue queue, TimeSpan time, int maxCount, CancellationToken cancellationToken)
    {
        var numbers = new Numbers(sender);
        long start = clock.GetTimestamp();
        await RunAsync(item.Threads, token => SendUntilAsync(queue, numbers, start, time, maxCount, token), cancellationToken);
        return (numbers.Count, clock.GetElapsedTime(start));
    }

    /// <summary>Lets the receivers receive for a time, or until all has come.</summary>
    /// <param name="queue">The queue.</param>
    /// <param name="sent">How many messages were sent by each sender, numbered by sender.</param>
    /// <param name="time">How long.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <returns>How many messages came, and how long it took.</returns>
    /// <exception cref="VerificationException">A message did not come, came twice, or was never sent.</exception>
    internal async Task<(long Count, TimeSpan Elapsed)> ReceiveAsync(IMessageQueue queue, IReadOnlyList<long> sent, TimeSpan time, CancellationToken cancellationToken)
    {
        var lists = new List<List<long>>();
        long total = sent.Sum();
        long claimed = 0;
        long start = clock.GetTimestamp();
        await RunAsync(item.Receivers, ReceiveUntilAsync, cancellationToken);
        TimeSpan elapsed = clock.GetElapsedTime(start);
        Check(lists, sent);
        return (lists.Sum(list => (long)list.Count), elapsed);

        async Task ReceiveUntilAsync(CancellationToken token)
        {
            List<long> numbers = Add(lists);
            do
            {
                // Who has a claim waits for a message that is there; who has none would wait in vain.
                int count = (int)Math.Min(item.PerTransaction, Math.Max(0, total - Interlocked.Add(ref claimed, item.PerTransaction) + item.PerTransaction));
                if (count == 0)
                    return;
                await using QueueTransaction? transaction = begin is null ? null : await begin(token).ConfigureAwait(false);
                for (int i = 0; i < count; i++)
                {
                    ReceivedMessage message = await queue.ReceiveAsync(Patience, transaction, token).ConfigureAwait(false)
                        ?? throw new VerificationException($"{queue.Address}: {total:#,0} messages were sent, and one of them did not come within {Patience.TotalSeconds:0} s.");
                    numbers.Add(NumberOf(queue, message));
                }

                if (transaction is not null)
                    await transaction.CommitAsync(token).ConfigureAwait(false);
            }
            while (clock.GetElapsedTime(start) < time);
        }
    }

    /// <summary>Lets the senders send while the receivers wait, and until all has come.</summary>
    /// <param name="queue">Where to.</param>
    /// <param name="receiver">Where from: a handle of its own.</param>
    /// <param name="time">How long messages are sent.</param>
    /// <param name="maxCount">How many at most.</param>
    /// <param name="cancellationToken">Ends the run.</param>
    /// <returns>How many messages there were, how long sending took, and how long it took until the last had come.</returns>
    /// <exception cref="VerificationException">A message did not come, came twice, or was never sent.</exception>
    internal async Task<(long Count, TimeSpan Sending, TimeSpan All)> SendAndReceiveAsync(
        IMessageQueue queue, IMessageQueue receiver, TimeSpan time, int maxCount, CancellationToken cancellationToken)
    {
        var numbers = new Numbers(sender);
        var lists = new List<List<long>>();
        long received = 0;
        long last = 0;
        TimeSpan sending = TimeSpan.Zero;
        bool isSent = false;
        long start = clock.GetTimestamp();
        await Task.WhenAll(SendAllAsync(), RunAsync(item.Receivers, ReceiveUntilAsync, cancellationToken));
        Check(lists, [numbers.Count]);
        return (numbers.Count, sending, clock.GetElapsedTime(start, Interlocked.Read(ref last)));

        async Task SendAllAsync()
        {
            try
            {
                await RunAsync(item.Threads, token => SendUntilAsync(queue, numbers, start, time, maxCount, token), cancellationToken);
                sending = clock.GetElapsedTime(start);
            }
            finally
            {
                Volatile.Write(ref isSent, true);
            }
        }

        async Task ReceiveUntilAsync(CancellationToken token)
        {
            List<long> mine = Add(lists);
            long patience = clock.GetTimestamp();
            while (!Volatile.Read(ref isSent) || Interlocked.Read(ref received) < numbers.Count)
            {
                if (await receiver.ReceiveAsync(ShortPatience, cancellationToken: token).ConfigureAwait(false) is { } message)
                {
                    mine.Add(NumberOf(receiver, message));
                    Interlocked.Increment(ref received);
                    patience = clock.GetTimestamp();
                    Interlocked.Exchange(ref last, patience);
                }
                else if (Volatile.Read(ref isSent) && clock.GetElapsedTime(patience) > Patience)
                {
                    throw new VerificationException($"{queue.Address}: {numbers.Count:#,0} messages were sent, {Interlocked.Read(ref received):#,0} of them came.");
                }
            }
        }
    }

    private async Task SendUntilAsync(IMessageQueue queue, Numbers numbers, long start, TimeSpan time, int maxCount, CancellationToken token)
    {
        do
        {
            await using QueueTransaction? transaction = begin is null ? null : await begin(token).ConfigureAwait(false);
            for (int i = 0; i < item.PerTransaction; i++)
            {
                var message = new QueueMessage(_bodies.Write(numbers.Next()));
                Ask(message);
                if (item.OpensEach)
                {
                    await using IMessageQueue opened = await open(token).ConfigureAwait(false);
                    await opened.SendAsync(message, transaction, token).ConfigureAwait(false);
                }
                else
                {
                    await queue.SendAsync(message, transaction, token).ConfigureAwait(false);
                }
            }

            if (transaction is not null)
                // Not canceled: the message could arrive after the queue has been purged.
                await transaction.CommitAsync(CancellationToken.None).ConfigureAwait(false);
        }
        while (clock.GetElapsedTime(start) < time && numbers.Count < maxCount);
    }

    private void Ask(QueueMessage message)
    {
        if (item.Variant == SendersVariant.SourceJournal)
            message.SourceJournalQueue = other;
        if (item.Variant == SendersVariant.Acknowledged)
            (message.AdministrationQueue, message.AcknowledgeTypes) = (other, AcknowledgeTypes.PositiveArrival | AcknowledgeTypes.PositiveReceive);
    }

    private long NumberOf(IMessageQueue queue, ReceivedMessage message)
    {
        (long number, long byteCount) = _bodies.Read(message.Body);
        return byteCount == item.ByteCount
            ? number
            : throw new VerificationException($"{queue.Address}: message {number} came with {byteCount:#,0} bytes in place of {item.ByteCount:#,0}.");
    }

    private static List<long> Add(List<List<long>> lists)
    {
        var list = new List<long>();
        lock (lists)
            lists.Add(list);
        return list;
    }

    /// <summary>Makes sure that each number is one that was sent, and is there once. A sender's numbers begin with its own number.</summary>
    private static void Check(List<List<long>> lists, IReadOnlyList<long> sent)
    {
        var seen = new HashSet<long>();
        foreach (long number in lists.SelectMany(list => list))
        {
            int sender = (int)(number >> SenderShift);
            if (number < 0 || sender >= sent.Count || (number & ((1L << SenderShift) - 1)) >= sent[sender])
                throw new VerificationException($"Message {number} came, and was never sent.");
            if (!seen.Add(number))
                throw new VerificationException($"Message {number} came twice.");
        }
    }

    /// <summary>Runs it on as many threads of the pool as the case has; if one fails, the others end too, and its error is the outcome.</summary>
    private static async Task RunAsync(int count, Func<CancellationToken, Task> work, CancellationToken cancellationToken)
    {
        using var all = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        Exception? first = null;
        await Task.WhenAll(Enumerable.Range(0, count).Select(_ => Task.Run(
            async () =>
            {
                try
                {
                    await work(all.Token).ConfigureAwait(false);
                }
                catch (Exception e)
                {
                    Interlocked.CompareExchange(ref first, e, null);
                    await all.CancelAsync().ConfigureAwait(false);
                }
            },
            CancellationToken.None)));
        if (first is not null)
            System.Runtime.ExceptionServices.ExceptionDispatchInfo.Throw(first);
    }

    /// <summary>Numbers messages.</summary>
    private sealed class Numbers(int sender)
    {
        private long _count;

        internal long Count => Interlocked.Read(ref _count);

        internal long Next() => ((long)sender << SenderShift) + Interlocked.Increment(ref _count) - 1;
    }
}
