using System;
using System.Collections.Concurrent;
using System.Collections.Generic;
using System.Linq;
using System.Net;
using System.Net.Sockets;
using System.Threading;
using System.Threading.Tasks;
using Formatters.Queues.RabbitMQ;
using Xunit;

namespace Formatters.Queues.Tests;

/// <summary>Connections that are lost and made again, with a ledger of what was sent, confirmed and received.</summary>
public sealed class RabbitMqReconnectTests
{
    /// <summary>Far beyond what any of this takes: only a wait without end gets here.</summary>
    private static readonly TimeSpan Hang = TimeSpan.FromMinutes(3);

    private static readonly QueueOptions Recoverable = new() { DeliveryMode = DeliveryMode.Recoverable, ReceiveMode = ReceiveMode.ReceiveAndDelete };

    /// <summary>Cuts a connection within <see cref="CutMessage"/>, and not with a heartbeat of eight bytes before it.</summary>
    private const int CutInMessage = 100;

    private readonly QueueConnector _connector = new(new RabbitMqQueueProvider(new RabbitMqOptions { ReconnectTimeout = TimeSpan.FromMinutes(2) }));

    [BrokerFact]
    public async Task Broker_killed_and_restarted_loses_nothing_that_was_confirmed()
    {
        await using PrivateBroker broker = await PrivateBroker.StartAsync();
        await broker.MakeQueueAsync("ledger");
        await RunLedgerAsync(broker.Address + "/ledger", rounds: 2, brokerLives: false, async () =>
        {
            await broker.KillAsync();
            await broker.RestartAsync();
        });
    }

    [BrokerFact]
    public async Task Connection_cut_in_mid_frame_again_and_again_loses_nothing_that_was_confirmed()
    {
        using var proxy = new LoopbackProxy(Broker.Address);
        string name = "formatters-tests-" + Guid.NewGuid().ToString("N");
        var random = new Random(1);
        try
        {
            await RunLedgerAsync($"{proxy.Address}/{name}", rounds: 15, brokerLives: true, async () =>
            {
                proxy.CutAfter(random.Next(1, 2000));
                await Task.Delay(50);
                proxy.CutAfter(long.MaxValue);
            });
        }
        finally
        {
            await _connector.DeleteAsync($"{Broker.Address}/{name}");
        }
    }

