using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using System.Threading.Channels;
using System.Threading.Tasks;
using RabbitMQ.Client;
using RabbitMQ.Client.Events;
using RabbitMQ.Client.Exceptions;

namespace Formatters.Queues.RabbitMQ;

/// <summary>
/// The receiving side of a queue handle: a buffer of messages pushed by the broker or, for a receive without a timeout, a message requested with
/// basic.get.
/// </summary>
/// <remarks>
/// <para>The broker always waits for an acknowledgement. With ReceiveAndDelete it is sent when a message is returned to the caller, so that
/// prefetched messages go back to the queue when the handle is closed.</para>
/// <para>While a consumer is active, basic.get may report an empty queue although messages are on their way. A receive without a timeout therefore
/// cancels the consumer first: the queue itself confirms this, after the last pushed message.</para>
/// </remarks>
internal sealed class RabbitMqReceiver : RabbitMqSettler
{
    private const string What = "receive a message";

    private readonly RabbitMqConnection _connection;
    private readonly IChannel _channel;
    private readonly RabbitMqTarget _target;
    private readonly QueueOptions _options;
    private readonly RabbitMqAcknowledger _acknowledger;
    private readonly Func<CancellationToken, ValueTask<RabbitMqSender>> _openDeadLetters;
    private readonly bool _hasPriorities;
    private readonly bool _isPeekLock;
    private readonly bool _isPolling;
    private readonly SemaphoreSlim _gate = new(1, 1);
    private readonly Channel<RabbitMqMessage> _buffer = Channel.CreateUnbounded<RabbitMqMessage>();
    private readonly CancellationTokenSource _ended = new();
    private Consumer? _consumer;
    private int _waiterCount;
    private volatile string? _endReason;
    private volatile bool _isCancelledByBroker;

    private RabbitMqReceiver(
        RabbitMqConnection connection, IChannel channel, RabbitMqTarget target, QueueOptions options, bool hasPriorities,
            Func<CancellationToken, ValueTask<RabbitMqSender>> openDeadLetters)
    {
        _connection = connection;
        _channel = channel;
        _target = target;
        _options = options;
        _hasPriorities = hasPriorities;
        _openDeadLetters = openDeadLetters;
        _isPeekLock = options.ReceiveMode == ReceiveMode.PeekLock;
        // Prefetched messages do not count towards the broker's limits, so a handle with limits does not prefetch.
        _isPolling = options.MaxMessageCount is not null || options.MaxByteCount is not null;
        _acknowledger = new RabbitMqAcknowledger(channel, _isPeekLock ? options.AcknowledgeMode : AcknowledgeMode.Individual, options.PrefetchCount,
            connection.Lost);
        channel.ChannelShutdownAsync += (_, reason) => EndAsync(reason.ReplyText);
        connection.Lost.UnsafeRegister(static state => ((RabbitMqReceiver)state!)._ended.Cancel(), this);
    }

    internal bool IsOpen => !_ended.IsCancellationRequested;

    internal override string? DeadLetterQueue => _options.DeadLetterQueue;

    internal override string QueueName => _target.QueueName;

    internal static async Task<RabbitMqReceiver> OpenAsync(
        RabbitMqConnection connection, RabbitMqTarget target, QueueOptions options, bool hasPriorities,
            Func<CancellationToken, ValueTask<RabbitMqSender>> openDeadLetters)
    {
        IChannel channel = await connection.OpenChannelAsync(confirms: false, "open a channel for receiving", CancellationToken.None)
            .ConfigureAwait(false);
        ushort prefetchCount = (ushort)Math.Min(options.PrefetchCount, ushort.MaxValue);
        await connection.RunAsync(token => channel.BasicQosAsync(0, prefetchCount, global: false, token), "set the prefetch count",
            CancellationToken.None)
            .ConfigureAwait(false);
        return new RabbitMqReceiver(connection, channel, target, options, hasPriorities, openDeadLetters);
    }

    internal ValueTask<ReceivedMessage?> ReceiveAsync(TimeSpan timeout, CancellationToken cancellationToken)
    {
        ThrowIfEnded();
        if (_buffer.Reader.TryRead(out RabbitMqMessage? message))
            return HandOverAsync(message);
        return timeout == TimeSpan.Zero ? LookOnceAsync(cancellationToken) : _isPolling
            ? PollAsync(timeout, cancellationToken)
            : WaitAsync(timeout, cancellationToken);
    }

