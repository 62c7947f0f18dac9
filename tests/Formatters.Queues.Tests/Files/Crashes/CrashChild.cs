using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Threading.Tasks;

namespace Formatters.Queues.Tests;

/// <summary>A run of the program that is killed: its ledger is read as it comes.</summary>
internal sealed class CrashChild : IDisposable
{
    private readonly Process _process;
    private readonly TaskCompletionSource _started = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly TaskCompletionSource _opened = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly TaskCompletionSource _late = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly List<string> _ledger = [];
    private volatile int _lineCount;
    private readonly Task _reading;
    private readonly Task<string> _error;

    /// <param name="before">A command in whose arguments the program stands, as <c>strace</c>; or empty.</param>
    /// <param name="args">The program's arguments.</param>
    internal CrashChild(string[] before, params string[] args)
    {
        string[] command = [.. before, "dotnet", typeof(CrashProgram.Program).Assembly.Location, .. args];
        _process = Process.Start(new ProcessStartInfo(command[0], command[1..])
        {
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        })!;
        _reading = ReadAsync();
        _error = _process.StandardError.ReadToEndAsync();
    }

    internal int ProcessId => _process.Id;

    /// <summary>Completes when the program runs, or has ended.</summary>
    internal Task Started => Task.WhenAny(_started.Task, _reading);

    /// <summary>Completes when the folder is open, or the program has ended.</summary>
    internal Task Opened => Task.WhenAny(_opened.Task, _reading);

    /// <summary>Completes when a receiver was told that its lease had ended, or the program has ended.</summary>
    internal Task Late => Task.WhenAny(_late.Task, _reading);

    /// <summary>Completes when the folder is open and the ledger has so many lines, or the program has ended.</summary>
    internal async Task WhenWritten(int lineCount)
    {
        await Opened;
        while (_lineCount < lineCount && !_reading.IsCompleted)
            await Task.Delay(1);
    }

    /// <summary>SIGKILL.</summary>
    internal void Kill() => _process.Kill();

    /// <summary>Ends the input, on which a program may wait.</summary>
    internal void EndInput() => _process.StandardInput.Close();

    /// <summary>Waits for the end.</summary>
    /// <returns>The exit code, the whole lines of the ledger, and what stands on the error output.</returns>
    internal async Task<(int ExitCode, List<string> Ledger, string Error)> EndAsync()
    {
        await _reading;
        await _process.WaitForExitAsync();
        return (_process.ExitCode, _ledger, await _error);
    }

    public void Dispose()
    {
        if (!_process.HasExited)
            _process.Kill(entireProcessTree: true);
        _process.Dispose();
    }

    private async Task ReadAsync()
    {
        // Each line was written at once, so that the end of a killed program's output is the end of a line.
        while (await _process.StandardOutput.ReadLineAsync() is { } line)
        {
            _ledger.Add(line);
            _lineCount++;
            if (line == "started")
                _started.TrySetResult();
            else if (line == "opened")
                _opened.TrySetResult();
            else if (line.StartsWith("late", StringComparison.Ordinal))
                _late.TrySetResult();
        }
    }
}
