using System;
using System.Diagnostics;
using System.IO;
using System.Linq;
using System.Threading.Tasks;
using Formatters.Queues.RabbitMQ;
using Formatters.TestSupport;

namespace Formatters.Queues.Tests;

/// <summary>A broker of the test's own, in a scratch folder: to be killed.</summary>
internal sealed class PrivateBroker : IAsyncDisposable
{
    private readonly string _directory = Directory.CreateTempSubdirectory("formatters-broker-").FullName;

    private readonly (string Name, string Value)[] _settings;

    private PrivateBroker((string Name, string Value)[] settings) => _settings = settings;

    internal string Address { get; private set; } = "";

    /// <summary>The address with TLS, if the settings ask for it.</summary>
    internal string? TlsAddress { get; private set; }

    /// <summary>The address of the management interface, if the settings ask for it.</summary>
    internal string? ManagementAddress { get; private set; }

    /// <summary>Starts a broker.</summary>
    /// <param name="settings">Variables of <c>eng/rabbitmq</c>, which says what they do: <c>RABBITMQ_PLUGINS</c>.</param>
    internal static async Task<PrivateBroker> StartAsync(params (string Name, string Value)[] settings)
    {
        var broker = new PrivateBroker(settings);
        await broker.RestartAsync();
        return broker;
    }

    /// <summary>
    /// Makes a queue that is there after a kill: RabbitMQ 3.10 writes the record that commits the definition of a queue up to two seconds after it has answered, and loses a queue that is
    /// younger, with all that it has confirmed.
    /// </summary>
    internal async Task MakeQueueAsync(string name)
    {
        await using QueueClient queue = await new QueueConnector(new RabbitMqQueueProvider()).OpenAsync($"{Address}/{name}");
        await Task.Delay(TimeSpan.FromSeconds(3));
    }

    /// <summary>Starts the broker again over the same data.</summary>
    internal async Task RestartAsync()
    {
        string output = await RunAsync("start");
        Address = Value(Broker.Variable)!;
        TlsAddress = Value(Broker.Variable + "_TLS");
        ManagementAddress = Value(Broker.Variable + "_MANAGEMENT");

        string? Value(string variable) =>
            output.Split('\n').FirstOrDefault(line => line.Contains($" {variable}=", StringComparison.Ordinal))?.Split('=', 2)[1];
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

    /// <summary>Gives the broker a memory alarm: it reads nothing more from connections that send.</summary>
    internal Task BlockAsync() => RunAsync("block");

    internal Task UnblockAsync() => RunAsync("unblock");

    public async ValueTask DisposeAsync()
    {
        await RunAsync("stop");
        Directory.Delete(_directory, recursive: true);
    }

    /// <summary>Whether the broker's process runs.</summary>
    internal async Task<bool> IsRunningAsync()
    {
        try
        {
            await RunAsync("status");
            return true;
        }
        catch (InvalidOperationException)
        {
            return false;
        }
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
        var start = new ProcessStartInfo(Path.Combine(RepositoryFolder.Path, "eng", "rabbitmq"), [command, _directory]) { RedirectStandardOutput = true };
        start.Environment.Remove("RABBITMQ_PORT");
        start.Environment["RABBITMQ_PREFETCH"] = "";
        // Whoever kills the tests is rid of their brokers, too.
        start.Environment["RABBITMQ_OWNER"] = $"{Environment.ProcessId}";
        foreach ((string name, string value) in _settings)
            start.Environment[name] = value;
        using Process process = Process.Start(start)!;
        string output = await process.StandardOutput.ReadToEndAsync();
        await process.WaitForExitAsync();
        return process.ExitCode == 0 ? output : throw new InvalidOperationException($"eng/rabbitmq {command} failed: {output}");
    }
}
