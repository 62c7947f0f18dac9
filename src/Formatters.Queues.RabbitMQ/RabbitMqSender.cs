using System;
using System.Collections.Generic;
using System.Globalization;
using System.Threading;
using System.Threading.Tasks;
using RabbitMQ.Client;
using RabbitMQ.Client.Events;
using RabbitMQ.Client.Exceptions;

namespace Formatters.Queues.RabbitMQ;

/// <summary>
/// The sending side of a queue handle: publishes one message at a time in the order of the calls and, if recoverable, tracks their confirms.
/// </summary>
/// <remarks>
/// <para>Sends queue for the gate, and then wait for space in the <see cref="PublishWindow"/>. The timeout runs only while the broker owes an answer:
/// see <see cref="ConfirmWatch"/>.</para>
/// <para>Each caller publishes its own message, so the client has copied the body before the caller can cancel and change it. The other servers' pump
/// of batches could not promise that, and would wait for each batch before it takes the next.</para>
/// <para>The broker closes the channel over a rejected publish (a body that is too large, an exchange that does not exist). A new channel then
/// replaces it. Messages published before the rejected one have an unknown outcome. Those published after it, which the broker has skipped, are
/// published again in order.</para>
/// </remarks>
internal sealed class RabbitMqSender : IDisposable
{
    private const string What = "send the message";

    private readonly RabbitMqConnection _connection;
    private readonly RabbitMqTarget _target;
    private readonly bool _isRecoverable;
    private readonly bool _hasPriorities;
    private readonly SemaphoreSlim _gate = new(1, 1);
    private readonly ConfirmWatch _watch;
    private readonly PublishErrors _errors;
    private readonly string _idPrefix = Guid.NewGuid().ToString() + "\\";
    private long _lastId;
    private volatile string? _lostExpress;
    private volatile bool _hasUnflushed;

    // Guarded by _pendingGate: the channel, its unconfirmed messages, and the messages that the next channel publishes first.
    private readonly Lock _pendingGate = new();
    private readonly PublishWindow _window;
    private readonly List<PendingSend> _unsent = [];
    private IChannel _channel = null!;
    private bool _hasEnded;

    private RabbitMqSender(RabbitMqConnection connection, RabbitMqTarget target, bool isRecoverable, bool hasPriorities, int window)
    {
        _connection = connection;
        _target = target;
        _isRecoverable = isRecoverable;
        _hasPriorities = hasPriorities;
        _errors = new PublishErrors(connection.Address.Text, What);
        _window = new PublishWindow(window);
        _watch = new ConfirmWatch(connection, _window, _pendingGate, _gate, What);
        // The connection's event occurs before the channel's, and does not wait for publishers.
        connection.Lost.UnsafeRegister(static state => ((RabbitMqSender)state!).OnConnectionLost(), this);
    }

    /// <summary>Gets whether messages published since the last <see cref="FlushAsync"/> may not yet be in the queue.</summary>
    internal bool HasUnflushed => _hasUnflushed;

    internal static async Task<RabbitMqSender> OpenAsync(
        RabbitMqConnection connection, RabbitMqTarget target, bool isRecoverable, bool hasPriorities, int window)
    {
        var sender = new RabbitMqSender(connection, target, isRecoverable, hasPriorities, window);
        await sender.OpenChannelAsync().ConfigureAwait(false);
        return sender;
    }

    internal async ValueTask SendAsync(QueueMessage message, CancellationToken cancellationToken, DeadLetterProperties? deadLetter = null)
    {
        string messageId = message.MessageId ?? string.Create(CultureInfo.InvariantCulture, $"{_idPrefix}{Interlocked.Increment(ref _lastId)}");
        BasicProperties properties = RabbitMqMessage.PropertiesOf(message, messageId, _isRecoverable, _hasPriorities, deadLetter);
        RabbitMqMessage.ThrowIfTooLarge(properties, _connection.MaxFrameByteCount);
        ReadOnlyMemory<byte> body = message.Body.Bytes.IsSingleSegment ? message.Body.Bytes.First : message.Body.ToArray();
        _connection.ThrowIfLost(What);

        await EnterAsync(cancellationToken).ConfigureAwait(false);
        PendingSend? pending = null;
        Task? publish = null;
        try
        {
            if (_isRecoverable)
            {
                pending = new PendingSend(messageId, properties, body);
                await WaitForSpaceAsync(pending, cancellationToken).ConfigureAwait(false);
                publish = PublishAsync(pending);
            }
            else
            {
                await EnsureChannelAsync().ConfigureAwait(false);
                if (_lostExpress is { } error)
                {
                    _lostExpress = null;
                    throw new QueueException(error);
                }

                _hasUnflushed = true;
                publish = PublishExpressAsync(properties, body);
            }
        }
        finally
        {
            if (publish is null)
                _gate.Release();
        }

        if (pending is not null)
            await WaitForConfirmAsync(pending, cancellationToken).ConfigureAwait(false);
        else if (!publish.IsCompletedSuccessfully)
            await WaitForExpressAsync(publish, cancellationToken).ConfigureAwait(false);
    }

