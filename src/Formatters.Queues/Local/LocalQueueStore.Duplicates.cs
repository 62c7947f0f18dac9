using System;
using System.Collections.Generic;
using System.Linq;

namespace Formatters.Queues;

// Duplicate detection.
internal partial class LocalQueueStore
{
    private SentIds? _sentIds;

    /// <summary>Reserves the ids of messages that go into the log; if it throws, none is kept.</summary>
    /// <exception cref="DuplicateMessageException">Some were sent before.</exception>
    internal static void KeepIdsOfStored(IReadOnlyList<LocalMessage> messages)
    {
        SortedList<long, LocalQueueStore> stores = EnterAll(messages);
        try
        {
            KeepIds(messages, areStored: true);
        }
        finally
        {
            ExitAll(stores);
        }
    }

    /// <summary>Removes the id of a message that was not sent after all.</summary>
    internal void ForgetId(string id)
    {
        lock (_gate)
            _sentIds?.Remove(id);
    }

    internal bool IsSentId(string id)
    {
        lock (_gate)
            return _sentIds?.Contains(id, Clock.Now) == true;
    }

    /// <summary>Keeps an id for a time from now on, or records its segment in the log.</summary>
    internal void KeepId(string id, TimeSpan window, ulong segment)
    {
        lock (_gate)
            (_sentIds ??= new SentIds()).Add(id, new SentId(Clock.After(window), segment), Clock.Now);
    }

    internal void SetIdSegment(string id, ulong segment)
    {
        lock (_gate)
            _sentIds?.SetSegment(id, segment);
    }

    /// <summary>Returns the ids that the log has in or before a segment, and when they expire.</summary>
    internal List<KeyValuePair<string, long>> GetIds(ulong lastSegment)
    {
        lock (_gate)
            return _sentIds is null ? [] : [.. _sentIds.Enumerate(Clock.Now).Where(id => id.Value.Segment <= lastSegment)
                .Select(id => new KeyValuePair<string, long>(id.Key, id.Value.End))];
    }

    /// <summary>Returns the ids in the log, when they expire, and their segments.</summary>
    internal List<(string Id, long End, ulong Segment)> GetIdsOfSegments(ulong lastSegment)
    {
        lock (_gate)
            return _sentIds is null ? [] : [.. _sentIds.Enumerate(Clock.Now).Where(id => id.Value.Segment <= lastSegment)
                .Select(id => (id.Key, id.Value.End, id.Value.Segment))];
    }

    /// <summary>Reserves space for messages of one handle, and keeps their ids; if it throws, nothing is changed.</summary>
    private void KeepIds(LocalQueue queue, LocalMessage[] messages, ref List<DeadMessage>? dead)
    {
        long byteCount = messages.Sum(message => message.BodyByteCount);
        ReserveLocked(queue, messages.Length, byteCount, ref dead);
        try
        {
            KeepIds(messages, areStored: false);
        }
        catch
        {
            Count(-byteCount, -messages.Length);
            throw;
        }
    }

    /// <summary>Keeps the ids of messages that are about to be added, under the locks of their queues; if it throws, none is kept.</summary>
    /// <exception cref="DuplicateMessageException">Some were sent before.</exception>
    private static void KeepIds(IReadOnlyList<LocalMessage> messages, bool areStored)
    {
        List<string>? duplicates = null;
        LocalQueue? refusing = null;
        HashSet<(LocalQueueStore, string)>? own = null;
        foreach (LocalMessage message in messages)
        {
            if (message.IsStored != areStored || message.Receiver is not { } sender)
                continue;
            string id = message.GivenMessageId!;
            if (message.Store._sentIds?.Contains(id, message.Store.Clock.Now) == true || !(own ??= []).Add((message.Store, id)))
            {
                (duplicates ??= []).Add(id);
                refusing = sender;
            }
        }

        if (duplicates is not null)
        {
            throw new DuplicateMessageException(
                $"'{refusing!.Address}': "
                + $"{(duplicates.Count == 1 ? $"a message with the id '{duplicates[0]}' was" : $"messages with {duplicates.Count} of the ids were")} "
                + "sent within the "
                + $"{nameof(QueueOptions.DuplicateWindow)} of {refusing.Options.DuplicateWindow}. Nothing was sent.",
                [.. duplicates.Distinct()]);
        }

        if (own is null)
            return;
        foreach (LocalMessage message in messages)
        {
            if (message.IsStored != areStored || message.Receiver?.Options.DuplicateWindow is not { } window)
                continue;
            LocalQueueStore store = message.Store;
            (store._sentIds ??= new SentIds()).Add(message.GivenMessageId!, new SentId(store.Clock.After(window)), store.Clock.Now);
        }
    }

    /// <summary>Takes the locks of the messages' queues, in their order.</summary>
    private static SortedList<long, LocalQueueStore> EnterAll(IReadOnlyList<LocalMessage> messages)
    {
        var stores = new SortedList<long, LocalQueueStore>();
        foreach (LocalMessage message in messages)
            stores[message.Store.Order] = message.Store;
        foreach (LocalQueueStore store in stores.Values)
            store._gate.Enter();
        return stores;
    }

    private static void ExitAll(SortedList<long, LocalQueueStore> stores)
    {
        for (int i = stores.Count - 1; i >= 0; i--)
            stores.Values[i]._gate.Exit();
    }
}
