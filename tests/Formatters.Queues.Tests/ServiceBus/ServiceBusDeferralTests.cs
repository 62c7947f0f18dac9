using System;
using System.Collections.Concurrent;
using System.Collections.Generic;
using System.Diagnostics;
using System.Linq;
using System.Threading.Tasks;
using Azure.Messaging.ServiceBus;
using Formatters.Queues.ServiceBus;
using Xunit;

namespace Formatters.Queues.Tests;

/// <summary>Messages that are set aside, and received by their position.</summary>
public sealed class ServiceBusDeferralTests : QueueTestBase
{
    private static readonly QueueOptions Transactional = new() { DeliveryMode = DeliveryMode.Transactional };

    protected override QueueProvider Provider { get; } = ServiceBusPeer.Provider();

    protected override string Place => "servicebus:";

    [ServiceBusFact]
    public async Task Deferred_message_is_received_by_its_position_only()
    {
        QueueClient queue = await OpenAsync(QueueOptions.Default);
        (string position, ReceivedMessage message) = await DeferOneAsync(queue);
        Assert.Equal("1", Text(await queue.ReceiveAsync(Soon)));
        Assert.Null(await queue.ReceiveAsync(TimeSpan.Zero));
        // Settled already: without effect.
        await message.DeferAsync();
        await message.AcknowledgeAsync();

        PeekedMessage peeked = (await queue.PeekAsync())[0];
        Assert.Equal((position, true, false), (peeked.Position, peeked.IsDeferred, peeked.IsLocked));
        Assert.False((await queue.PeekAsync())[1].IsDeferred);
        QueueClient other = await OpenAsync(QueueOptions.Default);
        ReceivedMessage deferred = await other.ReceiveDeferredAsync(position);
        Assert.Equal(("0", position, true), (Text(deferred), deferred.Position, deferred.IsRedelivered));
        Assert.True((await other.PeekAsync())[0].IsLocked);
        await deferred.AcknowledgeAsync();
        Assert.Single(await queue.PeekAsync());
        await AssertIsNotThereAsync(queue, position);
    }

    [ServiceBusFact]
    public async Task Returned_message_is_deferred_still_and_a_rejected_one_is_a_dead_letter()
    {
        QueueClient queue = await OpenAsync(QueueOptions.Default with { DeadLetterQueue = NameOf("dead") });
        OnDispose(() => Connector.DeleteAsync(AddressOf("dead")).AsTask());
        (string position, _) = await DeferOneAsync(queue);
        foreach (bool isDeferredAgain in new[] { true, false, false })
        {
            ReceivedMessage message = await queue.ReceiveDeferredAsync(position);
            // While it is locked, nobody else receives it.
            await AssertIsNotThereAsync(queue, position);
            await (isDeferredAgain ? message.DeferAsync() : message.ReturnAsync());
        }

        await (await queue.ReceiveDeferredAsync(position)).DeadLetterAsync("bad");
        await AssertIsNotThereAsync(queue, position);
        await using QueueClient dead = await Connector.OpenAsync(AddressOf("dead"));
        Assert.Equal("bad", (await dead.ReceiveAsync(Soon))!.DeadLetterReason);
    }

    [ServiceBusFact]
    public async Task Closing_the_handle_leaves_the_message_deferred()
    {
        QueueClient queue = await OpenAsync(QueueOptions.Default);
        (string position, _) = await DeferOneAsync(queue);
        ReceivedMessage held = await queue.ReceiveDeferredAsync(position);
        await queue.DisposeAsync();
        await Assert.ThrowsAsync<QueueException>(() => held.DeferAsync().AsTask());
        await Assert.ThrowsAsync<ObjectDisposedException>(() => queue.ReceiveDeferredAsync(position).AsTask());

        QueueClient again = await OpenAsync(QueueOptions.Default);
        Assert.Equal("0", Text(await again.ReceiveDeferredAsync(position)));
    }

    [ServiceBusFact]
    public async Task Position_that_is_none_or_of_no_deferred_message_is_refused()
    {
        QueueClient queue = await OpenAsync(QueueOptions.Default);
        await queue.SendAsync(Message("0"));
        foreach (string position in new[] { "12345", (await queue.PeekAsync())[0].Position })
            await AssertIsNotThereAsync(queue, position);
        foreach (string position in new[] { "x", "-1", " 1", "99999999999999999999", "" })
            await Assert.ThrowsAsync<ArgumentException>(() => queue.ReceiveDeferredAsync(position).AsTask());
        Assert.Equal("0", Text(await queue.ReceiveAsync(Soon)));
    }