    /// <summary>Tries to receive a prefetched message.</summary>
    internal bool TryReceive(out ValueTask<ReceivedMessage?> receive)
    {
        bool isThere = _buffer.Reader.TryRead(out RabbitMqMessage? message);
        receive = isThere ? HandOverAsync(message!) : default;
        return isThere;
    }

    /// <summary>Removes and acknowledges all prefetched messages.</summary>
    internal async Task<long> PurgeBufferAsync(CancellationToken cancellationToken)
    {
        await _gate.WaitAsync(cancellationToken).ConfigureAwait(false);
        try
        {
            await StopConsumingAsync(cancellationToken).ConfigureAwait(false);
            long count = 0;
            for (; _buffer.Reader.TryRead(out RabbitMqMessage? message); count++)
                await AcknowledgeAsync(message).ConfigureAwait(false);
            return count;
        }
        finally
        {
            await ResumeAsync().ConfigureAwait(false);
        }
    }

    /// <summary>Counts the prefetched messages, while none is on its way.</summary>
    internal async Task<long> CountBufferAsync(Func<Task<long>> countQueue, CancellationToken cancellationToken)
    {
        await _gate.WaitAsync(cancellationToken).ConfigureAwait(false);
        try
        {
            await StopConsumingAsync(cancellationToken).ConfigureAwait(false);
            return _buffer.Reader.Count + await countQueue().ConfigureAwait(false);
        }
        finally
        {
            await ResumeAsync().ConfigureAwait(false);
        }
    }

    internal override async ValueTask SettleAsync(RabbitMqMessage message, bool giveBack)
    {
        if (!IsOpen)
            throw await ExplainLostLockAsync().ConfigureAwait(false);
        if (giveBack)
        {
            await _connection.RunAsync(
                _ => _acknowledger.ReturnAsync(message.DeliveryTag).AsTask(), "return the message", default).ConfigureAwait(false);
        }
        else
        {
            await AcknowledgeAsync(message).ConfigureAwait(false);
        }
    }

    internal RabbitMqTarget Target => _target;

    /// <summary>
    /// Returns claimed messages, and then the prefetched ones, while nothing is pushed. A quorum queue redelivers them in the order in which they
    /// were returned.
    /// </summary>
    internal async ValueTask ReturnAsync(IEnumerable<RabbitMqMessage> messages, CancellationToken cancellationToken)
    {
        await _gate.WaitAsync(cancellationToken).ConfigureAwait(false);
        try
        {
            await StopConsumingAsync(cancellationToken).ConfigureAwait(false);
            List<ulong> deliveryTags = [.. messages.Select(static message => message.DeliveryTag)];
            while (_buffer.Reader.TryRead(out RabbitMqMessage? ahead))
                deliveryTags.Add(ahead.DeliveryTag);
            deliveryTags.Sort();
            foreach (ulong deliveryTag in deliveryTags)
                await _connection.RunAsync(_ => _acknowledger.ReturnAsync(deliveryTag).AsTask(), "return messages", default).ConfigureAwait(false);
        }
        finally
        {
            await ResumeAsync().ConfigureAwait(false);
        }
    }

    /// <summary>Acknowledges claimed messages.</summary>
    internal async ValueTask AcknowledgeAsync(IEnumerable<RabbitMqMessage> messages)
    {
        if (!IsOpen)
            throw await ExplainLostLockAsync().ConfigureAwait(false);
        ulong[] deliveryTags = [.. messages.Select(static message => message.DeliveryTag).Order()];
        ValueTask acknowledge = _acknowledger.AcknowledgeAsync(deliveryTags);
        if (!acknowledge.IsCompletedSuccessfully)
            await _connection.RunAsync(_ => acknowledge.AsTask(), "acknowledge messages", default).ConfigureAwait(false);
    }

    internal override async ValueTask SendDeadLetterAsync(RabbitMqMessage message, DeadLetterProperties deadLetter,
        CancellationToken cancellationToken)
    {
        if (!IsOpen)
            throw await ExplainLostLockAsync().ConfigureAwait(false);
        RabbitMqSender sender = await _openDeadLetters(cancellationToken).ConfigureAwait(false);
        await sender.SendAsync(message, cancellationToken, deadLetter).ConfigureAwait(false);
    }

