using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using Formatters.Binary;

namespace Formatters.Queues;

/// <summary>
/// A record of this process's state at the owner of a folder: open handles, transactions, received messages and decisions. The next owner gets it
/// from <see cref="FolderReplay"/>.
/// </summary>
/// <param name="gate">The lock of the requests, under which their answers change the state.</param>
internal sealed class FollowerState(Lock gate)
{
    private readonly Dictionary<int, byte[]> _handles = [];
    private readonly Dictionary<long, FollowerTransaction> _transactions = [];
    private readonly Dictionary<long, HeldMessage> _held = [];
    private readonly HashSet<long> _lost = [];
    private readonly HashSet<Guid> _decisions = [];
    private long _lastDelivery;

    /// <summary>Returns a copy of the state, for the next owner.</summary>
    internal FollowerSnapshot Copy()
    {
        lock (gate)
        {
            return new FollowerSnapshot(
                _lastDelivery, [.. _handles.Values], [.. _transactions.Values], [.. _held.OrderBy(static held => held.Key)], [.. _decisions]);
        }
    }

    /// <summary>Adds a handle, with the request that opens it.</summary>
    internal void AddHandle(int handle, byte[] request)
    {
        lock (gate)
            _handles.Add(handle, request);
    }

    /// <summary>Removes a handle, and the messages that it has received without a transaction.</summary>
    internal void RemoveHandle(int handle)
    {
        lock (gate)
        {
            _handles.Remove(handle);
            RemoveHeld(_held.Where(held => held.Value.Handle == handle && held.Value.Transaction is null).Select(static held => held.Key).ToArray());
        }
    }

    internal void AddTransaction(FollowerTransaction transaction)
    {
        lock (gate)
            _transactions.Add(transaction.Number, transaction);
    }

    /// <summary>Removes a transaction and the messages that it has received.</summary>
    internal void RemoveTransaction(FollowerTransaction transaction)
    {
        lock (gate)
        {
            _transactions.Remove(transaction.Number);
            RemoveHeld(transaction.Deliveries);
        }
    }

    /// <summary>Adds the messages of an answer to a receive, and returns them.</summary>
    internal List<FollowerMessage> AddReceived(byte[] answer, FollowerQueue queue, FollowerTransaction? transaction)
    {
        lock (gate)
        {
            var reader = new BinaryBodyReader(answer, FolderProtocol.Limits);
            reader.ReadByte();
            int count = reader.ReadCount(16);
            var messages = new List<FollowerMessage>(count);
            for (int i = 0; i < count; i++)
            {
                FollowerMessage message = FollowerMessage.Read(ref reader, answer, queue, transaction);
                messages.Add(message);
                _lastDelivery = Math.Max(_lastDelivery, message.Delivery);
                if (message.LogNumber == 0 || (transaction is null && queue.IsFinalAtOwner))
                    continue;
                _held.Add(message.Delivery, new HeldMessage(queue.Handle, message.LogNumber, transaction));
                transaction?.Deliveries.Add(message.Delivery);
            }

            return messages;
        }
    }

    /// <summary>Removes messages that are settled.</summary>
    internal void RemoveHeld(IReadOnlyList<long> deliveries)
    {
        lock (gate)
        {
            foreach (long delivery in deliveries)
                _held.Remove(delivery);
        }
    }

    /// <summary>Removes a message that the next owner has given to another receiver. Its transaction can no longer be committed.</summary>
    internal void SetLost(long delivery)
    {
        lock (gate)
        {
            if (!_held.Remove(delivery, out HeldMessage held))
                return;
            _lost.Add(delivery);
            if (held.Transaction is { } transaction)
                transaction.IsBroken = true;
        }
    }

    /// <summary>Determines whether a message went to another receiver while the owner changed.</summary>
    internal bool IsLost(long delivery)
    {
        lock (gate)
            return _lost.Contains(delivery);
    }

    internal void AddDecision(Guid transaction)
    {
        lock (gate)
            _decisions.Add(transaction);
    }

    internal void RemoveDecision(Guid transaction)
    {
        lock (gate)
            _decisions.Remove(transaction);
    }
}

/// <summary>A message that this process has received from a folder and not settled.</summary>
/// <param name="Handle">The handle that has received it.</param>
/// <param name="LogNumber">Its number in the log of its queue.</param>
/// <param name="Transaction">The transaction in which it was received, or null.</param>
internal readonly record struct HeldMessage(int Handle, ulong LogNumber, FollowerTransaction? Transaction);

/// <summary>The state of a process at the moment at which it connects to an owner.</summary>
/// <param name="LastDelivery">The highest number of a delivery, after which the owner continues.</param>
/// <param name="Handles">The requests that open the handles.</param>
/// <param name="Transactions">The transactions that have not ended.</param>
/// <param name="Held">The received messages by the number of their delivery, in order.</param>
/// <param name="Decisions">The transactions that a coordinator is deciding.</param>
internal sealed record FollowerSnapshot(
    long LastDelivery,
    byte[][] Handles,
    FollowerTransaction[] Transactions,
    KeyValuePair<long, HeldMessage>[] Held,
    Guid[] Decisions);
