using System;
using System.Collections.Generic;
using System.Linq;
using System.Text;
using System.Threading;
using System.Threading.Tasks;

namespace Formatters.Queues.CrashProgram;

/// <summary>Sends, receives and moves messages until it is killed.</summary>
internal sealed class Worker(FileQueueProvider provider, string folder, Ledger ledger, long firstId, int seed)
{
    private const int MaxMessageCount = 60;

    private static readonly TimeSpan Moment = TimeSpan.FromMilliseconds(1);

    /// <summary>So short that many a receiver is too late.</summary>
    private static readonly TimeSpan Lease = TimeSpan.FromMilliseconds(2);

    private readonly Dictionary<string, QueueClient> _recoverable = [];
    private readonly Dictionary<string, QueueClient> _leased = [];
    private readonly Dictionary<string, QueueClient> _transactional = [];

    internal static string[] QueueNames { get; } = ["a", "b", "c"];

    internal async Task RunAsync()
    {
        foreach (string name in QueueNames)
        {
            var peekLock = new QueueOptions { DeliveryMode = DeliveryMode.Recoverable, ReceiveMode = ReceiveMode.PeekLock };
            _recoverable[name] = await OpenAsync(name, peekLock);
            _leased[name] = await OpenAsync(name, peekLock with { LeaseDuration = Lease });
            _transactional[name] = await OpenAsync(name, new QueueOptions { DeliveryMode = DeliveryMode.Transactional });
        }

        ledger.Write("opened");
        var work = new List<Task>();
        for (int sender = 0; sender < 4; sender++)
            work.Add(Task.Run(NewSender(sender).SendAsync));
        work.Add(Task.Run(() => NewSender(4).ReceiveAsync(_recoverable)));
        work.Add(Task.Run(() => NewSender(5).ReceiveAsync(_leased)));
        for (int mover = 6; mover < 8; mover++)
            work.Add(Task.Run(NewSender(mover).MoveAsync));
        await await Task.WhenAny(work);
    }

    private Sender NewSender(int number) => new(this, ledger, firstId + number, new Random((seed * CrashMessage.SenderCount) + number));

    private Task<QueueClient> OpenAsync(string name, QueueOptions options) =>
        provider.OpenAsync(QueueAddress.Parse($"file://{folder}/{name}"), options, CancellationToken.None).AsTask();

    /// <summary>One flow of work. Its sends follow each other, so that they must come out in their order.</summary>
    private sealed class Sender(Worker worker, Ledger ledger, long firstId, Random random)
    {
        private long _nextId = firstId;

        internal async Task SendAsync()
        {
            while (true)
            {
                string name = NextQueue();
                if (await worker._recoverable[name].GetMessageCountAsync() > MaxMessageCount)
                {
                    await Task.Delay(Moment);
                    continue;
                }

                long id = NextId();
                int priority = NextPriority();
                ledger.Write($"sending {id} {name} {priority}");
                await worker._recoverable[name].SendAsync(CrashMessage.Create(id, priority));
                ledger.Write($"sent {id}");
            }
        }

        internal async Task ReceiveAsync(Dictionary<string, QueueClient> queues)
        {
            while (true)
            {
                ReceivedMessage? message = await queues[NextQueue()].ReceiveAsync(Moment);
                if (message is null)
                    continue;
                long id = CrashMessage.Read(message);
                // Another may have had it before this line is written, if this receiver is slow.
                if (message.LeaseEnd is null)
                    ledger.Write($"received {id}");
                if (message.LeaseEnd is not null && random.Next(3) == 0)
                    await Task.Delay(2 * Lease);
                bool isRemoving = false;
                try
                {
                    if (random.Next(5) == 0)
                    {
                        await message.ReturnAsync();
                        continue;
                    }

                    ledger.Write($"removing {id}");
                    isRemoving = true;
                    await message.AcknowledgeAsync();
                    ledger.Write($"removed {id}");
                }
                catch (QueueException e) when (message.LeaseEnd is not null && e.Message.Contains("lease", StringComparison.Ordinal))
                {
                    // Too late: it is another's now.
                    ledger.Write(isRemoving ? $"late {id}" : "late");
                }
            }
        }

        internal async Task MoveAsync()
        {
            while (true)
            {
                await using QueueTransaction transaction = await worker._transactional[QueueNames[0]].BeginTransactionAsync();
                var line = new StringBuilder();
                long number = NextId();
                for (int i = random.Next(4); i > 0; i--)
                {
                    if (await worker._transactional[NextQueue()].ReceiveAsync(TimeSpan.Zero, transaction) is not { } message)
                        continue;
                    long id = CrashMessage.Read(message);
                    ledger.Write($"received {id}");
                    line.Append($" -{id}");
                }

                for (int i = random.Next(4); i > 0; i--)
                {
                    string name = NextQueue();
                    if (await worker._transactional[name].GetMessageCountAsync() > MaxMessageCount)
                        continue;
                    long id = NextId();
                    int priority = NextPriority();
                    await worker._transactional[name].SendAsync(CrashMessage.Create(id, priority), transaction);
                    line.Append($" +{id}@{name}@{priority}");
                }

                if (random.Next(4) == 0)
                {
                    await transaction.RollbackAsync();
                    continue;
                }

                if (line.Length == 0)
                {
                    await Task.Delay(Moment);
                    continue;
                }

                ledger.Write($"committing {number}{line}");
                await transaction.CommitAsync();
                ledger.Write($"committed {number}");
            }
        }

        private int NextPriority() => random.Next(3) == 0 ? random.Next(10) : QueueMessage.DefaultPriority;

        private string NextQueue() => QueueNames[random.Next(QueueNames.Length)];

        private long NextId()
        {
            long id = _nextId;
            _nextId += CrashMessage.SenderCount;
            return id;
        }
    }
}
