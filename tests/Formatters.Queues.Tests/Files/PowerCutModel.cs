using System;
using System.Buffers.Binary;
using System.Collections.Generic;
using System.Linq;
using System.Threading.Tasks;

namespace Formatters.Queues.Tests;

/// <summary>What the queues of a <see cref="PowerCutHistory"/> may hold: which messages must be there, which may, in which order.</summary>
internal sealed class PowerCutModel(ManualTime time, bool hasLargeMessages, bool hasDelays)
{
    internal const int LimitedQueue = 0;
    internal const int DeadQueue = 2;
    internal const int MaxDeliveryCount = 3;

    private readonly Dictionary<(int Id, int Queue), Item> _items = [];
    private readonly List<Pending> _pending = [];
    private readonly Dictionary<string, long> _sentIds = [];
    private (Item Item, string Id, long End)? _identified;
    private int _lastOrder;

    internal int LastId { get; private set; }

    internal int DeadCount { get; private set; }

    internal int DelayedCount { get; private set; }

    /// <summary>How many sends were refused since their id was sent before.</summary>
    internal int DuplicateCount { get; private set; }

    /// <summary>A message that is going to be sent to some queues.</summary>
    internal List<Item> NewItems(Random random, params int[] queues)
    {
        int id = ++LastId;
        int byteCount = random.Next(hasLargeMessages ? 2 : 8) == 0 ? random.Next(20_000) : random.Next(600);
        int priority = random.Next(3) == 0 ? random.Next(10) : QueueMessage.DefaultPriority;
        TimeSpan? timeToLive = random.Next(6) == 0 ? TimeSpan.FromSeconds(random.Next(1, 100)) : null;
        DateTimeOffset? dueTime = hasDelays && random.Next(8) == 0 ? time.GetUtcNow().AddSeconds(random.Next(1, 60)) : null;
        var content = new Content(id, byteCount, priority, timeToLive, time.GetUtcNow(), dueTime);
        return [.. queues.Select(queue => Add(content, queue, canExpire: true))];
    }

    /// <summary>A message that is going to be sent with an id that may have been sent before.</summary>
    /// <param name="isRefused">Whether it must be refused.</param>
    internal Item NewIdentified(int queue, string id, TimeSpan window, out bool isRefused)
    {
        isRefused = _sentIds.TryGetValue(id, out long end) && end > time.GetTimestamp();
        Item item = Add(new Content(++LastId, 10, QueueMessage.DefaultPriority, null, time.GetUtcNow(), null), queue, canExpire: false);
        _identified = (item, id, time.GetTimestamp() + window.Ticks);
        return item;
    }

    /// <summary>What became of it is certain.</summary>
    internal void Identified(bool wasSent)
    {
        (Item item, string id, long end) = _identified!.Value;
        _identified = null;
        if (wasSent)
        {
            _sentIds[id] = end;
            return;
        }

        DuplicateCount++;
        Forget([item]);
    }

    /// <summary>The folder was opened: no message is under lock, and what is left of each one's life follows from the clock on the wall, to which somebody may have done anything.</summary>
    internal void Opened()
    {
        RememberExpired();
        foreach (Item item in _items.Values)
        {
            item.LockEnd = 0;
            item.SetDeadline(time);
        }
    }

    /// <summary>Life is going to be counted anew: what has expired now may be gone, or come back.</summary>
    internal void RememberExpired()
    {
        foreach (Item item in _items.Values)
            item.HadExpired |= item.IsExpired(time);
    }

    /// <summary>A queue says that it has nothing to hand out: then nothing may be there for sure.</summary>
    internal void CheckEmpty(int queue)
    {
        foreach (Item item in _items.Values)
        {
            bool mustBeThere = item.Queue == queue && item.State == State.There && item.LockEnd <= time.GetTimestamp() && item.PossibleDue <= time.GetTimestamp() && !item.MayHaveExpired(time)
                && (queue != LimitedQueue || item.Deliveries < MaxDeliveryCount);
            if (mustBeThere)
                throw new InvalidOperationException($"message {item} is not handed out");
        }
    }

