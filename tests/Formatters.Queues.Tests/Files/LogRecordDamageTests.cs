using System;
using System.Collections.Generic;
using System.Linq;
using System.Text;
using System.Threading.Tasks;
using Xunit;

namespace Formatters.Queues.Tests;

/// <summary>A log of removals, deliveries, dead letters, journal copies, transactions and decisions, cut at every byte and with every bit flipped.</summary>
public class LogRecordDamageTests
{
    private const string FirstSegment = DamagedLog.FirstSegment;

    private static readonly string[] QueueNames = ["a", "b", "dead", "journal"];
    private static readonly QueueOptions PeekLock = new() { DeliveryMode = DeliveryMode.Recoverable, ReceiveMode = ReceiveMode.PeekLock };
    private static readonly QueueOptions Limited = PeekLock with { DeadLetterQueue = "dead", JournalQueue = "journal", MaxDeliveryCount = 5 };

    [Fact]
    public void Log_torn_at_every_byte_has_every_record_before_and_none_behind()
    {
        var disks = new List<SimulatedDisk>();
        MakeLog(close: false, out List<string> states, disks);
        Assert.Equal(states.Count, states.Distinct().Count());
        for (int step = 1; step < states.Count; step++)
        {
            int at = step - 1;
            foreach (SimulatedDisk torn in DamagedLog.Tear(disks[step - 1], disks[step]))
            {
                string state = StateOf(torn);
                int found = states.IndexOf(state, at);
                Assert.True(found >= 0 && found <= step, $"torn in step {step}:\n{state}");
                at = found;
            }

            Assert.Equal(step, at);
        }
    }

    [ExhaustiveFact]
    public void Log_with_any_bit_flipped_has_every_record_or_is_refused()
    {
        int refused = DamagedLog.FlipEveryBit(MakeLog(close: true, out _), StateOf);

        Assert.True(refused > 5_000, $"{refused} refused");
    }

    [Fact]
    public void Whole_log_is_salvaged_with_every_record_at_every_step()
    {
        var disks = new List<SimulatedDisk>();
        MakeLog(close: false, out List<string> states, disks);
        for (int step = 0; step < states.Count; step++)
        {
            using QueueFolderLog log = QueueFolderLog.Open(disks[step], null, default);
            Assert.Empty(log.Findings);
            Assert.Empty(log.LostNumbers);
            Assert.Equal(0, log.UncertainCount);
            var target = new SimulatedDisk();
            log.Salvage(target, 1 << 16, null, default);
            Assert.Equal(states[step], StateOf(target));
        }
    }

    [ExhaustiveFact]
    public void Log_with_any_bit_flipped_is_salvaged_without_a_record_that_was_not_there()
    {
        SimulatedDisk disk = MakeLog(close: true, out List<string> states);
        HashSet<string> known = [.. states.SelectMany(MessagesOf)];
        int end = DamagedLog.EndOf(disk);
        for (int bit = 0; bit < end * 8; bit += 7)
        {
            SimulatedDisk flipped = disk.Clone();
            flipped.BytesOf(FirstSegment)[bit / 8] ^= (byte)(1 << (bit % 8));
            using QueueFolderLog log = QueueFolderLog.Open(flipped, null, default);
            var target = new SimulatedDisk();
            log.Salvage(target, 1 << 16, null, default);
            Assert.All(MessagesOf(StateOf(target)), message => Assert.True(known.Contains(message), $"bit {bit}: {message}"));
        }

        // Text, label and priority: how often it was delivered, and why it is dead, may be in what is lost.
        static IEnumerable<string> MessagesOf(string state) =>
            state.Split('\n').SelectMany(line => line.Split(") ")).Where(part => part.Contains('(', StringComparison.Ordinal))
                .Select(part => string.Join(',', part[(part.IndexOf(':', StringComparison.Ordinal) + 1)..].Trim().Split(',').Take(2)));
    }

