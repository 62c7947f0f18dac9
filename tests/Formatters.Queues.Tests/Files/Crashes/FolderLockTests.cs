using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.IO;
using System.Linq;
using System.Threading.Tasks;
using Formatters.Queues.CrashProgram;
using Xunit;

namespace Formatters.Queues.Tests;

/// <summary>One opening at a time owns a folder, whatever becomes of the file <c>lock</c> or of the folder, and who has lost it acknowledges nothing more.</summary>
public class FolderLockTests
{
    private static readonly QueueOptions PeekLock = new() { DeliveryMode = DeliveryMode.Recoverable, ReceiveMode = ReceiveMode.PeekLock };

    [Fact]
    public async Task Folder_whose_lock_is_deleted_or_replaced_is_refused_to_others_and_stops_at_the_next_block()
    {
        foreach (Action<string> harm in new Action<string>[]
        {
            path => File.Delete(Path.Combine(path, "lock")),
            path =>
            {
                File.Move(Path.Combine(path, "lock"), Path.Combine(path, "lock.old"));
                File.WriteAllText(Path.Combine(path, "lock"), "");
            },
        })
        {
            var folder = new TestFolder();
            await using (var provider = new FileQueueProvider(Program.Options))
            {
                QueueClient queue = await SendAsync(provider, folder.Path);
                harm(folder.Path);

                using (var second = new CrashChild([], "send", folder.Path, "1000", "1"))
                {
                    (_, List<string> lines, _) = await second.EndAsync();
                    Assert.Contains("one process at a time", Assert.Single(lines, line => line.StartsWith("failed ", StringComparison.Ordinal)), StringComparison.Ordinal);
                }

                await ThrowsLostAsync(queue);
            }

            await HasTenAsync(folder.Path);
            folder.Delete();
        }
    }

    [Fact]
    public async Task Folder_that_is_moved_deleted_or_replaced_stops_at_the_next_block()
    {
        foreach (Action<string> harm in new Action<string>[]
        {
            path => Directory.Move(path, path + ".moved"),
            path => Directory.Delete(path, recursive: true),
            path =>
            {
                Directory.Move(path, path + ".moved");
                Copy(path + ".moved", path);
            },
            path =>
            {
                foreach (string segment in Directory.GetFiles(path, "*.log"))
                    File.Delete(segment);
            },
            path =>
            {
                foreach (string segment in Directory.GetFiles(path, "*.log"))
                    File.Move(segment, segment + ".moved");
            },
        })
        {
            var folder = new TestFolder();
            string path = Path.Combine(folder.Path, "queues");
            await using var provider = new FileQueueProvider(Program.Options);
            QueueClient queue = await SendAsync(provider, path);
            harm(path);
            string[] names = Names(path);

            await ThrowsLostAsync(queue);

            // What is there now may be another's: nothing was made or deleted.
            Assert.Equal(names, Names(path));
            folder.Delete();
        }

        static string[] Names(string path) => Directory.Exists(path) ? [.. Directory.GetFiles(path).Where(name => !name.EndsWith(".new", StringComparison.Ordinal)).Order()] : [];
    }

    [Fact]
    public async Task Folder_that_was_moved_is_another_ones_when_it_is_closed_and_has_all_that_was_acknowledged()
    {
        var folder = new TestFolder();
        string path = Path.Combine(folder.Path, "queues");
        await using (var provider = new FileQueueProvider(Program.Options))
        {
            QueueClient queue = await SendAsync(provider, path);
            Directory.Move(path, path + ".moved");
            await using var second = new FileQueueProvider(Program.Options);
            QueueException e = await Assert.ThrowsAsync<QueueException>(() => OpenAsync(second, path + ".moved"));
            Assert.Contains("this process has it already", e.Message, StringComparison.Ordinal);
            await ThrowsLostAsync(queue);
        }

        await HasTenAsync(path + ".moved");
        folder.Delete();
    }

    [Fact]
    public async Task Folder_is_locked_also_where_dotnet_locks_no_files()
    {
        string[] without = ["env", "DOTNET_SYSTEM_IO_DISABLEFILELOCKING=1"];
        var folder = new TestFolder();
        using (var first = new CrashChild(without, "hold", folder.Path))
        {
            await first.Opened;
            using var second = new CrashChild(without, "send", folder.Path, "1", "1");
            (_, List<string> lines, _) = await second.EndAsync();
            Assert.Contains("one process at a time", Assert.Single(lines, line => line.StartsWith("failed ", StringComparison.Ordinal)), StringComparison.Ordinal);
            first.EndInput();
            await first.EndAsync();
        }

        using var third = new CrashChild(without, "send", folder.Path, "2", "1");
        (_, List<string> after, _) = await third.EndAsync();
        Assert.Contains("sent 2", after);
        folder.Delete();
    }

