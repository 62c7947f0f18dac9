using System;
using System.Collections.Concurrent;
using System.Collections.Generic;
using System.Linq;
using System.Text;
using System.Threading;
using System.Threading.Tasks;
using Formatters.Queues.RabbitMQ;
using Xunit;

namespace Formatters.Queues.Tests;

/// <summary>A broker that is killed, that stops answering, and connections that are cut: an error at once, never a wait without end.</summary>
public sealed class RabbitMqFailureTests
{
    private static readonly TimeSpan Soon = TimeSpan.FromSeconds(20);

    /// <summary>Far beyond what any of this takes: only a wait without end gets here.</summary>
    private static readonly TimeSpan Hang = TimeSpan.FromMinutes(2);

    private static readonly QueueOptions Recoverable = new() { DeliveryMode = DeliveryMode.Recoverable, ReceiveMode = ReceiveMode.ReceiveAndDelete };
    private static readonly QueueOptions Transactional = new() { DeliveryMode = DeliveryMode.Transactional };

    // Without reconnection: what is lost is seen at once.
    private readonly QueueConnector _connector = new(new RabbitMqQueueProvider(new RabbitMqOptions { ReconnectTimeout = TimeSpan.Zero }));

    [BrokerFact]
    public async Task Broker_killed_in_the_middle_of_sends_and_receives()
    {
        await using PrivateBroker broker = await PrivateBroker.StartAsync();
        string address = broker.Address + "/killed";
        await broker.MakeQueueAsync("killed");
        await using QueueClient sender = await _connector.OpenAsync(address, Recoverable);
        await using QueueClient express = await _connector.OpenAsync(broker.Address + "/express", QueueOptions.Fastest);
        await using QueueClient receiver = await _connector.OpenAsync(broker.Address + "/empty", QueueOptions.Fastest);
        await using QueueClient transactional = await _connector.OpenAsync(broker.Address + "/transactional", Transactional);
        await using QueueTransaction transaction = await transactional.BeginTransactionAsync();
        await transactional.SendAsync(new QueueMessage(), transaction);
        Task<ReceivedMessage?> waiting = receiver.ReceiveAsync(Timeout.InfiniteTimeSpan).AsTask();

        var confirmed = new ConcurrentBag<string>();
        var errors = new ConcurrentBag<QueueException>();
        var enough = new TaskCompletionSource();
        int next = 0;
        Task[] senders = Enumerable.Range(0, 10).Select(_ => Task.Run(async () =>
        {
            try
            {
                while (true)
                {
                    string id = $"{Interlocked.Increment(ref next)}";
                    await sender.SendAsync(new QueueMessage { MessageId = id });
                    confirmed.Add(id);
                    if (confirmed.Count == 500)
                        enough.TrySetResult();
                }
            }
            catch (QueueException e)
            {
                errors.Add(e);
            }
        })).ToArray();
        Task<QueueException> expressEnds = Task.Run(async () =>
        {
            try
            {
                while (true)
                    await express.SendAsync(new QueueMessage());
            }
            catch (QueueException e)
            {
                return e;
            }
        });
        await enough.Task.WaitAsync(Hang);

        await broker.KillAsync();

        await Task.WhenAll(senders).WaitAsync(Hang);
        Assert.Equal(10, errors.Count);
        Assert.Contains(errors, e => e.OutcomeUnknown);
        Assert.All(errors, e => Assert.Contains("lost", e.Message, StringComparison.Ordinal));
        Assert.Contains("lost", (await expressEnds.WaitAsync(Hang)).Message, StringComparison.Ordinal);
        Assert.Contains("lost", (await Assert.ThrowsAsync<QueueException>(() => waiting.WaitAsync(Hang))).Message, StringComparison.Ordinal);
        await FailsAsync(() => sender.SendAsync(new QueueMessage()).AsTask());
        await FailsAsync(() => receiver.ReceiveAsync(TimeSpan.Zero).AsTask());
        await FailsAsync(() => receiver.GetMessageCountAsync().AsTask());
        await FailsAsync(() => receiver.PurgeAsync().AsTask());
        await FailsAsync(() => transaction.CommitAsync().AsTask());
        await FailsAsync(() => transactional.BeginTransactionAsync().AsTask());
        await FailsAsync(() => _connector.OpenAsync(address, Recoverable).AsTask());

        await broker.RestartAsync();
        await using QueueClient after = await _connector.OpenAsync(address, Recoverable);
        var survived = new HashSet<string>();
        while (await after.ReceiveAsync(TimeSpan.Zero) is { } message)
            Assert.True(survived.Add(message.MessageId!));
        Assert.Empty(confirmed.Except(survived));

        static async Task FailsAsync(Func<Task> operation) => await Assert.ThrowsAsync<QueueException>(() => operation().WaitAsync(Hang));
    }

