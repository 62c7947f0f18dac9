using System;
using System.Diagnostics;
using System.Threading.Tasks;

namespace Formatters.Queues;

/// <summary>Runs a send within a span, with its duration and outcome in the metrics.</summary>
internal static class ObservedSend
{
    internal static async ValueTask RunAsync<TState>(QueueDestination destination, QueueMessage message, TState state,
        Func<QueueMessage, TState, ValueTask> send)
    {
        Activity? activity = QueueTelemetry.StartSend(destination, message);
        long start = Stopwatch.GetTimestamp();
        Exception? error = null;
        try
        {
            await send(QueueTelemetry.WithContext(message), state).ConfigureAwait(false);
        }
        catch (Exception e)
        {
            error = e;
            throw;
        }
        finally
        {
            QueueTelemetry.RecordSent(destination, error);
            QueueTelemetry.RecordDuration(destination, "send", "send", start, error);
            QueueTelemetry.End(activity, error);
        }
    }
}
