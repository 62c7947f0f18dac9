using System;
using System.Collections.Generic;
using System.Threading;
using System.Threading.Tasks;
using RabbitMQ.Client;
using RabbitMQ.Client.Exceptions;

namespace Formatters.Queues.RabbitMQ;

/// <summary>Declares queues, exchanges and bindings at the broker, according to the options.</summary>
internal static class RabbitMqTopology
{
    /// <summary>Declares a durable queue, and checks that an existing one matches the options.</summary>
    internal static async Task DeclareQueueAsync(
        RabbitMqConnection connection, string name, QueueOptions options, RabbitMqOptions brokerOptions, CancellationToken cancellationToken)
    {
        const string What = "open the queue";
        if (options.DeadLetterQueue is { } deadLetters)
            await DeclareQueueAsync(connection, deadLetters, new QueueOptions { DeliveryMode = options.DeliveryMode }, brokerOptions,
                cancellationToken).ConfigureAwait(false);
        Dictionary<string, object?> arguments = ArgumentsOf(options, brokerOptions);
        bool asksForNothing = arguments.Count == 0;
        if (brokerOptions.QueueType == RabbitMqQueueType.Quorum)
            arguments["x-queue-type"] = "quorum";
        try
        {
            await OnChannelAsync(
                connection,
                (channel, token) => channel.QueueDeclareAsync(
                    name, durable: true, exclusive: false, autoDelete: false, arguments, cancellationToken: token),
                What,
                cancellationToken).ConfigureAwait(false);
        }
        catch (QueueException e) when (
            e.InnerException is OperationInterruptedException { ShutdownReason: { ReplyCode: Constants.PreconditionFailed } reason })
        {
            // A queue with more features than requested is accepted, and any queue is for express messages.
            if (!asksForNothing || (!RabbitMqReplies.IsOfArgument(reason.ReplyText) && options.DeliveryMode != DeliveryMode.Express))
            {
                string both = await RabbitMqDifferences.DescribeAsync(connection, name, arguments, cancellationToken).ConfigureAwait(false);
                throw new QueueException(
                    $"'{connection.Address.Text}': the queue '{name}' exists with other settings than those that "
                    + $"{options.DeliveryMode ?? DeliveryMode.Recoverable} messages need (durable, not auto-delete; as express it is used as it is) "
                    + "or that the "
                    + $"options ask for. {both} The broker says: {reason.ReplyText}. The first declaration of the queue decides these settings for "
                    + "all: open it everywhere with the same options "
                    + $"({nameof(QueueOptions.DeadLetterQueue)}, {nameof(QueueOptions.MaxDeliveryCount)}, {nameof(QueueOptions.MaxMessageCount)}, "
                    + $"{nameof(QueueOptions.MaxByteCount)}, "
                    + $"{nameof(RabbitMqOptions)}), or delete it first, with its messages; "
                    + $"{nameof(RabbitMqOptions)}.{nameof(RabbitMqOptions.DeadLetters)} = "
                    + $"{nameof(RabbitMqDeadLetters.ByReceiver)} lets a receiver have dead letters of any queue.",
                    e.InnerException);
            }

            await OnChannelAsync(connection, (channel, token) => channel.QueueDeclarePassiveAsync(name, token), What, cancellationToken)
                .ConfigureAwait(false);
        }
    }

    /// <summary>Declares the exchange of a topic, which copies every message to all bound queues.</summary>
    internal static Task DeclareTopicAsync(RabbitMqConnection connection, string topic, CancellationToken cancellationToken) => OnChannelAsync(
        connection,
        async (channel, token) =>
        {
            await channel.ExchangeDeclareAsync(topic, ExchangeType.Fanout, durable: true, autoDelete: false, cancellationToken: token)
                .ConfigureAwait(false);
            return true;
        },
        "open the topic",
        cancellationToken);

    /// <summary>Declares a queue that the broker deletes with the connection.</summary>
    internal static Task DeclareTemporaryQueueAsync(
        RabbitMqConnection connection, string name, QueueOptions options, RabbitMqOptions brokerOptions, CancellationToken cancellationToken) =>
            OnChannelAsync(
            connection,
            (channel, token) => channel.QueueDeclareAsync(
                name, durable: false, exclusive: true, autoDelete: false,
                    ArgumentsOf(options, brokerOptions with { QueueType = RabbitMqQueueType.Classic }), cancellationToken: token),
            "subscribe",
            cancellationToken);

