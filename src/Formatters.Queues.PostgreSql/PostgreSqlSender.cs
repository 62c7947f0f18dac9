using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using Npgsql;

namespace Formatters.Queues.PostgreSql;

/// <summary>The sending side of a handle: messages sent while a statement runs go into the next one.</summary>
internal sealed class PostgreSqlSender
{
    private const long MaxBatchByteCount = 16 << 20;
    private const int MaxStatementCount = 10_000;

    private readonly Database _database;
    private readonly QueueTarget _target;
    private readonly QueueLimits? _limits;
    private readonly SentIds? _ids;
    private readonly bool _isRecoverable;
    private readonly string _queueName;
    private readonly Work _work;
    private readonly BatchPump<Send> _pump;

    internal PostgreSqlSender(Database database, QueueTarget target, string address, string queueName, QueueOptions options)
    {
        _queueName = queueName;
        _database = database;
        _target = target;
        _limits = QueueLimits.Of(target.Id, address, options);
        _ids = SentIds.Of(database, target.Id, address, options);
        _isRecoverable = options.DeliveryMode != DeliveryMode.Express;
        _work = new Work("send the message", address, options.OperationTimeout) { ChangesSomething = true };
        _pump = new BatchPump<Send>(options.SendWindow, MaxBatchByteCount, SendAsync, Database.IsRefusal);
    }

    internal ValueTask SendAsync(QueueMessage message, CancellationToken cancellationToken) =>
        SendAsync(new Send([Outgoing.Of(message)]), cancellationToken);

    /// <summary>Sends all messages or none.</summary>
    internal ValueTask SendAsync(IReadOnlyList<QueueMessage> messages, CancellationToken cancellationToken)
    {
        var outgoing = new Outgoing[messages.Count];
        for (int i = 0; i < outgoing.Length; i++)
            outgoing[i] = Outgoing.Of(messages[i]);
        return SendAsync(new Send(outgoing), cancellationToken);
    }

    private ValueTask SendAsync(Send send, CancellationToken cancellationToken)
    {
        _pump.Add(send);
        return new ValueTask(cancellationToken.CanBeCanceled ? send.WaitAsync(cancellationToken) : send.Task);
    }

    private Task<int> SendAsync(IReadOnlyList<Send> sends) => _database.RunAsync(
        _work,
        isDurable: _isRecoverable,
        (connection, token) => _limits is null && _ids is null
            ? InsertAsync(connection, null, sends, token)
            : SendWithinAsync(connection, sends, token),
        CancellationToken.None);

    /// <summary>Inserts the messages that are neither duplicates nor beyond a limit.</summary>
    private async Task<int> SendWithinAsync(NpgsqlConnection connection, IReadOnlyList<Send> sends, CancellationToken cancellationToken)
    {
        await using NpgsqlTransaction transaction = await connection.BeginTransactionAsync(cancellationToken).ConfigureAwait(false);
        if (_limits is not null)
            await _limits.MeasureAsync(_database, transaction, cancellationToken).ConfigureAwait(false);
        IdCheck? check = _ids is null ? null : await _ids.CheckAsync(
            transaction, [.. sends.SelectMany(static send => send.Messages)], cancellationToken).ConfigureAwait(false);
        var accepted = new List<Send>(sends.Count);
        List<NpgsqlBatchCommand>? refusals = null;
        foreach (Send send in sends)
        {
            send.Error = check?.Refuse(send.Messages);
            if (send.Error is null && _limits?.Refuse(send.Messages) is { } full)
            {
                send.Error = full;
                if (_database.Statements.Acknowledge(
                        AcknowledgmentClass.QueueExceedMaximumSize, _queueName, _isRecoverable,
                            send.Messages.Select(Acknowledgments.AskingOf)) is { } refusal)
                    (refusals ??= []).Add(refusal);
                check?.GiveBack(send.Messages);
            }

            if (send.Error is null)
                accepted.Add(send);
        }

        if (check is not null)
            await check.DeleteFreeAsync(cancellationToken).ConfigureAwait(false);
        if (refusals is not null)
        {
            await _database.OpenQueuesOfAsync(connection, sends.SelectMany(static send => send.Messages), cancellationToken).ConfigureAwait(false);
            await using var batch = new NpgsqlBatch(connection, transaction);
            refusals.ForEach(batch.BatchCommands.Add);
            await batch.ExecuteNonQueryAsync(cancellationToken).ConfigureAwait(false);
        }

        if (accepted.Count > 0)
            await InsertAsync(connection, transaction, accepted, cancellationToken).ConfigureAwait(false);
        await transaction.CommitAsync(cancellationToken).ConfigureAwait(false);
        return accepted.Count;
    }