    [ServiceBusFact]
    public async Task Receive_and_delete_takes_a_deferred_message_out_and_cannot_defer()
    {
        QueueClient queue = await OpenAsync(QueueOptions.Default);
        (string position, _) = await DeferOneAsync(queue);
        QueueClient deleting = await OpenAsync(new QueueOptions { ReceiveMode = ReceiveMode.ReceiveAndDelete });
        Assert.Equal("0", Text(await deleting.ReceiveDeferredAsync(position)));
        await AssertIsNotThereAsync(queue, position);
        ReceivedMessage gone = (await deleting.ReceiveAsync(Soon))!;
        await Assert.ThrowsAsync<InvalidOperationException>(() => gone.DeferAsync().AsTask());
    }

    [ServiceBusFact]
    public async Task Lock_of_a_deferred_message_is_renewed_and_a_lost_one_is_said()
    {
        var connector = new QueueConnector(ServiceBusPeer.Provider(options => options with { LockDuration = TimeSpan.FromSeconds(5) }));
        await using QueueClient queue = await connector.OpenAsync(AddressOf("a"));
        OnDispose(() => connector.DeleteAsync(AddressOf("a")).AsTask());
        (string position, _) = await DeferOneAsync(queue);
        ReceivedMessage held = await queue.ReceiveDeferredAsync(position);
        await Task.Delay(TimeSpan.FromSeconds(7));
        await ServiceBusPeer.SetFaultAsync("lock-lost", queue.Address.QueueName, 1);
        QueueException e = await Assert.ThrowsAsync<QueueException>(() => held.DeferAsync().AsTask());
        Assert.Equal(ServiceBusFailureReason.MessageLockLost, Assert.IsType<ServiceBusException>(e.InnerException).Reason);

        ReceivedMessage? again = null;
        while (again is null)
        {
            try
            {
                again = await queue.ReceiveDeferredAsync(position);
            }
            catch (QueueException)
            {
                // The lock that is no longer renewed has not ended yet.
                await Task.Delay(100);
            }
        }

        await again.AcknowledgeAsync();
        await AssertIsNotThereAsync(queue, position);
    }

    [ServiceBusFact]
    public async Task Purge_takes_deferred_messages_that_are_not_locked()
    {
        QueueClient queue = await OpenAsync(QueueOptions.Default);
        (string held, _) = await DeferOneAsync(queue);
        await (await queue.ReceiveAsync(Soon))!.DeferAsync();
        ReceivedMessage locked = await queue.ReceiveDeferredAsync(held);
        Assert.Equal(1, await queue.PurgeAsync());
        await locked.ReturnAsync();
        Assert.Equal([held], (await queue.PeekAsync()).Select(static message => message.Position));
    }

    [ServiceBusFact]
    public async Task Transaction_defers_and_receives_deferred_messages_at_its_commit()
    {
        QueueClient queue = await OpenAsync(Transactional);
        QueueClient plain = await OpenAsync(QueueOptions.Default);
        await plain.SendAsync(Message("0"));
        string position = (await plain.PeekAsync())[0].Position;
        foreach (bool commits in new[] { false, true })
        {
            await using QueueTransaction transaction = await queue.BeginTransactionAsync();
            await (await queue.ReceiveAsync(Soon, transaction))!.DeferAsync();
            Assert.False((await plain.PeekAsync())[0].IsDeferred);
            await (commits ? transaction.CommitAsync() : transaction.RollbackAsync());
            Assert.Equal(commits, (await plain.PeekAsync())[0].IsDeferred);
        }

        foreach (bool commits in new[] { false, true })
        {
            await using QueueTransaction transaction = await queue.BeginTransactionAsync();
            Assert.Equal("0", Text(await queue.ReceiveDeferredAsync(position, transaction)));
            await queue.SendAsync(Message("answer"), transaction);
            await (commits ? transaction.CommitAsync() : transaction.RollbackAsync());
            Assert.Equal(commits ? ["answer"] : ["0"], await PeekAsync(plain));
        }

        await Assert.ThrowsAsync<InvalidOperationException>(() => queue.ReceiveDeferredAsync(position).AsTask());
    }

