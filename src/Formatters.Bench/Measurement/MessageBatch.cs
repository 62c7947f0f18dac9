using System;
using System.Globalization;
using System.Threading;
using System.Threading.Tasks;
using Formatters.Queues;

namespace Formatters.Bench.Measurement;

/// <summary>Sends and receives batches of messages: everything that happens while a clock runs.</summary>
internal static class MessageBatch
{
    /// <summary>The label of the messages under test, as the study has it.</summary>
    internal const string Label = "Test";

    private const int MaxInFlightByteCount = 64 << 20;

    /// <summary>Sends a batch in the manner of the queue's delivery mode.</summary>
    /// <param name="queue">Where to.</param>
    /// <param name="payload">What.</param>
    /// <param name="count">How many messages.</param>
    /// <param name="cancellationToken">Ends the sending.</param>
    /// <returns>Completes when the queue's promise holds for every message.</returns>
    /// <remarks>
    /// Express: one after the other. Recoverable: up to <see cref="QueueOptions.SendWindow"/> under way at once, all of them awaited. Transactional:
    /// each in a transaction of its own.
    /// </remarks>
    internal static Task SendAsync(IMessageQueue queue, Payload payload, int count, CancellationToken cancellationToken) =>
        queue.Options.DeliveryMode switch
        {
            DeliveryMode.Express => SendExpressAsync(queue, payload, count, cancellationToken),
            DeliveryMode.Recoverable => SendRecoverableAsync(queue, payload, count, cancellationToken),
            _ => SendTransactionalAsync(queue, payload, count, cancellationToken),
        };

    /// <summary>Receives a batch and reads every object in it.</summary>
    /// <param name="queue">Where from.</param>
    /// <param name="payload">What was sent.</param>
    /// <param name="count">How many messages were sent.</param>
    /// <param name="wholeContent">Whether to compare the whole content of every message; else that of the last, and one member of each.</param>
    /// <param name="timeout">How long to wait for one message before it counts as lost.</param>
    /// <param name="cancellationToken">Ends the receiving.</param>
    /// <exception cref="VerificationException">A message is missing or is not the one that was sent in its place.</exception>
    internal static async Task ReceiveAsync(
        IMessageQueue queue, Payload payload, int count, bool wholeContent, TimeSpan timeout, CancellationToken cancellationToken)
    {
        bool transactional = queue.Options.DeliveryMode == DeliveryMode.Transactional;
        for (int i = 0; i < count; i++)
        {
            ReceivedMessage? message;
            if (transactional)
            {
                await using QueueTransaction transaction = await queue.BeginTransactionAsync(cancellationToken);
                message = await queue.ReceiveAsync(timeout, transaction, cancellationToken);
                if (message is not null)
                    payload.Read(i, message.Body, wholeContent || i == count - 1);
                await transaction.CommitAsync(cancellationToken);
            }
            else
            {
                message = await queue.ReceiveAsync(timeout, cancellationToken: cancellationToken);
                if (message is not null)
                    payload.Read(i, message.Body, wholeContent || i == count - 1);
            }

            if (message is null)
            {
                throw new VerificationException(string.Create(
                    CultureInfo.InvariantCulture, $"{payload.Name}: {count:N0} messages were sent to {queue.Address}, {i:N0} came within {timeout.TotalSeconds} s."));
            }
        }
    }

    private static async Task SendExpressAsync(IMessageQueue queue, Payload payload, int count, CancellationToken cancellationToken)
    {
        using var buffer = new PooledBufferWriter(payload.BodyByteCount);
        var message = new QueueMessage { Label = Label };
        for (int i = 0; i < count; i++)
        {
            buffer.Clear();
            payload.Write(i, buffer, message.Body);
            await queue.SendAsync(message, cancellationToken: cancellationToken);
        }
    }

    private static async Task SendTransactionalAsync(IMessageQueue queue, Payload payload, int count, CancellationToken cancellationToken)
    {
        using var buffer = new PooledBufferWriter(payload.BodyByteCount);
        var message = new QueueMessage { Label = Label };
        for (int i = 0; i < count; i++)
        {
            buffer.Clear();
            payload.Write(i, buffer, message.Body);
            await using QueueTransaction transaction = await queue.BeginTransactionAsync(cancellationToken);
            await queue.SendAsync(message, transaction, cancellationToken);
            await transaction.CommitAsync(cancellationToken);
        }
    }

    private static async Task SendRecoverableAsync(IMessageQueue queue, Payload payload, int count, CancellationToken cancellationToken)
    {
        int window = Math.Clamp(MaxInFlightByteCount / Math.Max(payload.BodyByteCount, 1), 1, Math.Min(queue.Options.SendWindow, Math.Max(count, 1)));
        var slots = new Slot[window];
        for (int i = 0; i < window; i++)
            slots[i] = new Slot(new PooledBufferWriter(payload.BodyByteCount), new QueueMessage { Label = Label });
        try
        {
            for (int i = 0; i < count; i++)
            {
                Slot slot = slots[i % window];
                await slot.Sending;
                slot.Buffer.Clear();
                payload.Write(i, slot.Buffer, slot.Message.Body);
                slot.Sending = queue.SendAsync(slot.Message, cancellationToken: cancellationToken).AsTask();
            }

            foreach (Slot slot in slots)
                await slot.Sending;
        }
        finally
        {
            // After a failure the other sends may still be under way: their buffers go back only when they have ended too.
            foreach (Slot slot in slots)
            {
                await slot.Sending.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
                slot.Buffer.Dispose();
            }
        }
    }

    private sealed class Slot(PooledBufferWriter buffer, QueueMessage message)
    {
        internal PooledBufferWriter Buffer { get; } = buffer;

        internal QueueMessage Message { get; } = message;

        internal Task Sending { get; set; } = Task.CompletedTask;
    }
}