    internal void Forget(List<Item> items) => items.ForEach(item => _items.Remove((item.Id, item.Queue)));

    /// <summary>An operation is under way that puts messages into queues and takes others out: all of it or nothing.</summary>
    internal void Start(ValueTask task, List<Item> sent, List<Item> received)
    {
        foreach (Item item in sent)
        {
            item.State = State.Sending;
            item.Order = ++_lastOrder;
        }

        foreach (Item item in received)
            item.State = State.Leaving;
        _pending.Add(new Pending(task.AsTask(), sent, received));
    }

    /// <summary>The message into which another one turns when it is moved: a dead letter, or a copy in the journal.</summary>
    internal Item Moved(Item item, int queue)
    {
        Item moved = Add(item.Content, queue, canExpire: false);
        moved.CertainDue = moved.PossibleDue = 0;
        return moved;
    }

    /// <summary>Takes in what has become certain.</summary>
    internal void Collect()
    {
        foreach (Pending pending in _pending.Where(pending => pending.Task.IsCompletedSuccessfully).ToArray())
        {
            pending.Sent.ForEach(item => item.State = State.There);
            pending.Received.ForEach(item => item.State = State.Gone);
            _pending.Remove(pending);
        }
    }

    /// <summary>What was handed in has been flushed: so are the deliveries.</summary>
    internal void Flushed()
    {
        foreach (Item item in _items.Values)
            item.FlushedDeliveries = Math.Max(item.FlushedDeliveries, item.LastDelivery);
    }

    /// <summary>A message was received: it must be one that may be there.</summary>
    internal Item Recognise(ReceivedMessage message, int queue) => Recognise(Seen.Of(message), queue);

    private Item Recognise(Seen seen, int queue)
    {
        QueueMessage message = seen.Message;
        int id = Content.IdOf(message);
        if (!_items.TryGetValue((id, queue), out Item? item))
            item = queue == DeadQueue && TryFindDead(seen) is { } died ? Bury(died) : throw new InvalidOperationException($"message {id} is in queue {queue}, where nobody sent it");
        if (!item.Content.IsWhole(seen))
            throw new InvalidOperationException($"message {id} was not sent so");
        if (item.State == State.Gone)
            throw new InvalidOperationException($"message {id} came again");
        if (item.IsExpired(time))
            throw new InvalidOperationException($"message {id} has expired");
        if (queue == DeadQueue != (seen.DeadLetterReason is not null))
            throw new InvalidOperationException($"message {id} has the reason '{seen.DeadLetterReason}' in queue {queue}");
        return item;
    }

    /// <summary>A message was handed out to be processed.</summary>
    internal void Deliver(Item item, ReceivedMessage message, long lockEnd)
    {
        if (item.LockEnd > time.GetTimestamp())
            throw new InvalidOperationException($"message {item.Id} is handed out while another receiver has it");
        if (item.CertainDue > time.GetTimestamp())
            throw new InvalidOperationException($"message {item.Id} is handed out before its time");
        if (item.PossibleDue > 0)
            DelayedCount++;
        item.CertainDue = item.PossibleDue = 0;
        item.LockEnd = lockEnd;
        // Only for a handle with a limit the log is told of deliveries.
        bool isCounted = item.Queue == LimitedQueue;
        int least = isCounted ? item.FlushedDeliveries + 1 : 1;
        if (message.DeliveryCount < least || message.DeliveryCount > item.Deliveries + 1)
            throw new InvalidOperationException($"message {item.Id} says delivery {message.DeliveryCount}, after {item.FlushedDeliveries} to {item.Deliveries}");
        if (isCounted && message.DeliveryCount > MaxDeliveryCount)
            throw new InvalidOperationException($"message {item.Id} was delivered {message.DeliveryCount} times");
        item.Deliveries = message.DeliveryCount;
        item.LastDelivery = isCounted ? message.DeliveryCount : 0;
    }

