using System;
using System.Threading;
using System.Threading.Tasks;
using Npgsql;

namespace Formatters.Queues.PostgreSql;

/// <summary>Extensions for PostgreSQL queues beyond <see cref="QueueClient"/>.</summary>
public static class PostgreSqlQueueExtensions
{
    /// <summary>
    /// Lets sends and receives be part of the application's own transaction, so that a message and a row of the application commit together.
    /// </summary>
    /// <param name="queue">A PostgreSQL queue, opened with <see cref="DeliveryMode.Transactional"/>. The transaction may also be used with other
    /// queues of the same database.</param>
    /// <param name="transaction">A transaction on a connection to the database that has the queue. Do not run other commands on it during a send or
    /// receive.</param>
    /// <returns>A transaction for <see cref="QueueClient.SendAsync(QueueMessage, QueueTransaction?, CancellationToken)"/> and
    /// <see cref="QueueClient.ReceiveAsync(TimeSpan, QueueTransaction?, CancellationToken)"/>. Commit with it: that commits the
    /// application's transaction, and throws a <see cref="QueueException"/> if PostgreSQL has aborted it because a command in it failed; received
    /// messages are then back in their queue. Rolling it back rolls back the application's. Always dispose it: that rolls back if messages were sent
    /// or received and nothing was committed, and returns received messages.</returns>
    /// <exception cref="ArgumentNullException">An argument is null.</exception>
    /// <exception cref="ArgumentException"><paramref name="queue"/> is not a PostgreSQL queue.</exception>
    /// <exception cref="NotSupportedException">The queue is not opened with <see cref="DeliveryMode.Transactional"/>.</exception>
    /// <exception cref="ObjectDisposedException">The queue is closed.</exception>
    /// <remarks>
    /// <para>Sends and receives are commands on the transaction's connection. A failed command, of the queue or of the application, aborts the whole
    /// transaction, even if its exception is caught, unless the application rolls back to a savepoint. <see cref="NpgsqlTransaction.CommitAsync"/>
    /// does not report it: it returns as if it had succeeded, and nothing is committed.</para>
    /// <para>The commit waits for the disk, whatever the connection says: sends, receives and the commit set <c>synchronous_commit</c> to <c>on</c>
    /// for the transaction if it is less.</para>
    /// <para>If the application rolls back to a savepoint, messages that were sent after it are not sent, and messages that were received after it
    /// are delivered again.</para>
    /// </remarks>
    /// <example><code>
    /// await using NpgsqlTransaction sale = await connection.BeginTransactionAsync();
    /// await using QueueTransaction messages = queue.UseTransaction(sale);
    /// await InsertSaleAsync(sale);
    /// await queue.SendAsync(order, formatter, transaction: messages);
    /// await messages.CommitAsync();
    /// </code></example>
    public static QueueTransaction UseTransaction(this QueueClient queue, NpgsqlTransaction transaction)
    {
        ArgumentNullException.ThrowIfNull(queue);
        ArgumentNullException.ThrowIfNull(transaction);
        return queue is PostgreSqlQueue own
            ? own.Join(transaction)
            : throw new ArgumentException($"'{queue.Address}' is not a PostgreSQL queue.", nameof(queue));
    }

    /// <summary>Returns the database part of a transaction over a folder and a database, for the application's own rows.</summary>
    /// <param name="transaction">A transaction of a coordinator that was opened with <see
    /// cref="PostgreSqlQueueProvider.OpenResourceManagerAsync"/>.</param>
    /// <returns>The transaction; its <see cref="NpgsqlTransaction.Connection"/> accepts commands while no send or receive runs. Commit and roll back
    /// <paramref name="transaction"/>, not this one. It cannot use what PostgreSQL cannot prepare: temporary tables, <c>LISTEN</c> and <c>NOTIFY</c>,
    /// cursors <c>WITH HOLD</c>.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="transaction"/> is null.</exception>
    /// <exception cref="ArgumentException">The transaction's resource manager is not a PostgreSQL one.</exception>
    /// <exception cref="InvalidOperationException">The transaction is already committed or rolled back.</exception>
    /// <exception cref="QueueException">The server cannot be reached, or rejected an earlier send or receive.</exception>
    /// <remarks>
    /// The first call begins the transaction in the database, and blocks until the server has answered: <see cref="GetNpgsqlTransactionAsync"/> does
    /// not block.
    /// </remarks>
    public static NpgsqlTransaction GetNpgsqlTransaction(this CoordinatedTransaction transaction) =>
        BranchOf(transaction).HandOutAsync(CancellationToken.None).AsTask().GetAwaiter().GetResult();

    /// <summary>
    /// Returns the database part of a transaction, as the synchronous overload does, without blocking a thread while the server starts it.
    /// </summary>
    /// <inheritdoc cref="GetNpgsqlTransaction"/>
    /// <param name="transaction">A transaction of a coordinator that was opened with <see
    /// cref="PostgreSqlQueueProvider.OpenResourceManagerAsync"/>.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <remarks/>
    public static ValueTask<NpgsqlTransaction> GetNpgsqlTransactionAsync(
        this CoordinatedTransaction transaction, CancellationToken cancellationToken = default) =>
        BranchOf(transaction).HandOutAsync(cancellationToken);

    private static PreparableTransaction BranchOf(CoordinatedTransaction transaction)
    {
        ArgumentNullException.ThrowIfNull(transaction);
        return transaction.Branch.Transaction as PreparableTransaction
            ?? throw new ArgumentException("The transaction's resource manager is not a PostgreSQL one.", nameof(transaction));
    }
}
