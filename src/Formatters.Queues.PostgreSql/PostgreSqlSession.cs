using System;
using System.Collections.Generic;
using System.Globalization;
using System.Threading;
using System.Threading.Tasks;
using Npgsql;
using NpgsqlTypes;

namespace Formatters.Queues.PostgreSql;

/// <summary>A receiver's own connection: it holds the advisory lock that says that the receiver lives, fetches messages, and hears of new ones.</summary>
internal sealed class PostgreSqlSession : IAsyncDisposable
{
    /// <summary>How long a receiver counts as waiting, if it ends without taking that back.</summary>
    private static readonly TimeSpan WaiterLifetime = TimeSpan.FromSeconds(20);

    /// <summary>How much longer than its time a wait may take whose cancellation was passed over.</summary>
    private static readonly TimeSpan MissedCancellation = TimeSpan.FromSeconds(1);

    private readonly Database _database;
    private readonly NpgsqlConnection _connection;
    private readonly int _queueId;
    private long _waitingSince;
    private volatile bool _isNotified;

    private PostgreSqlSession(Database database, NpgsqlConnection connection, int queueId, int id)
    {
        _database = database;
        _connection = connection;
        _queueId = queueId;
        Id = id;
        // All queues of the schema share a channel; the payload is the queue's number.
        string payload = queueId.ToString(CultureInfo.InvariantCulture);
        connection.Notification += (_, e) => _isNotified |= e.Payload == payload;
    }

    /// <summary>The number under which it locks messages.</summary>
    internal int Id { get; }

    /// <summary>Whether senders know that it waits.</summary>
    internal bool IsWaiting { get; private set; }

    internal static async Task<PostgreSqlSession> OpenAsync(Database database, Work work, int queueId, bool isDurable)
    {
        NpgsqlConnection connection = await database.OpenSessionAsync(work, isDurable).ConfigureAwait(false);
        bool isOpen = false;
        try
        {
            return await Database.WithinAsync(work, RegisterAsync, () => isOpen ? default : connection.DisposeAsync(), CancellationToken.None).ConfigureAwait(false);
        }
        catch (Exception e)
        {
            throw database.Explain(e, work, CancellationToken.None);
        }

        async Task<PostgreSqlSession> RegisterAsync(CancellationToken cancellationToken)
        {
            await using var number = new NpgsqlCommand(database.Statements.NewSession, connection);
            int id = (int)(await number.ExecuteScalarAsync(cancellationToken).ConfigureAwait(false))!;
            await using var batch = new NpgsqlBatch(connection)
            {
                BatchCommands =
                {
                    new("SELECT pg_advisory_lock($1, $2)") { Parameters = { new() { Value = database.LockClass }, new() { Value = id } } },
                    new(database.Statements.Listen),
                },
            };
            await batch.ExecuteNonQueryAsync(cancellationToken).ConfigureAwait(false);
            // One that comes too late is nobody's.
            isOpen = !cancellationToken.IsCancellationRequested;
            return new PostgreSqlSession(database, connection, queueId, id);
        }
    }

    /// <summary>Runs a statement that returns messages, and before it others, each in a transaction of its own but all in one round trip.</summary>
    internal async Task FetchAsync(NpgsqlBatchCommand? before, NpgsqlBatchCommand fetch, Action<NpgsqlDataReader> read, CancellationToken cancellationToken)
    {
        await using var batch = new NpgsqlBatch(_connection) { EnableErrorBarriers = true };
        if (before is not null)
            batch.BatchCommands.Add(before);
        batch.BatchCommands.Add(fetch);
        await using NpgsqlDataReader reader = await batch.ExecuteReaderAsync(cancellationToken).ConfigureAwait(false);
        while (await reader.ReadAsync(cancellationToken).ConfigureAwait(false))
            read(reader);
    }

    /// <summary>Runs statements that each return a message or none, each in a transaction of its own but all in one round trip.</summary>
    internal async Task FetchEachAsync(IReadOnlyList<NpgsqlBatchCommand> fetches, Action<int, NpgsqlDataReader> read, CancellationToken cancellationToken)
    {
        await using var batch = new NpgsqlBatch(_connection) { EnableErrorBarriers = true };
        foreach (NpgsqlBatchCommand fetch in fetches)
            batch.BatchCommands.Add(fetch);
        await using NpgsqlDataReader reader = await batch.ExecuteReaderAsync(cancellationToken).ConfigureAwait(false);
        for (int i = 0; i < fetches.Count; i++)
        {
            while (await reader.ReadAsync(cancellationToken).ConfigureAwait(false))
                read(i, reader);
            await reader.NextResultAsync(cancellationToken).ConfigureAwait(false);
        }
    }

