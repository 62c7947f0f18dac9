using System;
using System.IO;
using System.Linq;
using System.Threading.Tasks;
using Xunit;

namespace Formatters.Queues.Tests;

/// <summary>What queues in a folder do that other queues do not.</summary>
public class FileQueueTests
{
    private static readonly QueueOptions Recoverable = new() { DeliveryMode = DeliveryMode.Recoverable, ReceiveMode = ReceiveMode.ReceiveAndDelete };

    [Fact]
    public async Task Recoverable_messages_are_there_after_closing_and_express_ones_are_not()
    {
        var folder = new TestFolder();
        string first;
        await using (var provider = new FileQueueProvider())
        {
            QueueClient queue = await OpenAsync(provider, folder, Recoverable);
            QueueClient express = await OpenAsync(provider, folder, QueueOptions.Fastest);
            await express.SendAsync(Message(1));
            await queue.SendAsync(new QueueMessage(new MessageBody(new byte[] { 2 }, 5, "a/b"))
            {
                Label = "label",
                CorrelationId = "c",
                ResponseQueue = "r",
                Headers = { ["text"] = "x", ["flag"] = true, ["int"] = 1, ["long"] = 2L, ["double"] = 0.5, ["bytes"] = new byte[] { 9 } },
            });
            await queue.SendAsync(Message(3));
            await queue.SendAsync(Message(4));
            Assert.Equal(1, Number(await queue.ReceiveAsync(TimeSpan.Zero)));
            await express.SendAsync(Message(5));
        }

        await using (var provider = new FileQueueProvider())
        {
            QueueClient queue = await OpenAsync(provider, folder, Recoverable);
            Assert.Equal(3, await queue.GetMessageCountAsync());
            ReceivedMessage message = (await queue.ReceiveAsync(TimeSpan.Zero))!;
            first = message.MessageId!;
            Assert.Equal([2], message.Body.ToArray());
            Assert.Equal((5, "a/b", "label", "c", "r"), (message.Body.BodyType, message.Body.ContentType, message.Label, message.CorrelationId, message.ResponseQueue));
            Assert.Equal(("x", true, 1, 2L, 0.5), (message.Headers["text"], message.Headers["flag"], message.Headers["int"], message.Headers["long"], message.Headers["double"]));
            Assert.Equal(new byte[] { 9 }, message.Headers["bytes"]);
            Assert.Equal(3, Number(await queue.ReceiveAsync(TimeSpan.Zero)));
        }

        await using (var provider = new FileQueueProvider())
        {
            QueueClient queue = await OpenAsync(provider, folder, Recoverable);
            ReceivedMessage message = (await queue.ReceiveAsync(TimeSpan.Zero))!;
            Assert.Equal(4, Number(message));
            Assert.NotEqual(first, message.MessageId);
            Assert.Null(await queue.ReceiveAsync(TimeSpan.Zero));
        }

        folder.Delete();
    }

    [Fact]
    public async Task Ids_are_given_once_also_after_the_log_was_emptied()
    {
        var folder = new TestFolder();
        var ids = new System.Collections.Generic.HashSet<string>();
        for (int round = 0; round < 3; round++)
        {
            await using var provider = new FileQueueProvider(FileTests.SmallSegments);
            QueueClient queue = await OpenAsync(provider, folder, Recoverable);
            for (int i = 0; i < 30; i++)
            {
                await queue.SendAsync(new QueueMessage(new MessageBody(new byte[10_000])));
                Assert.True(ids.Add((await queue.ReceiveAsync(TimeSpan.Zero))!.MessageId!));
            }
        }

        folder.Delete();
    }

    [Fact]
    public async Task Second_provider_is_told_that_the_folder_is_not_shared()
    {
        var folder = new TestFolder();
        await using (var provider = new FileQueueProvider(new FileQueueOptions { Sharing = FolderSharing.Exclusive }))
        {
            await OpenAsync(provider, folder, Recoverable);
            await using var second = new FileQueueProvider();

            QueueException e = await Assert.ThrowsAsync<QueueException>(() => OpenAsync(second, folder, Recoverable));

            Assert.Contains("one process at a time", e.Message, StringComparison.Ordinal);
        }

        await using var third = new FileQueueProvider();
        await OpenAsync(third, folder, Recoverable);
        await third.DisposeAsync();
        folder.Delete();
    }

    [Theory]
    [InlineData("file:///")]
    [InlineData("file:///folder/")]
    [InlineData("file:///folder/name?x=1")]
    public async Task Address_without_a_name_is_refused(string address)
    {
        await using var provider = new FileQueueProvider();

        await Assert.ThrowsAsync<FormatException>(() => provider.OpenAsync(QueueAddress.Parse(address), Recoverable, default).AsTask());
    }

    [Fact]
    public async Task Relative_folder_is_one_of_the_current_directory()
    {
        string name = "formatters-queue-" + Guid.NewGuid().ToString("N");
        await using (var provider = new FileQueueProvider())
        {
            await using QueueClient queue = await new QueueConnector(provider).OpenAsync($"file:{name}/sub folder/my%20queue", Recoverable);
            await queue.SendAsync(Message(1));

            Assert.Equal("my queue", queue.Address.QueueName);
            Assert.True(File.Exists(Path.Combine(Environment.CurrentDirectory, name, "sub folder", "0000000000000001.log")));
        }

        Directory.Delete(name, recursive: true);
    }

