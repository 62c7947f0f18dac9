using System;
using System.Diagnostics;
using System.IO;
using System.Threading.Tasks;

namespace Formatters.Queues.Tests;

/// <summary>A broker of the test's own, in a scratch folder: to be killed.</summary>
internal sealed class PrivateBroker : IAsyncDisposable
{
    private readonly string _directory = Directory.CreateTempSubdirectory("formatters-broker-").FullName;

    internal string Address { get; private set; } = "";

    /// <summary>The plugins of the broker, or null for the usual ones.</summary>
    private readonly string? _plugins;

    /// <summary>How many messages a consumer gets that does not say so itself; 0 for all.</summary>
    private readonly int _prefetch;

    private PrivateBroker(string? plugins, int prefetch)
    {
        _plugins = plugins;
        _prefetch = prefetch;
    }

    internal static async Task<PrivateBroker> StartAsync(string? plugins = null, int prefetch = 0)
    {
        var broker = new PrivateBroker(plugins, prefetch);
        await broker.RestartAsync();
        return broker;
    }

    /// <summary>Starts the broker again over the same data.</summary>
    internal async Task RestartAsync()
    {
        string output = await RunAsync("start");
        Address = output.Trim().Split(Broker.Variable + "=")[1];
    }

    /// <summary>Ends the broker without a word, as a power switch would end its process.</summary>
    internal async Task KillAsync()
    {
        using Process process = FindProcess();
        process.Kill();
        await process.WaitForExitAsync();
    }

    /// <summary>Stops the broker's process without ending it: connections stay, nothing is answered.</summary>
    internal async Task PauseAsync() => await SignalAsync("-STOP");

    internal async Task ContinueAsync() => await SignalAsync("-CONT");

    public async ValueTask DisposeAsync()
    {
        await RunAsync("stop");
        Directory.Delete(_directory, recursive: true);
    }

    private Process FindProcess() => Process.GetProcessById(int.Parse(File.ReadAllText(Path.Combine(_directory, "broker.pid")), null));

    private async Task SignalAsync(string signal)
    {
        using Process process = FindProcess();
        using Process kill = Process.Start("kill", [signal, $"{process.Id}"]);
        await kill.WaitForExitAsync();
    }

    private async Task<string> RunAsync(string command)
    {
        var start = new ProcessStartInfo(Path.Combine(RepositoryFolder(), "eng", "rabbitmq"), [command, _directory]) { RedirectStandardOutput = true };
        start.Environment.Remove("RABBITMQ_PORT");
        start.Environment["RABBITMQ_PREFETCH"] = $"{_prefetch}";
        if (_plugins is not null)
            start.Environment["RABBITMQ_PLUGINS"] = _plugins;
        using Process process = Process.Start(start)!;
        string output = await process.StandardOutput.ReadToEndAsync();
        await process.WaitForExitAsync();
        return process.ExitCode == 0 ? output : throw new InvalidOperationException($"eng/rabbitmq {command} failed: {output}");
    }

    private static string RepositoryFolder()
    {
        string? folder = AppContext.BaseDirectory;
        while (folder is not null && !File.Exists(Path.Combine(folder, "Formatters.sln")))
            folder = Path.GetDirectoryName(folder);
        return folder ?? throw new InvalidOperationException("The tests run outside the repository.");
    }
}
