using System;
using System.Diagnostics;
using System.Threading;

namespace Formatters.Queues;

/// <summary>A span and a measurement of an application's processing of a message: see <see cref="QueueTelemetry.StartProcessing"/>.</summary>
public sealed class MessageProcessing : IDisposable
{
    private readonly QueueDestination? _destination;
    private readonly long _start = Stopwatch.GetTimestamp();
    private Exception? _error;
    private int _isDisposed;

    internal MessageProcessing(QueueDestination? destination, Activity? activity)
    {
        _destination = destination;
        Activity = activity;
    }

    /// <summary>Gets the span <c>process</c>, for the application's own tags.</summary>
    /// <value>Null if there is no listener for spans.</value>
    public Activity? Activity { get; }

    /// <summary>Records that the message could not be processed: <c>error.type</c> of the span and of the measurement.</summary>
    /// <param name="error">Why.</param>
    /// <exception cref="ArgumentNullException"><paramref name="error"/> is null.</exception>
    public void Fail(Exception error)
    {
        if (error is null)
            throw new ArgumentNullException(nameof(error));
        _error = error;
    }

    /// <summary>Ends the span, and records the time since its start in <c>messaging.process.duration</c>.</summary>
    public void Dispose()
    {
        if (Interlocked.Exchange(ref _isDisposed, 1) != 0)
            return;
        QueueTelemetry.RecordProcess(_destination, _start, _error);
        QueueTelemetry.End(Activity, _error);
    }
}
