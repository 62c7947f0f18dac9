using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using Npgsql;

namespace Formatters.Queues.PostgreSql;

// Batches, browsing, and receiving by id.
internal sealed partial class PostgreSqlQueue
{
    protected override ValueTask SendBatchCoreAsync(IReadOnlyList<QueueMessage> messages, QueueTransaction? transaction,
        CancellationToken cancellationToken)
    {
        ThrowIfDisposed();
        PostgreSqlTransaction? own = Check(transaction, Options, Address, _database);
        if (cancellationToken.IsCancellationRequested)
            return ValueTask.FromCanceled(cancellationToken);
        return own is null
            ? _sender.SendAsync(messages, cancellationToken)
            : own.SendAsync(new SendTarget(Target.Id, _address, Options), messages, null, cancellationToken);
    }

    protected override async ValueTask<IReadOnlyList<ReceivedMessage>> ReceiveBatchCoreAsync(
        int maxCount, TimeSpan timeout, QueueTransaction? transaction, CancellationToken cancellationToken)
    {
        PostgreSqlTransaction? own = CheckReceive(ref timeout, transaction, cancellationToken);
        IReadOnlyList<PostgreSqlMessage> messages = await _receiver.ReceiveAsync(maxCount, timeout, cancellationToken).ConfigureAwait(false);
        return own is null || messages.Count == 0 ? messages : await own.AddReceivedAsync(messages).ConfigureAwait(false);
    }

    protected override ValueTask AcknowledgeBatchCoreAsync(IReadOnlyList<ReceivedMessage> messages, CancellationToken cancellationToken) =>
        _receiver.AcknowledgeAsync(messages, Address, cancellationToken);

    protected override ValueTask ReturnUnseenCoreAsync(IReadOnlyList<ReceivedMessage> messages, CancellationToken cancellationToken) =>
        _receiver.ReturnUnseenAsync(messages, cancellationToken);

    protected override ValueTask<ReceivedMessage?> ReceiveByIdCoreAsync(
        string messageId, TimeSpan timeout, QueueTransaction? transaction, CancellationToken cancellationToken) =>
        ReceiveByAsync("message_id", messageId, message => message.MessageId == messageId, timeout, transaction, cancellationToken);

    protected override ValueTask<ReceivedMessage?> ReceiveByCorrelationIdCoreAsync(
        string correlationId, TimeSpan timeout, QueueTransaction? transaction, CancellationToken cancellationToken) =>
        ReceiveByAsync("correlation_id", correlationId, message => message.CorrelationId == correlationId, timeout, transaction, cancellationToken);

    /// <remarks>A message that this handle has prefetched but not delivered is reported as neither locked nor delivered.</remarks>
    protected override async ValueTask<IReadOnlyList<PeekedMessage>> PeekCoreAsync(PeekOptions options, CancellationToken cancellationToken)
    {
        ThrowIfDisposed();
        (short priority, long number) = ParsePosition(options.After);
        var selectorParameters = new List<object>();
        string condition = options.Selector is null ? "" : " AND " + MessageSelector.Parse(options.Selector).ToSql(FetchStatement.Columns, value =>
        {
            selectorParameters.Add(value);
            return $"${9 + selectorParameters.Count}";
        });
        return await _receiver.WithBufferAsync(
            sessionId => _database.RunAsync(
                new Work("look into the queue", _address, Options.OperationTimeout),
                isDurable: false,
                async (connection, token) =>
                {
                    HashSet<long> unseen = [.. _receiver.PeekBuffer().Select(static message => message.Id)];
                    await using var command = new NpgsqlCommand(_database.Statements.Peek(condition), connection)
                    {
                        Parameters =
                        {
                            new NpgsqlParameter<int> { TypedValue = Target.Id },
                            _database.NewLockClassParameter(),
                            new NpgsqlParameter<long> { TypedValue = options.MaxCount },
                            new NpgsqlParameter<short> { TypedValue = priority },
                            new NpgsqlParameter<long> { TypedValue = number },
                            new NpgsqlParameter<bool> { TypedValue = options.IncludeLocked },
                            new NpgsqlParameter<bool> { TypedValue = options.IncludeDelayed },
                            new NpgsqlParameter<int> { TypedValue = sessionId },
                            new NpgsqlParameter<long[]> { TypedValue = [.. unseen] },
                        },
                    };
                    foreach (object value in selectorParameters)
                        command.Parameters.Add(new NpgsqlParameter { Value = value });
                    var messages = new List<PeekedMessage>();
                    DateTimeOffset now = DateTimeOffset.UtcNow;
                    await using NpgsqlDataReader row = await command.ExecuteReaderAsync(token).ConfigureAwait(false);
                    while (await row.ReadAsync(token).ConfigureAwait(false))
                        messages.Add(PostgreSqlMessage.Peek(row, now));
                    return (IReadOnlyList<PeekedMessage>)messages;
                },
                cancellationToken),
            cancellationToken).ConfigureAwait(false);
    }

    private async ValueTask<ReceivedMessage?> ReceiveByAsync(
        string column, string id, Predicate<PostgreSqlMessage> matches, TimeSpan timeout, QueueTransaction? transaction,
            CancellationToken cancellationToken)
    {
        Outgoing.ThrowIfNoText(id, column);
        PostgreSqlTransaction? own = CheckReceive(ref timeout, transaction, cancellationToken);
        PostgreSqlMessage? message = await _receiver.ReceiveAsync(column, id, matches, timeout, cancellationToken).ConfigureAwait(false);
        if (message is not null && own is not null)
            await own.AddReceivedAsync([message]).ConfigureAwait(false);
        return message;
    }

    private PostgreSqlTransaction? CheckReceive(ref TimeSpan timeout, QueueTransaction? transaction, CancellationToken cancellationToken)
    {
        timeout = QueueChecks.Timeout(timeout);
        ThrowIfDisposed();
        PostgreSqlTransaction? own = Check(transaction, Options, Address, _database);
        cancellationToken.ThrowIfCancellationRequested();
        own?.ThrowIfEnded();
        return own;
    }

    /// <summary>Parses the position of a page: the priority and id of the last message before it; null starts at the first message.</summary>
    private static (short Priority, long Number) ParsePosition(string? position)
    {
        if (position is null)
            return (short.MaxValue, 0);
        string[] parts = position.Split('.');
        return parts.Length == 2
            && short.TryParse(parts[0], System.Globalization.NumberStyles.None, System.Globalization.CultureInfo.InvariantCulture, out short priority)
            && long.TryParse(parts[1], System.Globalization.NumberStyles.None, System.Globalization.CultureInfo.InvariantCulture, out long number)
            ? (priority, number)
            : throw new ArgumentException($"'{position}' is not a {nameof(PeekedMessage)}.{nameof(PeekedMessage.Position)} of a PostgreSQL queue.",
                nameof(position));
    }
}
