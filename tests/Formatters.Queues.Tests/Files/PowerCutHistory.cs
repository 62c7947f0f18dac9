using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using Item = Formatters.Queues.Tests.PowerCutModel.Item;

namespace Formatters.Queues.Tests;

/// <summary>One history of sends, receives, dead letters, passing time and power cuts, and the model that it is checked against. Everything follows from the seed.</summary>
/// <remarks>
/// Queue a has dead letters, a limit of deliveries and a journal; b is plain; dead and journal are those of a. In every third history large messages go through b,
/// so that segments become empty and are deleted. In every second history the locks on messages of a and b are leases; in every fourth somebody sets the clock on the wall.
/// </remarks>
internal sealed class PowerCutHistory : IDisposable
{
    private static readonly string[] QueueNames = ["a", "b", "dead", "journal"];

    private static readonly TimeSpan Lease = TimeSpan.FromSeconds(20);

    private static readonly TimeSpan Window = TimeSpan.FromSeconds(90);

    private static readonly QueueOptions PeekLock = new() { DeliveryMode = DeliveryMode.Recoverable, ReceiveMode = ReceiveMode.PeekLock };
    private static readonly QueueOptions Limited = PeekLock with { DeadLetterQueue = "dead", MaxDeliveryCount = PowerCutModel.MaxDeliveryCount, JournalQueue = "journal" };

    private readonly Random _random;
    private readonly bool _flows;
    private readonly bool _hasLeases;
    private readonly bool _clockIsSet;
    private readonly bool _hasDelays;
    private readonly bool _isParked;
    private readonly int _parkedTogether;
    private readonly bool _hasSnapshots;
    private readonly ManualTime _time = new();
    private readonly PowerCutModel _model;
    private readonly List<Held> _held = [];
    private SimulatedDisk _disk = new();
    private QueueFolder _folder = null!;
    private FileQueue[] _queues = [];
    private FileQueue[] _transactional = [];
    private FileMulticastQueue _both = null!;
    private FileQueue _windowed = null!;

    internal PowerCutHistory(int seed)
    {
        _random = new Random(seed);
        _flows = seed % 3 == 0;
        _hasLeases = seed % 2 == 1;
        _clockIsSet = seed % 4 > 1;
        _hasDelays = !_clockIsSet;
        // In every second history most of what waits is not in memory.
        _isParked = seed % 8 < 4;
        _parkedTogether = 1 + (seed % 7);
        _hasSnapshots = seed % 5 < 3;
        _model = new PowerCutModel(_time, _flows, _hasDelays);
    }

    internal int PowerCuts { get; private set; }

    internal int MessageCount => _model.LastId;

    internal int DeadCount => _model.DeadCount;

    internal int DelayedCount => _model.DelayedCount;

    internal int DuplicateCount => _model.DuplicateCount;

    /// <summary>How many messages were to be settled when their lease had ended.</summary>
    internal int LateCount { get; private set; }

    public void Dispose() => _disk.Dispose();

    internal void Run()
    {
        for (int cycle = 0; cycle < 4; cycle++)
        {
            // In some cycles the power is cut while the log is read, too.
            _disk.PowerCutAt = _disk.Operations + (_random.Next(4) == 0 ? _random.Next(8) : _random.Next(10, 250));
            try
            {
                Open();
                Check();
                for (int step = 0; step < 60; step++)
                    Step();
                if (_random.Next(3) == 0)
                    Close();
            }
            catch (PowerCutException)
            {
            }
            catch (QueueException) when (_disk.Operations >= _disk.PowerCutAt)
            {
                // The log says that it has failed, as it must.
            }

            if (_disk.Operations >= _disk.PowerCutAt)
                PowerCuts++;
            _model.Collect();
            _held.Clear();
            _disk = _disk.AfterPowerCut(_random);
        }

        Open();
        Check();
    }

    private QueueFolder OpenFolder(SimulatedDisk disk) =>
        new("/simulated", disk, new FileQueueOptions
        {
            SegmentByteCount = 1 << 16, CachedByteCount = 4096, TimeProvider = _time, CachedMessageCount = _isParked ? _parkedTogether : 100_000, ParkedTogether = _parkedTogether,
            SnapshotByteCount = _hasSnapshots ? 0 : long.MaxValue,
        }, hasThread: false);

