using System;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using Xunit;

namespace Formatters.Queues.Tests;

/// <summary>What a caller does behind its await may run in the log's own thread: the log goes on, whatever that is.</summary>
public class WriterRoleTests
{
    private static readonly TimeSpan Soon = TimeSpan.FromSeconds(30);

    [Fact]
    public async Task Caller_that_waits_for_another_send_in_place_gets_it()
    {
        var folder = new TestFolder();
        await using (var provider = new FileQueueProvider(FileTests.SmallSegments))
        {
            QueueClient queue = await OpenAsync(provider, folder);
            await Task.Run(async () =>
            {
                for (int i = 0; i < 200; i++)
                {
                    await queue.SendAsync(Message(i)).ConfigureAwait(false);
                    if (i % 10 == 0)
                        Assert.True(queue.SendAsync(Message(i)).AsTask().Wait(Soon));
                }
            });

            Assert.Equal(220, await queue.GetMessageCountAsync());
        }

        folder.Delete();
    }

    [Fact]
    public async Task Callers_that_do_not_come_back_hold_nobody_up()
    {
        var folder = new TestFolder();
        // Threads enough for the test beside this one: the pool makes one or two a second.
        ThreadPool.GetMinThreads(out int workers, out int others);
        ThreadPool.SetMinThreads(workers + 16, others);
        await using (var provider = new FileQueueProvider(FileTests.SmallSegments))
        {
            QueueClient queue = await OpenAsync(provider, folder);
            using var end = new ManualResetEventSlim();
            var blocked = new Task[8];
            for (int i = 0; i < blocked.Length; i++)
            {
                blocked[i] = Task.Run(async () =>
                {
                    await queue.SendAsync(Message(1)).ConfigureAwait(false);
                    Assert.True(end.Wait(Soon));
                });
                for (int other = 0; other < 5; other++)
                    await queue.SendAsync(Message(2)).AsTask().WaitAsync(Soon);
            }

            end.Set();
            await Task.WhenAll(blocked).WaitAsync(Soon);
            Assert.Equal(48, await queue.GetMessageCountAsync());
        }

        ThreadPool.SetMinThreads(workers, others);
        folder.Delete();
    }

    [Fact]
    public async Task Calling_thread_writes_if_that_is_set()
    {
        var folder = new TestFolder();
        FileQueueOptions options = FileTests.SmallSegments with { WritesOnCallingThread = true };
        await using (var provider = new FileQueueProvider(options))
        {
            QueueClient queue = await OpenAsync(provider, folder);
            int completed = 0;
            for (int i = 0; i < 200; i++)
            {
                ValueTask send = queue.SendAsync(Message(i));
                completed += send.IsCompleted ? 1 : 0;
                await send;
            }

            // All but those in the moments in which the log's own thread is at work.
            Assert.InRange(completed, 100, 200);

            Task[] senders = [.. Enumerable.Range(0, 8).Select(sender => Task.Factory.StartNew(
                () =>
                {
                    for (int i = 0; i < 100; i++)
                    {
                        Task send = queue.SendAsync(Message(i)).AsTask();
                        if (sender % 2 == 0)
                            send.GetAwaiter().GetResult();
                        queue.ReceiveAsync(Timeout.InfiniteTimeSpan).AsTask().GetAwaiter().GetResult()!.AcknowledgeAsync().AsTask().GetAwaiter().GetResult();
                        send.GetAwaiter().GetResult();
                    }
                },
                CancellationToken.None, TaskCreationOptions.LongRunning, TaskScheduler.Default))];
            await Task.WhenAll(senders);
            Assert.Equal(200, await queue.GetMessageCountAsync());
        }

        await using (var provider = new FileQueueProvider(options))
            Assert.Equal(200, await (await OpenAsync(provider, folder)).GetMessageCountAsync());
        folder.Delete();
    }

    [Fact]
    public async Task Caller_may_close_the_folder_in_place()
    {
        for (int round = 0; round < 20; round++)
        {
            var folder = new TestFolder();
            await using var provider = new FileQueueProvider(FileTests.SmallSegments);
            QueueClient queue = await OpenAsync(provider, folder);
            await Task.Run(async () =>
            {
                await queue.SendAsync(Message(1)).ConfigureAwait(false);
                Assert.True(provider.DisposeAsync().AsTask().Wait(Soon));
            });
            folder.Delete();
        }
    }

    private static Task<QueueClient> OpenAsync(FileQueueProvider provider, TestFolder folder) =>
        provider.OpenAsync(QueueAddress.Parse($"file://{folder.Path}/a"), new QueueOptions { DeliveryMode = DeliveryMode.Recoverable, ReceiveMode = ReceiveMode.ReceiveAndDelete }, default).AsTask();

    private static QueueMessage Message(int number) => new(new MessageBody(BitConverter.GetBytes(number)));
}
