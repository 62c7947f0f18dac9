using Formatters.SystemMessaging;
using Formatters.Queues.PostgreSql;
using Formatters.Queues.RabbitMQ;
using Framework = System.Messaging;

namespace Formatters.Benchmarks.Brokers;

/// <summary>Queues through System.Messaging's API (<c>Formatters.SystemMessaging</c>), beside the same queues through <see
/// cref="QueueClient"/>.</summary>
/// <remarks>One thread sends, receives, and commits a transaction for each message, and waits for each: the peer is called in the same way. The
/// body is a string of 40 or 512 characters in XML, which each side writes and reads. MSMQ hands over one message at a time, so that other programs
/// can receive those after it, and so do both sides; both write to a folder on the calling thread.</remarks>
internal sealed class MessagingCases : IAsyncDisposable
{
    internal const string Peer = "QueueClient";

    /// <summary>Messages are sent before the clock runs, so many at a time.</summary>
    private const int FillCount = 500;

    private static readonly Framework.IMessageFormatter Formatter = new Framework.XmlMessageFormatter([typeof(string)]);

    private readonly string _folder = Directory.CreateTempSubdirectory("formatters-messaging-").FullName;
    private readonly XmlFormatter _xml = new(typeof(string));
    private readonly FileQueueProvider _folders = new(new FileQueueOptions { WritesOnCallingThread = true });
    private readonly QueueConnector _connector;
    private readonly List<(string Name, string Location)> _locations = [];

    internal MessagingCases(string? rabbitMq, string? postgres)
    {
        _connector = new QueueConnector(MemoryQueueProvider.Shared, _folders, new RabbitMqQueueProvider(), new PostgreSqlQueueProvider());
        _locations.Add(("memory", "memory:messaging/"));
        _locations.Add(("folder", $"file:{_folder}/queues/"));
        if (!string.IsNullOrEmpty(rabbitMq))
            _locations.Add(("RabbitMQ", rabbitMq.TrimEnd('/') + "/"));
        if (!string.IsNullOrEmpty(postgres))
            _locations.Add(("PostgreSQL", postgres.TrimEnd('/') + "/"));
    }

    /// <summary>Each work and the characters of its strings. A commit costs the same for any string.</summary>
    private static (Work Work, int CharCount)[] Works { get; } =
        [(Work.Send, 40), (Work.Receive, 40), (Work.Send, 512), (Work.Receive, 512), (Work.ReceiveInTransactions, 512)];

    internal IEnumerable<BrokerCase> All
    {
        get
        {
            foreach ((string name, string location) in _locations)
            {
                foreach ((Work work, int charCount) in Works)
                {
                    string text = new('x', charCount), does = work switch { Work.Send => "send", Work.Receive => "receive", _ => "transactions" };
                    yield return new BrokerCase(NameOf(name, does, charCount), Peer, time => Task.Run(() => PeerAsync(location, work, text, time)),
                        time => Task.Run(() => Own(location, work, text, time)));
                }
            }
        }
    }

    /// <summary>Returns the name of a case.</summary>
    internal static string NameOf(string queue, string work, int charCount) => $"System.Messaging, {queue}, {work}, {charCount}";

    public async ValueTask DisposeAsync()
    {
        await _folders.DisposeAsync();
        MessagingConfiguration.Close();
        Directory.Delete(_folder, recursive: true);
    }

