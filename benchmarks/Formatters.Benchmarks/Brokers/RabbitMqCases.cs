using Formatters.Queues.RabbitMQ;
using RabbitMQ.Client;
using RabbitMQ.Client.Events;

namespace Formatters.Benchmarks.Brokers;

/// <summary>Queues over RabbitMQ beside bare loops over RabbitMQ.Client that promise the same.</summary>
internal sealed class RabbitMqCases(string address)
{
    private const string Peer = "RabbitMQ.Client";

    /// <summary>The same without properties: a receiver knows neither which message it is nor when it was sent nor what its body is.</summary>
    private const string PlainPeer = Peer + ", body only";
    private const int Window = 1000;

    /// <summary>The same count of messages published, and their confirms waited for, before the next; or taken, and acknowledged with one
    /// frame.</summary>
    private const string BatchPeer = Peer + ", the same batch";
    private const int BatchCount = 100;
    private const int PrefetchCount = 200;

    /// <summary>More is not measured in one round: what a queue holds takes memory, and a broker that pages it is another case.</summary>
    private const int MaxCount = 50_000;

    /// <summary>More than any receiver takes in a second here.</summary>
    private const int FillPerSecond = 25_000;

    private readonly QueueConnector _connector = new(new RabbitMqQueueProvider());
    private readonly byte[] _body = BrokerCase.CreateBody();
    private readonly string _idPrefix = Guid.NewGuid() + "\\";

    internal IReadOnlyList<BrokerCase> All =>
    [
        new("send express", Peer, time => WithQueueAsync(async name => (await BareSendAsync(name, time, isRecoverable: false)).Rate),
            time => WithQueueAsync(name => SendAsync(name, time, DeliveryMode.Express, window: 1))),
        new("send express", PlainPeer,
            time => WithQueueAsync(async name => (await BareSendAsync(name, time, isRecoverable: false, isPlain: true)).Rate),
            time => WithQueueAsync(name => SendAsync(name, time, DeliveryMode.Express, window: 1))),
        new("send recoverable, 1,000 in flight", Peer,
            time => WithQueueAsync(async name => (await BareSendAsync(name, time, isRecoverable: true)).Rate),
            time => WithQueueAsync(name => SendAsync(name, time, DeliveryMode.Recoverable, Window))),
        new("send recoverable, one after the other", Peer, time => WithQueueAsync(name => BareSendEachAsync(name, time)),
            time => WithQueueAsync(name => SendAsync(name, time, DeliveryMode.Recoverable, window: 1))),
        new("send recoverable, batches of 100", BatchPeer, time => WithQueueAsync(name => BareSendBatchesAsync(name, time)),
            time => WithQueueAsync(name => SendBatchesAsync(name, time))),
        new("receive, acknowledge batches of 100", BatchPeer, time => WithQueueAsync(name => BareReceiveAsync(name, BatchCount, time)),
            time => WithQueueAsync(name => ReceiveBatchesAsync(name, time))),
        new("receive, prefetch 200, each acknowledged", Peer, time => WithQueueAsync(name => BareReceiveAsync(name, 1, time)),
            time => WithQueueAsync(name => ReceiveAsync(name, time))),
    ];

    private async Task<double> WithQueueAsync(Func<string, Task<double>> run)
    {
        string name = "formatters-benchmark-" + Guid.NewGuid().ToString("N");
        try
        {
            return await run(name);
        }
        catch (OperationCanceledException e)
        {
            throw new PeerException($"The connection to '{address}' was lost.", e);
        }
        finally
        {
            await _connector.DeleteAsync($"{address}/{name}");
        }
    }

    private async Task<double> SendAsync(string name, TimeSpan time, DeliveryMode mode, int window)
    {
        await using QueueClient queue = await OpenAsync(name, new QueueOptions { DeliveryMode = mode, SendWindow = Window });
        var message = new QueueMessage(new MessageBody(_body));
        var pending = new Queue<Task>();
        int count = 0;
        long start = Stopwatch.GetTimestamp();
        do
        {
            pending.Enqueue(queue.SendAsync(message).AsTask());
            if (pending.Count >= window)
                await pending.Dequeue();
        }
        while (++count < MaxCount && Stopwatch.GetElapsedTime(start) < time);

        while (pending.TryDequeue(out Task? send))
            await send;
        // Until all are in the queue.
        while (await queue.GetMessageCountAsync() < count)
            await Task.Delay(1);
        return Rate(count, start);
    }

