using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using Azure.Messaging.ServiceBus;
using Azure.Messaging.ServiceBus.Administration;
using Formatters.Queues.ServiceBus;
using Xunit;

namespace Formatters.Queues.Tests;

/// <summary>Sessions: messages that are received in order, by one receiver at a time.</summary>
public sealed class ServiceBusSessionTests : QueueTestBase
{
    private static readonly QueueOptions WithSessions = new() { RequiresSession = true };

    protected override QueueProvider Provider { get; } = ServiceBusPeer.Provider();

    protected override string Place => "servicebus:";

    [ServiceBusFact]
    public async Task Messages_of_a_session_are_received_in_order_by_one_receiver()
    {
        QueueClient queue = await OpenAsync(WithSessions);
        await queue.SendBatchAsync([.. Enumerable.Range(0, 20).Select(i => Of(i % 2 == 0 ? "even" : "odd", i))]);
        QueueClient other = await OpenAsync(WithSessions);

        await using QueueClient even = (await queue.AcceptSessionAsync(Soon))!;
        await using QueueClient odd = (await other.AcceptSessionAsync(Soon))!;
        Assert.Equal(("even", "odd"), (even.SessionId, odd.SessionId));
        Assert.Null(await queue.AcceptSessionAsync(TimeSpan.Zero));
        Assert.Null(await other.AcceptSessionAsync(TimeSpan.FromMilliseconds(200)));
        for (int i = 0; i < 20; i += 2)
        {
            foreach ((QueueClient session, int n) in new[] { (even, i), (odd, i + 1) })
            {
                ReceivedMessage message = (await session.ReceiveAsync(Soon))!;
                Assert.Equal(($"{n}", session.SessionId), (Text(message), message.SessionId));
                await message.AcknowledgeAsync();
            }
        }

        Assert.Null(await even.ReceiveAsync(TimeSpan.Zero));
        Assert.Null(await odd.ReceiveAsync(TimeSpan.FromMilliseconds(100)));
        await AssertCountAsync(0, queue);
    }

    [ServiceBusFact]
    public async Task A_program_may_block_after_each_operation_of_a_session()
    {
        QueueClient queue = await OpenAsync(WithSessions);
        for (int i = 0; i < 6; i++)
        {
            await queue.SendAsync(Of("a", i));
            string? id = i % 2 == 0 ? "a" : null;
            QueueClient? session = null;
            await BlocksAfterAsync("accept", async () => session = await queue.AcceptSessionAsync(id, Soon).ConfigureAwait(false), SendAsync);
            await BlocksAfterAsync("state", () => session!.SetSessionStateAsync(new byte[] { 1 }).AsTask(), SendAsync);
            await BlocksAfterAsync("receive", async () => await (await session!.ReceiveAsync(Soon))!.AcknowledgeAsync(), SendAsync);
            await BlocksAfterAsync("close", () => session!.DisposeAsync().AsTask(), SendAsync);
            await queue.PurgeAsync();
        }

        Task SendAsync() => queue.SendAsync(Of("b", 0)).AsTask();
    }

    [ServiceBusFact]
    public async Task Session_by_its_id_is_locked_until_it_is_disposed_and_goes_on_in_order()
    {
        QueueClient queue = await OpenAsync(WithSessions);
        await queue.SendBatchAsync([.. Enumerable.Range(0, 5).Select(i => Of("a", i))]);
        QueueClient first = (await queue.AcceptSessionAsync("a", TimeSpan.Zero))!;
        Assert.True(first.SessionLockEnd > DateTimeOffset.UtcNow);
        IReadOnlyList<ReceivedMessage> messages = await ReceiveAsync(first, 3);
        await messages[0].AcknowledgeAsync();
        Assert.Null(await queue.AcceptSessionAsync("a", TimeSpan.Zero));
        Assert.Null(await queue.AcceptSessionAsync("a", TimeSpan.FromMilliseconds(100)));
        Task<QueueClient?> waiting = queue.AcceptSessionAsync("a", Soon).AsTask();
        await first.DisposeAsync();

        await using QueueClient second = (await waiting)!;
        Assert.Equal(["1", "2", "3", "4"], await ReceiveAllAsync(second, 4));
        await Assert.ThrowsAsync<QueueException>(() => messages[1].AcknowledgeAsync().AsTask());
        await Assert.ThrowsAsync<ObjectDisposedException>(() => first.ReceiveAsync(TimeSpan.Zero).AsTask());
        await Assert.ThrowsAsync<ObjectDisposedException>(() => first.GetSessionStateAsync().AsTask());
    }

