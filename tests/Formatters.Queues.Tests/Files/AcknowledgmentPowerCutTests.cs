using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using Formatters.TestSupport;
using Xunit;

namespace Formatters.Queues.Tests;

/// <summary>
/// Random histories of messages that ask for all acknowledgements and a copy, on a simulated disk that loses power: whatever is left, the acknowledgements are those of what is left.
/// </summary>
[Collection(LongHistories.Name)]
public class AcknowledgmentPowerCutTests
{
    private static int SeedCount => TestScale.Count("FORMATTERS_DISK_SEEDS", full: 200, quick: 100, night: 20_000);

    [Fact]
    public void Acknowledgements_are_those_of_what_happened()
    {
        int cuts = 0;
        int positive = 0;
        int negative = 0;
        bool isWhole = Histories.RunAll(SeedCount, seed =>
        {
            using var history = new History(seed);
            history.Run();
            Interlocked.Add(ref cuts, history.PowerCuts);
            Interlocked.Add(ref positive, history.PositiveCount);
            Interlocked.Add(ref negative, history.NegativeCount);
        });
        if (!isWhole)
            return;
        Assert.True(cuts > SeedCount, $"only {cuts} power cuts");
        Assert.True(positive > SeedCount * 10, $"only {positive} positive acknowledgements");
        Assert.True(negative > SeedCount, $"only {negative} negative acknowledgements");
    }

    private sealed class History(int seed) : IDisposable
    {
        private static readonly QueueOptions PeekLock = new() { DeliveryMode = DeliveryMode.Recoverable, ReceiveMode = ReceiveMode.PeekLock };
        private static readonly QueueOptions Transactional = PeekLock with { DeliveryMode = DeliveryMode.Transactional };

        private readonly Random _random = new(seed);
        private readonly ManualTime _time = new();
        private readonly List<(string Id, string Queue, Task Send)> _sends = [];
        private readonly HashSet<(string Id, string Queue)> _certain = [];
        private readonly List<ReceivedMessage> _held = [];
        private SimulatedDisk _disk = new();
        private QueueFolder _folder = null!;
        private FileQueue[] _queues = [];
        private FileQueue[] _transactional = [];
        private int _lastId;

        internal int PowerCuts { get; private set; }

        internal int PositiveCount { get; private set; }

        internal int NegativeCount { get; private set; }

        public void Dispose() => _disk.Dispose();

        internal void Run()
        {
            for (int cycle = 0; cycle < 4; cycle++)
            {
                _disk.PowerCutAt = _disk.Operations + _random.Next(5, 200);
                try
                {
                    Open();
                    for (int step = 0; step < 60; step++)
                        Step();
                }
                catch (PowerCutException)
                {
                }
                catch (QueueException) when (_disk.Operations >= _disk.PowerCutAt)
                {
                }

                if (_disk.Operations >= _disk.PowerCutAt)
                    PowerCuts++;
                _certain.UnionWith(_sends.Where(send => send.Send.IsCompletedSuccessfully).Select(send => (send.Id, send.Queue)));
                _sends.Clear();
                _held.Clear();
                _disk = _disk.AfterPowerCut(_random);
                Check();
            }
        }

        private void Open()
        {
            // In half of the histories what asks for nothing is parked.
            var options = new FileQueueOptions
            {
                SegmentByteCount = 1 << 16, CachedByteCount = 4096, TimeProvider = _time, CachedMessageCount = seed % 2 == 0 ? 0 : 100_000, ParkedTogether = 1 + (seed % 3),
            };
            _folder = new QueueFolder("/simulated", _disk, options, hasThread: false);
            FileQueueStore[] stores = [.. new[] { "a", "b", "dead", "acks", "sent" }.Select(name => Pump(_folder.OpenQueueAsync(name, default)))];
            _queues = [new(stores[0], Address("a"), PeekLock with { DeadLetterQueue = "dead", MaxDeliveryCount = 3 }, stores[2]), new(stores[1], Address("b"), PeekLock)];
            _transactional = [new(stores[0], Address("a"), Transactional with { DeadLetterQueue = "dead" }, stores[2]), new(stores[1], Address("b"), Transactional)];
        }

        private void Step()
        {
            FileQueue queue = _queues[_random.Next(2)];
            switch (_random.Next(16))
            {
                case < 3:
                    Start(queue.SendAsync(NewMessage(out string id)), (id, queue));
                    break;
                case 3:
                    QueueMessage[] batch = [.. Enumerable.Range(0, _random.Next(2, 5)).Select(_ => NewMessage(out string _))];
                    Start(queue.SendBatchAsync(batch), [.. batch.Select(message => (message.MessageId!, queue))]);
                    break;
                case 4:
                    ValueTask both = new FileMulticastQueue(Address("a"), PeekLock, _queues).SendAsync(NewMessage(out string twice));
                    Start(both, (twice, _queues[0]), (twice, _queues[1]));
                    break;
                case < 8:
                    if (Pump(queue.ReceiveAsync(TimeSpan.Zero)) is { } message)
                        _held.Add(message);
                    break;
                case < 11:
                    Settle();
                    break;
                case 11:
                    Transact();
                    break;
                case 12 when _random.Next(4) == 0:
                    Pump(queue.PurgeAsync());
                    break;
                case 13:
                    _time.Advance(TimeSpan.FromSeconds(_random.Next(1, 30)));
                    break;
                default:
                    _folder.WritePending();
                    break;
            }
        }

