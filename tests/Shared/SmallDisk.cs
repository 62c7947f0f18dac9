using System;
using System.ComponentModel;
using System.Diagnostics;
using System.IO;
using Xunit;

namespace Formatters.TestSupport;

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

/// <summary>A theory that mounts, which needs root: skipped with the reason where it may not, in continuous integration it fails then.</summary>
[AttributeUsage(AttributeTargets.Method)]
public sealed class MountTheoryAttribute : TheoryAttribute
{
    private static readonly Lazy<string?> Reason = new(SmallDisk.FindReason);

    public MountTheoryAttribute() => Skip = TestScale.SkipReason(() => Reason.Value);
}

/// <summary>A test that mounts, as <see cref="MountTheoryAttribute"/>.</summary>
[AttributeUsage(AttributeTargets.Method)]
public sealed class MountFactAttribute : FactAttribute
{
    private static readonly Lazy<string?> Reason = new(SmallDisk.FindReason);

    public MountFactAttribute() => Skip = TestScale.SkipReason(() => Reason.Value);
}
