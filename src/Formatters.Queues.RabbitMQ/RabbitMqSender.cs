using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
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
/// <para>Not a pump of batches, as the other servers have. A pump waits for its batch before it takes the next; here publishes go on while earlier
/// ones are not confirmed. And a pump publishes for its callers, so one that cancels would change its body while the client copies it, or wait for
/// the broker; here each caller publishes its own message, and the client has copied the body before the caller can cancel.</para>
/// <para>Sends queue for the gate, and then wait for space in the window. The broker's timeout does not run meanwhile: it runs while the broker owes
/// an answer, and restarts whenever the broker has settled the oldest message.</para>
/// <para>The broker closes the channel over a rejected publish (a body that is too large, an exchange that does not exist). A new channel then
/// replaces it. Messages published before the rejected one have an unknown outcome. Those published after it, which the broker has skipped, are
/// published again in order.</para>
/// </remarks>
internal sealed class RabbitMqSender : IDisposable
{
    /// <summary>
    /// The maximum number of unconfirmed body bytes. A larger message is sent alone: the client copies each body into a buffer, and a rejection then
    /// affects no other message.
    /// </summary>
    internal const int MaxUnconfirmedByteCount = 16 << 20;

    private const string What = "send the message";

    private readonly RabbitMqConnection _connection;
    private readonly RabbitMqTarget _target;
    private readonly bool _isRecoverable;
    private readonly bool _hasPriorities;
    private readonly int _window;
    private readonly SemaphoreSlim _gate = new(1, 1);
    private readonly Lock _pendingGate = new();
    private readonly string _idPrefix = Guid.NewGuid().ToString() + "\\";
    private readonly Timer _watch;
    private long _lastId;
    private volatile string? _lostExpress;
    private volatile bool _hasUnflushed;

    // Per channel, guarded by _pendingGate.
    private readonly Dictionary<ulong, PendingSend> _pending = [];
    private IChannel _channel = null!;
    private ulong _lastSequenceNumber;
    private ulong _lowest = 1;
    private ulong _front = 1;
    private long _pendingByteCount;
    private bool _hasEnded;

    // Across channels, guarded by _pendingGate: what the next channel publishes first, and the body size that may be rejected.
    private readonly List<PendingSend> _unsent = [];
    private long _brokersLimit = long.MaxValue;
    private TaskCompletionSource? _settled;

    // The broker's time, in milliseconds of Environment.TickCount64.
    private long _heldSince;
    private long _frontMoved;
    private volatile CancellationTokenSource _stalled = new();
    private bool _isWatching;

    private RabbitMqSender(RabbitMqConnection connection, RabbitMqTarget target, bool isRecoverable, bool hasPriorities, int window)
    {
        _connection = connection;
        _target = target;
        _isRecoverable = isRecoverable;
        _hasPriorities = hasPriorities;
        _window = window;
        _watch = new Timer(static state => ((RabbitMqSender)state!).Watch(), this, Timeout.Infinite, Timeout.Infinite);
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
                    if (_unsent.Count == 0 && _pending.Values.All(static pending => pending.IsAbandoned))
                        return;
                    settled = (_settled ??= new(TaskCreationOptions.RunContinuationsAsynchronously)).Task;
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
            await RunWatchedAsync(_gate.WaitAsync, cancellationToken).ConfigureAwait(false);
        Volatile.Write(ref _heldSince, Environment.TickCount64);
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
                if (!_hasEnded && TryAdd(pending))
                    return;
                if (_hasEnded)
                    continue;
                settled = (_settled ??= new(TaskCreationOptions.RunContinuationsAsynchronously)).Task;
            }

