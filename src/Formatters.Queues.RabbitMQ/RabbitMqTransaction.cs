using System;
using System.Threading;
using System.Threading.Tasks;
using RabbitMQ.Client;

namespace Formatters.Queues.RabbitMQ;

/// <summary>A transaction of AMQP 0-9-1: a channel in tx mode (tx.select, tx.commit, tx.rollback).</summary>
/// <remarks>
/// A batch, not atomic: the broker documents no all-or-nothing over several queues or over its own end. Received messages are acknowledged
/// by the commit; a rollback gives them back.
/// </remarks>
internal sealed class RabbitMqTransaction : QueueTransaction
{
    private readonly RabbitMqConnection _connection;
    private readonly RabbitMqTransactionChannel _channel;
    private readonly Action<RabbitMqTransactionChannel> _recycle;
    private readonly SemaphoreSlim _gate = new(1, 1);
    private ulong _lastReceived;
    private bool _hasEnded;

    internal RabbitMqTransaction(RabbitMqConnection connection, RabbitMqTransactionChannel channel, Action<RabbitMqTransactionChannel> recycle)
    {
        _connection = connection;
        _channel = channel;
        _recycle = recycle;
    }

    internal RabbitMqAddress Address => _connection.Address;

    public override async ValueTask CommitAsync(CancellationToken cancellationToken = default)
    {
        const string What = "commit the transaction";
        await _gate.WaitAsync(cancellationToken).ConfigureAwait(false);
        try
        {
            End();
            IChannel channel = _channel.Channel;
            if (_lastReceived != 0)
            {
                await _connection.RunAsync(_ => channel.BasicAckAsync(_lastReceived, multiple: true, CancellationToken.None).AsTask(), What, cancellationToken).ConfigureAwait(false);
            }

            try
            {
                await _connection.RunAsync(token => channel.TxCommitAsync(token), What, cancellationToken).ConfigureAwait(false);
            }
            catch (QueueException e)
            {
                throw new QueueException(e.Message, e.InnerException) { OutcomeUnknown = true };
            }
        }
        finally
        {
            _gate.Release();
        }

        // Messages that no queue takes are given back before the commit is answered.
        string? returned = _channel.TakeReturned();
        _recycle(_channel);
        if (returned is not null)
            throw new QueueException($"The transaction was committed, but without the messages for which there was no queue any more: {returned}.");
    }

    public override async ValueTask RollbackAsync(CancellationToken cancellationToken = default)
    {
        await _gate.WaitAsync(cancellationToken).ConfigureAwait(false);
        try
        {
            End();
            await RollbackCoreAsync().ConfigureAwait(false);
        }
        finally
        {
            _gate.Release();
        }
    }

    public override async ValueTask DisposeAsync()
    {
        await _gate.WaitAsync().ConfigureAwait(false);
        try
        {
            if (_hasEnded)
                return;
            _hasEnded = true;
            await RollbackCoreAsync().ConfigureAwait(false);
        }
        finally
        {
            _gate.Release();
        }
    }

    internal async ValueTask SendAsync(string queueName, QueueMessage message, CancellationToken cancellationToken)
    {
        BasicProperties properties = RabbitMqMessage.PropertiesOf(message, message.MessageId ?? Guid.NewGuid().ToString(), isPersistent: true);
        ReadOnlyMemory<byte> body = message.Body.Bytes.IsSingleSegment ? message.Body.Bytes.First : message.Body.ToArray();
        await _gate.WaitAsync(cancellationToken).ConfigureAwait(false);
        try
        {
            ThrowIfEnded();
            _connection.ThrowIfLost("send the message");
            ValueTask publish = _channel.Channel.BasicPublishAsync(string.Empty, queueName, mandatory: true, properties, body, _connection.Lost);
            if (!publish.IsCompletedSuccessfully)
                await _connection.RunAsync(_ => publish.AsTask(), "send the message", CancellationToken.None).ConfigureAwait(false);
        }
        finally
        {
            _gate.Release();
        }
    }

    /// <summary>Receives by asking the broker, again and again until the time is over: the first times quickly, then every 20 ms.</summary>
    internal async ValueTask<ReceivedMessage?> ReceiveAsync(string queueName, TimeSpan timeout, CancellationToken cancellationToken)
    {
        long start = Environment.TickCount64;
        for (int pause = 1; ; pause = Math.Min(2 * pause, 20))
        {
            if (await TryReceiveAsync(queueName, cancellationToken).ConfigureAwait(false) is { } message)
                return message;
            if (timeout != Timeout.InfiniteTimeSpan)
            {
                double remaining = timeout.TotalMilliseconds - (Environment.TickCount64 - start);
                if (remaining <= 0)
                    return null;
                pause = (int)Math.Ceiling(Math.Min(pause, remaining));
            }

            await Task.Delay(pause, cancellationToken).ConfigureAwait(false);
        }
    }

    private async ValueTask<ReceivedMessage?> TryReceiveAsync(string queueName, CancellationToken cancellationToken)
    {
        await _gate.WaitAsync(cancellationToken).ConfigureAwait(false);
        try
        {
            ThrowIfEnded();
            // Not cancelled once it is sent; a message that comes belongs to the transaction in any case.
            BasicGetResult? result = await _connection.RunAsync(
                _ => _channel.Channel.BasicGetAsync(queueName, autoAck: false, CancellationToken.None), "receive a message", CancellationToken.None).ConfigureAwait(false);
            if (result is null)
                return null;
            _lastReceived = result.DeliveryTag;
            return new RabbitMqMessage(result.DeliveryTag, result.Redelivered, result.BasicProperties, result.Body, lockedBy: null);
        }
        finally
        {
            _gate.Release();
        }
    }

    private async Task RollbackCoreAsync()
    {
        const string What = "roll the transaction back";
        IChannel channel = _channel.Channel;
        try
        {
            await _connection.RunAsync(token => channel.TxRollbackAsync(token), What, CancellationToken.None).ConfigureAwait(false);
            if (_lastReceived != 0)
            {
                // Giving back is itself part of a transaction: the next one, which has nothing else in it.
                await _connection.RunAsync(_ => channel.BasicNackAsync(_lastReceived, multiple: true, requeue: true, CancellationToken.None).AsTask(), What, CancellationToken.None)
                    .ConfigureAwait(false);
                await _connection.RunAsync(token => channel.TxCommitAsync(token), What, CancellationToken.None).ConfigureAwait(false);
            }

            _channel.TakeReturned();
            _recycle(_channel);
        }
        catch (QueueException)
        {
            // The broker rolls back by itself what a channel has left open when it ends, and this channel is not used again.
            await _channel.CloseAsync().ConfigureAwait(false);
        }
    }

    private void End()
    {
        ThrowIfEnded();
        _hasEnded = true;
    }

    private void ThrowIfEnded()
    {
        if (_hasEnded)
            throw new InvalidOperationException("The transaction is already committed or rolled back.");
    }
}