    [ServiceBusFact]
    public async Task Receiver_that_waits_gets_the_session_that_is_sent()
    {
        QueueClient queue = await OpenAsync(WithSessions);
        Assert.Null(await queue.AcceptSessionAsync(TimeSpan.FromMilliseconds(100)));
        Task<QueueClient?> waiting = queue.AcceptSessionAsync(Timeout.InfiniteTimeSpan).AsTask();
        await queue.SendAsync(Of("a", 1));

        await using QueueClient session = (await waiting)!;
        Assert.Equal("1", Text(await session.ReceiveAsync(Soon)));
    }

    [ServiceBusFact]
    public async Task Canceled_and_closed_waits_leave_no_session_locked()
    {
        QueueClient queue = await OpenAsync(WithSessions);
        using var canceled = new CancellationTokenSource();
        Task<QueueClient?> first = queue.AcceptSessionAsync(Soon, canceled.Token).AsTask();
        await canceled.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => first);
        using var late = new CancellationTokenSource();
        Task<QueueClient?> named = queue.AcceptSessionAsync("a", Soon, late.Token).AsTask();
        await late.CancelAsync();
        try
        {
            // The service may have answered before.
            await (await named)!.DisposeAsync();
        }
        catch (OperationCanceledException)
        {
        }

        QueueClient closed = await OpenAsync(WithSessions);
        Task<QueueClient?> second = closed.AcceptSessionAsync(Soon).AsTask();
        await closed.DisposeAsync();
        await Assert.ThrowsAsync<ObjectDisposedException>(() => second);
        await queue.SendAsync(Of("a", 1));