    /// <summary>Fills a queue with what a receiver may take within the time.</summary>
    private Task<(int Count, double Rate)> FillAsync(string name, TimeSpan time) =>
        BareSendAsync(name, TimeSpan.FromMinutes(1), isRecoverable: false,
            maxCount: (int)Math.Min(MaxCount, Math.Ceiling(FillPerSecond * time.TotalSeconds)));

    private async Task<(int Count, double Rate)> BareSendAsync(string name, TimeSpan time, bool isRecoverable, bool isPlain = false,
        int maxCount = MaxCount)
    {
        await using IConnection connection = await ConnectAsync();
        CancellationToken lost = CancelWhenLost(connection);
        await using IChannel channel = await connection.CreateChannelAsync(
            new CreateChannelOptions(isRecoverable, publisherConfirmationTrackingEnabled: false, null));
        await channel.QueueDeclareAsync(name, durable: true, exclusive: false, autoDelete: false);
        using var window = new SemaphoreSlim(Window, Window);
        ulong confirmed = 0;
        channel.BasicAcksAsync += (_, e) =>
        {
            int released = e.Multiple ? (int)(e.DeliveryTag - confirmed) : 1;
            confirmed += (ulong)released;
            window.Release(released);
            return Task.CompletedTask;
        };
        int count = 0;
        long start = Stopwatch.GetTimestamp();
        do
        {
            if (isRecoverable)
                await window.WaitAsync(lost);
            await channel.BasicPublishAsync("", name, mandatory: true, isPlain ? PlainProperties(isRecoverable) : Properties(isRecoverable, count),
                _body);
        }
        while (++count < maxCount && Stopwatch.GetElapsedTime(start) < time);

        while (await channel.MessageCountAsync(name) < count)
            await Task.Delay(1);
        return (count, Rate(count, start));
    }

    private async Task<double> BareSendEachAsync(string name, TimeSpan time)
    {
        await using IConnection connection = await ConnectAsync();
        await using IChannel channel = await connection.CreateChannelAsync(
            new CreateChannelOptions(true, publisherConfirmationTrackingEnabled: true, null));
        await channel.QueueDeclareAsync(name, durable: true, exclusive: false, autoDelete: false);
        int count = 0;
        long start = Stopwatch.GetTimestamp();
        do
        {
            await channel.BasicPublishAsync("", name, mandatory: true, Properties(isRecoverable: true, count), _body);
        }
        while (++count < MaxCount && Stopwatch.GetElapsedTime(start) < time);
        return Rate(count, start);
    }

    private async Task<double> SendBatchesAsync(string name, TimeSpan time)
    {
        await using QueueClient queue = await OpenAsync(name, new QueueOptions { DeliveryMode = DeliveryMode.Recoverable, SendWindow = Window });
        QueueMessage[] batch = [.. Enumerable.Range(0, BatchCount).Select(_ => new QueueMessage(new MessageBody(_body)))];
        int count = 0;
        long start = Stopwatch.GetTimestamp();
        do
        {
            await queue.SendBatchAsync(batch);
            count += batch.Length;
        }
        while (count < MaxCount && Stopwatch.GetElapsedTime(start) < time);
        return Rate(count, start);
    }

    private async Task<double> BareSendBatchesAsync(string name, TimeSpan time)
    {
        await using IConnection connection = await ConnectAsync();
        CancellationToken lost = CancelWhenLost(connection);
        await using IChannel channel = await connection.CreateChannelAsync(
            new CreateChannelOptions(true, publisherConfirmationTrackingEnabled: false, null));
        await channel.QueueDeclareAsync(name, durable: true, exclusive: false, autoDelete: false);
        using var confirmed = new SemaphoreSlim(0);
        ulong settled = 0;
        ulong wanted = BatchCount;
        channel.BasicAcksAsync += (_, e) =>
        {
            settled = e.Multiple ? e.DeliveryTag : settled + 1;
            if (settled >= Volatile.Read(ref wanted))
            {
                Interlocked.Add(ref wanted, BatchCount);
                confirmed.Release();
            }

            return Task.CompletedTask;
        };
        int count = 0;
        long start = Stopwatch.GetTimestamp();
        do
        {
            for (int i = 0; i < BatchCount; i++)
                await channel.BasicPublishAsync("", name, mandatory: true, Properties(isRecoverable: true, count + i), _body);
            await confirmed.WaitAsync(lost);
            count += BatchCount;
        }
        while (count < MaxCount && Stopwatch.GetElapsedTime(start) < time);
        return Rate(count, start);
    }