    [Fact]
    public async Task Other_process_is_named_that_has_the_folder()
    {
        var folder = new TestFolder();
        using var child = new CrashChild([], "hold", folder.Path);
        await child.Opened;
        await using var provider = new FileQueueProvider(Program.Options);

        QueueException e = await Assert.ThrowsAsync<QueueException>(() => OpenAsync(provider, folder.Path));

        Assert.Contains($"process {child.ProcessId} on '{Environment.MachineName}' has it", e.Message, StringComparison.Ordinal);
        child.EndInput();
        await child.EndAsync();
        folder.Delete();
    }

    [Fact]
    public async Task Lock_that_is_a_symbolic_link_is_refused_and_what_it_points_to_is_left_alone()
    {
        var folder = new TestFolder();
        string path = Path.Combine(folder.Path, "queues");
        Directory.CreateDirectory(path);
        string target = Path.Combine(folder.Path, "precious");
        await File.WriteAllTextAsync(target, "text");
        File.CreateSymbolicLink(Path.Combine(path, "lock"), target);
        await using var provider = new FileQueueProvider(Program.Options);

        QueueException e = await Assert.ThrowsAsync<QueueException>(() => OpenAsync(provider, path));

        Assert.Contains("is a symbolic link", e.Message, StringComparison.Ordinal);
        Assert.Equal("text", await File.ReadAllTextAsync(target));
        Assert.Equal(["lock"], Directory.GetFiles(path).Select(Path.GetFileName));
        folder.Delete();
    }

    [Fact]
    public async Task Folder_has_one_owner_by_whatever_path_it_is_opened()
    {
        var folder = new TestFolder();
        string path = Path.Combine(folder.Path, "queues");
        string link = Path.Combine(folder.Path, "link");
        Directory.CreateDirectory(path);
        Directory.CreateSymbolicLink(link, path);
        await using (var provider = new FileQueueProvider(Program.Options))
        {
            await SendAsync(provider, link);
            await using var other = new FileQueueProvider(Program.Options);
            foreach (FileQueueProvider second in new[] { provider, other })
            {
                QueueException e = await Assert.ThrowsAsync<QueueException>(() => OpenAsync(second, path));
                Assert.Contains("this process has it already, through another provider or by another path", e.Message, StringComparison.Ordinal);
            }
        }

        await HasTenAsync(path);
        folder.Delete();
    }

    [Fact]
    public async Task Link_to_a_folder_that_is_turned_to_another_is_noticed()
    {
        var folder = new TestFolder();
        string link = Path.Combine(folder.Path, "link");
        foreach (string name in new[] { "one", "two" })
            Directory.CreateDirectory(Path.Combine(folder.Path, name));
        Directory.CreateSymbolicLink(link, Path.Combine(folder.Path, "one"));
        await using (var provider = new FileQueueProvider(Program.Options))
        {
            QueueClient queue = await SendAsync(provider, link);
            Directory.Delete(link);
            Directory.CreateSymbolicLink(link, Path.Combine(folder.Path, "two"));

            await ThrowsLostAsync(queue);
        }

        Assert.Empty(Directory.GetFiles(Path.Combine(folder.Path, "two")));
        await HasTenAsync(Path.Combine(folder.Path, "one"));
        folder.Delete();
    }

    [Fact]
    public async Task Lock_of_the_file_alone_is_enough_to_be_refused()
    {
        // So do earlier versions, and so it is where folders cannot be locked.
        var folder = new TestFolder();
        await using var provider = new FileQueueProvider(Program.Options);
        await using (var held = new FileStream(Path.Combine(folder.Path, "lock"), FileMode.OpenOrCreate, FileAccess.ReadWrite, FileShare.None))
        {
            QueueException e = await Assert.ThrowsAsync<QueueException>(() => OpenAsync(provider, folder.Path));
            Assert.Contains("one process at a time owns a folder, and another process has it", e.Message, StringComparison.Ordinal);
        }

        await OpenAsync(provider, folder.Path);
        await provider.DisposeAsync();
        folder.Delete();
    }

