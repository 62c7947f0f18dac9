using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using System.Text.RegularExpressions;
using System.Threading;
using System.Threading.Tasks;
using RabbitMQ.Client;
using RabbitMQ.Client.Events;
using RabbitMQ.Client.Exceptions;

namespace Formatters.Queues.RabbitMQ;

/// <summary>The sending side of a queue handle: publishes one after the other in the order of the calls, and, if recoverable, their confirms.</summary>
/// <remarks>
/// <para>Sends wait in line for the gate, and at its head for space in the window. The broker's time does not run meanwhile: it runs while the broker owes an
/// answer, and begins again whenever it has settled the oldest message.</para>
/// <para>The broker closes the channel over a publish that it refuses (a body that is too large, an exchange that is gone). Then a new channel takes its
/// place: what was published before the refused message has an unknown outcome, and what was published after it, which the broker has passed over, is
/// published again, in its order.</para>
/// </remarks>
internal sealed partial class RabbitMqSender : IDisposable
{
    /// <summary>How many bytes of bodies may be unconfirmed. One that is larger goes alone: the client copies each into a buffer, and a refusal concerns no
    /// other.</summary>
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

    // Of the channel: guarded by _pendingGate.
    private readonly Dictionary<ulong, PendingSend> _pending = [];
    private IChannel _channel = null!;
    private ulong _lastSequenceNumber;
    private ulong _lowest = 1;
    private ulong _front = 1;
    private long _pendingByteCount;
    private bool _hasEnded;

