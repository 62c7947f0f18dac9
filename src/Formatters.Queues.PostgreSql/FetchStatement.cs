using System;
using System.Collections.Generic;
using System.Threading;
using Npgsql;
using NpgsqlTypes;

namespace Formatters.Queues.PostgreSql;

/// <summary>The statement with which a handle receives messages: deletes or locks them; all of them, or those that match its selector.</summary>
internal sealed class FetchStatement
{
    private readonly string _text;
    private readonly int _queueId;
    private readonly int? _journalId;
    private readonly bool _locks;
    private readonly TimeSpan? _leaseDuration;
    private readonly List<object> _selectorParameters = [];

    /// <param name="statements">The schema's statements.</param>
    /// <param name="target">The queue.</param>
    /// <param name="selector">The condition on the messages, or null.</param>
    /// <param name="locks">Whether messages are locked; else they are deleted.</param>
    /// <param name="leaseDuration">How long a lock lasts at most.</param>
    /// <param name="name">The column and the value of the id to receive by; null for any message.</param>
    internal FetchStatement(Statements statements, QueueTarget target, MessageSelector? selector, bool locks, TimeSpan leaseDuration,
        (string Column, string Id)? name = null)
    {
        _queueId = target.Id;
        _journalId = locks ? null : target.JournalId;
        _locks = locks;
        _leaseDuration = leaseDuration == Timeout.InfiniteTimeSpan ? null : leaseDuration;
        int parameterCount = locks ? 4 : _journalId is null ? 2 : 3;
        string condition = selector is null ? "" : " AND " + selector.ToSql(Columns, value =>
        {
            _selectorParameters.Add(value);
            return $"${parameterCount + _selectorParameters.Count}";
        });
        if (name is { } one)
        {
            _selectorParameters.Add(one.Id);
            condition += $" AND {one.Column} = ${parameterCount + _selectorParameters.Count}";
        }

        _text = locks ? statements.Lock(condition) : statements.Delete(condition, copies: _journalId is not null);
    }

    internal static SelectorColumns Columns { get; } = new()
    {
        Headers = "headers",
        MessageId = "message_id",
        CorrelationId = "correlation_id",
        Label = "label",
        Priority = "priority",
        SentTime = "floor(extract(epoch FROM sent_at) * 1000)",
    };

    internal NpgsqlBatchCommand Create(int count, int sessionId)
    {
        var command = new NpgsqlBatchCommand(_text) { Parameters = { new NpgsqlParameter<int> { TypedValue = _queueId },
            new NpgsqlParameter<long> { TypedValue = count } } };
        if (_locks)
        {
            command.Parameters.Add(new NpgsqlParameter<int> { TypedValue = sessionId });
            command.Parameters.Add(new NpgsqlParameter { Value = _leaseDuration ?? (object)DBNull.Value, NpgsqlDbType = NpgsqlDbType.Interval });
        }
        else if (_journalId is { } journalId)
        {
            command.Parameters.Add(new NpgsqlParameter<int> { TypedValue = journalId });
        }

        foreach (object value in _selectorParameters)
            command.Parameters.Add(new NpgsqlParameter { Value = value });
        return command;
    }
}
