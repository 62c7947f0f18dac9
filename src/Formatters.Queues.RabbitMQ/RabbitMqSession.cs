using System;
using System.Collections.Concurrent;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using RabbitMQ.Client;

namespace Formatters.Queues.RabbitMQ;

/// <summary>
/// The current connections and channels of a handle: one connection for sending, with a channel each for messages, dead letters and every transaction
/// in progress, and one for receiving.
/// </summary>
/// <remarks>While the broker is short of memory or disk, it reads nothing from a connection that has sent, acknowledgements of received messages
/// neither.</remarks>
internal sealed class RabbitMqSession : IAsyncDisposable
{
    private readonly RabbitMqTarget _target;
    private readonly QueueOptions _options;
    private readonly bool _hasPriorities;
    private readonly Func<CancellationToken, Task<RabbitMqConnection>>? _openReceiving;
    private readonly SemaphoreSlim _openGate = new(1, 1);
    private volatile RabbitMqSender? _sender;
    private volatile RabbitMqSender? _deadLetters;
    private volatile RabbitMqReceiver? _receiver;
    private volatile RabbitMqConnection? _receiving;
    private volatile bool _isDisposed;

    private RabbitMqSession(
        RabbitMqConnection connection, RabbitMqTarget target, QueueOptions options, bool hasPriorities,
            Func<CancellationToken, Task<RabbitMqConnection>>? openReceiving)
    {
        _openReceiving = openReceiving;
        Connection = connection;
        _target = target;
        _options = options;
        _hasPriorities = hasPriorities;
    }

    /// <summary>Gets the connection for sending and for everything except receiving.</summary>
    internal RabbitMqConnection Connection { get; }

    internal ConcurrentBag<RabbitMqTransactionChannel> IdleTransactionChannels { get; } = [];

    internal bool IsLost => LostConnection is not null;

    /// <summary>Gets the lost connection, which ends the session; null if both work.</summary>
    internal RabbitMqConnection? LostConnection =>
        Connection.Lost.IsCancellationRequested ? Connection : _receiving is { Lost.IsCancellationRequested: true } receiving ? receiving : null;

    /// <summary>Gets the receiver, if a working one exists.</summary>
    internal RabbitMqReceiver? OpenReceiver => _receiver is { IsOpen: true } receiver ? receiver : null;

