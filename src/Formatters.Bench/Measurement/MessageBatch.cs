using Formatters.Buffers;

namespace Formatters.Bench.Measurement;

/// <summary>Sends and receives batches of messages: everything that happens while a clock runs.</summary>
internal static class MessageBatch
{
    /// <summary>The label of the messages under test, as the study has it.</summary>
    internal const string Label = "Test";

    private const int MaxInFlightByteCount = 64 << 20;

    /// <summary>Sends a batch in the manner of the queue's delivery mode.</summary>
    /// <returns>Completes when the queue's promise holds for every message.</returns>
    /// <remarks>
    /// Express: one after the other. Recoverable: up to <see cref="QueueOptions.SendWindow"/> under way at once, all of them awaited. Transactional:
    /// each in a transaction of its own.
    /// </remarks>
    internal static Task SendAsync(QueueClient queue, Payload payload, int count, CancellationToken cancellationToken) =>
        queue.Options.DeliveryMode == DeliveryMode.Recoverable
            ? SendRecoverableAsync(queue, payload, count, cancellationToken)
            : SendOneByOneAsync(queue, payload, count, cancellationToken);

    /// <summary>Receives a batch and reads every object in it.</summary>
    /// <param name="count">How many messages were sent.</param>
    /// <param name="wholeContent">Whether to compare the whole content of every message; else that of the last, and one member of each.</param>
    /// <param name="timeout">How long to wait for one message before it counts as lost.</param>
    /// <exception cref="VerificationException">A message is missing or is not the one that was sent in its place.</exception>
    internal static async Task ReceiveAsync(
        QueueClient queue, Payload payload, int count, bool wholeContent, TimeSpan timeout, CancellationToken cancellationToken)
    {
        for (int i = 0; i < count; i++)
        {
            ReceivedMessage message = await ReceiveOneAsync(queue, Read, timeout, cancellationToken) ?? throw new VerificationException(string.Create(
                CultureInfo.InvariantCulture,
                $"{payload.Name}: {count:N0} messages were sent to {queue.Address}, {i:N0} came within {timeout.TotalSeconds} s."));
            if (message.Label != Label)
                throw Foreign(queue, message);

            void Read(ReceivedMessage received)
            {
                if (received.Label == Label)
                    payload.Read(i, received.Body, wholeContent || i == count - 1);
            }
        }
    }

    /// <summary>Looks once for a message in a queue that must be empty.</summary>
    /// <exception cref="ForeignMessageException">There was one.</exception>
    internal static async Task RequireNoneAsync(QueueClient queue, CancellationToken cancellationToken)
    {
        if (await ReceiveOneAsync(queue, static _ => { }, TimeSpan.Zero, cancellationToken) is { } message)
            throw Foreign(queue, message);
    }

    /// <summary>Receives one message in the manner of the queue: in a transaction of its own where it is transactional.</summary>
    /// <param name="read">Processes the message, before the commit.</param>
    /// <returns>The message, or null after the timeout.</returns>
    internal static async ValueTask<ReceivedMessage?> ReceiveOneAsync(
        QueueClient queue, Action<ReceivedMessage> read, TimeSpan timeout, CancellationToken cancellationToken)
    {
        if (queue.Options.DeliveryMode != DeliveryMode.Transactional)
        {
            ReceivedMessage? message = await queue.ReceiveAsync(timeout, cancellationToken: cancellationToken);
            if (message is not null)
                read(message);
            return message;
        }

        await using QueueTransaction transaction = await queue.BeginTransactionAsync(cancellationToken);
        ReceivedMessage? transacted = await queue.ReceiveAsync(timeout, transaction, cancellationToken);
        if (transacted is not null)
            read(transacted);
        await transaction.CommitAsync(cancellationToken);
        return transacted;
    }

    /// <summary>Sends one message in the manner of the queue: in a transaction of its own where it is transactional.</summary>
    internal static async ValueTask SendOneAsync(QueueClient queue, QueueMessage message, CancellationToken cancellationToken)
    {
        if (queue.Options.DeliveryMode != DeliveryMode.Transactional)
        {
            await queue.SendAsync(message, cancellationToken: cancellationToken);
            return;
        }

        await using QueueTransaction transaction = await queue.BeginTransactionAsync(cancellationToken);
        await queue.SendAsync(message, transaction, cancellationToken);
        // Not canceled: the message could arrive after the queue has been purged.
        await transaction.CommitAsync(CancellationToken.None);
    }

    /// <summary>Waits until the messages of a batch are in the queue, or queues, that they were sent to.</summary>
    /// <param name="queue">Where they were sent, through the very handle that sent them: a queue on a broker answers behind its messages.</param>
    /// <param name="count">How many messages there must be, over all queues of the address.</param>
    /// <exception cref="VerificationException">There are fewer after the timeout, or more.</exception>
    internal static Task WaitUntilQueuedAsync(QueueClient queue, Payload payload, long count, TimeSpan timeout,
        CancellationToken cancellationToken) =>
        WaitUntilQueuedAsync(queue, payload.Name, count, timeout, cancellationToken);

    /// <summary>Waits until the messages are in the queue that they were sent to.</summary>
    /// <param name="queue">Where they were sent.</param>
    /// <param name="name">What was sent, for the error.</param>
    /// <param name="count">How many messages there must be.</param>
    /// <exception cref="VerificationException">There are fewer after the timeout, or more.</exception>
    internal static async Task WaitUntilQueuedAsync(QueueClient queue, string name, long count, TimeSpan timeout,
        CancellationToken cancellationToken)
    {
        long start = Stopwatch.GetTimestamp();
        long queued = await queue.GetMessageCountAsync(cancellationToken);
        while (queued < count && Stopwatch.GetElapsedTime(start) < timeout)
        {
            await Task.Delay(1, cancellationToken);
            queued = await queue.GetMessageCountAsync(cancellationToken);
        }

        if (queued != count)
        {
            throw new VerificationException(string.Create(
                CultureInfo.InvariantCulture,
                $"{name}: {count:N0} messages were sent to {queue.Address}, {queued:N0} are in it. Is another sender or receiver using it?"));
        }
    }

    private static ForeignMessageException Foreign(QueueClient queue, ReceivedMessage message) =>
        new($"A message that does not belong to this test was in {queue.Address}.", message);

    private static async Task SendOneByOneAsync(QueueClient queue, Payload payload, int count, CancellationToken cancellationToken)
    {
        using var buffer = new PooledBufferWriter(payload.BodyByteCount);
        var message = new QueueMessage { Label = Label };
        for (int i = 0; i < count; i++)
        {
            buffer.Clear();
            payload.Write(i, buffer, message.Body);
            await SendOneAsync(queue, message, cancellationToken);
        }
    }

    private static async Task SendRecoverableAsync(QueueClient queue, Payload payload, int count, CancellationToken cancellationToken)
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