        QueueClient other = await OpenAsync(WithSessions);
        await using QueueClient session = (await other.AcceptSessionAsync(Soon))!;
        Assert.Equal("1", Text(await session.ReceiveAsync(Soon)));
    }

    [ServiceBusFact]
    public async Task State_stays_with_the_session()
    {
        QueueClient queue = await OpenAsync(WithSessions);
        await using (QueueClient session = (await queue.AcceptSessionAsync("a", Soon))!)
        {
            Assert.Null(await session.GetSessionStateAsync());
            await session.SetSessionStateAsync(new byte[] { 1, 2, 3 });
            QueueException e = await Assert.ThrowsAsync<QueueException>(() => session.SetSessionStateAsync(new byte[300 << 10]).AsTask());
            Assert.Contains("store the state of the session", e.Message, StringComparison.Ordinal);
            Assert.Contains("larger than the entity takes", e.Message, StringComparison.Ordinal);
            Assert.False(e.OutcomeUnknown);
        }

        await using QueueClient again = (await queue.AcceptSessionAsync("a", Soon))!;
        Assert.Equal([1, 2, 3], (await again.GetSessionStateAsync())!.Value.ToArray());
        await again.SetSessionStateAsync(null);
        Assert.Null(await again.GetSessionStateAsync());
        await using QueueClient other = (await queue.AcceptSessionAsync("b", Soon))!;
        Assert.Null(await other.GetSessionStateAsync());
    }

    /// <summary>A lock of five seconds is renewed for as long as the session is open.</summary>
    [ServiceBusFact]
    public async Task Lock_of_a_session_is_renewed()
    {
        var connector = new QueueConnector(ServiceBusPeer.Provider(options => options with { LockDuration = TimeSpan.FromSeconds(5) }));
        await using QueueClient queue = await connector.OpenAsync(AddressOf("a"), WithSessions);
        OnDispose(() => connector.DeleteAsync(AddressOf("a")).AsTask());
        await queue.SendAsync(Of("a", 1));
        await using QueueClient session = (await queue.AcceptSessionAsync(Soon))!;
        DateTimeOffset? end = session.SessionLockEnd;
        ReceivedMessage message = (await session.ReceiveAsync(Soon))!;
        Assert.Null(await queue.AcceptSessionAsync("a", TimeSpan.FromSeconds(7)));

        await message.AcknowledgeAsync();
        Assert.True(session.SessionLockEnd > end);
        Assert.Null(await session.ReceiveAsync(TimeSpan.Zero));
    }

    [ServiceBusFact]
    public async Task Lock_that_is_lost_amid_a_batch_is_one_clear_error_and_loses_nothing()
    {
        QueueClient queue = await OpenAsync(WithSessions);
        await queue.SendBatchAsync([.. Enumerable.Range(0, 5).Select(i => Of("a", i))]);
        await using QueueClient session = (await queue.AcceptSessionAsync(Soon))!;
        IReadOnlyList<ReceivedMessage> batch = await ReceiveAsync(session, 3);
        await batch[0].AcknowledgeAsync();
        await ServiceBusPeer.SetFaultAsync("session-lost", queue.Address.QueueName, 1);

        QueueBatchException failures = await Assert.ThrowsAsync<QueueBatchException>(() => session.AcknowledgeBatchAsync([batch[1], batch[2]]).AsTask());
        Assert.Equal(2, failures.Failures.Count);
        var errors = new List<Exception> { failures.Failures[0].Error, failures.Failures[1].Error };
        foreach (Func<Task> operation in new Func<Task>[]
        {
            () => session.ReceiveAsync(Soon).AsTask(),
            () => session.GetSessionStateAsync().AsTask(),
            () => session.SetSessionStateAsync(null).AsTask(),
        })
            errors.Add(await Assert.ThrowsAsync<QueueException>(operation));
        Assert.All(errors, error => Assert.Contains("the lock of the session is gone", error.Message, StringComparison.Ordinal));

        await using QueueClient next = (await queue.AcceptSessionAsync("a", Soon))!;
        for (int i = 1; i < 5; i++)
        {
            ReceivedMessage message = (await next.ReceiveAsync(Soon))!;
            Assert.Equal(($"{i}", i < 3), (Text(message), message.IsRedelivered));
            await message.AcknowledgeAsync();
        }

        Assert.Null(await next.ReceiveAsync(TimeSpan.Zero));
    }

    /// <summary>The service notices a lost connection by the end of the lock.</summary>
    [ServiceBusFact]
    public async Task Rest_of_a_session_whose_connection_is_lost_comes_in_order()
    {
        using var proxy = new LoopbackProxy($"amqp://{ServiceBusPeer.Host}");
        string cut = ServiceBusPeer.ConnectionString.Replace(ServiceBusPeer.Host, new Uri(proxy.Address).Authority, StringComparison.Ordinal);
        var connector = new QueueConnector(ServiceBusPeer.Provider(options => options with
        {
            ConnectionString = cut,
            AdministrationConnectionString = ServiceBusPeer.ConnectionString,
            LockDuration = TimeSpan.FromSeconds(5),
        }));
        QueueClient lost = await connector.OpenAsync(AddressOf("a"), WithSessions);
        await lost.SendBatchAsync([.. Enumerable.Range(0, 4).Select(i => Of("a", i))]);
        QueueClient session = (await lost.AcceptSessionAsync(Soon))!;
        await (await session.ReceiveAsync(Soon))!.AcknowledgeAsync();
        ReceivedMessage held = (await session.ReceiveAsync(Soon))!;
        proxy.CutAfter(0);
        await Assert.ThrowsAsync<QueueException>(() => held.AcknowledgeAsync().AsTask());
        await Assert.ThrowsAsync<QueueException>(() => session.ReceiveAsync(Soon).AsTask());

        QueueClient queue = await OpenAsync(WithSessions);
        await using (QueueClient next = (await queue.AcceptSessionAsync(Soon))!)
            Assert.Equal(["1", "2", "3"], await ReceiveAllAsync(next, 3));
        await session.DisposeAsync();
        await lost.DisposeAsync();
    }

    [ServiceBusFact]
    public async Task Queue_that_requires_sessions_and_a_handle_that_does_not_is_one_clear_error()
    {
        QueueClient queue = await OpenAsync(WithSessions);
        await queue.SendAsync(Of("a", 1));
        QueueClient plain = await OpenAsync(QueueOptions.Default);
        var transactional = new QueueOptions { DeliveryMode = DeliveryMode.Transactional };
        QueueClient inTransaction = await OpenAsync(transactional);
        await using QueueTransaction transaction = await inTransaction.BeginTransactionAsync();
        foreach (Func<Task> operation in new Func<Task>[]
        {
            () => plain.ReceiveAsync(Soon).AsTask(),
            () => plain.ReceiveAsync(TimeSpan.Zero).AsTask(),
            () => plain.PurgeAsync().AsTask(),
            () => plain.SendAsync(Message("x")).AsTask(),
            () => inTransaction.ReceiveAsync(Soon, transaction).AsTask(),
        })
        {
            QueueException e = await Assert.ThrowsAsync<QueueException>(operation);
            Assert.Contains($"open an entity that requires sessions with {nameof(QueueOptions)}.{nameof(QueueOptions.RequiresSession)}", e.Message, StringComparison.Ordinal);
            Assert.False(e.OutcomeUnknown);
        }

        // What needs no session works.
        await plain.SendAsync(Of("a", 2));
        Assert.Equal(2, (await plain.PeekAsync()).Count);
        await AssertCountAsync(2, plain);
        InvalidOperationException refused = await Assert.ThrowsAsync<InvalidOperationException>(() => plain.AcceptSessionAsync(Soon).AsTask());
        Assert.Contains(nameof(QueueOptions.RequiresSession), refused.Message, StringComparison.Ordinal);
    }

    [ServiceBusFact]
    public async Task Queue_without_sessions_and_a_handle_that_requires_them_is_one_clear_error()
    {
        await OpenAsync(QueueOptions.Default);
        QueueException e = await Assert.ThrowsAsync<QueueException>(() => OpenAsync(WithSessions));
        Assert.Contains($"without {nameof(QueueOptions)}.{nameof(QueueOptions.RequiresSession)}", e.Message, StringComparison.Ordinal);

        var connector = new QueueConnector(ServiceBusPeer.Provider(options => options with { CreatesEntities = false }));
        await using QueueClient queue = await connector.OpenAsync(AddressOf("a"), WithSessions);
        foreach (string? id in new[] { null, "a" })
        {
            e = await Assert.ThrowsAsync<QueueException>(() => queue.AcceptSessionAsync(id, Soon).AsTask());
            Assert.Contains($"open an entity without sessions without {nameof(QueueOptions)}.{nameof(QueueOptions.RequiresSession)}", e.Message, StringComparison.Ordinal);
        }
    }

    [ServiceBusFact]
    public async Task Misuse_is_refused_before_anything_happens()
    {
        QueueClient queue = await OpenAsync(WithSessions);
        InvalidOperationException e = await Assert.ThrowsAsync<InvalidOperationException>(() => queue.ReceiveAsync(TimeSpan.Zero).AsTask());
        Assert.Contains(nameof(QueueClient.AcceptSessionAsync), e.Message, StringComparison.Ordinal);
        await Assert.ThrowsAsync<InvalidOperationException>(() => queue.ReceiveDeferredAsync("1").AsTask());
        await Assert.ThrowsAsync<ArgumentException>(() => queue.SendAsync(Message("x")).AsTask());
        foreach (string id in new[] { new string('x', 129), new string('x', 200), "", "\ud800" })
        {
            await Assert.ThrowsAsync<ArgumentException>(() => queue.SendAsync(Of(id, 1)).AsTask());
            await Assert.ThrowsAsync<ArgumentException>(() => queue.AcceptSessionAsync(id, TimeSpan.Zero).AsTask());
        }

        await Assert.ThrowsAsync<ArgumentOutOfRangeException>(() => queue.AcceptSessionAsync(TimeSpan.FromSeconds(-2)).AsTask());
        await Assert.ThrowsAsync<NotSupportedException>(() => Connector.OpenAsync($"{AddressOf("a")}/$DeadLetterQueue", WithSessions).AsTask());
        QueueClient transactional = await OpenAsync(WithSessions with { DeliveryMode = DeliveryMode.Transactional });
        await Assert.ThrowsAsync<NotSupportedException>(() => transactional.AcceptSessionAsync(TimeSpan.Zero).AsTask());
        await AssertCountAsync(0, queue);

        // The longest id is one.
        string longest = new('x', 128);
        await queue.SendAsync(Of(longest, 1));
        await using QueueClient session = (await queue.AcceptSessionAsync(longest, Soon))!;
        Assert.Equal("1", Text(await session.ReceiveAsync(Soon)));
    }

    [ServiceBusFact]
    public async Task Sends_in_a_transaction_have_their_session()
    {
        QueueClient transactional = await OpenAsync(WithSessions with { DeliveryMode = DeliveryMode.Transactional });
        await using (QueueTransaction transaction = await transactional.BeginTransactionAsync())
        {
            await transactional.SendAsync(Of("a", 1), transaction);
            await transaction.CommitAsync();
        }

        QueueClient queue = await OpenAsync(WithSessions);
        await using QueueClient session = (await queue.AcceptSessionAsync(Soon))!;
        Assert.Equal(("a", "1"), (session.SessionId, Text(await session.ReceiveAsync(Soon))));
    }

    [ServiceBusFact]
    public async Task Peek_count_and_purge_of_a_session_and_of_all()
    {
        QueueClient queue = await OpenAsync(WithSessions);
        await queue.SendBatchAsync([Of("a", 0), Of("b", 1), Of("a", 2), Of("c", 3)]);
        await queue.SendAsync(new QueueMessage(Message("later").Body) { SessionId = "a", DueTime = DateTimeOffset.UtcNow.AddHours(1) });
        Assert.Equal(["a", "b", "a", "c", "a"], (await queue.PeekAsync()).Select(static message => message.SessionId));
        await using (QueueClient session = (await queue.AcceptSessionAsync("a", Soon))!)
        {
            ReceivedMessage held = (await session.ReceiveAsync(Soon))!;
            Assert.Equal([true, false, false], (await session.PeekAsync()).Select(static message => message.IsLocked));
            Assert.Equal(2, await session.GetMessageCountAsync());
            Assert.Equal(2, await session.PurgeAsync());
            await held.ReturnAsync();
        }

        await using (QueueClient locked = (await queue.AcceptSessionAsync("c", Soon))!)
            Assert.Equal(2, await queue.PurgeAsync());
        Assert.Equal(["c"], (await queue.PeekAsync()).Select(static message => message.SessionId));
    }

    /// <summary>A message that is returned is received before the later messages, one at a time.</summary>
    [ServiceBusFact]
    public async Task Returned_message_of_a_session_comes_before_the_later_ones()
    {
        QueueClient queue = await OpenAsync(WithSessions with { DeadLetterQueue = NameOf("dead"), MaxDeliveryCount = 3 });
        OnDispose(() => Connector.DeleteAsync(AddressOf("dead")).AsTask());
        await queue.SendBatchAsync([Of("a", 0), Of("a", 1), Of("a", 2)]);
        await using QueueClient session = (await queue.AcceptSessionAsync(Soon))!;
        for (int i = 0; i < 3; i++)
        {
            ReceivedMessage message = (await session.ReceiveAsync(Soon))!;
            Assert.Equal(("0", i + 1), (Text(message), message.DeliveryCount));
            await message.ReturnAsync();
        }

        ReceivedMessage second = (await session.ReceiveAsync(Soon))!;
        Assert.Equal("1", Text(second));
        await second.DeadLetterAsync("bad");
        Assert.Equal("2", Text(await session.ReceiveAsync(Soon)));
        await using QueueClient dead = await Connector.OpenAsync(AddressOf("dead"));
        Assert.Equal(["0", "1"], await ReceiveAllAsync(dead, 2));
    }

    [ServiceBusFact]
    public async Task Subscription_has_sessions()
    {
        await using MessageTopic topic = await Connector.OpenTopicAsync(AddressOf("topic"), WithSessions);
        OnDispose(() => new ServiceBusAdministrationClient(ServiceBusPeer.ConnectionString).DeleteTopicAsync(NameOf("topic")));
        await using QueueClient subscription = await topic.SubscribeDurableAsync("s", "n > 0");
        await using QueueClient plain = await topic.SubscribeDurableAsync("plain", null, QueueOptions.Default);
        for (int i = 0; i < 3; i++)
            await topic.SendAsync(new QueueMessage(Message(i).Body) { SessionId = "a", Headers = { ["n"] = i } });

        await using QueueClient session = (await subscription.AcceptSessionAsync(Soon))!;
        Assert.Equal(["1", "2"], await ReceiveAllAsync(session, 2));
        Assert.Equal(["0", "1", "2"], await ReceiveAllAsync(plain, 3));
        await Assert.ThrowsAsync<QueueException>(() => topic.SubscribeDurableAsync("plain", null, WithSessions).AsTask());
    }

    /// <summary>A handle of its own for the session: that of the queue may be closed before it.</summary>
    [ServiceBusFact]
    public async Task Session_stays_open_when_the_queue_is_closed()
    {
        QueueClient queue = await OpenAsync(WithSessions with { ReceiveMode = ReceiveMode.ReceiveAndDelete });
        await queue.SendBatchAsync([Of("a", 0), Of("a", 1)]);
        QueueClient session = (await queue.AcceptSessionAsync(Soon))!;
        await queue.DisposeAsync();
        Assert.Equal(["0", "1"], await ReceiveAllAsync(session, 2));
        await session.SendAsync(Of("a", 2));
        await session.DisposeAsync();

        QueueClient again = await OpenAsync(WithSessions);
        await using QueueClient next = (await again.AcceptSessionAsync(Soon))!;
        Assert.Equal("2", Text(await next.ReceiveAsync(Soon)));
    }

    /// <summary>What the client of the service itself sends and sees.</summary>
    [ServiceBusFact]
    public async Task Session_id_and_state_are_those_of_the_client()
    {
        QueueClient queue = await OpenAsync(WithSessions);
        await queue.SendAsync(Of("a", 1));
        await using var client = new ServiceBusClient(ServiceBusPeer.ConnectionString);
        await using (ServiceBusSessionReceiver receiver = await client.AcceptNextSessionAsync(queue.Address.QueueName))
        {
            ServiceBusReceivedMessage message = await receiver.ReceiveMessageAsync();
            Assert.Equal(("a", "1"), (message.SessionId, message.Body.ToString()));
            await receiver.SetSessionStateAsync(new BinaryData("state"));
            await receiver.CompleteMessageAsync(message);
        }

        await using ServiceBusSender sender = client.CreateSender(queue.Address.QueueName);
        await sender.SendMessageAsync(new ServiceBusMessage("2") { SessionId = "a" });
        await using QueueClient session = (await queue.AcceptSessionAsync(Soon))!;
        Assert.Equal("state", System.Text.Encoding.UTF8.GetString((await session.GetSessionStateAsync())!.Value.Span));
        Assert.Equal("2", Text(await session.ReceiveAsync(Soon)));
    }

    private static QueueMessage Of(string? session, int number) => new(Message(number).Body) { SessionId = session };

    private static async Task<IReadOnlyList<ReceivedMessage>> ReceiveAsync(QueueClient queue, int count)
    {
        var messages = new List<ReceivedMessage>();
        while (messages.Count < count)
            messages.AddRange(await queue.ReceiveBatchAsync(count - messages.Count, Soon));
        return messages;
    }
}
