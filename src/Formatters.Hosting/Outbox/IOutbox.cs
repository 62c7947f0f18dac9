using System.Collections.Generic;
using System.Data.Common;
using System.Threading;
using System.Threading.Tasks;

namespace Formatters.Hosting;

/// <summary>Sends messages in transactions of the application's database: a message is sent if its transaction commits, and only then.</summary>
/// <remarks>
/// The message is a row of a table until its transaction has committed. Then the dispatcher of a host sends it to its queue, and deletes the row.
/// Messages of one transaction to one queue are sent in their order. Thread-safe; registered with <c>AddOutbox</c>.
/// </remarks>
public interface IOutbox
{
    /// <summary>Gets the statements that create the two tables if they do not exist, for a migration.</summary>
    IReadOnlyList<string> CreateTablesSql { get; }

    /// <summary>Adds a message to a transaction of the application.</summary>
    /// <typeparam name="T">The type of the payload, for which <see cref="QueuesBuilder.AddSender{T}"/> has registered a sender.</typeparam>
    /// <param name="transaction">A transaction of the outbox's database. It is not committed. On PostgreSQL, its commit notifies the dispatchers.
    /// On SQLite, the message is found at the next look after the commit; call <see cref="Wake"/> then to have it sent at once.</param>
    /// <param name="message">The payload.</param>
    /// <param name="queue">The name of the queue; null for that of the only sender of the type.</param>
    /// <param name="options">Properties of the message; null for none. A delay begins now.</param>
    /// <param name="cancellationToken">Cancels the statement, after which the transaction can only be rolled back.</param>
    /// <returns>The id of the message, when the row is written.</returns>
    /// <exception cref="System.ArgumentNullException"><paramref name="transaction"/> is null.</exception>
    /// <exception cref="System.InvalidOperationException">The type has no sender, or several and <paramref name="queue"/> is null.</exception>
    /// <exception cref="MessageFormatException">The payload cannot be written.</exception>
    /// <exception cref="OutboxException">The row could not be written; the code says why.</exception>
    Task<string> SendAsync<T>(
        DbTransaction transaction, T message, string? queue = null, SendOptions? options = null, CancellationToken cancellationToken = default);

    /// <summary>Begins a transaction on a connection of its own.</summary>
    /// <param name="cancellationToken">Cancels the wait.</param>
    /// <returns>The transaction: commit and dispose it.</returns>
    /// <exception cref="OutboxException">The database cannot be reached, or begins no transaction.</exception>
    Task<OutboxTransaction> BeginAsync(CancellationToken cancellationToken = default);

    /// <summary>Creates the two tables if they do not exist. On SQLite, also sets the database to write-ahead logging.</summary>
    /// <param name="cancellationToken">Cancels the wait.</param>
    /// <returns>Completes when they exist.</returns>
    /// <exception cref="OutboxException">The statements failed, or there are tables of these names with other columns.</exception>
    Task CreateTablesAsync(CancellationToken cancellationToken = default);

    /// <summary>Gets the messages that were set aside, because they can never be sent: too large for their queue, expired, or damaged.</summary>
    /// <param name="maxCount">How many at most, the oldest first.</param>
    /// <param name="cancellationToken">Cancels the wait.</param>
    /// <returns>The messages.</returns>
    /// <exception cref="System.ArgumentOutOfRangeException"><paramref name="maxCount"/> is less than 1.</exception>
    /// <exception cref="OutboxException">The database cannot be reached, or the statement failed.</exception>
    Task<IReadOnlyList<SetAsideMessage>> GetSetAsideAsync(int maxCount = 100, CancellationToken cancellationToken = default);

    /// <summary>Sends a message that was set aside again, when the reason is gone.</summary>
    /// <param name="id">The <see cref="SetAsideMessage.Id"/>.</param>
    /// <param name="cancellationToken">Cancels the wait.</param>
    /// <returns>Whether there is such a message. Then the dispatcher sends it, or sets it aside again.</returns>
    /// <exception cref="OutboxException">The database cannot be reached, or the statement failed.</exception>
    Task<bool> RetryAsync(long id, CancellationToken cancellationToken = default);

    /// <summary>Makes the dispatcher of this process look for messages now, instead of after <see cref="OutboxOptions.PollInterval"/>.</summary>
    void Wake();
}

/// <summary>A message of the outbox that was set aside: <see cref="IOutbox.GetSetAsideAsync"/>.</summary>
/// <param name="Id">The id of its row.</param>
/// <param name="Queue">The name of its queue.</param>
/// <param name="MessageId">The id of the message.</param>
/// <param name="Contract">The contract name of its payload.</param>
/// <param name="Reason">Why it cannot be sent.</param>
public sealed record SetAsideMessage(long Id, string Queue, string MessageId, string Contract, string Reason);

/// <summary>The transaction of the outbox in which a handler runs, or which <see cref="IOutbox.BeginAsync"/> began.</summary>
/// <remarks>
/// A service of the message's scope, for handlers of consumers with <see cref="ConsumerOptions{T}.IsTransactional"/>. It is committed when the
/// handler has completed, before the message is acknowledged; if the handler fails, it is rolled back. Not thread-safe.
/// </remarks>
public interface IOutboxTransaction
{
    /// <summary>Gets the open connection. Do not close it.</summary>
    /// <exception cref="System.InvalidOperationException">No transaction is active: the consumer is not transactional.</exception>
    DbConnection Connection { get; }

    /// <summary>Gets the transaction, for the application's own commands. Do not end it.</summary>
    /// <inheritdoc cref="Connection" path="/exception"/>
    DbTransaction Transaction { get; }

    /// <summary>Creates a command of the connection in the transaction.</summary>
    /// <param name="commandText">The statement.</param>
    /// <param name="parameters">The names and values of its parameters.</param>
    /// <returns>The command; dispose it.</returns>
    /// <inheritdoc cref="Connection" path="/exception"/>
    DbCommand CreateCommand(string commandText, params (string Name, object? Value)[] parameters);

    /// <summary>Adds a message to the transaction.</summary>
    /// <inheritdoc cref="IOutbox.SendAsync"/>
    Task<string> SendAsync<T>(T message, string? queue = null, SendOptions? options = null, CancellationToken cancellationToken = default);
}