    [Fact]
    public async Task Many_that_open_a_folder_at_once_are_one_owner_and_refused_ones()
    {
        for (int round = 0; round < 20; round++)
        {
            var folder = new TestFolder();
            FileQueueProvider[] providers = [.. Enumerable.Range(0, 6).Select(_ => new FileQueueProvider(Program.Options))];
            bool[] isOwner = await Task.WhenAll(providers.Select(async provider =>
            {
                try
                {
                    await OpenAsync(provider, folder.Path);
                    return true;
                }
                catch (QueueException e) when (e.Code == QueueErrorCode.InUse)
                {
                    return false;
                }
            }));
            Assert.Single(isOwner, true);
            foreach (FileQueueProvider provider in providers)
                await provider.DisposeAsync();
            folder.Delete();
        }
    }

    /// <summary>Nothing is written while the folder is gone: the receives that wait notice it, and the folder is opened again with its messages.</summary>
    [Theory]
    [InlineData(true, DeliveryMode.Recoverable)]
    [InlineData(false, DeliveryMode.Recoverable)]
    [InlineData(true, DeliveryMode.Express)]
    public async Task Receive_that_waits_throws_and_the_folder_opens_again(bool isMoved, DeliveryMode mode)
    {
        var folder = new TestFolder();
        await using var provider = new FileQueueProvider(Program.Options);
        QueueAddress address = QueueAddress.Parse($"file://{folder.Path}/waiting");
        QueueClient queue = await provider.OpenAsync(address, PeekLock with { DeliveryMode = mode }, default);
        await SendAsync(provider, folder.Path);
        Task<ReceivedMessage?>[] receives = [.. Enumerable.Range(0, 3).Select(_ => queue.ReceiveAsync(System.Threading.Timeout.InfiniteTimeSpan).AsTask())];
        if (isMoved)
            Directory.Move(folder.Path, folder.Path + ".moved");
        else
            File.Delete(Path.Combine(folder.Path, "lock"));
        foreach (Task<ReceivedMessage?> receive in receives)
            IsStopped(await Assert.ThrowsAsync<QueueException>(() => receive));
        IsStopped(await Assert.ThrowsAsync<QueueException>(() => queue.SendAsync(CrashMessage.Create(11)).AsTask()));
        if (isMoved)
        {
            IsStopped(await Assert.ThrowsAsync<QueueException>(() => OpenAsync(provider, folder.Path)));
            Assert.False(Directory.Exists(folder.Path));
            Directory.Move(folder.Path + ".moved", folder.Path);
        }

        QueueClient again = await OpenAsync(provider, folder.Path);
        for (int id = 0; id < 10; id++)
            Assert.Equal(id, CrashMessage.Read((await again.ReceiveAsync(TimeSpan.Zero))!));
        await again.SendAsync(CrashMessage.Create(10));
        Assert.Equal(10, CrashMessage.Read((await again.ReceiveAsync(TimeSpan.Zero))!));
        IsStopped(await Assert.ThrowsAsync<QueueException>(() => queue.ReceiveAsync(TimeSpan.Zero).AsTask()));
        await provider.DisposeAsync();
        folder.Delete();

        static void IsStopped(QueueException e) =>
            Assert.Equal((QueueErrorCode.FolderStopped, true, false), (e.Code, e.IsUnreachable, e.OutcomeUnknown));
    }

    private static async Task<QueueClient> SendAsync(FileQueueProvider provider, string path)
    {
        QueueClient queue = await OpenAsync(provider, path);
        for (int id = 0; id < 10; id++)
            await queue.SendAsync(CrashMessage.Create(id));
        return queue;
    }

    private static async Task ThrowsLostAsync(QueueClient queue)
    {
        for (int again = 0; again < 2; again++)
        {
            QueueException e = await Assert.ThrowsAsync<QueueException>(() => queue.SendAsync(CrashMessage.Create(11)).AsTask());
            Assert.Equal((QueueErrorCode.FolderStopped, true), (e.Code, e.IsUnreachable));
            Assert.Matches("was deleted or replaced", e.Message);
        }

        await Assert.ThrowsAsync<QueueException>(() => queue.ReceiveAsync(TimeSpan.Zero).AsTask());
    }

    private static async Task HasTenAsync(string path)
    {
        await using var provider = new FileQueueProvider(Program.Options);
        QueueClient queue = await OpenAsync(provider, path);
        for (int id = 0; id < 10; id++)
            Assert.Equal(id, CrashMessage.Read((await queue.ReceiveAsync(TimeSpan.Zero))!));
        Assert.Null(await queue.ReceiveAsync(TimeSpan.Zero));
    }

    private static async Task<QueueClient> OpenAsync(FileQueueProvider provider, string path) => await provider.OpenAsync(QueueAddress.Parse($"file://{path}/a"), PeekLock, default);

    private static void Copy(string from, string to)
    {
        using Process process = Process.Start("cp", ["-a", from, to]);
        process.WaitForExit();
    }
}