    /// <summary>
    /// Sends and receives while the connection is lost in every round; what was confirmed is received. What comes twice is what the class allows: a message whose acknowledgement may have
    /// been lost with a connection, so once more for each at most, and marked by a broker that has lived; no send is made twice.
    /// </summary>
    private async Task RunLedgerAsync(string address, int rounds, bool brokerLives, Func<Task> lose)
    {
        await using QueueClient sender = await _connector.OpenAsync(address, Recoverable);
        await using QueueClient receiver = await _connector.OpenAsync(address, Recoverable with { ReceiveMode = ReceiveMode.PeekLock });
        var confirmed = new ConcurrentDictionary<string, bool>();
        var unknown = new ConcurrentDictionary<string, bool>();
        var received = new ConcurrentDictionary<string, int>();
        var unmarked = new ConcurrentDictionary<string, int>();
        int next = 0;
        using var stop = new CancellationTokenSource();
        Task[] senders = Enumerable.Range(0, 4).Select(_ => Task.Run(async () =>
        {
            while (!stop.IsCancellationRequested)
            {
                string id = $"{Interlocked.Increment(ref next)}";
                try
                {
                    await sender.SendAsync(new QueueMessage { MessageId = id });
                    confirmed.TryAdd(id, true);
                }
                catch (QueueException e)
                {
                    // Nothing else may go wrong: a send that was not begun waits for the new connection.
                    Assert.True(e.OutcomeUnknown, e.ToString());
                    unknown.TryAdd(id, true);
                }
            }
        })).ToArray();
        Task receiving = Task.Run(async () =>
        {
            while (true)
            {
                bool isAllSent = senders.All(sender => sender.IsCompleted);
                if (await receiver.ReceiveAsync(TimeSpan.FromSeconds(isAllSent ? 2 : 30)) is not { } message)
                {
                    if (isAllSent && confirmed.Keys.All(received.ContainsKey))
                        return;
                    continue;
                }

                received.AddOrUpdate(message.MessageId!, 1, (_, count) => count + 1);
                if (!message.IsRedelivered)
                    unmarked.AddOrUpdate(message.MessageId!, 1, (_, count) => count + 1);
                try
                {
                    await message.AcknowledgeAsync();
                }
                catch (QueueException)
                {
                    // It comes again.
                }
            }
        });

        int lossCount = 0;
        // A loss that meets no send in progress says little: then there are more.
        for (; lossCount < rounds || (unknown.IsEmpty && lossCount < rounds + 10); lossCount++)
        {
            int before = confirmed.Count;
            await UntilAsync(() => confirmed.Count >= before + 50);
            await lose();
            before = confirmed.Count;
            await UntilAsync(() => confirmed.Count >= before + 50);
        }

        await stop.CancelAsync();
        await Task.WhenAll(senders).WaitAsync(Hang);
        await Task.WhenAny(receiving, Task.Delay(Hang));

        Assert.Empty(confirmed.Keys.Except(received.Keys));
        await receiving.WaitAsync(Hang);
        Assert.Empty(received.Keys.Except(confirmed.Keys).Except(unknown.Keys));
        Assert.NotEmpty(unknown);
        Assert.All(received, one => Assert.InRange(one.Value, 1, lossCount + 1));
        if (brokerLives)
            Assert.All(unmarked, one => Assert.Equal(1, one.Value));
        Assert.Null(await receiver.ReceiveAsync(TimeSpan.Zero));

        async Task UntilAsync(Func<bool> condition)
        {
            long start = Environment.TickCount64;
            while (!condition())
            {
                Assert.True(Environment.TickCount64 - start < Hang.TotalMilliseconds);
                Task? ended = senders.Append(receiving).FirstOrDefault(task => task.IsCompleted);
                if (ended is not null)
                    await ended;
                Assert.Null(ended);
                await Task.Delay(5);
            }
        }
    }

    [BrokerFact]
    public async Task Receive_and_delete_that_ends_without_closing_loses_only_what_it_has_handed_out()
    {
        var connector = new QueueConnector(new RabbitMqQueueProvider(new RabbitMqOptions { ReconnectTimeout = TimeSpan.Zero }));
        using var proxy = new LoopbackProxy(Broker.Address);
        string name = "formatters-tests-" + Guid.NewGuid().ToString("N");
        try
        {
            await using QueueClient direct = await _connector.OpenAsync($"{Broker.Address}/{name}", Recoverable with { ReceiveMode = ReceiveMode.PeekLock });
            await Task.WhenAll(Enumerable.Range(0, 50).Select(i => direct.SendAsync(new QueueMessage { MessageId = $"{i}" }).AsTask()));
            await using (QueueClient killed = await connector.OpenAsync($"{proxy.Address}/{name}", Recoverable with { ReceiveMode = ReceiveMode.ReceiveAndDelete }))
            {
                for (int i = 0; i < 3; i++)
                    Assert.Equal($"{i}", (await killed.ReceiveAsync(Hang))!.MessageId);
                // All 50 were fetched ahead. What is left in the queue is known when the broker has given them back.
                proxy.CutAfter(0);
                await Assert.ThrowsAsync<QueueException>(async () => await killed.GetMessageCountAsync().AsTask().WaitAsync(Hang));
            }

            var came = new System.Collections.Generic.List<string?>();
            while (await direct.ReceiveAsync(TimeSpan.FromSeconds(3)) is { } message)
                came.Add(message.MessageId);
            Assert.Equal(Enumerable.Range(3, 47).Select(i => $"{i}"), came.SkipWhile(id => id is "0" or "1" or "2"));
        }
        finally
        {
            await _connector.DeleteAsync($"{Broker.Address}/{name}");
        }
    }