    /// <summary>Inserts messages, with one statement per 16 MiB of bodies, in one transaction.</summary>
    private async Task<int> InsertAsync(NpgsqlConnection connection, NpgsqlTransaction? transaction, IReadOnlyList<Send> sends,
        CancellationToken cancellationToken)
    {
        Dictionary<string, int>? others = null;
        if (sends.Any(static send => send.HasRequests))
            others = await _database.OpenQueuesOfAsync(connection, sends.SelectMany(static send => send.Messages), cancellationToken)
                .ConfigureAwait(false);
        await using var batch = new NpgsqlBatch(connection, transaction);
        var messages = new List<Outgoing>(sends.Count);
        long byteCount = 0;
        int count = 0;
        foreach (Send send in sends)
        {
            foreach (Outgoing message in send.Messages)
            {
                if (messages.Count > 0 && (byteCount + message.Body.Length > MaxBatchByteCount || messages.Count >= MaxStatementCount))
                {
                    batch.BatchCommands.Add(_database.Statements.InsertInto(_target.Id, _isRecoverable, messages));
                    (messages, byteCount) = ([], 0);
                }

                messages.Add(message);
                byteCount += message.Body.Length;
                count++;
            }
        }

        batch.BatchCommands.Add(_database.Statements.InsertInto(_target.Id, _isRecoverable, messages));
        int insertCount = batch.BatchCommands.Count;
        foreach ((NpgsqlBatchCommand command, _) in _database.Statements.CopyToJournals(
            others, _isRecoverable, sends.SelectMany(static send => send.Messages)))
            batch.BatchCommands.Add(command);
        batch.BatchCommands.Add(_database.Statements.NotifyOf(others is null ? [_target.Id] : [_target.Id, .. others.Values]));
        await batch.ExecuteNonQueryAsync(cancellationToken).ConfigureAwait(false);
        long inserted = 0;
        for (int i = 0; i < insertCount; i++)
            inserted += (long)batch.BatchCommands[i].Rows;
        // With several statements, the first may still have found the queue; the transaction rolls its rows back.
        return inserted == count ? count : throw MessageRows.QueueDeleted(_work.Address);
    }

    /// <summary>A group of messages that are sent together or not at all.</summary>
    private sealed class Send(Outgoing[] messages) : PumpWork(messages.Sum(static message => (long)message.Body.Length))
    {
        internal Outgoing[] Messages { get; } = messages;

        internal bool HasRequests { get; } = Array.Exists(messages, static message => message.HasRequests);
    }
}

/// <summary>The limits of a queue, and its current count within the sender's transaction.</summary>
/// <remarks>Senders with limits take turns, so that the count stays valid until they have sent.</remarks>
internal sealed class QueueLimits
{
    private readonly int _queueId;
    private readonly string _address;
    private readonly long? _maxMessageCount;
    private readonly long? _maxByteCount;
    private long _messageCount;
    private long _byteCount;

    private QueueLimits(int queueId, string address, QueueOptions options)
    {
        _queueId = queueId;
        _address = address;
        _maxMessageCount = options.MaxMessageCount;
        _maxByteCount = options.MaxByteCount;
    }

    /// <summary>Creates the limits from a handle's options; null if there are none.</summary>
    internal static QueueLimits? Of(int queueId, string address, QueueOptions options) =>
        options.MaxMessageCount is null && options.MaxByteCount is null ? null : new QueueLimits(queueId, address, options);

    internal async Task MeasureAsync(Database database, NpgsqlTransaction transaction, CancellationToken cancellationToken)
    {
        await using var batch = new NpgsqlBatch(transaction.Connection, transaction)
        {
            BatchCommands =
            {
                new(database.Statements.LockQueue) { Parameters = { new() { Value = ((long)database.LockClass << 32) | (uint)_queueId } } },
                new(database.Statements.Measure) { Parameters = { new() { Value = _queueId } } },
            },
        };
        await using NpgsqlDataReader reader = await batch.ExecuteReaderAsync(cancellationToken).ConfigureAwait(false);
        await reader.NextResultAsync(cancellationToken).ConfigureAwait(false);
        await reader.ReadAsync(cancellationToken).ConfigureAwait(false);
        (_messageCount, _byteCount) = (reader.GetInt64(0), reader.GetInt64(1));
    }

    /// <summary>Adds messages to the count, all of them, or returns the error if they exceed a limit.</summary>
    internal QueueException? Refuse(IReadOnlyList<Outgoing> messages)
    {
        (long messageCount, long byteCount) = (_messageCount, _byteCount);
        foreach (Outgoing message in messages)
        {
            if (Refuse(message) is { } refusal)
            {
                (_messageCount, _byteCount) = (messageCount, byteCount);
                return refusal;
            }
        }

        return null;
    }

    /// <summary>Adds a message to the count, or returns the error if it exceeds a limit.</summary>
    internal QueueException? Refuse(Outgoing message)
    {
        if (_messageCount + 1 > _maxMessageCount)
            return new QueueException(
                $"'{_address}' is full: it holds {_messageCount} messages, its limit ({nameof(QueueOptions.MaxMessageCount)}) is "
                + $"{_maxMessageCount}.") { Code = QueueErrorCode.Full };
        if (_byteCount + message.Body.Length > _maxByteCount)
        {
            return new QueueException(
                $"'{_address}' is full: it holds {_byteCount} bytes, a body of {message.Body.Length} goes beyond its limit "
                + $"({nameof(QueueOptions.MaxByteCount)}) of {_maxByteCount}.")
            {
                Code = message.Body.Length > _maxByteCount ? QueueErrorCode.TooLarge : QueueErrorCode.Full,
            };
        }

        _messageCount++;
        _byteCount += message.Body.Length;
        return null;
    }
}