    private async Task<double> PeerAsync(string location, Work work, string text, TimeSpan time)
    {
        // A folder is open once: the peer has its own.
        string address = location.Replace("/queues/", "/peer/", StringComparison.Ordinal) + "peer-" + Guid.NewGuid().ToString("N");
        try
        {
            QueueOptions options = new() { PrefetchCount = 1 };
            if (work == Work.ReceiveInTransactions)
                options = options with { DeliveryMode = DeliveryMode.Transactional };
            await using QueueClient queue = await _connector.OpenAsync(address, options);
            if (work == Work.Send)
                return await BrokerCase.MeasureAsync(1, time, () => Wait(SendAsync(queue, text)));
            return await ReceiveAsync(time, () => Wait(SendAsync(queue, text)), () => Wait(ReceiveOneAsync(queue)));
        }
        finally
        {
            await _connector.DeleteAsync(address);
        }

        static TTask Wait<TTask>(TTask task)
            where TTask : Task
        {
            task.GetAwaiter().GetResult();
            return task;
        }

        async Task<bool> ReceiveOneAsync(QueueClient queue)
        {
            await using QueueTransaction? transaction = work == Work.Receive ? null : await queue.BeginTransactionAsync();
            if (await queue.ReceiveAsync(TimeSpan.Zero, transaction) is not { } message)
                return false;
            Check(text, _xml.Read(message.Body));
            if (transaction is null)
                await message.AcknowledgeAsync();
            else
                await transaction.CommitAsync();
            return true;
        }
    }

    private async Task SendAsync(QueueClient queue, string text)
    {
        var message = new QueueMessage();
        _xml.Write(message.Body, text);
        if (queue.Options.DeliveryMode != DeliveryMode.Transactional)
        {
            await queue.SendAsync(message);
            return;
        }

        await using QueueTransaction transaction = await queue.BeginTransactionAsync();
        await queue.SendAsync(message, transaction);
        await transaction.CommitAsync();
    }

    private async Task<double> Own(string location, Work work, string text, TimeSpan time)
    {
        MessagingConfiguration.Use(new MessagingConfiguration { Folder = Path.Combine(_folder, "own"), LocalAddress = location });
        bool isTransactional = work == Work.ReceiveInTransactions;
        using Framework.MessageQueue queue = Framework.MessageQueue.Create(@".\private$\own-" + Guid.NewGuid().ToString("N"), isTransactional);
        queue.Formatter = Formatter;
        try
        {
            if (work == Work.Send)
                return await BrokerCase.MeasureAsync(1, time, Send);
            return await ReceiveAsync(time, Send, () => Task.FromResult(Receive()));
        }
        finally
        {
            Framework.MessageQueue.Delete(queue.Path);
            MessagingConfiguration.Close();
        }

        Task Send()
        {
            queue.Send(text, isTransactional ? Framework.MessageQueueTransactionType.Single : Framework.MessageQueueTransactionType.None);
            return Task.CompletedTask;
        }

        bool Receive()
        {
            try
            {
                if (!isTransactional)
                {
                    Check(text, queue.Receive(TimeSpan.Zero).Body);
                    return true;
                }

                using var transaction = new Framework.MessageQueueTransaction();
                transaction.Begin();
                Check(text, queue.Receive(TimeSpan.Zero, transaction).Body);
                transaction.Commit();
                return true;
            }
            catch (Framework.MessageQueueException e) when (e.MessageQueueErrorCode == Framework.MessageQueueErrorCode.IOTimeout)
            {
                return false;
            }
        }
    }

    /// <summary>Receives until the time has passed; the clock stands while messages are sent.</summary>
    private static async Task<double> ReceiveAsync(TimeSpan time, Func<Task> send, Func<Task<bool>> receive)
    {
        double count = 0, seconds = 0;
        while (seconds < time.TotalSeconds)
        {
            for (int i = 0; i < FillCount; i++)
                await send();
            long start = Stopwatch.GetTimestamp();
            for (int i = 0; i < FillCount; i++)
            {
                // A broker hands over its first message a moment after the queue was opened.
                if (await receive())
                    count++;
                else
                    i--;
            }

            seconds += Stopwatch.GetElapsedTime(start).TotalSeconds;
        }

        return count / seconds;
    }

    private static void Check(string text, object? body)
    {
        if (!text.Equals(body))
            throw new PeerException("A body differs from what was sent.");
    }

    private enum Work
    {
        Send = 0,
        Receive = 1,
        ReceiveInTransactions = 2,
    }
}
