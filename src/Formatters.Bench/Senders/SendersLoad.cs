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
internal sealed class SendersLoad(
    SendersCase item, Func<CancellationToken, ValueTask<IMessageQueue>> open, Func<CancellationToken, ValueTask<QueueTransaction>>? begin, TimeProvider clock)
{
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(5);

    /// <summary>Lets the senders send, each at least one transaction or message.</summary>
    /// <returns>How many messages were sent, and how long it took.</returns>
    internal async Task<(long Count, TimeSpan Elapsed)> SendAsync(IMessageQueue queue, TimeSpan time, int maxCount, CancellationToken cancellationToken)
    {
        long next = -1;
        long start = clock.GetTimestamp();
        await RunAsync(SendUntilAsync, cancellationToken);
        return (Interlocked.Read(ref next) + 1, clock.GetElapsedTime(start));

        async Task SendUntilAsync(CancellationToken token)
        {
            do
            {
                await using QueueTransaction? transaction = begin is null ? null : await begin(token).ConfigureAwait(false);
                for (int i = 0; i < item.PerTransaction; i++)
                {
                    byte[] body = new byte[item.ByteCount];
                    BitConverter.TryWriteBytes(body, Interlocked.Increment(ref next));
                    var message = new QueueMessage(new MessageBody(body));
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
                    await transaction.CommitAsync(token).ConfigureAwait(false);
            }
            while (clock.GetElapsedTime(start) < time && Interlocked.Read(ref next) < maxCount);
        }
    }

    /// <summary>Lets the receivers receive for a time, or until all has come.</summary>
    /// <param name="queue">The queue.</param>
    /// <param name="sent">How many messages were sent, numbered from 0.</param>
    /// <param name="time">How long.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <returns>How many messages came, and how long it took.</returns>
    /// <exception cref="VerificationException">A message did not come, came twice, or was never sent.</exception>
    internal async Task<(long Count, TimeSpan Elapsed)> ReceiveAsync(IMessageQueue queue, long sent, TimeSpan time, CancellationToken cancellationToken)
    {
        var lists = new List<List<long>>();
        long claimed = 0;
        long start = clock.GetTimestamp();
        await RunAsync(ReceiveUntilAsync, cancellationToken);
        TimeSpan elapsed = clock.GetElapsedTime(start);
        Check(lists, sent);
        return (lists.Sum(list => (long)list.Count), elapsed);

        async Task ReceiveUntilAsync(CancellationToken token)
        {
            var numbers = new List<long>();
            lock (lists)
                lists.Add(numbers);
            do
            {
                // Who has a claim waits for a message that is there; who has none would wait in vain.
                int count = (int)Math.Min(item.PerTransaction, Math.Max(0, sent - Interlocked.Add(ref claimed, item.PerTransaction) + item.PerTransaction));
                if (count == 0)
                    return;
                await using QueueTransaction? transaction = begin is null ? null : await begin(token).ConfigureAwait(false);
                for (int i = 0; i < count; i++)
                {
                    ReceivedMessage message = await queue.ReceiveAsync(Patience, transaction, token).ConfigureAwait(false)
                        ?? throw new VerificationException($"{queue.Address}: {sent:#,0} messages were sent, and one of them did not come within {Patience.TotalSeconds:0} s.");
                    numbers.Add(BitConverter.ToInt64(message.Body.Bytes.FirstSpan));
                    if (message.Body.Bytes.Length != item.ByteCount)
                        throw new VerificationException($"{queue.Address}: message {numbers[^1]} came with {message.Body.Bytes.Length:#,0} bytes in place of {item.ByteCount:#,0}.");
                }

                if (transaction is not null)
                    await transaction.CommitAsync(token).ConfigureAwait(false);
            }
            while (clock.GetElapsedTime(start) < time);
        }
    }

    private static void Check(List<List<long>> lists, long sent)
    {
        var seen = new HashSet<long>();
        foreach (long number in lists.SelectMany(list => list))
        {
            if (number < 0 || number >= sent)
                throw new VerificationException($"Message {number} came, and was never sent.");
            if (!seen.Add(number))
                throw new VerificationException($"Message {number} came twice.");
        }
    }

    /// <summary>Runs it on as many threads of the pool as the case has; if one fails, the others end too, and its error is the outcome.</summary>
    private async Task RunAsync(Func<CancellationToken, Task> work, CancellationToken cancellationToken)
    {
        using var all = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        Exception? first = null;
        await Task.WhenAll(Enumerable.Range(0, item.Threads).Select(_ => Task.Run(
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
}