    /// <summary>Sends the pending acknowledgements of a lazy receiver, before it is closed.</summary>
    internal Task FlushAsync(CancellationToken cancellationToken) =>
        IsOpen ? _connection.RunAsync(_ => _acknowledger.FlushAsync(all: true), "acknowledge messages", cancellationToken) : Task.CompletedTask;

    /// <summary>Fails all waiting and later receives.</summary>
    internal Task EndAsync(string reason)
    {
        _endReason ??= reason;
        _acknowledger.Dispose();
        return _ended.CancelAsync();
    }

    /// <summary>Fails all receives and closes the channel, so that locked messages return to the queue while the handle stays open.</summary>
    private Task GiveUpAsync(string reason)
    {
        _ = Task.Run(async () =>
        {
            try
            {
                await _connection.RunAsync(token => _channel.CloseAsync(token), "close a channel", CancellationToken.None).ConfigureAwait(false);
            }
            catch (QueueException)
            {
                // The connection is lost, and the channel with it.
            }
        });
        return EndAsync(reason);
    }

    /// <summary>Explains why a lock is lost and what happens to its message: the broker knows whether the queue still exists.</summary>
    private async Task<QueueException> ExplainLostLockAsync()
    {
        string reason = _connection.Lost.IsCancellationRequested && _endReason is null
            ? $"the connection was lost ({_connection.LostReason})"
            : _endReason ?? "the queue was closed";
        string lost = $"The lock is gone, because {reason} ('{_connection.Address.Text}', queue '{_target.QueueName}'): ";
        if (_target.IsTemporary)
            return new QueueException(lost + "a temporary subscription ends with its connection, and the message will not be delivered again.");
        if (!_isCancelledByBroker)
            return new QueueException(lost + "the message will be delivered again.");
        try
        {
            IChannel channel = await _connection.OpenChannelAsync(confirms: false, "look for the queue", CancellationToken.None)
                .ConfigureAwait(false);
            await using (channel.ConfigureAwait(false))
                await _connection.RunAsync(token => channel.QueueDeclarePassiveAsync(_target.QueueName, token), "look for the queue",
                    CancellationToken.None).ConfigureAwait(false);
            return new QueueException(
                lost + "the queue exists, and the message will be delivered again, unless the queue was deleted and created again.");
        }
        catch (QueueException e) when (
            e.InnerException is OperationInterruptedException { ShutdownReason: { ReplyCode: Constants.NotFound } notFound })
        {
            // The same code is used for a queue whose node is down.
            return RabbitMqReplies.IsNoQueue(notFound.ReplyText)
                ? new QueueException(lost + "the queue was deleted, and its messages with it: this one will not be delivered again.")
                : new QueueException(lost + $"the message will be delivered again when the queue is back ({notFound.ReplyText}).");
        }
        catch (QueueException e)
        {
            return new QueueException(lost + $"the message will be delivered again, unless the queue was deleted ({e.Message}).");
        }
    }

