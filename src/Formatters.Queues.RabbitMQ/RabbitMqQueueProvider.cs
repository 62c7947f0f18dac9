using System;
using System.Collections.Generic;
using System.Threading;
using System.Threading.Tasks;
using RabbitMQ.Client;
using RabbitMQ.Client.Exceptions;

namespace Formatters.Queues.RabbitMQ;

/// <summary>Opens queues of a RabbitMQ broker: <c>amqp[s]://[user[:password]@]host[:port]/[virtual-host/]queue</c>.</summary>
/// <remarks>
/// <para>Without a virtual host the queue is in <c>/</c>; user and password are <c>guest</c> unless given; the port is 5672, with TLS 5671. Names are
/// percent-encoded: <c>%2F</c> is a slash inside a name.</para>
/// <para>A queue that does not exist is made durable in every mode, so that one queue serves all of them: what makes a message express is that it is
/// sent transient and without confirmation. Recoverable messages are persistent, and their sends complete with the broker's confirm. Transactions are
/// AMQP's tx, which the broker documents as a batch and not as atomic.</para>
/// <para>A queue that exists is taken as it is for express; as recoverable or transactional it must be durable.</para>
/// <para>Every handle has a connection of its own. A lost connection ends the handle: its operations fail with a <see cref="QueueException"/>, and the
/// application opens the queue again.</para>
/// </remarks>
public sealed class RabbitMqQueueProvider : QueueProvider
{
    /// <inheritdoc/>
    public override IReadOnlyList<string> Schemes { get; } = ["amqp", "amqps"];

    /// <inheritdoc/>
    public override async ValueTask<IMessageQueue> OpenAsync(QueueAddress address, QueueOptions options, CancellationToken cancellationToken)
    {
        RabbitMqAddress own = RabbitMqAddress.Parse(address);
        if (options is null)
            throw new ArgumentNullException(nameof(options));
        RabbitMqConnection connection = await RabbitMqConnection.OpenAsync(own, options.OperationTimeout, cancellationToken).ConfigureAwait(false);
        try
        {
            await DeclareAsync(connection, options.DeliveryMode, cancellationToken).ConfigureAwait(false);
            var queue = new RabbitMqQueue(connection, address, options);
            await queue.OpenSenderAsync(cancellationToken).ConfigureAwait(false);
            return queue;
        }
        catch
        {
            await connection.DisposeAsync().ConfigureAwait(false);
            throw;
        }
    }

    /// <inheritdoc/>
    public override async ValueTask<bool> DeleteAsync(QueueAddress address, CancellationToken cancellationToken = default)
    {
        const string What = "delete the queue";
        RabbitMqAddress own = RabbitMqAddress.Parse(address);
        RabbitMqConnection connection = await RabbitMqConnection.OpenAsync(own, QueueOptions.Default.OperationTimeout, cancellationToken).ConfigureAwait(false);
        await using (connection.ConfigureAwait(false))
        {
            IChannel channel = await connection.OpenChannelAsync(confirms: false, What, cancellationToken).ConfigureAwait(false);
            try
            {
                await connection.RunAsync(token => channel.QueueDeclarePassiveAsync(own.QueueName, token), What, cancellationToken).ConfigureAwait(false);
            }
            catch (QueueException e) when (e.InnerException is OperationInterruptedException { ShutdownReason.ReplyCode: Constants.NotFound })
            {
                return false;
            }

            await connection.RunAsync(token => channel.QueueDeleteAsync(own.QueueName, ifUnused: false, ifEmpty: false, cancellationToken: token), What, cancellationToken)
                .ConfigureAwait(false);
            return true;
        }
    }

    private static async Task DeclareAsync(RabbitMqConnection connection, DeliveryMode mode, CancellationToken cancellationToken)
    {
        const string What = "open the queue";
        string name = connection.Address.QueueName;
        try
        {
            await OnChannelAsync(
                (channel, token) => channel.QueueDeclareAsync(name, durable: true, exclusive: false, autoDelete: false, cancellationToken: token)).ConfigureAwait(false);
        }
        catch (QueueException e) when (e.InnerException is OperationInterruptedException { ShutdownReason: { ReplyCode: Constants.PreconditionFailed } reason })
        {
            if (mode != DeliveryMode.Express)
            {
                throw new QueueException(
                    $"'{connection.Address.Text}' exists with other settings than {mode} messages need (a durable queue, not exclusive, not auto-delete, without "
                    + $"arguments): {reason.ReplyText}. Open it as express, or delete it first.",
                    e.InnerException);
            }

            await OnChannelAsync((channel, token) => channel.QueueDeclarePassiveAsync(name, token)).ConfigureAwait(false);
        }

        // A channel of its own, because a refusal closes it.
        async Task OnChannelAsync(Func<IChannel, CancellationToken, Task<QueueDeclareOk>> declare)
        {
            IChannel channel = await connection.OpenChannelAsync(confirms: false, What, cancellationToken).ConfigureAwait(false);
            await using (channel.ConfigureAwait(false))
                await connection.RunAsync(token => declare(channel, token), What, cancellationToken).ConfigureAwait(false);
        }
    }
}
