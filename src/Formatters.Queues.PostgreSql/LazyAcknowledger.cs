using System;
using System.Collections.Generic;
using System.Threading;
using System.Threading.Tasks;

namespace Formatters.Queues.PostgreSql;

/// <summary>
/// Collects the acknowledgements of <see cref="AcknowledgeMode.Lazy"/>, and sends them together: after a delay, or when there are many.
/// </summary>
/// <param name="maxCount">The number of messages that are sent without waiting for the delay.</param>
/// <param name="acknowledge">Acknowledges messages.</param>
internal sealed class LazyAcknowledger(int maxCount, Func<IReadOnlyList<PostgreSqlMessage>, Task> acknowledge) : IAsyncDisposable
{
    private static readonly TimeSpan Delay = TimeSpan.FromMilliseconds(100);

    private readonly Lock _gate = new();
    private readonly SemaphoreSlim _sendGate = new(1, 1);
    private List<PostgreSqlMessage> _pending = [];
    private Timer? _timer;
    private bool _isClosed;

    /// <summary>Adds a message; completes immediately, or when the pending ones are sent because there are many.</summary>
    internal ValueTask AddAsync(PostgreSqlMessage message)
    {
        lock (_gate)
        {
            _pending.Add(message);
            if (_pending.Count == 1)
                StartTimer();
            if (_pending.Count < maxCount)
                return default;
        }

        return new ValueTask(FlushAsync());
    }

    /// <summary>Sends the pending acknowledgements now. If that fails, they stay pending.</summary>
    internal async Task FlushAsync()
    {
        await _sendGate.WaitAsync().ConfigureAwait(false);
        try
        {
            List<PostgreSqlMessage> messages;
            lock (_gate)
            {
                (messages, _pending) = (_pending, []);
                _timer?.Change(Timeout.Infinite, Timeout.Infinite);
            }

            try
            {
                await acknowledge(messages).ConfigureAwait(false);
            }
            catch (QueueException)
            {
                lock (_gate)
                {
                    messages.AddRange(_pending);
                    _pending = messages;
                    StartTimer();
                }

                throw;
            }
        }
        finally
        {
            _sendGate.Release();
        }
    }

    /// <summary>Sends the pending acknowledgements a last time.</summary>
    public async ValueTask DisposeAsync()
    {
        lock (_gate)
            _isClosed = true;
        await FlushQuietlyAsync().ConfigureAwait(false);
        if (_timer is not null)
            await _timer.DisposeAsync().ConfigureAwait(false);
    }

    /// <summary>Starts the timer. Call with the gate held.</summary>
    private void StartTimer()
    {
        if (_isClosed)
            return;
        _timer ??= new Timer(static state => _ = ((LazyAcknowledger)state!).FlushQuietlyAsync(), this, Timeout.Infinite, Timeout.Infinite);
        _timer.Change(Delay, Timeout.InfiniteTimeSpan);
    }

    private async Task FlushQuietlyAsync()
    {
        try
        {
            await FlushAsync().ConfigureAwait(false);
        }
        catch (QueueException)
        {
            // Retried later. Messages never acknowledged are redelivered, as lazy mode allows.
        }
    }
}
