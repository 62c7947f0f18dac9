using Formatters.Envelopes;
using Formatters.TradeEngine.StaticData;
using Formatters.TradeEngine.Store;

namespace Formatters.TradeEngine.Components;

/// <summary>Runs the components of an engine, or some of them: others may run in other processes over the same queues and store.</summary>
internal sealed class TradeEngineHost : IAsyncDisposable
{
    private readonly CancellationTokenSource _stop = new();
    private readonly EngineQueues _queues;
    private readonly EngineOptions _options;
    private readonly ReferenceData _data;
    private readonly ITradeStore _store;
    private readonly SigningKey _key;
    private readonly Dictionary<MessageType, StationMeter> _meters = [];
    private readonly StationMeter _routerMeter = new("router");
    private readonly List<Task> _running = [];
    private readonly TaskCompletionSource _failure = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private int _restartCount;

    /// <param name="data">What is valid.</param>
    /// <param name="store">Holds the trades.</param>
    /// <param name="key">Verifies the driver's signatures.</param>
    internal TradeEngineHost(EngineQueues queues, EngineOptions options, ReferenceData data, ITradeStore store, SigningKey key)
    {
        _queues = queues;
        _options = options;
        _data = data;
        _store = store;
        _key = key;
        foreach (MessageType type in MessageTypes.Inbound)
            _meters.Add(type, new StationMeter(EngineQueues.NameOf(type)));
    }

    /// <summary>The measurements of the components: the router first.</summary>
    internal IEnumerable<StationMeter> Meters => _meters.Values.Prepend(_routerMeter);

    /// <summary>How often a component died and was started again.</summary>
    internal int RestartCount => Volatile.Read(ref _restartCount);

    /// <summary>The retries of components after transient failures of queues or the store.</summary>
    internal Retries Retries { get; } = new();

    /// <summary>Completes with the error of a component that cannot go on; else never.</summary>
    internal Task Failure => _failure.Task;

    /// <summary>Starts the router and the components.</summary>
    internal void Start()
    {
        for (int i = 0; _options.Runs("router") && i < Math.Max(_options.RouterCount, _queues.Inbound.Count); i++)
        {
            int number = i;
            StartStation(() => new Router(_queues, _options, number, _key, _routerMeter, _meters));
        }

        foreach (MessageType type in MessageTypes.Inbound)
        {
            for (int i = 0; _options.Runs(EngineQueues.NameOf(type))
                && i < (type == MessageType.NoticeOfExecution ? _options.NoticeCount : _options.InstanceCount); i++)
                StartStation(() => new MessageComponent(_queues, _options, type, _data, _store, _meters[type]));
        }
    }

    /// <summary>Gives up trades that are not matched: each is a message in the exception queue, without a body, that says what was missing.</summary>
    /// <param name="seenBefore">Those whose first message came before this time.</param>
    internal async Task<int> ExpireAsync(DateTimeOffset seenBefore, CancellationToken cancellationToken = default)
    {
        IReadOnlyList<ExpiredTrade> expired = await _store.ExpireAsync(seenBefore, cancellationToken);
        if (expired.Count == 0)
            return 0;
        await using WorkBatch batch = await WorkBatch.BeginAsync(_queues.Exceptions, _queues.IsTransactional, cancellationToken);
        foreach (ExpiredTrade trade in expired)
        {
            var message = new QueueMessage { Label = "TRADE", CorrelationId = PackedCode.Unpack(trade.Key.Reference) };
            message.Headers[ExceptionHeaders.Reason] = nameof(ExceptionReason.TradeNotMatched);
            message.Headers[ExceptionHeaders.Text] = trade.Why;
            message.Headers[ExceptionHeaders.Component] = "expiry";
            batch.Send(_queues.Exceptions, message);
        }

        await batch.CompleteAsync();
        return expired.Count;
    }

    /// <summary>Stops the components. What was under way is given back to the queues.</summary>
    internal async Task StopAsync()
    {
        await _stop.CancelAsync();
        await Task.WhenAll(_running);
    }

    public async ValueTask DisposeAsync()
    {
        await StopAsync();
        _stop.Dispose();
    }

    private void StartStation(Func<Station> create) => _running.Add(Task.Run(() => SuperviseAsync(create)));

    /// <summary>Runs a component, and another one in its place when it was killed, or could not go on for a moment.</summary>
    private async Task SuperviseAsync(Func<Station> create)
    {
        int failures = 0;
        while (!_stop.IsCancellationRequested)
        {
            Station station = create();
            try
            {
                await station.RunAsync(_stop.Token);
            }
            catch (OperationCanceledException) when (_stop.IsCancellationRequested)
            {
                return;
            }
            catch (ComponentKilledException)
            {
                Interlocked.Increment(ref _restartCount);
            }
            catch (Exception e)
            {
                failures = station.HasSucceeded ? 1 : failures + 1;
                if (await TryPauseAsync(e, failures))
                    continue;
                // A queue or the store has failed for good, or there is a defect: whoever runs the engine has to know.
                _failure.TrySetException(e);
                return;
            }
        }
    }

    private async Task<bool> TryPauseAsync(Exception e, int failures)
    {
        try
        {
            return await Retries.PauseAsync(e, failures, _stop.Token);
        }
        catch (OperationCanceledException)
        {
            // The loop ends now.
            return true;
        }
    }
}

/// <summary>For tests: a component is killed.</summary>
internal sealed class ComponentKilledException(string point) : Exception($"Killed at the point '{point}'.");
