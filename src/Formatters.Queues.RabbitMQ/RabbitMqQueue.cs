using System;
using System.Threading;
using System.Threading.Tasks;

namespace Formatters.Queues.RabbitMQ;

/// <summary>A handle of a RabbitMQ queue, or the sending side of a topic. It has one connection at a time, replaced if it is lost.</summary>
/// <remarks>
/// A send is never repeated after it was published: if the connection is lost before its confirm, it fails with an unknown outcome. Unpublished
/// sends, receives and queries continue on the new connection.
/// </remarks>
internal sealed partial class RabbitMqQueue : QueueClient
{
    private readonly RabbitMqTarget _target;
    private readonly RabbitMqOptions _brokerOptions;
    private readonly Lock _reconnectGate = new();
    private readonly CancellationTokenSource _closing = new();
    private Task<QueueException?>? _reconnect;
    private volatile RabbitMqSession _session;
    private volatile bool _isDisposed;

    private RabbitMqQueue(RabbitMqTarget target, RabbitMqSession session, QueueAddress address, QueueOptions options, RabbitMqOptions brokerOptions,
        QueueCapabilities capabilities)
    {
        _target = target;
        _session = session;
        _brokerOptions = brokerOptions;
        Address = address;
        Options = options;
        Capabilities = capabilities;
    }

    public override QueueAddress Address { get; }

    public override QueueCapabilities Capabilities { get; }

    public override QueueOptions Options { get; }

    private bool Reconnects => _brokerOptions.ReconnectTimeout > TimeSpan.Zero;

    internal static async Task<RabbitMqQueue> OpenAsync(
        RabbitMqTarget target, QueueAddress address, QueueOptions options, RabbitMqOptions brokerOptions, CancellationToken cancellationToken)
    {
        DeliveryMode mode = options.DeliveryMode ?? DeliveryMode.Recoverable;
        options = options with { DeliveryMode = mode };
        RabbitMqConnection connection = await RabbitMqConnection.OpenAsync(target.Address, brokerOptions, options.OperationTimeout, cancellationToken)
            .ConfigureAwait(false);
        try
        {
            QueueCapabilities capabilities = CapabilitiesOf(connection.Product, mode, brokerOptions);
            capabilities.ThrowIfNotSupported(options, address);
            if (brokerOptions.DeadLetters == RabbitMqDeadLetters.ByReceiver && options.MaxDeliveryCount > 0)
            {
                throw new NotSupportedException(
                    $"'{address}': {nameof(QueueOptions.MaxDeliveryCount)} is kept by the broker, and needs "
                    + $"{nameof(RabbitMqDeadLetters)}.{nameof(RabbitMqDeadLetters.ByQueue)}.");
            }

            RabbitMqSession session = await RabbitMqSession.BeginAsync(
                connection, target, options, capabilities.Supports(QueueFeatures.Priorities),
                OpenReceiving(target, options, brokerOptions), cancellationToken)
                    .ConfigureAwait(false);
            return new RabbitMqQueue(target, session, address, options, brokerOptions, capabilities);
        }
        catch
        {
            await connection.DisposeAsync().ConfigureAwait(false);
            throw;
        }
    }

    protected override ValueTask SendCoreAsync(QueueMessage message, QueueTransaction? transaction, CancellationToken cancellationToken)
    {
        ThrowIfDisposed();
        RabbitMqTransaction? own = Check(transaction);
        Capabilities.ThrowIfNotSupported(message, Address);
        if (_target.IsTopic)
            RabbitMqSelector.ThrowIfNotSupported(message);
        if (cancellationToken.IsCancellationRequested)
            return ValueTask.FromCanceled(cancellationToken);
        return own is not null ? own.SendAsync(_target, message, Capabilities.Supports(QueueFeatures.Priorities), cancellationToken) : SendOwnAsync();

        async ValueTask SendOwnAsync()
        {
            while (true)
            {
                // Outside the try block: a failed reconnect is not retried.
                RabbitMqSession session = _session.IsLost
                    ? await ReconnectAsync("send the message", cancellationToken).ConfigureAwait(false)
                    : _session;
                try
                {
                    RabbitMqSender sender = await session.GetSenderAsync(cancellationToken).ConfigureAwait(false);
                    await sender.SendAsync(message, cancellationToken).ConfigureAwait(false);
                    return;
                }
                catch (QueueException e) when (!e.OutcomeUnknown && session.IsLost && (_isDisposed || IsWorthAnother(session)))
                {
                    ThrowIfDisposed();
                }
            }
        }
    }

