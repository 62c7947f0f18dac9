using System;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using Xunit;

namespace Formatters.Queues.Tests;

// A program goes on where an awaited operation completes, and may block there. On the thread that reads from the connection, it would wait for ever.
public abstract partial class QueueConformance
{
    [QueueFact]
    public async Task A_program_may_block_after_each_operation()
    {
        QueueOptions options = PeekLock with { DeadLetterQueue = NameOf("dead") };
        QueueClient queue = await OpenAsync(options);
        QueueFeatures features = queue.Capabilities.Features;
        await BlocksAfterAsync(queue, "send", () => queue.SendAsync(Message("x")).AsTask());
        await BlocksAfterAsync(queue, "batch", () => queue.SendBatchAsync([Message("y"), Message("z")]).AsTask());
        await BlocksAfterAsync(queue, "count", () => queue.GetMessageCountAsync().AsTask());
        if ((features & QueueFeatures.Peek) != 0)
            await BlocksAfterAsync(queue, "peek", () => queue.PeekAsync().AsTask());
        await BlocksAfterAsync(queue, "purge", () => queue.PurgeAsync().AsTask());
        await BlocksAfterAsync(queue, "receive from an empty queue", () => queue.ReceiveAsync(TimeSpan.Zero).AsTask());
        await BlocksAfterAsync(queue, "receive until a timeout", () => queue.ReceiveAsync(TimeSpan.FromMilliseconds(20)).AsTask());
        await BlocksAfterAsync(queue, "canceled receive", async () =>
        {
            using var stop = new CancellationTokenSource(TimeSpan.FromMilliseconds(20));
            await Assert.ThrowsAnyAsync<OperationCanceledException>(
                () => queue.ReceiveAsync(Timeout.InfiniteTimeSpan, cancellationToken: stop.Token).AsTask()).ConfigureAwait(false);
        });

        (string Name, Func<ReceivedMessage, Task> Settle)[] verbs =
        [
            ("acknowledge", message => message.AcknowledgeAsync().AsTask()),
            ("acknowledge as a batch", message => queue.AcknowledgeBatchAsync([message]).AsTask()),
            ("dead-letter", message => message.DeadLetterAsync("reason").AsTask()),
            ("renew", message => message.RenewLeaseAsync().AsTask()),
            ("return", message => message.ReturnAsync().AsTask()),
        ];
        foreach ((string name, Func<ReceivedMessage, Task> settle) in verbs.Where(verb => verb.Name != "renew" || (features & QueueFeatures.Leases) != 0))
        {
            ReceivedMessage? message = null;
            await queue.SendAsync(Message(name));
            await BlocksAfterAsync(queue, $"receive ({name})", async () => message = await queue.ReceiveAsync(Soon).ConfigureAwait(false));
            await BlocksAfterAsync(queue, name, () => settle(message!));
        }

        // Handles that have a message, of which a receive waits, and of which one was canceled. The moment matters.
        for (int i = 0; i < 15; i++)
        {
            QueueClient closing = await OpenAsync(PeekLock, "b");
            if (i < 3)
            {
                await closing.SendAsync(Message("kept"));
                await closing.ReceiveAsync(Soon);
            }

            using var stop = new CancellationTokenSource();
            Task waiting = i % 3 == 0 ? Task.CompletedTask : BlocksAfterAsync(queue, "receive of a closed handle", () =>
                Assert.ThrowsAnyAsync<Exception>(() => closing.ReceiveAsync(Timeout.InfiniteTimeSpan, cancellationToken: stop.Token).AsTask()));
            await Task.Delay(20);
            if (i % 3 == 2)
                await stop.CancelAsync();
            await BlocksAfterAsync(queue, "close", () => closing.DisposeAsync().AsTask());
            await waiting;
            await (await OpenAsync(PeekLock, "b")).PurgeAsync();
        }
    }

    private static Task BlocksAfterAsync(QueueClient queue, string name, Func<Task> operation) => BlocksAfterAsync(
        name,
        operation,
        () => queue.SendAsync(Message("blocking")).AsTask(),
        async () => await (await queue.ReceiveAsync(Soon).ConfigureAwait(false))!.AcknowledgeAsync().ConfigureAwait(false));
}