    private async ValueTask<ReceivedMessage?> WaitAsync(TimeSpan timeout, CancellationToken cancellationToken)
    {
        using var stop = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken, _ended.Token);
        Interlocked.Increment(ref _waiterCount);
        try
        {
            await _gate.WaitAsync(stop.Token).ConfigureAwait(false);
            try
            {
                await StartConsumingAsync().ConfigureAwait(false);
            }
            finally
            {
                _gate.Release();
            }

            // The timeout starts here, so that a slow consumer start does not make the queue look empty.
            if (timeout != Timeout.InfiniteTimeSpan)
                stop.CancelAfter(timeout);
            while (true)
            {
                if (_buffer.Reader.TryRead(out RabbitMqMessage? message))
                    return await HandOverAsync(message).ConfigureAwait(false);
                // Not ReadAsync: if it is canceled at the wrong moment, it may consume a message and still throw (.NET 10, dotnet/runtime #132094).
                await _buffer.Reader.WaitToReadAsync(stop.Token).ConfigureAwait(false);
            }
        }
        catch (OperationCanceledException) when (stop.IsCancellationRequested)
        {
            cancellationToken.ThrowIfCancellationRequested();
            ThrowIfEnded();
            // A queue is empty only if its broker responds: silence is also what a hung broker looks like.
            await EnsureBrokerRespondsAsync(cancellationToken).ConfigureAwait(false);
            return _buffer.Reader.TryRead(out RabbitMqMessage? late) ? await HandOverAsync(late).ConfigureAwait(false) : null;
        }
        finally
        {
            Interlocked.Decrement(ref _waiterCount);
        }
    }

    private async Task EnsureBrokerRespondsAsync(CancellationToken cancellationToken)
    {
        // Not canceled after it is sent: the next request would take its answer.
        await _connection.RunAsync(_ => _channel.QueueDeclarePassiveAsync(_target.QueueName, CancellationToken.None), What, cancellationToken)
            .ConfigureAwait(false);
        ThrowIfEnded();
    }

    /// <summary>Polls until the timeout: at first quickly, then every 20 ms.</summary>
    private async ValueTask<ReceivedMessage?> PollAsync(TimeSpan timeout, CancellationToken cancellationToken)
    {
        using var stop = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken, _ended.Token);
        long start = Environment.TickCount64;
        for (int pause = 1; ; pause = Math.Min(2 * pause, 20))
        {
            if (await LookOnceAsync(cancellationToken).ConfigureAwait(false) is { } message)
                return message;
            if (timeout != Timeout.InfiniteTimeSpan && Environment.TickCount64 - start >= timeout.TotalMilliseconds)
                return null;
            await Task.Delay(pause, stop.Token).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
            cancellationToken.ThrowIfCancellationRequested();
            ThrowIfEnded();
        }
    }

    private async ValueTask<ReceivedMessage?> LookOnceAsync(CancellationToken cancellationToken)
    {
        await _gate.WaitAsync(cancellationToken).ConfigureAwait(false);
        try
        {
            // Waiting receivers have precedence for an available message.
            if (_consumer is not null && Volatile.Read(ref _waiterCount) > 0)
                return null;
            await StopConsumingAsync(cancellationToken).ConfigureAwait(false);
            if (_buffer.Reader.TryRead(out RabbitMqMessage? message))
                return await HandOverAsync(message).ConfigureAwait(false);

            // Not canceled after it is sent: the message would be lost to all receivers until the channel is closed.
            cancellationToken.ThrowIfCancellationRequested();
            while (true)
            {
                BasicGetResult? result = await _connection.RunAsync(
                    _ => _channel.BasicGetAsync(_target.QueueName, autoAck: false, CancellationToken.None), What, default).ConfigureAwait(false);
                if (result is null)
                    return null;
                // The client has copied the body.
                message = new RabbitMqMessage(result.DeliveryTag, result.Redelivered, result.BasicProperties, result.Body, _hasPriorities,
                    _isPeekLock ? this : null);
                if (IsSelected(message))
                    return await HandOverAsync(message).ConfigureAwait(false);
                await SkipAsync(message).ConfigureAwait(false);
            }
        }
        catch (QueueException)
        {
            // A late answer would have no receiver.
            await GiveUpAsync("an earlier receive failed").ConfigureAwait(false);
            throw;
        }
        finally
        {
            await ResumeAsync().ConfigureAwait(false);
        }
    }

    private ValueTask<ReceivedMessage?> HandOverAsync(RabbitMqMessage message)
    {
        if (_isPeekLock)
            return new ValueTask<ReceivedMessage?>(message);
        // One frame each: the broker is the bottleneck, not the frames, and exactly the returned messages are acknowledged.
        ValueTask acknowledge = _acknowledger.AcknowledgeAsync(message.DeliveryTag);
        return acknowledge.IsCompletedSuccessfully ? new ValueTask<ReceivedMessage?>(message) : AwaitAsync(acknowledge, message);

        async ValueTask<ReceivedMessage?> AwaitAsync(ValueTask acknowledge, RabbitMqMessage message)
        {
            await _connection.RunAsync(_ => acknowledge.AsTask(), What, default).ConfigureAwait(false);
            return message;
        }
    }

    /// <summary>Determines whether the selector matches: a topic's exchange may let more messages through.</summary>
    private bool IsSelected(RabbitMqMessage message) => _target.Selector is not { } selector || selector.Matches(message);

    private async ValueTask SkipAsync(RabbitMqMessage message) =>
        await _connection.RunAsync(_ => _acknowledger.SkipAsync(message.DeliveryTag).AsTask(), What, default).ConfigureAwait(false);

    private Task AcknowledgeAsync(RabbitMqMessage message)
    {
        ValueTask acknowledge = _acknowledger.AcknowledgeAsync(message.DeliveryTag);
        return acknowledge.IsCompletedSuccessfully
            ? Task.CompletedTask
            : _connection.RunAsync(_ => acknowledge.AsTask(), "acknowledge the message", default);
    }

    // The next three are called with the gate held.
    private async Task StartConsumingAsync()
    {
        if (_consumer is not null)
            return;
        var consumer = new Consumer(this);
        _consumer = consumer;
        try
        {
            // Not canceled after it is sent: the consumer would exist nevertheless.
            await _connection.RunAsync(
                _ => _channel.BasicConsumeAsync(
                    _target.QueueName, autoAck: false, consumer.Tag, noLocal: false, exclusive: false, arguments: null, consumer,
                        CancellationToken.None),
                What,
                CancellationToken.None).ConfigureAwait(false);
        }
        catch (QueueException e)
        {
            await GiveUpAsync(e.Message).ConfigureAwait(false);
            throw;
        }
    }

    private async Task StopConsumingAsync(CancellationToken cancellationToken)
    {
        if (_consumer is not { } consumer)
            return;
        await _connection.RunAsync(
            async token =>
            {
                await _channel.BasicCancelAsync(consumer.Tag, noWait: false, CancellationToken.None).ConfigureAwait(false);
                await consumer.Drained.WaitAsync(token).ConfigureAwait(false);
            },
            "stop receiving",
            CancellationToken.None).ConfigureAwait(false);
        _consumer = null;
        cancellationToken.ThrowIfCancellationRequested();
    }

    private async Task ResumeAsync()
    {
        try
        {
            if (Volatile.Read(ref _waiterCount) > 0 && IsOpen)
                await StartConsumingAsync().ConfigureAwait(false);
        }
        catch (QueueException)
        {
            // The waiting receivers already have the error.
        }
        finally
        {
            _gate.Release();
        }
    }

    private void ThrowIfEnded()
    {
        _connection.ThrowIfLost(What);
        if (_ended.IsCancellationRequested)
            throw new QueueException($"Could not {What} from '{_connection.Address.Text}': {_endReason}");
    }

    /// <summary>Puts deliveries into the buffer. The client makes one call at a time.</summary>
    private sealed class Consumer(RabbitMqReceiver receiver) : IAsyncBasicConsumer
    {
        private readonly TaskCompletionSource _drained = new(TaskCreationOptions.RunContinuationsAsynchronously);

        public IChannel? Channel => receiver._channel;

        /// <summary>Gets the consumer tag.</summary>
        internal string Tag { get; } = Guid.NewGuid().ToString();

        /// <summary>Gets a task that completes when the consumer is canceled and all earlier deliveries are in the buffer.</summary>
        internal Task Drained => _drained.Task;

        public Task HandleBasicDeliverAsync(
            string consumerTag,
            ulong deliveryTag,
            bool redelivered,
            string exchange,
            string routingKey,
            IReadOnlyBasicProperties properties,
            ReadOnlyMemory<byte> body,
            CancellationToken cancellationToken = default)
        {
            var message = new RabbitMqMessage(deliveryTag, redelivered, properties, body.ToArray(), receiver._hasPriorities, receiver._isPeekLock
                ? receiver : null);
            if (!receiver.IsSelected(message))
                return receiver._acknowledger.SkipAsync(deliveryTag).AsTask();
            receiver._buffer.Writer.TryWrite(message);
            return Task.CompletedTask;
        }

        public Task HandleBasicConsumeOkAsync(string consumerTag, CancellationToken cancellationToken = default) => Task.CompletedTask;

        public Task HandleBasicCancelOkAsync(string consumerTag, CancellationToken cancellationToken = default)
        {
            _drained.TrySetResult();
            return Task.CompletedTask;
        }

        public Task HandleBasicCancelAsync(string consumerTag, CancellationToken cancellationToken = default)
        {
            // The queue is deleted or, in a cluster, moving to another node.
            receiver._isCancelledByBroker = true;
            return receiver.GiveUpAsync("the broker has ended the receiver, as it does when the queue is deleted");
        }

        public Task HandleChannelShutdownAsync(object channel, ShutdownEventArgs reason) => Task.CompletedTask;
    }
}