    private void Open()
    {
        _folder = OpenFolder(_disk);
        FileQueueStore[] stores = [.. QueueNames.Select(name => Pump(_folder.OpenQueueAsync(name, default)))];
        _model.Opened();
        TimeSpan lease = _hasLeases ? Lease : Timeout.InfiniteTimeSpan;
        _queues = Handles(PeekLock with { LeaseDuration = lease }, Limited with { LeaseDuration = lease });
        _transactional = Handles(PeekLock with { DeliveryMode = DeliveryMode.Transactional }, Limited with { DeliveryMode = DeliveryMode.Transactional });
        _windowed = new FileQueue(stores[1], Address("b"), PeekLock with { DuplicateWindow = Window });
        _both = new FileMulticastQueue(Address("a"), PeekLock, _queues[..2]);

        FileQueue[] Handles(QueueOptions options, QueueOptions limited) =>
        [
            new FileQueue(stores[0], Address("a"), limited, stores[2], stores[3]), .. stores[1..].Select(store => new FileQueue(store, Address(store.Name), options)),
        ];
    }

    private void Close()
    {
        _folder.DisposeAsync().AsTask().GetAwaiter().GetResult();
        if (_disk.Operations < _disk.PowerCutAt)
            _model.Flushed();
    }

    private void Step()
    {
        switch (_random.Next(17))
        {
            case < 4:
                Send();
                break;
            case 14:
                SendBatch();
                break;
            case 15:
                ReceiveAndAcknowledgeBatch(_random.Next(3) == 0 ? _random.Next(QueueNames.Length) : _flows ? 1 : 0);
                break;
            case 16 when _hasDelays:
                SendIdentified();
                break;
            case < 8:
                Receive(_random.Next(3) == 0 ? _random.Next(QueueNames.Length) : _flows ? 1 : 0);
                break;
            case 8:
                Transact();
                break;
            case < 11:
                Settle();
                break;
            case 11 when _clockIsSet && _random.Next(4) == 0:
                _model.RememberExpired();
                _time.WallOffset = _random.Next(3) switch { 0 => TimeSpan.Zero, 1 => TimeSpan.FromDays(-3), _ => TimeSpan.FromSeconds(_random.Next(-60, 60)) };
                break;
            case 11 when _clockIsSet || _random.Next(2) == 0:
                _time.Advance(TimeSpan.FromSeconds(_random.Next(1, _clockIsSet ? 120 : 30)));
                break;
            default:
                WritePending();
                break;
        }
    }

    private void Send()
    {
        int queue = _flows && _random.Next(4) > 0 ? 1 : _random.Next(3);
        List<Item> items = queue == 2 ? _model.NewItems(_random, 0, 1) : _model.NewItems(_random, queue);
        QueueClient sender = queue == 2 ? _both : _queues[queue];
        Start(sender.SendAsync(items[0].Content.ToMessage()), items, []);
    }

    private void SendBatch()
    {
        int queue = _flows ? 1 : _random.Next(2);
        List<Item> items = [.. Enumerable.Range(0, _random.Next(2, 7)).SelectMany(_ => _model.NewItems(_random, queue))];
        Start(_queues[queue].SendBatchAsync([.. items.Select(item => item.Content.ToMessage())]), items, []);
    }

    /// <summary>Sends a message with an id of which there are few.</summary>
    private void SendIdentified()
    {
        string id = $"id {_random.Next(6)}";
        Item item = _model.NewIdentified(1, id, Window, out bool isRefused);
        QueueMessage message = item.Content.ToMessage();
        message.MessageId = id;
        Task send = _random.Next(2) == 0 ? _windowed.SendAsync(message).AsTask() : _windowed.SendBatchAsync([message]).AsTask();
        if (!isRefused)
            _model.Start(new ValueTask(send), [item], []);
        try
        {
            Pump(new ValueTask(send));
        }
        catch (DuplicateMessageException) when (isRefused)
        {
            _model.Identified(wasSent: false);
            return;
        }

        if (isRefused)
            throw new InvalidOperationException($"message {item.Id} was taken, although its id was sent before");
        _model.Identified(wasSent: true);
        _model.Collect();
    }