    [BrokerFact]
    public async Task Broker_that_stops_answering_ends_every_operation_with_the_timeout()
    {
        await using PrivateBroker broker = await PrivateBroker.StartAsync();
        // The broker, too, gives up who does not answer, after half of that time.
        QueueOptions options = Recoverable with { OperationTimeout = TimeSpan.FromSeconds(12), SendWindow = 4 };
        QueueClient queue = await _connector.OpenAsync(broker.Address + "/paused", options);
        QueueClient express = await _connector.OpenAsync(broker.Address + "/paused", options with { DeliveryMode = DeliveryMode.Express });
        await queue.SendAsync(new QueueMessage());
        await broker.PauseAsync();
        try
        {
            Task[] sends = Enumerable.Range(0, 8).Select(_ => queue.SendAsync(new QueueMessage()).AsTask()).ToArray();
            foreach (Task send in sends)
                await Assert.ThrowsAsync<QueueException>(() => send.WaitAsync(Hang));
            await Assert.ThrowsAsync<QueueException>(() => queue.GetMessageCountAsync().AsTask().WaitAsync(Hang));
            await Assert.ThrowsAsync<QueueException>(() => queue.ReceiveAsync(TimeSpan.Zero).AsTask().WaitAsync(Hang));

            // Express sends go into the socket's buffers until these are full.
            var large = new QueueMessage(new MessageBody(new byte[1 << 20]));
            await Assert.ThrowsAsync<QueueException>(() => SendUntilAsync(express, large).WaitAsync(Hang));
            await Task.WhenAll(queue.DisposeAsync().AsTask(), express.DisposeAsync().AsTask()).WaitAsync(Hang);
        }
        finally
        {
            await broker.ContinueAsync();
        }
    }

    [BrokerFact]
    public async Task Broker_that_stops_answering_is_no_empty_queue()
    {
        await using PrivateBroker broker = await PrivateBroker.StartAsync();
        long start = Environment.TickCount64;
        // On a machine that stands still for more than a second a connection may be lost before the operation's time is over, or before the pause, also by the
        // broker, which missed a heartbeat of ours: then from the beginning.
        while (!await HasFailedInTimeAsync())
        {
        }

        async Task<bool> HasFailedInTimeAsync()
        {
            var options = QueueOptions.Fastest with { OperationTimeout = TimeSpan.FromSeconds(1) };
            QueueClient patient = await OpenAsync(options);
            QueueClient hasty = await OpenAsync(options with { OperationTimeout = TimeSpan.FromSeconds(2) });
            Task<ReceivedMessage?> waiting = patient.ReceiveAsync(Timeout.InfiniteTimeSpan).AsTask();
            await broker.PauseAsync();
            Task<ReceivedMessage?> receive = hasty.ReceiveAsync(TimeSpan.FromMilliseconds(50)).AsTask();
            bool isWaiting = !waiting.IsCompleted;
            try
            {
                QueueException e = await Assert.ThrowsAsync<QueueException>(() => receive.WaitAsync(Hang));
                bool isInTime = isWaiting && !e.Message.Contains("was lost", StringComparison.Ordinal);
                if (isInTime || Environment.TickCount64 - start > Hang.TotalMilliseconds)
                {
                    Assert.Contains("did not answer within 2 s", e.Message, StringComparison.Ordinal);

                    // No operation waits for an answer here: the heartbeat tells.
                    e = await Assert.ThrowsAsync<QueueException>(() => waiting.WaitAsync(Hang));
                    isInTime = e.Message.Contains("the broker does not answer", StringComparison.Ordinal);
                }

                if (isInTime || Environment.TickCount64 - start > Hang.TotalMilliseconds)
                {
                    Assert.Contains("the broker does not answer", (await Assert.ThrowsAsync<QueueException>(() => waiting)).Message, StringComparison.Ordinal);
                    e = await Assert.ThrowsAsync<QueueException>(() => patient.SendAsync(new QueueMessage()).AsTask().WaitAsync(Hang));
                    Assert.Contains("the broker does not answer", e.Message, StringComparison.Ordinal);
                    Assert.True(e.IsUnreachable);
                    isInTime = true;
                }

                await Task.WhenAll(patient.DisposeAsync().AsTask(), hasty.DisposeAsync().AsTask()).WaitAsync(Hang);
                return isInTime;
            }
            finally
            {
                await broker.ContinueAsync();
            }
        }

        async Task<QueueClient> OpenAsync(QueueOptions options)
        {
            while (true)
            {
                QueueClient? queue = null;
                try
                {
                    queue = await _connector.OpenAsync(broker.Address + "/paused", options);
                    // Opens the channel, and starts the consumer that stays.
                    Assert.Null(await queue.ReceiveAsync(TimeSpan.FromMilliseconds(50)));
                    return queue;
                }
                catch (QueueException) when (Environment.TickCount64 - start < Hang.TotalMilliseconds)
                {
                    // A busy machine may need longer for it than the short timeout.
                    if (queue is not null)
                        await queue.DisposeAsync();
                }
            }
        }
    }

