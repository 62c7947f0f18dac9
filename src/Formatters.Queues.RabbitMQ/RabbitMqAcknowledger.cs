using System;
using System.Collections.Generic;
using System.Threading;
using System.Threading.Tasks;
using RabbitMQ.Client;

namespace Formatters.Queues.RabbitMQ;

/// <summary>Sends acknowledgements of a channel to the broker, according to an <see cref="AcknowledgeMode"/>.</summary>
/// <remarks>
/// Frames are sent one at a time, so that a cumulative acknowledgement never names a delivery tag that the broker has forgotten, for which it would
/// close the channel.
/// </remarks>
internal sealed class RabbitMqAcknowledger : IDisposable
{
    private static readonly TimeSpan LazyDelay = TimeSpan.FromMilliseconds(100);

    private readonly IChannel _channel;
    private readonly CancellationToken _lost;
    private readonly AcknowledgeMode _mode;
    private readonly int _batch;
    private readonly SemaphoreSlim _gate = new(1, 1);
    private readonly Timer? _timer;

    // Individual: each message counts once.
    private readonly Lock _countGate = new();
    private ulong _settledCount;
    private ulong _lastSettled;

    // Lazy: the settled tags beyond the first gap, and whether the broker still awaits their acknowledgement.
    private readonly SortedDictionary<ulong, bool> _settled = [];
    private ulong _contiguous;
    private ulong _lastUntold;
    private ulong _told;
    private int _untoldCount;

    internal RabbitMqAcknowledger(IChannel channel, AcknowledgeMode mode, int prefetchCount, CancellationToken lost)
    {
        _channel = channel;
        _mode = mode;
        _lost = lost;
        // Half the prefetch count, so that the broker never stops.
        _batch = Math.Clamp(prefetchCount / 2, 1, 500);
        if (mode == AcknowledgeMode.Lazy)
            _timer = new Timer(static state => _ = ((RabbitMqAcknowledger)state!).FlushQuietlyAsync(), this, LazyDelay, LazyDelay);
    }

    internal ValueTask AcknowledgeAsync(ulong deliveryTag) =>
        _mode == AcknowledgeMode.Individual ? AcknowledgeOneAsync(deliveryTag) : AcknowledgeInOrderAsync(deliveryTag);

    /// <summary>
    /// Acknowledges messages with one frame, if they are consecutive and all before them are settled; otherwise with one frame each.
    /// </summary>
    /// <param name="deliveryTags">Their numbers, in ascending order.</param>
    internal async ValueTask AcknowledgeAsync(IReadOnlyList<ulong> deliveryTags)
    {
        int first = 0;
        if (_mode == AcknowledgeMode.Individual && IsNext(deliveryTags[0]))
        {
            int count = 1;
            while (count < deliveryTags.Count && deliveryTags[count] == deliveryTags[0] + (ulong)count)
                count++;
            if (count > 1)
            {
                await _channel.BasicAckAsync(deliveryTags[count - 1], multiple: true, _lost).ConfigureAwait(false);
                CountSettled(deliveryTags[count - 1], count);
                first = count;
            }
        }
        else if (_mode == AcknowledgeMode.Cumulative)
        {
            first = deliveryTags.Count - 1;
        }

        for (int i = first; i < deliveryTags.Count; i++)
            await AcknowledgeAsync(deliveryTags[i]).ConfigureAwait(false);
    }

    /// <summary>Acknowledges a message that was not delivered, individually.</summary>
    internal ValueTask SkipAsync(ulong deliveryTag) =>
        _mode == AcknowledgeMode.Cumulative ? _channel.BasicAckAsync(deliveryTag, multiple: false, _lost) : AcknowledgeAsync(deliveryTag);

    internal async ValueTask ReturnAsync(ulong deliveryTag)
    {
        await _gate.WaitAsync(_lost).ConfigureAwait(false);
        try
        {
            if (_mode == AcknowledgeMode.Cumulative && deliveryTag <= _told)
                return;
            await _channel.BasicNackAsync(deliveryTag, multiple: false, requeue: true, _lost).ConfigureAwait(false);
            CountSettled(deliveryTag, 1);
            // After the frame, so that no cumulative acknowledgement passes the number before it.
            if (_mode == AcknowledgeMode.Lazy)
                Note(deliveryTag, isUntold: false);
        }
        finally
        {
            _gate.Release();
        }
    }

