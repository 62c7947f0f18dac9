using System;
using System.Collections.Generic;
using System.Data.Common;
using System.Diagnostics.CodeAnalysis;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;

namespace Formatters.Hosting;

/// <summary>Sends the committed messages of the outbox to their queues, in the order of their rows, and deletes the rows. One process at a time does
/// so; the others wait to take over.</summary>
[SuppressMessage("Security", "CA2100", Justification = "The only names in the statements are those of the tables, which are validated and quoted.")]
internal sealed class OutboxDispatcher(Outbox outbox, OutboxTargets targets, QueueStates states, TimeProvider time, ILoggerFactory loggers)
    : IHostedLifecycleService, IDisposable
{
    // How often expired ids of the inbox are deleted.
    private static readonly TimeSpan CleanupInterval = TimeSpan.FromMinutes(10);

    // How long calls of the database that cannot be cancelled may take to end when the host has to stop.
    private static readonly TimeSpan AbortGrace = TimeSpan.FromSeconds(2);

    // The name of the database in the health check.
    private const string HealthName = "(outbox)";

    private readonly CancellationTokenSource _stopping = new();
    private readonly CancellationTokenSource _aborting = new();
    private readonly OutboxFileLock _fileLock = new();
    // Rows whose messages are in their queues, and that could not be deleted yet.
    private readonly HashSet<long> _sentIds = [];
    private readonly ILogger _logger = loggers.CreateLogger("Formatters.Hosting");
    private (DbConnection Connection, IAsyncDisposable Owner)? _connection;
    private bool _areTablesChecked;
    private readonly Outage _outage = states.Get(HealthName).Database;
    private int _failureCount;
    private long? _cleanedAt;
    private Task _running = Task.CompletedTask;
    private Task _listening = Task.CompletedTask;

    /// <summary>Checks the tables before consumers start. A database that cannot be reached does not fail the start.</summary>
    /// <exception cref="OutboxException">A table does not exist, or has other columns.</exception>
    public async Task StartingAsync(CancellationToken cancellationToken)
    {
        try
        {
            await OpenAsync(cancellationToken).ConfigureAwait(false);
        }
        catch (Exception e)
        {
            bool isOutage = OutboxTables.IsUnavailable(e) && !cancellationToken.IsCancellationRequested;
            if (isOutage)
                NoteFailure(e);
            await CloseAsync().ConfigureAwait(false);
            if (!isOutage)
                throw;
        }
    }

    public Task StartAsync(CancellationToken cancellationToken)
    {
        outbox.SetDispatching(true);
        _running = DetachedTask.Run(RunAsync);
        if (outbox.Options.Listen)
            _listening = DetachedTask.Run(() => new OutboxListener(outbox, time, _logger).RunAsync(_stopping.Token));
        return Task.CompletedTask;
    }

    public Task StartedAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    public Task StoppingAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    /// <summary>Ends after the messages that are being sent. The others stay in the database.</summary>
    public async Task StopAsync(CancellationToken cancellationToken)
    {
        await _stopping.CancelAsync().ConfigureAwait(false);
        using var giveUp = new CancellationTokenSource();
        using CancellationTokenRegistration timeout = cancellationToken.Register(() =>
        {
            _aborting.Cancel();
            giveUp.CancelAfter(AbortGrace);
        });
        outbox.SetDispatching(false);
        await Task.WhenAll(_running, _listening).WaitAsync(giveUp.Token).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        if (!_running.IsCompleted)
            _logger.OutboxUnfinished();
    }

    public Task StoppedAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    public void Dispose()
    {
        _stopping.Cancel();
        _aborting.Cancel();
        // A loop that the database still blocks releases the lock itself.
        if (_running.IsCompleted)
            _fileLock.Dispose();
    }

    private async Task RunAsync()
    {
        while (!_stopping.IsCancellationRequested)
        {
            bool hasMore = false;
            try
            {
                DbConnection connection = await OpenAsync(_stopping.Token).ConfigureAwait(false);
                hasMore = await DispatchAsync(connection).ConfigureAwait(false);
                await CleanUpAsync(connection).ConfigureAwait(false);
                await EndOutagesAsync(connection).ConfigureAwait(false);
                _failureCount = 0;
            }
            catch (OperationCanceledException) when (_stopping.IsCancellationRequested)
            {
            }
            catch (Exception e)
            {
                _failureCount++;
                NoteFailure(e);
                await CloseAsync().ConfigureAwait(false);
            }

            if (_failureCount > 0)
            {
                // Not at each new message.
                TimeSpan delay = BackOff.After(outbox.Options.MinRetryDelay, outbox.Options.MaxRetryDelay, _failureCount);
                TimeSpan least = delay < outbox.Options.MinRetryDelay ? delay : outbox.Options.MinRetryDelay;
                await Task.Delay(least, time, _stopping.Token).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
                await WaitForWakeAsync(delay - least).ConfigureAwait(false);
            }
            else if (!hasMore && await WaitForWakeAsync(targets.GetNextAttempt() is { } next && next < outbox.Options.PollInterval
                ? next : outbox.Options.PollInterval).ConfigureAwait(false))
            {
                targets.ShortenWaits();
            }
        }

        await CloseAsync().ConfigureAwait(false);
        _fileLock.Dispose();
        await targets.DisposeAsync().ConfigureAwait(false);
    }

    /// <summary>Opens the connection if it is closed, and creates or checks the tables at the first time.</summary>
    private async Task<DbConnection> OpenAsync(CancellationToken cancellationToken)
    {
        outbox.ThrowIfFileIsGone();
        ITimer watch = Watch();
        await using (watch.ConfigureAwait(false))
        {
            _connection ??= await outbox.Database.OpenAsync(cancellationToken).ConfigureAwait(false);
            DbConnection connection = _connection.Value.Connection;
            if (_areTablesChecked)
                return connection;
            if (outbox.Options.CreateTables)
                await outbox.CreateTablesAsync(connection, cancellationToken).ConfigureAwait(false);
            await outbox.CheckTablesAsync(connection, cancellationToken).ConfigureAwait(false);
            _areTablesChecked = true;
            _logger.Dispatching(outbox.Options.OutboxTable, outbox.NameOf(connection));
            return connection;
        }
    }

    private async Task CloseAsync()
    {
        if (_connection is not { } open)
            return;
        _connection = null;
        try
        {
            await open.Owner.DisposeAsync().ConfigureAwait(false);
        }
        catch (Exception e) when (e is DbException or InvalidOperationException or System.IO.IOException)
        {
            // It is broken.
        }
    }

    /// <summary>Sends a batch of messages.</summary>
    /// <returns>Whether there may be more.</returns>
    private async Task<bool> DispatchAsync(DbConnection connection)
    {
        if (outbox.DialectOf(connection) == OutboxDialect.Sqlite)
        {
            // A transaction would keep the application from writing while messages are sent.
            return _fileLock.TryTake(outbox.NameOf(connection), outbox.Options.OutboxTable)
                && await DispatchAsync(connection, null).ConfigureAwait(false);
        }

        DbTransaction transaction = await connection.BeginTransactionAsync(_aborting.Token).ConfigureAwait(false);
        await using (transaction.ConfigureAwait(false))
        {
            OutboxTables tables = outbox.GetTables(connection);
            bool isWoken = outbox.TakeWake();
            if (await ExecuteAsync(connection, transaction, tables.TryLock).ConfigureAwait(false) is not true)
            {
                // Another process is sending, and may have looked before the commit.
                if (isWoken)
                {
                    await ExecuteAsync(connection, transaction, tables.Notify).ConfigureAwait(false);
                    await transaction.CommitAsync(_aborting.Token).ConfigureAwait(false);
                }

                return false;
            }

            bool hasMore = await DispatchAsync(connection, transaction).ConfigureAwait(false);
            ITimer watch = Watch();
            await using (watch.ConfigureAwait(false))
                await transaction.CommitAsync(_aborting.Token).ConfigureAwait(false);
            _sentIds.Clear();
            return hasMore;
        }
    }

    private async Task<bool> DispatchAsync(DbConnection connection, DbTransaction? transaction)
    {
        List<object[]> rows = await ReadAsync(connection, transaction).ConfigureAwait(false);
        if (rows.Count == 0)
            return false;
        PendingMessage[] messages = [.. rows.Select(row => new PendingMessage(row) { IsSent = _sentIds.Contains((long)row[0]) })];
        await Task.WhenAll(messages.GroupBy(static message => message.Queue, StringComparer.Ordinal)
            .Select(group => targets.SendAsync(group.Key, [.. group], _aborting.Token))).ConfigureAwait(false);

        long[] sentIds = [.. messages.Where(static message => message.IsSent).Select(static message => message.Id)];
        _sentIds.UnionWith(sentIds);
        PendingMessage[] refused = [.. messages.Where(static message => message.Refusal is not null)];
        if (sentIds.Length > 0 || refused.Length > 0)
        {
            OutboxTables tables = outbox.GetTables(connection);
            using IDisposable? turn = await outbox.Database.WaitToWriteAsync(outbox.DialectOf(connection), _aborting.Token).ConfigureAwait(false);
            if (sentIds.Length > 0)
                await ExecuteAsync(connection, transaction, tables.Delete(sentIds)).ConfigureAwait(false);
            foreach (PendingMessage message in refused)
            {
                await ExecuteAsync(connection, transaction, tables.SetAside, ("@error", message.Refusal), ("@id", message.Id)).ConfigureAwait(false);
                _logger.RowSetAside(message.Error, message.Id, outbox.Options.OutboxTable, message.Queue, message.Refusal!);
                OutboxTelemetry.RecordSetAside(message.Queue);
            }

            if (transaction is null)
                _sentIds.Clear();
        }

        return rows.Count == outbox.Options.BatchSize && !_stopping.IsCancellationRequested;
    }

    private async Task<List<object[]>> ReadAsync(DbConnection connection, DbTransaction? transaction)
    {
        string[] waiting = targets.GetWaiting();
        DbCommand command = connection.CreateCommand();
        ITimer watch = Watch();
        await using (watch.ConfigureAwait(false))
        await using (command.ConfigureAwait(false))
        {
            command.Transaction = transaction;
            command.CommandText = outbox.GetTables(connection).Select(outbox.Options.BatchSize, waiting.Length);
            for (int i = 0; i < waiting.Length; i++)
                command.AddParameter($"@queue{i}", waiting[i]);
            var rows = new List<object[]>();
            DbDataReader reader = await command.ExecuteReaderAsync(_aborting.Token).ConfigureAwait(false);
            await using (reader.ConfigureAwait(false))
            {
                while (await reader.ReadAsync(_aborting.Token).ConfigureAwait(false))
                {
                    object[] values = new object[reader.FieldCount];
                    reader.GetValues(values);
                    rows.Add(values);
                }
            }

            return rows;
        }
    }

    /// <summary>Deletes expired ids of the inbox from time to time.</summary>
    private async Task CleanUpAsync(DbConnection connection)
    {
        if (_cleanedAt is { } last && time.GetElapsedTime(last) < CleanupInterval)
            return;
        (string text, int maxCount) = outbox.GetTables(connection).DeleteHandled;
        TimeSpan sinceEpoch = time.GetUtcNow() - DateTimeOffset.UnixEpoch;
        long limit = (long)(sinceEpoch - (outbox.Options.InboxRetention < sinceEpoch ? outbox.Options.InboxRetention : sinceEpoch)).TotalMilliseconds;
        int count;
        do
        {
            using IDisposable? turn = await outbox.Database.WaitToWriteAsync(outbox.DialectOf(connection), _stopping.Token).ConfigureAwait(false);
            DbCommand command = connection.CreateCommand();
            ITimer watch = Watch();
            await using (watch.ConfigureAwait(false))
            await using (command.ConfigureAwait(false))
            {
                command.CommandText = text;
                command.AddParameter("@limit", limit);
                count = await command.ExecuteNonQueryAsync(_stopping.Token).ConfigureAwait(false);
            }
        }
        while (count >= maxCount && !_stopping.IsCancellationRequested);
        _cleanedAt = time.GetTimestamp();
    }

    /// <summary>Ends the outages that were found here, or in handlers whose messages have gone, if the database can be written to.</summary>
    private async Task EndOutagesAsync(DbConnection connection)
    {
        QueueState[] failed = [.. states.All.Where(static state => state.Database.Error is not null && !state.HasDatabaseWaits)];
        if (failed.Length == 0)
            return;
        ITimer watch = Watch();
        await using (watch.ConfigureAwait(false))
            await outbox.ProbeAsync(connection, _stopping.Token).ConfigureAwait(false);
        foreach (QueueState state in failed)
        {
            // A message that has come meanwhile finds out itself.
            if (state.HasDatabaseWaits || state.Database.End(time) is not { } duration)
                continue;
            if (state.Database == _outage)
                _logger.OutboxWorks(duration);
            else
                _logger.InboxWorks(state.Name, duration);
        }
    }

    private ITimer Watch() => OutboxDatabase.Watch(NoteFailure, time);

    private async Task<object?> ExecuteAsync(
        DbConnection connection, DbTransaction? transaction, string text, params (string Name, object? Value)[] parameters)
    {
        DbCommand command = connection.CreateCommand();
        ITimer watch = Watch();
        await using (watch.ConfigureAwait(false))
        await using (command.ConfigureAwait(false))
        {
            command.Transaction = transaction;
            command.CommandText = text;
            foreach ((string name, object? value) in parameters)
                command.AddParameter(name, value);
            return await command.ExecuteScalarAsync(_aborting.Token).ConfigureAwait(false);
        }
    }

    private void NoteFailure(Exception error)
    {
        if (!_outage.Begin(error, time))
            return;
        _logger.OutboxFailed(error is DbException && _connection is { } open ? outbox.GetTables(open.Connection).Error(
            error, _sentIds.Count > 0 ? "Messages were sent, but their rows not deleted" : "Messages were not sent", isOpen: true) : error);
    }

    /// <summary>Waits until a message was written, or the time is over.</summary>
    /// <returns>Whether a message was written.</returns>
    private async Task<bool> WaitForWakeAsync(TimeSpan delay)
    {
        using var end = CancellationTokenSource.CreateLinkedTokenSource(_stopping.Token);
        Task woken = outbox.WaitForWakeAsync(end.Token);
        await Task.WhenAny(woken, Task.Delay(delay, time, end.Token)).ConfigureAwait(false);
        await end.CancelAsync().ConfigureAwait(false);
        await woken.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        return woken.IsCompletedSuccessfully;
    }
}
