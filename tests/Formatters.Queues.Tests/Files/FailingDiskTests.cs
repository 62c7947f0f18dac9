using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Threading.Tasks;
using Xunit;

namespace Formatters.Queues.Tests;

/// <summary>A write or flush fails once, wherever it is: the log takes nothing more, and a new opening has all that was acknowledged.</summary>
public class FailingDiskTests
{
    private static readonly FileQueueOptions Options = new() { SegmentByteCount = 1 << 16, CachedByteCount = 1 << 14 };

    [Fact]
    public Task After_a_failed_write_nothing_more_is_taken() => FailEachAsync("write", 12);

    [Fact]
    public Task After_a_failed_flush_nothing_more_is_taken() => FailEachAsync("flush", 12);

    [Fact]
    public Task After_a_failed_flush_of_the_folder_nothing_more_is_taken() => FailEachAsync("flush folder", 2);

    [Fact]
    public Task After_a_failed_renaming_nothing_more_is_taken() => FailEachAsync("rename", 2);

    [Fact]
    public async Task Message_that_is_damaged_in_a_running_log_is_not_handed_out()
    {
        var disk = new SimulatedDisk();
        await using var folder = new QueueFolder("/simulated", disk, Options with { CachedByteCount = 0 });
        FileQueue queue = await OpenAsync(folder);
        await queue.SendAsync(Message(1));
        await queue.SendAsync(Message(2));
        byte[] log = disk.BytesOf("0000000000000001.log");
        log[log.AsSpan().LastIndexOf(Enumerable.Repeat((byte)2, 100).ToArray())] ^= 1;

        Assert.Equal(1, Number(await queue.ReceiveAsync(TimeSpan.Zero)));
        QueueException e = await Assert.ThrowsAsync<QueueException>(() => queue.ReceiveAsync(TimeSpan.Zero).AsTask());

        Assert.Contains("wrong checksum", e.Message, StringComparison.Ordinal);
        Assert.Equal(1, await queue.GetMessageCountAsync());
    }

    /// <summary>Fails the first, the second ... operation of a kind after the opening, in a log of its own each.</summary>
    private static async Task FailEachAsync(string operation, int count)
    {
        for (int failAt = 1; failAt <= count; failAt++)
        {
            var disk = new SimulatedDisk();
            var sent = new List<int>();
            await using (var folder = new QueueFolder("/simulated", disk, Options))
            {
                FileQueue queue = await OpenAsync(folder);
                int operations = 0;
                int last = 0;
                disk.Fault = name =>
                {
                    if (name == operation && ++operations == failAt)
                        throw new IOException("Input/output error");
                };
                QueueException? first = null;
                while (first is null)
                {
                    try
                    {
                        await queue.SendAsync(Message(++last));
                        sent.Add(last);
                    }
                    catch (QueueException e)
                    {
                        first = e;
                    }

                    Assert.True(first is not null || operations < failAt, $"the failed {operation} {failAt} was passed over");
                    Assert.True(last < 10_000, $"no {operation} {failAt} in {last} sends");
                }

                Assert.True(first.OutcomeUnknown);
                QueueException second = await Assert.ThrowsAsync<QueueException>(() => queue.SendAsync(Message(++last)).AsTask());
                Assert.Contains("Input/output error", second.Message, StringComparison.Ordinal);
                if (sent.Count > 0)
                    await Assert.ThrowsAsync<QueueException>(() => queue.ReceiveAsync(TimeSpan.Zero).AsTask());
                Assert.Equal(failAt, operations);
            }

            disk.Fault = null;
            await using var again = new QueueFolder("/simulated", disk.AfterPowerCut(new Random(failAt)), Options);
            FileQueue after = await OpenAsync(again);
            foreach (int number in sent)
                Assert.Equal(number, Number(await after.ReceiveAsync(TimeSpan.Zero)));
        }
    }

    private static async Task<FileQueue> OpenAsync(QueueFolder folder) =>
        new(await folder.OpenQueueAsync("a", default), QueueAddress.Parse("file:///simulated/a"), new QueueOptions { DeliveryMode = DeliveryMode.Recoverable });

    private static QueueMessage Message(int number)
    {
        byte[] body = new byte[2_000];
        body.AsSpan().Fill((byte)number);
        BitConverter.TryWriteBytes(body, number);
        return new(new MessageBody(body));
    }

    private static int Number(ReceivedMessage? message) => BitConverter.ToInt32(message!.Body.ToArray());
}