    /// <summary>Binds a queue to a topic, optionally with a selector.</summary>
    /// <param name="connection">The connection; the broker closes it if it does not support the type of the selectors' exchange.</param>
    /// <param name="topic">The topic.</param>
    /// <param name="queueName">The queue.</param>
    /// <param name="term">The selector as an Erlang term, or null for all.</param>
    /// <param name="cancellationToken">Cancels the wait.</param>
    internal static Task BindAsync(RabbitMqConnection connection, string topic, string queueName, string? term,
        CancellationToken cancellationToken) => OnChannelAsync(
        connection,
        async (channel, token) =>
        {
            if (term is null)
            {
                await channel.QueueBindAsync(queueName, topic, string.Empty, cancellationToken: token).ConfigureAwait(false);
                return true;
            }

            string selectors = topic + ".selectors";
            await channel.ExchangeDeclareAsync(selectors, "x-jms-topic", durable: true, autoDelete: false, cancellationToken: token)
                .ConfigureAwait(false);
            await channel.ExchangeBindAsync(selectors, topic, string.Empty, cancellationToken: token).ConfigureAwait(false);
            // The exchange keeps one selector per queue and key.
            string key = Convert.ToHexString(System.Security.Cryptography.SHA256.HashData(System.Text.Encoding.ASCII.GetBytes(term)));
            await channel.QueueBindAsync(queueName, selectors, key, new Dictionary<string, object?> { ["rjms_erlang_selector"] = term },
                cancellationToken: token).ConfigureAwait(false);
            return true;
        },
        "subscribe",
        cancellationToken);

    /// <summary>Counts the waiting messages of a queue.</summary>
    /// <returns>The count; null if the queue does not exist or is exclusive to another connection.</returns>
    internal static async Task<long?> CountAsync(RabbitMqConnection connection, string name, CancellationToken cancellationToken)
    {
        try
        {
            long count = 0;
            await OnChannelAsync(
                connection,
                async (channel, token) =>
                {
                    count = (await channel.QueueDeclarePassiveAsync(name, token).ConfigureAwait(false)).MessageCount;
                    return true;
                },
                "count the messages",
                cancellationToken).ConfigureAwait(false);
            return count;
        }
        catch (QueueException e) when (e.InnerException is OperationInterruptedException { ShutdownReason.ReplyCode: Constants.NotFound
            or Constants.ResourceLocked })
        {
            return null;
        }
    }

    /// <summary>Deletes a queue.</summary>
    /// <returns>Whether there was one.</returns>
    internal static async Task<bool> DeleteQueueAsync(RabbitMqConnection connection, string name, CancellationToken cancellationToken)
    {
        const string What = "delete the queue";
        try
        {
            await OnChannelAsync(connection, (channel, token) => channel.QueueDeclarePassiveAsync(name, token), What, cancellationToken)
                .ConfigureAwait(false);
        }
        catch (QueueException e) when (e.InnerException is OperationInterruptedException { ShutdownReason.ReplyCode: Constants.NotFound })
        {
            return false;
        }

        await OnChannelAsync(connection, (channel, token) =>
            channel.QueueDeleteAsync(name, ifUnused: false, ifEmpty: false, cancellationToken: token), What, cancellationToken).ConfigureAwait(false);
        return true;
    }

    private static Dictionary<string, object?> ArgumentsOf(QueueOptions options, RabbitMqOptions brokerOptions)
    {
        var arguments = new Dictionary<string, object?>();
        if (brokerOptions is { HasPriorities: true, QueueType: RabbitMqQueueType.Classic })
            arguments["x-max-priority"] = 9;
        if (options.DeadLetterQueue is { } deadLetters && brokerOptions.DeadLetters == RabbitMqDeadLetters.ByQueue)
        {
            arguments["x-dead-letter-exchange"] = string.Empty;
            arguments["x-dead-letter-routing-key"] = deadLetters;
        }

        // The broker limits the returns, not the deliveries.
        if (options.MaxDeliveryCount > 0)
            arguments["x-delivery-limit"] = options.MaxDeliveryCount - 1;
        if (options.MaxMessageCount is { } messageCount)
            arguments["x-max-length"] = messageCount;
        if (options.MaxByteCount is { } byteCount)
            arguments["x-max-length-bytes"] = byteCount;
        if (options.MaxMessageCount is not null || options.MaxByteCount is not null)
            arguments["x-overflow"] = "reject-publish";
        return arguments;
    }

    // On a separate channel, because an error closes it.
    internal static async Task<T> OnChannelAsync<T>(
        RabbitMqConnection connection, Func<IChannel, CancellationToken, Task<T>> operation, string what, CancellationToken cancellationToken)
    {
        IChannel channel = await connection.OpenChannelAsync(confirms: false, what, cancellationToken).ConfigureAwait(false);
        await using (channel.ConfigureAwait(false))
            return await connection.RunAsync(token => operation(channel, token), what, cancellationToken).ConfigureAwait(false);
    }
}
