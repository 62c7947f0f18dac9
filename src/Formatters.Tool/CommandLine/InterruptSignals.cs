using System;
using System.IO;
using System.Runtime.InteropServices;
using System.Threading;

namespace Formatters.Tools.CommandLine;

/// <summary>
/// Turns Ctrl-C and the system's request to end into a cancellation, so that a run cleans up and says what it has. A second one, or a run that has not ended
/// in time, ends the process at once.
/// </summary>
/// <remarks>From the start of the process on: over queues in memory nothing waits, and a run would else be over before anyone listened.</remarks>
internal sealed class InterruptSignals : IDisposable
{
    private const string ShowCursor = "\u001b[?25h";

    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(10);

    private readonly CancellationTokenSource _cancellation = new();
    private readonly TextWriter _error;
    private readonly PosixSignalRegistration[] _registrations;
    private readonly Timer _timer;

    /// <summary>Begins to listen.</summary>
    /// <param name="error">Shown the cursor that a progress bar has hidden, if it is a terminal.</param>
    internal InterruptSignals(TextWriter error)
    {
        _error = error;
        _timer = new Timer(_ => End());
        _registrations = [PosixSignalRegistration.Create(PosixSignal.SIGINT, Interrupt), PosixSignalRegistration.Create(PosixSignal.SIGTERM, Interrupt)];
    }

    /// <summary>Cancelled by the first signal.</summary>
    internal CancellationToken Token => _cancellation.Token;

    public void Dispose()
    {
        foreach (PosixSignalRegistration registration in _registrations)
            registration.Dispose();
        _timer.Dispose();
        _cancellation.Dispose();
    }

    private void Interrupt(PosixSignalContext context)
    {
        context.Cancel = true;
        if (_cancellation.IsCancellationRequested)
        {
            End();
            return;
        }

        _timer.Change(Patience, Timeout.InfiniteTimeSpan);
        _cancellation.Cancel();
    }

    private void End()
    {
        if (!Console.IsErrorRedirected)
            _error.Write(ShowCursor);
        Environment.Exit(ExitCodes.Interrupted);
    }
}
