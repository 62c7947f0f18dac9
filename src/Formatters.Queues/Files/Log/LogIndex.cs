using System;
using System.Collections.Generic;
using System.Linq;

namespace Formatters.Queues;

/// <summary>The location in the log of a message in one queue, used while the log is read. 28 bytes.</summary>
internal struct IndexedMessage
{
    internal uint QueueId;
    internal uint Segment;
    internal uint ContentOffset;
    internal int ContentByteCount;
    internal int BodyByteCount;
    internal uint Checksum;
    internal ushort DeliveryCount;
    internal byte Priority;
    internal LogPlaceKind Kind;
}

/// <summary>The rarely used data of an indexed message; allocated for a group if any of its messages needs it.</summary>
internal struct IndexedExtras
{
    internal ulong EntryNumber;
    internal DeadLetter? DeadLetter;
    internal long UsefulFromTicks;

    /// <summary>The time to live; 0 for none.</summary>
    internal long TimeToLiveTicks;
    internal uint IdHash;
    internal uint CorrelationHash;

    internal readonly bool IsNeeded(ulong number) =>
        EntryNumber != number || DeadLetter is not null || TimeToLiveTicks != 0 || IdHash != 0 || CorrelationHash != 0;
}

/// <summary>The messages found by recovery, by place number, in arrays. Only those that will be received first become objects.</summary>
internal sealed class LogIndex
{
    private const int SlotBits = 9;
    private const int SlotMask = (1 << SlotBits) - 1;

    private readonly Dictionary<ulong, Run> _runs = [];
    private ulong _lastKey = ulong.MaxValue;
    private Run? _lastRun;

    internal long Count { get; private set; }

    /// <summary>Sets the data of a place.</summary>
    internal void Set(ulong number, in IndexedMessage message, in IndexedExtras more)
    {
        ulong key = number >> SlotBits;
        if (key != _lastKey || _lastRun is null)
        {
            if (!_runs.TryGetValue(key, out _lastRun))
                _runs.Add(key, _lastRun = new Run());
            _lastKey = key;
        }

        if (_lastRun.Set((ushort)(number & SlotMask), number, message, more))
            Count++;
    }

    internal bool TryGet(ulong number, out IndexedMessage message, out IndexedExtras more)
    {
        if (Count > 0 && _runs.TryGetValue(number >> SlotBits, out Run? run))
            return run.TryGet((ushort)(number & SlotMask), number, out message, out more);
        (message, more) = (default, default);
        return false;
    }

    internal bool Remove(ulong number)
    {
        if (Count == 0 || !_runs.TryGetValue(number >> SlotBits, out Run? run) || !run.Remove((ushort)(number & SlotMask)))
            return false;
        Count--;
        if (run.Count == 0)
            Forget(number >> SlotBits);
        return true;
    }

    /// <summary>Removes the messages of some queues.</summary>
    internal void RemoveQueues(HashSet<uint> queueIds)
    {
        foreach ((ulong key, Run run) in _runs.ToArray())
        {
            Count -= run.RemoveQueues(queueIds);
            if (run.Count == 0)
                Forget(key);
        }
    }

    /// <summary>Determines whether all messages are in existing segments.</summary>
    internal bool AreIn(List<LogSegment> segments)
    {
        uint first = (uint)segments[0].Number;
        return _runs.Values.All(run => run.AreIn(first, segments.Count));
    }

    /// <summary>Removes and returns all messages, in the order of their numbers.</summary>
    internal IEnumerable<(ulong Number, IndexedMessage Message, IndexedExtras More)> TakeAll()
    {
        ulong[] keys = [.. _runs.Keys];
        Array.Sort(keys);
        foreach (ulong key in keys)
        {
            Run run = _runs[key];
            Forget(key);
            for (int i = 0; i < run.Count; i++)
                yield return run.Get(i, key << SlotBits);
        }

        Count = 0;
    }

    private void Forget(ulong key)
    {
        _runs.Remove(key);
        _lastRun = null;
    }

    /// <summary>The existing messages of 512 consecutive numbers, in order.</summary>
    private sealed class Run
    {
        private ushort[] _slots = [];
        private IndexedMessage[] _messages = [];
        private IndexedExtras[]? _more;

        internal int Count { get; private set; }

        internal (ulong Number, IndexedMessage Message, IndexedExtras More) Get(int index, ulong firstNumber)
        {
            ulong number = firstNumber + _slots[index];
            return (number, _messages[index], MoreOf(index, number));
        }

        internal bool TryGet(ushort slot, ulong number, out IndexedMessage message, out IndexedExtras more)
        {
            int index = Array.BinarySearch(_slots, 0, Count, slot);
            (message, more) = index >= 0 ? (_messages[index], MoreOf(index, number)) : (default, default);
            return index >= 0;
        }

        internal bool AreIn(uint firstSegment, int segmentCount)
        {
            for (int i = 0; i < Count; i++)
            {
                if (_messages[i].Segment - firstSegment >= segmentCount)
                    return false;
            }

            return true;
        }

        /// <returns>Whether it is new.</returns>
        internal bool Set(ushort slot, ulong number, in IndexedMessage message, in IndexedExtras more)
        {
            int index = Count == 0 || _slots[Count - 1] < slot ? ~Count : Array.BinarySearch(_slots, 0, Count, slot);
            bool isNew = index < 0;
            if (more.IsNeeded(number) && _more is null)
            {
                _more = new IndexedExtras[_messages.Length];
                for (int i = 0; i < Count; i++)
                    _more[i].EntryNumber = (number & ~(ulong)SlotMask) + _slots[i];
            }

            if (isNew)
            {
                index = ~index;
                if (Count == _slots.Length)
                    Resize(Math.Max(4, Count * 2));
                Array.Copy(_slots, index, _slots, index + 1, Count - index);
                Array.Copy(_messages, index, _messages, index + 1, Count - index);
                if (_more is not null)
                    Array.Copy(_more, index, _more, index + 1, Count - index);
                Count++;
            }

            _slots[index] = slot;
            _messages[index] = message;
            if (_more is not null)
                _more[index] = more;
            return isNew;
        }

        internal bool Remove(ushort slot)
        {
            int index = Array.BinarySearch(_slots, 0, Count, slot);
            if (index < 0)
                return false;
            RemoveAt(index);
            return true;
        }

        internal int RemoveQueues(HashSet<uint> queueIds)
        {
            int before = Count;
            for (int i = Count - 1; i >= 0; i--)
            {
                if (queueIds.Contains(_messages[i].QueueId))
                    RemoveAt(i);
            }

            return before - Count;
        }

        private void RemoveAt(int index)
        {
            Count--;
            Array.Copy(_slots, index + 1, _slots, index, Count - index);
            Array.Copy(_messages, index + 1, _messages, index, Count - index);
            if (_more is not null)
                Array.Copy(_more, index + 1, _more, index, Count - index);
            if (Count > 0 && Count <= _slots.Length / 4)
                Resize(_slots.Length / 2);
        }

        private void Resize(int length)
        {
            Array.Resize(ref _slots, length);
            Array.Resize(ref _messages, length);
            if (_more is not null)
                Array.Resize(ref _more, length);
        }

        private IndexedExtras MoreOf(int index, ulong number) => _more is not null ? _more[index] : new IndexedExtras { EntryNumber = number };
    }
}
