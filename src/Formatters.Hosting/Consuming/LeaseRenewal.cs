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
    private readonly Task _loop = Task.CompletedTask;
    private volatile bool _isPaused;

    internal LeaseRenewal(ReceivedMessage message, TimeSpan leaseDuration, TimeProvider time)
    {
        if (message.LeaseEnd is null)
            return;
        _stop = new CancellationTokenSource();
        _lost = new CancellationTokenSource();
        _loop = RenewAsync(message, BackOff.Limit(leaseDuration / 3), time, _lost, _stop.Token);
    }

    /// <summary>Gets a token that is cancelled when the lease could not be renewed before its end.</summary>
    internal CancellationToken Lost => _lost?.Token ?? CancellationToken.None;

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

    private async Task RenewAsync(
        ReceivedMessage message, TimeSpan interval, TimeProvider time, CancellationTokenSource lost, CancellationToken stop)
    {
        while (true)
        {
            try
            {
                await Task.Delay(interval, time, stop).ConfigureAwait(false);
                if (!_isPaused)
                    await message.RenewLeaseAsync(stop).ConfigureAwait(false);
            }
            catch (OperationCanceledException) when (stop.IsCancellationRequested)
            {
                return;
            }
            catch (Exception)
            {
                // The connection may come back before the lease ends.
                if (message.LeaseEnd is { } end && time.GetUtcNow() + interval < end)
                    continue;
                await lost.CancelAsync().ConfigureAwait(false);
                return;
            }
        }
    }
}
