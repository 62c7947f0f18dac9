using System;
using System.Collections.Concurrent;
using System.Collections.Generic;
using System.Threading;

namespace Formatters.Hosting;

/// <summary>The state of a queue while the host runs, for health checks and for a log line at each change.</summary>
internal sealed class QueueState(string name)
{
    private int _overdueCount;
    private int _databaseWaitCount;

    internal string Name => name;

    /// <summary>Gets whether the queue can be received from.</summary>
    internal Outage Receiving { get; } = new();

    /// <summary>Gets whether messages can be handled in transactions.</summary>
    internal Outage Database { get; } = new();

    /// <summary>Gets or sets why the last send failed; null if it did not.</summary>
    internal Exception? SendError { get; set; }

    internal bool IsCircuitOpen { get; set; }

    /// <summary>Gets how many handlers are still running after their timeout.</summary>
    internal int OverdueCount => Volatile.Read(ref _overdueCount);

    /// <summary>Gets whether messages in hand are being tried until the database works.</summary>
    internal bool HasDatabaseWaits => Volatile.Read(ref _databaseWaitCount) > 0;

    internal void AddOverdue(int count) => Interlocked.Add(ref _overdueCount, count);

    internal void AddDatabaseWait(int count) => Interlocked.Add(ref _databaseWaitCount, count);
}

/// <summary>A message in hand, which may have to wait until the database works.</summary>
internal sealed class DatabaseWait(QueueState state) : IDisposable
{
    private bool _isWaiting;

    internal void Begin()
    {
        if (!_isWaiting)
            state.AddDatabaseWait(1);
        _isWaiting = true;
    }

    internal void End()
    {
        if (_isWaiting)
            state.AddDatabaseWait(-1);
        _isWaiting = false;
    }

    public void Dispose() => End();
}

/// <summary>The states of all queues that are used, by name.</summary>
internal sealed class QueueStates
{
    private readonly ConcurrentDictionary<string, QueueState> _states = new(StringComparer.Ordinal);

    internal ICollection<QueueState> All => _states.Values;

    internal QueueState Get(string queueName) => _states.GetOrAdd(queueName, static name => new QueueState(name));
}