    /// <summary>A message went back that nobody has seen: it was no delivery.</summary>
    internal static void Unseen(Item item)
    {
        item.LockEnd = 0;
        item.Deliveries--;
        item.LastDelivery = 0;
        item.FlushedDeliveries = Math.Min(item.FlushedDeliveries, item.Deliveries);
    }

    /// <summary>After a power cut: compares what is in the queues, in their order, with what must and may be there.</summary>
    internal void Check(IEnumerable<(int Queue, Seen Message)> messages)
    {
        var found = new HashSet<Item>();
        Item? before = null;
        foreach ((int queue, Seen message) in messages)
        {
            Item item = Recognise(message, queue);
            if (message.IsDelayed && item.PossibleDue <= time.GetTimestamp())
                throw new InvalidOperationException($"message {item.Id} is kept back, and its time has come");
            if (!message.IsDelayed && item.CertainDue > time.GetTimestamp())
                throw new InvalidOperationException($"message {item.Id} is there before its time");
            if (!found.Add(item))
                throw new InvalidOperationException($"message {item.Id} is there twice");
            // When a message was found dead is not known.
            bool isBehind = before is null || before.Queue != queue || queue == DeadQueue || before.Content.Priority > item.Content.Priority
                || (before.Content.Priority == item.Content.Priority && before.Order < item.Order);
            if (!isBehind)
                throw new InvalidOperationException($"message {item.Id} is out of order");
            before = item;
        }

        foreach (Pending pending in _pending)
        {
            // What has expired since is not seen.
            bool[] happened =
            [
                .. pending.Sent.Where(item => !item.MayHaveExpired(time)).Select(found.Contains),
                .. pending.Received.Where(item => !item.MayHaveExpired(time)).Select(item => !found.Contains(item)),
            ];
            if (happened.Distinct().Count() > 1)
                throw new InvalidOperationException($"it is there by half: {string.Join(",", pending.Sent.Concat(pending.Received))}");
        }

        _pending.Clear();
        if (_identified is { } identified)
            Identified(found.Contains(identified.Item));
        foreach (Item item in _items.Values.ToArray())
        {
            item.LastDelivery = 0;
            bool isThere = found.Contains(item);
            if (item.State == State.Kept && isThere)
                throw new InvalidOperationException($"message {item} is there, whose transaction was not committed");
            if (isThere)
            {
                item.State = State.There;
                item.HadExpired = false;
            }
            else if (item.State is State.Kept or State.Sending && !item.MayHaveExpired(time))
            {
                _items.Remove((item.Id, item.Queue));
            }
            else if (!item.MayHaveExpired(time) || item.State == State.Gone)
            {
                bool hasDied = item.Queue == LimitedQueue && _items.TryGetValue((item.Id, DeadQueue), out Item? dead) && dead.State is State.There or State.Gone && item.Content == dead!.Content;
                if (item.State == State.There && !hasDied)
                    throw new InvalidOperationException($"message {item} is lost");
                item.State = State.Gone;
            }
        }
    }

    private Item Add(Content content, int queue, bool canExpire)
    {
        var item = new Item(content, queue, canExpire);
        item.SetDeadline(time);
        _items[(content.Id, queue)] = item;
        return item;
    }

    /// <summary>The message in the limited queue that may have been found dead by the queue itself, as a dead letter of it says.</summary>
    private Item? TryFindDead(Seen letter) =>
        _items.TryGetValue((Content.IdOf(letter.Message), LimitedQueue), out Item? item) && item.State != State.Gone && letter.DeadLetterSource == "a" && letter.DeadLetterReason switch
        {
            DeadLetterReasons.Expired => item.MayHaveExpired(time),
            DeadLetterReasons.MaxDeliveryCountExceeded => item.Deliveries >= MaxDeliveryCount,
            _ => false,
        }
            ? item
            : null;

    private Item Bury(Item died)
    {
        died.State = State.Gone;
        // What was begun with it cannot have happened, or it has: either way it is over.
        foreach (Pending pending in _pending.Where(pending => pending.Received.Contains(died)))
            throw new InvalidOperationException($"message {died.Id} was found dead while its receiver had it: {pending.Task.Status}");
        DeadCount++;
        Item item = Moved(died, DeadQueue);
        item.State = State.There;
        item.Order = ++_lastOrder;
        return item;
    }

