using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;

namespace Formatters.Queues.Tests;

/// <summary>A database on another machine: a power cut of the folder's does not reach it, but it is not always to be had.</summary>
internal sealed class SimulatedDatabase(Random random) : ResourceManager
{
    private readonly Dictionary<string, List<int>> _prepared = new(StringComparer.Ordinal);

    public override Guid Id { get; } = new(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11);

    /// <summary>The numbers that were committed; each can be added once.</summary>
    internal HashSet<int> Rows { get; } = [];

    internal int PreparedCount => _prepared.Count;

    /// <summary>Whether nobody reaches it.</summary>
    internal bool IsAway { get; set; }

    /// <summary>Whether it is always there from now on.</summary>
    internal bool IsCalm { get; set; }

    public override ValueTask<TransactionBranch> BeginAsync(CancellationToken cancellationToken = default) => new(new Branch(this));

    public override ValueTask<IReadOnlyList<string>> GetPreparedAsync(string prefix, CancellationToken cancellationToken = default)
    {
        Reach();
        return new([.. _prepared.Keys.Where(name => name.StartsWith(prefix, StringComparison.Ordinal))]);
    }

    public override ValueTask CommitPreparedAsync(string name, CancellationToken cancellationToken = default)
    {
        Reach();
        if (_prepared.Remove(name, out List<int>? rows))
            Commit(rows);
        LoseAnswer();
        return default;
    }

    public override ValueTask RollbackPreparedAsync(string name, CancellationToken cancellationToken = default)
    {
        Reach();
        _prepared.Remove(name);
        LoseAnswer();
        return default;
    }

    public override ValueTask DisposeAsync() => default;

    private void Commit(List<int> rows)
    {
        foreach (int row in rows)
        {
            if (!Rows.Add(row))
                throw new InvalidOperationException($"row {row} is there twice");
        }
    }

    private void Reach()
    {
        if (IsAway || (!IsCalm && random.Next(10) == 0))
            throw new QueueException("The database is away.");
    }

    private void LoseAnswer()
    {
        if (!IsCalm && random.Next(10) == 0)
            throw new QueueException("The answer is lost.") { OutcomeUnknown = true };
    }

    /// <summary>Rows that are to be added.</summary>
    internal sealed class Transaction(SimulatedDatabase database) : QueueTransaction
    {
        internal List<int> Rows { get; } = [];

        public override ValueTask CommitAsync(CancellationToken cancellationToken = default)
        {
            database.Commit(Rows);
            return default;
        }

        public override ValueTask RollbackAsync(CancellationToken cancellationToken = default) => default;

        public override ValueTask DisposeAsync() => default;
    }

    private sealed class Branch(SimulatedDatabase database) : TransactionBranch
    {
        private readonly Transaction _transaction = new(database);
        private string _name = "";

        public override QueueTransaction Transaction => _transaction;

        public override ValueTask PrepareAsync(string name, CancellationToken cancellationToken = default)
        {
            _name = name;
            database.Reach();
            database._prepared.Add(name, _transaction.Rows);
            database.LoseAnswer();
            return default;
        }

        public override ValueTask CommitPreparedAsync(CancellationToken cancellationToken = default) => database.CommitPreparedAsync(_name, cancellationToken);

        public override ValueTask RollbackPreparedAsync(CancellationToken cancellationToken = default) => database.RollbackPreparedAsync(_name, cancellationToken);

        public override ValueTask DisposeAsync() => default;
    }
}
