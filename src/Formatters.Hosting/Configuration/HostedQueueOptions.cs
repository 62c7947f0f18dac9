using System;
using System.Collections.Generic;
using System.Threading;
using Formatters.Queues;

namespace Formatters.Hosting;

/// <summary>The settings of a named queue, for its consumers and senders. Named options, bound from the section of the queue's name.</summary>
/// <remarks>The settings are read and validated when the host starts. A change of the configuration takes effect at the next start.</remarks>
public sealed class HostedQueueOptions
{
    /// <summary>Gets or sets where the queue is: <c>file:queues/orders</c>, <c>postgres://host/database/orders</c>.</summary>
    /// <value>Required. One address; a queue without consumers may have several, separated by commas.</value>
    public string Address { get; set; } = "";

    /// <summary>Gets or sets whether the address is that of a topic: senders publish to it, consumers receive from the
    /// <see cref="Subscription"/>.</summary>
    /// <value>Default false.</value>
    public bool IsTopic { get; set; }

    /// <summary>The name of the durable subscription from which consumers receive; only for a topic.</summary>
    /// <value>Default null. Required for a topic that has consumers. Processes with the same name share the messages.</value>
    public string? Subscription { get; set; }

    /// <summary>Gets or sets which messages consumers receive: see <see cref="MessageSelector"/>.</summary>
    /// <value>Default null: all.</value>
    public string? Selector { get; set; }

    /// <summary>The wire format of bodies, for types without a formatter of their own: the name of a <see cref="WireFormat"/>.</summary>
    /// <value>Default null: the format of the type's <see cref="MessageContractAttribute"/>, and JSON for types that do not have one.</value>
    public string? Format { get; set; }

    /// <summary>The guarantee of a send: <see cref="QueueOptions.DeliveryMode"/>.</summary>
    /// <value>Default null: recoverable if the queue supports it. Transactional is not supported.</value>
    public DeliveryMode? DeliveryMode { get; set; }

    /// <summary>Gets or sets which messages an acknowledgement covers: <see cref="QueueOptions.AcknowledgeMode"/>.</summary>
    /// <value>Default <see cref="AcknowledgeMode.Individual"/>. Cumulative is not supported, because handlers finish in any order.</value>
    public AcknowledgeMode AcknowledgeMode { get; set; }

    /// <summary>Gets or sets whether the messages of the queue belong to sessions: <see cref="QueueOptions.RequiresSession"/>. The messages of a
    /// session are handled one after the other, in their order, and those of several sessions at the same time.</summary>
    /// <value>Default false. True is rejected by a queue without <see cref="QueueFeatures.Sessions"/>.</value>
    public bool RequiresSession { get; set; }

    /// <summary>Gets or sets how long a session without messages stays locked before another one is accepted.</summary>
    /// <value>Default 5 seconds.</value>
    public TimeSpan SessionIdleTimeout { get; set; } = TimeSpan.FromSeconds(5);

    /// <summary>Gets or sets how many messages are handled at the same time; with <see cref="RequiresSession"/>, of how many sessions.</summary>
    /// <value>Default 1, which keeps the order of the queue.</value>
    public int Concurrency { get; set; } = 1;

    /// <summary>Gets or sets how many messages are fetched ahead: <see cref="QueueOptions.PrefetchCount"/>. With an
    /// <see cref="ConsumerOptions{T}.OrderingKey"/>, also how many messages may wait for their turn.</summary>
    /// <value>Default null: twice the <see cref="Concurrency"/>, at least 20.</value>
    public int? PrefetchCount { get; set; }

    /// <summary>Gets or sets how long a message stays locked without being renewed: <see cref="QueueOptions.LeaseDuration"/>. The lease is renewed
    /// while a handler runs.</summary>
    /// <value>Default null: until the process or its connection ends.</value>
    public TimeSpan? LeaseDuration { get; set; }

    /// <summary>The queue for messages that could not be handled, by its name in the same location.</summary>
    /// <value>Default null: the queue's name with <c>.dead</c>. Empty: none; messages that fail are then delivered again and again.</value>
    public string? DeadLetterQueue { get; set; }

    /// <summary>Gets or sets how often the queue hands out a message that its receivers never settle, for example because it ends their process:
    /// <see cref="QueueOptions.MaxDeliveryCount"/>.</summary>
    /// <value>Default 0: no limit. A limit should exceed the number of attempts.</value>
    public int MaxDeliveryCount { get; set; }

    /// <summary>Gets or sets how long opening and each operation may wait for the queue: <see cref="QueueOptions.OperationTimeout"/>.</summary>
    /// <value>Default 30 seconds.</value>
    public TimeSpan OperationTimeout { get; set; } = TimeSpan.FromSeconds(30);

    /// <summary>Gets or sets how long a handler may run. After that, its cancellation token is cancelled, and a log line names it; if it fails
    /// then, so has its attempt.</summary>
    /// <value>Default 5 minutes. <see cref="Timeout.InfiniteTimeSpan"/>: no limit.</value>
    public TimeSpan HandlerTimeout { get; set; } = TimeSpan.FromMinutes(5);

    /// <summary>Gets or sets how long to wait before opening an unreachable queue again; doubled after each failure.</summary>
    /// <value>Default 1 second.</value>
    public TimeSpan ReconnectDelay { get; set; } = TimeSpan.FromSeconds(1);

    /// <summary>The longest wait before opening an unreachable queue again.</summary>
    /// <value>Default 30 seconds.</value>
    public TimeSpan MaxReconnectDelay { get; set; } = TimeSpan.FromSeconds(30);

    /// <summary>Gets or sets how failed messages are tried again.</summary>
    public RetryOptions Retry { get; set; } = new();

    /// <summary>Gets or sets when receiving pauses after consecutive failures.</summary>
    public CircuitBreakerOptions CircuitBreaker { get; set; } = new();

    /// <summary>Changes the options with which the queue is opened, for those that are not listed here. Only in code.</summary>
    /// <value>Default null.</value>
    public Func<QueueOptions, QueueOptions>? ConfigureQueue { get; set; }

    internal int EffectivePrefetchCount => PrefetchCount ?? Math.Max(20, 2 * Concurrency);

    /// <summary>Gets the name of the dead-letter queue, or null if there is none.</summary>
    internal string? GetDeadLetterQueue()
    {
        if (DeadLetterQueue is not null)
            return DeadLetterQueue.Length == 0 ? null : DeadLetterQueue;
        IReadOnlyList<QueueAddress> addresses = QueueAddress.ParseList(Address);
        if (addresses.Count > 1)
            return null;
        string name = addresses[0].QueueName;
        return IsTopic ? $"{name}.{Subscription}.dead" : name + ".dead";
    }

    /// <summary>Gets the options for opening the queue. Senders use those of receivers, since some brokers store them with the queue.</summary>
    internal QueueOptions ToQueueOptions()
    {
        var options = new QueueOptions
        {
            DeliveryMode = DeliveryMode,
            AcknowledgeMode = AcknowledgeMode,
            PrefetchCount = EffectivePrefetchCount,
            LeaseDuration = LeaseDuration ?? Timeout.InfiniteTimeSpan,
            DeadLetterQueue = GetDeadLetterQueue(),
            MaxDeliveryCount = MaxDeliveryCount,
            Selector = IsTopic ? null : Selector,
            OperationTimeout = OperationTimeout,
            RequiresSession = RequiresSession,
        };
        return ConfigureQueue?.Invoke(options) ?? options;
    }
}
