using System;
using System.Threading;
using System.Threading.Tasks;
using RabbitMQ.Client;
using RabbitMQ.Client.Exceptions;

namespace Formatters.Queues.RabbitMQ;

/// <summary>A handle of a topic: a fanout exchange, and a queue for each subscription.</summary>
internal sealed class RabbitMqTopic : MessageTopic
{
    private readonly RabbitMqTarget _target;
    private readonly RabbitMqQueue _sender;
    private readonly RabbitMqOptions _brokerOptions;
    private volatile bool _hasSelectorExchange = true;
    private volatile bool _isDisposed;

    private RabbitMqTopic(RabbitMqTarget target, RabbitMqQueue sender, RabbitMqOptions brokerOptions)
    {
        _target = target;
        _sender = sender;
        _brokerOptions = brokerOptions;
    }

    public override QueueAddress Address => _sender.Address;

    public override QueueCapabilities Capabilities => _sender.Capabilities;

    public override QueueOptions Options => _sender.Options;

    internal static async Task<RabbitMqTopic> OpenAsync(QueueAddress address, QueueOptions options, RabbitMqOptions brokerOptions,
        CancellationToken cancellationToken)
    {
        RabbitMqAddress own = RabbitMqAddress.Parse(address, brokerOptions);
        var target = new RabbitMqTarget(
            own, own.QueueName, QueueName: "", Selector: null,
                (connection, token) => RabbitMqTopology.DeclareTopicAsync(connection, own.QueueName, token));
        return new RabbitMqTopic(target, await RabbitMqQueue.OpenAsync(target, address, options, brokerOptions, cancellationToken)
            .ConfigureAwait(false), brokerOptions);
    }

    public override ValueTask SendAsync(QueueMessage message, QueueTransaction? transaction = null, CancellationToken cancellationToken = default)
    {
        ThrowIfDisposed();
        return _sender.SendAsync(message, transaction, cancellationToken);
    }

    public override ValueTask<QueueTransaction> BeginTransactionAsync(CancellationToken cancellationToken = default)
    {
        ThrowIfDisposed();
        return _sender.BeginTransactionAsync(cancellationToken);
    }

    public override ValueTask<QueueClient> SubscribeAsync(string? selector = null, QueueOptions? options = null,
        CancellationToken cancellationToken = default) =>
        SubscribeAsync($"{_target.Exchange}.{Guid.NewGuid():N}", isTemporary: true, selector, options ?? Options, cancellationToken);

    public override ValueTask<QueueClient> SubscribeDurableAsync(
        string name, string? selector = null, QueueOptions? options = null, CancellationToken cancellationToken = default) =>
        SubscribeAsync(QueueNameOf(name), isTemporary: false, selector, options ?? Options, cancellationToken);

    public override ValueTask<bool> UnsubscribeAsync(string name, CancellationToken cancellationToken = default)
    {
        string queueName = QueueNameOf(name);
        ThrowIfDisposed();
        return _sender.RunAsync(connection => RabbitMqTopology.DeleteQueueAsync(connection, queueName, cancellationToken), "unsubscribe",
            cancellationToken);
    }

    public override ValueTask DisposeAsync()
    {
        _isDisposed = true;
        return _sender.DisposeAsync();
    }

    private async ValueTask<QueueClient> SubscribeAsync(string queueName, bool isTemporary, string? selector, QueueOptions options,
        CancellationToken cancellationToken)
    {
        ThrowIfDisposed();
        MessageSelector? parsed = selector is null ? null : MessageSelector.Parse(selector);
        string? term = parsed is null ? null : RabbitMqSelector.ToErlang(parsed);
        QueueAddress address = AddressOf(queueName);
        if (options.MaxMessageCount is not null || options.MaxByteCount is not null)
            throw new ArgumentException($"'{address}' is a subscription, which cannot have limits: they apply to sends to a queue.", nameof(options));
        bool usesExchange = term is not null && _hasSelectorExchange;
        try
        {
            return await OpenAsync(usesExchange ? term : null).ConfigureAwait(false);
        }
        catch (QueueException e) when (usesExchange && IsUnknownExchangeType(e))
        {
            // Without the plugin rabbitmq_jms_topic_exchange the subscription receives all messages, and the receiver evaluates the selector.
            _hasSelectorExchange = false;
            return await OpenAsync(null).ConfigureAwait(false);
        }

        async Task<QueueClient> OpenAsync(string? boundTerm)
        {
            var target = new RabbitMqTarget(_target.Address, Exchange: "", queueName, parsed, DeclareAsync, isTemporary);
            return await RabbitMqQueue.OpenAsync(target, address, options, _brokerOptions, cancellationToken).ConfigureAwait(false);

            async Task DeclareAsync(RabbitMqConnection connection, CancellationToken token)
            {
                await _target.DeclareAsync(connection, token).ConfigureAwait(false);
                if (isTemporary)
                    await RabbitMqTopology.DeclareTemporaryQueueAsync(connection, queueName, options, _brokerOptions, token).ConfigureAwait(false);
                else
                    await RabbitMqTopology.DeclareQueueAsync(connection, queueName, options, _brokerOptions, token).ConfigureAwait(false);
                await RabbitMqTopology.BindAsync(connection, _target.Exchange, queueName, boundTerm, token).ConfigureAwait(false);
            }
        }
    }

    private static bool IsUnknownExchangeType(QueueException e) =>
        e.InnerException is OperationInterruptedException { ShutdownReason.ReplyCode: Constants.CommandInvalid };

    private string QueueNameOf(string name)
    {
        ArgumentException.ThrowIfNullOrEmpty(name);
        return $"{_target.Exchange}.{name}";
    }

    /// <summary>Returns the address of a subscription's queue: the topic's with another name.</summary>
    private QueueAddress AddressOf(string queueName)
    {
        string text = Address.Uri.OriginalString;
        string uri = text[..(text.LastIndexOf('/') + 1)] + Uri.EscapeDataString(queueName);
        return QueueAddress.Parse(uri);
    }

    private void ThrowIfDisposed()
    {
        if (_isDisposed)
            throw new ObjectDisposedException(nameof(MessageTopic), $"'{Address}' is closed.");
    }
}
