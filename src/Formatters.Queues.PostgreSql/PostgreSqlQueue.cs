using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using Npgsql;

namespace Formatters.Queues.PostgreSql;

/// <summary>A handle of a queue in a database.</summary>
internal sealed partial class PostgreSqlQueue : QueueClient
{
    private readonly Database _database;
    private readonly PostgreSqlSender _sender;
    private readonly PostgreSqlReceiver _receiver;
    private readonly Func<ValueTask> _closed;
    private readonly string _address;
    private int _isDisposed;

    /// <param name="database">The connections.</param>
    /// <param name="target">The queue's row.</param>
    /// <param name="address">The address.</param>
    /// <param name="options">How the queue is opened.</param>
    /// <param name="closed">Is called when the handle is closed.</param>
    internal PostgreSqlQueue(Database database, QueueTarget target, QueueAddress address, QueueOptions options, Func<ValueTask> closed)
    {
        _database = database;
        _closed = closed;
        _address = address.ToString();
        Target = target;
        Address = address;
        Options = options;
        Capabilities = CapabilitiesOf(options, database.Product, database.DurabilityWarning);
        _sender = new PostgreSqlSender(database, target, _address, address.QueueName, options);
        _receiver = new PostgreSqlReceiver(database, target, address, options, options.Selector is { } selector
            ? MessageSelector.Parse(selector)
            : null);
    }

    public override QueueAddress Address { get; }

    public override QueueCapabilities Capabilities { get; }

    public override QueueOptions Options { get; }

    internal QueueTarget Target { get; }

    /// <summary>Returns the capabilities of a queue.</summary>
    /// <param name="options">The options with which the handle is opened.</param>
    /// <param name="product">The server's name and version, as far as known.</param>
    /// <param name="durabilityWarning">A description of server settings that weaken durability, or null.</param>
    internal static QueueCapabilities CapabilitiesOf(QueueOptions options, string product = "PostgreSQL", string? durabilityWarning = null)
    {
        DeliveryMode mode = options.DeliveryMode ?? DeliveryMode.Recoverable;
        string durability = mode switch
        {
            DeliveryMode.Express => "committed to an unlogged table: survives its clients, not a crash of the server",
            DeliveryMode.Recoverable => "committed with synchronous_commit = on: in the write-ahead log, which is flushed to the disk"
                + Reservation(durabilityWarning),
            _ => "a transaction of the database, all or nothing; at its commit the write-ahead log is flushed to the disk"
                + Reservation(durabilityWarning),
        };
        QueueCapabilities all = QueueChecks.AllCapabilities(mode, product, durability);
        return all with
        {
            ConnectionsPerReceiver = 1,
            IsRecoverable = mode != DeliveryMode.Express,
            Features = all.Features | (mode == DeliveryMode.Transactional ? QueueFeatures.CoordinatedTransactions : 0),
        };
    }

    protected override ValueTask SendCoreAsync(QueueMessage message, QueueTransaction? transaction, CancellationToken cancellationToken)
    {
        ThrowIfDisposed();
        PostgreSqlTransaction? own = Check(transaction, Options, Address, _database);
        Capabilities.ThrowIfNotSupported(message, Address);
        if (cancellationToken.IsCancellationRequested)
            return ValueTask.FromCanceled(cancellationToken);
        return own is null
            ? _sender.SendAsync(message, cancellationToken)
            : own.SendAsync(new SendTarget(Target.Id, _address, Options), [message], message.MessageId, cancellationToken);
    }

    protected override async ValueTask<ReceivedMessage?> ReceiveCoreAsync(TimeSpan timeout, QueueTransaction? transaction,
        CancellationToken cancellationToken)
    {
        PostgreSqlTransaction? own = CheckReceive(ref timeout, transaction, cancellationToken);
        PostgreSqlMessage? message = await _receiver.ReceiveAsync(timeout, cancellationToken).ConfigureAwait(false);
        if (message is not null && own is not null)
            await own.AddReceivedAsync([message]).ConfigureAwait(false);
        return message;
    }

