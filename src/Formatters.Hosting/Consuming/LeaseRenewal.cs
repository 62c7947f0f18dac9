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
    private volatile bool _isPaused;

    internal LeaseRenewal(ReceivedMessage message, TimeSpan leaseDuration, TimeProvider time)
    {
        _message = message;
        _time = time;
        if (message.LeaseEnd is null)
            return;
        _stop = new CancellationTokenSource();
        _lost = new CancellationTokenSource();
        _loop = RenewAsync(BackOff.Limit(leaseDuration / 3), _lost, _stop.Token);
    }

    /// <summary>Gets a token that is cancelled when the lease could not be renewed before its end.</summary>
    internal CancellationToken Lost => _lost?.Token ?? CancellationToken.None;

    /// <summary>Gets whether the lease was lost, or has ended while it was not renewed.</summary>
    internal bool IsLost => Lost.IsCancellationRequested || _message.LeaseEnd <= _time.GetUtcNow();

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
                if (_message.LeaseEnd is { } end && _time.GetUtcNow() + interval < end)
                    continue;
                await lost.CancelAsync().ConfigureAwait(false);
                return;
            }
        }
    }

    /// <summary>Renews the lease. An answer that comes after the end of the lease is too late.</summary>
    private async Task RenewAsync(CancellationToken stop)
    {
        TimeSpan left = _message.LeaseEnd is { } leaseEnd && leaseEnd - _time.GetUtcNow() is { Ticks: > 0 } rest ? rest : TimeSpan.Zero;
        using var end = new CancellationTokenSource(BackOff.Limit(left), _time);
        using var either = CancellationTokenSource.CreateLinkedTokenSource(stop, end.Token);
        await _message.RenewLeaseAsync(either.Token).ConfigureAwait(false);
    }
}
