using System;
using System.Threading;
using System.Threading.Tasks;
using RabbitMQ.Client;

namespace Formatters.Queues.RabbitMQ;

/// <summary>The destination and source of a handle, and how it is declared at the broker.</summary>
/// <param name="Address">The broker, and the name of the queue or topic.</param>
/// <param name="Exchange">The exchange of a topic; empty for a queue.</param>
/// <param name="QueueName">The queue; empty for a topic.</param>
/// <param name="Selector">Selects the messages to deliver; the others are acknowledged without delivery.</param>
/// <param name="DeclareAsync">Declares all of it, on every new connection.</param>
/// <param name="IsTemporary">Whether the queue ends with the connection.</param>
internal sealed record RabbitMqTarget(
    RabbitMqAddress Address, string Exchange, string QueueName, MessageSelector? Selector,
        Func<RabbitMqConnection, CancellationToken, Task> DeclareAsync,
    bool IsTemporary = false)
{
    internal bool IsTopic => Exchange.Length > 0;

    /// <summary>Checks whether the queue or exchange exists; the broker answers after it has processed earlier messages of the channel.</summary>
    internal async Task PingAsync(IChannel channel, CancellationToken cancellationToken)
    {
        if (IsTopic)
            await channel.ExchangeDeclarePassiveAsync(Exchange, cancellationToken).ConfigureAwait(false);
        else
            await channel.QueueDeclarePassiveAsync(QueueName, cancellationToken).ConfigureAwait(false);
    }
}