    /// <summary>Runs a statement that returns nothing.</summary>
    internal async Task RunAsync(NpgsqlBatchCommand command, CancellationToken cancellationToken)
    {
        await using var batch = new NpgsqlBatch(_connection) { BatchCommands = { command } };
        await batch.ExecuteNonQueryAsync(cancellationToken).ConfigureAwait(false);
    }

    /// <summary>Frees what receivers that have ended had locked, and what has waited for its time, and takes out what has expired.</summary>
    /// <returns>Whether there may be more to receive now, null if the queue does not exist any more; and how long the next message waits, an hour at
    /// most.</returns>
    internal async Task<(bool? HasMore, TimeSpan NextDue)> SweepAsync(int? deadLetterId, string queueName, CancellationToken cancellationToken)
    {
        Statements statements = _database.Statements;
        await using var batch = new NpgsqlBatch(_connection)
        {
            BatchCommands =
            {
                new(statements.ReturnOrphans)
                {
                    Parameters = { new() { Value = _queueId }, _database.NewLockClassParameter() },
                },
                new(statements.ReturnDue) { Parameters = { new() { Value = _queueId } } },
                deadLetterId is { } id
                    ? new(statements.MoveExpired)
                    {
                        Parameters =
                        {
                            new() { Value = _queueId },
                            new() { Value = id },
                            new() { Value = DeadLetterReasons.Expired },
                            new() { Value = queueName },
                        },
                    }
                    : new(statements.DropExpired) { Parameters = { new() { Value = _queueId } } },
                new(statements.HasQueue) { Parameters = { new() { Value = _queueId } } },
                new(statements.NextDue) { Parameters = { new() { Value = _queueId } } },
            },
        };
        await using NpgsqlDataReader reader = await batch.ExecuteReaderAsync(cancellationToken).ConfigureAwait(false);
        await reader.ReadAsync(cancellationToken).ConfigureAwait(false);
        bool exists = reader.GetBoolean(0);
        await reader.NextResultAsync(cancellationToken).ConfigureAwait(false);
        await reader.ReadAsync(cancellationToken).ConfigureAwait(false);
        TimeSpan nextDue = reader.GetTimeSpan(0);
        return (exists ? batch.BatchCommands[0].RecordsAffected + batch.BatchCommands[1].RecordsAffected > 0 : null, nextDue > TimeSpan.Zero ? nextDue : TimeSpan.Zero);
    }

    /// <summary>The statement that tells senders to notify, if it has to be said (again).</summary>
    internal NpgsqlBatchCommand? StartWaiting()
    {
        if (IsWaiting && Environment.TickCount64 - _waitingSince < WaiterLifetime.TotalMilliseconds / 2)
            return null;
        IsWaiting = true;
        _waitingSince = Environment.TickCount64;
        return new NpgsqlBatchCommand(_database.Statements.StartWaiting)
        {
            Parameters = { new() { Value = _queueId }, new() { Value = Id }, new() { Value = WaiterLifetime } },
        };
    }

    /// <summary>The statement that takes that back, if there is something to take back.</summary>
    internal NpgsqlBatchCommand? StopWaiting()
    {
        if (!IsWaiting)
            return null;
        IsWaiting = false;
        return new NpgsqlBatchCommand(_database.Statements.StopWaiting) { Parameters = { new() { Value = _queueId }, new() { Value = Id } } };
    }

    /// <summary>Waits for a notification, unless one came since the last wait.</summary>
    /// <remarks>
    /// The time is not Npgsql's own: its timer may be due just when a notification comes, run late on a busy machine, and then cancel the next command's
    /// read, and with it the command. A token is taken back before the wait ends. But Npgsql passes over a cancellation that comes just when its read begins:
    /// so it has a time, too, a longer one.
    /// </remarks>
    internal async Task WaitAsync(TimeSpan time, CancellationToken wake)
    {
        if (_isNotified)
        {
            _isNotified = false;
            return;
        }

        using var stop = CancellationTokenSource.CreateLinkedTokenSource(wake);
        stop.CancelAfter(time);
        try
        {
            // What is sent to other queues is no reason to look.
            while (!_isNotified && await _connection.WaitAsync(time + MissedCancellation, stop.Token).ConfigureAwait(false))
            {
            }

            _isNotified = false;
        }
        catch (OperationCanceledException) when (stop.IsCancellationRequested)
        {
            // The time is over, or somebody asks for a look.
        }
    }

    public ValueTask DisposeAsync() => _connection.DisposeAsync();
}
