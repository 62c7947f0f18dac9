namespace Formatters.Benchmarks.Workers;

/// <summary>A product that sends orders to a queue of a broker, and a worker of it that handles them.</summary>
/// <param name="name">The product.</param>
internal abstract class WorkerCase(string name) : IAsyncDisposable
{
    /// <summary>How many orders are handled at a time.</summary>
    internal const int Concurrency = 8;

    /// <summary>How many orders the worker fetches ahead, where the product has a setting for it.</summary>
    internal const int PrefetchCount = 32;

    internal string Name => name;
    internal string Queue { get; } = "workers_" + Guid.NewGuid().ToString("N")[..8];
    protected HandledOrders Handled { get; } = new();

    /// <summary>Starts the host that sends.</summary>
    internal abstract Task StartSenderAsync();

    /// <summary>Sends an order. Completes when the broker has confirmed it.</summary>
    internal abstract Task SendAsync(WorkerOrder order);

    /// <summary>Starts the host that handles orders: at most <see cref="Concurrency"/> at a time, each acknowledged when it is handled.</summary>
    internal abstract Task StartWorkerAsync();

    internal abstract Task StopWorkerAsync();

    public abstract ValueTask DisposeAsync();

    /// <summary>Measures sending, then handling what was sent, then single orders from the send to the handler.</summary>
    internal async Task<WorkerFigures> MeasureAsync(int orderCount, int latencyCount, CancellationToken cancellationToken)
    {
        Handled.Expect(orderCount);
        long start = Stopwatch.GetTimestamp();
        int sentCount = 0;
        await Task.WhenAll(Enumerable.Range(0, Concurrency).Select(async _ =>
        {
            for (int id; (id = Interlocked.Increment(ref sentCount)) <= orderCount && !cancellationToken.IsCancellationRequested;)
                await SendAsync(WorkerOrder.Create(id));
        }));
        double sendTime = Stopwatch.GetElapsedTime(start).TotalSeconds;

        await StartWorkerAsync();
        TimeSpan handleTime = await Handled.WaitAsync(cancellationToken);

        double[] latencies = new double[latencyCount];
        for (int i = 0; i < latencyCount; i++)
        {
            Handled.Expect(1);
            long sentAt = Stopwatch.GetTimestamp();
            await SendAsync(WorkerOrder.Create(i));
            await Handled.WaitAsync(cancellationToken);
            latencies[i] = Stopwatch.GetElapsedTime(sentAt, Handled.LastAt).TotalMilliseconds;
        }

        await StopWorkerAsync();
        Array.Sort(latencies);
        return new WorkerFigures(orderCount / sendTime, (orderCount - 1) / handleTime.TotalSeconds, latencies[latencyCount / 2],
            latencies[latencyCount * 9 / 10]);
    }
}

/// <summary>The figures of one round.</summary>
/// <param name="SentPerSecond">Orders sent and confirmed per second.</param>
/// <param name="HandledPerSecond">Orders handled per second, from the first to the last.</param>
/// <param name="MedianLatency">Milliseconds from the call of the send to the handler, the median.</param>
/// <param name="HighLatency">The same, the 90th percentile.</param>
internal sealed record WorkerFigures(double SentPerSecond, double HandledPerSecond, double MedianLatency, double HighLatency);

/// <summary>Counts the orders that a worker handles.</summary>
public sealed class HandledOrders
{
    private readonly object _lock = new();
    private TaskCompletionSource _all = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private int _missingCount;
    private long _firstAt;

    /// <summary>Gets the timestamp of the last order.</summary>
    internal long LastAt { get; private set; }

    /// <summary>Notes that an order is handled.</summary>
    public void Add(WorkerOrder order)
    {
        ArgumentNullException.ThrowIfNull(order);
        lock (_lock)
        {
            LastAt = Stopwatch.GetTimestamp();
            if (_firstAt == 0)
                _firstAt = LastAt;
            if (--_missingCount == 0)
                _all.SetResult();
            else if (_missingCount < 0)
                throw new InvalidOperationException($"Order {order.Id} was handled, and no more were sent.");
        }
    }

    /// <summary>Sets how many orders are to be handled.</summary>
    internal void Expect(int count)
    {
        lock (_lock)
        {
            _missingCount = count;
            _firstAt = 0;
            _all = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        }
    }

    /// <summary>Waits until all are handled.</summary>
    /// <returns>The time from the first to the last.</returns>
    internal async Task<TimeSpan> WaitAsync(CancellationToken cancellationToken)
    {
        await _all.Task.WaitAsync(cancellationToken);
        return Stopwatch.GetElapsedTime(_firstAt, LastAt);
    }
}