            await RunWatchedAsync(settled.WaitAsync, cancellationToken).ConfigureAwait(false);
        }
    }

    /// <summary>Runs a wait that the broker's answers complete, until the broker has owed one for too long.</summary>
    private async Task RunWatchedAsync(Func<CancellationToken, Task> wait, CancellationToken cancellationToken)
    {
        CancellationToken stalled = _stalled.Token;
        using CancellationTokenSource? both = cancellationToken.CanBeCanceled
            ? CancellationTokenSource.CreateLinkedTokenSource(stalled, cancellationToken) : null;
        lock (_pendingGate)
            StartWatching();
        try
        {
            await wait(both?.Token ?? stalled).ConfigureAwait(false);
        }
        catch (OperationCanceledException e)
        {
            throw _connection.Explain(e, What, cancellationToken);
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
            await RunWatchedAsync(publish.WaitAsync, cancellationToken).ConfigureAwait(false);
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
            if (body.Length > MaxUnconfirmedByteCount)
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
        catch (QueueException e) when (e.InnerException is OperationInterruptedException { ShutdownReason: { } reason } && IsOfPublish(reason))
        {
            // The exception reports it here, so the next send must not.
            OnChannelClosed(_channel, reason);
            _lostExpress = null;
            throw Refusal(reason, body.Length);
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
            // If the end of the channel or connection has removed it already, it is completed or will be published again.
            if (!_pending.TryGetValue(pending.SequenceNumber, out PendingSend? same) || same != pending)
                return;
            // The client also takes back the number of a publish that did not happen.
            _lastSequenceNumber--;
            Remove(pending);
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
                    Notify();
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
            _lastSequenceNumber = 0;
            _lowest = 1;
            _front = 1;
            // All of these already had space in the window.
            foreach (PendingSend pending in _unsent)
            {
                if (pending.IsAbandoned)
                    continue;
                Add(pending);
                again.Add(pending);
            }

            _unsent.Clear();
            Notify();
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

    // The next seven are called with _pendingGate held.
    private bool TryAdd(PendingSend pending)
    {
        long byteCount = ByteCountOf(pending);
        if (_pending.Count >= _window || (_pendingByteCount > 0 && _pendingByteCount + byteCount > MaxUnconfirmedByteCount))
            return false;
        Add(pending);
        return true;
    }

    private void Add(PendingSend pending)
    {
        pending.ByteCount = ByteCountOf(pending);
        pending.SequenceNumber = ++_lastSequenceNumber;
        pending.PublishedAt = Environment.TickCount64;
        _pending.Add(pending.SequenceNumber, pending);
        _pendingByteCount += pending.ByteCount;
        StartWatching();
    }

    // Counted as more than zero, so that every message counts. A message that the broker may reject is sent alone.
    private long ByteCountOf(PendingSend pending) =>
        pending.Body.Length > _brokersLimit ? Math.Max(pending.Body.Length, MaxUnconfirmedByteCount) + 1L : pending.Body.Length + 1L;

    private void Remove(PendingSend pending)
    {
        _pending.Remove(pending.SequenceNumber);
        _pendingByteCount -= pending.ByteCount;
        MoveFront();
        Notify();
    }

    private void MoveFront()
    {
        ulong before = _front;
        while (_lowest <= _lastSequenceNumber && !_pending.ContainsKey(_lowest))
            _lowest++;
        _lowest = Math.Min(_lowest, _lastSequenceNumber + 1);
        _front = Math.Min(Math.Max(_front, _lowest), _lastSequenceNumber + 1);
        while (_front <= _lastSequenceNumber && (!_pending.TryGetValue(_front, out PendingSend? pending) || pending.IsAbandoned))
            _front++;
        if (_front != before)
            Volatile.Write(ref _frontMoved, Environment.TickCount64);
    }

    private void Notify()
    {
        _settled?.TrySetResult();
        _settled = null;
    }

    /// <summary>
    /// Keeps a message that the broker has not accepted for the next channel. Its body is copied: the caller may cancel the send and change the body
    /// meanwhile.
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
        Volatile.Write(ref _heldSince, Environment.TickCount64);
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
        var settled = new List<PendingSend>(isMultiple ? 16 : 1);
        lock (_pendingGate)
        {
            if (channel != _channel)
                return;
            PendingSend? pending;
            if (!isMultiple)
            {
                if (_pending.TryGetValue(sequenceNumber, out pending))
                    settled.Add(pending);
            }
            else
            {
                // Searched from the end: the front may contain abandoned sends.
                for (ulong number = _lowest; number <= sequenceNumber && number <= _lastSequenceNumber; number++)
                {
                    if (_pending.TryGetValue(number, out pending))
                        settled.Add(pending);
                }
            }

            foreach (PendingSend one in settled)
                Remove(one);
        }

        foreach (PendingSend pending in settled)
        {
            if (pending.Returned is { } reason)
                pending.TrySetException(new QueueException($"Could not {What} at '{_connection.Address.Text}': {reason}")
                {
                    Code = QueueErrorCode.QueueDeleted,
                });
            else if (isRefused)
                pending.TrySetException(new QueueException(
                    $"Could not {What} at '{_connection.Address.Text}': the broker refused it (basic.nack): the queue is full, or the broker "
                    + "failed.") { Code = QueueErrorCode.Full });
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
            _lostExpress = $"An earlier express message for '{_connection.Address.Text}' was lost: {reason}";
            return;
        }

        // The return arrives before the confirm of the same message, and in the order of the publishes.
        lock (_pendingGate)
        {
            if (channel != _channel)
                return;
            PendingSend? returned = null;
            foreach (PendingSend pending in _pending.Values)
            {
                if (pending.Returned is null && pending.MessageId == e.BasicProperties.MessageId
                    && (returned is null || pending.SequenceNumber < returned.SequenceNumber))
                    returned = pending;
            }

            if (returned is not null)
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
            if (!_isRecoverable && IsOfPublish(reason))
                _lostExpress =
                    $"An earlier express message for '{_connection.Address.Text}' was refused, and those sent after it were lost with it: "
                    + $"{reason.ReplyText}";
            pending = TakePending();
            refused = IsOfPublish(reason) ? IndexOfRefused(pending, reason.ReplyText) : pending.Length;
            // The broker skips what follows on the channel.
            for (int i = refused + 1; i < pending.Length; i++)
                PublishLater(pending[i]);
            // A message whose publish failed meanwhile was added before them.
            _unsent.Sort(static (one, other) => one.SequenceNumber.CompareTo(other.SequenceNumber));
        }

        for (int i = 0; i < pending.Length && i <= refused; i++)
            pending[i].TrySetException(i < refused
                ? Unconfirmed($"the broker closed the channel ({reason.ReplyText})")
                : Refusal(reason, pending[i].Body.Length));
    }

    private void OnConnectionLost()
    {
        PendingSend[] pending;
        PendingSend[] unsent;
        lock (_pendingGate)
        {
            pending = TakePending();
            unsent = [.. _unsent];
            _unsent.Clear();
        }

        foreach (PendingSend send in pending)
            send.TrySetException(Unconfirmed($"the connection was lost ({_connection.LostReason})"));
        foreach (PendingSend send in unsent)
            send.TrySetException(_connection.LostException(What, null));
    }

    /// <summary>Returns all unconfirmed sends, in the order of their publishes. Call with _pendingGate held.</summary>
    private PendingSend[] TakePending()
    {
        PendingSend[] pending = [.. _pending.Values.OrderBy(static one => one.SequenceNumber)];
        _pending.Clear();
        _pendingByteCount = 0;
        MoveFront();
        Notify();
        return pending;
    }

    /// <summary>
    /// Returns the index of the publish over which the broker closed the channel. The broker says so only for a body that is too large; otherwise it
    /// is at the latest the last one. Call with _pendingGate held.
    /// </summary>
    private int IndexOfRefused(PendingSend[] pending, string replyText)
    {
        if (RabbitMqReplies.FindSizes(replyText) is { } sizes)
        {
            _brokersLimit = sizes.Limit;
            int index = Array.FindIndex(pending, one => one.BodyByteCount == sizes.ByteCount);
            if (index >= 0)
                return index;
        }

        return pending.Length - 1;
    }

    /// <summary>Determines whether the broker closed a channel over a publish.</summary>
    internal static bool IsOfPublish(ShutdownEventArgs reason) => reason is { Initiator: ShutdownInitiator.Peer, ClassId: 60, MethodId: 40 };

    private QueueException Refusal(ShutdownEventArgs reason, int byteCount) => new(
        RabbitMqReplies.FindSizes(reason.ReplyText) is not null
            ? $"Could not {What} at '{_connection.Address.Text}': the broker refused its body of "
                + FormattableString.Invariant($"{byteCount:N0} bytes, which is not in the queue: {reason.ReplyText} ")
                + "(max_message_size in its rabbitmq.conf)."
            : $"Could not {What} at '{_connection.Address.Text}': the broker refused it, and it is not in the queue: {reason.ReplyText}")
    {
        // A precondition of the message: its size.
        Code = reason.ReplyCode == Constants.PreconditionFailed ? QueueErrorCode.TooLarge : QueueErrorCode.None,
    };

    private QueueException Unconfirmed(string reason) =>
        new($"'{_connection.Address.Text}' has not confirmed the message: {reason}. It may or may not be in the queue.")
        {
            OutcomeUnknown = true,
            IsUnreachable = true,
        };

    /// <summary>Starts <see cref="Watch"/>. Call with _pendingGate held.</summary>
    private void StartWatching()
    {
        if (_isWatching)
            return;
        _isWatching = true;
        SetWatch((int)Math.Clamp(_connection.Timeout.TotalMilliseconds / 8, 1, 1000));
    }

    private void SetWatch(int period)
    {
        try
        {
            _watch.Change(period, period);
        }
        catch (ObjectDisposedException)
        {
            // The handle is closed, and closing the connection ends all waits.
        }
    }

    /// <summary>Checks periodically whether the broker has owed an answer for too long.</summary>
    private void Watch()
    {
        CancellationTokenSource? stalled = null;
        var late = new List<PendingSend>();
        lock (_pendingGate)
        {
            long due = Environment.TickCount64 - (long)_connection.Timeout.TotalMilliseconds;
            if (Volatile.Read(ref _frontMoved) <= due)
            {
                foreach (PendingSend pending in _pending.Values)
                {
                    if (!pending.IsAbandoned && pending.PublishedAt <= due)
                        late.Add(pending);
                }
            }

            bool isHeld = _gate.CurrentCount == 0;
            if (isHeld && Volatile.Read(ref _frontMoved) <= due && Volatile.Read(ref _heldSince) <= due)
            {
                stalled = _stalled;
                _stalled = new CancellationTokenSource();
                Volatile.Write(ref _heldSince, Environment.TickCount64);
            }

            foreach (PendingSend pending in late)
                pending.Abandon();
            MoveFront();
            Notify();
            if (!isHeld && _pending.Count == 0)
            {
                _isWatching = false;
                SetWatch(Timeout.Infinite);
            }
        }

        if (late.Count > 0 || stalled is not null)
        {
            var timeout = (QueueException)_connection.Explain(new TimeoutException(), What, CancellationToken.None);
            foreach (PendingSend pending in late)
            {
                pending.TrySetException(new QueueException(timeout.Message, timeout.InnerException)
                {
                    OutcomeUnknown = true, IsUnreachable = true, Code = timeout.Code,
                });
            }

            stalled?.Cancel();
        }
    }

    /// <summary>A publish that the broker has not confirmed yet.</summary>
    private sealed class PendingSend(string messageId, BasicProperties properties, ReadOnlyMemory<byte> body)
        : TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously)
    {
        internal string MessageId { get; } = messageId;

        internal BasicProperties Properties { get; } = properties;

        internal ReadOnlyMemory<byte> Body { get; set; } = body;

        internal int BodyByteCount { get; } = body.Length;

        /// <summary>Gets or sets the sequence number on its channel.</summary>
        internal ulong SequenceNumber { get; set; }

        /// <summary>Gets or sets the number of bytes that it counts for in the window.</summary>
        internal long ByteCount { get; set; }

        internal long PublishedAt { get; set; }

        /// <summary>Gets whether its caller has stopped waiting. It keeps its space in the window until the broker settles it.</summary>
        internal bool IsAbandoned { get; private set; }

        /// <summary>Gets or sets why the broker returned the message, or null.</summary>
        internal string? Returned { get; set; }

        // The body stays: it may be the copy that is being published again.
        internal void Abandon() => IsAbandoned = true;
    }
}
