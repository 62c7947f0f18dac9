using System;
using System.Threading;
using System.Threading.Tasks;
using Formatters.Queues;

namespace Formatters.Hosting;

/// <summary>Renews the lease of a message, if it has one, from its receipt until it is settled.</summary>
internal sealed class LeaseRenewal : IAsyncDisposable
{
    // Null for a message without a lease, as most are.
    private readonly CancellationTokenSource? _stop;
    private readonly CancellationTokenSource? _lost;
    private readonly ReceivedMessage _message;
    private readonly TimeProvider _time;
    private readonly Task _loop = Task.CompletedTask;
    private volatile Lease? _lease;
    private volatile bool _isPaused;

    internal LeaseRenewal(ReceivedMessage message, TimeSpan leaseDuration, TimeProvider time)
    {
        _message = message;
        _time = time;
        if (message.LeaseEnd is null)
            return;
        _ = GetTimeLeft();
        _stop = new CancellationTokenSource();
        _lost = new CancellationTokenSource();
        _loop = RenewAsync(BackOff.Limit(leaseDuration / 3), _lost, _stop.Token);
    }

    /// <summary>Gets a token that is cancelled when the lease could not be renewed before its end.</summary>
    internal CancellationToken Lost => _lost?.Token ?? CancellationToken.None;

    /// <summary>Gets whether the lease was lost, or has ended while it was not renewed.</summary>
    internal bool IsLost => Lost.IsCancellationRequested || GetTimeLeft() <= TimeSpan.Zero;

    /// <summary>Lets the lease end, while a handler is overdue.</summary>
    internal void Pause() => _isPaused = true;

    /// <summary>Renews the lease again.</summary>
    internal void Resume() => _isPaused = false;

    public async ValueTask DisposeAsync()
    {
        if (_stop is null)
            return;
        await _stop.CancelAsync().ConfigureAwait(false);
        await _loop.ConfigureAwait(false);
        _stop.Dispose();
        _lost!.Dispose();
    }

    private async Task RenewAsync(TimeSpan interval, CancellationTokenSource lost, CancellationToken stop)
    {
        while (true)
        {
            try
            {
                await Task.Delay(interval, _time, stop).ConfigureAwait(false);
                if (!_isPaused)
                    await RenewAsync(stop).ConfigureAwait(false);
            }
            catch (OperationCanceledException) when (stop.IsCancellationRequested)
            {
                return;
            }
            catch (Exception)
            {
                // The connection may come back before the lease ends.
                if (GetTimeLeft() > interval)
                    continue;
                await lost.CancelAsync().ConfigureAwait(false);
                return;
            }
        }
    }

    /// <summary>Renews the lease. An answer that comes after the end of the lease is too late.</summary>
    private async Task RenewAsync(CancellationToken stop)
    {
        TimeSpan left = GetTimeLeft() is { Ticks: > 0 } rest ? rest : TimeSpan.Zero;
        using var end = new CancellationTokenSource(BackOff.Limit(left), _time);
        using var either = CancellationTokenSource.CreateLinkedTokenSource(stop, end.Token);
        await _message.RenewLeaseAsync(either.Token).ConfigureAwait(false);
        _ = GetTimeLeft();
    }

    /// <summary>Returns the time until the end of the lease, by the monotonic clock. The wall clock counts only when the lease begins or was
    /// renewed, by this object or by the handler.</summary>
    private TimeSpan? GetTimeLeft()
    {
        if (_message.LeaseEnd is not { } end)
            return null;
        Lease? lease = _lease;
        if (lease?.End != end)
            _lease = lease = new Lease(end, end - _time.GetUtcNow(), _time.GetTimestamp());
        return lease.Duration - _time.GetElapsedTime(lease.Start);
    }

    /// <summary>The lease as it was when this object first saw its end.</summary>
    private sealed record Lease(DateTimeOffset End, TimeSpan Duration, long Start);
}