    /// <summary>Sends a request on the publishing channel: the broker answers after it has enqueued all earlier messages.</summary>
    internal async Task FlushAsync(CancellationToken cancellationToken)
    {
        await EnterAsync(cancellationToken).ConfigureAwait(false);
        try
        {
            _hasUnflushed = false;
            if (_channel.IsOpen)
                await _connection.RunAsync(token => _target.PingAsync(_channel, token), "reach the queue", cancellationToken).ConfigureAwait(false);
        }
        finally
        {
            _gate.Release();
        }
    }

    /// <summary>Waits until all started sends are published and confirmed.</summary>
    internal Task DrainAsync() => _connection.RunAsync(
        async token =>
        {
            // After all queued sends.
            await _gate.WaitAsync(token).ConfigureAwait(false);
            _gate.Release();
            while (true)
            {
                Task settled;
                lock (_pendingGate)
                {
                    if (_unsent.Count == 0 && _window.IsDrained)
                        return;
                    settled = _window.Changed;
                }

                await settled.WaitAsync(token).ConfigureAwait(false);
            }
        },
        "wait for the confirms",
        CancellationToken.None);

    public void Dispose() => _watch.Dispose();

    /// <summary>Queues for the gate, for as long as the broker settles earlier sends.</summary>
    private async ValueTask EnterAsync(CancellationToken cancellationToken)
    {
        // This never overtakes a waiting send: a release hands the gate to the first in the queue.
        if (!_gate.Wait(0, CancellationToken.None))
            await _watch.RunAsync(_gate.WaitAsync, cancellationToken).ConfigureAwait(false);
        _watch.NoteEntered();
        if (_connection.Lost.IsCancellationRequested)
        {
            _gate.Release();
            _connection.ThrowIfLost(What);
        }
    }

    /// <summary>Waits until the window has space for a message, and assigns its sequence number.</summary>
    private async ValueTask WaitForSpaceAsync(PendingSend pending, CancellationToken cancellationToken)
    {
        while (true)
        {
            await EnsureChannelAsync().ConfigureAwait(false);
            Task settled;
            lock (_pendingGate)
            {
                // Before the end of the connection is handled, which affects all sends with a number.
                _connection.ThrowIfLost(What);
                if (_hasEnded)
                    continue;
                if (_window.TryAdd(pending))
                {
                    _watch.Start();
                    return;
                }

                settled = _window.Changed;
            }

            await _watch.RunAsync(settled.WaitAsync, cancellationToken).ConfigureAwait(false);
        }
    }

    private async Task WaitForConfirmAsync(PendingSend pending, CancellationToken cancellationToken)
    {
        if (!cancellationToken.CanBeCanceled)
        {
            await pending.Task.ConfigureAwait(false);
            return;
        }

        try
        {
            await pending.Task.WaitAsync(cancellationToken).ConfigureAwait(false);
        }
        catch (OperationCanceledException)
        {
            // The caller may reuse the body.
            lock (_pendingGate)
                pending.Abandon();
            throw;
        }
    }

    private async Task WaitForExpressAsync(Task publish, CancellationToken cancellationToken)
    {
        try
        {
            await _watch.RunAsync(publish.WaitAsync, cancellationToken).ConfigureAwait(false);
        }
        catch (Exception e) when (e is not QueueException)
        {
            throw _connection.Explain(e, What, cancellationToken);
        }
    }

    /// <summary>
    /// Publishes, and then opens the gate for the next send, even if the caller has stopped waiting: publishes never overtake or interleave.
    /// </summary>
    private async Task PublishAsync(PendingSend pending)
    {
        try
        {
            await PublishAsync(_channel, pending.Properties, pending.Body).ConfigureAwait(false);
        }
        catch (Exception e)
        {
            OnPublishFailed(pending, e);
        }
        finally
        {
            _gate.Release();
        }
    }

