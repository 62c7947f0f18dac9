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

    private readonly Dictionary<string, IMessageQueue> _recoverable = [];
    private readonly Dictionary<string, IMessageQueue> _transactional = [];

    internal static string[] QueueNames { get; } = ["a", "b", "c"];

    internal async Task RunAsync()
    {
        foreach (string name in QueueNames)
        {
            _recoverable[name] = await OpenAsync(name, new QueueOptions { DeliveryMode = DeliveryMode.Recoverable, ReceiveMode = ReceiveMode.PeekLock });
            _transactional[name] = await OpenAsync(name, new QueueOptions { DeliveryMode = DeliveryMode.Transactional });
        }

        ledger.Write("opened");
        var work = new List<Task>();
        for (int sender = 0; sender < 4; sender++)
            work.Add(Task.Run(NewSender(sender).SendAsync));
        for (int receiver = 4; receiver < 6; receiver++)
            work.Add(Task.Run(NewSender(receiver).ReceiveAsync));
        for (int mover = 6; mover < 8; mover++)
            work.Add(Task.Run(NewSender(mover).MoveAsync));
        await await Task.WhenAny(work);
    }

    private Sender NewSender(int number) => new(this, ledger, firstId + number, new Random((seed * CrashMessage.SenderCount) + number));

    private Task<IMessageQueue> OpenAsync(string name, QueueOptions options) =>
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
                ledger.Write($"sending {id} {name}");
                await worker._recoverable[name].SendAsync(CrashMessage.Create(id));
                ledger.Write($"sent {id}");
            }
        }

        internal async Task ReceiveAsync()
        {
            while (true)
            {
                ReceivedMessage? message = await worker._recoverable[NextQueue()].ReceiveAsync(Moment);
                if (message is null)
                    continue;
                long id = CrashMessage.Read(message);
                ledger.Write($"received {id}");
                if (random.Next(5) == 0)
                {
                    await message.ReturnAsync();
                    continue;
                }

                ledger.Write($"removing {id}");
                await message.AcknowledgeAsync();
                ledger.Write($"removed {id}");
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
                    await worker._transactional[name].SendAsync(CrashMessage.Create(id), transaction);
                    line.Append($" +{id}@{name}");
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

        private string NextQueue() => QueueNames[random.Next(QueueNames.Length)];

        private long NextId()
        {
            long id = _nextId;
            _nextId += CrashMessage.SenderCount;
            return id;
        }
    }
}
