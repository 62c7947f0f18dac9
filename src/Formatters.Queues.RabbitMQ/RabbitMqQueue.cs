using System;
using System.Collections.Concurrent;
using System.Threading;
using System.Threading.Tasks;
using RabbitMQ.Client;

namespace Formatters.Queues.RabbitMQ;

/// <summary>A handle of a RabbitMQ queue: one connection, and on it a channel each for sending, receiving and every transaction under way.</summary>
internal sealed class RabbitMqQueue : IMessageQueue
{
    private readonly RabbitMqConnection _connection;
    private readonly SemaphoreSlim _openGate = new(1, 1);
    private readonly ConcurrentBag<RabbitMqTransactionChannel> _idleTransactionChannels = [];
    private volatile RabbitMqSender? _sender;
    private volatile RabbitMqReceiver? _receiver;
    private volatile bool _isDisposed;

    internal RabbitMqQueue(RabbitMqConnection connection, QueueAddress address, QueueOptions options)
    {
        _connection = connection;
        Address = address;
        Options = options;
        Capabilities = new QueueCapabilities
        {
            Product = connection.Product,
            Durability = options.DeliveryMode switch
            {
                DeliveryMode.Express => "handed to the broker without confirmation, in its memory only",
                DeliveryMode.Recoverable => "confirmed by the broker, which has written it to its log files (a classic queue does not wait for the disk)",
                _ => "batch (tx.select), not atomic; written to the broker's log files at commit",
            },
            IsRecoverable = options.DeliveryMode != DeliveryMode.Express,
            HasTransactions = IsTransactional,
            IsAtomic = false,
            IsInProcess = false,
        };
        Capabilities.ThrowIfNotSupported(options, address);
    }

    public QueueAddress Address { get; }

    public QueueCapabilities Capabilities { get; }

    public QueueOptions Options { get; }

    private bool IsTransactional => Options.DeliveryMode == DeliveryMode.Transactional;

    /// <summary>Opens the channel for sending, before the first send needs it: sends started together while it is opened would lose their order.</summary>
    internal async ValueTask OpenSenderAsync(CancellationToken cancellationToken)
    {
        if (!IsTransactional)
            await GetSenderAsync(cancellationToken).ConfigureAwait(false);
    }

    public ValueTask SendAsync(QueueMessage message, QueueTransaction? transaction = null, CancellationToken cancellationToken = default)
    {
        if (message is null)
            throw new ArgumentNullException(nameof(message));
        ThrowIfDisposed();
        RabbitMqTransaction? own = Check(transaction);
        Capabilities.ThrowIfNotSupported(message, Address);
        if (cancellationToken.IsCancellationRequested)
            return ValueTask.FromCanceled(cancellationToken);
        if (own is not null)
            return own.SendAsync(_connection.Address.QueueName, message, cancellationToken);
        return SendOwnAsync();

        async ValueTask SendOwnAsync()
        {
            try
            {
                RabbitMqSender sender = _sender is { IsOpen: true } open ? open : await GetSenderAsync(cancellationToken).ConfigureAwait(false);
                await sender.SendAsync(message, cancellationToken).ConfigureAwait(false);
            }
            catch (QueueException e) when (_isDisposed && !e.OutcomeUnknown)
            {
                throw Disposed();
            }
        }
    }

    public ValueTask<ReceivedMessage?> ReceiveAsync(
        TimeSpan timeout, QueueTransaction? transaction = null, CancellationToken cancellationToken = default)
    {
        if (timeout < TimeSpan.Zero && timeout != Timeout.InfiniteTimeSpan)
            throw new ArgumentOutOfRangeException(nameof(timeout), timeout, "Zero, more than zero, or Timeout.InfiniteTimeSpan.");
        ThrowIfDisposed();
        RabbitMqTransaction? own = Check(transaction);
        if (cancellationToken.IsCancellationRequested)
            return ValueTask.FromCanceled<ReceivedMessage?>(cancellationToken);
        return own is null ? ReceiveOwnAsync() : own.ReceiveAsync(_connection.Address.QueueName, timeout, cancellationToken);

        async ValueTask<ReceivedMessage?> ReceiveOwnAsync()
        {
            try
            {
                // Looking once must see what this handle has sent, also if it was express.
                if (timeout == TimeSpan.Zero)
                    await FlushAsync(cancellationToken).ConfigureAwait(false);
                RabbitMqReceiver receiver = _receiver is { IsOpen: true } open ? open : await GetReceiverAsync(cancellationToken).ConfigureAwait(false);
                return await receiver.ReceiveAsync(timeout, cancellationToken).ConfigureAwait(false);
            }
            catch (QueueException) when (_isDisposed)
            {
                throw Disposed();
            }
        }
    }

    public async ValueTask<long> PurgeAsync(CancellationToken cancellationToken = default)
    {
        ThrowIfDisposed();
        await FlushAsync(cancellationToken).ConfigureAwait(false);
        // First the queue, so that the buffer is not filled from it again.
        long count = await WithChannelAsync(
            (channel, token) => channel.QueuePurgeAsync(_connection.Address.QueueName, token), "purge the queue", cancellationToken).ConfigureAwait(false);
        if (_receiver is { IsOpen: true } receiver)
            count += await receiver.PurgeBufferAsync(cancellationToken).ConfigureAwait(false);
        return count;
    }

