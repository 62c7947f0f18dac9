using System;
using System.Net;
using System.Security.Cryptography.X509Certificates;

namespace Formatters.Queues.RabbitMQ;

/// <summary>Options of a <see cref="RabbitMqQueueProvider"/>: how queues are declared, and how to connect to the broker.</summary>
public sealed record RabbitMqOptions
{
    /// <summary>Gets the default options: classic queues without priorities; the user comes from the address.</summary>
    public static RabbitMqOptions Default { get; } = new();

    /// <summary>Gets the type of queues that are created; an existing queue is opened as it is.</summary>
    /// <value>Default <see cref="RabbitMqQueueType.Classic"/>.</value>
    public RabbitMqQueueType QueueType
    {
        get;
        init => field = QueueChecks.Defined(value, nameof(QueueType));
    }

    /// <summary>
    /// Gets whether classic queues are created with the ten message priorities (<c>x-max-priority</c>); each costs the broker memory and work.
    /// </summary>
    /// <value>Default false. Quorum queues of RabbitMQ 3 have no priorities.</value>
    public bool HasPriorities { get; init; }

    /// <summary>
    /// Gets the address of the broker's management interface (the plugin <c>rabbitmq_management</c>), from which <see
    /// cref="QueueProvider.ListAsync"/> gets the names of queues and the number of locked messages.
    /// </summary>
    /// <value>Default null: only AMQP is used, which reports nothing but the number of waiting messages of a named queue. Example:
    /// <c>http://localhost:15672</c>; user and password are those of the address or of <see cref="Credentials"/>.</value>
    /// <exception cref="ArgumentException">The address is not an absolute HTTP address.</exception>
    public Uri? ManagementAddress
    {
        get;
        init => field = value is null or { IsAbsoluteUri: true, Scheme: "http" or "https" }
            ? value
            : throw new ArgumentException("An absolute address of HTTP, or null.", nameof(ManagementAddress));
    }

    /// <summary>Gets how long an operation on a lost connection tries to reconnect before it fails.</summary>
    /// <value>Default 30 seconds. With zero, the operation and all later ones fail immediately.</value>
    /// <exception cref="ArgumentOutOfRangeException">The value is negative.</exception>
    public TimeSpan ReconnectTimeout
    {
        get;
        init => field = value >= TimeSpan.Zero ? value : throw new ArgumentOutOfRangeException(nameof(ReconnectTimeout), value, "Zero or more.");
    }
        = TimeSpan.FromSeconds(30);

    /// <summary>
    /// Gets which side moves dead letters. This determines whether <see cref="QueueOptions.DeadLetterQueue"/> is among the queue's arguments, which
    /// its first declaration fixes for all handles.
    /// </summary>
    /// <value>Default <see cref="RabbitMqDeadLetters.ByQueue"/>.</value>
    public RabbitMqDeadLetters DeadLetters
    {
        get;
        init => field = QueueChecks.Defined(value, nameof(DeadLetters));
    }

    /// <summary>
    /// Gets the user and password for addresses without one, so that no address contains them. They are read for every connection, so a password may
    /// be replaced while queues are open.
    /// </summary>
    /// <value>Default null: <c>guest</c> and <c>guest</c>, which a broker accepts only from its own machine.</value>
    public NetworkCredential? Credentials { get; init; }

    /// <summary>
    /// Gets the client certificates, with private keys, for <c>amqps</c> brokers that request one: the first whose issuer the broker names is sent,
    /// otherwise the first.
    /// </summary>
    /// <value>Default null: no certificate.</value>
    public X509Certificate2Collection? ClientCertificates { get; init; }

    /// <summary>Gets whether to authenticate with the client certificate (SASL EXTERNAL) instead of a user and password.</summary>
    /// <value>Default false. The broker needs the plugin <c>rabbitmq_auth_mechanism_ssl</c>.</value>
    public bool AuthenticatesByCertificate { get; init; }

    /// <summary>Gets the trusted root certificates for <c>amqps</c>, for a certificate authority of your own.</summary>
    /// <value>Default null: those of this machine. If set, only these are trusted. The certificate's name, validity period and purpose are checked in
    /// any case.</value>
    public X509Certificate2Collection? TrustedCertificates { get; init; }
}

/// <summary>Defines which side moves the dead letters of RabbitMQ queues.</summary>
public enum RabbitMqDeadLetters
{
    /// <summary>
    /// The broker moves messages that expire or exceed the delivery limit; <see cref="QueueOptions.DeadLetterQueue"/> and <see
    /// cref="QueueOptions.MaxDeliveryCount"/> are arguments of the queue. Opening a handle with dead letters fails if the queue exists without them
    /// or with different ones: use the same options for senders and receivers.
    /// </summary>
    ByQueue = 0,

    /// <summary>
    /// The receiver sends messages passed to <see cref="ReceivedMessage.DeadLetterAsync"/>, and the queue has no arguments for it: any queue can be
    /// opened, regardless of its creator, and each handle can have its own <see cref="QueueOptions.DeadLetterQueue"/>. The broker drops messages that
    /// expire, unless the queue or a policy of the broker (<c>dead-letter-exchange</c>) specifies otherwise; <see
    /// cref="QueueOptions.MaxDeliveryCount"/> is rejected.
    /// </summary>
    ByReceiver = 1,
}

/// <summary>The type of a RabbitMQ queue, which determines how durable a confirmed message is.</summary>
public enum RabbitMqQueueType
{
    /// <summary>On one node. A confirmed message is in its log files, perhaps not yet on disk.</summary>
    Classic = 0,

    /// <summary>Replicated over the nodes of a cluster: a confirmed message is on the disks of a majority. Deliveries are counted.</summary>
    Quorum = 1,
}
