using System;
using System.Collections.Concurrent;
using System.Collections.Generic;
using System.Threading;

namespace Formatters.Hosting;

/// <summary>The state of a queue while the host runs, for health checks and for a log line at each change.</summary>
internal sealed class QueueState(string name)
{
    private readonly object _databaseLock = new();
    private long _databaseFailedAt;
    private long _unreachableSince;
    private int _overdueCount;

    internal string Name => name;

    /// <summary>Gets or sets why the queue cannot be received from; null if it can.</summary>
    internal Exception? ReceiveError { get; private set; }

    /// <summary>Gets or sets why the last send failed; null if it did not.</summary>
    internal Exception? SendError { get; set; }

    internal bool IsCircuitOpen { get; set; }

    /// <summary>Gets how many handlers are still running after their timeout.</summary>
    internal int OverdueCount => Volatile.Read(ref _overdueCount);

    internal void AddOverdue(int count) => Interlocked.Add(ref _overdueCount, count);

    /// <summary>Gets why messages cannot be handled in transactions; null if they can.</summary>
    internal Exception? DatabaseError { get; private set; }

    /// <summary>Notes that the database of the outbox failed.</summary>
    /// <returns>Whether it worked before.</returns>
    internal bool SetDatabaseError(Exception error, TimeProvider time)
    {
        lock (_databaseLock)
        {
            bool isChange = DatabaseError is null;
            if (isChange)
                _databaseFailedAt = time.GetTimestamp();
            DatabaseError = error;
            return isChange;
        }
    }

    /// <summary>Notes that the database of the outbox works.</summary>
    /// <returns>How long it did not; null if it worked before.</returns>
    internal TimeSpan? ClearDatabaseError(TimeProvider time)
    {
        if (DatabaseError is null)
            return null;
        lock (_databaseLock)
        {
            if (DatabaseError is null)
                return null;
            DatabaseError = null;
            return time.GetElapsedTime(_databaseFailedAt);
        }
    }

    /// <summary>Notes that the queue is unreachable.</summary>
    /// <returns>Whether it was reachable before.</returns>
    internal bool SetUnreachable(Exception error, TimeProvider time)
    {
        bool isChange = ReceiveError is null;
        if (isChange)
            _unreachableSince = time.GetTimestamp();
        ReceiveError = error;
        return isChange;
    }

    /// <summary>Notes that the queue is reachable.</summary>
    /// <returns>How long it was not; null if it was reachable before.</returns>
    internal TimeSpan? SetReachable(TimeProvider time)
    {
        if (ReceiveError is null)
            return null;
        ReceiveError = null;
        return time.GetElapsedTime(_unreachableSince);
    }
}

/// <summary>The states of all queues that are used, by name.</summary>
internal sealed class QueueStates
{
    private readonly ConcurrentDictionary<string, QueueState> _states = new(StringComparer.Ordinal);

    internal ICollection<QueueState> All => _states.Values;

    internal QueueState Get(string queueName) => _states.GetOrAdd(queueName, static name => new QueueState(name));
}