    public override async ValueTask<long> PurgeAsync(CancellationToken cancellationToken = default)
    {
        ThrowIfDisposed();
        QueueChecks.NotInScope(Address);
        return await _receiver.WithBufferAsync(
            async sessionId =>
            {
                List<PostgreSqlMessage> unseen = _receiver.TakeBuffer();
                bool isPurged = false;
                try
                {
                    long count = await _database.RunAsync(
                        new Work("purge the queue", _address, Options.OperationTimeout) { ChangesSomething = true },
                        isDurable: Options.DeliveryMode != DeliveryMode.Express,
                        (connection, token) => PurgeAsync(connection, sessionId, unseen, token),
                        cancellationToken).ConfigureAwait(false);
                    isPurged = true;
                    _database.DeadRows.Note(count);
                    return count;
                }
                finally
                {
                    if (!isPurged)
                        _receiver.RestoreBuffer(unseen);
                }
            },
            cancellationToken).ConfigureAwait(false);
    }

    public override async ValueTask<long> GetMessageCountAsync(CancellationToken cancellationToken = default)
    {
        ThrowIfDisposed();
        return await _receiver.WithBufferAsync(
            sessionId => _database.RunAsync(
                new Work("count the messages", _address, Options.OperationTimeout),
                isDurable: false,
                (connection, token) => CountAsync(connection, sessionId, _receiver.PeekBuffer(), token),
                cancellationToken),
            cancellationToken).ConfigureAwait(false);
    }

    public override async ValueTask<long?> GetLockedCountAsync(CancellationToken cancellationToken = default)
    {
        ThrowIfDisposed();
        // Messages acknowledged lazily, which the server still has as locked, are deleted first.
        await _receiver.FlushAsync().WaitAsync(cancellationToken).ConfigureAwait(false);
        long available = await GetMessageCountAsync(cancellationToken).ConfigureAwait(false);
        long all = await _database.RunAsync(
            new Work("count the messages", _address, Options.OperationTimeout),
            isDurable: false,
            async (connection, token) =>
            {
                await using var command = new NpgsqlCommand(
                    _database.Statements.CountAll, connection) { Parameters = { new NpgsqlParameter<int> { TypedValue = Target.Id } } };
                return (long)(await command.ExecuteScalarAsync(token).ConfigureAwait(false))!;
            },
            cancellationToken).ConfigureAwait(false);
        return Math.Max(0, all - available);
    }

    public override ValueTask<QueueTransaction> BeginTransactionAsync(CancellationToken cancellationToken = default)
    {
        ThrowIfDisposed();
        QueueChecks.CanBegin(Options, Address);
        return cancellationToken.IsCancellationRequested
            ? ValueTask.FromCanceled<QueueTransaction>(cancellationToken)
            : new ValueTask<QueueTransaction>(new OwnTransaction(_database));
    }

    /// <summary>Creates a queue transaction over a transaction of the application.</summary>
    internal QueueTransaction Join(NpgsqlTransaction transaction)
    {
        ThrowIfDisposed();
        QueueChecks.CanBegin(Options, Address);
        return new JoinedTransaction(_database, transaction);
    }

    public override async ValueTask DisposeAsync()
    {
        if (Interlocked.Exchange(ref _isDisposed, 1) != 0)
            return;
        await _receiver.CloseAsync().ConfigureAwait(false);
        await _closed().ConfigureAwait(false);
    }

    /// <summary>Validates and casts a transaction; null if there is none and none is required.</summary>
    internal static PostgreSqlTransaction? Check(QueueTransaction? transaction, QueueOptions options, QueueAddress address, Database database)
    {
        QueueTransaction? branch = transaction is CoordinatedTransaction coordinated ? coordinated.Branch.Transaction : transaction;
        PostgreSqlTransaction? own = branch is PostgreSqlTransaction joined && joined.Database == database ? joined : null;
        return QueueChecks.Transaction(transaction, own, "provider, server, database or user", options, address);
    }

