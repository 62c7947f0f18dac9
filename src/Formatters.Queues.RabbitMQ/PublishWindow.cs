using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading.Tasks;
using RabbitMQ.Client;

namespace Formatters.Queues.RabbitMQ;

/// <summary>The messages of a channel that the broker has not confirmed, by sequence number. Limits their count and bytes.</summary>
/// <remarks>Not thread-safe: <see cref="RabbitMqSender"/> has the lock.</remarks>
/// <param name="maxCount">The maximum number of unconfirmed messages.</param>
internal sealed class PublishWindow(int maxCount)
{
    /// <summary>
    /// The maximum number of unconfirmed body bytes. A larger message is sent alone: the client copies each body into a buffer, and a rejection then
    /// affects no other message.
    /// </summary>
    internal const int MaxByteCount = 16 << 20;

    private readonly Dictionary<ulong, PendingSend> _pending = [];
    private TaskCompletionSource? _changed;
    private ulong _lastSequenceNumber;
    private ulong _lowest = 1;
    private ulong _front = 1;
    private long _byteCount;
    private long _frontMoved;
    private long _brokersLimit = long.MaxValue;

    internal bool IsEmpty => _pending.Count == 0;

    /// <summary>Gets whether no caller waits for a confirm.</summary>
    internal bool IsDrained => _pending.Values.All(static pending => pending.IsAbandoned);

    /// <summary>Gets a task that completes when messages leave the window, or may be published again.</summary>
    internal Task Changed => (_changed ??= new(TaskCreationOptions.RunContinuationsAsynchronously)).Task;

    internal void NotifyChanged()
    {
        _changed?.TrySetResult();
        _changed = null;
    }

    /// <summary>Restarts the sequence numbers, for a new channel.</summary>
    internal void Restart()
    {
        _lastSequenceNumber = 0;
        _lowest = 1;
        _front = 1;
    }

    /// <summary>Adds a message if there is space.</summary>
    internal bool TryAdd(PendingSend pending)
    {
        long byteCount = ByteCountOf(pending);
        if (_pending.Count >= maxCount || (_byteCount > 0 && _byteCount + byteCount > MaxByteCount))
            return false;
        Add(pending);
        return true;
    }

    /// <summary>Adds a message that had space on an earlier channel.</summary>
    internal void Add(PendingSend pending)
    {
        pending.ByteCount = ByteCountOf(pending);
        pending.SequenceNumber = ++_lastSequenceNumber;
        pending.PublishedAt = Environment.TickCount64;
        _pending.Add(pending.SequenceNumber, pending);
        _byteCount += pending.ByteCount;
    }

    /// <summary>Removes a message whose publish has failed, and its number, as the client does.</summary>
    /// <returns>False if the end of the channel or connection has removed it already.</returns>
    internal bool TryTakeBack(PendingSend pending)
    {
        if (!_pending.TryGetValue(pending.SequenceNumber, out PendingSend? same) || same != pending)
            return false;
        _lastSequenceNumber--;
        Remove(pending);
        return true;
    }

    /// <summary>Removes and returns the message that the broker has settled, or all up to it.</summary>
    internal List<PendingSend> TakeSettled(ulong sequenceNumber, bool isMultiple)
    {
        var settled = new List<PendingSend>(isMultiple ? 16 : 1);
        PendingSend? pending;
        if (!isMultiple && _pending.TryGetValue(sequenceNumber, out pending))
            settled.Add(pending);
        // From the lowest number, not from the front: abandoned messages are settled too.
        for (ulong number = _lowest; isMultiple && number <= sequenceNumber && number <= _lastSequenceNumber; number++)
        {
            if (_pending.TryGetValue(number, out pending))
                settled.Add(pending);
        }

        foreach (PendingSend one in settled)
            Remove(one);
        return settled;
    }

    /// <summary>Removes and returns all messages, in the order of their publishes.</summary>
    internal PendingSend[] TakeAll()
    {
        PendingSend[] pending = [.. _pending.Values.OrderBy(static one => one.SequenceNumber)];
        _pending.Clear();
        _byteCount = 0;
        MoveFront();
        NotifyChanged();
        return pending;
    }

