using System;
using System.Threading.Tasks;
using Xunit;

namespace Formatters.Queues.Tests;

// Sessions and deferred messages: what Service Bus has is tested there; the other queues refuse it by name.
public abstract partial class QueueConformance
{
    [QueueFact]
    public async Task Sessions_are_refused_by_a_queue_that_has_none()
    {
        QueueClient queue = await OpenAsync(PeekLock);
        var message = new QueueMessage(Message("x").Body) { SessionId = "a" };
        foreach (Func<Task> operation in new Func<Task>[]
        {
            () => queue.SendAsync(message).AsTask(),
            () => queue.SendBatchAsync([Message("y"), message]).AsTask(),
            () => queue.AcceptSessionAsync(TimeSpan.Zero).AsTask(),
        })
        {
            Needs(await IsRefusedAsync(QueueFeatures.Sessions, queue, operation), "lack of sessions");
        }

        await AssertCountAsync(0, queue);
        NotSupportedException e = await Assert.ThrowsAsync<NotSupportedException>(() => OpenAsync(PeekLock with { RequiresSession = true }));
        Assert.Contains("QueueFeatures.Sessions", e.Message, StringComparison.Ordinal);
        // Before it is connected, a queue does not know the version of its server.
        Assert.Contains(queue.Capabilities.Product.Split(' ')[0], e.Message, StringComparison.Ordinal);
    }

    [QueueFact]
    public async Task Deferral_is_refused_by_a_queue_that_has_none()
    {
        QueueClient queue = await OpenAsync(PeekLock);
        Needs(await IsRefusedAsync(QueueFeatures.Deferral, queue, () => queue.ReceiveDeferredAsync("1").AsTask()), "lack of deferral");
        await queue.SendAsync(Message("x"));
        ReceivedMessage message = (await queue.ReceiveAsync(Soon))!;
        Assert.Null(message.Position);
        NotSupportedException e = await Assert.ThrowsAsync<NotSupportedException>(() => message.DeferAsync().AsTask());
        Assert.Contains("QueueFeatures.Deferral", e.Message, StringComparison.Ordinal);
        await message.AcknowledgeAsync();
        await AssertCountAsync(0, queue);
    }
}
