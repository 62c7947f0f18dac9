using System;
using System.IO;
using System.Linq;
using System.Threading.Tasks;
using Formatters.Queues.CrashProgram;
using Formatters.TestSupport;
using Xunit;

namespace Formatters.Queues.Tests;

/// <summary>Real file systems that are full.</summary>
[Collection(FullDisks.Name)]
public class FullDiskTests
{
    [MountTheory]
    [InlineData(256)]
    [InlineData(300)]
    [InlineData(333)]
    [InlineData(512)]
    [InlineData(700)]
    [InlineData(1024)]
    [InlineData(1500)]
    [InlineData(2048)]
    [InlineData(3333)]
    [InlineData(5120)]
    public async Task Full_disk_refuses_sends_keeps_what_it_has_and_goes_on_when_there_is_room(int kibibytes)
    {
        using var disk = new SmallDisk(kibibytes);
        int sent = 0;
        int next;
        await using (var provider = new FileQueueProvider(Program.Options))
        {
            QueueClient queue = await OpenAsync(provider, disk);
            QueueException? full = null;
            while (full is null)
            {
                try
                {
                    await queue.SendAsync(CrashMessage.Create(sent));
                    sent++;
                }
                catch (QueueException e)
                {
                    full = e;
                }
            }

            Assert.Contains("no space", full.Message, StringComparison.Ordinal);
            Assert.False(full.OutcomeUnknown);
            Assert.True(sent * 1000L > kibibytes * 100, $"only {sent} sent");
        }

        await using (var provider = new FileQueueProvider(Program.Options))
        {
            QueueClient queue = await OpenAsync(provider, disk);
            Assert.Equal(sent, await queue.GetMessageCountAsync());
            for (next = 0; next < sent - 2; next++)
                Assert.Equal(next, CrashMessage.Read((await queue.ReceiveAsync(TimeSpan.Zero))!));
            int again = sent;
            // Room comes when the log has let go of its empty segments; a sender that tries again finds it.
            while (again == sent)
            {
                try
                {
                    await queue.SendAsync(CrashMessage.Create(again));
                    again++;
                }
                catch (QueueException e)
                {
                    Assert.Contains("no space", e.Message, StringComparison.Ordinal);
                    await Task.Delay(20);
                }
            }

            for (; next < again; next++)
                Assert.Equal(next, CrashMessage.Read((await queue.ReceiveAsync(TimeSpan.Zero))!));
            Assert.Null(await queue.ReceiveAsync(TimeSpan.Zero));
        }
    }

    [MountTheory]
    [InlineData(256)]
    [InlineData(1024)]
    public async Task Torn_end_on_a_full_disk_is_cut_off_and_what_is_in_the_queue_comes_out(int kibibytes)
    {
        using var disk = new SmallDisk(kibibytes);
        long sent = 0;
        using (var child = new CrashChild([], "send", disk.Path, "0", "20"))
        {
            await child.EndAsync();
        }

        await using (var provider = new FileQueueProvider(Program.Options))
            sent = await (await OpenAsync(provider, disk)).GetMessageCountAsync();
        Assert.True(sent > 5, $"only {sent} sent");
        string last = Directory.GetFiles(disk.Path, "*.log").Order().Last();
        byte[] bytes = await File.ReadAllBytesAsync(last);
        using (FileStream log = File.OpenWrite(last))
        {
            // The second sector of a block, of which the first never came.
            log.Position = (bytes.AsSpan().LastIndexOfAnyExcept((byte)0) / 512 * 512) + 1024;
            log.Write(Enumerable.Repeat((byte)1, 512).ToArray());
        }

        File.Delete(Path.Combine(disk.Path, "lock"));
        // The next segment, prepared ahead of time, would make room.
        foreach (string prepared in Directory.GetFiles(disk.Path, "*.new"))
            File.Delete(prepared);
        Fill(Path.Combine(disk.Path, "other"));

        await using (var provider = new FileQueueProvider(Program.Options))
        {
            QueueClient queue = await OpenAsync(provider, disk);
            Assert.Equal(sent, await queue.GetMessageCountAsync());
            for (long before = -1; sent > 0; sent--)
            {
                long id = CrashMessage.Read((await queue.ReceiveAsync(TimeSpan.Zero))!);
                Assert.True(id > before);
                before = id;
            }

            Assert.Null(await queue.ReceiveAsync(TimeSpan.Zero));
            Assert.Empty(Directory.GetFiles(disk.Path, "*.torn-*"));
        }
    }

    /// <summary>Another program's file that leaves no room.</summary>
    private static void Fill(string path)
    {
        using var file = new FileStream(path, FileMode.Create, FileAccess.Write, FileShare.None, bufferSize: 0);
        byte[] page = new byte[4096];
        try
        {
            while (true)
                file.Write(page);
        }
        catch (IOException)
        {
        }
    }

    private static Task<QueueClient> OpenAsync(FileQueueProvider provider, SmallDisk disk) =>
        provider.OpenAsync(QueueAddress.Parse($"file://{disk.Path}/a"), new QueueOptions { DeliveryMode = DeliveryMode.Recoverable, ReceiveMode = ReceiveMode.ReceiveAndDelete }, default).AsTask();
}

/// <summary>
/// Alone: a program that another test starts has, until it runs, a copy of all open files of this process. What was deleted meanwhile takes up the room of a small disk for as long, and receivers find none.
/// </summary>
[CollectionDefinition(Name, DisableParallelization = true)]
public sealed class FullDisks
{
    internal const string Name = "full disks";
}
