using System;
using System.Collections.Concurrent;
using System.Linq;
using System.Text;
using System.Threading;
using System.Threading.Tasks;
using Formatters.TestSupport;
using Xunit;

namespace Formatters.Queues.Tests;

/// <summary>What every queue does in every mode without transactions.</summary>
public abstract partial class QueueConformance : QueueTestBase
{
    protected abstract DeliveryMode Mode { get; }

    private QueueOptions ReceiveAndDelete => new() { DeliveryMode = Mode, ReceiveMode = ReceiveMode.ReceiveAndDelete };

    private QueueOptions PeekLock => new() { DeliveryMode = Mode, ReceiveMode = ReceiveMode.PeekLock };

    [QueueFact]
    public async Task Messages_come_in_the_order_of_their_sends()
    {
        QueueClient queue = await OpenAsync(ReceiveAndDelete);
        for (int i = 0; i < 500; i++)
            await queue.SendAsync(Message(i));

        Assert.Equal(Enumerable.Range(0, 500).Select(i => $"{i}"), await ReceiveAllAsync(queue, 500));
        Assert.Null(await queue.ReceiveAsync(TimeSpan.Zero));
    }

    [QueueFact]
    public async Task Sends_started_together_keep_their_order_also_beyond_the_window()
    {
        QueueClient queue = await OpenAsync(ReceiveAndDelete with { SendWindow = 7 });
        Task[] sends = Enumerable.Range(0, 300).Select(i => queue.SendAsync(Message(i)).AsTask()).ToArray();
        await Task.WhenAll(sends);

        Assert.Equal(Enumerable.Range(0, 300).Select(i => $"{i}"), await ReceiveAllAsync(queue, 300));
    }

    [QueueFact]
    public async Task Receive_EmptyQueue_NullAfterTheTimeout()
    {
        QueueClient queue = await OpenAsync(ReceiveAndDelete);

        Assert.Null(await queue.ReceiveAsync(TimeSpan.FromMilliseconds(50)));
        Assert.Null(await queue.ReceiveAsync(TimeSpan.Zero));
    }

    [QueueFact]
    public async Task Receive_ZeroTimeout_FindsEveryMessageThatIsInTheQueue()
    {
        QueueClient queue = await OpenAsync(ReceiveAndDelete);
        for (int round = 0; round < 20; round++)
        {
            // Between the looks the queue also waits, which for a broker is another way of receiving.
            Assert.Null(await queue.ReceiveAsync(round % 2 == 0 ? TimeSpan.Zero : TimeSpan.FromMilliseconds(1)));
            await queue.SendAsync(Message("first"));
            await queue.SendAsync(Message("second"));
            Assert.Equal("first", Text(await queue.ReceiveAsync(TimeSpan.Zero)));
            Assert.Equal("second", Text(await queue.ReceiveAsync(TimeSpan.Zero)));
        }
    }

    [QueueFact]
    public async Task Receive_Waiting_GetsTheMessageSentLater()
    {
        QueueClient queue = await OpenAsync(ReceiveAndDelete);
        ValueTask<ReceivedMessage?> receive = queue.ReceiveAsync(Timeout.InfiniteTimeSpan);
        Assert.False(receive.IsCompleted);

        await queue.SendAsync(Message("late"));

        Assert.Equal("late", Text(await receive));
    }

    [QueueFact]
    public async Task Receive_ByAnotherHandle_GetsTheMessage()
    {
        QueueClient sender = await OpenAsync(ReceiveAndDelete);
        QueueClient receiver = await OpenAsync(ReceiveAndDelete);
        await sender.SendAsync(Message("x"));

        Assert.Equal("x", Text(await receiver.ReceiveAsync(Soon)));
    }

    [QueueFact]
    public async Task Receive_NegativeTimeout_IsRefused()
    {
        QueueClient queue = await OpenAsync(ReceiveAndDelete);

        await Assert.ThrowsAsync<ArgumentOutOfRangeException>(() => queue.ReceiveAsync(TimeSpan.FromSeconds(-2)).AsTask());
    }

