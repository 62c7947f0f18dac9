namespace Formatters.TradeEngine.Components;

/// <summary>The measurements of one kind of component, all instances together.</summary>
internal sealed class StationMeter(string name)
{
    private readonly Lock _gate = new();
    private readonly long _start = Stopwatch.GetTimestamp();
    private long _arrivals;
    private long _completions;
    private long _busyTicks;
    private int _inHand;
    private double _arrivalSeconds;
    private double _completionSeconds;

    internal string Name => name;

    /// <summary>Messages that were taken out of the queue for good.</summary>
    internal long Completions => Interlocked.Read(ref _completions);

    /// <summary>Messages that came into the queue, as far as this process knows.</summary>
    internal long Arrivals => Interlocked.Read(ref _arrivals);

    /// <summary>How long instances were at work, added up.</summary>
    internal TimeSpan Busy => Stopwatch.GetElapsedTime(0, Interlocked.Read(ref _busyTicks));

    /// <summary>How long messages were in the queue or at work up to now, added up: the times of their completions less those of their
    /// arrivals.</summary>
    internal TimeSpan Response
    {
        get
        {
            lock (_gate)
                return TimeSpan.FromSeconds(_completionSeconds - _arrivalSeconds + ((_arrivals - _completions) * Now));
        }
    }

    private double Now => Stopwatch.GetElapsedTime(_start).TotalSeconds;

    /// <summary>Messages that instances have in their hands: taken out of the queue, and not noted as completed.</summary>
    internal int InHand => Volatile.Read(ref _inHand);

    /// <summary>Instances have taken messages (or, negative, have them no more).</summary>
    internal void AddInHand(int change) => Interlocked.Add(ref _inHand, change);

    /// <summary>Adds what instances in another process have measured.</summary>
    internal void AddRemote(long arrivals, long completions, TimeSpan busy)
    {
        lock (_gate)
        {
            _arrivals += arrivals;
            _completions += completions;
            _busyTicks += (long)(busy.TotalSeconds * Stopwatch.Frequency);
        }
    }

    /// <summary>Notes that messages are in the queue now.</summary>
    internal void AddArrivals(int count)
    {
        lock (_gate)
        {
            _arrivals += count;
            _arrivalSeconds += count * Now;
        }
    }

    /// <summary>Notes that messages are out of it now.</summary>
    /// <param name="start">When the work began, by <see cref="Stopwatch.GetTimestamp"/>.</param>
    internal void AddCompletions(int count, long start)
    {
        lock (_gate)
        {
            _completions += count;
            _busyTicks += Stopwatch.GetTimestamp() - start;
            _completionSeconds += count * Now;
        }
    }
}
