using System;
using System.Collections.Generic;
using System.Diagnostics.Metrics;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;

namespace Formatters.Queues;

/// <summary>Polls queues, and publishes their status as gauges: see <see cref="QueueConnector.StartMonitor"/>.</summary>
/// <remarks>
/// The gauges report the result of the last poll, so that collecting them does not wait for a broker. While polling a location fails, its figures are
/// omitted and <c>messaging.queue.stopped</c> is 1.
/// </remarks>
public sealed class QueueMonitor : IAsyncDisposable
{
    private readonly Place[] _places;
    private readonly CancellationTokenSource _stop = new();
    private readonly Task _loop;
    private int _isDisposed;

    internal QueueMonitor(IEnumerable<(QueueAddress Address, QueueProvider Provider)> places, TimeSpan interval)
    {
        _places = [.. places.Select(static place => new Place(place.Address, place.Provider))];
        QueueTelemetry.Add(this);
        _loop = Task.Run(() => RunAsync(interval));
    }

    /// <summary>Gets the result of the last poll, for the locations where it succeeded.</summary>
    /// <value>Empty before the first look has ended.</value>
    public IReadOnlyList<QueueStatus> Queues => [.. _places.SelectMany(static place => place.Seen.Error is null ? place.Seen.Queues : [])];

    /// <summary>Gets why the last poll of a location failed.</summary>
    /// <value>Null if none failed; the first of several errors.</value>
    public Exception? LastError => _places.Select(static place => place.Seen.Error).FirstOrDefault(static error => error is not null);

    /// <summary>Stops polling, and removes the gauges.</summary>
    /// <returns>Completes when the look that is in progress has ended.</returns>
    public async ValueTask DisposeAsync()
    {
        if (Interlocked.Exchange(ref _isDisposed, 1) != 0)
            return;
        QueueTelemetry.Remove(this);
        _stop.Cancel();
        await _loop.ConfigureAwait(false);
        _stop.Dispose();
    }

    internal IEnumerable<Measurement<long>> Depths() => Figures(static queue => queue.MessageCount);

    internal IEnumerable<Measurement<long>> Locked() => Figures(static queue => queue.LockedCount);

    /// <summary>Returns the age of the oldest message: zero for an empty queue.</summary>
    internal IEnumerable<Measurement<double>> Ages() =>
        Figures(static queue => queue.OldestAge is { } age ? age.TotalSeconds : queue.MessageCount == 0 ? 0d : (double?)null);

    internal IEnumerable<Measurement<long>> Stopped() => _places.SelectMany(static place =>
    {
        Seen seen = place.Seen;
        if (seen.Error is not null && seen.Queues.Count == 0)
            return [new Measurement<long>(1, place.Tags)];
        return seen.Queues.Select((queue, i) => new Measurement<long>(
            seen.Error is not null || queue.StoppedReason is not null ? 1 : 0, seen.Tags[i]));
    });

    private IEnumerable<Measurement<T>> Figures<T>(Func<QueueStatus, T?> select)
        where T : struct
    {
        foreach (Place place in _places)
        {
            Seen seen = place.Seen;
            for (int i = 0; i < seen.Queues.Count && seen.Error is null; i++)
            {
                if (select(seen.Queues[i]) is { } value)
                    yield return new Measurement<T>(value, seen.Tags[i]);
            }
        }
    }

    private async Task RunAsync(TimeSpan interval)
    {
        while (!_stop.IsCancellationRequested)
        {
            // Concurrently: a broker that does not answer does not delay the others.
            await Task.WhenAll(_places.Select(place => place.PollAsync(_stop.Token))).ConfigureAwait(false);
            try
            {
                await Task.Delay(interval, _stop.Token).ConfigureAwait(false);
            }
            catch (OperationCanceledException)
            {
                // Disposed.
            }
        }
    }

    private static KeyValuePair<string, object?>[] TagsOf(QueueAddress address, string name) =>
        [.. QueueDestination.OfQueue(address, name).Tags, new("formatters.queue.address", address.ToString())];

    /// <summary>The result of a poll; with an error, the figures of the last successful one.</summary>
    private sealed record Seen(IReadOnlyList<QueueStatus> Queues, KeyValuePair<string, object?>[][] Tags, Exception? Error);

    private sealed class Place(QueueAddress address, QueueProvider provider)
    {
        private volatile Seen _seen = new([], [], null);

        internal Seen Seen => _seen;

        internal KeyValuePair<string, object?>[] Tags { get; } = TagsOf(address, address.QueueName);

        internal async Task PollAsync(CancellationToken cancellationToken)
        {
            try
            {
                IReadOnlyList<QueueStatus> queues = await provider.ListAsync(address, cancellationToken).ConfigureAwait(false);
                _seen = new Seen(queues, [.. queues.Select(static queue => TagsOf(queue.Address, queue.Name))], null);
            }
            catch (OperationCanceledException) when (cancellationToken.IsCancellationRequested)
            {
                // Disposed.
            }
            catch (Exception e)
            {
                // Any error: the gauges omit the figures, and the monitor has the reason.
                _seen = _seen with { Error = e };
            }
        }
    }
}
