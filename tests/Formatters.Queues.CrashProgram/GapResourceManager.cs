using System;
using System.Collections.Generic;
using System.Threading;
using System.Threading.Tasks;

namespace Formatters.Queues.CrashProgram;

/// <summary>A moment between the steps of a two-phase commit.</summary>
public enum CommitGap
{
    /// <summary>Everything is done but nothing prepared.</summary>
    BeforePrepare,

    /// <summary>The database has prepared its part; the decision is not written.</summary>
    AfterPrepare,

    /// <summary>The decision is in the log; the database has not been told.</summary>
    AfterDecision,

    /// <summary>The database has committed; the log has not forgotten the decision.</summary>
    AfterCommitPrepared,
}

/// <summary>A resource manager before another, which does something in the gaps of the commit.</summary>
public sealed class GapResourceManager(ResourceManager inner, Func<CommitGap, Task> onGap) : ResourceManager
{
    /// <inheritdoc/>
    public override Guid Id => inner.Id;

    /// <inheritdoc/>
    public override async ValueTask<TransactionBranch> BeginAsync(CancellationToken cancellationToken = default) => new Branch(await inner.BeginAsync(cancellationToken), onGap);

    /// <inheritdoc/>
    public override ValueTask<IReadOnlyList<string>> GetPreparedAsync(string prefix, CancellationToken cancellationToken = default) => inner.GetPreparedAsync(prefix, cancellationToken);

    /// <inheritdoc/>
    public override ValueTask CommitPreparedAsync(string name, CancellationToken cancellationToken = default) => inner.CommitPreparedAsync(name, cancellationToken);

    /// <inheritdoc/>
    public override ValueTask RollbackPreparedAsync(string name, CancellationToken cancellationToken = default) => inner.RollbackPreparedAsync(name, cancellationToken);

    /// <inheritdoc/>
    public override ValueTask DisposeAsync() => inner.DisposeAsync();

    private sealed class Branch(TransactionBranch inner, Func<CommitGap, Task> onGap) : TransactionBranch
    {
        public override QueueTransaction Transaction => inner.Transaction;

        public override async ValueTask PrepareAsync(string name, CancellationToken cancellationToken = default)
        {
            await onGap(CommitGap.BeforePrepare);
            await inner.PrepareAsync(name, cancellationToken);
            await onGap(CommitGap.AfterPrepare);
        }

        public override async ValueTask CommitPreparedAsync(CancellationToken cancellationToken = default)
        {
            await onGap(CommitGap.AfterDecision);
            await inner.CommitPreparedAsync(cancellationToken);
            await onGap(CommitGap.AfterCommitPrepared);
        }

        public override ValueTask RollbackPreparedAsync(CancellationToken cancellationToken = default) => inner.RollbackPreparedAsync(cancellationToken);

        public override ValueTask DisposeAsync() => inner.DisposeAsync();
    }
}
