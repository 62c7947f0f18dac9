using System;
using System.Diagnostics;
using System.IO;
using System.Text;
using System.Threading.Tasks;
using Formatters.TestSupport;
using Xunit;

namespace Formatters.Interop.Tests.SystemMessaging;

/// <summary>System.Messaging on Mono, over the broker that <c>eng/rabbitmq start</c> prints: the program of tests/Formatters.Msmq.NetFramework.</summary>
internal static class SystemMessagingPeer
{
    private const string Variable = "FORMATTERS_RABBITMQ";

    private const string Program = "Formatters.Msmq.NetFramework";

    /// <summary>The programs say something with every step; the longest of them takes three minutes in all.</summary>
    private static readonly TimeSpan Silence = TimeSpan.FromMinutes(5);

    internal static string Address => Environment.GetEnvironmentVariable(Variable) is { Length: > 0 } address
        ? address.TrimEnd('/') : throw new InvalidOperationException($"{Variable} is not set.");

    /// <summary>Why tests of the peer are skipped, or null. In continuous integration they are not skipped but fail.</summary>
    internal static string? SkipReason => TestScale.SkipReason(() =>
        Environment.GetEnvironmentVariable(Variable) is null or "" ? $"No broker: {Variable} is not set. Start one: eval \"$(eng/rabbitmq start)\""
        : !HasMono() ? "There is no Mono with System.Messaging here."
        : null);

    /// <summary>Runs the program to its end and returns what it prints.</summary>
    internal static Task<string> RunAsync(params string[] args) => RunProgramAsync(Program, args);

    /// <summary>Runs a program for .NET Framework of this repository on Mono to its end and returns what it prints.</summary>
    internal static Task<string> RunProgramAsync(string project, params string[] args) => RunFileAsync(project, project + ".exe", args);

    /// <summary>The same for a program whose file has another name than its project.</summary>
    internal static async Task<string> RunFileAsync(string project, string file, params string[] args)
    {
        // Both projects are built into one tree: artifacts/bin/<project>/release.
        string folder = AppContext.BaseDirectory.TrimEnd(Path.DirectorySeparatorChar);
        string program = Path.Combine(folder, "..", "..", project, Path.GetFileName(folder), file);
        var start = new ProcessStartInfo("mono", [program, .. args]) { RedirectStandardOutput = true, RedirectStandardError = true };
        return await RunToEndAsync(start) ?? await RunToEndAsync(start) ?? throw new InvalidOperationException($"Twice in a row Mono has hung: {program}");
    }

    /// <summary>Runs a program to its end.</summary>
    /// <returns>Null if it hangs: in rare cases Mono's thread of finalizers never leaves <c>SafeSocketHandle.ReleaseHandle</c>, and the process does nothing more.</returns>
    private static async Task<string?> RunToEndAsync(ProcessStartInfo start)
    {
        using Process process = Process.Start(start)!;
        Task<string> error = process.StandardError.ReadToEndAsync();
        var output = new StringBuilder();
        try
        {
            while (await process.StandardOutput.ReadLineAsync().WaitAsync(Silence) is string line)
                output.AppendLine(line);
            await process.WaitForExitAsync().WaitAsync(Silence);
        }
        catch (TimeoutException)
        {
            process.Kill();
            Console.WriteLine($"Mono has said nothing for {Silence.TotalMinutes} minutes, and is run once more. It had said:\n{output}");
            return null;
        }

        Assert.True(process.ExitCode == 0, output + await error);
        return output.ToString().Trim();
    }

    private static bool HasMono() =>
        Directory.Exists("/usr/lib/mono/gac/Mono.Messaging.RabbitMQ") && Array.Exists((Environment.GetEnvironmentVariable("PATH") ?? "").Split(':'), folder => File.Exists(Path.Combine(folder, "mono")));
}

/// <summary>A test that needs the peer.</summary>
[AttributeUsage(AttributeTargets.Method)]
public sealed class SystemMessagingFactAttribute : FactAttribute
{
    public SystemMessagingFactAttribute() => Skip = SystemMessagingPeer.SkipReason;
}

/// <summary>A theory that needs the peer.</summary>
[AttributeUsage(AttributeTargets.Method)]
public sealed class SystemMessagingTheoryAttribute : TheoryAttribute
{
    public SystemMessagingTheoryAttribute() => Skip = SystemMessagingPeer.SkipReason;
}
