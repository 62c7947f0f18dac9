using System;
using System.Threading;
using System.Threading.Tasks;

namespace Formatters.Queues.CrashProgram;

/// <summary>
/// Works with others on one folder: sends to queue <c>a</c>, moves from there to <c>b</c> in transactions, and handles what is in <c>b</c>. An exception ends it, because none is
/// expected whoever of the others is killed.
/// </summary>
internal static class SharingWorker
{
    internal static async Task RunAsync(FileQueueProvider provider, string folder, Ledger ledger, long firstId, int seed)
    {
        var recoverable = new QueueOptions { DeliveryMode = DeliveryMode.Recoverable };
        var transactional = new QueueOptions { DeliveryMode = DeliveryMode.Transactional };
        QueueClient sent = await OpenAsync("a", recoverable);
        QueueClient taken = await OpenAsync("a", transactional);
        QueueClient moved = await OpenAsync("b", transactional);
        QueueClient handled = await OpenAsync("b", recoverable);
        ledger.Write("opened");
        long lastId = firstId;
        // Whoever fails ends the program.
        await await Task.WhenAny(SendAsync(1), SendAsync(10), MoveAsync(), MoveAsync(), HandleAsync(seed), HandleAsync(seed + 1));

        async Task SendAsync(int batch)
        {
            await Task.Yield();
            while (true)
            {
                var messages = new QueueMessage[batch];
                for (int i = 0; i < batch; i++)
                {
                    long id = Interlocked.Increment(ref lastId);
                    messages[i] = CrashMessage.Create(id);
                    ledger.Write($"sending {id}");
                }

                if (batch == 1)
                    await sent.SendAsync(messages[0]);
                else
                    await sent.SendBatchAsync(messages);
                foreach (QueueMessage message in messages)
                    ledger.Write($"sent {CrashMessage.Read(message)}");
                while (await sent.GetMessageCountAsync() > 200)
                    await Task.Delay(5);
            }
        }

        async Task MoveAsync()
        {
            await Task.Yield();
            while (true)
            {
                await using QueueTransaction transaction = await taken.BeginTransactionAsync();
                if (await taken.ReceiveAsync(TimeSpan.FromSeconds(1), transaction) is not { } message)
                    continue;
                long id = CrashMessage.Read(message);
                ledger.Write($"taken {id}");
                await moved.SendAsync(CrashMessage.Create(id), transaction);
                ledger.Write($"moving {id}");
                await transaction.CommitAsync();
                ledger.Write($"moved {id}");
            }
        }

        async Task HandleAsync(int own)
        {
            var random = new Random(own);
            while (true)
            {
                if (await handled.ReceiveAsync(TimeSpan.FromMilliseconds(random.Next(1, 500))) is not { } message)
                    continue;
                long id = CrashMessage.Read(message);
                ledger.Write($"received {id}");
                if (random.Next(4) == 0)
                    await Task.Delay(random.Next(30));
                ledger.Write($"acknowledging {id}");
                await message.AcknowledgeAsync();
                ledger.Write($"acknowledged {id}");
            }
        }

        async Task<QueueClient> OpenAsync(string name, QueueOptions options) =>
            await provider.OpenAsync(QueueAddress.Parse($"file://{folder}/{name}"), options, default);
    }
}