    /// <summary>Finds the message that the broker returns: the first one with an id that is not returned yet.</summary>
    internal PendingSend? FindReturned(string? messageId)
    {
        PendingSend? returned = null;
        foreach (PendingSend pending in _pending.Values)
        {
            if (pending.Returned is null && pending.MessageId == messageId
                && (returned is null || pending.SequenceNumber < returned.SequenceNumber))
                returned = pending;
        }

        return returned;
    }

    /// <summary>
    /// Returns the index of the message over which the broker closed the channel. The broker says so only for a body that is too large; otherwise it
    /// is at the latest the last one.
    /// </summary>
    internal int IndexOfRejected(PendingSend[] pending, string replyText)
    {
        if (RabbitMqReplies.FindSizes(replyText) is { } sizes)
        {
            _brokersLimit = sizes.Limit;
            int index = Array.FindIndex(pending, one => one.BodyByteCount == sizes.ByteCount);
            if (index >= 0)
                return index;
        }

        return pending.Length - 1;
    }

    /// <summary>Determines whether the broker has not settled the oldest message since a time.</summary>
    internal bool HasStalledSince(long time) => _frontMoved <= time;

    /// <summary>Abandons and returns the messages that the broker should have settled by now.</summary>
    /// <param name="due">The time of publishing before which they are late.</param>
    internal List<PendingSend> AbandonLate(long due)
    {
        var late = new List<PendingSend>();
        if (HasStalledSince(due))
            late.AddRange(_pending.Values.Where(pending => !pending.IsAbandoned && pending.PublishedAt <= due));
        foreach (PendingSend pending in late)
            pending.Abandon();
        MoveFront();
        NotifyChanged();
        return late;
    }

    // Counted as more than zero, so that every message counts. A message that the broker may reject is sent alone.
    private long ByteCountOf(PendingSend pending) =>
        pending.Body.Length > _brokersLimit ? Math.Max(pending.Body.Length, MaxByteCount) + 1L : pending.Body.Length + 1L;

    private void Remove(PendingSend pending)
    {
        _pending.Remove(pending.SequenceNumber);
        _byteCount -= pending.ByteCount;
        MoveFront();
        NotifyChanged();
    }

    /// <summary>Finds the lowest number that is not settled, and the front: the oldest message whose caller waits.</summary>
    private void MoveFront()
    {
        ulong before = _front;
        while (_lowest <= _lastSequenceNumber && !_pending.ContainsKey(_lowest))
            _lowest++;
        _lowest = Math.Min(_lowest, _lastSequenceNumber + 1);
        _front = Math.Min(Math.Max(_front, _lowest), _lastSequenceNumber + 1);
        while (_front <= _lastSequenceNumber && (!_pending.TryGetValue(_front, out PendingSend? pending) || pending.IsAbandoned))
            _front++;
        if (_front != before)
            _frontMoved = Environment.TickCount64;
    }
}

/// <summary>A publish that the broker has not confirmed yet.</summary>
internal sealed class PendingSend(string messageId, BasicProperties properties, ReadOnlyMemory<byte> body)
    : TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously)
{
    internal string MessageId { get; } = messageId;

    internal BasicProperties Properties { get; } = properties;

    internal ReadOnlyMemory<byte> Body { get; set; } = body;

    internal int BodyByteCount { get; } = body.Length;

    /// <summary>Gets or sets the sequence number on its channel.</summary>
    internal ulong SequenceNumber { get; set; }

    /// <summary>Gets or sets the number of bytes that it counts for in the window.</summary>
    internal long ByteCount { get; set; }

    internal long PublishedAt { get; set; }

    /// <summary>Gets whether its caller has stopped waiting. It keeps its space in the window until the broker settles it.</summary>
    internal bool IsAbandoned { get; private set; }

    /// <summary>Gets or sets the reason for which the broker has returned the message, or null.</summary>
    internal string? Returned { get; set; }

    // The body stays: it may be the copy that is being published again.
    internal void Abandon() => IsAbandoned = true;
}