    private async Task PublishExpressAsync(BasicProperties properties, ReadOnlyMemory<byte> body)
    {
        try
        {
            await PublishAsync(_channel, properties, body).ConfigureAwait(false);
            // There is no confirm for it: a request after it keeps the next body from being copied at the same time.
            if (body.Length > PublishWindow.MaxByteCount)
                await PingAfterAsync(body).ConfigureAwait(false);
        }
        finally
        {
            _gate.Release();
        }
    }

    private async Task PingAfterAsync(ReadOnlyMemory<byte> body)
    {
        try
        {
            await _connection.RunAsync(token => _target.PingAsync(_channel, token), What, CancellationToken.None).ConfigureAwait(false);
        }
        catch (QueueException e) when (e.InnerException is OperationInterruptedException { ShutdownReason: { } reason }
            && RabbitMqReplies.IsOfPublish(reason))
        {
            // The exception reports it here, so the next send must not.
            OnChannelClosed(_channel, reason);
            _lostExpress = null;
            throw _errors.Refused(reason, body.Length);
        }
    }

    // The client has copied the body into its frames before its first wait. Mandatory: the message is returned if the queue does not exist.
    private ValueTask PublishAsync(IChannel channel, BasicProperties properties, ReadOnlyMemory<byte> body) =>
        channel.BasicPublishAsync(_target.Exchange, _target.QueueName, mandatory: !_target.IsTopic, properties, body, _connection.Lost);

    private void OnPublishFailed(PendingSend pending, Exception e)
    {
        // What the client rejects it has not sent.
        bool isRejected = e is WireFormattingException or ArgumentException or ArithmeticException or InvalidCastException;
        bool isUnsent = isRejected || e is AlreadyClosedException;
        lock (_pendingGate)
        {
            // Otherwise it is completed already, or will be published again.
            if (!_window.TryTakeBack(pending))
                return;
            if (isUnsent && !isRejected && !_connection.Lost.IsCancellationRequested)
            {
                PublishLater(pending);
                return;
            }
        }

        if (isRejected)
        {
            pending.TrySetException(new ArgumentException($"The message cannot be sent by AMQP: {e.Message}", e));
            return;
        }

        Exception explained = _connection.Explain(e, What, CancellationToken.None);
        pending.TrySetException(explained is QueueException failure
            ? new QueueException(failure.Message, e) { OutcomeUnknown = !isUnsent, IsUnreachable = failure.IsUnreachable, Code = failure.Code }
            : explained);
    }

    /// <summary>Ensures that a channel is open; a new one first publishes what the last one left. Call with the gate held.</summary>
    private ValueTask EnsureChannelAsync() => _channel.IsOpen && _unsent.Count == 0 ? default : new ValueTask(OpenChannelAsync());

    private async Task OpenChannelAsync()
    {
        while (true)
        {
            List<PendingSend> again = [];
            // The client's event for it may still arrive.
            if (_channel is { CloseReason: { } reason } closed)
                OnChannelClosed(closed, reason);
            try
            {
                _connection.ThrowIfLost(What);
                IChannel channel = await _connection.OpenChannelAsync(_isRecoverable, "open a channel for sending", CancellationToken.None)
                    .ConfigureAwait(false);
                Attach(channel, again);
            }
            catch (QueueException e)
            {
                lock (_pendingGate)
                {
                    again.AddRange(_unsent);
                    _unsent.Clear();
                    _window.NotifyChanged();
                }

                foreach (PendingSend pending in again)
                    pending.TrySetException(new QueueException(e.Message, e) { IsUnreachable = e.IsUnreachable });
                throw;
            }

            foreach (PendingSend pending in again)
            {
                try
                {
                    await PublishAsync(_channel, pending.Properties, pending.Body).ConfigureAwait(false);
                }
                catch (Exception e)
                {
                    OnPublishFailed(pending, e);
                }
            }

            lock (_pendingGate)
            {
                if (_unsent.Count == 0)
                    return;
            }
        }
    }

    private void Attach(IChannel channel, List<PendingSend> again)
    {
        lock (_pendingGate)
        {
            _channel = channel;
            _hasEnded = false;
            _window.Restart();
            // All of these already had space in the window.
            foreach (PendingSend pending in _unsent)
            {
                if (pending.IsAbandoned)
                    continue;
                _window.Add(pending);
                _watch.Start();
                again.Add(pending);
            }

            _unsent.Clear();
            _window.NotifyChanged();
        }

        channel.BasicReturnAsync += (_, e) =>
        {
            OnReturned(channel, e);
            return Task.CompletedTask;
        };
        channel.ChannelShutdownAsync += (_, reason) =>
        {
            OnChannelClosed(channel, reason);
            return Task.CompletedTask;
        };
        if (!_isRecoverable)
            return;

        // Tracks confirms here, not in the client. Both measure alike (1 KiB, window of 1,000: 11-14 k/s, the broker is the limit), but the client's
        // tracking adds a header to every message, and its waits for a lost connection are not reliable (see RabbitMqConnection).
        channel.BasicAcksAsync += (_, e) =>
        {
            Settle(channel, e.DeliveryTag, e.Multiple, isRefused: false);
            return Task.CompletedTask;
        };
        channel.BasicNacksAsync += (_, e) =>
        {
            Settle(channel, e.DeliveryTag, e.Multiple, isRefused: true);
            return Task.CompletedTask;
        };
    }

