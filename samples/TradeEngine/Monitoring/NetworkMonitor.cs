namespace Formatters.TradeEngine.Monitoring;

/// <summary>The state of a station at a moment.</summary>
/// <param name="Length">Messages in its queues and in its hands.</param>
/// <param name="BusySeconds">Up to now, all instances added up.</param>
/// <param name="ResponseSeconds">Up to now, all completed messages added up.</param>
internal readonly record struct StationSample(long Length, long Arrivals, long Completions, double BusySeconds, double ResponseSeconds);

/// <summary>All stations at a moment.</summary>
/// <param name="Seconds">Since the monitor was started.</param>
/// <param name="Stations">In the order of the monitor's stations.</param>
/// <param name="Processors">What was used of the processors up to now.</param>
internal sealed record NetworkSample(double Seconds, IReadOnlyList<StationSample> Stations, ProcessorSample Processors = default);

/// <summary>Processor time in seconds, all processors added up, since the start of each process.</summary>
/// <param name="Engine">Of this process, and of the component processes.</param>
/// <param name="Database">Of the database server; zero where it is not on this machine, or there is none.</param>
/// <param name="Broker">Of the broker, likewise.</param>
/// <param name="DiskQueue">The area under the curve of the length of the busiest disk's queue, in seconds; zero where the system does not
/// tell.</param>
/// <param name="Nodes">Of the component processes alone.</param>
internal readonly record struct ProcessorSample(double Engine, double Database, double Broker, double DiskQueue, double Nodes = 0);

/// <summary>A station as the monitor sees it.</summary>
/// <param name="Meter">What it measures of itself.</param>
/// <param name="Servers">How many instances.</param>
/// <param name="HasBundles">Whether a message of its queues can have several of the network's: their lengths are the least that is there,
/// then.</param>
internal sealed record MonitoredStation(StationMeter Meter, int Servers, IReadOnlyList<QueueClient> Queues, bool HasBundles = false);

/// <summary>Reads the lengths of all queues at an interval, as Buzen and Denning ask for: the execution graph is drawn from it.</summary>
/// <param name="interval">How often.</param>
/// <param name="readProcessors">Tells the processor time, or null.</param>
internal sealed class NetworkMonitor(IReadOnlyList<MonitoredStation> stations, TimeSpan interval, Func<ProcessorSample>? readProcessors = null)
    : IAsyncDisposable
{
    private readonly CancellationTokenSource _stop = new();
    private readonly List<NetworkSample> _samples = [];
    private readonly long _start = Stopwatch.GetTimestamp();
    private Task _running = Task.CompletedTask;
    private long? _end;

    internal IReadOnlyList<MonitoredStation> Stations => stations;

    /// <summary>The samples; complete after <see cref="StopAsync"/>.</summary>
    internal IReadOnlyList<NetworkSample> Samples => _samples;

    /// <summary>
    /// Takes the first sample, and starts to read on a thread of its own: one that waits for the components would see the queues as they are when
    /// those have nothing to do.
    /// </summary>
    internal async Task StartAsync()
    {
        await SampleAsync();
        _running = Task.Factory.StartNew(Run, CancellationToken.None, TaskCreationOptions.LongRunning, TaskScheduler.Default);
    }

    /// <summary>Ends the observation period. Component processes report their last work later, and are in the last sample.</summary>
    /// <param name="timestamp">When it ended; what was read after that is dropped.</param>
    internal async Task EndPeriodAsync(long timestamp)
    {
        _end = timestamp;
        await _stop.CancelAsync();
        await _running;
        double seconds = Stopwatch.GetElapsedTime(_start, timestamp).TotalSeconds;
        _samples.RemoveAll(sample => sample.Seconds > seconds);
    }

    /// <summary>Takes the last sample of the period.</summary>
    internal async Task StopAsync()
    {
        if (_end is null)
            await EndPeriodAsync(Stopwatch.GetTimestamp());
        await SampleAsync();
    }

    public async ValueTask DisposeAsync()
    {
        await _stop.CancelAsync();
        await _running;
        _stop.Dispose();
    }

    private void Run()
    {
        while (!_stop.Token.WaitHandle.WaitOne(interval))
        {
            try
            {
                SampleAsync().AsTask().GetAwaiter().GetResult();
            }
            catch (QueueException)
            {
                // A server that did not answer for a moment: one sample less. Who works with the queues says what is wrong with them.
            }
        }
    }

    private async ValueTask SampleAsync()
    {
        var read = new StationSample[stations.Count];
        for (int i = 0; i < read.Length; i++)
        {
            StationMeter meter = stations[i].Meter;
            long length = 0;
            long inHand = 0;
            bool isLengthKnown = !stations[i].HasBundles;
            foreach (QueueClient queue in stations[i].Queues)
            {
                length += await queue.GetMessageCountAsync();
                if (await queue.GetLockedCountAsync() is { } locked)
                    inHand += locked;
                else
                    isLengthKnown = false;
            }

            // A component learns a moment after its queue that a batch is final: up to then it has the messages in its hands.
            length += Math.Max(inHand, meter.InHand);
            // What is in hands, or in bundles, the queue may not tell: arrivals and completions do.
            if (!isLengthKnown && meter.Arrivals > 0)
                length = Math.Max(length, meter.Arrivals - meter.Completions);
            read[i] = new StationSample(length, meter.Arrivals, meter.Completions, meter.Busy.TotalSeconds, meter.Response.TotalSeconds);
        }

        double seconds = Stopwatch.GetElapsedTime(_start, _end ?? Stopwatch.GetTimestamp()).TotalSeconds;
        _samples.Add(new NetworkSample(seconds, read, readProcessors?.Invoke() ?? default));
    }
}
