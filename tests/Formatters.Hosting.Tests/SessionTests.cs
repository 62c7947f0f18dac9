using System;
using System.Collections.Concurrent;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using Formatters.Queues;
using Formatters.TestSupport;
using Xunit;

namespace Formatters.Hosting.Tests;

/// <summary>Workers whose queue has sessions: the messages of a session in their order, and several sessions at a time.</summary>
public class SessionTests
{
    private static readonly string[] Sessions = ["a", "b", "c", "d"];

    [SessionFact]
    public async Task SessionsAreHandledAtTheSameTime_AndEachInItsOrder()
    {
        const int PerSession = 10;
        var handled = new ConcurrentQueue<OrderPlaced>();
        var running = new ConcurrentDictionary<string, int>();
        int most = 0;
        var done = new TaskCompletionSource();
        await using QueuePlace place = QueuePlace.Of("Service Bus");
        await using TestHost host = await StartAsync(place, async (order, context) =>
        {
            Assert.Equal(order.Customer, context.Session!.SessionId);
            Assert.Equal(1, running.AddOrUpdate(order.Customer, 1, static (_, count) => count + 1));
            most = Math.Max(most, running.Values.Sum());
            // The state stays with the session, whoever accepts it.
            byte[]? state = (await context.Session.GetSessionStateAsync())?.ToArray();
            Assert.Equal(order.Id, state?[0] ?? 0);
            await context.Session.SetSessionStateAsync(new[] { (byte)(order.Id + 1) });
            await Task.Delay(5);
            running[order.Customer] = 0;
            handled.Enqueue(order);
            if (handled.Count == PerSession * Sessions.Length)
                done.SetResult();
        });
        for (int i = 0; i < PerSession; i++)
        {
            foreach (string session in Sessions)
                await host.Get<ISender<OrderPlaced>>().SendAsync(new OrderPlaced(i, session), new SendOptions { SessionId = session });
        }

        await done.Task;
        foreach (string session in Sessions)
            Assert.Equal(Enumerable.Range(0, PerSession), handled.Where(order => order.Customer == session).Select(static order => order.Id));
        Assert.Equal(2, most);
        Assert.Empty(host.Log.Of(8));
        Assert.Empty(host.Log.Of(2));
    }

    [SessionFact]
    public async Task ASessionThatFails_DoesNotStopTheOthers_AndKeepsItsOrder()
    {
        var attempts = new ConcurrentQueue<string>();
        var done = new TaskCompletionSource();
        await using QueuePlace place = QueuePlace.Of("Service Bus");
        await using TestHost host = await StartAsync(
            place,
            (order, context) =>
            {
                attempts.Enqueue($"{order.Customer}{order.Id}");
                if (order is { Customer: "a", Id: 0 })
                    throw new InvalidOperationException();
                if (attempts.Count(static attempt => attempt[1] == '2') == Sessions.Length)
                    done.TrySetResult();
                return Task.CompletedTask;
            },
            "orders:Retry:MaxAttempts=3",
            "orders:Retry:Delay=00:00:00.2");
        for (int i = 0; i < 3; i++)
        {
            foreach (string session in Sessions)
                await host.Get<ISender<OrderPlaced>>().SendAsync(new OrderPlaced(i, session), new SendOptions { SessionId = session });
        }

        await done.Task;
        await host.Log.WaitForAsync(6);
        Assert.Equal(["a0", "a0", "a0", "a1", "a2"], attempts.Where(static attempt => attempt[0] == 'a'));
        Assert.Equal(["b0", "b1", "b2"], attempts.Where(static attempt => attempt[0] == 'b'));
        Assert.Equal(2, host.Log.Of(5).Count);
    }

    [Fact]
    public async Task AQueueWithoutSessions_IsRefusedAtTheStart()
    {
        InvalidOperationException e = await Assert.ThrowsAsync<InvalidOperationException>(() => TestHost.StartAsync(
            ["orders:Address=memory:orders", "orders:RequiresSession=true"],
            static queues => queues.AddConsumer<OrderPlaced>("orders", static (_, _, _) => Task.CompletedTask)));
        Assert.Contains("QueueFeatures.Sessions", e.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task AnOrderingKey_IsRefusedWithSessions()
    {
        InvalidOperationException e = await Assert.ThrowsAsync<InvalidOperationException>(() => TestHost.StartAsync(
            ["orders:Address=memory:orders", "orders:RequiresSession=true"],
            static queues => queues.AddConsumer<OrderPlaced>(
                "orders", static (_, _, _) => Task.CompletedTask, static options => options.OrderingKey = static order => order.Id)));
        Assert.Contains("Queues:orders:RequiresSession cannot be combined with an ordering key", e.Message, StringComparison.Ordinal);
    }

    private static Task<TestHost> StartAsync(QueuePlace place, Func<OrderPlaced, MessageContext, Task> handle, params string[] more) => TestHost.StartAsync(
        [$"orders:Address={place.Address("orders")}", "orders:RequiresSession=true", "orders:Concurrency=2", "orders:SessionIdleTimeout=00:00:00.2", .. more],
        queues => place.AddTo(queues).AddSender<OrderPlaced>("orders").AddConsumer<OrderPlaced>("orders", (order, context, _) => handle(order, context)));

    /// <summary>A test that needs the peer of Service Bus.</summary>
    [AttributeUsage(AttributeTargets.Method)]
    private sealed class SessionFactAttribute : FactAttribute
    {
        public SessionFactAttribute() =>
            Skip = TestScale.SkipReason("FORMATTERS_SERVICEBUS", "No peer of Service Bus. Start one: eval \"$(eng/service-bus start)\"");
    }
}
