using System;
using System.Globalization;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using Formatters.Queues.PostgreSql;
using Formatters.Queues.ServiceBus;

namespace Formatters.Queues.CrashProgram;

/// <summary>
/// <c>work FOLDER FIRST-ID SEED</c>: works until it is killed. <c>open FOLDER</c>: opens a queue and closes the folder.
/// <c>share-idle FOLDER</c>: has the folder open, shared, until the input ends. <c>hold FOLDER</c>: holds the folder until the input ends.
/// <c>send FOLDER FIRST-ID COUNT</c>: sends so many, one after the other, receives one after every second, and goes on after errors.
/// <c>consume ADDRESS LINES</c>: receives from a queue of a server under peek-lock, several at a time, until it is killed.
/// <c>sessions ADDRESS LINES</c>: receives from the sessions of a queue, one after the other, until it is killed.
/// After so many lines, both keep what they receive, without acknowledging it: a kill that comes late leaves messages to the next.
/// <c>coordinate FOLDER DATABASE FIRST-ID SEED</c>: commits transactions over both until it is killed.
/// <c>gap FOLDER DATABASE FIRST-ID GAP</c>: commits one, kills itself in a gap of that commit, or (<c>Second</c>) of the next.
/// <c>forward FOLDER TARGET FIRST-ID</c>: sends into the folder and forwards from it to a queue of a server until it is killed; with <c>exact</c>
/// behind it in transactions over both.
/// </summary>
public static class Program
{
    /// <summary>Segments so small that the work passes from one to the next all the time.</summary>
    public static FileQueueOptions Options { get; } = new() { SegmentByteCount = 1 << 16, CachedByteCount = 1 << 14, Sharing = FolderSharing.Exclusive };

    /// <summary>The same for a folder that several programs share.</summary>
    public static FileQueueOptions Shared { get; } = Options with { Sharing = FolderSharing.User };

    /// <summary>Runs a verb.</summary>
    public static async Task<int> Main(string[] args)
    {
        var ledger = new Ledger();
        ledger.Write("started");
        string folder = args[1];
        await using var provider = new FileQueueProvider(args[0] is "share" or "share-idle" ? Shared : Options);
        switch (args)
        {
            case ["work", _, string firstId, string seed]:
                await new Worker(provider, folder, ledger, Number(firstId), (int)Number(seed)).RunAsync();
                return 1;
            case ["share", _, string firstId, string seed]:
                await SharingWorker.RunAsync(provider, folder, ledger, Number(firstId), (int)Number(seed));
                return 1;
            case ["open", _]:
                await OpenAsync(provider, folder);
                ledger.Write("opened");
                return 0;
            case ["share-idle", _]:
                await OpenAsync(provider, folder);
                ledger.Write("opened");
                await Console.In.ReadToEndAsync();
                return 0;
            case ["hold", _]:
                await OpenAsync(provider, folder);
                ledger.Write("opened");
                await Console.In.ReadToEndAsync();
                return 0;
            case ["send", _, string firstId, string count]:
                await SendAsync(provider, folder, ledger, Number(firstId), Number(count));
                return 0;
            case ["consume", string address, string lineCount]:
                await ConsumeAsync(address, ledger, Number(lineCount));
                return 1;
            case ["sessions", string address, string lineCount]:
                await ConsumeSessionsAsync(address, ledger, Number(lineCount));
                return 1;
            case ["coordinate", _, string database, string firstId, string seed]:
                await using (CoordinatedWorker worker = await CoordinatedWorker.OpenAsync(folder, database, _ => Task.CompletedTask))
                {
                    ledger.Write("opened");
                    await worker.RunAsync(ledger, Number(firstId), (int)Number(seed));
                }

                return 1;
            case ["forward", _, string target, string firstId, .. string[] rest]:
                await ForwardingWorker.RunAsync(provider, folder, target, ledger, Number(firstId), isExact: rest.Length > 0);
                return 1;
            case ["gap", _, string database, string firstId, string gap]:
                int commits = 0;
                await using (CoordinatedWorker worker = await CoordinatedWorker.OpenAsync(folder, database, DieInGapAsync))
                    await worker.RunOnceAsync(ledger, Number(firstId));
                return 1;

                Task DieInGapAsync(CommitGap now)
                {
                    commits += now == CommitGap.BeforePrepare ? 1 : 0;
                    return $"{now}" == gap || (gap == "Second" && commits == 2) ? CoordinatedWorker.KillAsync() : Task.CompletedTask;
                }

            default:
                return 2;
        }
    }

