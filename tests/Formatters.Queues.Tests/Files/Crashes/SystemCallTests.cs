using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Threading.Tasks;
using Formatters.TestSupport;
using Xunit;

namespace Formatters.Queues.Tests;

/// <summary>Errors and kills at the n-th system call, put there by strace: what .NET would hide of a flush (see <see cref="DiskFlush"/>) is seen here.</summary>
public class SystemCallTests
{
    private const int SendCount = 150;

    [StraceTheory]
    [InlineData("fdatasync", "EIO", 1)]
    [InlineData("fdatasync", "EIO", 2)]
    [InlineData("fdatasync", "EIO", 3)]
    [InlineData("fdatasync", "EIO", 20)]
    [InlineData("fdatasync", "EIO", 90)]
    [InlineData("fdatasync", "ENOSPC", 5)]
    [InlineData("fdatasync", "EDQUOT", 6)]
    [InlineData("fsync", "EIO", 3)]
    [InlineData("pwrite64", "EIO", 30)]
    [InlineData("pwrite64", "ENOSPC", 31)]
    public async Task After_a_failed_call_nothing_more_is_acknowledged(string call, string error, int when)
    {
        var folder = new TestFolder();
        // Calls are counted for each thread, so that one on a new segment's file could be that of its preparation: without it there is no room for the moment, and the next attempt may succeed.
        (List<string> lines, bool isInjected) = await SendAsync(folder, $"{call}:error={error}:when={when}", LogPaths(folder));

        Assert.True(isInjected, $"call {when} of {call} was not made");
        int failure = lines.FindIndex(line => line.StartsWith("failed ", StringComparison.Ordinal));
        Assert.True(failure >= 0, "nothing failed");
        // All behind the failure fails: a flush is not tried again.
        Assert.DoesNotContain(lines.Skip(failure), line => line.StartsWith("sent ", StringComparison.Ordinal) || line.StartsWith("removed ", StringComparison.Ordinal));
        await CheckAsync(folder, lines);
    }

    [StraceTheory]
    [InlineData("fdatasync", "EIO")]
    [InlineData("pwrite64", "ENOSPC")]
    public async Task Folder_whose_first_segment_cannot_be_made_is_not_opened(string call, string error)
    {
        var folder = new TestFolder();
        (List<string> lines, bool isInjected) = await SendAsync(folder, $"{call}:error={error}:when=1", [.. LogPaths(folder), .. NewPaths(folder)]);

        Assert.True(isInjected, $"{call} was not made");
        Assert.Equal(2, lines.Count);
        Assert.StartsWith("failed ", lines[1], StringComparison.Ordinal);
        await CheckAsync(folder, lines);
    }

    [StraceTheory]
    [InlineData("fdatasync", "EIO", 1)]
    [InlineData("fdatasync", "EIO", 2)]
    [InlineData("pwrite64", "EIO", 2)]
    [InlineData("pwrite64", "EIO", 30)]
    public async Task After_a_failed_call_on_the_manifest_nothing_more_is_acknowledged(string call, string error, int when)
    {
        var folder = new TestFolder();
        (List<string> lines, bool isInjected) = await SendAsync(folder, $"{call}:error={error}:when={when}", [Path.Combine(folder.Path, LogManifest.FileName)]);

        Assert.True(isInjected, $"call {when} of {call} was not made");
        int failure = lines.FindIndex(line => line.StartsWith("failed ", StringComparison.Ordinal));
        Assert.True(failure >= 0, "nothing failed");
        Assert.DoesNotContain(lines.Skip(failure), line => line.StartsWith("sent ", StringComparison.Ordinal) || line.StartsWith("removed ", StringComparison.Ordinal));
        await CheckAsync(folder, lines);
    }

    /// <summary>The name of a new folder is in its parent: without a flush of that, and of the parent's own name, a power cut takes the folder with all that was acknowledged.</summary>
    [StraceTheory]
    [InlineData("", false)]
    [InlineData("new", false)]
    [InlineData("new", true)]
    [InlineData("new/newer", false)]
    public async Task Parents_of_a_new_folder_are_flushed_before_it_is_opened(string parent, bool isMade)
    {
        var folder = new TestFolder();
        string path = Path.Combine(folder.Path, "new", "newer", "queues");
        // Somebody has made the folder, and nobody has flushed it: such as an opening that was killed.
        if (isMade)
            Directory.CreateDirectory(path);
        (List<string> lines, bool isInjected) = await SendAsync(folder, "fsync:error=EIO:when=1", [Path.TrimEndingDirectorySeparator(Path.Combine(folder.Path, parent))], path);

        Assert.True(isInjected, "the parent was not flushed");
        Assert.Equal(2, lines.Count);
        Assert.StartsWith($"failed The folder '{path}' cannot be created: The flush of the folder", lines[1], StringComparison.Ordinal);
        folder.Delete();
    }

    [StraceTheory]
    [InlineData("fdatasync")]
    [InlineData("fsync")]
    [InlineData("pwrite64")]
    [InlineData("rename,renameat2,renameat,link")]
    [InlineData("unlink")]
    public async Task Killed_at_a_call_nothing_acknowledged_is_lost(string call)
    {
        int[] counts = TestScale.IsLong ? [1, 2, 3, 4, 5, 7, 9, 12, 20, 33, 50, 90] : [1, 2, 5, 20];
        int injected = 0;
        foreach (int when in counts)
        {
            var folder = new TestFolder();
            string manifest = Path.Combine(folder.Path, LogManifest.FileName);
            (List<string> lines, bool isInjected) = await SendAsync(
                folder, $"{call}:signal=KILL:when={when}", [.. LogPaths(folder), .. NewPaths(folder), manifest, LogSegment.NewNameOf(manifest)]);
            injected += isInjected ? 1 : 0;
            await CheckAsync(folder, lines);
        }

        Assert.True(injected > 0, $"{call} was not made");
    }

    private static async Task<(List<string> Lines, bool IsInjected)> SendAsync(TestFolder folder, string injection, IEnumerable<string> paths, string? queues = null)
    {
        string trace = folder.Path + ".trace";
        using var child = new CrashChild(
            ["strace", "-f", "-qq", "-e", $"trace={injection.Split(':')[0]}", "-e", $"inject={injection}", .. paths.SelectMany(path => new[] { "-P", path }), "-o", trace],
            "send",
            queues ?? folder.Path,
            "0",
            $"{SendCount}");
        (_, List<string> lines, string error) = await child.EndAsync();
        Assert.True(lines.Contains("started"), error);
        string text = await File.ReadAllTextAsync(trace);
        File.Delete(trace);
        return (lines, text.Contains("(INJECTED)", StringComparison.Ordinal) || text.Contains("+++ killed by SIGKILL +++", StringComparison.Ordinal));
    }

    /// <summary>The folder and the files of its log. The calls on these alone are counted: the runtime writes to files of its own.</summary>
    private static IEnumerable<string> LogPaths(TestFolder folder) => Enumerable.Range(1, 40).Select(number => Path.Combine(folder.Path, LogSegment.FileName((ulong)number))).Prepend(folder.Path);

    /// <summary>The files that are to be the log's next segments, as long as they have another name.</summary>
    private static IEnumerable<string> NewPaths(TestFolder folder) => Enumerable.Range(1, 40).Select(number => Path.Combine(folder.Path, LogSegment.NewFileName((ulong)number)));

    private static async Task CheckAsync(TestFolder folder, List<string> lines)
    {
        var ledger = new CrashLedger();
        ledger.Read(lines);
        await ledger.CheckAsync(folder.Path);
        folder.Delete();
    }
}