    [Fact]
    public async Task Log_stays_small_while_old_messages_stay_and_new_ones_come_and_go()
    {
        var disk = new SimulatedDisk();
        await using (var folder = new QueueFolder("/simulated", disk, FileTests.SmallSegments))
        {
            FileQueue queue = await OpenAsync(folder);
            for (int i = 0; i < 100; i++)
                await queue.SendAsync(Message(i));
            FileQueue busy = await OpenAsync(folder, "b");
            for (int i = 0; i < 2_000; i++)
            {
                await busy.SendAsync(new QueueMessage(new MessageBody(BitConverter.GetBytes(i).Concat(new byte[2000]).ToArray())));
                Assert.Equal(i, Number(await busy.ReceiveAsync(TimeSpan.Zero)));
            }

            Assert.InRange(folder.LogByteCount, 1, 8 << 16);
        }

        await using var again = new QueueFolder("/simulated", disk, FileTests.SmallSegments);
        FileQueue after = await OpenAsync(again);
        for (int i = 0; i < 100; i++)
            Assert.Equal(i, Number(await after.ReceiveAsync(TimeSpan.Zero)));
        Assert.Null(await after.ReceiveAsync(TimeSpan.Zero));
    }

    [Fact]
    public async Task Full_disk_refuses_sends_but_not_receives_and_goes_on_when_there_is_room()
    {
        var disk = new SimulatedDisk { FreeByteCount = 4 << 16 };
        await using (var folder = new QueueFolder("/simulated", disk, FileTests.SmallSegments))
        {
            FileQueue queue = await OpenAsync(folder);
            int sent = 0;
            QueueException? full = null;
            while (full is null)
            {
                try
                {
                    await queue.SendAsync(new QueueMessage(new MessageBody(BitConverter.GetBytes(sent).Concat(new byte[900]).ToArray())));
                    sent++;
                }
                catch (QueueException e)
                {
                    full = e;
                }
            }

            Assert.Contains("no space", full.Message, StringComparison.Ordinal);
            Assert.False(full.OutcomeUnknown);
            Assert.InRange(sent, 50, 250);
            for (int i = 0; i < sent - 1; i++)
                Assert.Equal(i, Number(await queue.ReceiveAsync(TimeSpan.Zero)));

            // What was received has made room: the next tries of a sender find it.
            bool isSent = false;
            for (int i = 0; i < 100 && !isSent; i++)
            {
                try
                {
                    await queue.SendAsync(Message(7));
                    isSent = true;
                }
                catch (QueueException)
                {
                    await Task.Delay(50);
                }
            }

            Assert.True(isSent);
        }

        await using var again = new QueueFolder("/simulated", disk, FileTests.SmallSegments);
        FileQueue after = await OpenAsync(again);
        Assert.Equal(2, await after.GetMessageCountAsync());
    }

    [Fact]
    public async Task Message_larger_than_a_segment_gets_one_of_its_own()
    {
        var folder = new TestFolder();
        byte[] body = new byte[3 << 20];
        new Random(1).NextBytes(body);
        await using (var provider = new FileQueueProvider(FileTests.SmallSegments))
        {
            QueueClient queue = await OpenAsync(provider, folder, Recoverable);
            await queue.SendAsync(Message(1));
            await queue.SendAsync(new QueueMessage(new MessageBody(body)));
            await queue.SendAsync(Message(2));
        }

        await using (var provider = new FileQueueProvider(FileTests.SmallSegments))
        {
            QueueClient queue = await OpenAsync(provider, folder, Recoverable);
            Assert.Equal(1, Number(await queue.ReceiveAsync(TimeSpan.Zero)));
            Assert.Equal(body, (await queue.ReceiveAsync(TimeSpan.Zero))!.Body.ToArray());
            Assert.Equal(2, Number(await queue.ReceiveAsync(TimeSpan.Zero)));
        }

        folder.Delete();
    }

    [Fact]
    public async Task Header_that_the_log_cannot_carry_is_refused_and_harms_nothing()
    {
        var folder = new TestFolder();
        await using (var provider = new FileQueueProvider())
        {
            QueueClient queue = await OpenAsync(provider, folder, Recoverable);
            var message = Message(1);
            message.Headers["x"] = DateTime.UnixEpoch;
            await Assert.ThrowsAsync<ArgumentException>(() => queue.SendAsync(message).AsTask());
            await queue.SendAsync(Message(2));
            Assert.Equal(2, Number(await queue.ReceiveAsync(TimeSpan.Zero)));
        }

        folder.Delete();
    }

    private static async Task<QueueClient> OpenAsync(FileQueueProvider provider, TestFolder folder, QueueOptions options) =>
        await provider.OpenAsync(QueueAddress.Parse($"file://{folder.Path}/a"), options, default);

    private static async Task<FileQueue> OpenAsync(QueueFolder folder, string name = "a") =>
        new(await folder.OpenQueueAsync(name, default), QueueAddress.Parse("file:///simulated/" + name), Recoverable);

    private static QueueMessage Message(int number) => new(new MessageBody(BitConverter.GetBytes(number)));

    private static int Number(ReceivedMessage? message) => BitConverter.ToInt32(message!.Body.ToArray());
}
