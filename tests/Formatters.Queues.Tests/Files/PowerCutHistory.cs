using System;
using System.Buffers.Binary;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;

namespace Formatters.Queues.Tests;

/// <summary>One history of sends, receives and power cuts, and the model that it is checked against. Everything follows from the seed.</summary>
internal sealed class PowerCutHistory(int seed) : IDisposable
{
    private static readonly string[] QueueNames = ["a", "b"];

    private readonly Random _random = new(seed);
    private readonly Dictionary<int, Item> _items = [];
    private readonly List<Pending> _pending = [];
    private readonly List<Held> _held = [];
    private SimulatedDisk _disk = new();
    private QueueFolder _folder = null!;
    private IMessageQueue[] _queues = [];
    private IMessageQueue[] _transactional = [];
    private int _lastId;
    private int _lastOrder;

    internal int PowerCuts { get; private set; }

    internal int MessageCount => _lastId;

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
            Collect();
            _held.Clear();
            _disk = _disk.AfterPowerCut(_random);
        }

        Open();
        Check();
    }

    private void Open()
    {
        _folder = new QueueFolder("/simulated", _disk, new FileQueueOptions { SegmentByteCount = 1 << 16, CachedByteCount = 4096 }, hasThread: false);
        _queues = QueueNames.Select(name => (IMessageQueue)new FileQueue(Pump(_folder.OpenQueueAsync(name, default)), Address(name), new QueueOptions { DeliveryMode = DeliveryMode.Recoverable, ReceiveMode = ReceiveMode.PeekLock })).ToArray();
        _transactional = QueueNames.Select(name => (IMessageQueue)new FileQueue(Pump(_folder.OpenQueueAsync(name, default)), Address(name), new QueueOptions { DeliveryMode = DeliveryMode.Transactional })).ToArray();

        static QueueAddress Address(string name) => QueueAddress.Parse("file:///simulated/" + name);
    }

    private void Close()
    {
        _folder.DisposeAsync().AsTask().GetAwaiter().GetResult();
    }

    private void Step()
    {
        int queue = _random.Next(QueueNames.Length);
        switch (_random.Next(10))
        {
            case < 4:
                Send(queue);
                break;
            case < 6:
                Receive(queue);
                break;
            case 6:
                Transact();
                break;
            case 7:
                Settle();
                break;
            default:
                _folder.WritePending();
                Collect();
                break;
        }
    }

    private void Send(int queue)
    {
        Item item = NewItem(queue);
        item.Order = ++_lastOrder;
        Start(_queues[queue].SendAsync(item.ToMessage()), [item], []);
    }

    private void Receive(int queue)
    {
        ReceivedMessage? message = Pump(_queues[queue].ReceiveAsync(TimeSpan.Zero));
        if (message is not null)
            _held.Add(new Held(Recognise(message, queue), message));
    }

    private void Settle()
    {
        if (_held.Count == 0)
            return;
        Held held = _held[_random.Next(_held.Count)];
        _held.Remove(held);
        if (_random.Next(3) == 0)
            Pump(held.Message.ReturnAsync());
        else
            Start(held.Message.AcknowledgeAsync(), [], [held.Item]);
    }

    private void Transact()
    {
        QueueTransaction transaction = Pump(_transactional[0].BeginTransactionAsync());
        var sent = new List<Item>();
        var received = new List<Item>();
        for (int i = _random.Next(1, 6); i > 0; i--)
        {
            int queue = _random.Next(QueueNames.Length);
            if (_random.Next(2) == 0)
            {
                Item item = NewItem(queue);
                sent.Add(item);
                Pump(_transactional[queue].SendAsync(item.ToMessage(), transaction));
            }
            else if (Pump(_transactional[queue].ReceiveAsync(TimeSpan.Zero, transaction)) is { } message)
            {
                received.Add(Recognise(message, queue));
            }
        }

        if (_random.Next(4) == 0)
        {
            Pump(transaction.RollbackAsync());
            foreach (Item item in sent)
                _items.Remove(item.Id);
            return;
        }

        foreach (Item item in sent)
            item.Order = ++_lastOrder;
        Start(transaction.CommitAsync(), sent, received);
    }

    private Item NewItem(int queue)
    {
        var item = new Item(++_lastId, queue, _random.Next(8) == 0 ? _random.Next(20_000) : _random.Next(600));
        _items.Add(item.Id, item);
        return item;
    }

    private Item Recognise(ReceivedMessage message, int queue)
    {
        int id = Item.IdOf(message);
        if (!_items.TryGetValue(id, out Item? item) || item.Queue != queue || !item.IsWhole(message))
            throw new InvalidOperationException($"message {id} was received, which was not sent so");
        if (item.State is State.Gone)
            throw new InvalidOperationException($"message {id} came again");
        return item;
    }

    private void Start(ValueTask task, List<Item> sent, List<Item> received)
    {
        var pending = new Pending(task.AsTask(), sent, received);
        foreach (Item item in sent)
            item.State = State.Sending;
        foreach (Item item in received)
            item.State = State.Leaving;
        _pending.Add(pending);
        // Mostly several wait for one flush.
        if (_random.Next(3) == 0)
        {
            _folder.WritePending();
            Collect();
        }
    }

    /// <summary>Takes what has become certain over into the model.</summary>
    private void Collect()
    {
        foreach (Pending pending in _pending.Where(pending => pending.Task.IsCompletedSuccessfully).ToArray())
        {
            pending.Sent.ForEach(item => item.State = State.There);
            pending.Received.ForEach(item => item.State = State.Gone);
            _pending.Remove(pending);
        }
    }

    /// <summary>After a power cut: compares what is in the queues with the model, and takes over what was uncertain.</summary>
    private void Check()
    {
        var found = new HashSet<int>();
        for (int queue = 0; queue < QueueNames.Length; queue++)
        {
            int order = 0;
            var messages = new List<ReceivedMessage>();
            while (Pump(_queues[queue].ReceiveAsync(TimeSpan.Zero)) is { } message)
            {
                Item item = Recognise(message, queue);
                if (!found.Add(item.Id))
                    throw new InvalidOperationException($"message {item.Id} is there twice");
                if (item.Order <= order)
                    throw new InvalidOperationException($"message {item.Id} is out of order");
                order = item.Order;
                messages.Add(message);
            }

            for (int i = messages.Count - 1; i >= 0; i--)
                Pump(messages[i].ReturnAsync());
        }

        foreach (Pending pending in _pending)
        {
            bool[] happened = [.. pending.Sent.Select(item => found.Contains(item.Id)), .. pending.Received.Select(item => !found.Contains(item.Id))];
            if (happened.Distinct().Count() > 1)
                throw new InvalidOperationException($"a transaction is there by half: {string.Join(",", pending.Sent.Concat(pending.Received).Select(item => item.Id))}");
        }

        foreach (Item item in _items.Values.ToArray())
        {
            bool isThere = found.Contains(item.Id);
            if (item.State == State.Kept && isThere)
                throw new InvalidOperationException($"message {item.Id} is there, whose transaction was not committed");
            if (item.State == State.There && !isThere)
                throw new InvalidOperationException($"message {item.Id} is lost");
            item.State = isThere ? State.There : State.Gone;
        }

        _pending.Clear();
    }

    /// <summary>Waits for something that needs the log's writing.</summary>
    private T Pump<T>(ValueTask<T> task)
    {
        while (!task.IsCompleted)
        {
            if (!_folder.WritePending())
                throw new InvalidOperationException("It waits for nothing.");
        }

        Collect();
        return task.GetAwaiter().GetResult();
    }

    private void Pump(ValueTask task)
    {
        while (!task.IsCompleted)
        {
            if (!_folder.WritePending())
                throw new InvalidOperationException("It waits for nothing.");
        }

        Collect();
        task.GetAwaiter().GetResult();
    }

    private enum State
    {
        Kept,
        Sending,
        There,
        Leaving,
        Gone,
    }

    private sealed record Pending(Task Task, List<Item> Sent, List<Item> Received);

    private sealed record Held(Item Item, ReceivedMessage Message);

    private sealed class Item(int id, int queue, int byteCount)
    {
        internal int Id => id;

        internal int Queue => queue;

        internal int Order { get; set; }

        internal State State { get; set; }


        internal static int IdOf(QueueMessage message) => BinaryPrimitives.ReadInt32LittleEndian(message.Body.ToArray());

        internal QueueMessage ToMessage() => new(new MessageBody(Body(), 7, "x/y")) { Label = $"message {id}" };

        internal bool IsWhole(QueueMessage message) =>
            message.Body.ToArray().AsSpan().SequenceEqual(Body()) && message.Label == $"message {id}" && message.Body is { BodyType: 7, ContentType: "x/y" };

        private byte[] Body()
        {
            byte[] body = new byte[4 + byteCount];
            new Random(id).NextBytes(body);
            BinaryPrimitives.WriteInt32LittleEndian(body, id);
            return body;
        }
    }
}