    /// <summary>In a memory alarm the broker reads nothing from a connection that has sent: acknowledgements neither.</summary>
    [BrokerFact]
    public async Task Memory_alarm_holds_up_the_sends_of_a_handle_and_not_its_receives()
    {
        await using PrivateBroker broker = await PrivateBroker.StartAsync();
        QueueOptions options = new() { DeliveryMode = DeliveryMode.Recoverable, PrefetchCount = 2, OperationTimeout = TimeSpan.FromMinutes(5) };
        await using QueueClient queue = await _connector.OpenAsync(broker.Address + "/alarm", options);
        await using QueueClient express = await _connector.OpenAsync(broker.Address + "/express", options with { DeliveryMode = DeliveryMode.Express });
        for (int i = 0; i < 20; i++)
        {
            await queue.SendAsync(new QueueMessage { Label = $"{i}" });
            await express.SendAsync(new QueueMessage { Label = $"{i}" });
        }

        Assert.Equal(20, await express.GetMessageCountAsync());
        await broker.BlockAsync();
        // The broker takes the first message of each connection, and then blocks it.
        await queue.SendAsync(new QueueMessage { Label = "20" });
        await express.SendAsync(new QueueMessage { Label = "20" });
        Task blocked = queue.SendAsync(new QueueMessage { Label = "blocked" }).AsTask();
        await express.SendAsync(new QueueMessage { Label = "blocked" });
        foreach (QueueClient one in new[] { queue, express })
        {
            for (int i = 0; i <= 20; i++)
            {
                // Waiting and looking once are different ways of asking the broker.
                ReceivedMessage message = (await one.ReceiveAsync(i % 3 == 0 && i < 20 ? TimeSpan.Zero : Soon))!;
                Assert.Equal($"{i}", message.Label);
                await message.AcknowledgeAsync();
            }

            Assert.Equal(0, await one.GetMessageCountAsync());
        }

        Assert.False(blocked.IsCompleted);
        await broker.UnblockAsync();
        await blocked.WaitAsync(Hang);
        foreach (QueueClient one in new[] { queue, express })
            Assert.Equal("blocked", (await one.ReceiveAsync(Hang))!.Label);
    }

    [BrokerFact]
    public async Task Connection_cut_in_the_middle_of_a_frame()
    {
        using var proxy = new LoopbackProxy(Broker.Address);
        string name = "formatters-tests-" + Guid.NewGuid().ToString("N");
        try
        {
            for (int cut = 0; cut < 3; cut++)
            {
                await using QueueClient queue = await _connector.OpenAsync($"{proxy.Address}/{name}", Recoverable);
                await queue.PurgeAsync();
                await queue.SendAsync(new QueueMessage(new MessageBody(Encoding.ASCII.GetBytes("before"))));
                proxy.CutAfter(10_000 + cut);
                Task send = queue.SendAsync(new QueueMessage(new MessageBody(new byte[100_000]))).AsTask();

                QueueException e = await Assert.ThrowsAsync<QueueException>(() => send.WaitAsync(Hang));
                Assert.True(e.OutcomeUnknown);
                Assert.Contains("lost", e.Message, StringComparison.Ordinal);
                await Assert.ThrowsAsync<QueueException>(() => queue.SendAsync(new QueueMessage()).AsTask().WaitAsync(Hang));

                proxy.CutAfter(long.MaxValue);
                await using QueueClient again = await _connector.OpenAsync($"{Broker.Address}/{name}", Recoverable);
                Assert.Equal("before", Encoding.ASCII.GetString((await again.ReceiveAsync(Soon))!.Body.ToArray()));
                Assert.Null(await again.ReceiveAsync(TimeSpan.Zero));
            }
        }
        finally
        {
            await _connector.DeleteAsync($"{Broker.Address}/{name}");
        }
    }