    [ServiceBusFact]
    public async Task Deferred_message_of_a_session_is_received_from_it()
    {
        QueueClient queue = await OpenAsync(new QueueOptions { RequiresSession = true });
        foreach (string id in new[] { "a", "b" })
            await queue.SendBatchAsync([new QueueMessage(Message(id + "0").Body) { SessionId = id }, new QueueMessage(Message(id + "1").Body) { SessionId = id }]);
        string position;
        await using (QueueClient session = (await queue.AcceptSessionAsync("a", Soon))!)
        {
            ReceivedMessage message = (await session.ReceiveAsync(Soon))!;
            position = message.Position!;
            await message.DeferAsync();
            Assert.Equal("a1", Text(await session.ReceiveAsync(Soon)));
        }

        await using (QueueClient other = (await queue.AcceptSessionAsync("b", Soon))!)
            await AssertIsNotThereAsync(other, position);
        await using (QueueClient again = (await queue.AcceptSessionAsync("a", Soon))!)
        {
            Assert.True((await again.PeekAsync())[0].IsDeferred);
            Assert.Equal("a0", Text(await again.ReceiveDeferredAsync(position)));
        }

        // The session has returned it when it was closed: deferred, as it was.
        await using QueueClient last = (await queue.AcceptSessionAsync("a", Soon))!;
        await (await last.ReceiveDeferredAsync(position)).AcknowledgeAsync();
        Assert.Equal("a1", Text(await last.ReceiveAsync(Soon)));
    }

    /// <summary>What the client of the service defers has the position of its sequence number.</summary>
    [ServiceBusFact]
    public async Task Position_is_the_sequence_number_of_the_client()
    {
        QueueClient queue = await OpenAsync(QueueOptions.Default);
        await queue.SendAsync(Message("0"));
        await using var client = new ServiceBusClient(ServiceBusPeer.ConnectionString);
        await using ServiceBusReceiver receiver = client.CreateReceiver(queue.Address.QueueName);
        ServiceBusReceivedMessage message = await receiver.ReceiveMessageAsync();
        await receiver.DeferMessageAsync(message);

        ReceivedMessage deferred = await queue.ReceiveDeferredAsync($"{message.SequenceNumber}");
        await deferred.ReturnAsync();
        Assert.Equal("0", (await receiver.ReceiveDeferredMessageAsync(long.Parse(deferred.Position!, System.Globalization.CultureInfo.InvariantCulture))).Body.ToString());
    }

    /// <summary>Traced handles and messages are decorators.</summary>
    [ServiceBusFact]
    public async Task Sessions_and_deferred_messages_are_traced()
    {
        var spans = new ConcurrentQueue<string>();
        using var listener = new ActivityListener
        {
            ShouldListenTo = source => source.Name == QueueTelemetry.ActivitySourceName,
            Sample = (ref ActivityCreationOptions<ActivityContext> _) => ActivitySamplingResult.AllDataAndRecorded,
            ActivityStopped = activity => spans.Enqueue(activity.DisplayName),
        };
        ActivitySource.AddActivityListener(listener);
        QueueClient queue = await OpenAsync(new QueueOptions { RequiresSession = true });
        await queue.SendAsync(new QueueMessage(Message("0").Body) { SessionId = "a" });
        await using QueueClient session = (await queue.AcceptSessionAsync(Soon))!;
        ReceivedMessage message = (await session.ReceiveAsync(Soon))!;
        Assert.Equal(("a", "a"), (session.SessionId, message.SessionId));
        await message.DeferAsync();
        await (await session.ReceiveDeferredAsync(message.Position!)).AcknowledgeAsync();

        string name = queue.Address.QueueName;
        Assert.Equal([$"send {name}", $"receive {name}", $"defer {name}", $"receive_deferred {name}", $"complete {name}"], spans.Where(span => span.EndsWith(name, StringComparison.Ordinal)));
    }

    /// <summary>Sends two messages, and defers the first.</summary>
    private static async Task<(string Position, ReceivedMessage Message)> DeferOneAsync(QueueClient queue)
    {
        await queue.SendBatchAsync([Message("0"), Message("1")]);
        ReceivedMessage message = (await queue.ReceiveAsync(Soon))!;
        Assert.Equal("0", Text(message));
        await message.DeferAsync();
        return (message.Position!, message);
    }

    private static async Task AssertIsNotThereAsync(QueueClient queue, string position)
    {
        QueueException e = await Assert.ThrowsAsync<QueueException>(() => queue.ReceiveDeferredAsync(position).AsTask());
        Assert.Contains("there is no such message", e.Message, StringComparison.Ordinal);
    }

    private static async Task<IEnumerable<string>> PeekAsync(QueueClient queue) =>
        (await queue.PeekAsync()).Select(static message => System.Text.Encoding.UTF8.GetString(message.Body.Bytes.FirstSpan));
}
