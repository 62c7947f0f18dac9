using System;
using System.Threading;
using System.Threading.Tasks;
using Formatters.Queues.PostgreSql;
using Formatters.Queues.RabbitMQ;

namespace Formatters.Queues.CrashProgram;

/// <summary>Sends into a folder, and forwards from there to a server, in one process as an application would.</summary>
public static class ForwardingWorker
{
    /// <summary>The name of the queue in the folder.</summary>
    public const string QueueName = "out";

    /// <summary>Makes a forwarder from the folder to a queue of a server.</summary>
    /// <param name="folders">Opens the folder.</param>
    /// <param name="databases">Opens the database, if there is one.</param>
    /// <param name="folder">The folder's path.</param>
    /// <param name="target">The address of the queue.</param>
    /// <param name="isExact">Whether in transactions over both.</param>
    public static QueueForwarder Create(FileQueueProvider folders, PostgreSqlQueueProvider databases, string folder, string target, bool isExact)
    {
        ArgumentNullException.ThrowIfNull(target);
        var connector = new QueueConnector(folders, databases, new RabbitMqQueueProvider());
        return new QueueForwarder(connector, $"file://{folder}/{QueueName}", target, new ForwarderOptions
        {
            BatchSize = isExact ? 10 : null,
            MaxBackOff = TimeSpan.FromMilliseconds(500),
            Coordination = isExact
                ? new CoordinatedForwarding(folders, token => databases.OpenResourceManagerAsync(target[..target.LastIndexOf('/')], cancellationToken: token))
                : null,
        });
    }

    /// <summary>Works without end.</summary>
    internal static async Task RunAsync(FileQueueProvider folders, string folder, string target, Ledger ledger, long firstId, bool isExact)
    {
        var databases = new PostgreSqlQueueProvider();
        QueueClient queue = await folders.OpenAsync(QueueAddress.Parse($"file://{folder}/{QueueName}"), QueueOptions.Default, default);
        ledger.Write("opened");
        QueueForwarder forwarder = Create(folders, databases, folder, target, isExact);
        await await Task.WhenAny(forwarder.RunAsync(CancellationToken.None), Task.Run(SendAsync), Task.Run(TellAsync));

        async Task SendAsync()
        {
            for (long id = firstId; ; id++)
            {
                ledger.Write($"sending {id}");
                await queue.SendAsync(CrashMessage.Create(id));
                ledger.Write($"sent {id}");
                while (await queue.GetMessageCountAsync() > 500)
                    await Task.Delay(1);
            }
        }

        async Task TellAsync()
        {
            for (long told = 0; ; await Task.Delay(1))
            {
                if (forwarder.ForwardedCount == told)
                    continue;
                told = forwarder.ForwardedCount;
                ledger.Write($"forwarded {told}");
            }
        }
    }
}
