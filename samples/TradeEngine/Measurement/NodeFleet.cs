using Formatters.TradeEngine.Nodes;

namespace Formatters.TradeEngine.Measurement;

/// <summary>Component processes on this machine: <c>node</c>, started, killed at the places that are asked for, started again, and ended.</summary>
/// <param name="arguments">Of each process, after <c>node</c>.</param>
/// <param name="nodeCount">How many processes.</param>
/// <param name="killCount">How many of them are killed while the driver sends, one after the other.</param>
internal sealed class NodeFleet(IReadOnlyList<string> arguments, int nodeCount, int killCount) : INodeFleet, IAsyncDisposable
{
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(30);

    private readonly Process?[] _processes = new Process?[nodeCount];
    private readonly List<Process> _killedProcesses = [];
    private readonly TaskCompletionSource _failure = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly Lock _gate = new();
    private int _killed;
    private bool _isStopping;

    public int NodeCount => nodeCount;
    public int KillCount => Volatile.Read(ref _killed);
    public Task Failure => _failure.Task;

    public Task StartAsync(CancellationToken cancellationToken)
    {
        lock (_gate)
        {
            for (int i = 0; i < nodeCount; i++)
                _processes[i] = Start(i);
        }

        return Task.CompletedTask;
    }

    public void Advance(double share)
    {
        while (_killed < killCount && share >= (_killed + 1.0) / (killCount + 1))
        {
            int number = _killed % nodeCount;
            Process? victim;
            lock (_gate)
            {
                if (_isStopping)
                    return;
                victim = _processes[number];
                _processes[number] = null;
            }

            // Killed, not asked: nothing is given back, no report sent. With a limit: without, it would wait for the end of its output, too. Not
            // under the
            // gate, for which the event of its end may be waiting, which is also why it is disposed of at the end only.
            victim?.Kill();
            victim?.WaitForExit(Patience);
            Volatile.Write(ref _killed, _killed + 1);
            lock (_gate)
            {
                if (victim is not null)
                    _killedProcesses.Add(victim);
                if (!_isStopping)
                    _processes[number] = Start(number);
            }
        }
    }

    public async Task StopAsync()
    {
        Process[] processes;
        lock (_gate)
        {
            _isStopping = true;
            processes = [.. _processes.OfType<Process>()];
            Array.Clear(_processes);
        }

        // Asked all at once: the end of the standard input.
        foreach (Process process in processes)
            Close(process);
        foreach (Process process in processes)
        {
            using var deadline = new CancellationTokenSource(Patience);
            try
            {
                await process.WaitForExitAsync(deadline.Token);
            }
            catch (OperationCanceledException)
            {
                process.Kill();
            }

            process.Dispose();
        }
    }

    public async ValueTask DisposeAsync()
    {
        await StopAsync();
        foreach (Process process in _killedProcesses)
            process.Dispose();
    }

    private static void Close(Process process)
    {
        try
        {
            process.StandardInput.Close();
        }
        catch (IOException)
        {
            // It has ended already.
        }
    }

    private Process Start(int number)
    {
        var start = new ProcessStartInfo("dotnet") { RedirectStandardInput = true, RedirectStandardError = true, RedirectStandardOutput = true };
        foreach (string argument in (string[])["exec", typeof(NodeFleet).Assembly.Location, "node", .. arguments, "--until-input-ends"])
            start.ArgumentList.Add(argument);
        var process = new Process { StartInfo = start, EnableRaisingEvents = true };
        string error = "";
        process.ErrorDataReceived += (_, line) => error = string.IsNullOrWhiteSpace(line.Data) ? error : line.Data;
        process.OutputDataReceived += (_, _) => { };
        process.Exited += (_, _) =>
        {
            lock (_gate)
            {
                if (!_isStopping && _processes[number] == process)
                {
                    _failure.TrySetException(new QueueException(string.Create(
                        CultureInfo.InvariantCulture, $"Component process {number + 1} of {nodeCount} has ended unexpectedly: {error}")));
                }
            }
        };
        process.Start();
        process.BeginErrorReadLine();
        process.BeginOutputReadLine();
        return process;
    }
}

/// <summary>Component processes that somebody else has started, here or on other machines.</summary>
internal sealed class NodesElsewhere(int nodeCount) : INodeFleet
{
    public int NodeCount => nodeCount;
    public int KillCount => 0;
    public Task Failure { get; } = new TaskCompletionSource().Task;

    public Task StartAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    public void Advance(double share)
    {
    }

    /// <summary>They stay; what they have done up to now is in their next report.</summary>
    public Task StopAsync() => Task.Delay(TimeSpan.FromSeconds(1));
}
