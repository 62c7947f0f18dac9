using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;

namespace Formatters.Queues.PostgreSql;

/// <content>Implements <see cref="AcknowledgeMode"/>: which messages an acknowledgement covers, and when it is sent to the server.</content>
internal sealed partial class PostgreSqlReceiver
{
    private static readonly TimeSpan LazyDelay = TimeSpan.FromMilliseconds(100);

    // Cumulative: the delivered, unsettled messages in order. Lazy: the pending acknowledgements and the timer task. Guarded by _gate.
    private readonly LinkedList<PostgreSqlMessage> _received = new();
    private readonly SemaphoreSlim _tellGate = new(1, 1);
    private List<PostgreSqlMessage> _untold = [];
    private Timer? _lazyTimer;

    private AcknowledgeMode Mode => _locks && _options.ReceiveMode == ReceiveMode.PeekLock && _options.DeliveryMode != DeliveryMode.Transactional
        ? _options.AcknowledgeMode : AcknowledgeMode.Individual;

    private int LazyCount => Math.Clamp(_options.PrefetchCount / 2, 1, 500);

    /// <summary>Sends pending lazy acknowledgements now.</summary>
    internal async Task FlushAsync()
    {
        if (Mode != AcknowledgeMode.Lazy)
            return;
        await _tellGate.WaitAsync().ConfigureAwait(false);
        try
        {
            List<PostgreSqlMessage> messages;
            lock (_gate)
            {
                (messages, _untold) = (_untold, []);
                _lazyTimer?.Change(Timeout.Infinite, Timeout.Infinite);
            }

            try
            {
                await AcknowledgeNowAsync(messages).ConfigureAwait(false);
            }
            catch (QueueException)
            {
                lock (_gate)
                {
                    messages.AddRange(_untold);
                    _untold = messages;
                    StartLazyTimer();
                }

                throw;
            }
        }
        finally
        {
            _tellGate.Release();
        }
    }

    /// <summary>Adds a message to the delivered ones; call with the gate held.</summary>
    private void NoteHandedOut(PostgreSqlMessage message)
    {
        if (Mode == AcknowledgeMode.Cumulative)
            message.Received = _received.AddLast(message);
    }

    /// <summary>Removes an individually settled message from the delivered ones, so that no cumulative acknowledgement includes it.</summary>
    private void ForgetHandedOut(PostgreSqlMessage message)
    {
        if (message.Received is not { } node)
            return;
        lock (_gate)
        {
            if (node.List is not null)
                _received.Remove(node);
        }
    }

    private async ValueTask AcknowledgeCumulativelyAsync(PostgreSqlMessage message, CancellationToken cancellationToken)
    {
        List<PostgreSqlMessage> messages = TakeUpTo(message);
        messages.Add(message);
        HashSet<long> gone = await AcknowledgeNowAsync(messages).WaitAsync(cancellationToken).ConfigureAwait(false);
        if (!gone.Contains(message.Id))
            throw LockGone(message);
        if (messages.Find(other => !gone.Contains(other.Id)) is { } lost)
        {
            throw new QueueException(
                $"Message '{message.MessageId}' of '{_address}' is acknowledged, but not every message before it: the lock of '{lost.MessageId}' is "
                + "gone, because its lease has ended or the connection was lost. It will be delivered again.");
        }
    }

    /// <summary>Removes and returns the unsettled messages delivered up to and including a message, to be settled with it.</summary>
    private List<PostgreSqlMessage> TakeUpTo(PostgreSqlMessage message)
    {
        var messages = new List<PostgreSqlMessage>();
        lock (_gate)
        {
            if (message.Received is not { List: not null } last)
                return messages;
            while (_received.First is { } first)
            {
                _received.RemoveFirst();
                if (first == last)
                    break;
                if (first.Value.TrySettle())
                    messages.Add(first.Value);
            }
        }

        return messages;
    }

    private ValueTask AcknowledgeLazily(PostgreSqlMessage message)
    {
        lock (_gate)
        {
            _untold.Add(message);
            if (_untold.Count == 1)
                StartLazyTimer();
            if (_untold.Count < LazyCount)
                return default;
        }

        return new ValueTask(FlushAsync());
    }

    /// <summary>Starts the lazy timer; call with the gate held.</summary>
    private void StartLazyTimer()
    {
        if (_isDisposed)
            return;
        _lazyTimer ??= new Timer(static state => _ = ((PostgreSqlReceiver)state!).FlushQuietlyAsync(), this, Timeout.Infinite, Timeout.Infinite);
        _lazyTimer.Change(LazyDelay, Timeout.InfiniteTimeSpan);
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

    /// <summary>Deletes messages, with one statement per session that has locked some.</summary>
    /// <returns>The ids of those that were still locked.</returns>
    private async Task<HashSet<long>> AcknowledgeNowAsync(IReadOnlyList<PostgreSqlMessage> messages)
    {
        var gone = new HashSet<long>();
        foreach (IGrouping<int, PostgreSqlMessage> session in messages.GroupBy(static message => message.ServerSessionId!.Value))
            gone.UnionWith(await RunAsync("acknowledge the message", IsDurable, AcknowledgeCommand([.. session]), _target.JournalId,
                Acknowledgments.AdministrationQueuesOf(session)).ConfigureAwait(false));
        return gone;
    }
}
