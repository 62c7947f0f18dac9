using System;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using Formatters.Bench.Measurement;
using Formatters.Queues;

namespace Formatters.Bench.Limits;

/// <summary>Senders, and receivers beside them, for a time; every message is counted, and checked where it is received.</summary>
internal static class QueueLoad
{
    /// <summary>Further than this the sender does not run ahead of the receiver.</summary>
    private const int MaxAhead = 20_000;

    /// <summary>Lets senders send, each at least once, and waiting for the end of its send before the next.</summary>
    /// <returns>Messages per second, the bytes that were allocated for each, and their number.</returns>
    internal static async Task<(double Rate, double AllocatedBytes, long Count)> SendAsync(
        IMessageQueue queue, int senders, int byteCount, TimeSpan time, TimeProvider clock, CancellationToken cancellationToken)
    {
        byte[] body = new byte[byteCount];
        long allocated = GC.GetTotalAllocatedBytes(precise: true);
        long start = clock.GetTimestamp();
        long end = start + (long)(time.TotalSeconds * clock.TimestampFrequency);
        long[] counts = await Task.WhenAll(Enumerable.Range(0, senders).Select(_ => Task.Run(SendUntilAsync, cancellationToken)));
        double seconds = clock.GetElapsedTime(start).TotalSeconds;
        long count = counts.Sum();
        return (count / seconds, (GC.GetTotalAllocatedBytes(precise: true) - allocated) / (double)count, count);

        async Task<long> SendUntilAsync()
        {
            long sent = 0;
            do
            {
                await queue.SendAsync(new QueueMessage(new MessageBody(body)), null, cancellationToken).ConfigureAwait(false);
                sent++;
            }
            while (clock.GetTimestamp() < end);

            return sent;
        }
    }

    /// <summary>Lets one sender send and one receiver receive at the same time.</summary>
    /// <returns>Messages per second that were received, and the bytes that were allocated for each.</returns>
    /// <exception cref="VerificationException">A message was lost, came twice or came out of order.</exception>
    internal static async Task<(double Rate, double AllocatedBytes, long Count)> SendAndReceiveAsync(
        IMessageQueue queue, int byteCount, TimeSpan time, TimeProvider clock, CancellationToken cancellationToken)
    {
        long received = 0;
        long sent = 0;
        bool isDone = false;
        long allocated = GC.GetTotalAllocatedBytes(precise: true);
        long start = clock.GetTimestamp();
        long end = start + (long)(time.TotalSeconds * clock.TimestampFrequency);
        // Neither waits for the other when that has failed.
        using var both = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        await Task.WhenAll(Task.Run(() => EndWithAsync(SendUntilAsync(both.Token)), both.Token), Task.Run(() => EndWithAsync(ReceiveAllAsync(both.Token)), both.Token));
        double seconds = clock.GetElapsedTime(start).TotalSeconds;
        return (received / seconds, (GC.GetTotalAllocatedBytes(precise: true) - allocated) / (double)received, received);

        async Task EndWithAsync(Task task)
        {
            try
            {
                await task;
            }
            catch
            {
                await both.CancelAsync();
                throw;
            }
        }

        async Task SendUntilAsync(CancellationToken token)
        {
            byte[] body = new byte[byteCount];
            long number = 0;
            // The clock is read now and then: at these rates it costs.
            do
            {
                // A sleep, not a spin: the processor time of each message is measured.
                while (number - Volatile.Read(ref received) > MaxAhead)
                    await Task.Delay(1, token).ConfigureAwait(false);

                BitConverter.TryWriteBytes(body, number);
                await queue.SendAsync(new QueueMessage(new MessageBody(body)), null, token).ConfigureAwait(false);
                number++;
            }
            while ((number & 63) != 0 || clock.GetTimestamp() < end);

            Volatile.Write(ref sent, number);
            Volatile.Write(ref isDone, true);
        }

        async Task ReceiveAllAsync(CancellationToken token)
        {
            for (long number = 0; !Volatile.Read(ref isDone) || number < Volatile.Read(ref sent); number++)
            {
                ReceivedMessage? message = await queue.ReceiveAsync(TimeSpan.FromSeconds(5), null, token).ConfigureAwait(false);
                if (message is null)
                {
                    if (Volatile.Read(ref isDone) && number == Volatile.Read(ref sent))
                        return;
                    throw new VerificationException($"Message {number} did not come.");
                }

                if (BitConverter.ToInt64(message.Body.Bytes.FirstSpan) != number)
                    throw new VerificationException($"Message {BitConverter.ToInt64(message.Body.Bytes.FirstSpan)} came in the place of {number}.");
                Volatile.Write(ref received, number + 1);
            }
        }
    }
}