    public async ValueTask<long> GetMessageCountAsync(CancellationToken cancellationToken = default)
    {
        ThrowIfDisposed();
        await FlushAsync(cancellationToken).ConfigureAwait(false);
        return _receiver is { IsOpen: true } receiver
            ? await receiver.CountBufferAsync(CountQueueAsync, cancellationToken).ConfigureAwait(false)
            : await CountQueueAsync().ConfigureAwait(false);

        // The broker answers this question before it has put the last express messages into the queue.
        Task<long> CountQueueAsync() => WithChannelAsync(
            async (channel, token) => (long)(await channel.QueueDeclarePassiveAsync(_connection.Address.QueueName, token).ConfigureAwait(false)).MessageCount,
            "count the messages",
            cancellationToken);
    }

    public async ValueTask<QueueTransaction> BeginTransactionAsync(CancellationToken cancellationToken = default)
    {
        ThrowIfDisposed();
        if (!IsTransactional)
            throw new NotSupportedException($"'{Address}' was opened as {Options.DeliveryMode}; transactions need DeliveryMode.Transactional.");
        cancellationToken.ThrowIfCancellationRequested();
        _connection.ThrowIfLost("begin a transaction");
        if (!_idleTransactionChannels.TryTake(out RabbitMqTransactionChannel? channel) || !channel.Channel.IsOpen)
            channel = await RabbitMqTransactionChannel.OpenAsync(_connection, cancellationToken).ConfigureAwait(false);
        return new RabbitMqTransaction(_connection, channel, _idleTransactionChannels.Add);
    }

    public async ValueTask DisposeAsync()
    {
        if (_isDisposed)
            return;
        _isDisposed = true;
        try
        {
            if (!_connection.Lost.IsCancellationRequested)
                await FlushAsync(CancellationToken.None).ConfigureAwait(false);
        }
        catch (QueueException)
        {
            // Express messages that were on their way are lost, as they may be.
        }

        if (_receiver is { } receiver)
            await receiver.EndAsync("the queue is closed.").ConfigureAwait(false);
        // The broker gives back what was fetched ahead, what is locked, and what transactions have received.
        await _connection.DisposeAsync().ConfigureAwait(false);
    }

    /// <summary>Waits until the broker has taken what this handle has sent as express: by a question that it answers behind them.</summary>
    private ValueTask FlushAsync(CancellationToken cancellationToken) =>
        _sender is { IsOpen: true, HasUnflushed: true } sender ? new ValueTask(sender.FlushAsync(cancellationToken)) : default;

    private async Task<T> WithChannelAsync<T>(Func<IChannel, CancellationToken, Task<T>> operation, string what, CancellationToken cancellationToken)
    {
        IChannel channel = await _connection.OpenChannelAsync(confirms: false, what, cancellationToken).ConfigureAwait(false);
        await using (channel.ConfigureAwait(false))
            return await _connection.RunAsync(token => operation(channel, token), what, cancellationToken).ConfigureAwait(false);
    }

    private ValueTask<RabbitMqSender> GetSenderAsync(CancellationToken cancellationToken) => GetOpenAsync(
        static queue => queue._sender is { IsOpen: true } sender ? sender : null,
        static async (queue, token) => queue._sender = await RabbitMqSender.OpenAsync(queue._connection, queue.Options, token).ConfigureAwait(false),
        "send the message",
        cancellationToken);

    private ValueTask<RabbitMqReceiver> GetReceiverAsync(CancellationToken cancellationToken) => GetOpenAsync(
        static queue => queue._receiver is { IsOpen: true } receiver ? receiver : null,
        static async (queue, token) => queue._receiver = await RabbitMqReceiver.OpenAsync(queue._connection, queue.Options, token).ConfigureAwait(false),
        "receive a message",
        cancellationToken);

    /// <summary>The sender or receiver that is open, or a new one; opened once, whoever else asks meanwhile.</summary>
    private async ValueTask<T> GetOpenAsync<T>(
        Func<RabbitMqQueue, T?> getOpen, Func<RabbitMqQueue, CancellationToken, Task<T>> open, string what, CancellationToken cancellationToken)
        where T : class
    {
        await _openGate.WaitAsync(cancellationToken).ConfigureAwait(false);
        try
        {
            _connection.ThrowIfLost(what);
            return getOpen(this) ?? await open(this, cancellationToken).ConfigureAwait(false);
        }
        finally
        {
            _openGate.Release();
        }
    }

    private RabbitMqTransaction? Check(QueueTransaction? transaction)
    {
        if (transaction is null)
        {
            if (IsTransactional)
                throw new InvalidOperationException($"'{Address}' was opened as transactional: send and receive in a transaction.");
            return null;
        }

        if (transaction is not RabbitMqTransaction own || !own.Address.IsSamePlace(_connection.Address))
            throw new ArgumentException($"The transaction is of another provider, broker or virtual host than '{Address}'.", nameof(transaction));
        if (!IsTransactional)
            throw new InvalidOperationException($"'{Address}' was opened as {Options.DeliveryMode}; transactions need DeliveryMode.Transactional.");
        return own;
    }

    private ObjectDisposedException Disposed() => new(nameof(IMessageQueue), $"'{Address}' is closed.");

    private void ThrowIfDisposed()
    {
        if (_isDisposed)
            throw Disposed();
    }
}
