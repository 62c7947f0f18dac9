using System;
using System.Collections.Generic;
using Formatters.Queues;

namespace Formatters.Hosting;

/// <summary>Settings of a consumer: the name of its contract, and the order of its messages.</summary>
/// <typeparam name="T">The type of the payload.</typeparam>
public sealed class ConsumerOptions<T>
{
    /// <summary>The contract name of the messages: see <see cref="ContractNames"/>.</summary>
    /// <value>Default null: the contract name of the type.</value>
    public string? ContractName { get; set; }

    /// <summary>Other contract names whose messages are read as <typeparamref name="T"/>: those that the contract had before it was
    /// renamed.</summary>
    public IList<string> FormerNames { get; } = [];

    /// <summary>Determines whether a message without a contract name is a <typeparamref name="T"/>, by its label, headers or body type.</summary>
    /// <value>Default null: it is if the queue has no other consumer.</value>
    public Func<QueueMessage, bool>? Matches { get; set; }

    /// <summary>Selects the key of a message: messages with equal keys are handled one after the other, in the order in which they were
    /// received.</summary>
    /// <value>Default null, which means no key; so does a key that is null. Keys are compared over all consumers of the queue.</value>
    /// <remarks>The order holds within one process. Failed messages wait in the process, so that the order is kept.</remarks>
    public Func<T, object?>? OrderingKey { get; set; }

    /// <summary>Gets or sets whether the handler runs in a transaction of the outbox: its <see cref="IOutboxTransaction"/> is committed before the
    /// message is acknowledged, and a message that is delivered again after that is acknowledged without being handled.</summary>
    /// <value>Default false. True needs <c>AddOutbox</c>.</value>
    /// <remarks>Messages are recognized by their <see cref="QueueMessage.MessageId"/>, for <see cref="OutboxOptions.InboxRetention"/>.</remarks>
    public bool IsTransactional { get; set; }
}
