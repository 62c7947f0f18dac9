using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading;

namespace Formatters.Queues;

/// <summary>That a transaction is committed, also in the place of a resource manager.</summary>
internal readonly record struct Decision(Guid TransactionId, Guid ResourceManagerId);

/// <summary>What happens to a transaction that a resource manager has prepared.</summary>
internal enum TransactionFate
{
    /// <summary>The log has no decision, and nobody is about to write one: presumed abort.</summary>
    Aborted,

    /// <summary>Somebody in this process has it in progress, or cannot know what the disk has.</summary>
    Active,

    /// <summary>The log has the decision.</summary>
    Committed,
}

/// <summary>The transactions with resource managers that are not at their end: those in progress, and the decisions that the resource managers may not have
/// heard of.</summary>
internal sealed class DecisionTable
{
    private readonly Lock _gate = new();
    private readonly HashSet<Guid> _active = [];
    private readonly Dictionary<Guid, Guid> _decided;
    private List<Guid> _delivered = [];

    internal DecisionTable(Dictionary<Guid, Guid> decided) => _decided = decided;

    /// <summary>Before anything is prepared: nobody else may end the transaction.</summary>
    internal void Enter(Guid transactionId)
    {
        lock (_gate)
            _active.Add(transactionId);
    }

    /// <summary>From now on the log alone says what happens to the transaction.</summary>
    internal void Leave(Guid transactionId)
    {
        lock (_gate)
            _active.Remove(transactionId);
    }

    /// <summary>The decision is on the disk.</summary>
    internal void Add(Decision decision)
    {
        lock (_gate)
            _decided.Add(decision.TransactionId, decision.ResourceManagerId);
    }

    /// <summary>The resource manager has done what was decided: the log may forget it.</summary>
    internal void Deliver(Guid transactionId)
    {
        lock (_gate)
        {
            if (_decided.Remove(transactionId))
                _delivered.Add(transactionId);
        }
    }

    /// <summary>Those of which the log has not said yet that it has forgotten them. If it never does, the next opening finds out again.</summary>
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
            return _active.Contains(transactionId) ? TransactionFate.Active
                : _decided.ContainsKey(transactionId) ? TransactionFate.Committed
                : TransactionFate.Aborted;
        }
    }

    /// <summary>What is on the disk and not delivered: what the first block of a segment must tell, since older segments may be deleted.</summary>
    internal Decision[] GetUndelivered()
    {
        lock (_gate)
            return [.. _decided.Select(decided => new Decision(decided.Key, decided.Value))];
    }

    /// <summary>The same of one resource manager, those in progress left out.</summary>
    internal Guid[] GetUndelivered(Guid resourceManagerId)
    {
        lock (_gate)
            return [.. _decided.Where(decided => decided.Value == resourceManagerId && !_active.Contains(decided.Key)).Select(decided => decided.Key)];
    }
}