    /// <summary>The broker has committed: the caller, who does not have its answer, must not take that for a rollback.</summary>
    [BrokerFact]
    public async Task Lost_answer_to_a_commit_leaves_the_outcome_unknown()
    {
        using var proxy = new LoopbackProxy(Broker.Address);
        string name = "formatters-tests-" + Guid.NewGuid().ToString("N");
        try
        {
            await using QueueClient other = await _connector.OpenAsync($"{Broker.Address}/{name}", Recoverable);
            await using QueueClient queue = await _connector.OpenAsync($"{proxy.Address}/{name}", Transactional);
            await using QueueTransaction transaction = await queue.BeginTransactionAsync();
            await queue.SendAsync(new QueueMessage { MessageId = "committed" }, transaction);
            proxy.Delay = Hang;
            Task commit = transaction.CommitAsync().AsTask();
            Assert.Equal("committed", (await other.ReceiveAsync(Soon))!.MessageId);
            // Its request is what ends the connection.
            proxy.CutAfter(0);
            await Assert.ThrowsAsync<QueueException>(() => queue.GetMessageCountAsync().AsTask().WaitAsync(Hang));

            QueueException e = await Assert.ThrowsAsync<QueueException>(() => commit.WaitAsync(Hang));
            Assert.True(e.OutcomeUnknown);
        }
        finally
        {
            await _connector.DeleteAsync($"{Broker.Address}/{name}");
        }
    }

    /// <summary>A message that comes after its receive has failed belongs to nobody: the channel is not used by another transaction.</summary>
    [BrokerFact]
    public async Task Late_answer_to_a_receive_in_a_transaction_gives_the_message_back()
    {
        using var proxy = new LoopbackProxy(Broker.Address);
        string name = "formatters-tests-" + Guid.NewGuid().ToString("N");
        try
        {
            await using QueueClient other = await _connector.OpenAsync($"{Broker.Address}/{name}", Recoverable);
            await using QueueClient queue = await _connector.OpenAsync(
                $"{proxy.Address}/{name}", Transactional with { OperationTimeout = TimeSpan.FromSeconds(1) });
            await other.SendAsync(new QueueMessage { MessageId = "late" });
            await using (QueueTransaction transaction = await queue.BeginTransactionAsync())
            {
                proxy.Delay = TimeSpan.FromSeconds(1.5);
                await Assert.ThrowsAsync<QueueException>(() => queue.ReceiveAsync(TimeSpan.Zero, transaction).AsTask().WaitAsync(Hang));
                proxy.Delay = TimeSpan.Zero;
            }

            Assert.Equal("late", (await other.ReceiveAsync(Soon))!.MessageId);
        }
        finally
        {
            await _connector.DeleteAsync($"{Broker.Address}/{name}");
        }
    }

    [BrokerFact]
    public async Task Connection_cut_gives_locked_messages_back()
    {
        using var proxy = new LoopbackProxy(Broker.Address);
        string name = "formatters-tests-" + Guid.NewGuid().ToString("N");
        try
        {
            await using QueueClient queue = await _connector.OpenAsync(
                $"{proxy.Address}/{name}", Recoverable with { ReceiveMode = ReceiveMode.PeekLock });
            await queue.SendAsync(new QueueMessage());
            ReceivedMessage message = (await queue.ReceiveAsync(Soon))!;
            Task<ReceivedMessage?> waiting = queue.ReceiveAsync(Timeout.InfiniteTimeSpan).AsTask();
            proxy.CutAfter(0);
            await Assert.ThrowsAsync<QueueException>(() => queue.SendAsync(new QueueMessage()).AsTask().WaitAsync(Hang));
            await Assert.ThrowsAsync<QueueException>(() => waiting.WaitAsync(Hang));
            await Assert.ThrowsAsync<QueueException>(() => message.AcknowledgeAsync().AsTask().WaitAsync(Hang));

            await using QueueClient again = await _connector.OpenAsync($"{Broker.Address}/{name}", Recoverable);
            ReceivedMessage same = (await again.ReceiveAsync(Soon))!;
            Assert.True(same.IsRedelivered);
            Assert.Equal(message.MessageId, same.MessageId);
        }
        finally
        {
            await _connector.DeleteAsync($"{Broker.Address}/{name}");
        }
    }

    private static async Task SendUntilAsync(QueueClient queue, QueueMessage message)
    {
        for (int i = 0; i < 1000; i++)
            await queue.SendAsync(message);
    }
}