    /// <summary>A message as it was received or peeked.</summary>
    internal sealed record Seen(QueueMessage Message, DateTimeOffset? SentTime, string? DeadLetterReason, string? DeadLetterSource, bool IsDelayed)
    {
        internal static Seen Of(ReceivedMessage message) => new(message, message.SentTime, message.DeadLetterReason, message.DeadLetterSource, false);

        internal static Seen Of(PeekedMessage message) => new(message, message.SentTime, message.DeadLetterReason, message.DeadLetterSource, message.DueTime is not null);
    }

    internal enum State
    {
        Kept,
        Sending,
        There,
        Leaving,
        Gone,
    }

    private sealed record Pending(Task Task, List<Item> Sent, List<Item> Received);

    internal sealed class Item(Content content, int queue, bool canExpire)
    {
        internal Content Content => content;

        internal int Id => content.Id;

        internal int Queue => queue;

        internal int Order { get; set; }

        internal State State { get; set; }

        /// <summary>How often it was delivered at most; how often the log knows for sure; and, if it was since the power came back, which delivery it was.</summary>
        internal int Deliveries { get; set; }

        internal int FlushedDeliveries { get; set; }

        internal int LastDelivery { get; set; }

        /// <summary>The time stamp at which its receiver's lock ends: 0 if there is none.</summary>
        internal long LockEnd { get; set; }

        /// <summary>The time stamp before which it is not handed out for sure, and the one after which it is for sure.</summary>
        internal long CertainDue { get; set; } = content.DueStamp;

        internal long PossibleDue { get; set; } = content.DueStamp;

        /// <summary>Whether it had expired at some time.</summary>
        internal bool HadExpired { get; set; }

        private long Deadline { get; set; } = long.MaxValue;

        internal bool IsExpired(TimeProvider time) => time.GetTimestamp() >= Deadline;

        internal bool MayHaveExpired(TimeProvider time) => HadExpired || IsExpired(time);

        /// <summary>From now on the rest of its life is counted by a clock that nobody sets; at most the whole again.</summary>
        internal void SetDeadline(TimeProvider time)
        {
            if (!canExpire || content.TimeToLive is not { } span)
                return;
            TimeSpan age = time.GetUtcNow() - (content.DueTime ?? content.SentTime);
            TimeSpan rest = age < TimeSpan.Zero ? (content.DueTime is null ? span : span - age) : age < span ? span - age : TimeSpan.Zero;
            Deadline = time.GetTimestamp() + rest.Ticks;
        }

        public override string ToString() => $"{Id} in {queue} ({State})";
    }

    internal sealed record Content(int Id, int ByteCount, int Priority, TimeSpan? TimeToLive, DateTimeOffset SentTime, DateTimeOffset? DueTime)
    {
        internal static int IdOf(QueueMessage message) => BinaryPrimitives.ReadInt32LittleEndian(message.Body.ToArray());

        internal QueueMessage ToMessage() => new(new MessageBody(Body(), 7, "x/y")) { Label = $"message {Id}", Priority = Priority, TimeToLive = TimeToLive, DueTime = DueTime };

        /// <summary>The time stamp of the due time; only where nobody sets the clock.</summary>
        internal long DueStamp => DueTime is { } due ? (due - DateTimeOffset.UnixEpoch).Ticks : 0;

        internal bool IsWhole(Seen seen) => seen is { Message: var message, SentTime: var sentTime } &&
            message.Body.ToArray().AsSpan().SequenceEqual(Body()) && message.Label == $"message {Id}" && message.Body is { BodyType: 7, ContentType: "x/y" }
            && message.Priority == Priority && sentTime == SentTime && (message is PeekedMessage || message.DueTime == DueTime);

        private byte[] Body()
        {
            byte[] body = new byte[4 + ByteCount];
            new Random(Id).NextBytes(body);
            BinaryPrimitives.WriteInt32LittleEndian(body, Id);
            return body;
        }
    }
}