    /// <summary>
    /// Keeps a message that the broker has not accepted for the next channel. Its body is copied: the caller may cancel the send and change the body
    /// meanwhile. Call with _pendingGate held.
    /// </summary>
    private void PublishLater(PendingSend pending)
    {
        if (pending.IsAbandoned)
            return;
        if (_unsent.Count == 0)
            _ = Task.Run(PublishUnsentAsync);
        pending.Body = pending.Body.ToArray();
        _unsent.Add(pending);
    }

    private async Task PublishUnsentAsync()
    {
        await _gate.WaitAsync().ConfigureAwait(false);
        _watch.NoteEntered();
        try
        {
            await EnsureChannelAsync().ConfigureAwait(false);
        }
        catch (QueueException)
        {
            // The waiting sends already have the error.
        }
        finally
        {
            _gate.Release();
        }
    }

    private void Settle(IChannel channel, ulong sequenceNumber, bool isMultiple, bool isRefused)
    {
        List<PendingSend> settled;
        lock (_pendingGate)
        {
            if (channel != _channel)
                return;
            settled = _window.TakeSettled(sequenceNumber, isMultiple);
        }

        foreach (PendingSend pending in settled)
        {
            if (pending.Returned is { } reason)
                pending.TrySetException(_errors.Returned(reason));
            else if (isRefused)
                pending.TrySetException(_errors.Nacked());
            else
                pending.TrySetResult();
        }
    }

    private void OnReturned(IChannel channel, BasicReturnEventArgs e)
    {
        string reason = $"there is no queue '{_target.QueueName}' any more ({e.ReplyText}).";
        if (!_isRecoverable)
        {
            // No caller waits for this message, so the next send reports it.
            _lostExpress = _errors.LostExpress($"was lost: {reason}");
            return;
        }

        // The return arrives before the confirm of the same message, and in the order of the publishes.
        lock (_pendingGate)
        {
            if (channel == _channel && _window.FindReturned(e.BasicProperties.MessageId) is { } returned)
                returned.Returned = reason;
        }
    }

    private void OnChannelClosed(IChannel channel, ShutdownEventArgs reason)
    {
        if (_connection.Lost.IsCancellationRequested)
            return;
        PendingSend[] pending;
        int refused;
        lock (_pendingGate)
        {
            if (channel != _channel || _hasEnded)
                return;
            _hasEnded = true;
            if (!_isRecoverable && RabbitMqReplies.IsOfPublish(reason))
                _lostExpress = _errors.LostExpress($"was refused, and those sent after it were lost with it: {reason.ReplyText}");
            pending = _window.TakeAll();
            refused = RabbitMqReplies.IsOfPublish(reason) ? _window.IndexOfRejected(pending, reason.ReplyText) : pending.Length;
            // The broker skips what follows on the channel.
            for (int i = refused + 1; i < pending.Length; i++)
                PublishLater(pending[i]);
            // A message whose publish failed meanwhile was added before them.
            _unsent.Sort(static (one, other) => one.SequenceNumber.CompareTo(other.SequenceNumber));
        }

        for (int i = 0; i < pending.Length && i <= refused; i++)
            pending[i].TrySetException(i < refused
                ? _errors.Unconfirmed($"the broker closed the channel ({reason.ReplyText})")
                : _errors.Refused(reason, pending[i].Body.Length));
    }

    private void OnConnectionLost()
    {
        PendingSend[] pending;
        PendingSend[] unsent;
        lock (_pendingGate)
        {
            pending = _window.TakeAll();
            unsent = [.. _unsent];
            _unsent.Clear();
        }

        foreach (PendingSend send in pending)
            send.TrySetException(_errors.Unconfirmed($"the connection was lost ({_connection.LostReason})"));
        foreach (PendingSend send in unsent)
            send.TrySetException(_connection.LostException(What, null));
    }
}
