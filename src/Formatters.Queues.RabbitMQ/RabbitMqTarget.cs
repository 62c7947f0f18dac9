using System;
using System.Threading;
using System.Threading.Tasks;
using RabbitMQ.Client;

namespace Formatters.Queues.RabbitMQ;

/// <summary>Where a handle sends to and receives from, and how that is made at the broker.</summary>
/// <param name="Address">The broker, and the name of the queue or topic.</param>
/// <param name="Exchange">The exchange of a topic; empty for a queue.</param>
/// <param name="QueueName">The queue; empty for a topic.</param>
/// <param name="Selector">What a receiver is given of the queue's messages; the others are acknowledged unseen.</param>
/// <param name="DeclareAsync">Makes sure that all of it is there, on every new connection.</param>
/// <param name="IsTemporary">Whether the queue ends with the connection.</param>
internal sealed record RabbitMqTarget(
    RabbitMqAddress Address, string Exchange, string QueueName, MessageSelector? Selector, Func<RabbitMqConnection, CancellationToken, Task> DeclareAsync,
    bool IsTemporary = false)
{
    internal bool IsTopic => Exchange.Length > 0;

    /// <summary>Asks the broker whether the queue or exchange is there: the answer comes after what was sent on the channel before.</summary>
    internal async Task PingAsync(IChannel channel, CancellationToken cancellationToken)
    {
        if (IsTopic)
            await channel.ExchangeDeclarePassiveAsync(Exchange, cancellationToken).ConfigureAwait(false);
        else
            await channel.QueueDeclarePassiveAsync(QueueName, cancellationToken).ConfigureAwait(false);
    }
}
