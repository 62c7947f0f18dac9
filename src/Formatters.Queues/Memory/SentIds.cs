using System.Collections.Generic;

namespace Formatters.Queues;

/// <summary>The ids of what was sent to a queue within the window of the handle that sent it. Guarded by the queue's lock.</summary>
internal sealed class SentIds
{
    private readonly Dictionary<string, SentId> _ids = [];
    private readonly Queue<KeyValuePair<string, long>> _byTime = new();

    /// <summary>Whether an id was sent and its window is not over.</summary>
    internal bool Contains(string id, long now) => _ids.TryGetValue(id, out SentId sent) && sent.End > now;

    /// <summary>Keeps an id until a time stamp, and forgets some of those whose window is over.</summary>
    internal void Add(string id, SentId sent, long now)
    {
        // Two for each that comes in: what is kept is never more than twice what is in the window.
        for (int i = 0; i < 2 && _byTime.Count > 0 && _byTime.Peek().Value <= now; i++)
        {
            KeyValuePair<string, long> old = _byTime.Dequeue();
            if (_ids.TryGetValue(old.Key, out SentId kept) && kept.End == old.Value)
                _ids.Remove(old.Key);
        }

        _ids[id] = sent;
        _byTime.Enqueue(new KeyValuePair<string, long>(id, sent.End));
    }

    /// <summary>Notes where in the log an id is.</summary>
    internal void SetSegment(string id, ulong segment)
    {
        if (_ids.TryGetValue(id, out SentId sent))
            _ids[id] = sent with { Segment = segment };
    }

    /// <summary>Forgets an id: its message was not sent after all.</summary>
    internal void Remove(string id) => _ids.Remove(id);

    /// <summary>Goes over the ids whose window is not over.</summary>
    internal IEnumerable<KeyValuePair<string, SentId>> Enumerate(long now)
    {
        foreach (KeyValuePair<string, SentId> id in _ids)
        {
            if (id.Value.End > now)
                yield return id;
        }
    }
}

/// <summary>Until when an id is kept, as a time stamp, and in which segment of a log it is; none when it is not flushed, or not in a log.</summary>
internal readonly record struct SentId(long End, ulong Segment = SentId.NoSegment)
{
    internal const ulong NoSegment = ulong.MaxValue;
}
