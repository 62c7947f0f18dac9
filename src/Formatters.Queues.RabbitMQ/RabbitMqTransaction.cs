using System;
using System.Threading;
using System.Threading.Tasks;
using RabbitMQ.Client;
using RabbitMQ.Client.Exceptions;

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
                await _connection.RunAsync(_ => channel.BasicAckAsync(_lastReceived, multiple: true, CancellationToken.None).AsTask(), What,
                    cancellationToken).ConfigureAwait(false);
            }

            bool isAsked = false;
            try
            {
                await _connection.RunAsync(
                    token =>
                    {
                        isAsked = true;
                        return channel.TxCommitAsync(token);
                    },
                    What,
                    cancellationToken).ConfigureAwait(false);
            }
            catch (QueueException e) when (channel.CloseReason is { } reason && RabbitMqReplies.IsOfPublish(reason))
            {
                throw new QueueException(
                    $"Could not {What} at '{_connection.Address.Text}', and it was rolled back: the broker refused one of its messages: "
                    + $"{reason.ReplyText}", e.InnerException);
            }
            catch (QueueException e)
            {
                // A commit that was never sent, because the channel or connection had ended, is a rollback.
                throw new QueueException(e.Message, e.InnerException)
                {
                    OutcomeUnknown = isAsked && e.InnerException is not AlreadyClosedException,
                    IsUnreachable = e.IsUnreachable,
                    Code = e.Code,
                };
            }
        }
        finally
        {
            _gate.Release();
        }

        // Unroutable messages are returned before the commit is answered.
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

    internal async ValueTask SendAsync(
        RabbitMqTarget target, QueueMessage message, bool hasPriorities, CancellationToken cancellationToken, DeadLetterProperties? deadLetter = null)
    {
        BasicProperties properties = RabbitMqMessage.PropertiesOf(message, message.MessageId ?? Guid.NewGuid().ToString(), isPersistent: true,
            hasPriorities, deadLetter);
        RabbitMqMessage.ThrowIfTooLarge(properties, _connection.MaxFrameByteCount);
        ReadOnlyMemory<byte> body = message.Body.Bytes.IsSingleSegment ? message.Body.Bytes.First : message.Body.ToArray();
        await _gate.WaitAsync(cancellationToken).ConfigureAwait(false);
        try
        {
            ThrowIfEnded();
            _connection.ThrowIfLost("send the message");
            ValueTask publish = _channel.Channel.BasicPublishAsync(target.Exchange, target.QueueName, mandatory: !target.IsTopic, properties, body,
                _connection.Lost);
            if (!publish.IsCompletedSuccessfully)
                await _connection.RunAsync(_ => publish.AsTask(), "send the message", CancellationToken.None).ConfigureAwait(false);
            // A request after it shows whether it is too large, and keeps the next body from being copied at the same time.
            if (body.Length > PublishWindow.MaxByteCount)
                await _connection.RunAsync(token => target.PingAsync(_channel.Channel, token), "send the message", CancellationToken.None)
                    .ConfigureAwait(false);
        }
        finally
        {
            _gate.Release();
        }
    }

    /// <summary>Receives by polling until the timeout: at first quickly, then every 20 ms.</summary>
    internal async ValueTask<ReceivedMessage?> ReceiveAsync(
        RabbitMqTarget target, string? deadLetterQueue, bool hasPriorities, TimeSpan timeout, CancellationToken cancellationToken)
    {
        long start = Environment.TickCount64;
        for (int pause = 1; ; pause = Math.Min(2 * pause, 20))
        {
            if (await TryReceiveAsync(target, deadLetterQueue, hasPriorities, cancellationToken).ConfigureAwait(false) is { } message)
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

    private async ValueTask<ReceivedMessage?> TryReceiveAsync(RabbitMqTarget target, string? deadLetterQueue, bool hasPriorities,
        CancellationToken cancellationToken)
    {
        await _gate.WaitAsync(cancellationToken).ConfigureAwait(false);
        try
        {
            ThrowIfEnded();
            // Not canceled after it is sent; a message that arrives belongs to the transaction.
            while (true)
            {
                BasicGetResult? result = await _connection.RunAsync(
                    _ => _channel.Channel.BasicGetAsync(target.QueueName, autoAck: false, CancellationToken.None), "receive a message",
                        CancellationToken.None).ConfigureAwait(false);
                if (result is null)
                    return null;
                _lastReceived = result.DeliveryTag;
                var message = new RabbitMqMessage(
                    result.DeliveryTag, result.Redelivered, result.BasicProperties, result.Body, hasPriorities,
                        new Settler(this, target, deadLetterQueue));
                // Messages that do not match are acknowledged with the rest.
                if (target.Selector is not { } selector || selector.Matches(message))
                    return message;
            }
        }
        catch (QueueException)
        {
            // A late answer would be a message of the next transaction on this channel.
            _ = _channel.CloseAsync();
            throw;
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
                // Returning messages is itself transactional: the next, otherwise empty transaction does it.
                await _connection.RunAsync(_ => channel.BasicNackAsync(_lastReceived, multiple: true, requeue: true, CancellationToken.None)
                    .AsTask(), What, CancellationToken.None)
                    .ConfigureAwait(false);
                await _connection.RunAsync(token => channel.TxCommitAsync(token), What, CancellationToken.None).ConfigureAwait(false);
            }

            _channel.TakeReturned();
            _recycle(_channel);
        }
        catch (QueueException)
        {
            // The broker rolls back an open transaction when its channel ends, and this channel is not used again.
            await _channel.CloseAsync().ConfigureAwait(false);
        }
    }

    /// <summary>Settles messages of the transaction: the commit acknowledges them, and a dead letter is one more send.</summary>
    private sealed class Settler(RabbitMqTransaction transaction, RabbitMqTarget target, string? deadLetterQueue) : RabbitMqSettler
    {
        internal override string? DeadLetterQueue => deadLetterQueue;

        internal override string QueueName => target.QueueName;

        internal override ValueTask SettleAsync(RabbitMqMessage message, bool giveBack) => default;

        internal override ValueTask SendDeadLetterAsync(RabbitMqMessage message, DeadLetterProperties deadLetter,
            CancellationToken cancellationToken) =>
            transaction.SendAsync(target with { Exchange = "", QueueName = deadLetterQueue! }, message, hasPriorities: false, cancellationToken,
                deadLetter);
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
