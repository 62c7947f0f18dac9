using System.Collections.Concurrent;

namespace Formatters.TradeEngine.Drivers;

/// <summary>Measures the time from the moment at which the last message of a trade was due to its CLS.</summary>
internal sealed class LatencyProbe
{
    private readonly ConcurrentDictionary<string, long> _due = new(StringComparer.Ordinal);
    private readonly ConcurrentBag<double> _seconds = [];
    private long _firstDue;
    private long _firstCleared;

    /// <summary>From the first message to the first CLS; null before that.</summary>
    internal double? StartSeconds => _firstCleared == 0 ? null : Stopwatch.GetElapsedTime(_firstDue, _firstCleared).TotalSeconds;

    /// <summary>The latencies in seconds, in ascending order.</summary>
    internal IReadOnlyList<double> Seconds => [.. _seconds.Order()];

    /// <summary>A message is about to be sent.</summary>
    /// <param name="due">When it was due, by <see cref="Stopwatch.GetTimestamp"/>: what it has waited for the driver since counts.</param>
    internal void Sending(string tradeReference, long due)
    {
        if (_firstDue == 0)
            _firstDue = due;
        _due[tradeReference] = due;
    }

    /// <summary>The CLS of a trade is there; one of whose messages none was noted does not count.</summary>
    internal void Cleared(string tradeReference)
    {
        long now = Stopwatch.GetTimestamp();
        if (!_due.TryRemove(tradeReference, out long due))
            return;
        if (_firstCleared == 0)
            _firstCleared = now;
        _seconds.Add(Stopwatch.GetElapsedTime(due, now).TotalSeconds);
    }
}