    protected override ValueTask<ReceivedMessage?> ReceiveCoreAsync(
        TimeSpan timeout, QueueTransaction? transaction, CancellationToken cancellationToken)
    {
        timeout = QueueChecks.Timeout(timeout);
        ThrowIfDisposed();
        RabbitMqTransaction? own = Check(transaction);
        if (_target.IsTopic)
            throw new NotSupportedException($"'{Address}' is a topic: receive from its subscriptions.");
        if (cancellationToken.IsCancellationRequested)
            return ValueTask.FromCanceled<ReceivedMessage?>(cancellationToken);
        if (own is not null)
            return own.ReceiveAsync(_target, Options.DeadLetterQueue, Capabilities.Supports(QueueFeatures.Priorities), timeout, cancellationToken);
        // A prefetched message is returned on the fast path.
        return timeout != TimeSpan.Zero && _session.OpenReceiver is { } receiver && receiver.TryReceive(out ValueTask<ReceivedMessage?> receive)
            ? receive : ReceiveOwnAsync();

        async ValueTask<ReceivedMessage?> ReceiveOwnAsync()
        {
            long start = Environment.TickCount64;
            return await RunAsync(
                async session =>
                {
                    // A receive without a timeout must see what this handle has sent, even as express.
                    if (timeout == TimeSpan.Zero)
                        await session.FlushUnlessBlockedAsync(cancellationToken).ConfigureAwait(false);
                    RabbitMqReceiver receiver = await session.GetReceiverAsync(cancellationToken).ConfigureAwait(false);
                    TimeSpan rest = timeout;
                    if (timeout > TimeSpan.Zero)
                        rest = TimeSpan.FromMilliseconds(Math.Max(0, timeout.TotalMilliseconds - (Environment.TickCount64 - start)));
                    return await receiver.ReceiveAsync(rest, cancellationToken).ConfigureAwait(false);
                },
                "receive a message",
                cancellationToken).ConfigureAwait(false);
        }
    }

    public override ValueTask<long> PurgeAsync(CancellationToken cancellationToken = default)
    {
        ThrowIfDisposed();
        QueueChecks.NotInScope(Address);
        return RunAsync(
            async session =>
            {
                await session.FlushUnlessBlockedAsync(cancellationToken).ConfigureAwait(false);
                // The queue first, so that the buffer is not refilled from it.
                long count = await session.WithChannelAsync(
                    (channel, token) => channel.QueuePurgeAsync(_target.QueueName, token), "purge the queue", cancellationToken)
                        .ConfigureAwait(false);
                if (session.OpenReceiver is { } receiver)
                    count += await receiver.PurgeBufferAsync(cancellationToken).ConfigureAwait(false);
                return count;
            },
            "purge the queue",
            cancellationToken);
    }

    public override ValueTask<long> GetMessageCountAsync(CancellationToken cancellationToken = default)
    {
        ThrowIfDisposed();
        return RunAsync(
            async session =>
            {
                await session.FlushUnlessBlockedAsync(cancellationToken).ConfigureAwait(false);
                return session.OpenReceiver is { } receiver
                    ? await receiver.CountBufferAsync(CountQueueAsync, cancellationToken).ConfigureAwait(false)
                    : await CountQueueAsync().ConfigureAwait(false);

                // The broker may answer before it has enqueued the last express messages.
                Task<long> CountQueueAsync() => session.WithChannelAsync(
                    async (channel, token) => (long)(await channel.QueueDeclarePassiveAsync(_target.QueueName, token)
                        .ConfigureAwait(false)).MessageCount,
                    "count the messages",
                    cancellationToken);
            },
            "count the messages",
            cancellationToken);
    }

    public override ValueTask<long?> GetLockedCountAsync(CancellationToken cancellationToken = default)
    {
        ThrowIfDisposed();
        // Only the management interface reports this.
        return cancellationToken.IsCancellationRequested ? ValueTask.FromCanceled<long?>(cancellationToken) : default;
    }

