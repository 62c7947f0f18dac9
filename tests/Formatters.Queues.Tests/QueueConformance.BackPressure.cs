using System;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using Xunit;

namespace Formatters.Queues.Tests;

// A send to a queue that holds as much as it may waits for receivers: or that is refused in the capability's name.
public abstract partial class QueueConformance
{
    /// <summary>Two messages are less, three are more.</summary>
    private const long ThreeMessages = 1400;

    [QueueFact]
    public async Task HoldBack_ASendWaitsUntilAReceiverHasMadeRoom()
    {
        QueueClient queue = await OpenHoldingBackAsync();
        for (int i = 0; i < 3; i++)
            await queue.SendAsync(Message(i));
        Task send = queue.SendAsync(Message(3)).AsTask();
        Task batch = queue.SendBatchAsync([Message(4), Message(5)]).AsTask();
        await Task.Delay(30);
        Assert.False(send.IsCompleted || batch.IsCompleted);
        Assert.Equal(3, await queue.GetMessageCountAsync());

        // What is locked is still there.
        ReceivedMessage first = (await queue.ReceiveAsync(Soon))!;
        await Task.Delay(30);
        Assert.False(send.IsCompleted || batch.IsCompleted);
        await first.AcknowledgeAsync();
        await Task.WhenAny(send, batch).WaitAsync(Soon);

        Assert.Equal("0", Text(first));
        var rest = new string?[5];
        for (int i = 0; i < rest.Length; i++)
        {
            ReceivedMessage message = (await queue.ReceiveAsync(Soon))!;
            rest[i] = Text(message);
            await message.AcknowledgeAsync();
        }

        await Task.WhenAll(send, batch).WaitAsync(Soon);
        Assert.Equal(["1", "2"], rest.Take(2));
        Assert.Equal(["3", "4", "5"], rest.Skip(2));
        Assert.Equal(0, await queue.GetMessageCountAsync());
    }

    /// <summary>Of one sender that does not await each: the messages as they were at the send, and in that order.</summary>
    [QueueFact]
    public async Task HoldBack_SendsKeepTheirOrderAndWhatTheySaid()
    {
        QueueClient queue = await OpenHoldingBackAsync();
        var sends = new System.Collections.Generic.List<Task>();
        var message = new QueueMessage(Message("body").Body);
        for (int i = 0; i < 60; i++)
        {
            message.Label = $"{i}";
            if (i % 5 != 4)
            {
                sends.Add(queue.SendAsync(message).AsTask());
                continue;
            }

            var batch = new System.Collections.Generic.List<QueueMessage> { message, new(message.Body) { Label = $"{i} too" } };
            sends.Add(queue.SendBatchAsync(batch).AsTask());
            batch.Clear();
        }

        message.Label = "changed";
        var received = new System.Collections.Generic.List<string?>();
        for (int i = 0; i < 72; i++)
        {
            ReceivedMessage next = (await queue.ReceiveAsync(Soon))!;
            received.Add(next.Label);
            await next.AcknowledgeAsync();
        }

        await Task.WhenAll(sends).WaitAsync(Soon);
        Assert.Equal(Enumerable.Range(0, 60).SelectMany(i => i % 5 == 4 ? new[] { $"{i}", $"{i} too" } : [$"{i}"]), received);
    }

    [QueueFact]
    public async Task HoldBack_ASendThatIsRefused_IsAcknowledgedAsThat()
    {
        QueueClient queue = await OpenHoldingBackAsync(TimeSpan.FromMilliseconds(50));
        Needs(queue.Capabilities.Supports(QueueFeatures.Acknowledgments));
        for (int i = 0; i < 3; i++)
            await queue.SendAsync(Message(i));
        QueueMessage message = Asking("x", "refused");
        await Assert.ThrowsAsync<QueueException>(() => queue.SendAsync(message).AsTask());
        await Assert.ThrowsAsync<QueueException>(() => queue.SendBatchAsync([message, Message("y")]).AsTask());

        QueueClient administration = await OpenAsync(ReceiveAndDelete, "administration");
        Assert.Equal(["QueueExceedMaximumSize refused", "QueueExceedMaximumSize refused"], await AcknowledgmentsAsync(administration, 2));
        Assert.Null(await administration.ReceiveAsync(TimeSpan.Zero));
        Assert.Equal(3, await queue.GetMessageCountAsync());
    }

