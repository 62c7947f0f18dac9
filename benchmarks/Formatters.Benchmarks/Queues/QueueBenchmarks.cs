using BenchmarkDotNet.Attributes;
using BenchmarkDotNet.Configs;
using Formatters.Bench.Rows;
using Formatters.Queues.PostgreSql;
using Formatters.Queues.RabbitMQ;

namespace Formatters.Benchmarks;

/// <summary>
/// Sending and receiving orders by formatter, queue and delivery mode; the time is that of one message. The batches are those of
/// <c>formatters-bench compare</c>: with the promise of the delivery mode kept for every message before the clock stops.
/// </summary>
[Config(typeof(QueueBenchmarkConfig))]
[GroupBenchmarksBy(BenchmarkLogicalGroupRule.ByMethod, BenchmarkLogicalGroupRule.ByParams)]
public class QueueBenchmarks
{
    /// <summary>How many messages are sent before they are received.</summary>
    public const int MessageCount = 500;

    private static readonly TimeSpan Timeout = TimeSpan.FromSeconds(30);

    private QueueConnector _connector = null!;
    private FileQueueProvider _files = null!;
    private QueueCase _case = QueueCase.All[0];
    private string _address = "";
    private Payload _payload = new EmptyPayload();
    private QueueClient? _sender;
    private QueueClient? _receiver;

    /// <summary>The names of the formatters: the rows of <c>formatters-bench compare</c>.</summary>
    public static IEnumerable<string> FormatterNames => OrderFormatterRows.Create().Select(static row => row.Name);

    /// <summary>The names of the queues that can be had here.</summary>
    public static IEnumerable<string> QueueNames => QueueCase.All.Select(static queueCase => queueCase.Name);

    [ParamsSource(nameof(FormatterNames))]
    public string Formatter { get; set; } = OrderFormatterRows.HandCoded;

    /// <summary>The queue and the delivery mode.</summary>
    [ParamsSource(nameof(QueueNames))]
    public string Queue { get; set; } = QueueCase.All[0].Name;

    /// <summary>Opens the queue, and its sender's channel by a first message.</summary>
    [GlobalSetup]
    public void Setup()
    {
        _files = new FileQueueProvider();
        _connector = new QueueConnector(new MemoryQueueProvider(), _files, new RabbitMqQueueProvider(), new PostgreSqlQueueProvider());
        _case = QueueCase.All.Single(queueCase => queueCase.Name == Queue);
        // A queue of its own: it is purged and deleted.
        _address = $"{_case.Address}-{Guid.NewGuid():N}";
        _payload = Payloads.CreateOrder(OrderFormatterRows.Select([Formatter])[0], SampleOrders.DefaultLineItemCount);
        _sender = Wait(OpenAsync());
        Wait(MessageBatch.SendAsync(_sender, _payload, 1, CancellationToken.None));
    }

    [GlobalCleanup]
    public void Cleanup()
    {
        CloseReceiver();
        Wait(_sender!.DisposeAsync().AsTask());
        Wait(_connector.DeleteAsync(_address).AsTask());
        // The folder is free again for the next.
        Wait(_files.DisposeAsync().AsTask());
        if (QueueAddress.Parse(_address).Uri is { IsFile: true } file)
            Directory.Delete(Path.GetDirectoryName(file.LocalPath)!, recursive: true);
    }

    [IterationSetup(Target = nameof(SendAsync))]
    public void PrepareSend() => Wait(_sender!.PurgeAsync().AsTask());

    /// <summary>Fills the queue, and opens a receiver: one that is there during the sends would share the work of sending.</summary>
    [IterationSetup(Target = nameof(ReceiveAsync))]
    public void PrepareReceive()
    {
        PrepareSend();
        Wait(SendAsync());
        _receiver = Wait(OpenAsync());
    }

    [IterationCleanup(Target = nameof(ReceiveAsync))]
    public void CloseReceiver()
    {
        if (_receiver is null)
            return;
        Wait(_receiver.DisposeAsync().AsTask());
        _receiver = null;
    }

    /// <summary>Writes and sends orders.</summary>
    /// <returns>How many are in the queue then: the clock stops when all are, also where a send promises less.</returns>
    [Benchmark(Description = "Send", OperationsPerInvoke = MessageCount)]
    public async Task<long> SendAsync()
    {
        await MessageBatch.SendAsync(_sender!, _payload, MessageCount, CancellationToken.None);
        long start = Stopwatch.GetTimestamp();
        long count;
        // RabbitMQ answers a count before it has enqueued what came in before it.
        while ((count = await _sender!.GetMessageCountAsync()) < MessageCount && Stopwatch.GetElapsedTime(start) < Timeout)
            await Task.Yield();
        return count == MessageCount ? count : throw new VerificationException($"{MessageCount} messages were sent, {count} are in the queue.");
    }

    /// <summary>Receives and reads orders, and checks that each is the one that was sent in its place.</summary>
    /// <returns>Completes with the last message.</returns>
    [Benchmark(Description = "Receive", OperationsPerInvoke = MessageCount)]
    public Task ReceiveAsync() => MessageBatch.ReceiveAsync(_receiver!, _payload, MessageCount, wholeContent: false, Timeout, CancellationToken.None);

    private static T Wait<T>(Task<T> task) => task.GetAwaiter().GetResult();

    private static void Wait(Task task) => task.GetAwaiter().GetResult();

    private Task<QueueClient> OpenAsync() =>
        _connector.OpenAsync(_address, QueueOptions.Fastest with { DeliveryMode = _case.DeliveryMode }).AsTask();
}