    public override ValueTask<QueueTransaction> BeginTransactionAsync(CancellationToken cancellationToken = default)
    {
        ThrowIfDisposed();
        QueueChecks.CanBegin(Options, Address);
        cancellationToken.ThrowIfCancellationRequested();
        return RunAsync<QueueTransaction>(
            async session =>
            {
                session.Connection.ThrowIfLost("begin a transaction");
                if (!session.IdleTransactionChannels.TryTake(out RabbitMqTransactionChannel? channel) || !channel.Channel.IsOpen)
                    channel = await RabbitMqTransactionChannel.OpenAsync(session.Connection, cancellationToken).ConfigureAwait(false);
                return new RabbitMqTransaction(session.Connection, channel, session.IdleTransactionChannels.Add);
            },
            "begin a transaction",
            cancellationToken);
    }

    /// <summary>Runs an operation that uses its own channel, such as a declaration.</summary>
    internal ValueTask<T> RunAsync<T>(Func<RabbitMqConnection, Task<T>> operation, string what, CancellationToken cancellationToken) =>
        RunAsync<T>(async session => await operation(session.Connection).ConfigureAwait(false), what, cancellationToken);

    public override async ValueTask DisposeAsync()
    {
        if (_isDisposed)
            return;
        Task? reconnect;
        lock (_reconnectGate)
        {
            _isDisposed = true;
            reconnect = _reconnect;
        }

        await _closing.CancelAsync().ConfigureAwait(false);
        if (reconnect is not null)
            await reconnect.ConfigureAwait(false);
        await _session.DisposeAsync().ConfigureAwait(false);
    }

    internal static QueueCapabilities CapabilitiesOf(string product, DeliveryMode mode, RabbitMqOptions options)
    {
        bool isQuorum = options.QueueType == RabbitMqQueueType.Quorum;
        return new QueueCapabilities
        {
            Product = product,
            Durability = mode switch
            {
                DeliveryMode.Express => "handed to the broker without confirmation, in its memory only",
                DeliveryMode.Recoverable when isQuorum => "confirmed by the broker: flushed to the disks of most nodes of its cluster",
                DeliveryMode.Recoverable =>
                    "confirmed by the broker, which has written it to its log files (a classic queue does not wait for the disk)",
                _ => "batch (tx.select), not atomic; written to the broker's log files at commit",
            },
            IsRecoverable = mode != DeliveryMode.Express,
            // Limits: a rejection needs a confirm; quorum queues reject a few messages late.
            Features = QueueFeatures.Expiry | QueueFeatures.PeekLock | QueueFeatures.DeadLetters | QueueFeatures.AcknowledgeModes
                | QueueFeatures.Batches | QueueFeatures.Topics
                | (mode == DeliveryMode.Transactional ? QueueFeatures.Transactions : 0)
                | (options.HasPriorities && !isQuorum ? QueueFeatures.Priorities : 0)
                | (isQuorum ? QueueFeatures.DeliveryCounts : 0)
                | (mode == DeliveryMode.Recoverable && !isQuorum ? QueueFeatures.Limits : 0),
            ConnectionsPerReceiver = 1,
            IsInProcess = false,
        };
    }

    /// <summary>
    /// Returns the function that opens the receiving connection; null if sending and receiving share one, as for an exclusive queue and for
    /// transactions.
    /// </summary>
    private static Func<CancellationToken, Task<RabbitMqConnection>>? OpenReceiving(RabbitMqTarget target, QueueOptions options,
        RabbitMqOptions brokerOptions)
    {
        return target.IsTemporary || target.IsTopic || options.DeliveryMode == DeliveryMode.Transactional ? null : OpenAsync;

        async Task<RabbitMqConnection> OpenAsync(CancellationToken lost)
        {
            long start = Environment.TickCount64;
            for (int pause = 20; ; pause = Math.Min(2 * pause, 1000))
            {
                try
                {
                    return await RabbitMqConnection.OpenAsync(target.Address, brokerOptions, options.OperationTimeout, CancellationToken.None)
                        .ConfigureAwait(false);
                }
                catch (QueueException) when (!lost.IsCancellationRequested
                    && Environment.TickCount64 - start + pause < brokerOptions.ReconnectTimeout.TotalMilliseconds)
                {
                    // If the other connection is lost as well, both are replaced.
                    await Task.Delay(pause, CancellationToken.None).ConfigureAwait(false);
                }
            }
        }
    }

