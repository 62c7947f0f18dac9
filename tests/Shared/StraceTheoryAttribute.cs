using System;
using System.ComponentModel;
using System.Diagnostics;
using Xunit;

namespace Formatters.TestSupport;

/// <summary>A theory that needs strace and the permission to trace. Without them it is skipped, with the reason; in continuous integration it fails.</summary>
[AttributeUsage(AttributeTargets.Method)]
public sealed class StraceTheoryAttribute : TheoryAttribute
{
    private static readonly Lazy<string?> Reason = new(FindReason);

    public StraceTheoryAttribute() => Skip = TestScale.SkipReason(() => Reason.Value);

    private static string? FindReason()
    {
        try
        {
            using Process process = Process.Start(new ProcessStartInfo("strace", ["-f", "-e", "trace=none", "true"]) { RedirectStandardError = true })!;
            string error = process.StandardError.ReadToEnd();
            process.WaitForExit();
            return process.ExitCode == 0 ? null : $"strace may not trace here: {error}";
        }
        catch (Win32Exception)
        {
            return "There is no strace: apt-get install strace.";
        }
    }
}