    [QueueFact]
    public async Task Cancellation_EndsTheWait()
    {
        QueueClient queue = await OpenAsync(ReceiveAndDelete);
        using var stop = new CancellationTokenSource();
        Task<ReceivedMessage?> receive = ReceiveAsync();
        await stop.CancelAsync();

        OperationCanceledException e = await Assert.ThrowsAnyAsync<OperationCanceledException>(() => receive);
        Assert.Equal(stop.Token, e.CancellationToken);
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => queue.SendAsync(Message("x"), cancellationToken: stop.Token).AsTask());
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => queue.ReceiveAsync(TimeSpan.Zero, cancellationToken: stop.Token).AsTask());
        Assert.Null(await queue.ReceiveAsync(TimeSpan.Zero));

        // Not AsTask, which on .NET Framework does not keep the token.
        async Task<ReceivedMessage?> ReceiveAsync() => await queue.ReceiveAsync(Timeout.InfiniteTimeSpan, cancellationToken: stop.Token);
    }

    [QueueFact]
    public async Task Cancellation_AtAnyMoment_LosesNoMessage()
    {
        QueueClient queue = await OpenAsync(ReceiveAndDelete);
        const int Count = 300;
        Task sending = Task.Run(async () =>
        {
            for (int i = 0; i < Count; i++)
                await queue.SendAsync(Message(i));
        });

        var received = new ConcurrentBag<string?>();
        var random = new Random(1);
        int misses = 0;
        while (received.Count < Count && misses < 100)
        {
            using var stop = new CancellationTokenSource(TimeSpan.FromMicroseconds(random.Next(1, 2000)));
            try
            {
                ReceivedMessage? message = await queue.ReceiveAsync(TimeSpan.FromMilliseconds(random.Next(0, 3)), cancellationToken: stop.Token);
                if (message is not null)
                    received.Add(Text(message));
                else if (sending.IsCompleted)
                    misses++;
            }
            catch (OperationCanceledException)
            {
                Assert.True(stop.IsCancellationRequested);
            }
        }

        await sending;
        while (await queue.ReceiveAsync(TimeSpan.FromMilliseconds(100)) is { } rest)
            received.Add(Text(rest));
        Assert.Equal(Enumerable.Range(0, Count).Select(i => $"{i}").Order(), received.Order());
    }

    [QueueFact]
    public async Task Purge_RemovesAndCounts()
    {
        QueueClient queue = await OpenAsync(ReceiveAndDelete);
        Assert.Equal(0, await queue.GetMessageCountAsync());
        for (int i = 0; i < 10; i++)
            await queue.SendAsync(Message(i));
        await AssertCountAsync(10, queue);
        Assert.Equal("0", Text(await queue.ReceiveAsync(Soon)));
        Assert.Equal(9, await queue.GetMessageCountAsync());

        Assert.Equal(9, await queue.PurgeAsync());

        Assert.Equal(0, await queue.GetMessageCountAsync());
        Assert.Null(await queue.ReceiveAsync(TimeSpan.Zero));
        await queue.SendAsync(Message("after"));
        Assert.Equal("after", Text(await queue.ReceiveAsync(Soon)));
    }

    [QueueFact]
    public async Task Properties_AreReceivedAsSent()
    {
        QueueClient queue = await OpenAsync(ReceiveAndDelete);
        await queue.SendAsync(new QueueMessage(new MessageBody(new byte[] { 1, 2, 3 }, BodyTypes.Binary, "text/xml; charset=utf-8"))
        {
            Label = "an order — 訂單",
            MessageId = "id-1",
            CorrelationId = "id-0",
            ResponseQueue = "memory:answers",
            Headers =
            {
                ["text"] = "Grüße",
                ["no text"] = "",
                ["yes"] = true,
                ["attempts"] = 3,
                ["ticks"] = long.MaxValue,
                ["share"] = 0.25,
                ["bytes"] = "text, but sent as bytes"u8.ToArray(),
            },
        });
        await queue.SendAsync(new QueueMessage());

        ReceivedMessage full = (await queue.ReceiveAsync(Soon))!;
        Assert.Equal([1, 2, 3], full.Body.ToArray());
        Assert.Equal(BodyTypes.Binary, full.Body.BodyType);
        Assert.Equal("text/xml; charset=utf-8", full.Body.ContentType);
        Assert.Equal("an order — 訂單", full.Label);
        Assert.Equal("id-1", full.MessageId);
        Assert.Equal("id-0", full.CorrelationId);
        Assert.Equal("memory:answers", full.ResponseQueue);
        Assert.False(full.IsRedelivered);
        Assert.True(full.HasHeaders);
        Assert.Equal(7, full.Headers.Count);
        Assert.Equal(["Grüße", "", true, 3, long.MaxValue, 0.25], new[] { "text", "no text", "yes", "attempts", "ticks", "share" }.Select(name => full.Headers[name]));
        Assert.Equal("text, but sent as bytes"u8.ToArray(), Assert.IsType<byte[]>(full.Headers["bytes"]));

        ReceivedMessage empty = (await queue.ReceiveAsync(Soon))!;
        Assert.Equal(0, empty.Body.ByteCount);
        Assert.Equal(0, empty.Body.BodyType);
        Assert.Null(empty.Body.ContentType);
        Assert.Null(empty.Label);
        Assert.NotNull(empty.MessageId);
        Assert.NotEqual("", empty.MessageId);
        Assert.Null(empty.CorrelationId);
        Assert.Null(empty.ResponseQueue);
        Assert.False(empty.HasHeaders);
    }

    [QueueFact]
    public async Task Body_IsCopiedBySend()
    {
        QueueClient queue = await OpenAsync(ReceiveAndDelete);
        byte[] buffer = [1, 2, 3];
        await queue.SendAsync(new QueueMessage(new MessageBody(buffer)));
        buffer[0] = 9;

        Assert.Equal([1, 2, 3], (await queue.ReceiveAsync(Soon))!.Body.ToArray());
    }

    [QueueFact]
    public async Task Body_OfFourMegabytes_IsReceivedAsSent()
    {
        QueueClient queue = await OpenAsync(ReceiveAndDelete);
        byte[] body = Encoding.Unicode.GetBytes(string.Create(2_000_000, 0, (span, _) =>
        {
            for (int i = 0; i < span.Length; i++)
                span[i] = (char)('a' + (i % 26));
        }));
        await queue.SendAsync(new QueueMessage(new MessageBody(body)));

        ReceivedMessage? message = await queue.ReceiveAsync(Soon);
        Assert.True(body.AsSpan().SequenceEqual(message!.Body.ToArray()));
    }

    [QueueFact]
    public async Task Fifty_senders_and_receivers_exchange_every_message_once()
    {
        QueueClient queue = await OpenAsync(ReceiveAndDelete);
        const int Parties = 50, Each = 40;
        var received = new ConcurrentBag<string?>();
        Task[] receivers = Enumerable.Range(0, Parties).Select(_ => Task.Run(async () =>
        {
            for (int i = 0; i < Each; i++)
                received.Add(Text(await queue.ReceiveAsync(Soon)));
        })).ToArray();
        Task[] senders = Enumerable.Range(0, Parties).Select(sender => Task.Run(async () =>
        {
            for (int i = 0; i < Each; i++)
                await queue.SendAsync(Message((sender * Each) + i));
        })).ToArray();

        await Task.WhenAll(senders);
        await Task.WhenAll(receivers);

        Assert.Equal(Enumerable.Range(0, Parties * Each).Select(i => $"{i}").Order(), received.Order());
        Assert.Equal(0, await queue.GetMessageCountAsync());
    }

    [QueueFact]
    public async Task PeekLock_Acknowledged_IsGone()
    {
        QueueClient queue = await OpenAsync(PeekLock);
        await queue.SendAsync(Message("x"));
        ReceivedMessage message = (await queue.ReceiveAsync(Soon))!;
        Assert.Equal(0, await queue.GetMessageCountAsync());
        Assert.Null(await queue.ReceiveAsync(TimeSpan.Zero));

        await message.AcknowledgeAsync();
        await message.AcknowledgeAsync();
        await message.ReturnAsync();

        Assert.Null(await queue.ReceiveAsync(TimeSpan.Zero));
        await queue.DisposeAsync();
        Assert.Null(await (await OpenAsync(PeekLock)).ReceiveAsync(TimeSpan.Zero));
    }

    [QueueFact]
    public async Task PeekLock_Returned_ComesAgain()
    {
        QueueClient queue = await OpenAsync(PeekLock);
        await queue.SendAsync(Message("x"));
        ReceivedMessage first = (await queue.ReceiveAsync(Soon))!;
        Assert.False(first.IsRedelivered);

        await first.ReturnAsync();

        ReceivedMessage again = (await queue.ReceiveAsync(Soon))!;
        Assert.Equal("x", Text(again));
        Assert.True(again.IsRedelivered);
        Assert.Equal(first.MessageId, again.MessageId);
        await again.AcknowledgeAsync();
    }

    [QueueFact]
    public async Task PeekLock_HandleClosed_MessagesComeAgainInOrder()
    {
        QueueClient queue = await OpenAsync(PeekLock);
        for (int i = 0; i < 5; i++)
            await queue.SendAsync(Message(i));
        ReceivedMessage zero = (await queue.ReceiveAsync(Soon))!;
        ReceivedMessage one = (await queue.ReceiveAsync(Soon))!;
        ReceivedMessage two = (await queue.ReceiveAsync(Soon))!;
        await one.AcknowledgeAsync();
        await queue.DisposeAsync();

        QueueClient other = await OpenAsync(ReceiveAndDelete);
        Assert.Equal(["0", "2", "3", "4"], await ReceiveAllAsync(other, 4));
        await Assert.ThrowsAsync<QueueException>(() => zero.AcknowledgeAsync().AsTask());
        await Assert.ThrowsAsync<QueueException>(() => two.ReturnAsync().AsTask());
        Assert.Null(await other.ReceiveAsync(TimeSpan.Zero));
    }

    [QueueFact]
    public async Task ReceiveAndDelete_HandleClosed_KeepsWhatWasNotHandedOver()
    {
        QueueClient queue = await OpenAsync(ReceiveAndDelete);
        for (int i = 0; i < 100; i++)
            await queue.SendAsync(Message(i));
        Assert.Equal(["0", "1", "2"], await ReceiveAllAsync(queue, 3));
        await queue.DisposeAsync();

        QueueClient other = await OpenAsync(ReceiveAndDelete);
        Assert.Equal(Enumerable.Range(3, 97).Select(i => $"{i}"), await ReceiveAllAsync(other, 97));
    }

    [QueueFact]
    public async Task Settling_UnderReceiveAndDelete_HasNoEffect()
    {
        QueueClient queue = await OpenAsync(ReceiveAndDelete);
        await queue.SendAsync(Message("x"));
        ReceivedMessage message = (await queue.ReceiveAsync(Soon))!;

        await message.AcknowledgeAsync();
        await message.ReturnAsync();

        Assert.Null(await queue.ReceiveAsync(TimeSpan.Zero));
    }

    [QueueFact]
    public async Task Multicast_EverySendReachesEveryQueue()
    {
        QueueClient first = await OpenAsync(ReceiveAndDelete, "a");
        QueueClient second = await OpenAsync(ReceiveAndDelete, "b");
        string secondName = second.Address.QueueName;
        await using QueueClient both = await Connector.OpenAsync($"{AddressOf("a")},{secondName}", ReceiveAndDelete);
        await both.SendAsync(Message("x"));
        await AssertCountAsync(2, both);
        Assert.Equal(2, await both.PurgeAsync());
        for (int i = 0; i < 3; i++)
            await both.SendAsync(Message(i));

        Assert.Equal(["0", "1", "2"], await ReceiveAllAsync(first, 3));
        Assert.Equal(["0", "1", "2"], await ReceiveAllAsync(second, 3));
        NotSupportedException e = await Assert.ThrowsAsync<NotSupportedException>(() => both.ReceiveAsync(TimeSpan.Zero).AsTask());
        Assert.Contains("2 queues", e.Message, StringComparison.Ordinal);
        Assert.Equal($"{first.Address},{second.Address}", both.Address.ToString());
    }

    [QueueFact]
    public async Task Closed_EveryOperationSaysSo()
    {
        QueueClient queue = await OpenAsync(ReceiveAndDelete);
        Task<ReceivedMessage?> waiting = queue.ReceiveAsync(Timeout.InfiniteTimeSpan).AsTask();
        await queue.DisposeAsync();
        await queue.DisposeAsync();

        await Assert.ThrowsAsync<ObjectDisposedException>(() => waiting);
        await Assert.ThrowsAsync<ObjectDisposedException>(() => queue.SendAsync(Message("x")).AsTask());
        await Assert.ThrowsAsync<ObjectDisposedException>(() => queue.ReceiveAsync(TimeSpan.Zero).AsTask());
        await Assert.ThrowsAsync<ObjectDisposedException>(() => queue.PurgeAsync().AsTask());
        await Assert.ThrowsAsync<ObjectDisposedException>(() => queue.GetMessageCountAsync().AsTask());
        await Assert.ThrowsAsync<ObjectDisposedException>(() => queue.BeginTransactionAsync().AsTask());
    }

    [QueueFact]
    public async Task Transactions_ButNotInThisMode()
    {
        QueueClient queue = await OpenAsync(ReceiveAndDelete);
        Assert.False(queue.Capabilities.Supports(QueueFeatures.Transactions));
        await Assert.ThrowsAsync<NotSupportedException>(() => queue.BeginTransactionAsync().AsTask());

        QueueClient transactional = await OpenAsync(new QueueOptions { DeliveryMode = DeliveryMode.Transactional }, "t");
        await using QueueTransaction transaction = await transactional.BeginTransactionAsync();
        await Assert.ThrowsAsync<InvalidOperationException>(() => queue.SendAsync(Message("x"), transaction).AsTask());
        await Assert.ThrowsAsync<InvalidOperationException>(() => queue.ReceiveAsync(TimeSpan.Zero, transaction).AsTask());
    }

    [QueueFact]
    public async Task Deleted_queue_is_gone()
    {
        QueueClient queue = await OpenAsync(ReceiveAndDelete);
        await queue.SendAsync(Message("x"));
        await queue.GetMessageCountAsync();

        Assert.Equal(1, await Connector.DeleteAsync(AddressOf("a")));
        Assert.Equal(0, await Connector.DeleteAsync(AddressOf("a")));

        await Assert.ThrowsAsync<QueueException>(() => queue.GetMessageCountAsync().AsTask());
        Assert.Null(await (await OpenAsync(ReceiveAndDelete)).ReceiveAsync(TimeSpan.Zero));
    }

    [QueueFact]
    public async Task Deleted_queue_TakesNoMessage()
    {
        QueueClient queue = await OpenAsync(ReceiveAndDelete);
        Skip.If(Mode == DeliveryMode.Express && !queue.Capabilities.IsInProcess, "A broker says so of an express message at a later send.");
        await queue.SendAsync(Message("x"));

        await Connector.DeleteAsync(AddressOf("a"));

        QueueException e = await Assert.ThrowsAsync<QueueException>(() => queue.SendAsync(Message("x")).AsTask());
        // Mono's System.Messaging has no codes.
        bool hasCode = queue.Capabilities.IsInProcess || Type.GetType("Mono.Runtime") is null;
        Assert.Equal((hasCode ? QueueErrorCode.QueueDeleted : QueueErrorCode.None, false), (e.Code, e.OutcomeUnknown));
        await Assert.ThrowsAnyAsync<QueueException>(() => queue.SendBatchAsync([Message("x"), Message("y")]).AsTask());
        if (queue.Capabilities.Supports(QueueFeatures.Acknowledgments))
            await Assert.ThrowsAsync<QueueException>(() => queue.SendAsync(Asking("x", "id")).AsTask());
    }

    [QueueFact]
    public async Task Deleted_queue_fails_a_waiting_receiver()
    {
        QueueClient queue = await OpenAsync(ReceiveAndDelete);
        await queue.SendAsync(Message("x"));
        Assert.NotNull(await queue.ReceiveAsync(Soon));
        Task<ReceivedMessage?> waiting = queue.ReceiveAsync(Timeout.InfiniteTimeSpan).AsTask();

        await Connector.DeleteAsync(AddressOf("a"));

        await Assert.ThrowsAsync<QueueException>(() => waiting);
    }
}
