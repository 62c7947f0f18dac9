using System;
using System.Collections.Generic;
using System.Threading;
using System.Threading.Tasks;

namespace Formatters.Queues.RabbitMQ;

/// <summary>
/// Fails the sends for which the broker has owed an answer for too long. The time restarts whenever the broker has settled the oldest message, so a
/// send may wait longer if others are ahead of it.
/// </summary>
internal sealed class ConfirmWatch : IDisposable
{
    private readonly RabbitMqConnection _connection;
    private readonly PublishWindow _window;
    private readonly Lock _windowGate;
    private readonly SemaphoreSlim _publishGate;
    private readonly string _what;
    private readonly Timer _timer;
    private volatile CancellationTokenSource _stalled = new();
    private long _heldSince;
    private bool _isRunning;

    /// <summary>Creates a watch.</summary>
    /// <param name="connection">The connection, which has the timeout.</param>
    /// <param name="window">The messages without a confirm.</param>
    /// <param name="windowGate">The lock of the window.</param>
    /// <param name="publishGate">Held by the publish that is under way.</param>
    /// <param name="what">The operation, for errors.</param>
    internal ConfirmWatch(RabbitMqConnection connection, PublishWindow window, Lock windowGate, SemaphoreSlim publishGate, string what)
    {
        (_connection, _window, _windowGate, _publishGate, _what) = (connection, window, windowGate, publishGate, what);
        _timer = new Timer(static state => ((ConfirmWatch)state!).Check(), this, Timeout.Infinite, Timeout.Infinite);
    }

    public void Dispose() => _timer.Dispose();

    /// <summary>Notes that a publish has entered the gate.</summary>
    internal void NoteEntered() => Volatile.Write(ref _heldSince, Environment.TickCount64);

    /// <summary>Starts the checks. Call with the window's lock held.</summary>
    internal void Start()
    {
        if (_isRunning)
            return;
        _isRunning = true;
        SetTimer((int)Math.Clamp(_connection.Timeout.TotalMilliseconds / 8, 1, 1000));
    }

    /// <summary>Runs a wait that the broker's answers complete, until the broker has owed one for too long.</summary>
    internal async Task RunAsync(Func<CancellationToken, Task> wait, CancellationToken cancellationToken)
    {
        CancellationToken stalled = _stalled.Token;
        using CancellationTokenSource? both = cancellationToken.CanBeCanceled
            ? CancellationTokenSource.CreateLinkedTokenSource(stalled, cancellationToken) : null;
        lock (_windowGate)
            Start();
        try
        {
            await wait(both?.Token ?? stalled).ConfigureAwait(false);
        }
        catch (OperationCanceledException e)
        {
            throw _connection.Explain(e, _what, cancellationToken);
        }
    }

    private void Check()
    {
        CancellationTokenSource? stalled = null;
        List<PendingSend> late;
        lock (_windowGate)
        {
            long due = Environment.TickCount64 - (long)_connection.Timeout.TotalMilliseconds;
            bool isHeld = _publishGate.CurrentCount == 0;
            if (isHeld && _window.HasStalledSince(due) && Volatile.Read(ref _heldSince) <= due)
            {
                stalled = _stalled;
                _stalled = new CancellationTokenSource();
                NoteEntered();
            }

            late = _window.AbandonLate(due);
            if (!isHeld && _window.IsEmpty)
            {
                _isRunning = false;
                SetTimer(Timeout.Infinite);
            }
        }

        if (late.Count > 0 || stalled is not null)
        {
            var timeout = (QueueException)_connection.Explain(new TimeoutException(), _what, CancellationToken.None);
            foreach (PendingSend pending in late)
            {
                pending.TrySetException(new QueueException(timeout.Message, timeout.InnerException)
                {
                    OutcomeUnknown = true, IsUnreachable = true, Code = timeout.Code,
                });
            }

            stalled?.Cancel();
        }
    }

    private void SetTimer(int period)
    {
        try
        {
            _timer.Change(period, period);
        }
        catch (ObjectDisposedException)
        {
            // The handle is closed, and closing the connection ends all waits.
        }
    }
}
