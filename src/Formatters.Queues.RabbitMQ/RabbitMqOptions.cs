using System;
using System.Net;
using System.Security.Cryptography.X509Certificates;

namespace Formatters.Queues.RabbitMQ;

/// <summary>How the queues of a provider are declared at the broker, and how the broker is reached.</summary>
public sealed record RabbitMqOptions
{
    /// <summary>Classic queues without priorities; the user is that of the address.</summary>
    public static RabbitMqOptions Default { get; } = new();

    /// <summary>The type of queues that are created; one that exists is opened as it is.</summary>
    /// <value>Default <see cref="RabbitMqQueueType.Classic"/>.</value>
    public RabbitMqQueueType QueueType { get; init; }

    /// <summary>Whether classic queues are created with the ten priorities of messages (<c>x-max-priority</c>); each costs the broker memory and
    /// work.</summary>
    /// <value>Default false. Quorum queues of RabbitMQ 3 have no priorities.</value>
    public bool HasPriorities { get; init; }

    /// <summary>The broker's management interface (the plugin <c>rabbitmq_management</c>), from which <see cref="QueueProvider.ListAsync"/> gets the names of
    /// queues and the number of locked messages.</summary>
    /// <value>
    /// Default null: only AMQP is used, which reports how many messages wait in a queue that is named, and nothing else. Example:
    /// <c>http://localhost:15672</c>; user and password are those of the address or of <see cref="Credentials"/>.
    /// </value>
    /// <exception cref="ArgumentException">The address is not an absolute HTTP address.</exception>
    public Uri? ManagementAddress
    {
        get;
        init => field = value is null or { IsAbsoluteUri: true, Scheme: "http" or "https" } ? value : throw new ArgumentException("An absolute address of HTTP, or null.", nameof(ManagementAddress));
    }

    /// <summary>How long an operation that finds the connection lost tries to connect again before it fails.</summary>
    /// <value>Default 30 seconds; zero: it fails at once, and so do all later ones.</value>
    /// <exception cref="ArgumentOutOfRangeException">The value is negative.</exception>
    public TimeSpan ReconnectTimeout
    {
        get;
        init => field = value >= TimeSpan.Zero ? value : throw new ArgumentOutOfRangeException(nameof(ReconnectTimeout), value, "Zero or more.");
    }
        = TimeSpan.FromSeconds(30);

    /// <summary>Who moves dead letters. This decides whether <see cref="QueueOptions.DeadLetterQueue"/> is among the arguments of the queue, which its first
    /// declaration fixes for all.</summary>
    /// <value>Default <see cref="RabbitMqDeadLetters.ByQueue"/>.</value>
    public RabbitMqDeadLetters DeadLetters { get; init; }

    /// <summary>User and password for addresses that name none, so that no address contains them. Read for every connection: a password may be replaced while
    /// queues are open.</summary>
    /// <value>Default null: <c>guest</c> and <c>guest</c>, which a broker accepts only from its own machine.</value>
    public NetworkCredential? Credentials { get; init; }

    /// <summary>The certificates, with private keys, from which one is sent to a broker that asks for it over <c>amqps</c>: the first whose issuer the broker
    /// names, otherwise the first.</summary>
    /// <value>Default null: none.</value>
    public X509Certificate2Collection? ClientCertificates { get; init; }

    /// <summary>Whether the client certificate is the user (SASL EXTERNAL), instead of a user and a password.</summary>
    /// <value>Default false. The broker needs the plugin <c>rabbitmq_auth_mechanism_ssl</c>.</value>
    public bool AuthenticatesByCertificate { get; init; }

    /// <summary>The root certificates to which a broker's certificate over <c>amqps</c> must chain, for a certificate authority of your own.</summary>
    /// <value>Default null: those of this machine. With a value, only these are trusted. The certificate's name, period and purpose are checked in any
    /// case.</value>
    public X509Certificate2Collection? TrustedCertificates { get; init; }
}

/// <summary>Who moves dead letters of RabbitMQ's queues.</summary>
public enum RabbitMqDeadLetters
{
    /// <summary>
    /// The broker moves those that expire or come back too often; <see cref="QueueOptions.DeadLetterQueue"/> and <see cref="QueueOptions.MaxDeliveryCount"/>
    /// are arguments of the queue. A handle that asks for dead letters, and finds a queue without them or with other ones, is rejected: use the same options
    /// for senders and receivers.
    /// </summary>
    ByQueue = 0,

    /// <summary>
    /// The receiver sends those of <see cref="ReceivedMessage.DeadLetterAsync"/>, and the queue has no arguments for it: any queue may be opened, no matter
    /// who created it, and each handle may have another <see cref="QueueOptions.DeadLetterQueue"/>. Messages that expire are dropped by the broker, unless
    /// the queue or a policy of the broker (<c>dead-letter-exchange</c>) says otherwise; <see cref="QueueOptions.MaxDeliveryCount"/> is rejected.
    /// </summary>
    ByReceiver = 1,
}

/// <summary>The types of RabbitMQ's queues.</summary>
public enum RabbitMqQueueType
{
    /// <summary>On one node. A confirmed message is in its log files, perhaps not yet on the disk.</summary>
    Classic = 0,

    /// <summary>Replicated over the nodes of a cluster: a confirmed message is on the disks of most of them. Deliveries are counted.</summary>
    Quorum = 1,
}