    /// <summary>Makes the log, one flush for each step.</summary>
    /// <param name="close">Whether it is closed in order.</param>
    /// <param name="states">What is in the queues before the first step and after each.</param>
    /// <param name="disks">Gets the disk before the first step and after each.</param>
    private static SimulatedDisk MakeLog(bool close, out List<string> states, List<SimulatedDisk>? disks = null)
    {
        var disk = new SimulatedDisk();
        QueueFolder folder = Open(disk);
        FileQueueStore[] stores = [.. QueueNames.Select(name => OpenStore(folder, name))];
        var a = new FileQueue(stores[0], Address("a"), Limited, stores[2], stores[3]);
        var b = new FileQueue(stores[1], Address("b"), PeekLock);
        var transactional = new FileQueue(stores[1], Address("b"), new QueueOptions { DeliveryMode = DeliveryMode.Transactional });
        var both = new FileMulticastQueue(Address("a"), PeekLock, [new FileQueue(stores[0], Address("a"), PeekLock), b]);
        var first = new Decision(new Guid(1, 0, 0, new byte[8]), new Guid(9, 9, 9, new byte[8]));
        var second = new Decision(new Guid(2, 0, 0, new byte[8]), first.ResourceManagerId);
        Action[] steps =
        [
            () => Wait(a.SendAsync(Message("one"))),
            () => Wait(a.SendAsync(Message("two", priority: 9))),
            () => Wait(both.SendAsync(Message("three"))),
            () => Wait(a.SendAsync(Message("four"))),
            // Delivered: "two", which comes back; Moved: as a dead letter, and into the journal; Removed.
            () => Wait(Receive(a).ReturnAsync()),
            () => Wait(Receive(a).DeadLetterAsync("why", "because")),
            () => Wait(Receive(a).AcknowledgeAsync()),
            () => Wait(Receive(b).AcknowledgeAsync()),
            () => Transact(null, "five"),
            () => Transact(first, "six"),
            () =>
            {
                folder.Decisions.Deliver(first.TransactionId);
                Transact(second, "seven");
            },
        ];
        states = [StateOf(disk.Clone())];
        disks?.Add(disk.Clone());
        foreach (Action step in steps)
        {
            step();
            folder.WritePending();
            states.Add(StateOf(disk.Clone()));
            disks?.Add(disk.Clone());
        }

        if (close)
            folder.DisposeAsync().AsTask().GetAwaiter().GetResult();
        return disk;

        void Transact(Decision? decision, string text)
        {
            var transaction = (FileTransaction)transactional.BeginTransactionAsync().AsTask().GetAwaiter().GetResult();
            if (text != "five")
                Assert.NotNull(transactional.ReceiveAsync(TimeSpan.Zero, transaction).AsTask().GetAwaiter().GetResult());
            Wait(transactional.SendAsync(Message(text), transaction));
            Wait(transactional.SendAsync(Message(text + " again"), transaction));
            Wait(decision is { } one ? transaction.CommitAsync(one) : transaction.CommitAsync());
        }

        ReceivedMessage Receive(FileQueue queue)
        {
            ValueTask<ReceivedMessage?> receive = queue.ReceiveAsync(TimeSpan.Zero);
            while (!receive.IsCompleted)
                Assert.True(folder.WritePending());
            return receive.GetAwaiter().GetResult()!;
        }

        void Wait(ValueTask task)
        {
            while (!task.IsCompleted)
                Assert.True(folder.WritePending());
            task.GetAwaiter().GetResult();
        }
    }

    /// <summary>What is in the queues of a log, in their order, with the decisions, as text.</summary>
    private static string StateOf(SimulatedDisk disk)
    {
        QueueFolder folder = Open(disk);
        var state = new StringBuilder();
        foreach (string name in QueueNames)
        {
            var queue = new FileQueue(OpenStore(folder, name), Address(name), PeekLock);
            state.Append(name).Append(':');
            while (queue.ReceiveAsync(TimeSpan.Zero).AsTask().GetAwaiter().GetResult() is { } message)
            {
                state.Append($" {Encoding.UTF8.GetString(message.Body.ToArray())} ({message.Label}, {message.Priority}, {message.DeliveryCount}");
                state.Append($", {message.DeadLetterReason}, {message.DeadLetterDescription}, {message.DeadLetterSource})");
            }

            state.AppendLine();
        }

        foreach (Decision decision in folder.Decisions.GetUndelivered())
            state.AppendLine($"{decision}");
        return state.ToString();
    }

    private static QueueMessage Message(string text, int priority = QueueMessage.DefaultPriority) =>
        new(new MessageBody(Encoding.UTF8.GetBytes(text))) { Label = $"label of {text}", Priority = priority };

    private static QueueFolder Open(SimulatedDisk disk) => new("/simulated", disk, new FileQueueOptions { SegmentByteCount = 1 << 16 }, hasThread: false);

    private static FileQueueStore OpenStore(QueueFolder folder, string name)
    {
        ValueTask<FileQueueStore> open = folder.OpenQueueAsync(name, default);
        while (!open.IsCompleted)
            Assert.True(folder.WritePending());
        return open.GetAwaiter().GetResult();
    }

    private static QueueAddress Address(string name) => QueueAddress.Parse("file:///simulated/" + name);
}
