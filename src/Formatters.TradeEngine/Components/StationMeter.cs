using System;
using System.Diagnostics;
using System.Threading;

namespace Formatters.TradeEngine.Components;

/// <summary>What a kind of component measures of itself, all instances together.</summary>
internal sealed class StationMeter(string name)
{
    private long _arrivals;
    private long _completions;
    private long _busyTicks;
    private long _responseTicks;

    internal string Name => name;

    /// <summary>Messages that were taken out of the queue for good.</summary>
    internal long Completions => Interlocked.Read(ref _completions);

    /// <summary>Messages that came into the queue, as far as this process knows.</summary>
    internal long Arrivals => Interlocked.Read(ref _arrivals);

    /// <summary>How long instances were at work, added up.</summary>
    internal TimeSpan Busy => Stopwatch.GetElapsedTime(0, Interlocked.Read(ref _busyTicks));

    /// <summary>How long messages were in the queue or at work, added up.</summary>
    internal TimeSpan Response => new(Interlocked.Read(ref _responseTicks));

    internal void AddArrivals(int count) => Interlocked.Add(ref _arrivals, count);

    /// <summary>Notes a batch.</summary>
    /// <param name="count">How many messages.</param>
    /// <param name="start">When the work began, by <see cref="Stopwatch.GetTimestamp"/>.</param>
    /// <param name="response">How long its messages were here, added up.</param>
    internal void AddCompletions(int count, long start, TimeSpan response)
    {
        Interlocked.Add(ref _completions, count);
        Interlocked.Add(ref _busyTicks, Stopwatch.GetTimestamp() - start);
        Interlocked.Add(ref _responseTicks, response.Ticks);
    }
}