    // Across channels, guarded by _pendingGate: what the next one has to publish first, and from which size on bodies may be refused.
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
        // By the connection, whose event comes before the channel's and does not wait for publishers.
        connection.Lost.UnsafeRegister(static state => ((RabbitMqSender)state!).OnConnectionLost(), this);
    }

    /// <summary>Whether messages were published since the last <see cref="FlushAsync"/>, and may still be on their way to the queue.</summary>
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

    /// <summary>Asks the broker something on the channel of the publishes: it answers when it has handed all of them to the queue.</summary>
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

    /// <summary>Waits until all sends that were begun are published and confirmed.</summary>
    internal Task DrainAsync() => _connection.RunAsync(
        async token =>
        {
            // Behind the line.
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

    /// <summary>Waits in line for the gate: for as long as the broker settles what goes before.</summary>
    private async ValueTask EnterAsync(CancellationToken cancellationToken)
    {
        // Nobody who waits is overtaken by this: a release hands the gate to the first in line.
        if (!_gate.Wait(0, CancellationToken.None))
            await RunWatchedAsync(_gate.WaitAsync, cancellationToken).ConfigureAwait(false);
        Volatile.Write(ref _heldSince, Environment.TickCount64);
        if (_connection.Lost.IsCancellationRequested)
        {
            _gate.Release();
            _connection.ThrowIfLost(What);
        }
    }

    /// <summary>Waits until the window has space for a message, and gives it its number.</summary>
    private async ValueTask WaitForSpaceAsync(PendingSend pending, CancellationToken cancellationToken)
    {
        while (true)
        {
            await EnsureChannelAsync().ConfigureAwait(false);
            Task settled;
            lock (_pendingGate)
            {
                // Before its end is dealt with, which concerns all that have a number.
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

    /// <summary>Waits for something that the broker's answers bring about, until it has owed one for too long.</summary>
    private async Task RunWatchedAsync(Func<CancellationToken, Task> wait, CancellationToken cancellationToken)
    {
        CancellationToken stalled = _stalled.Token;
        using CancellationTokenSource? both = cancellationToken.CanBeCanceled ? CancellationTokenSource.CreateLinkedTokenSource(stalled, cancellationToken) : null;
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
            // The body is the caller's again.
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

    /// <summary>Publishes, and then opens the gate for the next: also when the caller has given up waiting, so that publishes never overtake or
    /// interleave.</summary>
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
            // Nobody confirms it: an answer behind it keeps the next one from being copied beside it.
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
            // Here it has an exception: the next send has nothing to tell.
            OnChannelClosed(_channel, reason);
            _lostExpress = null;
            throw Refusal(reason, body.Length);
        }
    }

    // Before its first wait the client has copied the body into its frames. Mandatory: a queue that is gone gives the message back.
    private ValueTask PublishAsync(IChannel channel, BasicProperties properties, ReadOnlyMemory<byte> body) =>
        channel.BasicPublishAsync(_target.Exchange, _target.QueueName, mandatory: !_target.IsTopic, properties, body, _connection.Lost);

    private void OnPublishFailed(PendingSend pending, Exception e)
    {
        bool isUnsent = e is AlreadyClosedException;
        lock (_pendingGate)
        {
            // If the end of the channel or the connection has taken it already, it has its answer or goes out again.
            if (!_pending.TryGetValue(pending.SequenceNumber, out PendingSend? same) || same != pending)
                return;
            // The client, too, takes back the number of a publish that has not happened.
            _lastSequenceNumber--;
            Remove(pending);
            if (isUnsent && !_connection.Lost.IsCancellationRequested)
            {
                PublishLater(pending);
                return;
            }
        }

        Exception explained = _connection.Explain(e, What, CancellationToken.None);
        pending.TrySetException(explained is QueueException ? new QueueException(explained.Message, e) { OutcomeUnknown = !isUnsent } : explained);
    }

    /// <summary>A channel that is open: the one there is, or a new one, on which goes first what the last has left. With the gate held.</summary>
    private ValueTask EnsureChannelAsync() => _channel.IsOpen && _unsent.Count == 0 ? default : new ValueTask(OpenChannelAsync());

    private async Task OpenChannelAsync()
    {
        while (true)
        {
            List<PendingSend> again = [];
            // The client's event of it may still come.
            if (_channel is { CloseReason: { } reason } closed)
                OnChannelClosed(closed, reason);
            try
            {
                _connection.ThrowIfLost(What);
                IChannel channel = await _connection.OpenChannelAsync(_isRecoverable, "open a channel for sending", CancellationToken.None).ConfigureAwait(false);
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
                    pending.TrySetException(new QueueException(e.Message, e));
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
            // All of them had space in the window.
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

        // Own tracking of confirms, not the client's. They measure alike (1 KiB, window of 1,000: 11-14 k/s, the broker is the limit), but the client's
        // adds a header of its own to every message, and its waits for a lost connection are not to be relied on (see RabbitMqConnection).
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

    // More than none, so that no message escapes the count. One that the broker may refuse goes alone.
    private long ByteCountOf(PendingSend pending) => pending.Body.Length > _brokersLimit ? Math.Max(pending.Body.Length, MaxUnconfirmedByteCount) + 1L : pending.Body.Length + 1L;

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

    /// <summary>Keeps a message that the broker has not taken for the next channel. Its body is copied: the caller may give up the send, and change it, while
    /// it is published.</summary>
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
            // Those who wait have been told.
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
                // Not from the front: it has passed those that were given up.
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
                pending.TrySetException(new QueueException($"Could not {What} at '{_connection.Address.Text}': {reason}"));
            else if (isRefused)
                pending.TrySetException(new QueueException($"Could not {What} at '{_connection.Address.Text}': the broker refused it (basic.nack): the queue is full, or the broker failed."));
            else
                pending.TrySetResult();
        }
    }

    private void OnReturned(IChannel channel, BasicReturnEventArgs e)
    {
        string reason = $"there is no queue '{_target.QueueName}' any more ({e.ReplyText}).";
        if (!_isRecoverable)
        {
            // Nobody waits for this message: the next send tells.
            _lostExpress = $"An earlier express message for '{_connection.Address.Text}' was lost: {reason}";
            return;
        }

        // The return comes before the confirm of the same message, and in the order of the publishes.
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
                _lostExpress = $"An earlier express message for '{_connection.Address.Text}' was refused, and those sent after it were lost with it: {reason.ReplyText}";
            pending = TakePending();
            refused = IsOfPublish(reason) ? IndexOfRefused(pending, reason.ReplyText) : pending.Length;
            // The broker passes over what comes on the channel behind that.
            for (int i = refused + 1; i < pending.Length; i++)
                PublishLater(pending[i]);
            // One whose publish has failed meanwhile was here before them.
            _unsent.Sort(static (one, other) => one.SequenceNumber.CompareTo(other.SequenceNumber));
        }

        for (int i = 0; i < pending.Length && i <= refused; i++)
            pending[i].TrySetException(i < refused ? Unconfirmed($"the broker closed the channel ({reason.ReplyText})") : Refusal(reason, pending[i].Body.Length));
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

    /// <summary>All that is not confirmed, in the order of its publishes. With _pendingGate held.</summary>
    private PendingSend[] TakePending()
    {
        PendingSend[] pending = [.. _pending.Values.OrderBy(static one => one.SequenceNumber)];
        _pending.Clear();
        _pendingByteCount = 0;
        MoveFront();
        Notify();
        return pending;
    }

    /// <summary>Which publish the broker has closed the channel over. It says so only of a body that is too large; of the others it is the last at the
    /// latest. With _pendingGate held.</summary>
    private int IndexOfRefused(PendingSend[] pending, string replyText)
    {
        if (TooLarge().Match(replyText) is { Success: true } match
            && long.TryParse(match.Groups[1].Value, CultureInfo.InvariantCulture, out long byteCount)
            && long.TryParse(match.Groups[2].Value, CultureInfo.InvariantCulture, out long limit))
        {
            _brokersLimit = limit;
            int index = Array.FindIndex(pending, one => one.BodyByteCount == byteCount);
            if (index >= 0)
                return index;
        }

        return pending.Length - 1;
    }

    [GeneratedRegex(@"message size (\d+) .*max(?:imum)? size (\d+)", RegexOptions.CultureInvariant)]
    private static partial Regex TooLarge();

    /// <summary>Whether the broker has closed a channel over a publish.</summary>
    internal static bool IsOfPublish(ShutdownEventArgs reason) => reason is { Initiator: ShutdownInitiator.Peer, ClassId: 60, MethodId: 40 };

    private QueueException Refusal(ShutdownEventArgs reason, int byteCount) => new(
        TooLarge().IsMatch(reason.ReplyText)
            ? FormattableString.Invariant(
                $"Could not {What} at '{_connection.Address.Text}': the broker refused its body of {byteCount:N0} bytes, which is not in the queue: {reason.ReplyText} (max_message_size in its rabbitmq.conf).")
            : $"Could not {What} at '{_connection.Address.Text}': the broker refused it, and it is not in the queue: {reason.ReplyText}");

    private QueueException Unconfirmed(string reason) =>
        new($"'{_connection.Address.Text}' has not confirmed the message: {reason}. It may or may not be in the queue.") { OutcomeUnknown = true };

    /// <summary>Lets <see cref="Watch"/> run. With _pendingGate held.</summary>
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
            // The handle is closed, and its connection with it: that ends all waits.
        }
    }

    /// <summary>Looks from time to time whether the broker owes an answer for too long.</summary>
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
                pending.TrySetException(new QueueException(timeout.Message, timeout.InnerException) { OutcomeUnknown = true });
            stalled?.Cancel();
        }
    }

    /// <summary>A publish that the broker has not confirmed yet.</summary>
    private sealed class PendingSend(string messageId, BasicProperties properties, ReadOnlyMemory<byte> body) : TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously)
    {
        internal string MessageId { get; } = messageId;

        internal BasicProperties Properties { get; } = properties;

        internal ReadOnlyMemory<byte> Body { get; set; } = body;

        internal int BodyByteCount { get; } = body.Length;

        /// <summary>Its number on its channel.</summary>
        internal ulong SequenceNumber { get; set; }

        /// <summary>What it counts for in the window.</summary>
        internal long ByteCount { get; set; }

        internal long PublishedAt { get; set; }

        /// <summary>Whether nobody waits for it any more. It keeps its space in the window until the broker settles it.</summary>
        internal bool IsAbandoned { get; private set; }

        /// <summary>Why the broker has given the message back, or null.</summary>
        internal string? Returned { get; set; }

        internal void Abandon()
        {
            IsAbandoned = true;
            Body = default;
        }
    }
}