    /// <summary>Runs an operation that can be restarted after its connection is lost.</summary>
    private async ValueTask<T> RunAsync<T>(Func<RabbitMqSession, Task<T>> operation, string what, CancellationToken cancellationToken)
    {
        while (true)
        {
            RabbitMqSession session = _session.IsLost ? await ReconnectAsync(what, cancellationToken).ConfigureAwait(false) : _session;
            try
            {
                return await operation(session).ConfigureAwait(false);
            }
            catch (QueueException) when (_isDisposed || IsWorthAnother(session))
            {
                ThrowIfDisposed();
            }
        }
    }

    private bool IsWorthAnother(RabbitMqSession session) => Reconnects && session.LostConnection is { IsRefused: false };

    /// <summary>Reconnects, once for all concurrent callers, which share the new connection or the error.</summary>
    private async Task<RabbitMqSession> ReconnectAsync(string what, CancellationToken cancellationToken)
    {
        if (_session.LostConnection is { } refused && (!Reconnects || refused.IsRefused))
            throw refused.LostException(what, null);
        while (true)
        {
            Task<QueueException?> reconnect;
            lock (_reconnectGate)
            {
                ThrowIfDisposed();
                RabbitMqSession session = _session;
                if (!session.IsLost)
                    return session;
                // In a separate task, so that a canceled caller does not affect the others.
                if (_reconnect is null or { IsCompleted: true })
                    _reconnect = Task.Run(() => ReplaceAsync(session), CancellationToken.None);
                reconnect = _reconnect;
            }

            if (await reconnect.WaitAsync(cancellationToken).ConfigureAwait(false) is { } e)
                throw new QueueException($"Could not {what}: {e.Message}", e) { IsUnreachable = e.IsUnreachable };
        }
    }

    /// <summary>Replaces a session whose connection is lost.</summary>
    /// <returns>The error, or null on success.</returns>
    private async Task<QueueException?> ReplaceAsync(RabbitMqSession lost)
    {
        try
        {
            _session = await ConnectAsync(lost.LostConnection ?? lost.Connection).ConfigureAwait(false);
            await lost.DisposeAsync().ConfigureAwait(false);
            return null;
        }
        catch (QueueException e)
        {
            return e;
        }
        catch (OperationCanceledException) when (_isDisposed)
        {
            return null;
        }
    }

    private async Task<RabbitMqSession> ConnectAsync(RabbitMqConnection lost)
    {
        CancellationToken closing = _closing.Token;
        long start = Environment.TickCount64;
        for (int pause = 20; ; pause = Math.Min(2 * pause, 1000))
        {
            double rest = _brokerOptions.ReconnectTimeout.TotalMilliseconds - (Environment.TickCount64 - start);
            try
            {
                TimeSpan timeout = TimeSpan.FromMilliseconds(Math.Clamp(rest, 1, Math.Max(1, Options.OperationTimeout.TotalMilliseconds)));
                RabbitMqConnection connection = await RabbitMqConnection.OpenAsync(_target.Address, _brokerOptions, timeout, closing)
                    .ConfigureAwait(false);
                try
                {
                    return await RabbitMqSession.BeginAsync(
                        connection, _target, Options, Capabilities.Supports(QueueFeatures.Priorities),
                        OpenReceiving(_target, Options, _brokerOptions), closing)
                            .ConfigureAwait(false);
                }
                catch
                {
                    await connection.DisposeAsync().ConfigureAwait(false);
                    throw;
                }
            }
            catch (QueueException e) when (rest <= pause)
            {
                throw new QueueException(
                    $"the connection to '{Address}' was lost ({lost.LostReason}), and could not be made again within "
                    + FormattableString.Invariant($"{_brokerOptions.ReconnectTimeout.TotalSeconds:0.###} s: {e.Message}"), e);
            }
            catch (QueueException)
            {
                await Task.Delay(pause, closing).ConfigureAwait(false);
            }
        }
    }

    private RabbitMqTransaction? Check(QueueTransaction? transaction)
    {
        RabbitMqTransaction? own = transaction is RabbitMqTransaction rabbit && rabbit.Address.IsSamePlace(_target.Address) ? rabbit : null;
        return QueueChecks.Transaction(transaction, own, "provider, broker or virtual host", Options, Address);
    }

    private void ThrowIfDisposed()
    {
        if (_isDisposed)
            throw QueueChecks.Closed(Address);
    }
}
