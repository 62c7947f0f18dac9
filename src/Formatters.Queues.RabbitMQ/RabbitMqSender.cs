using System;
using System.Collections.Generic;
using System.Globalization;
using System.Threading;
using System.Threading.Tasks;
using RabbitMQ.Client;
using RabbitMQ.Client.Events;

namespace Formatters.Queues.RabbitMQ;

/// <summary>The sending side of a queue handle: one channel, publishes one after the other in the order of the calls, and, if recoverable, their confirms.</summary>
internal sealed class RabbitMqSender
{
    private const string What = "send the message";

    private readonly RabbitMqConnection _connection;
    private readonly IChannel _channel;
    private readonly RabbitMqTarget _target;
    private readonly bool _isRecoverable;
    private readonly bool _hasPriorities;
    private readonly SemaphoreSlim _gate = new(1, 1);
    private readonly SemaphoreSlim? _window;
    private readonly Lock _pendingGate = new();
    private readonly Dictionary<ulong, PendingSend> _pending = [];
    private readonly string _idPrefix = Guid.NewGuid().ToString() + "\\";
    private ulong _lastSequenceNumber;
    private ulong _lowestPending = 1;
    private long _lastId;
    private string? _unroutable;
    private volatile bool _hasUnflushed;

    private RabbitMqSender(RabbitMqConnection connection, IChannel channel, RabbitMqTarget target, bool isRecoverable, bool hasPriorities, int window)
    {
        _connection = connection;
        _channel = channel;
        _target = target;
        _hasPriorities = hasPriorities;
        _isRecoverable = isRecoverable;
        channel.BasicReturnAsync += (_, e) =>
        {
            OnReturned(e);
            return Task.CompletedTask;
        };
        if (!isRecoverable)
            return;

        // Own tracking of confirms, not the client's. They measure alike (1 KiB, window of 1,000: 11-14 k/s, the broker is the limit), but the client's
        // adds a header of its own to every message, and its waits for a lost connection are not to be relied on (see RabbitMqConnection).
        _window = new SemaphoreSlim(window, window);
        channel.BasicAcksAsync += (_, e) =>
        {
            Settle(e.DeliveryTag, e.Multiple, isRefused: false);
            return Task.CompletedTask;
        };
        channel.BasicNacksAsync += (_, e) =>
        {
            Settle(e.DeliveryTag, e.Multiple, isRefused: true);
            return Task.CompletedTask;
        };
        channel.ChannelShutdownAsync += (_, reason) =>
        {
            FailAll($"the broker closed the channel ({reason.ReplyText})");
            return Task.CompletedTask;
        };
        // First by the connection, whose event comes before the channel's and does not wait for publishers.
        connection.Lost.UnsafeRegister(
            static state =>
            {
                var sender = (RabbitMqSender)state!;
                sender.FailAll($"the connection was lost ({sender._connection.LostReason})");
            },
            this);
    }

    /// <summary>Whether messages were published since the last <see cref="FlushAsync"/>, and may still be on their way to the queue.</summary>
    internal bool HasUnflushed => _hasUnflushed;

    internal bool IsOpen => _channel.IsOpen;

    internal static async Task<RabbitMqSender> OpenAsync(
        RabbitMqConnection connection, RabbitMqTarget target, bool isRecoverable, bool hasPriorities, int window)
    {
        IChannel channel = await connection.OpenChannelAsync(isRecoverable, "open a channel for sending", CancellationToken.None).ConfigureAwait(false);
        return new RabbitMqSender(connection, channel, target, isRecoverable, hasPriorities, window);
    }

    internal async ValueTask SendAsync(QueueMessage message, CancellationToken cancellationToken, DeadLetterProperties? deadLetter = null)
    {
        string messageId = message.MessageId ?? string.Create(CultureInfo.InvariantCulture, $"{_idPrefix}{Interlocked.Increment(ref _lastId)}");
        BasicProperties properties = RabbitMqMessage.PropertiesOf(message, messageId, _isRecoverable, _hasPriorities, deadLetter);
        ReadOnlyMemory<byte> body = message.Body.Bytes.IsSingleSegment ? message.Body.Bytes.First : message.Body.ToArray();
        _connection.ThrowIfLost(What);

        // The gate is taken before the window, so that sends that wait keep their order.
        await WaitAsync(_gate, cancellationToken).ConfigureAwait(false);
        PendingSend? pending = null;
        Task? publish = null;
        try
        {
            if (_window is not null)
            {
                await WaitAsync(_window, cancellationToken).ConfigureAwait(false);
                pending = AddPending(messageId);
            }
            else if (_unroutable is { } error)
            {
                _unroutable = null;
                throw new QueueException(error);
            }

            _hasUnflushed = !_isRecoverable;
            publish = PublishAsync(properties, body, pending);
        }
        finally
        {
            if (publish is null)
                _gate.Release();
        }

        if (!publish.IsCompletedSuccessfully)
            await FinishAsync(publish, cancellationToken).ConfigureAwait(false);
        if (pending is not null)
            await FinishAsync(pending.Task, cancellationToken).ConfigureAwait(false);
    }