    [BrokerFact]
    public async Task Waiting_receiver_waits_on_over_the_new_connection()
    {
        using var proxy = new LoopbackProxy(Broker.Address);
        string name = "formatters-tests-" + Guid.NewGuid().ToString("N");
        try
        {
            await using QueueClient queue = await _connector.OpenAsync($"{proxy.Address}/{name}", Recoverable);
            await using QueueClient direct = await _connector.OpenAsync($"{Broker.Address}/{name}", Recoverable);
            await OpenSenderAndReceiverAsync(queue);
            Task<ReceivedMessage?> waiting = queue.ReceiveAsync(Timeout.InfiniteTimeSpan).AsTask();
            proxy.CutAfter(CutInMessage);
            await Assert.ThrowsAsync<QueueException>(() => queue.SendAsync(CutMessage()).AsTask());
            proxy.CutAfter(long.MaxValue);
            await direct.SendAsync(new QueueMessage { MessageId = "late" });

            Assert.Equal("late", (await waiting.WaitAsync(Hang))!.MessageId);
        }
        finally
        {
            await _connector.DeleteAsync($"{Broker.Address}/{name}");
        }
    }

    [BrokerFact]
    public async Task Broker_that_stays_away_ends_every_operation_after_the_timeout()
    {
        var connector = new QueueConnector(new RabbitMqQueueProvider(new RabbitMqOptions { ReconnectTimeout = TimeSpan.FromSeconds(0.5) }));
        string name = "formatters-tests-" + Guid.NewGuid().ToString("N");
        var proxy = new LoopbackProxy(Broker.Address);
        try
        {
            QueueClient queue = await connector.OpenAsync($"{proxy.Address}/{name}", Recoverable);
            Task<ReceivedMessage?> waiting = queue.ReceiveAsync(Timeout.InfiniteTimeSpan).AsTask();
            proxy.CutAfter(0);
            proxy.Dispose();

            await Assert.ThrowsAsync<QueueException>(() => queue.SendAsync(new QueueMessage()).AsTask().WaitAsync(Hang));
            QueueException e = await Assert.ThrowsAsync<QueueException>(() => waiting.WaitAsync(Hang));
            Assert.Contains("could not be made again within 0.5 s", e.Message, StringComparison.Ordinal);
            Task<QueueException> counting = Assert.ThrowsAsync<QueueException>(() => queue.GetMessageCountAsync().AsTask());
            Assert.Contains("could not be made again", (await counting.WaitAsync(Hang)).Message, StringComparison.Ordinal);
            await queue.DisposeAsync().AsTask().WaitAsync(Hang);
            await Assert.ThrowsAsync<ObjectDisposedException>(() => queue.SendAsync(new QueueMessage()).AsTask());
        }
        finally
        {
            await _connector.DeleteAsync($"{Broker.Address}/{name}");
        }
    }

    [BrokerFact]
    public async Task Broker_that_stays_away_is_waited_for_once_by_all()
    {
        var connector = new QueueConnector(new RabbitMqQueueProvider(new RabbitMqOptions { ReconnectTimeout = TimeSpan.FromSeconds(5) }));
        string name = "formatters-tests-" + Guid.NewGuid().ToString("N");
        var proxy = new LoopbackProxy(Broker.Address);
        try
        {
            QueueClient queue = await connector.OpenAsync($"{proxy.Address}/{name}", Recoverable);
            Task<ReceivedMessage?> waiting = queue.ReceiveAsync(Timeout.InfiniteTimeSpan).AsTask();
            proxy.CutAfter(0);
            proxy.Dispose();
            using var stop = new CancellationTokenSource();
            Task<long> impatient = queue.GetMessageCountAsync(stop.Token).AsTask();
            Task<long>[] questions = [.. Enumerable.Range(0, 50).Select(_ => queue.GetMessageCountAsync().AsTask())];
            await stop.CancelAsync();
            await Assert.ThrowsAnyAsync<OperationCanceledException>(() => impatient.WaitAsync(Hang));
            await Task.WhenAll([waiting, .. questions]).WaitAsync(Hang).ContinueWith(static _ => { }, TaskScheduler.Default);

            // One attempt told all of them, and whoever gave up waiting did not end it.
            Assert.All(questions, question => Assert.Contains("Could not count the messages: the connection to", Failure(question).Message, StringComparison.Ordinal));
            Assert.Contains("Could not receive a message: the connection to", Failure(waiting).Message, StringComparison.Ordinal);
            Assert.Single(questions.Select(question => Failure(question).InnerException).Append(Failure(waiting).InnerException).Distinct());
            await queue.DisposeAsync().AsTask().WaitAsync(Hang);
        }
        finally
        {
            await _connector.DeleteAsync($"{Broker.Address}/{name}");
        }

        static QueueException Failure(Task task) => Assert.IsType<QueueException>(task.Exception?.InnerException);
    }

