using System.Collections.Generic;

namespace Formatters.Queues;

/// <summary>The ids sent to a queue within the sender's duplicate detection window. Guarded by the queue's lock.</summary>
internal sealed class SentIds
{
    private readonly Dictionary<string, SentId> _ids = [];
    private readonly Queue<KeyValuePair<string, long>> _byTime = new();

    /// <summary>Determines whether an id was sent within its window.</summary>
    internal bool Contains(string id, long now) => _ids.TryGetValue(id, out SentId sent) && sent.End > now;

    /// <summary>Keeps an id until a time stamp, and removes some expired ones.</summary>
    internal void Add(string id, SentId sent, long now)
    {
        // Two for each added id: the number kept is at most twice the number within the window.
        for (int i = 0; i < 2 && _byTime.Count > 0 && _byTime.Peek().Value <= now; i++)
        {
            KeyValuePair<string, long> old = _byTime.Dequeue();
            if (_ids.TryGetValue(old.Key, out SentId kept) && kept.End == old.Value)
                _ids.Remove(old.Key);
        }

        _ids[id] = sent;
        _byTime.Enqueue(new KeyValuePair<string, long>(id, sent.End));
    }

    /// <summary>Records the segment of an id in the log.</summary>
    internal void SetSegment(string id, ulong segment)
    {
        if (_ids.TryGetValue(id, out SentId sent))
            _ids[id] = sent with { Segment = segment };
    }

    /// <summary>Removes the id of a message that was not sent after all.</summary>
    internal void Remove(string id) => _ids.Remove(id);

    /// <summary>Enumerates the unexpired ids.</summary>
    internal IEnumerable<KeyValuePair<string, SentId>> Enumerate(long now)
    {
        foreach (KeyValuePair<string, SentId> id in _ids)
        {
            if (id.Value.End > now)
                yield return id;
        }
    }
}

/// <summary>The time stamp until which an id is kept, and its segment in the log; no segment if it is not flushed or not in a log.</summary>
internal readonly record struct SentId(long End, ulong Segment = SentId.NoSegment)
{
    internal const ulong NoSegment = ulong.MaxValue;
}
