using System;
using System.Threading;
using System.Threading.Channels;
using System.Threading.Tasks;
using RabbitMQ.Client;
using RabbitMQ.Client.Events;

namespace Formatters.Queues.RabbitMQ;

/// <summary>The receiving side of a queue handle: messages that the broker pushes ahead into a buffer, or, to look once, one that is asked for.</summary>
/// <remarks>
/// <para>The broker always waits for an acknowledgement. Under ReceiveAndDelete it is sent when a message is handed over, so that what was fetched
/// ahead and not handed over goes back to the queue when the handle is closed.</para>
/// <para>While the broker pushes, asking it for a message can say "empty" with messages on their way. To look once, the consumer is therefore
/// cancelled first: the queue itself sends the answer, behind the last message that it has pushed.</para>
/// </remarks>
internal sealed class RabbitMqReceiver
{
    private const string What = "receive a message";

    private readonly RabbitMqConnection _connection;
    private readonly IChannel _channel;
    private readonly string _queueName;
    private readonly bool _isPeekLock;
    private readonly SemaphoreSlim _gate = new(1, 1);
    private readonly Channel<RabbitMqMessage> _buffer = Channel.CreateUnbounded<RabbitMqMessage>();
    private readonly CancellationTokenSource _ended = new();
    private Consumer? _consumer;
    private int _waiterCount;
    private volatile string? _endReason;

    private RabbitMqReceiver(RabbitMqConnection connection, IChannel channel, string queueName, bool isPeekLock)
    {
        _connection = connection;
        _channel = channel;
        _queueName = queueName;
        _isPeekLock = isPeekLock;
        channel.ChannelShutdownAsync += (_, reason) => EndAsync(reason.ReplyText);
        connection.Lost.UnsafeRegister(static state => ((RabbitMqReceiver)state!)._ended.Cancel(), this);
    }

    internal bool IsOpen => !_ended.IsCancellationRequested;

    internal static async Task<RabbitMqReceiver> OpenAsync(RabbitMqConnection connection, QueueOptions options, CancellationToken cancellationToken)
    {
        IChannel channel = await connection.OpenChannelAsync(confirms: false, "open a channel for receiving", cancellationToken).ConfigureAwait(false);
        ushort prefetchCount = (ushort)Math.Min(options.PrefetchCount, ushort.MaxValue);
        await connection.RunAsync(token => channel.BasicQosAsync(0, prefetchCount, global: false, token), "set the prefetch count", cancellationToken)
            .ConfigureAwait(false);
        return new RabbitMqReceiver(connection, channel, connection.Address.QueueName, options.ReceiveMode == ReceiveMode.PeekLock);
    }

    internal ValueTask<ReceivedMessage?> ReceiveAsync(TimeSpan timeout, CancellationToken cancellationToken)
    {
        ThrowIfEnded();
        if (_buffer.Reader.TryRead(out RabbitMqMessage? message))
            return HandOverAsync(message);
        return timeout == TimeSpan.Zero ? LookOnceAsync(cancellationToken) : WaitAsync(timeout, cancellationToken);
    }

    /// <summary>Takes all that was fetched ahead, for good.</summary>
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

    /// <summary>Counts what was fetched ahead and not handed over, with nothing on its way.</summary>
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

    internal async ValueTask SettleAsync(RabbitMqMessage message, bool giveBack)
    {
        if (!IsOpen)
            throw new QueueException($"The lock is gone, because '{_connection.Address.Text}' was closed or its connection lost: the message will come again.");
        if (giveBack)
        {
            await _connection.RunAsync(
                _ => _channel.BasicNackAsync(message.DeliveryTag, multiple: false, requeue: true, CancellationToken.None).AsTask(), "return the message", default).ConfigureAwait(false);
        }
        else
        {
            await AcknowledgeAsync(message).ConfigureAwait(false);
        }
    }

    /// <summary>Ends all waiting and later receives.</summary>
    internal Task EndAsync(string reason)
    {
        _endReason ??= reason;
        return _ended.CancelAsync();
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
            RabbitMqMessage message = await _buffer.Reader.ReadAsync(stop.Token).ConfigureAwait(false);
            return await HandOverAsync(message).ConfigureAwait(false);
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
        await _connection.RunAsync(_ => _channel.QueueDeclarePassiveAsync(_queueName, CancellationToken.None), What, cancellationToken).ConfigureAwait(false);
        ThrowIfEnded();
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
            BasicGetResult? result = await _connection.RunAsync(_ => _channel.BasicGetAsync(_queueName, autoAck: false, CancellationToken.None), What, default).ConfigureAwait(false);
            if (result is null)
                return null;
            return await HandOverAsync(
                new RabbitMqMessage(result.DeliveryTag, result.Redelivered, result.BasicProperties, result.Body, _isPeekLock ? this : null)).ConfigureAwait(false);
        }
        catch (QueueException)
        {
            // An answer may still come: nobody would take it.
            await EndAsync("an earlier receive failed").ConfigureAwait(false);
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
        ValueTask acknowledge = _channel.BasicAckAsync(message.DeliveryTag, multiple: false, _connection.Lost);
        return acknowledge.IsCompletedSuccessfully ? new ValueTask<ReceivedMessage?>(message) : AwaitAsync(acknowledge, message);

        async ValueTask<ReceivedMessage?> AwaitAsync(ValueTask acknowledge, RabbitMqMessage message)
        {
            await _connection.RunAsync(_ => acknowledge.AsTask(), What, default).ConfigureAwait(false);
            return message;
        }
    }

    private Task AcknowledgeAsync(RabbitMqMessage message)
    {
        ValueTask acknowledge = _channel.BasicAckAsync(message.DeliveryTag, multiple: false, _connection.Lost);
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
                    _queueName, autoAck: false, consumer.Tag, noLocal: false, exclusive: false, arguments: null, consumer, CancellationToken.None),
                What,
                CancellationToken.None).ConfigureAwait(false);
        }
        catch (QueueException e)
        {
            await EndAsync(e.Message).ConfigureAwait(false);
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
            receiver._buffer.Writer.TryWrite(new RabbitMqMessage(deliveryTag, redelivered, properties, body, receiver._isPeekLock ? receiver : null));
            return Task.CompletedTask;
        }

        public Task HandleBasicConsumeOkAsync(string consumerTag, CancellationToken cancellationToken = default) => Task.CompletedTask;

        public Task HandleBasicCancelOkAsync(string consumerTag, CancellationToken cancellationToken = default)
        {
            _drained.TrySetResult();
            return Task.CompletedTask;
        }

        public Task HandleBasicCancelAsync(string consumerTag, CancellationToken cancellationToken = default) =>
            receiver.EndAsync("the queue was deleted.");

        public Task HandleChannelShutdownAsync(object channel, ShutdownEventArgs reason) => Task.CompletedTask;
    }
}
