using System;
using System.Collections.Concurrent;
using System.Collections.Generic;
using System.Diagnostics;
using System.Linq;

namespace Formatters.TradeEngine.Drivers;

/// <summary>Measures, for some trades, how long after its last message was sent the CLS of a trade is there.</summary>
internal sealed class LatencyProbe
{
    private readonly ConcurrentDictionary<string, long> _sent = new(StringComparer.Ordinal);
    private readonly ConcurrentBag<double> _seconds = [];
    private long _firstSent;
    private long _firstCleared;

    /// <summary>From the first send to the first CLS; null before that.</summary>
    internal double? StartSeconds => _firstCleared == 0 || _firstSent == 0 ? null : Stopwatch.GetElapsedTime(_firstSent, _firstCleared).TotalSeconds;

    /// <summary>The latencies in seconds, in ascending order.</summary>
    internal IReadOnlyList<double> Seconds => [.. _seconds.Order()];

    /// <summary>A message is about to be sent.</summary>
    internal void Sending(string tradeReference)
    {
        long now = Stopwatch.GetTimestamp();
        if (_firstSent == 0)
            _firstSent = now;
        if (IsProbed(tradeReference))
            _sent[tradeReference] = now;
    }

    /// <summary>The CLS of a trade is there.</summary>
    internal void Cleared(string tradeReference)
    {
        long now = Stopwatch.GetTimestamp();
        if (_firstCleared == 0)
            _firstCleared = now;
        if (IsProbed(tradeReference) && _sent.TryRemove(tradeReference, out long sent))
            _seconds.Add(Stopwatch.GetElapsedTime(sent, now).TotalSeconds);
    }

    private static bool IsProbed(string tradeReference) => tradeReference.EndsWith('7');
}