    private void ReceiveAndAcknowledgeBatch(int queue)
    {
        IReadOnlyList<ReceivedMessage> batch = Pump(_queues[queue].ReceiveBatchAsync(_random.Next(1, 6), TimeSpan.Zero));
        if (batch.Count == 0)
            _model.CheckEmpty(queue);
        long lockEnd = _hasLeases ? _time.GetTimestamp() + Lease.Ticks : long.MaxValue;
        var items = new List<Item>();
        foreach (ReceivedMessage message in batch)
        {
            Item item = _model.Recognise(message, queue);
            _model.Deliver(item, message, lockEnd);
            items.Add(item);
        }

        switch (_random.Next(3))
        {
            case 0 when batch.Count > 0:
                Start(_queues[queue].AcknowledgeBatchAsync(batch), [.. items.SelectMany(Journal)], items);
                break;
            case 1 when batch.Count > 0:
                _queues[queue].ReturnUnseenAsync(batch).AsTask().GetAwaiter().GetResult();
                items.ForEach(PowerCutModel.Unseen);
                break;
            default:
                for (int i = 0; i < batch.Count; i++)
                    _held.Add(new Held(items[i], batch[i], lockEnd));
                break;
        }
    }

    private void Receive(int queue)
    {
        ReceivedMessage? message = Pump(_queues[queue].ReceiveAsync(TimeSpan.Zero));
        if (message is null)
        {
            _model.CheckEmpty(queue);
            return;
        }

        Item item = _model.Recognise(message, queue);
        long lockEnd = _hasLeases ? _time.GetTimestamp() + Lease.Ticks : long.MaxValue;
        _model.Deliver(item, message, lockEnd);
        _held.Add(new Held(item, message, lockEnd));
    }

    private void Settle()
    {
        if (_held.Count == 0)
            return;
        Held held = _held[_random.Next(_held.Count)];
        _held.Remove(held);
        bool isLimited = held.Item.Queue == PowerCutModel.LimitedQueue;
        if (held.LockEnd <= _time.GetTimestamp())
        {
            SettleLate(held.Message);
            return;
        }

        switch (_flows ? 0 : _random.Next(isLimited ? 4 : 2))
        {
            case 0:
                Start(held.Message.AcknowledgeAsync(), Journal(held.Item), [held.Item]);
                break;
            case 3:
                Start(held.Message.DeadLetterAsync("why", "because"), [_model.Moved(held.Item, PowerCutModel.DeadQueue)], [held.Item]);
                break;
            case 1 when _hasDelays:
                TimeSpan delay = TimeSpan.FromSeconds(_random.Next(1, 40));
                held.Item.PossibleDue = _time.GetTimestamp() + delay.Ticks;
                Pump(held.Message.ReturnAsync(delay));
                held.Item.CertainDue = held.Item.PossibleDue;
                held.Item.LockEnd = 0;
                break;
            default:
                Pump(held.Message.ReturnAsync());
                held.Item.LockEnd = 0;
                break;
        }
    }

    /// <summary>The lease has ended: the message is another's, or back in its queue, and its receiver must hear of it.</summary>
    private void SettleLate(ReceivedMessage message)
    {
        LateCount++;
        try
        {
            Pump(_random.Next(2) == 0 ? message.AcknowledgeAsync() : message.ReturnAsync());
        }
        catch (QueueException e) when (e.Message.Contains("lease", StringComparison.Ordinal))
        {
            return;
        }

        throw new InvalidOperationException("a message is settled by a receiver whose lease has ended");
    }

    private void Transact()
    {
        QueueTransaction transaction = Pump(_transactional[0].BeginTransactionAsync());
        var sent = new List<Item>();
        var received = new List<Item>();
        var moved = new List<Item>();
        for (int i = _random.Next(1, 6); i > 0; i--)
        {
            int queue = _random.Next(QueueNames.Length);
            if (queue < 2 && _random.Next(2) == 0)
            {
                List<Item> items = _model.NewItems(_random, queue);
                sent.AddRange(items);
                Pump(_transactional[queue].SendAsync(items[0].Content.ToMessage(), transaction));
            }
            else if (Pump(_transactional[queue].ReceiveAsync(TimeSpan.Zero, transaction)) is { } message)
            {
                Item item = _model.Recognise(message, queue);
                _model.Deliver(item, message, long.MaxValue);
                received.Add(item);
                if (queue == PowerCutModel.LimitedQueue && _random.Next(3) == 0)
                {
                    Pump(message.DeadLetterAsync("why"));
                    moved.Add(_model.Moved(item, PowerCutModel.DeadQueue));
                }
                else
                {
                    moved.AddRange(Journal(item));
                }
            }
        }

        if (_random.Next(4) == 0)
        {
            _model.Forget(sent);
            _model.Forget(moved);
            Pump(transaction.RollbackAsync());
            received.ForEach(item => item.LockEnd = 0);
            return;
        }

        // The sends are written first.
        Start(transaction.CommitAsync(), [.. sent, .. moved], received);
    }

