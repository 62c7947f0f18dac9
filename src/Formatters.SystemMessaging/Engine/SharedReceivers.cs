using System.Collections.Generic;

namespace System.Messaging;

/// <summary>The objects of this process that receive from queues, for <see cref="MessageQueue.DenySharedReceive"/>.</summary>
internal static class SharedReceivers
{
    private static readonly object Gate = new();
    private static readonly Dictionary<string, MessageQueue> Exclusive = new(StringComparer.Ordinal);

    /// <summary>Claims a queue for an object, if it denies others, and checks that no other does.</summary>
    internal static void Claim(MessageQueue queue, QueueTarget target)
    {
        string key = target.Place.BaseAddress + target.Name;
        lock (Gate)
        {
            if (Exclusive.TryGetValue(key, out MessageQueue? owner) && !ReferenceEquals(owner, queue))
            {
                throw new MessageQueueException(
                    MessageQueueErrorCode.SharingViolation,
                    $"'{target.Path.Text}' is open with {nameof(MessageQueue.DenySharedReceive)} by another object of this program.");
            }

            if (queue.DenySharedReceive)
                Exclusive[key] = queue;
        }
    }

    internal static void Release(MessageQueue queue)
    {
        lock (Gate)
        {
            if (Exclusive.Count == 0)
                return;
            foreach ((string key, MessageQueue owner) in new List<KeyValuePair<string, MessageQueue>>(Exclusive))
            {
                if (ReferenceEquals(owner, queue))
                    Exclusive.Remove(key);
            }
        }
    }
}