        private void Settle()
        {
            if (_held.Count == 0)
                return;
            ReceivedMessage message = _held[_random.Next(_held.Count)];
            _held.Remove(message);
            bool hasDeadLetters = ((FileMessage)message).Queue.Name == "a";
            // Not waited for: several share a flush, or are cut off from it.
            _ = _random.Next(4) switch
            {
                0 when hasDeadLetters => message.DeadLetterAsync("why", "because").AsTask(),
                < 2 => message.ReturnAsync().AsTask(),
                _ => message.AcknowledgeAsync().AsTask(),
            };
        }

        private void Transact()
        {
            QueueTransaction transaction = Pump(_transactional[0].BeginTransactionAsync());
            var sent = new List<(string, FileQueue)>();
            for (int i = _random.Next(1, 5); i > 0; i--)
            {
                FileQueue queue = _transactional[_random.Next(2)];
                if (_random.Next(2) == 0)
                {
                    Pump(queue.SendAsync(NewMessage(out string id), transaction));
                    sent.Add((id, queue));
                }
                else if (Pump(queue.ReceiveAsync(TimeSpan.Zero, transaction)) is { } message && queue.Address.QueueName == "a" && _random.Next(3) == 0)
                {
                    Pump(message.DeadLetterAsync("why"));
                }
            }

            if (_random.Next(4) == 0)
                Pump(transaction.RollbackAsync());
            else
                Start(transaction.CommitAsync(), [.. sent]);
        }

        /// <summary>Of each message in each queue: it has arrived once if it is there or something became of it, and only one thing did.</summary>
        private void Check()
        {
            // On a copy, which is thrown away with what the check itself finds.
            SimulatedDisk disk = _disk;
            using SimulatedDisk copy = disk.Clone();
            _disk = copy;
            Open();
            _disk = disk;
            // Counting finds what has expired.
            foreach (FileQueue queue in _queues)
                Pump(queue.GetMessageCountAsync());
            _folder.WritePending();
            Dictionary<(string, string), int> arrivals = [];
            Dictionary<(string, string), AcknowledgmentClass> ends = [];
            foreach (PeekedMessage acknowledgment in Peek("acks"))
            {
                (string, string) of = (acknowledgment.CorrelationId!, acknowledgment.Acknowledgment!.QueueName);
                if (acknowledgment.Acknowledgment.Class == AcknowledgmentClass.ReachQueue)
                    Assert.True(arrivals.TryAdd(of, 1), $"{of} has arrived twice.");
                else
                    Assert.True(ends.TryAdd(of, acknowledgment.Acknowledgment.Class), $"{of} has left twice: {acknowledgment.Acknowledgment}");
                if (acknowledgment.Acknowledgment.IsPositive)
                    PositiveCount++;
                else
                    NegativeCount++;
            }

            (string, string)[] there = [.. new[] { "a", "b" }.SelectMany(name => Peek(name).Select(message => (message.MessageId!, name)))];
            Assert.DoesNotContain(there, ends.ContainsKey);
            Assert.DoesNotContain(there, of => !arrivals.ContainsKey(of));
            Assert.DoesNotContain(ends.Keys, of => !arrivals.ContainsKey(of));
            Assert.DoesNotContain(_certain, of => !arrivals.ContainsKey(of));
            Assert.Equal(arrivals.Keys.Select(of => of.Item1).Distinct().Order(StringComparer.Ordinal), Peek("sent").Select(message => message.MessageId).Order(StringComparer.Ordinal));
            Assert.Equal(
                ends.Where(end => end is { Key.Item2: "a", Value: AcknowledgmentClass.ReceiveRejected or AcknowledgmentClass.ReceiveTimeout }).Select(end => end.Key.Item1).Order(StringComparer.Ordinal),
                Peek("dead").Select(message => message.MessageId).Order(StringComparer.Ordinal));
            Assert.Equal(arrivals.Count, ends.Count + there.Length);
        }

        private IReadOnlyList<PeekedMessage> Peek(string name) =>
            Pump(new FileQueue((FileQueueStore)_folder.FindQueue(name)!, Address(name), PeekLock).PeekAsync(new PeekOptions { MaxCount = 100_000 }));

        private QueueMessage NewMessage(out string id)
        {
            id = $"{++_lastId}";
            return new QueueMessage(new MessageBody(new byte[_random.Next(4) == 0 ? _random.Next(20_000) : 100]))
            {
                MessageId = id,
                AcknowledgeTypes = AcknowledgeTypes.FullReachQueue | AcknowledgeTypes.FullReceive,
                AdministrationQueue = "acks",
                SourceJournalQueue = "sent",
                TimeToLive = _random.Next(4) == 0 ? TimeSpan.FromSeconds(_random.Next(1, 60)) : null,
            };
        }

        private void Start(ValueTask task, params (string Id, FileQueue Queue)[] sends)
        {
            Task send = task.AsTask();
            foreach ((string id, FileQueue queue) in sends)
                _sends.Add((id, queue.Address.QueueName, send));
            if (_random.Next(3) == 0)
                _folder.WritePending();
        }

        private T Pump<T>(ValueTask<T> task)
        {
            while (!task.IsCompleted)
                Assert.True(_folder.WritePending(), "It waits for nothing.");
            return task.GetAwaiter().GetResult();
        }

        private void Pump(ValueTask task)
        {
            while (!task.IsCompleted)
                Assert.True(_folder.WritePending(), "It waits for nothing.");
            task.GetAwaiter().GetResult();
        }

        private static QueueAddress Address(string name) => QueueAddress.Parse("file:///simulated/" + name);
    }
}
