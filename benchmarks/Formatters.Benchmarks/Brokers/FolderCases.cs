namespace Formatters.Benchmarks.Brokers;

/// <summary>One program that sends to and receives from a queue in a folder in batches, beside itself with one message at a time.</summary>
internal sealed class FolderCases : IAsyncDisposable
{
    private const int BatchCount = 100;

    private readonly string _folder = Directory.CreateTempSubdirectory("formatters-brokers-").FullName;
    private readonly FileQueueProvider _folders = new();
    private readonly QueueMessage[] _batch =
        [.. Enumerable.Range(0, BatchCount).Select(_ => new QueueMessage(new MessageBody(BrokerCase.CreateBody())))];
    private QueueClient _queue = null!;

    private FolderCases()
    {
    }

    internal IEnumerable<BrokerCase> All
    {
        get
        {
            const string Single = "single sends";
            yield return new($"folder, send batches of {BatchCount}, one sender", Single, time => SendAsync(time, isBatch: false),
                time => SendAsync(time, isBatch: true));
            yield return new($"folder, receive and acknowledge {BatchCount} at once", "single receives", time => ReceiveAsync(time, isBatch: false),
                time => ReceiveAsync(time, isBatch: true));
        }
    }

    internal static async Task<FolderCases> CreateAsync()
    {
        var cases = new FolderCases();
        cases._queue = await new QueueConnector(cases._folders).OpenAsync($"file:{cases._folder}/a");
        return cases;
    }

    public async ValueTask DisposeAsync()
    {
        await _folders.DisposeAsync();
        Directory.Delete(_folder, recursive: true);
    }

    private async Task<double> SendAsync(TimeSpan time, bool isBatch)
    {
        double rate = isBatch
            ? BatchCount * await BrokerCase.MeasureAsync(1, time, () => _queue.SendBatchAsync(_batch).AsTask())
            : await BrokerCase.MeasureAsync(1, time, () => _queue.SendAsync(_batch[0]).AsTask());
        await _queue.PurgeAsync();
        return rate;
    }

    /// <summary>The messages are sent before the clock runs, and again when there are no more, with the clock standing.</summary>
    private async Task<double> ReceiveAsync(TimeSpan time, bool isBatch)
    {
        double count = 0;
        double seconds = 0;
        while (seconds < time.TotalSeconds)
        {
            for (int i = 0; i < 20; i++)
                await _queue.SendBatchAsync(_batch);
            long start = System.Diagnostics.Stopwatch.GetTimestamp();
            while (await ReceiveOnceAsync(isBatch) is > 0 and int received)
                count += received;
            seconds += System.Diagnostics.Stopwatch.GetElapsedTime(start).TotalSeconds;
        }

        return count / seconds;
    }

    private async Task<int> ReceiveOnceAsync(bool isBatch)
    {
        if (isBatch)
        {
            IReadOnlyList<ReceivedMessage> batch = await _queue.ReceiveBatchAsync(BatchCount, TimeSpan.Zero);
            await _queue.AcknowledgeBatchAsync(batch);
            return batch.Count;
        }

        if (await _queue.ReceiveAsync(TimeSpan.Zero) is not { } message)
            return 0;
        await message.AcknowledgeAsync();
        return 1;
    }
}
