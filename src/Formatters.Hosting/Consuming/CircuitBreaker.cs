using System;
using System.Threading;
using System.Threading.Tasks;

namespace Formatters.Hosting;

/// <summary>Pauses a receiver after consecutive failures of its handlers, and then lets one message through at a time until one is handled.</summary>
internal sealed class CircuitBreaker(CircuitBreakerOptions options, TimeProvider time)
{
    private readonly object _gate = new();
    private TaskCompletionSource _changed = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private int _failureCount;
    private bool _isOpen;
    private bool _isTrying;
    private long _openedAt;

    /// <summary>Waits until a message may be received.</summary>
    internal async ValueTask WaitAsync(CancellationToken cancellationToken)
    {
        while (true)
        {
            Task wait;
            lock (_gate)
            {
                if (!_isOpen)
                    return;
                TimeSpan left = options.BreakDuration - time.GetElapsedTime(_openedAt);
                if (left <= TimeSpan.Zero && !_isTrying)
                {
                    _isTrying = true;
                    return;
                }

                wait = _isTrying ? _changed.Task : Task.WhenAny(_changed.Task, Task.Delay(BackOff.Limit(left), time, cancellationToken));
            }

            await wait.WaitAsync(cancellationToken).ConfigureAwait(false);
        }
    }

    /// <summary>Notes that a message was handled.</summary>
    /// <returns>Whether this ends the break.</returns>
    internal bool Succeed()
    {
        if (Volatile.Read(ref _failureCount) == 0)
            return false;
        lock (_gate)
        {
            bool wasOpen = _isOpen;
            _failureCount = 0;
            _isOpen = false;
            if (wasOpen)
                Signal();
            return wasOpen;
        }
    }

    /// <summary>Notes that an attempt failed.</summary>
    /// <returns>Whether this begins the first break.</returns>
    internal bool Fail()
    {
        lock (_gate)
        {
            _failureCount++;
            if (options.FailureCount == 0 || _failureCount < options.FailureCount)
                return false;
            bool wasOpen = _isOpen;
            if (!wasOpen || _isTrying)
                _openedAt = time.GetTimestamp();
            _isOpen = true;
            Signal();
            return !wasOpen;
        }
    }

    /// <summary>Notes that a message has left, handled or not, so that another one may be tried.</summary>
    internal void EndTrial()
    {
        lock (_gate)
        {
            if (_isTrying)
                Signal();
        }
    }

    private void Signal()
    {
        _isTrying = false;
        _changed.TrySetResult();
        _changed = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
    }
}
