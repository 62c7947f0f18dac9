using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using System.Threading.Tasks;
using Formatters.Queues.CrashProgram;

namespace Formatters.Queues.Tests;

/// <summary>What the ledgers of killed programs say, and the comparison with what is in the queues.</summary>
/// <remarks>A receiver under a lease does not say what it received, since another may have had it before it gets to that; what it removed is looked at.</remarks>
internal sealed class CrashLedger
{
    private readonly Dictionary<long, Entry> _items = [];
    private readonly Dictionary<long, Transaction> _uncertain = [];

    internal int SentCount { get; private set; }

    internal int RemovedCount { get; private set; }

    internal int CommittedCount { get; private set; }

    /// <summary>How many receivers were told that their lease had ended.</summary>
    internal int LateCount { get; private set; }

    /// <summary>How many sends, acknowledgements and transactions were under way at a kill, and of how many of them the log had the whole.</summary>
    internal int UncertainCount { get; private set; }

    internal int KeptCount { get; private set; }

    /// <summary>Takes the lines of one program over.</summary>
    internal void Read(IEnumerable<string> lines)
    {
        foreach (string line in lines)
        {
            string[] words = line.Split(' ');
            switch (words[0])
            {
                case "sending":
                    _items.Add(Id(words[1]), new Entry(words[2], Priority(words[3]), State.Sending));
                    break;
                case "sent":
                    Arrive(Id(words[1]));
                    SentCount++;
                    break;
                case "received":
                    Check(this[words[1]].State is not State.Gone, $"message {words[1]} was received again");
                    break;
                case "removing":
                    // By whose lease has ended it may be tried after another has done it.
                    this[words[1]].Leaving++;
                    if (this[words[1]].State is not State.Gone)
                        this[words[1]].State = State.Leaving;
                    break;
                case "late":
                    LateCount++;
                    // Nobody else tries: it is there.
                    if (words.Length > 1 && --this[words[1]].Leaving == 0 && this[words[1]].State == State.Leaving)
                        this[words[1]].State = State.There;
                    break;
                case "removed":
                    Check(this[words[1]].State is not State.Gone, $"message {words[1]} was acknowledged twice");
                    this[words[1]].State = State.Gone;
                    RemovedCount++;
                    break;
                case "committing":
                    Begin(words);
                    break;
                case "committed":
                    Commit(Id(words[1]));
                    break;
            }
        }
    }

    /// <summary>Compares with what is in the queues of a folder, and takes over what was uncertain.</summary>
    internal async Task CheckAsync(string folder)
    {
        var found = new HashSet<long>();
        await using (var provider = new FileQueueProvider(Program.Options))
        {
            foreach (string name in new[] { "a", "b", "c" })
                await FindAsync(provider, folder, name, found);
        }

        foreach (Transaction transaction in _uncertain.Values)
        {
            // What another took was sent, before this program could say so.
            bool[] happened = [.. transaction.Sent.Select(id => found.Contains(id) || _items[id].State is State.Leaving or State.Gone), .. transaction.Received.Select(id => !found.Contains(id))];
            Check(happened.Distinct().Count() == 1, $"the transaction +{string.Join(" +", transaction.Sent)} -{string.Join(" -", transaction.Received)} is there by half");
            Count(happened[0]);
        }

        foreach ((long id, Entry item) in _items)
        {
            bool isThere = found.Contains(id);
            Check(isThere || item.State != State.There, $"message {id} is lost");
            Check(!isThere || item.State != State.Gone, $"message {id} is there again");
            if (item.State is State.Sending or State.Leaving && !_uncertain.Values.Any(transaction => transaction.Sent.Contains(id) || transaction.Received.Contains(id)))
                Count(isThere == (item.State == State.Sending));
            item.State = isThere ? State.There : State.Gone;
            item.Leaving = 0;
        }

        _uncertain.Clear();
    }

    private async Task FindAsync(FileQueueProvider provider, string folder, string name, HashSet<long> found)
    {
        var options = new QueueOptions { DeliveryMode = DeliveryMode.Recoverable, ReceiveMode = ReceiveMode.PeekLock };
        await using QueueClient queue = await provider.OpenAsync(QueueAddress.Parse($"file://{folder}/{name}"), options, default);
        var last = new Dictionary<(long Sender, int Priority), long>();
        int lastPriority = int.MaxValue;
        while (await queue.ReceiveAsync(TimeSpan.Zero) is { } message)
        {
            long id = CrashMessage.Read(message);
            Check(_items.TryGetValue(id, out Entry? item) && item.Queue == name, $"message {id} is in queue {name}, to which it was not sent");
            Check(found.Add(id), $"message {id} is there twice");
            Check(message.Priority == item!.Priority, $"message {id} has priority {message.Priority}, and was sent with {item.Priority}");
            Check(message.Priority <= lastPriority, $"message {id} is behind one of a lower priority");
            lastPriority = message.Priority;
            (long, int) line = (id % CrashMessage.SenderCount, message.Priority);
            Check(last.GetValueOrDefault(line, -1) < id, $"message {id} is behind a later one of its sender");
            last[line] = id;
        }
    }

    private void Begin(string[] words)
    {
        var transaction = new Transaction([], []);
        foreach (string word in words[2..])
        {
            string[] parts = word[1..].Split('@');
            if (word[0] == '+')
            {
                _items.Add(Id(parts[0]), new Entry(parts[1], Priority(parts[2]), State.Sending));
                transaction.Sent.Add(Id(parts[0]));
            }
            else
            {
                this[parts[0]].Leaving++;
                this[parts[0]].State = State.Leaving;
                transaction.Received.Add(Id(parts[0]));
            }
        }

        _uncertain.Add(Id(words[1]), transaction);
    }

    private void Commit(long number)
    {
        _uncertain.Remove(number, out Transaction? transaction);
        transaction!.Sent.ForEach(Arrive);
        foreach (long id in transaction.Received)
            _items[id].State = State.Gone;
        CommittedCount++;
    }

    /// <summary>A message may have been received, and more, before its sender says that it is there.</summary>
    private void Arrive(long id)
    {
        if (_items[id].State == State.Sending)
            _items[id].State = State.There;
    }

    private void Count(bool isKept)
    {
        UncertainCount++;
        if (isKept)
            KeptCount++;
    }

    private Entry this[string id] => _items[Id(id)];

    private static int Priority(string text) => int.Parse(text, CultureInfo.InvariantCulture);

    private static long Id(string text) => long.Parse(text, CultureInfo.InvariantCulture);

    private static void Check(bool condition, string violation)
    {
        if (!condition)
            throw new InvalidOperationException(violation);
    }

    private enum State
    {
        Sending,
        There,
        Leaving,
        Gone,
    }

    private sealed class Entry(string queue, int priority, State state)
    {
        internal int Priority => priority;

        internal string Queue => queue;

        internal State State { get; set; } = state;

        /// <summary>How many have tried to remove it and were not told that they were too late.</summary>
        internal int Leaving { get; set; }
    }

    private sealed record Transaction(List<long> Sent, List<long> Received);
}