    [BrokerFact]
    public async Task Closing_ends_the_attempts_to_connect()
    {
        string name = "formatters-tests-" + Guid.NewGuid().ToString("N");
        var proxy = new LoopbackProxy(Broker.Address);
        try
        {
            QueueClient queue = await _connector.OpenAsync($"{proxy.Address}/{name}", Recoverable);
            await OpenSenderAndReceiverAsync(queue);
            Task<ReceivedMessage?> waiting = queue.ReceiveAsync(Timeout.InfiniteTimeSpan).AsTask();
            proxy.CutAfter(CutInMessage);
            proxy.Dispose();
            // The one is under way when the connection goes, the other waits for the next.
            Assert.True((await Assert.ThrowsAsync<QueueException>(() => queue.SendAsync(CutMessage()).AsTask().WaitAsync(Hang))).OutcomeUnknown);
            Task send = queue.SendAsync(new QueueMessage()).AsTask();
            await queue.DisposeAsync().AsTask().WaitAsync(Hang);

            await Assert.ThrowsAsync<ObjectDisposedException>(() => send.WaitAsync(Hang));
            await Assert.ThrowsAsync<ObjectDisposedException>(() => waiting.WaitAsync(Hang));
        }
        finally
        {
            await _connector.DeleteAsync($"{Broker.Address}/{name}");
        }
    }

    [BrokerFact]
    public async Task Cluster_the_first_host_that_answers_is_used_and_the_next_when_it_goes()
    {
        using var nobody = new TcpListener(IPAddress.Loopback, 0);
        nobody.Start();
        int closed = ((IPEndPoint)nobody.LocalEndpoint).Port;
        nobody.Stop();
        var proxy = new LoopbackProxy(Broker.Address);
        var broker = new Uri(Broker.Address);
        string name = "formatters-tests-" + Guid.NewGuid().ToString("N");
        string address = $"amqp://{broker.UserInfo}@127.0.0.1:{closed},127.0.0.1:{new Uri(proxy.Address).Port},127.0.0.1:{broker.Port}/{name}";
        try
        {
            await using QueueClient queue = await _connector.OpenAsync(address, Recoverable);
            Assert.Equal(2, queue.Address.OtherHosts.Count);
            Assert.Contains($":{closed},127.0.0.1:", queue.Address.ToString(), StringComparison.Ordinal);
            Assert.DoesNotContain("guest@", queue.Address.ToString(), StringComparison.Ordinal);
            await queue.SendAsync(new QueueMessage { MessageId = "1" });
            proxy.CutAfter(CutInMessage);
            proxy.Dispose();
            await Assert.ThrowsAsync<QueueException>(() => queue.SendAsync(CutMessage()).AsTask().WaitAsync(Hang));
            await queue.SendAsync(new QueueMessage { MessageId = "3" }).AsTask().WaitAsync(Hang);

            var ids = new List<string?>();
            while (await queue.ReceiveAsync(TimeSpan.Zero) is { } message)
                ids.Add(message.MessageId);
            Assert.Equal(["1", "3"], ids);
        }
        finally
        {
            await _connector.DeleteAsync($"{Broker.Address}/{name}");
        }
    }

    private static QueueMessage CutMessage() => new(new MessageBody(new byte[1000])) { MessageId = "cut" };

    /// <summary>So that from now on a receiver that waits writes nothing to the connection, and a sender only its messages.</summary>
    private static async Task OpenSenderAndReceiverAsync(QueueClient queue)
    {
        await queue.SendAsync(new QueueMessage());
        Assert.NotNull(await queue.ReceiveAsync(Hang));
        // The broker's answer comes behind all that was written before.
        Assert.Null(await queue.ReceiveAsync(TimeSpan.FromMilliseconds(1)));
    }
}