    private static async Task SendAsync(FileQueueProvider provider, string folder, Ledger ledger, long firstId, long count)
    {
        QueueClient queue;
        try
        {
            queue = await OpenAsync(provider, folder);
        }
        catch (QueueException e)
        {
            ledger.Write($"failed {e.Message}");
            return;
        }

        for (long id = firstId; id < firstId + count; id++)
        {
            try
            {
                ledger.Write($"sending {id} a {QueueMessage.DefaultPriority}");
                await queue.SendAsync(CrashMessage.Create(id));
                ledger.Write($"sent {id}");
                if (id % 2 == 1)
                    await ReceiveAsync(queue, ledger);
            }
            catch (QueueException e)
            {
                ledger.Write($"failed {e.Message}");
            }
        }
    }

    private static async Task ConsumeAsync(string address, Ledger ledger, long lineCount)
    {
        QueueClient queue = await new QueueConnector(new PostgreSqlQueueProvider(), new ServiceBusQueueProvider()).OpenAsync(
            address, new QueueOptions { DeliveryMode = DeliveryMode.Recoverable, ReceiveMode = ReceiveMode.PeekLock, PrefetchCount = 20 });
        ledger.Write("opened");
        long written = 0;
        await Task.WhenAll(Enumerable.Range(0, 4).Select(_ => ReceiveAllAsync()));

        async Task ReceiveAllAsync()
        {
            while (true)
            {
                ReceivedMessage message = (await queue.ReceiveAsync(Timeout.InfiniteTimeSpan))!;
                ledger.Write($"received {message.MessageId}");
                if (Interlocked.Add(ref written, 2) > lineCount)
                    await Task.Delay(Timeout.Infinite);
                await message.AcknowledgeAsync();
                ledger.Write($"acknowledged {message.MessageId}");
            }
        }
    }

    private static async Task ConsumeSessionsAsync(string address, Ledger ledger, long lineCount)
    {
        QueueClient queue = await new QueueConnector(new ServiceBusQueueProvider()).OpenAsync(address, new QueueOptions { RequiresSession = true });
        ledger.Write("opened");
        long written = 0;
        while (true)
        {
            await using QueueClient session = (await queue.AcceptSessionAsync(Timeout.InfiniteTimeSpan))!;
            while (await session.ReceiveAsync(TimeSpan.Zero) is { } message)
            {
                ledger.Write($"received {session.SessionId} {message.MessageId}");
                if ((written += 2) > lineCount)
                    await Task.Delay(Timeout.Infinite);
                await message.AcknowledgeAsync();
                ledger.Write($"acknowledged {session.SessionId} {message.MessageId}");
            }
        }
    }

    private static async Task ReceiveAsync(QueueClient queue, Ledger ledger)
    {
        if (await queue.ReceiveAsync(TimeSpan.Zero) is not { } message)
            return;
        long id = CrashMessage.Read(message);
        ledger.Write($"received {id}");
        ledger.Write($"removing {id}");
        await message.AcknowledgeAsync();
        ledger.Write($"removed {id}");
    }

    private static async Task<QueueClient> OpenAsync(FileQueueProvider provider, string folder) =>
        await provider.OpenAsync(
            QueueAddress.Parse($"file://{folder}/a"), new QueueOptions { DeliveryMode = DeliveryMode.Recoverable, ReceiveMode = ReceiveMode.PeekLock }, default);

    private static long Number(string text) => long.Parse(text, CultureInfo.InvariantCulture);
}