    private async Task<double> ReceiveBatchesAsync(string name, TimeSpan time)
    {
        (int filled, _) = await FillAsync(name, time);
        await using QueueClient queue = await OpenAsync(
            name, new QueueOptions { PrefetchCount = PrefetchCount, ReceiveMode = ReceiveMode.PeekLock });
        int count = 0;
        long start = Stopwatch.GetTimestamp();
        do
        {
            IReadOnlyList<ReceivedMessage> batch = await queue.ReceiveBatchAsync(BatchCount, TimeSpan.FromSeconds(30));
            if (batch.Count == 0)
                throw new PeerException($"'{queue.Address}' delivered only {count} of {filled} messages.");
            await queue.AcknowledgeBatchAsync(batch);
            count += batch.Count;
        }
        while (count < filled && Stopwatch.GetElapsedTime(start) < time);
        return Rate(count, start);
    }

    private async Task<double> BareReceiveAsync(string name, int batchCount, TimeSpan time)
    {
        (int filled, _) = await FillAsync(name, time);
        await using IConnection connection = await ConnectAsync();
        CancellationToken lost = CancelWhenLost(connection);
        await using IChannel channel = await connection.CreateChannelAsync();
        await channel.BasicQosAsync(0, PrefetchCount, global: false);
        var done = new TaskCompletionSource();
        int count = 0;
        long start = Stopwatch.GetTimestamp();
        var consumer = new AsyncEventingBasicConsumer(channel);
        consumer.ReceivedAsync += async (_, e) =>
        {
            if (done.Task.IsCompleted)
                return;
            // A message outlives its handler, as those of a queue do.
            GC.KeepAlive(e.Body.ToArray());
            bool isLast = ++count == filled || Stopwatch.GetElapsedTime(start) >= time;
            if (count % batchCount == 0 || isLast)
                await channel.BasicAckAsync(e.DeliveryTag, multiple: batchCount > 1);
            if (isLast)
                done.TrySetResult();
        };
        await channel.BasicConsumeAsync(name, autoAck: false, consumer);
        await done.Task.WaitAsync(lost);
        return Rate(count, start);
    }

    private async Task<double> ReceiveAsync(string name, TimeSpan time)
    {
        (int filled, _) = await FillAsync(name, time);
        await using QueueClient queue = await OpenAsync(
            name, new QueueOptions { PrefetchCount = PrefetchCount, ReceiveMode = ReceiveMode.PeekLock });
        int count = 0;
        long start = Stopwatch.GetTimestamp();
        do
        {
            ReceivedMessage message = await queue.ReceiveAsync(TimeSpan.FromSeconds(30))
                ?? throw new PeerException($"'{queue.Address}' delivered only {count} of {filled} messages.");
            await message.AcknowledgeAsync();
        }
        while (++count < filled && Stopwatch.GetElapsedTime(start) < time);
        return Rate(count, start);
    }

    private Task<IConnection> ConnectAsync() => new ConnectionFactory { Uri = new Uri(address) }.CreateConnectionAsync();

    /// <summary>Returns a token that is cancelled when the connection ends, so that no loop waits for a confirm or a delivery that cannot
    /// come.</summary>
    private static CancellationToken CancelWhenLost(IConnection connection)
    {
        var lost = new CancellationTokenSource();
        connection.ConnectionShutdownAsync += (_, reason) =>
            reason.Initiator == ShutdownInitiator.Application ? Task.CompletedTask : lost.CancelAsync();
        return lost.Token;
    }

    private ValueTask<QueueClient> OpenAsync(string name, QueueOptions options) => _connector.OpenAsync($"{address}/{name}", options);

    private static BasicProperties PlainProperties(bool isRecoverable) =>
        new() { DeliveryMode = isRecoverable ? DeliveryModes.Persistent : DeliveryModes.Transient };

    /// <summary>Creates the properties that a queue sends with each message.</summary>
    private BasicProperties Properties(bool isRecoverable, int number) => new()
    {
        DeliveryMode = isRecoverable ? DeliveryModes.Persistent : DeliveryModes.Transient,
        Headers = new Dictionary<string, object?> { ["BodyType"] = 0 },
        Timestamp = new AmqpTimestamp(DateTimeOffset.UtcNow.ToUnixTimeSeconds()),
        MessageId = string.Create(CultureInfo.InvariantCulture, $"{_idPrefix}{number}"),
    };

    private static double Rate(int count, long start) => count / Stopwatch.GetElapsedTime(start).TotalSeconds;
}
