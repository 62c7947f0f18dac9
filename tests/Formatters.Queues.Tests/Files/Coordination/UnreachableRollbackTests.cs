using System;
using System.Collections.Generic;
using System.Threading;
using System.Threading.Tasks;
using Xunit;

namespace Formatters.Queues.Tests;

/// <summary>A part of a transaction that could not be rolled back when the commit failed: what was received in it is given back only by its branch.</summary>
public sealed class UnreachableRollbackTests
{
    [Fact]
    public async Task What_could_not_be_rolled_back_is_rolled_back_later_and_once()
    {
        var disk = new SimulatedDisk();
        await using var folder = new QueueFolder("/simulated", disk, new FileQueueOptions());
        await using var database = new Database();
        await using TransactionCoordinator coordinator = await folder.OpenCoordinatorAsync(database, default);
        FileQueueStore store = await folder.OpenQueueAsync("a", default);
        await using var queue = new FileQueue(store, folder.AddressOf("a"), new QueueOptions { DeliveryMode = DeliveryMode.Transactional }, null, null);

        await using CoordinatedTransaction transaction = await coordinator.BeginTransactionAsync();
        await queue.SendAsync(new QueueMessage(), transaction);
        Assert.Equal("prepare", (await Assert.ThrowsAsync<QueueException>(() => transaction.CommitAsync().AsTask())).Message);
        Assert.Equal(0, await queue.GetMessageCountAsync());

        await database.IsRolledBack.Task.WaitAsync(TimeSpan.FromSeconds(20));
        Assert.Equal(2, database.Rollbacks);
        await coordinator.ResolveAsync();
        await coordinator.ResolveAsync();
        Assert.Equal(2, database.Rollbacks);
    }

    /// <summary>A database that fails to prepare, and cannot be reached for the first rollback.</summary>
    private sealed class Database : ResourceManager
    {
        private int _rollbacks;

        internal int Rollbacks => Volatile.Read(ref _rollbacks);

        internal TaskCompletionSource IsRolledBack { get; } = new(TaskCreationOptions.RunContinuationsAsynchronously);

        public override Guid Id { get; } = Guid.NewGuid();

        public override ValueTask<TransactionBranch> BeginAsync(CancellationToken cancellationToken = default) => new(new Branch(this));

        public override ValueTask<IReadOnlyList<string>> GetPreparedAsync(string prefix, CancellationToken cancellationToken = default) => new(Array.Empty<string>());

        public override ValueTask CommitPreparedAsync(string name, CancellationToken cancellationToken = default) => throw new InvalidOperationException(name);

        public override ValueTask RollbackPreparedAsync(string name, CancellationToken cancellationToken = default) => throw new InvalidOperationException(name);

        public override ValueTask DisposeAsync() => default;

        private sealed class Branch(Database database) : TransactionBranch
        {
            public override QueueTransaction Transaction { get; } = new LocalTransaction(database);

            public override ValueTask PrepareAsync(string name, CancellationToken cancellationToken = default) => throw new QueueException("prepare");

            public override ValueTask CommitPreparedAsync(CancellationToken cancellationToken = default) => throw new InvalidOperationException();

            public override ValueTask RollbackPreparedAsync(CancellationToken cancellationToken = default)
            {
                if (Interlocked.Increment(ref database._rollbacks) == 1)
                    throw new QueueException("away");
                database.IsRolledBack.TrySetResult();
                return default;
            }

            public override ValueTask DisposeAsync() => default;
        }
    }
}
