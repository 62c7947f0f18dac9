using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;

namespace Formatters.Queues.RabbitMQ;

/// <summary>Opens queues and topics of RabbitMQ: <c>amqp[s]://[user[:password]@]host[:port][,host[:port]…]/[virtual-host/]queue</c>.</summary>
/// <remarks>
/// <para>Without a virtual host the queue is in <c>/</c>; user and password are those of <see cref="RabbitMqOptions.Credentials"/>, or <c>guest</c>,
/// unless given; the port is 5672, with TLS 5671. Names are percent-encoded: <c>%2F</c> is a slash inside a name. Of several hosts, the brokers of a
/// cluster, the first that takes the connection is used.</para>
/// <para>A queue that does not exist is created as durable in every mode, so that one queue serves all of them: a message is express because it is
/// sent as transient and without confirmation. Recoverable messages are persistent, and their sends complete with the broker's confirm. Transactions
/// are AMQP's tx, which the broker documents as a batch and not as atomic.</para>
/// <para>A queue that exists is used as it is for express; for recoverable, the default, or transactional, it must be durable, and so must its
/// dead-letter queue. Dead letters, limits and priorities are settings of the queue at the broker: the first handle that asks for them decides them,
/// and a handle that asks for other ones is rejected. With <see cref="RabbitMqDeadLetters.ByReceiver"/> dead letters are not among them.</para>
/// <para>Every handle has a separate connection, and opens a new one when it is lost: see <see cref="RabbitMqOptions.ReconnectTimeout"/>. A send
/// that was waiting for its confirm fails with <see cref="QueueException.OutcomeUnknown"/>, and what was locked is delivered again.</para>
/// </remarks>
public sealed class RabbitMqQueueProvider : QueueProvider
{
    private readonly RabbitMqOptions _options;

    /// <summary>Creates a provider with <see cref="RabbitMqOptions.Default"/>.</summary>
    public RabbitMqQueueProvider()
        : this(RabbitMqOptions.Default)
    {
    }

    /// <summary>Creates a provider of queues at a RabbitMQ broker.</summary>
    /// <param name="options">How its queues are declared at the broker.</param>
    /// <exception cref="ArgumentNullException"><paramref name="options"/> is null.</exception>
    public RabbitMqQueueProvider(RabbitMqOptions options) => _options = options ?? throw new ArgumentNullException(nameof(options));

    /// <inheritdoc/>
    public override IReadOnlyList<string> Schemes { get; } = ["amqp", "amqps"];

    /// <inheritdoc/>
    public override async ValueTask<QueueClient> OpenAsync(QueueAddress address, QueueOptions options, CancellationToken cancellationToken)
    {
        RabbitMqAddress own = RabbitMqAddress.Parse(address, _options);
        if (options is null)
            throw new ArgumentNullException(nameof(options));
        var target = new RabbitMqTarget(
            own, Exchange: "", own.QueueName, Selector: null,
                (connection, token) => RabbitMqTopology.DeclareQueueAsync(connection, own.QueueName, options, _options, token));
        return await RabbitMqQueue.OpenAsync(target, address, options, _options, cancellationToken).ConfigureAwait(false);
    }

    /// <inheritdoc/>
    /// <remarks>
    /// A topic is a durable fanout exchange, and a durable subscription is the durable queue <c>topic.subscription</c>. If the plugin for the
    /// exchange type <c>x-jms-topic</c> is enabled, selectors work at the broker, in the exchange <c>topic.selectors</c> of this type. Without the
    /// plugin, and for what it cannot decide, they work at the receiver. Messages whose headers the plugin does not know are rejected.
    /// </remarks>
    public override async ValueTask<MessageTopic> OpenTopicAsync(QueueAddress address, QueueOptions options, CancellationToken cancellationToken)
    {
        if (options is null)
            throw new ArgumentNullException(nameof(options));
        return await RabbitMqTopic.OpenAsync(address, options, _options, cancellationToken).ConfigureAwait(false);
    }

    /// <inheritdoc/>
    public override async ValueTask<bool> DeleteAsync(QueueAddress address, CancellationToken cancellationToken = default)
    {
        RabbitMqAddress own = RabbitMqAddress.Parse(address, _options);
        RabbitMqConnection connection = await RabbitMqConnection.OpenAsync(own, _options, QueueOptions.Default.OperationTimeout, cancellationToken)
            .ConfigureAwait(false);
        await using (connection.ConfigureAwait(false))
            return await RabbitMqTopology.DeleteQueueAsync(connection, own.QueueName, cancellationToken).ConfigureAwait(false);
    }

    /// <inheritdoc/>
    /// <remarks>
    /// AMQP reports how many messages wait in a queue that is named. The names of queues, and how many messages are locked, are known only with
    /// <see cref="RabbitMqOptions.ManagementAddress"/>, some seconds late. The broker does not report how old messages are.
    /// </remarks>
    public override async ValueTask<IReadOnlyList<QueueStatus>> ListAsync(QueueAddress address, CancellationToken cancellationToken = default)
    {
        RabbitMqAddress own = RabbitMqAddress.ParsePlaceOrQueue(address, _options);
        if (own.QueueName.Length == 0 && _options.ManagementAddress is null)
        {
            throw new NotSupportedException(
                $"'{address}': AMQP does not tell which queues there are. Name them, as in amqp://host/orders,invoices, or say where the broker's "
                + "management interface is "
                + $"({nameof(RabbitMqOptions)}.{nameof(RabbitMqOptions.ManagementAddress)}).");
        }

        TimeSpan timeout = QueueOptions.Default.OperationTimeout;
        IReadOnlyList<(string Name, long? LockedCount)> queues = _options.ManagementAddress is { } management
            ? await RabbitMqManagement.ListAsync(management, own, timeout, cancellationToken).ConfigureAwait(false)
            : [(own.QueueName, null)];
        RabbitMqConnection connection = await RabbitMqConnection.OpenAsync(own, _options, timeout, cancellationToken).ConfigureAwait(false);
        await using (connection.ConfigureAwait(false))
        {
            var statuses = new List<QueueStatus>(queues.Count);
            foreach ((string name, long? lockedCount) in queues.OrderBy(static queue => queue.Name, StringComparer.Ordinal))
            {
                // The management interface's own count is some seconds old.
                if (await RabbitMqTopology.CountAsync(connection, name, cancellationToken).ConfigureAwait(false) is { } count)
                    statuses.Add(new QueueStatus { Address = address.WithQueueName(name), Name = name, MessageCount = count,
                        LockedCount = lockedCount });
            }

            return statuses;
        }
    }
}
