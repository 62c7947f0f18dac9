using System;
using System.ComponentModel;
using System.Diagnostics;
using System.IO;
using System.Threading.Tasks;
using Formatters.Queues.CrashProgram;
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
            IMessageQueue queue = await OpenAsync(provider, disk);
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

            Assert.Contains("no room", full.Message, StringComparison.Ordinal);
            Assert.False(full.OutcomeUnknown);
            Assert.True(sent * 1000L > kibibytes * 100, $"only {sent} sent");
        }

        await using (var provider = new FileQueueProvider(Program.Options))
        {
            IMessageQueue queue = await OpenAsync(provider, disk);
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
                    Assert.Contains("no room", e.Message, StringComparison.Ordinal);
                    await Task.Delay(20);
                }
            }

            for (; next < again; next++)
                Assert.Equal(next, CrashMessage.Read((await queue.ReceiveAsync(TimeSpan.Zero))!));
            Assert.Null(await queue.ReceiveAsync(TimeSpan.Zero));
        }
    }

    private static Task<IMessageQueue> OpenAsync(FileQueueProvider provider, SmallDisk disk) =>
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

/// <summary>A file system in memory, of a size.</summary>
internal sealed class SmallDisk : IDisposable
{
    internal SmallDisk(int kibibytes)
    {
        if (TryRun("mount", "-t", "tmpfs", "-o", $"size={kibibytes}k", "formatters-test", Path) is { } error)
        {
            Directory.Delete(Path);
            throw new IOException(error);
        }
    }

    internal string Path { get; } = Directory.CreateTempSubdirectory("formatters-disk-").FullName;

    public void Dispose()
    {
        TryRun("umount", Path);
        Directory.Delete(Path);
    }

    /// <summary>Why none can be made here, or null.</summary>
    internal static string? FindReason()
    {
        try
        {
            new SmallDisk(64).Dispose();
            return null;
        }
        catch (Exception e) when (e is IOException or Win32Exception)
        {
            return $"No tmpfs can be mounted here: {e.Message}";
        }
    }

    private static string? TryRun(string command, params string[] args)
    {
        using Process process = Process.Start(new ProcessStartInfo(command, args) { RedirectStandardError = true })!;
        string error = process.StandardError.ReadToEnd();
        process.WaitForExit();
        return process.ExitCode == 0 ? null : error.Trim();
    }
}

/// <summary>A theory that mounts, which needs root: skipped with a word where it may not.</summary>
[AttributeUsage(AttributeTargets.Method)]
public sealed class MountTheoryAttribute : TheoryAttribute
{
    private static readonly Lazy<string?> Reason = new(SmallDisk.FindReason);

    public MountTheoryAttribute() => Skip = Reason.Value;
}
