using System;
using System.Collections.Generic;
using System.Threading;
using System.Threading.Tasks;
using Formatters.Queues;

namespace Formatters.Hosting;

/// <inheritdoc/>
internal sealed class Sender<T> : ISender<T>
{
    private readonly string _queueName;
    private readonly string _contractName;
    private readonly IMessageFormatter _formatter;
    private readonly QueueConnections _connections;
    private readonly PayloadFormatters _formatters;
    private readonly QueueState _state;
    private readonly TimeProvider _time;
    private readonly IEnumerable<QueueObserver> _observers;

    internal Sender(
        string queueName,
        string? contractName,
        QueueConnections connections,
        PayloadFormatters formatters,
        QueueStates states,
        TimeProvider time,
        IEnumerable<QueueObserver> observers)
    {
        _queueName = queueName;
        _contractName = contractName ?? ContractNames.Of(typeof(T));
        _formatter = formatters.Get<T>(queueName);
        _connections = connections;
        _formatters = formatters;
        _state = states.Get(queueName);
        _time = time;
        _observers = observers;
    }

    public async Task SendAsync(T message, SendOptions? options = null, CancellationToken cancellationToken = default)
    {
        QueueMessage written = Write(message, options);
        await SendAsync(await GetTargetAsync(cancellationToken).ConfigureAwait(false), written, message!, cancellationToken).ConfigureAwait(false);
    }

    public async Task<TReply> RequestAsync<TReply>(
        T message, TimeSpan timeout, SendOptions? options = null, CancellationToken cancellationToken = default)
    {
        if (timeout <= TimeSpan.Zero)
            throw new ArgumentOutOfRangeException(nameof(timeout), timeout, "More than zero.");
        QueueMessage request = Write(message, options);
        IMessageFormatter formatter = _formatters.Get<TReply>(_queueName);
        SendTarget target = await GetTargetAsync(cancellationToken).ConfigureAwait(false);
        request.MessageId ??= Guid.NewGuid().ToString("N");
        if (target.Capabilities.Supports(QueueFeatures.Expiry))
            request.TimeToLive ??= timeout;

        ReplyReceiver replies = _connections.GetReplies(_queueName, target);
        timeout = BackOff.Limit(timeout);
        Task<ReceivedMessage> reply = await replies.ExpectAsync(request.MessageId, timeout, _time, cancellationToken).ConfigureAwait(false);
        try
        {
            request.ResponseQueue = replies.QueueName;
            await SendAsync(target, request, message!, cancellationToken).ConfigureAwait(false);
            return PayloadFormatters.Read<TReply>(await reply.WaitAsync(timeout, _time, cancellationToken).ConfigureAwait(false), formatter);
        }
        catch (TimeoutException e)
        {
            throw new TimeoutException($"There was no reply from queue '{_queueName}' to {_contractName} {request.MessageId} within {timeout}.", e);
        }
        finally
        {
            replies.Forget(request.MessageId);
        }
    }

    /// <summary>Creates the message of a payload.</summary>
    internal static QueueMessage Write(IMessageFormatter formatter, string contractName, T message, SendOptions? options, TimeProvider time)
    {
        var written = new QueueMessage();
        formatter.Write(written.Body, message);
        options?.ApplyTo(written, time);
        written.Headers[ContractNames.HeaderName] = contractName;
        return written;
    }

    private QueueMessage Write(T message, SendOptions? options) => Write(_formatter, _contractName, message, options, _time);

    private async Task<SendTarget> GetTargetAsync(CancellationToken cancellationToken)
    {
        try
        {
            return await _connections.GetTargetAsync(_queueName, cancellationToken).ConfigureAwait(false);
        }
        catch (QueueException e)
        {
            _state.SendError = e;
            throw;
        }
    }

    private async Task SendAsync(SendTarget target, QueueMessage written, object payload, CancellationToken cancellationToken)
    {
        try
        {
            try
            {
                await target.SendAsync(written, cancellationToken).ConfigureAwait(false);
            }
            catch (QueueException e) when (e.Code is QueueErrorCode.QueueDeleted or QueueErrorCode.FolderStopped)
            {
                // It may have been made again, or be back.
                _connections.Forget(_queueName, target);
                if (e.OutcomeUnknown)
                    throw;
                target = await GetTargetAsync(cancellationToken).ConfigureAwait(false);
                await target.SendAsync(written, cancellationToken).ConfigureAwait(false);
            }

            _state.SendError = null;
        }
        catch (QueueException e)
        {
            _state.SendError = e;
            throw;
        }

        foreach (QueueObserver observer in _observers)
            observer.OnSent(_queueName, payload, written);
    }
}
