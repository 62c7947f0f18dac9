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

/// <summary>The receiving side of a queue handle: messages that the broker pushes ahead into a buffer, or, to look once, one that is asked for.</summary>
/// <remarks>
/// <para>The broker always waits for an acknowledgement. Under ReceiveAndDelete it is sent when a message is handed over, so that what was fetched
/// ahead and not handed over goes back to the queue when the handle is closed.</para>
/// <para>While the broker pushes, asking it for a message can say "empty" with messages on their way. To look once, the consumer is therefore
/// cancelled first: the queue itself sends the answer, after the last message that it has pushed.</para>
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
        RabbitMqConnection connection, IChannel channel, RabbitMqTarget target, QueueOptions options, bool hasPriorities, Func<CancellationToken, ValueTask<RabbitMqSender>> openDeadLetters)
    {
        _connection = connection;
        _channel = channel;
        _target = target;
        _options = options;
        _hasPriorities = hasPriorities;
        _openDeadLetters = openDeadLetters;
        _isPeekLock = options.ReceiveMode == ReceiveMode.PeekLock;
        // What is fetched ahead does not count for the broker's limits: a handle that has some fetches nothing ahead.
        _isPolling = options.MaxMessageCount is not null || options.MaxByteCount is not null;
        _acknowledger = new RabbitMqAcknowledger(channel, _isPeekLock ? options.AcknowledgeMode : AcknowledgeMode.Individual, options.PrefetchCount, connection.Lost);
        channel.ChannelShutdownAsync += (_, reason) => EndAsync(reason.ReplyText);
        connection.Lost.UnsafeRegister(static state => ((RabbitMqReceiver)state!)._ended.Cancel(), this);
    }

    internal bool IsOpen => !_ended.IsCancellationRequested;

    internal override string? DeadLetterQueue => _options.DeadLetterQueue;

    internal override string QueueName => _target.QueueName;

    internal static async Task<RabbitMqReceiver> OpenAsync(
        RabbitMqConnection connection, RabbitMqTarget target, QueueOptions options, bool hasPriorities, Func<CancellationToken, ValueTask<RabbitMqSender>> openDeadLetters)
    {
        IChannel channel = await connection.OpenChannelAsync(confirms: false, "open a channel for receiving", CancellationToken.None).ConfigureAwait(false);
        ushort prefetchCount = (ushort)Math.Min(options.PrefetchCount, ushort.MaxValue);
        await connection.RunAsync(token => channel.BasicQosAsync(0, prefetchCount, global: false, token), "set the prefetch count", CancellationToken.None)
            .ConfigureAwait(false);
        return new RabbitMqReceiver(connection, channel, target, options, hasPriorities, openDeadLetters);
    }

    internal ValueTask<ReceivedMessage?> ReceiveAsync(TimeSpan timeout, CancellationToken cancellationToken)
    {
        ThrowIfEnded();
        if (_buffer.Reader.TryRead(out RabbitMqMessage? message))
            return HandOverAsync(message);
        return timeout == TimeSpan.Zero ? LookOnceAsync(cancellationToken) : _isPolling ? PollAsync(timeout, cancellationToken) : WaitAsync(timeout, cancellationToken);
    }

    /// <summary>Receives a message that was prefetched, if there is one.</summary>
    internal bool TryReceive(out ValueTask<ReceivedMessage?> receive)
    {
        bool isThere = _buffer.Reader.TryRead(out RabbitMqMessage? message);
        receive = isThere ? HandOverAsync(message!) : default;
        return isThere;
    }

    /// <summary>Takes all that was prefetched, for good.</summary>
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

    /// <summary>Counts what was prefetched and not handed over, with nothing on its way.</summary>
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

    /// <summary>Gives back messages that were claimed for it, and after them what was prefetched: nothing is pushed meanwhile, and a quorum queue hands them
    /// out in the order in which they come back.</summary>
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

    /// <summary>Acknowledges messages that were claimed for it.</summary>
    internal async ValueTask AcknowledgeAsync(IEnumerable<RabbitMqMessage> messages)
    {
        if (!IsOpen)
            throw await ExplainLostLockAsync().ConfigureAwait(false);
        ulong[] deliveryTags = [.. messages.Select(static message => message.DeliveryTag).Order()];
        ValueTask acknowledge = _acknowledger.AcknowledgeAsync(deliveryTags);
        if (!acknowledge.IsCompletedSuccessfully)
            await _connection.RunAsync(_ => acknowledge.AsTask(), "acknowledge messages", default).ConfigureAwait(false);
    }

    internal override async ValueTask SendDeadLetterAsync(RabbitMqMessage message, DeadLetterProperties deadLetter, CancellationToken cancellationToken)
    {
        if (!IsOpen)
            throw await ExplainLostLockAsync().ConfigureAwait(false);
        RabbitMqSender sender = await _openDeadLetters(cancellationToken).ConfigureAwait(false);
        await sender.SendAsync(message, cancellationToken, deadLetter).ConfigureAwait(false);
    }

    /// <summary>Tells the broker what a lazy receiver has kept to itself, before it is closed.</summary>
    internal Task FlushAsync(CancellationToken cancellationToken) =>
        IsOpen ? _connection.RunAsync(_ => _acknowledger.FlushAsync(all: true), "acknowledge messages", cancellationToken) : Task.CompletedTask;

    /// <summary>Ends all waiting and later receives.</summary>
    internal Task EndAsync(string reason)
    {
        _endReason ??= reason;
        _acknowledger.Dispose();
        return _ended.CancelAsync();
    }

    /// <summary>Ends all receives, and closes the channel, so that what is locked goes back to the queue while the handle lives on.</summary>
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

    /// <summary>Why a lock is gone, and what happens to its message: the broker knows whether the queue is still there.</summary>
    private async Task<QueueException> ExplainLostLockAsync()
    {
        string reason = _connection.Lost.IsCancellationRequested && _endReason is null ? $"the connection was lost ({_connection.LostReason})" : _endReason ?? "the queue was closed";
        string lost = $"The lock is gone, because {reason} ('{_connection.Address.Text}', queue '{_target.QueueName}'): ";
        if (_target.IsTemporary)
            return new QueueException(lost + "a temporary subscription ends with its connection, and the message will not be delivered again.");
        if (!_isCancelledByBroker)
            return new QueueException(lost + "the message will be delivered again.");
        try
        {
            IChannel channel = await _connection.OpenChannelAsync(confirms: false, "look for the queue", CancellationToken.None).ConfigureAwait(false);
            await using (channel.ConfigureAwait(false))
                await _connection.RunAsync(token => channel.QueueDeclarePassiveAsync(_target.QueueName, token), "look for the queue", CancellationToken.None).ConfigureAwait(false);
            return new QueueException(lost + "the queue exists, and the message will be delivered again, unless the queue was deleted and created again.");
        }
        catch (QueueException e) when (e.InnerException is OperationInterruptedException { ShutdownReason: { ReplyCode: Constants.NotFound } notFound })
        {
            // The same code is that of a queue whose node is down.
            return notFound.ReplyText.Contains("no queue", StringComparison.Ordinal)
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

            // The time runs from here: a consumer that takes long to start does not make the queue look empty.
            if (timeout != Timeout.InfiniteTimeSpan)
                stop.CancelAfter(timeout);
            while (true)
            {
                if (_buffer.Reader.TryRead(out RabbitMqMessage? message))
                    return await HandOverAsync(message).ConfigureAwait(false);
                // Not ReadAsync: one that is cancelled at the wrong moment can be given the message and throw all the same (.NET 10, dotnet/runtime #132094).
                await _buffer.Reader.WaitToReadAsync(stop.Token).ConfigureAwait(false);
            }
        }
        catch (OperationCanceledException) when (stop.IsCancellationRequested)
        {
            cancellationToken.ThrowIfCancellationRequested();
            ThrowIfEnded();
            // A queue is empty only if its broker says something: that nothing came is also what a broker that has stopped looks like.
            await MakeSureOfBrokerAsync(cancellationToken).ConfigureAwait(false);
            return _buffer.Reader.TryRead(out RabbitMqMessage? late) ? await HandOverAsync(late).ConfigureAwait(false) : null;
        }
        finally
        {
            Interlocked.Decrement(ref _waiterCount);
        }
    }

    private async Task MakeSureOfBrokerAsync(CancellationToken cancellationToken)
    {
        // The question is not cancelled once it is sent: its answer would be taken for that of the next one.
        await _connection.RunAsync(_ => _channel.QueueDeclarePassiveAsync(_target.QueueName, CancellationToken.None), What, cancellationToken).ConfigureAwait(false);
        ThrowIfEnded();
    }

    /// <summary>Looks again and again until the time is over: the first times quickly, then every 20 ms.</summary>
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
            // Receivers that wait come first, and a message that there is goes to them.
            if (_consumer is not null && Volatile.Read(ref _waiterCount) > 0)
                return null;
            await StopConsumingAsync(cancellationToken).ConfigureAwait(false);
            if (_buffer.Reader.TryRead(out RabbitMqMessage? message))
                return await HandOverAsync(message).ConfigureAwait(false);

            // Not cancelled once it is sent: the message that comes would be lost to everybody until the channel is closed.
            cancellationToken.ThrowIfCancellationRequested();
            while (true)
            {
                BasicGetResult? result = await _connection.RunAsync(
                    _ => _channel.BasicGetAsync(_target.QueueName, autoAck: false, CancellationToken.None), What, default).ConfigureAwait(false);
                if (result is null)
                    return null;
                // The client has copied it.
                message = new RabbitMqMessage(result.DeliveryTag, result.Redelivered, result.BasicProperties, result.Body, _hasPriorities, _isPeekLock ? this : null);
                if (IsSelected(message))
                    return await HandOverAsync(message).ConfigureAwait(false);
                await SkipAsync(message).ConfigureAwait(false);
            }
        }
        catch (QueueException)
        {
            // An answer may still come: nobody would take it.
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
        // One frame for each: the broker, not the frames, is the limit, and what is acknowledged is exactly what was handed over.
        ValueTask acknowledge = _acknowledger.AcknowledgeAsync(message.DeliveryTag);
        return acknowledge.IsCompletedSuccessfully ? new ValueTask<ReceivedMessage?>(message) : AwaitAsync(acknowledge, message);

        async ValueTask<ReceivedMessage?> AwaitAsync(ValueTask acknowledge, RabbitMqMessage message)
        {
            await _connection.RunAsync(_ => acknowledge.AsTask(), What, default).ConfigureAwait(false);
            return message;
        }
    }

    /// <summary>A topic's exchange may let more through than the selector: the receiver has the last word.</summary>
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
            // Not cancelled once it is sent: the consumer would be there all the same.
            await _connection.RunAsync(
                _ => _channel.BasicConsumeAsync(
                    _target.QueueName, autoAck: false, consumer.Tag, noLocal: false, exclusive: false, arguments: null, consumer, CancellationToken.None),
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
            // The receivers that wait have been told.
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

    /// <summary>Puts what the broker pushes into the buffer. The client calls it with one thing after the other.</summary>
    private sealed class Consumer(RabbitMqReceiver receiver) : IAsyncBasicConsumer
    {
        private readonly TaskCompletionSource _drained = new(TaskCreationOptions.RunContinuationsAsynchronously);

        public IChannel? Channel => receiver._channel;

        /// <summary>The name of the consumer at the broker.</summary>
        internal string Tag { get; } = Guid.NewGuid().ToString();

        /// <summary>Completes when the consumer is cancelled and all that was pushed before is in the buffer.</summary>
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
            var message = new RabbitMqMessage(deliveryTag, redelivered, properties, body.ToArray(), receiver._hasPriorities, receiver._isPeekLock ? receiver : null);
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
            // The queue is deleted, or, in a cluster, on its way to another node.
            receiver._isCancelledByBroker = true;
            return receiver.GiveUpAsync("the broker has ended the receiver, as it does when the queue is deleted");
        }

        public Task HandleChannelShutdownAsync(object channel, ShutdownEventArgs reason) => Task.CompletedTask;
    }
}
