using System;
using System.Collections.Generic;

namespace Formatters.ServiceBusPeer;

/// <summary>What goes wrong on demand, by entity: <c>POST /$faults/{fault}/{entity}?count={count}</c>.</summary>
internal sealed class PeerFaults
{
    private readonly Dictionary<(string Fault, string Entity), int> _counts = [];

    internal void Set(string fault, string entity, int count) => _counts[(fault, entity.ToUpperInvariant())] = count;

    /// <summary>Determines whether an operation is answered with "server busy".</summary>
    internal bool IsBusy(string entity) => Take("busy", entity);

    /// <summary>Determines whether the connection ends before a send is taken.</summary>
    internal bool TakeLoss(string entity) => Take("lose", entity);

    /// <summary>Determines whether the connection ends after a send is taken, and before it is confirmed.</summary>
    internal bool TakeSilence(string entity) => Take("silence", entity);

    /// <summary>Determines whether the locks of an entity's messages are lost when they are settled or renewed.</summary>
    internal bool HasLostLocks(string entity) => Take("lock-lost", entity);

    private bool Take(string fault, string entity)
    {
        (string, string) key = (fault, entity.ToUpperInvariant());
        if (!_counts.TryGetValue(key, out int count) || count == 0)
            return false;
        _counts[key] = Math.Max(0, count - 1);
        return true;
    }
}
