using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading;

namespace Formatters.Queues;

/// <summary>The decision that a transaction is committed, to be delivered to its resource manager.</summary>
internal sealed record Decision(Guid TransactionId, Guid ResourceManagerId);

/// <summary>The outcome of a transaction that a resource manager has prepared.</summary>
internal enum TransactionFate
{
    /// <summary>The log has no decision, and none is about to be written: presumed abort.</summary>
    Aborted,

    /// <summary>The transaction is in progress in this process, or its outcome on the disk is unknown.</summary>
    Active,

    /// <summary>The log has the decision.</summary>
    Committed,
}

/// <summary>The unfinished transactions with resource managers: those in progress, and decisions that may not have been delivered.</summary>
internal sealed class DecisionTable
{
    private readonly Lock _gate = new();
    private readonly HashSet<Guid> _active = [];
    private readonly Dictionary<Guid, Guid> _decided;
    private List<Guid> _delivered = [];

    internal DecisionTable(Dictionary<Guid, Guid> decided) => _decided = decided;

    /// <summary>Adds a transaction in progress, before anything is prepared, so that it is not resolved.</summary>
    internal void Enter(Guid transactionId)
    {
        lock (_gate)
            _active.Add(transactionId);
    }

    /// <summary>Removes a transaction in progress: from now on the log alone determines its outcome.</summary>
    internal void Leave(Guid transactionId)
    {
        lock (_gate)
            _active.Remove(transactionId);
    }

    /// <summary>Adds a decision that is on the disk.</summary>
    internal void Add(Decision decision)
    {
        lock (_gate)
            _decided.Add(decision.TransactionId, decision.ResourceManagerId);
    }

    /// <summary>Marks a decision as delivered to the resource manager, so that the log may forget it.</summary>
    internal void Deliver(Guid transactionId)
    {
        lock (_gate)
        {
            if (_decided.Remove(transactionId))
                _delivered.Add(transactionId);
        }
    }

    /// <summary>
    /// Removes and returns the delivered decisions that the log has not forgotten yet. If it never does, the next opening delivers them again.
    /// </summary>
    internal List<Guid> TakeDelivered()
    {
        lock (_gate)
        {
            List<Guid> delivered = _delivered;
            _delivered = [];
            return delivered;
        }
    }

    internal TransactionFate FateOf(Guid transactionId)
    {
        lock (_gate)
        {
            return _active.Contains(transactionId)
                ? TransactionFate.Active
                : _decided.ContainsKey(transactionId)
                ? TransactionFate.Committed
                : TransactionFate.Aborted;
        }
    }

    /// <summary>
    /// Returns the undelivered decisions on the disk. The first block of a segment must repeat them, because older segments may be deleted.
    /// </summary>
    internal Decision[] GetUndelivered()
    {
        lock (_gate)
            return [.. _decided.Select(decided => new Decision(decided.Key, decided.Value))];
    }

    /// <summary>Returns the undelivered decisions of one resource manager, without transactions in progress.</summary>
    internal Guid[] GetUndelivered(Guid resourceManagerId)
    {
        lock (_gate)
            return [.. _decided.Where(decided => decided.Value == resourceManagerId && !_active.Contains(decided.Key))
                .Select(decided => decided.Key)];
    }
}
