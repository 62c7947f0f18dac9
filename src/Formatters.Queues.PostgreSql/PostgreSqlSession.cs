using System;
using System.Collections.Generic;
using System.Globalization;
using System.Threading;
using System.Threading.Tasks;
using Npgsql;
using NpgsqlTypes;

namespace Formatters.Queues.PostgreSql;

/// <summary>
/// A receiver's own connection: it holds the advisory lock that marks the receiver as alive, fetches messages, and listens for notifications.
/// </summary>
internal sealed class PostgreSqlSession : IAsyncDisposable
{
    /// <summary>The time for which a receiver that ended abruptly still counts as waiting.</summary>
    private static readonly TimeSpan WaiterLifetime = TimeSpan.FromSeconds(20);

    /// <summary>The extra time after which a wait ends whose cancellation Npgsql missed.</summary>
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
        // All queues of the schema share a channel; the payload is the queue's id.
        string payload = queueId.ToString(CultureInfo.InvariantCulture);
        connection.Notification += (_, e) => _isNotified |= e.Payload == payload;
    }

    /// <summary>Gets the session id under which messages are locked.</summary>
    internal int Id { get; }

    /// <summary>Gets whether the session is registered as waiting, so that senders notify it.</summary>
    internal bool IsWaiting { get; private set; }

    internal static async Task<PostgreSqlSession> OpenAsync(Database database, Work work, int queueId, bool isDurable)
    {
        NpgsqlConnection connection = await database.OpenSessionAsync(work, isDurable).ConfigureAwait(false);
        bool isOpen = false;
        try
        {
            return await Database.WithinAsync(work, RegisterAsync, () => isOpen ? default : connection.DisposeAsync(), CancellationToken.None)
                .ConfigureAwait(false);
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
            // If the connection opens after the timeout, it is disposed.
            isOpen = !cancellationToken.IsCancellationRequested;
            return new PostgreSqlSession(database, connection, queueId, id);
        }
    }

    /// <summary>Runs a statement that returns messages, optionally after others, each in its own transaction but in one round trip.</summary>
    internal async Task FetchAsync(NpgsqlBatchCommand? before, NpgsqlBatchCommand fetch, Action<NpgsqlDataReader> read,
        CancellationToken cancellationToken)
    {
        await using var batch = new NpgsqlBatch(_connection) { EnableErrorBarriers = true };
        if (before is not null)
            batch.BatchCommands.Add(before);
        batch.BatchCommands.Add(fetch);
        await using NpgsqlDataReader reader = await batch.ExecuteReaderAsync(cancellationToken).ConfigureAwait(false);
        while (await reader.ReadAsync(cancellationToken).ConfigureAwait(false))
            read(reader);
    }

    /// <summary>Runs statements that each return at most one message, each in its own transaction but in one round trip.</summary>
    internal async Task FetchEachAsync(IReadOnlyList<NpgsqlBatchCommand> fetches, Action<int, NpgsqlDataReader> read,
        CancellationToken cancellationToken)
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

    /// <summary>Unlocks messages of ended receivers, makes due messages available, and deletes expired ones.</summary>
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
        return (exists ? batch.BatchCommands[0].RecordsAffected + batch.BatchCommands[1].RecordsAffected > 0 : null, nextDue > TimeSpan.Zero
            ? nextDue : TimeSpan.Zero);
    }

    /// <summary>Creates the statement that registers this receiver as waiting; null if the registration is still valid.</summary>
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

    /// <summary>Creates the statement that removes the registration; null if there is none.</summary>
    internal NpgsqlBatchCommand? StopWaiting()
    {
        if (!IsWaiting)
            return null;
        IsWaiting = false;
        return new NpgsqlBatchCommand(_database.Statements.StopWaiting) { Parameters = { new() { Value = _queueId }, new() { Value = Id } } };
    }

    /// <summary>Waits for a notification, unless one arrived since the last wait.</summary>
    /// <remarks>
    /// Npgsql's own timeout is not used: its timer may expire just when a notification arrives, run late on a busy machine, and then cancel the read
    /// of the next command. The cancellation token is revoked before the wait ends. Npgsql misses a cancellation that occurs just when its read
    /// begins, so there is a second, longer timeout.
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
            // Notifications for other queues are ignored.
            while (!_isNotified && await _connection.WaitAsync(time + MissedCancellation, stop.Token).ConfigureAwait(false))
            {
            }

            _isNotified = false;
        }
        catch (OperationCanceledException) when (stop.IsCancellationRequested)
        {
            // The time is over, or a new receive asks for a fetch.
        }
    }

    public ValueTask DisposeAsync() => _connection.DisposeAsync();
}