    [QueueFact]
    public async Task HoldBack_WithoutAReceiver_TheSendFailsAndNothingIsSent()
    {
        QueueClient queue = await OpenHoldingBackAsync(TimeSpan.FromMilliseconds(50));
        for (int i = 0; i < 3; i++)
            await queue.SendAsync(Message(i));
        QueueException error = await Assert.ThrowsAsync<QueueException>(() => queue.SendAsync(Message("x")).AsTask());
        await Assert.ThrowsAsync<QueueException>(() => queue.SendBatchAsync([Message("y"), Message("z")]).AsTask());
        Assert.Contains(nameof(QueueOptions.HoldBackByteCount), error.Message, StringComparison.Ordinal);
        Assert.False(error.OutcomeUnknown);

        // Another handle has another limit, and none if it says so.
        QueueClient free = await OpenAsync(PeekLock with { HoldBackByteCount = long.MaxValue }, "held");
        await free.SendAsync(Message(3));
        Assert.Equal(4, await queue.GetMessageCountAsync());
        await queue.PurgeAsync();
        await queue.SendAsync(Message("again"));
        Assert.Equal("again", Text(await queue.ReceiveAsync(Soon)));
    }

    [QueueFact]
    public async Task HoldBack_CancellationAndClosing_EndTheWait()
    {
        QueueClient queue = await OpenHoldingBackAsync();
        QueueClient other = await OpenAsync(queue.Options, "held");
        await queue.SendBatchAsync([Message(0), Message(1), Message(2)]);
        using var cancellation = new CancellationTokenSource();
        Task cancelled = queue.SendAsync(Message("x"), null, cancellation.Token).AsTask();
        Task closed = other.SendAsync(Message("y")).AsTask();
        cancellation.Cancel();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => cancelled);
        await other.DisposeAsync();
        await Assert.ThrowsAsync<ObjectDisposedException>(() => closed);
        Task deleted = queue.SendAsync(Message("z")).AsTask();
        Assert.Equal(3, await queue.GetMessageCountAsync());
        await Connector.DeleteAsync(AddressOf("held"));
        await Assert.ThrowsAsync<QueueException>(() => deleted);
    }

    [QueueFact]
    public async Task HoldBack_WhatExpires_MakesRoom()
    {
        QueueClient queue = await OpenHoldingBackAsync();
        Needs(queue.Capabilities.Supports(QueueFeatures.Expiry));
        for (int i = 0; i < 3; i++)
            await queue.SendAsync(new QueueMessage(Message(i).Body) { TimeToLive = TimeSpan.FromMilliseconds(100) });
        await queue.SendAsync(Message("after")).AsTask().WaitAsync(Soon);
        // The first to expire made room; the last of them was sent before, and has expired soon after.
        await Task.Delay(200);
        Assert.Equal("after", Text(await queue.ReceiveAsync(Soon)));
    }

    [QueueFact]
    public async Task HoldBack_ManySendersBeforeOneReceiver_NothingIsLostAndTheQueueStaysSmall()
    {
        QueueClient queue = await OpenHoldingBackAsync();
        const int SenderCount = 8;
        const int Count = 25;
        Task[] senders =
        [
            .. Enumerable.Range(0, SenderCount).Select(sender => Task.Run(async () =>
            {
                for (int i = 0; i < Count; i++)
                    await queue.SendAsync(Message(sender * Count + i));
            })),
        ];
        long most = 0;
        var received = new int[SenderCount * Count];
        for (int i = 0; i < received.Length; i++)
        {
            ReceivedMessage message = (await queue.ReceiveAsync(Soon))!;
            most = Math.Max(most, await queue.GetMessageCountAsync());
            received[i] = int.Parse(Text(message)!, System.Globalization.CultureInfo.InvariantCulture);
            await message.AcknowledgeAsync();
        }

        await Task.WhenAll(senders);
        Assert.Equal(Enumerable.Range(0, received.Length), received.Order());
        // Each sender may have seen the last room.
        Assert.InRange(most, 1, 3 + SenderCount);
    }

    [QueueFact]
    public async Task HoldBack_HasAStatedDefault()
    {
        QueueClient queue = await OpenAsync(PeekLock);
        Assert.Equal(queue.Capabilities.Supports(QueueFeatures.BackPressure), queue.Options.HoldBackByteCount is > 0 and < long.MaxValue);
        Assert.Throws<ArgumentOutOfRangeException>(() => new QueueOptions { HoldBackByteCount = 0 });
    }

    private async Task<QueueClient> OpenHoldingBackAsync(TimeSpan? timeout = null)
    {
        QueueOptions options = PeekLock with { HoldBackByteCount = ThreeMessages };
        QueueClient plain = await OpenAsync(PeekLock);
        await NeedsAsync(QueueFeatures.BackPressure, plain, () => OpenAsync(options, "held"));
        return await OpenAsync(timeout is { } given ? options with { OperationTimeout = given } : options, "held");
    }
}
