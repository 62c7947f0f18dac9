using System;
using System.Collections.Concurrent;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using RabbitMQ.Client;

namespace Formatters.Queues.RabbitMQ;

/// <summary>What a handle has at the broker for as long as one connection lasts: the connection, and on it a channel each for sending, receiving, dead
/// letters and every transaction in progress.</summary>
internal sealed class RabbitMqSession : IAsyncDisposable
{
    private readonly RabbitMqTarget _target;
    private readonly QueueOptions _options;
    private readonly bool _hasPriorities;
    private readonly SemaphoreSlim _openGate = new(1, 1);
    private volatile RabbitMqSender? _sender;
    private volatile RabbitMqSender? _deadLetters;
    private volatile RabbitMqReceiver? _receiver;

    private RabbitMqSession(RabbitMqConnection connection, RabbitMqTarget target, QueueOptions options, bool hasPriorities)
    {
        Connection = connection;
        _target = target;
        _options = options;
        _hasPriorities = hasPriorities;
    }

    internal RabbitMqConnection Connection { get; }

    internal ConcurrentBag<RabbitMqTransactionChannel> IdleTransactionChannels { get; } = [];

    internal bool IsLost => Connection.Lost.IsCancellationRequested;

    /// <summary>The receiver, if there is one that works.</summary>
    internal RabbitMqReceiver? OpenReceiver => _receiver is { IsOpen: true } receiver ? receiver : null;

    /// <summary>Makes sure that the queue is there, and opens the channel for sending: sends started together while it is opened would lose their
    /// order.</summary>
    internal static async Task<RabbitMqSession> BeginAsync(
        RabbitMqConnection connection, RabbitMqTarget target, QueueOptions options, bool hasPriorities, CancellationToken cancellationToken)
    {
        await target.DeclareAsync(connection, cancellationToken).ConfigureAwait(false);
        var session = new RabbitMqSession(connection, target, options, hasPriorities);
        if (options.DeliveryMode != DeliveryMode.Transactional)
            await session.GetSenderAsync(cancellationToken).ConfigureAwait(false);
        return session;
    }

    internal ValueTask<RabbitMqSender> GetSenderAsync(CancellationToken cancellationToken) =>
        _sender is { } open
            ? new ValueTask<RabbitMqSender>(open)
            : GetOpenAsync(
                static session => session._sender,
                static async session => session._sender = await RabbitMqSender.OpenAsync(
                    session.Connection, session._target, session._options.DeliveryMode == DeliveryMode.Recoverable, session._hasPriorities, session._options.SendWindow)
                    .ConfigureAwait(false),
                "send the message",
                cancellationToken);

    internal ValueTask<RabbitMqReceiver> GetReceiverAsync(CancellationToken cancellationToken) =>
        _receiver is { IsOpen: true } open
            ? new ValueTask<RabbitMqReceiver>(open)
            : GetOpenAsync(
                static session => session.OpenReceiver,
                static async session => session._receiver = await RabbitMqReceiver.OpenAsync(
                    session.Connection, session._target, session._options, session._hasPriorities, session.GetDeadLettersAsync).ConfigureAwait(false),
                "receive a message",
                cancellationToken);

    /// <summary>Waits until the broker has taken what was sent as express: by a question that it answers after them.</summary>
    internal ValueTask FlushAsync(CancellationToken cancellationToken) =>
        _sender is { HasUnflushed: true } sender ? new ValueTask(sender.FlushAsync(cancellationToken)) : default;

    internal async Task<T> WithChannelAsync<T>(Func<IChannel, CancellationToken, Task<T>> operation, string what, CancellationToken cancellationToken)
    {
        IChannel channel = await Connection.OpenChannelAsync(confirms: false, what, cancellationToken).ConfigureAwait(false);
        await using (channel.ConfigureAwait(false))
            return await Connection.RunAsync(token => operation(channel, token), what, cancellationToken).ConfigureAwait(false);
    }

    /// <summary>
    /// Waits for the sends in progress, ends the receives that wait, and closes the connection; the broker gives back what was prefetched, is locked, or was
    /// received by transactions.
    /// </summary>
    public async ValueTask DisposeAsync()
    {
        RabbitMqSender?[] senders = [_sender, _deadLetters];
        try
        {
            if (!IsLost)
            {
                await Task.WhenAll(senders.OfType<RabbitMqSender>().Select(static sender => sender.DrainAsync())).ConfigureAwait(false);
                await FlushAsync(CancellationToken.None).ConfigureAwait(false);
                if (_options.AcknowledgeMode == AcknowledgeMode.Lazy && OpenReceiver is { } lazy)
                    await lazy.FlushAsync(CancellationToken.None).ConfigureAwait(false);
            }
        }
        catch (QueueException)
        {
            // Sends that were not confirmed in time say so. Express messages that were on their way are lost, as they may be; what was acknowledged lazily
            // comes again, as it may.
        }

        if (_receiver is { } receiver)
            await receiver.EndAsync("the queue was closed").ConfigureAwait(false);
        await Connection.DisposeAsync().ConfigureAwait(false);
        foreach (RabbitMqSender? sender in senders)
            sender?.Dispose();
    }

    private ValueTask<RabbitMqSender> GetDeadLettersAsync(CancellationToken cancellationToken) => GetOpenAsync(
        static session => session._deadLetters,
        static async session => session._deadLetters = await RabbitMqSender.OpenAsync(
            session.Connection, session._target with { Exchange = "", QueueName = session._options.DeadLetterQueue! }, isRecoverable: true, hasPriorities: false, session._options.SendWindow)
            .ConfigureAwait(false),
        "send the dead letter",
        cancellationToken);

    /// <summary>The sender or receiver that is open, or a new one; opened once, whoever else asks meanwhile.</summary>
    private async ValueTask<T> GetOpenAsync<T>(
        Func<RabbitMqSession, T?> getOpen, Func<RabbitMqSession, Task<T>> open, string what, CancellationToken cancellationToken)
        where T : class
    {
        await _openGate.WaitAsync(cancellationToken).ConfigureAwait(false);
        // The opening is not cancelled: who asks next finds it done. One that is begun anew by each who gives up would never be, and would use up the
        // channels of the connection.
        return await OpenAsync().WaitAsync(cancellationToken).ConfigureAwait(false);

        async Task<T> OpenAsync()
        {
            try
            {
                Connection.ThrowIfLost(what);
                return getOpen(this) ?? await open(this).ConfigureAwait(false);
            }
            finally
            {
                _openGate.Release();
            }
        }
    }
}