    // First frees what ended sessions had locked. If another receiver frees it meanwhile, the next statement sees it.
    private async Task<long> PurgeAsync(NpgsqlConnection connection, int sessionId, List<PostgreSqlMessage> unseen,
        CancellationToken cancellationToken)
    {
        await using var batch = new NpgsqlBatch(connection)
        {
            BatchCommands =
            {
                new(_database.Statements.PurgeWithAcknowledgments)
                {
                    Parameters =
                    {
                        new NpgsqlParameter<int> { TypedValue = Target.Id },
                        _database.NewLockClassParameter(),
                        new NpgsqlParameter<int> { TypedValue = sessionId },
                        new NpgsqlParameter<long[]> { TypedValue = [.. unseen.Select(message => message.Id)] },
                    },
                },
                new(_database.Statements.PurgeOrphans) { Parameters = { new NpgsqlParameter<int> { TypedValue = Target.Id },
                    _database.NewLockClassParameter() } },
                new(_database.Statements.PurgeReady) { Parameters = { new NpgsqlParameter<int> { TypedValue = Target.Id } } },
                new(_database.Statements.PurgeUnseen)
                {
                    Parameters =
                    {
                        new NpgsqlParameter<int> { TypedValue = Target.Id },
                        new NpgsqlParameter<int> { TypedValue = sessionId },
                        new NpgsqlParameter<long[]> { TypedValue = [.. unseen.Select(message => message.Id)] },
                    },
                },
            },
        };
        long count;
        await using (NpgsqlDataReader reader = await batch.ExecuteReaderAsync(cancellationToken).ConfigureAwait(false))
        {
            await reader.ReadAsync(cancellationToken).ConfigureAwait(false);
            count = reader.GetInt64(0);
            while (await reader.NextResultAsync(cancellationToken).ConfigureAwait(false))
            {
            }
        }

        return count + Enumerable.Range(1, batch.BatchCommands.Count - 1).Sum(i => (long)batch.BatchCommands[i].Rows);
    }

    private async Task<long> CountAsync(NpgsqlConnection connection, int sessionId, List<PostgreSqlMessage> unseen,
        CancellationToken cancellationToken)
    {
        await using var batch = new NpgsqlBatch(connection)
        {
            BatchCommands =
            {
                new(_database.Statements.HasQueue) { Parameters = { new NpgsqlParameter<int> { TypedValue = Target.Id } } },
                new(_database.Statements.Count)
                {
                    Parameters =
                    {
                        new NpgsqlParameter<int> { TypedValue = Target.Id },
                        _database.NewLockClassParameter(),
                        new NpgsqlParameter<int> { TypedValue = sessionId },
                        new NpgsqlParameter<long[]> { TypedValue = [.. unseen.Select(message => message.Id)] },
                    },
                },
            },
        };
        await using NpgsqlDataReader reader = await batch.ExecuteReaderAsync(cancellationToken).ConfigureAwait(false);
        await reader.ReadAsync(cancellationToken).ConfigureAwait(false);
        if (!reader.GetBoolean(0))
            throw new QueueException($"Could not count the messages: '{_address}' was deleted.") { Code = QueueErrorCode.QueueDeleted };
        await reader.NextResultAsync(cancellationToken).ConfigureAwait(false);
        await reader.ReadAsync(cancellationToken).ConfigureAwait(false);
        return reader.GetInt64(0);
    }

    private static string Reservation(string? durabilityWarning) => durabilityWarning is null
        ? ""
        : $", but the server has {durabilityWarning}: if its power or its operating system fails, messages may be lost and the database damaged";

    private void ThrowIfDisposed()
    {
        if (_isDisposed != 0)
            throw QueueChecks.Closed(Address);
    }
}