    /// <summary>What an acknowledgement puts into the journal.</summary>
    private List<Item> Journal(Item item) => item.Queue == PowerCutModel.LimitedQueue ? [_model.Moved(item, 3)] : [];

    private void Start(ValueTask task, List<Item> sent, List<Item> received)
    {
        _model.Start(task, sent, received);
        // Mostly several wait for one flush.
        if (_random.Next(3) == 0)
            WritePending();
    }

    /// <summary>After a power cut: reads what is there, from a copy, so as to count no delivery.</summary>
    private void Check()
    {
        using SimulatedDisk copy = _disk.Clone();
        QueueFolder folder = OpenFolder(copy);
        var messages = new List<(int, PowerCutModel.Seen)>();
        for (int queue = 0; queue < QueueNames.Length; queue++)
        {
            var reader = new FileQueue(Pump(folder, folder.OpenQueueAsync(QueueNames[queue], default)), Address(QueueNames[queue]), PeekLock);
            var received = new List<PowerCutModel.Seen>();
            while (reader.ReceiveAsync(TimeSpan.Zero).AsTask().GetAwaiter().GetResult() is { } message)
            {
                received.Add(PowerCutModel.Seen.Of(message));
                if (received.Count > 100_000)
                    throw new InvalidOperationException("It gives messages without end.");
            }

            // What was received now is under lock; the rest is not due. A peek shows all, in one order.
            List<PeekedMessage> peeked = [.. reader.PeekAsync(new PeekOptions { MaxCount = 200_000 }).AsTask().GetAwaiter().GetResult()];
            if (!peeked.Where(message => message.IsLocked).Select(PowerCutModel.Content.IdOf).SequenceEqual(received.Select(seen => PowerCutModel.Content.IdOf(seen.Message))))
                throw new InvalidOperationException("a peek shows other messages than were received");
            if (peeked.Find(message => !message.IsLocked && message.DueTime is null) is { } left)
                throw new InvalidOperationException($"message {PowerCutModel.Content.IdOf(left)} is due and is not handed out");
            int next = 0;
            messages.AddRange(peeked.Select(message => (queue, message.IsLocked ? received[next++] : PowerCutModel.Seen.Of(message))));
        }

        // Dead letters first: they tell which messages are no longer where they were.
        _model.Check(messages.OrderByDescending(found => found.Item1 == PowerCutModel.DeadQueue));
    }

    private bool WritePending()
    {
        bool hasWritten = _folder.WritePending();
        if (_disk.Operations < _disk.PowerCutAt)
            _model.Flushed();
        _model.Collect();
        return hasWritten;
    }

    /// <summary>Waits for something that needs the log's writing.</summary>
    private T Pump<T>(ValueTask<T> task)
    {
        Wait(() => task.IsCompleted);
        return task.GetAwaiter().GetResult();
    }

    private void Pump(ValueTask task)
    {
        Wait(() => task.IsCompleted);
        task.GetAwaiter().GetResult();
    }

    private void Wait(Func<bool> isCompleted)
    {
        while (!isCompleted())
        {
            if (!WritePending())
                throw new InvalidOperationException("It waits for nothing.");
        }
    }

    private static FileQueueStore Pump(QueueFolder folder, ValueTask<FileQueueStore> task)
    {
        while (!task.IsCompleted)
        {
            if (!folder.WritePending())
                throw new InvalidOperationException("It waits for nothing.");
        }

        return task.GetAwaiter().GetResult();
    }

    private static QueueAddress Address(string name) => QueueAddress.Parse("file:///simulated/" + name);

    private sealed record Held(Item Item, ReceivedMessage Message, long LockEnd);
}