    /// <summary>Sends pending acknowledgements now.</summary>
    /// <param name="all">Whether to include those beyond an unsettled message.</param>
    internal async Task FlushAsync(bool all)
    {
        await _gate.WaitAsync(_lost).ConfigureAwait(false);
        try
        {
            if (_untoldCount > 0)
                await TellAsync(all).ConfigureAwait(false);
        }
        finally
        {
            _gate.Release();
        }
    }

    public void Dispose() => _timer?.Dispose();

    private ValueTask AcknowledgeOneAsync(ulong deliveryTag)
    {
        ValueTask acknowledge = _channel.BasicAckAsync(deliveryTag, multiple: false, _lost);
        if (!acknowledge.IsCompletedSuccessfully)
            return AwaitAsync(acknowledge);
        CountSettled(deliveryTag, 1);
        return default;

        async ValueTask AwaitAsync(ValueTask acknowledge)
        {
            await acknowledge.ConfigureAwait(false);
            CountSettled(deliveryTag, 1);
        }
    }

    /// <summary>Records that the frame settling some messages was sent: no cumulative frame that includes them may be sent earlier.</summary>
    private void CountSettled(ulong lastTag, int count)
    {
        lock (_countGate)
        {
            _settledCount += (ulong)count;
            _lastSettled = Math.Max(_lastSettled, lastTag);
        }
    }

    /// <summary>Determines whether all messages before a tag are settled: their number equals the highest tag.</summary>
    private bool IsNext(ulong deliveryTag)
    {
        lock (_countGate)
            return _settledCount == _lastSettled && deliveryTag == _lastSettled + 1;
    }

    private async ValueTask AcknowledgeInOrderAsync(ulong deliveryTag)
    {
        await _gate.WaitAsync(_lost).ConfigureAwait(false);
        try
        {
            if (_mode == AcknowledgeMode.Lazy)
            {
                Note(deliveryTag, isUntold: true);
                if (_untoldCount >= _batch)
                    await TellAsync(all: _lastUntold <= _told).ConfigureAwait(false);
            }
            else if (deliveryTag > _told)
            {
                _told = deliveryTag;
                await _channel.BasicAckAsync(deliveryTag, multiple: true, _lost).ConfigureAwait(false);
            }
        }
        finally
        {
            _gate.Release();
        }
    }

    private void Note(ulong deliveryTag, bool isUntold)
    {
        _settled[deliveryTag] = isUntold;
        _untoldCount += isUntold ? 1 : 0;
        while (_settled.Remove(_contiguous + 1, out bool isNextUntold))
        {
            _contiguous++;
            if (isNextUntold)
                _lastUntold = _contiguous;
        }
    }

    private async ValueTask TellAsync(bool all)
    {
        if (_lastUntold > _told)
        {
            _told = _lastUntold;
            await _channel.BasicAckAsync(_told, multiple: true, _lost).ConfigureAwait(false);
        }

        _untoldCount = 0;
        foreach ((ulong deliveryTag, bool isUntold) in new List<KeyValuePair<ulong, bool>>(_settled))
        {
            if (!isUntold)
                continue;
            if (!all)
            {
                _untoldCount++;
                continue;
            }

            await _channel.BasicAckAsync(deliveryTag, multiple: false, _lost).ConfigureAwait(false);
            _settled[deliveryTag] = false;
        }
    }

    private async Task FlushQuietlyAsync()
    {
        try
        {
            await FlushAsync(all: true).ConfigureAwait(false);
        }
        catch (Exception e) when (e is OperationCanceledException or ObjectDisposedException
            or global::RabbitMQ.Client.Exceptions.OperationInterruptedException or System.IO.IOException)
        {
            // The channel is closed; the messages will be redelivered.
        }
    }
}