    /// <summary>Ensures that the queue exists, and opens the channel for sending: concurrent sends that opened it would lose their order.</summary>
    /// <param name="connection">The connection for sending.</param>
    /// <param name="target">The destination.</param>
    /// <param name="options">The options of the handle.</param>
    /// <param name="hasPriorities">Whether the queue has priorities.</param>
    /// <param name="openReceiving">Opens the connection for receiving at the first receive, unless the other connection is lost by then; null to
    /// receive on the same connection, as an exclusive queue requires.</param>
    /// <param name="cancellationToken">Cancels the wait.</param>
    internal static async Task<RabbitMqSession> BeginAsync(
        RabbitMqConnection connection,
        RabbitMqTarget target,
        QueueOptions options,
        bool hasPriorities,
        Func<CancellationToken, Task<RabbitMqConnection>>? openReceiving,
        CancellationToken cancellationToken)
    {
        await target.DeclareAsync(connection, cancellationToken).ConfigureAwait(false);
        var session = new RabbitMqSession(connection, target, options, hasPriorities, openReceiving);
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
                    session.Connection, session._target, session._options.DeliveryMode == DeliveryMode.Recoverable, session._hasPriorities,
                        session._options.SendWindow)
                    .ConfigureAwait(false),
                "send the message",
                cancellationToken);

    internal ValueTask<RabbitMqReceiver> GetReceiverAsync(CancellationToken cancellationToken) =>
        _receiver is { IsOpen: true } open
            ? new ValueTask<RabbitMqReceiver>(open)
            : GetOpenAsync(
                static session => session.OpenReceiver,
                static async session => session._receiver = await RabbitMqReceiver.OpenAsync(
                    await session.GetReceivingAsync().ConfigureAwait(false), session._target, session._options, session._hasPriorities,
                        session.GetDeadLettersAsync).ConfigureAwait(false),
                "receive a message",
                cancellationToken);

    /// <summary>Waits until the broker has enqueued express messages, with a request that it answers after them.</summary>
    internal ValueTask FlushAsync(CancellationToken cancellationToken) =>
        _sender is { HasUnflushed: true } sender ? new ValueTask(sender.FlushAsync(cancellationToken)) : default;

    /// <summary>
    /// Calls <see cref="FlushAsync"/>, unless the broker has blocked the connection: messages sent are then not in the queue, and are not waited for.
    /// </summary>
    internal ValueTask FlushUnlessBlockedAsync(CancellationToken cancellationToken)
    {
        return _sender is { HasUnflushed: true } sender && !Connection.Blocked.IsCompleted ? FlushAsync(sender) : default;

        async ValueTask FlushAsync(RabbitMqSender sender)
        {
            Task flush = sender.FlushAsync(cancellationToken);
            if (await Task.WhenAny(flush, Connection.Blocked).ConfigureAwait(false) == flush)
                await flush.ConfigureAwait(false);
            else
                _ = flush.ContinueWith(static task => task.Exception, CancellationToken.None, TaskContinuationOptions.OnlyOnFaulted,
                    TaskScheduler.Default);
        }
    }

    internal async Task<T> WithChannelAsync<T>(Func<IChannel, CancellationToken, Task<T>> operation, string what, CancellationToken cancellationToken)
    {
        RabbitMqConnection connection = _receiving ?? Connection;
        IChannel channel = await connection.OpenChannelAsync(confirms: false, what, cancellationToken).ConfigureAwait(false);
        await using (channel.ConfigureAwait(false))
            return await connection.RunAsync(token => operation(channel, token), what, cancellationToken).ConfigureAwait(false);
    }

    /// <summary>
    /// Waits for the sends in progress, ends waiting receives, and closes the connection. The broker requeues messages that were prefetched, locked,
    /// or received in transactions.
    /// </summary>
    public async ValueTask DisposeAsync()
    {
        _isDisposed = true;
        RabbitMqSender?[] senders = [_sender, _deadLetters];
        try
        {
            if (!Connection.Lost.IsCancellationRequested)
            {
                await Task.WhenAll(senders.OfType<RabbitMqSender>().Select(static sender => sender.DrainAsync())).ConfigureAwait(false);
                await FlushAsync(CancellationToken.None).ConfigureAwait(false);
                if (_options.AcknowledgeMode == AcknowledgeMode.Lazy && OpenReceiver is { } lazy)
                    await lazy.FlushAsync(CancellationToken.None).ConfigureAwait(false);
            }
        }
        catch (QueueException)
        {
            // Unconfirmed sends report it themselves. Express messages in progress may be lost, and lazily acknowledged ones redelivered, as their
            // modes allow.
        }

        if (_receiver is { } receiver)
            await receiver.EndAsync("the queue was closed").ConfigureAwait(false);
        if (_receiving is { } receiving)
            await receiving.DisposeAsync().ConfigureAwait(false);
        await Connection.DisposeAsync().ConfigureAwait(false);
        foreach (RabbitMqSender? sender in senders)
            sender?.Dispose();
    }

    /// <summary>Returns the connection for receiving, which is opened once.</summary>
    private async Task<RabbitMqConnection> GetReceivingAsync()
    {
        if (_openReceiving is null)
            return Connection;
        if (_receiving is { } open)
            return open;
        RabbitMqConnection receiving = await _openReceiving(Connection.Lost).ConfigureAwait(false);
        _receiving = receiving;
        // Closed meanwhile.
        if (_isDisposed)
            await receiving.DisposeAsync().ConfigureAwait(false);
        return receiving;
    }

    private ValueTask<RabbitMqSender> GetDeadLettersAsync(CancellationToken cancellationToken) => GetOpenAsync(
        static session => session._deadLetters,
        static async session => session._deadLetters = await RabbitMqSender.OpenAsync(
            session.Connection, session._target with { Exchange = "", QueueName = session._options.DeadLetterQueue! }, isRecoverable: true,
                hasPriorities: false, session._options.SendWindow)
            .ConfigureAwait(false),
        "send the dead letter",
        cancellationToken);

    /// <summary>Returns the open sender or receiver, or opens a new one; concurrent callers share the opening.</summary>
    private async ValueTask<T> GetOpenAsync<T>(
        Func<RabbitMqSession, T?> getOpen, Func<RabbitMqSession, Task<T>> open, string what, CancellationToken cancellationToken)
        where T : class
    {
        await _openGate.WaitAsync(cancellationToken).ConfigureAwait(false);
        // The opening is not canceled, so the next caller finds it complete. If each canceled caller restarted it, it might never complete, and would
        // use up the channels of the connection.
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
