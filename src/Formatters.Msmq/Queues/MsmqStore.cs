using System;
using System.Collections.Concurrent;

namespace Formatters.Queues.Msmq;

/// <summary>The state that the handles of one queue share in this process.</summary>
internal sealed class MsmqStore(MsmqAddress address, bool isTransactional)
{
    // Enough for messages that return soon. MSMQ does not expose to System.Messaging how often it has delivered a message.
    private const int MaxReturnedCount = 1 << 16;

    private readonly ConcurrentDictionary<string, bool> _returned = new(StringComparer.Ordinal);
    private volatile bool _isDeleted;

    internal MsmqAddress Address => address;

    internal bool IsTransactional => isTransactional;

    internal bool IsDeleted
    {
        get => _isDeleted;
        set => _isDeleted = value;
    }

    internal void ThrowIfDeleted(QueueAddress queue)
    {
        if (_isDeleted)
            throw new QueueException($"The queue '{queue}' was deleted.");
    }

    /// <summary>Records that a message was delivered and returned.</summary>
    internal void AddReturned(string id)
    {
        if (_returned.Count >= MaxReturnedCount)
            _returned.Clear();
        _returned[id] = true;
    }

    internal bool WasReturned(string id) => _returned.ContainsKey(id);

    /// <summary>Removes the record of a message that has left the queue.</summary>
    internal void Forget(string id) => _returned.TryRemove(id, out _);

    /// <summary>Opens the queue again: a <c>MessageQueue</c> is for one thread at a time.</summary>
    internal MessageQueue Open() => new(address.OpenName);
}