    /// <summary>Asks the broker something on the channel of the publishes: it answers when it has handed all of them to the queue.</summary>
    internal async Task FlushAsync(CancellationToken cancellationToken)
    {
        await WaitAsync(_gate, cancellationToken).ConfigureAwait(false);
        try
        {
            _hasUnflushed = false;
            await _connection.RunAsync(token => _target.PingAsync(_channel, token), "reach the queue", cancellationToken).ConfigureAwait(false);
        }
        finally
        {
            _gate.Release();
        }
    }

    private async Task WaitAsync(SemaphoreSlim semaphore, CancellationToken cancellationToken)
    {
        Task<bool> wait = semaphore.WaitAsync(_connection.Timeout, cancellationToken);
        if (!wait.IsCompletedSuccessfully)
        {
            // After a loss the holders fail at once, so that the line before us is short.
            if (!await wait.ConfigureAwait(false))
                throw _connection.Explain(new TimeoutException(), What, cancellationToken);
        }
        else if (!wait.Result)
        {
            throw _connection.Explain(new TimeoutException(), What, cancellationToken);
        }
    }

    /// <summary>Publishes, and then opens the gate for the next: also when the caller has given up waiting, so that publishes never overtake or interleave.</summary>
    private async Task PublishAsync(BasicProperties properties, ReadOnlyMemory<byte> body, PendingSend? pending)
    {
        try
        {
            // Before its first wait the client has copied the body into its frames. Mandatory: a queue that is gone gives the message back.
            await _channel.BasicPublishAsync(_target.Exchange, _target.QueueName, mandatory: !_target.IsTopic, properties, body, _connection.Lost).ConfigureAwait(false);
        }
        catch
        {
            if (pending is not null)
                RemoveLast(pending);
            throw;
        }
        finally
        {
            _gate.Release();
        }
    }

    private async Task FinishAsync(Task task, CancellationToken cancellationToken)
    {
        try
        {
            await task.WaitAsync(_connection.Timeout, cancellationToken).ConfigureAwait(false);
        }
        catch (Exception e) when (e is not QueueException)
        {
            Exception explained = _connection.Explain(e, What, cancellationToken);
            throw explained is QueueException ? new QueueException(explained.Message, e) { OutcomeUnknown = true } : explained;
        }
    }

    private PendingSend AddPending(string messageId)
    {
        lock (_pendingGate)
        {
            var pending = new PendingSend(messageId, ++_lastSequenceNumber);
            _pending.Add(pending.SequenceNumber, pending);
            return pending;
        }
    }

    /// <summary>Takes back the number of a publish that has not happened, as the client does.</summary>
    private void RemoveLast(PendingSend pending)
    {
        lock (_pendingGate)
        {
            _lastSequenceNumber--;
            if (!_pending.Remove(pending.SequenceNumber))
                return;
        }

        _window!.Release();
    }

    private void Settle(ulong sequenceNumber, bool isMultiple, bool isRefused)
    {
        if (!isMultiple)
        {
            SettleOne(sequenceNumber, isRefused);
            return;
        }

        for (; _lowestPending <= sequenceNumber; _lowestPending++)
            SettleOne(_lowestPending, isRefused);
    }

    private void SettleOne(ulong sequenceNumber, bool isRefused)
    {
        PendingSend? pending;
        lock (_pendingGate)
        {
            if (!_pending.Remove(sequenceNumber, out pending))
                return;
        }

        _window!.Release();
        if (pending.Returned is { } reason)
            pending.TrySetException(new QueueException($"Could not {What} at '{_connection.Address.Text}': {reason}"));
        else if (isRefused)
            pending.TrySetException(new QueueException($"Could not {What} at '{_connection.Address.Text}': the broker refused it (basic.nack): the queue is full, or the broker failed."));
        else
            pending.TrySetResult();
    }

    private void OnReturned(BasicReturnEventArgs e)
    {
        string reason = $"there is no queue '{_target.QueueName}' any more ({e.ReplyText}).";
        if (!_isRecoverable)
        {
            // Nobody waits for this message: the next send tells.
            _unroutable = $"An earlier express message for '{_connection.Address.Text}' was lost: {reason}";
            return;
        }

        // The return comes before the confirm of the same message, and in the order of the publishes.
        lock (_pendingGate)
        {
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

    private void FailAll(string reason)
    {
        PendingSend[] pending;
        lock (_pendingGate)
        {
            pending = [.. _pending.Values];
            _pending.Clear();
        }

        if (pending.Length == 0)
            return;
        _window!.Release(pending.Length);
        foreach (PendingSend send in pending)
        {
            send.TrySetException(
                new QueueException(
                    $"'{_connection.Address.Text}' has not confirmed the message: {reason}. It may or may not be in the queue.") { OutcomeUnknown = true });
        }
    }

    /// <summary>A publish that the broker has not confirmed yet.</summary>
    private sealed class PendingSend(string messageId, ulong sequenceNumber) : TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously)
    {
        internal string MessageId { get; } = messageId;

        internal ulong SequenceNumber { get; } = sequenceNumber;

        /// <summary>Why the broker has given the message back, or null.</summary>
        internal string? Returned { get; set; }
    }
}
