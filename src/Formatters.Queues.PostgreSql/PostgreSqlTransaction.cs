using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;

namespace Formatters.Queues.PostgreSql;

/// <summary>A queue to which a transaction sends.</summary>
/// <param name="QueueId">Its number.</param>
/// <param name="Address">The address, without the password.</param>
/// <param name="Options">The options of the handle that sends.</param>
/// <param name="IsOptional">Whether the queue may be missing at the commit: a subscription that has ended meanwhile.</param>
/// <param name="Part">The parts of a message that go there.</param>
internal sealed record SendTarget(int QueueId, string Address, QueueOptions Options, bool IsOptional = false, SentPart Part = SentPart.All)
{
    internal Outgoing Of(Outgoing message) => Part switch
    {
        SentPart.WithoutJournal => message.WithoutJournal(),
        SentPart.Journal => message.ForJournal(),
        _ => message,
    };
}

/// <summary>The parts of a message that go to a queue. A topic makes the journal copy itself, because it has any number of queues.</summary>
internal enum SentPart
{
    All,
    WithoutJournal,
    Journal,
}

/// <summary>Sends and receives that take effect together. Received messages are locked for this process until it ends.</summary>
internal abstract class PostgreSqlTransaction(Database database) : QueueTransaction
{
    private readonly List<PostgreSqlMessage> _received = [];
    private bool _hasEnded;

    internal Database Database { get; } = database;

    /// <summary>Gets the semaphore that guards the transaction's state.</summary>
    private protected SemaphoreSlim Gate { get; } = new(1, 1);

    private protected IReadOnlyList<PostgreSqlMessage> Received => _received;

    private protected bool HasEnded => _hasEnded;

    /// <summary>Gets the messages of <see cref="Received"/> that the commit has not deleted; known after the commit.</summary>
    private protected virtual IReadOnlyList<PostgreSqlMessage> Untaken => [];

    /// <summary>Sends messages in the transaction: all or none.</summary>
    /// <param name="target">The destination.</param>
    /// <param name="messages">The messages.</param>
    /// <param name="messageId">The id for a message without one, or null.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    internal abstract ValueTask SendAsync(SendTarget target, IReadOnlyList<QueueMessage> messages, string? messageId,
        CancellationToken cancellationToken);

    /// <summary>Moves a message received in the transaction to the dead-letter queue when it commits.</summary>
    internal abstract ValueTask DeadLetterAsync(PostgreSqlMessage message, string reason, string? description, CancellationToken cancellationToken);

    /// <summary>Adds messages that a receiver has locked for the transaction.</summary>
    /// <returns>The messages that were added; those whose lock has expired are redelivered.</returns>
    /// <exception cref="QueueException">None could be added.</exception>
    internal virtual async ValueTask<IReadOnlyList<PostgreSqlMessage>> AddReceivedAsync(IReadOnlyList<PostgreSqlMessage> messages)
    {
        IReadOnlyList<PostgreSqlMessage>? taken = null;
        await Gate.WaitAsync().ConfigureAwait(false);
        try
        {
            ThrowIfEnded();
            taken = await TakeAsync(messages).ConfigureAwait(false);
            foreach (PostgreSqlMessage message in taken)
                message.EnterTransaction(this);
            _received.AddRange(taken);
        }
        finally
        {
            Gate.Release();
            if (taken is null)
                await GiveBackAsync(messages).ConfigureAwait(false);
        }

        return taken.Count > 0 ? taken : throw LockGone(messages[0]);
    }

    public override async ValueTask DisposeAsync()
    {
        await Gate.WaitAsync().ConfigureAwait(false);
        try
        {
            if (_hasEnded)
                return;
            _hasEnded = true;
            await UndoAsync(CancellationToken.None).ConfigureAwait(false);
        }
        catch (QueueException)
        {
            // The server is unavailable, and rolls back.
        }
        finally
        {
            Gate.Release();
        }

        await GiveBackAsync(_received).ConfigureAwait(false);
    }

    public override async ValueTask RollbackAsync(CancellationToken cancellationToken = default)
    {
        await Gate.WaitAsync(cancellationToken).ConfigureAwait(false);
        try
        {
            End();
            await UndoAsync(cancellationToken).ConfigureAwait(false);
        }
        finally
        {
            Gate.Release();
        }

        await GiveBackAsync(_received).ConfigureAwait(false);
    }

    public override async ValueTask CommitAsync(CancellationToken cancellationToken = default)
    {
        await Gate.WaitAsync(cancellationToken).ConfigureAwait(false);
        bool isCommitted = false;
        try
        {
            End();
            await DoAsync(cancellationToken).ConfigureAwait(false);
            isCommitted = true;
        }
        finally
        {
            Gate.Release();
            if (HasEnded)
                await GiveBackAsync(isCommitted ? Untaken : _received).ConfigureAwait(false);
        }
    }

    internal void ThrowIfEnded()
    {
        if (_hasEnded)
            throw new InvalidOperationException("The transaction is already committed or rolled back.");
    }

    /// <summary>Commits.</summary>
    private protected abstract Task DoAsync(CancellationToken cancellationToken);

    /// <summary>Rolls back.</summary>
    private protected abstract Task UndoAsync(CancellationToken cancellationToken);

    /// <summary>Deletes locked messages of one receiver, if the transaction does this before the commit.</summary>
    /// <returns>Those that were still locked.</returns>
    private protected abstract Task<IReadOnlyList<PostgreSqlMessage>> TakeAsync(IReadOnlyList<PostgreSqlMessage> messages);

    private protected static QueueException LockGone(PostgreSqlMessage message) => message.Receiver.LockGone(message);

    private protected void End()
    {
        ThrowIfEnded();
        _hasEnded = true;
    }

    /// <summary>Unlocks the messages that were received but not deleted, after a prepared transaction was ended.</summary>
    internal virtual Task GiveBackAsync(bool isCommitted) => GiveBackAsync(isCommitted ? Untaken : _received);

    /// <summary>Unlocks messages, if the server is available; has no effect on those already deleted.</summary>
    private static async Task GiveBackAsync(IReadOnlyList<PostgreSqlMessage> messages)
    {
        foreach (IGrouping<PostgreSqlReceiver, PostgreSqlMessage> receiver in messages.GroupBy(message => message.Receiver))
        {
            try
            {
                await receiver.Key.ReturnAsync([.. receiver]).ConfigureAwait(false);
            }
            catch (Exception e) when (e is QueueException or ObjectDisposedException)
            {
                // The server frees the locks of ended sessions.
            }
        }
    }
}
