using System;
using System.Data.Common;
using System.Diagnostics.CodeAnalysis;
using System.Threading;
using System.Threading.Tasks;

namespace Formatters.Hosting;

/// <summary>A transaction that <see cref="IOutbox.BeginAsync"/> began: it is rolled back unless it is committed.</summary>
public sealed class OutboxTransaction : IOutboxTransaction, IAsyncDisposable
{
    private readonly Outbox _outbox;
    private readonly OutboxWork _work;
    private bool _hasMessages;

    internal OutboxTransaction(Outbox outbox, OutboxWork work)
    {
        _outbox = outbox;
        _work = work;
    }

    /// <inheritdoc/>
    public DbConnection Connection => _work.Connection;

    /// <inheritdoc/>
    public DbTransaction Transaction => _work.Transaction;

    /// <inheritdoc/>
    [SuppressMessage("Security", "CA2100", Justification = "The statement is the application's, and its values are parameters.")]
    public DbCommand CreateCommand(string commandText, params (string Name, object? Value)[] parameters)
    {
        ArgumentNullException.ThrowIfNull(parameters);
        DbCommand command = Connection.CreateCommand();
        command.Transaction = Transaction;
        command.CommandText = commandText;
        foreach ((string name, object? value) in parameters)
            command.AddParameter(name, value);
        return command;
    }

    /// <inheritdoc/>
    public Task<string> SendAsync<T>(T message, string? queue = null, SendOptions? options = null, CancellationToken cancellationToken = default)
    {
        _hasMessages = true;
        return _outbox.SendAsync(Transaction, notifies: false, message, queue, options, cancellationToken);
    }

    /// <summary>Commits the rows and messages together, and wakes the dispatcher.</summary>
    /// <param name="cancellationToken">Cancels the wait; the transaction may or may not be committed then.</param>
    /// <returns>Completes when the transaction is committed.</returns>
    /// <exception cref="OutboxException">The transaction was ended before (<see cref="OutboxErrorCode.EndedTransaction"/>), or the commit
    /// failed.</exception>
    public async Task CommitAsync(CancellationToken cancellationToken = default)
    {
        bool hasMessages = _hasMessages || _work.HasMessages;
        await _outbox.CommitAsync(_work, hasMessages, cancellationToken).ConfigureAwait(false);
        if (hasMessages)
            _outbox.Wake();
    }

    /// <summary>Rolls the transaction back if it is not committed, and closes its connection.</summary>
    /// <returns>Completes when the connection is closed.</returns>
    public ValueTask DisposeAsync() => _work.DisposeAsync();

    /// <summary>Determines whether the database is at fault for an error of a handler.</summary>
    internal bool IsOutage(Exception error) => _outbox.IsOutage(_work.Connection, error);

    /// <summary>Inserts the id of a received message into the inbox.</summary>
    /// <returns>False if it is there: the message was handled before.</returns>
    internal Task<bool> TryInsertHandledAsync(string queueName, string messageId, CancellationToken cancellationToken) =>
        _outbox.TryInsertHandledAsync(Transaction, queueName, messageId, cancellationToken);
}
