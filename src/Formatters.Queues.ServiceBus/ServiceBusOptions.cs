using System;
using Azure.Core;

namespace Formatters.Queues.ServiceBus;

/// <summary>Settings of a <see cref="ServiceBusQueueProvider"/>: its connections, and the entities that it creates.</summary>
public sealed record ServiceBusOptions
{
    /// <summary>Gets the default options.</summary>
    public static ServiceBusOptions Default { get; } = new();

    /// <summary>
    /// Gets the connection string for addresses without a namespace (<c>servicebus:orders</c>): <c>Endpoint=sb://…;SharedAccessKeyName=…;
    /// SharedAccessKey=…</c>, with or without <c>EntityPath</c>, and with <c>UseDevelopmentEmulator=true</c> for the emulator.
    /// </summary>
    /// <value>Default null. If it has an <c>EntityPath</c>, only that entity can be opened.</value>
    public string? ConnectionString { get; init; }

    /// <summary>Gets the connection string for the administration of entities, if it is another: that of the emulator has another port.</summary>
    /// <value>Default null: that of the messages.</value>
    public string? AdministrationConnectionString { get; init; }

    /// <summary>Gets the credential for addresses of a namespace without a key: <c>sb://orders.servicebus.windows.net/incoming</c>.</summary>
    /// <value>Default null.</value>
    public TokenCredential? Credential { get; init; }

    /// <summary>Gets whether opening creates an entity that does not exist. This needs the claim Manage.</summary>
    /// <value>Default true. False: entities are not looked at, and the first operation fails if there is none.</value>
    public bool CreatesEntities { get; init; } = true;

    /// <summary>Gets how long a received message is locked before its lock is renewed; a setting of an entity that is created.</summary>
    /// <value>
    /// Default 1 minute; from 5 seconds to 5 minutes. The handle renews the locks of its messages. When its process ends without closing it, its
    /// messages are delivered again after this time.
    /// </value>
    public TimeSpan LockDuration
    {
        get;
        init => field = value >= TimeSpan.FromSeconds(5) && value <= TimeSpan.FromMinutes(5)
            ? value
            : throw new ArgumentOutOfRangeException(nameof(LockDuration), value, "From 5 seconds to 5 minutes.");
    }
        = TimeSpan.FromMinutes(1);

    /// <summary>
    /// Gets how long an entity that is created drops messages whose <see cref="QueueMessage.MessageId"/> it has seen. The send of a dropped message
    /// completes without an error.
    /// </summary>
    /// <value>Default null: it drops none. From 20 seconds to 7 days.</value>
    public TimeSpan? DuplicateDetectionWindow
    {
        get;
        init => field = value is null || (value >= TimeSpan.FromSeconds(20) && value <= TimeSpan.FromDays(7))
            ? value
            : throw new ArgumentOutOfRangeException(nameof(DuplicateDetectionWindow), value, "From 20 seconds to 7 days, or null.");
    }

    /// <summary>Gets how long operations try to connect again when the connection is lost.</summary>
    /// <value>Default 30 seconds; zero does not try.</value>
    public TimeSpan ReconnectTimeout
    {
        get;
        init => field = value >= TimeSpan.Zero
            ? value.AtMost(QueueTimes.LongestWait)
            : throw new ArgumentOutOfRangeException(nameof(ReconnectTimeout), value, "Zero or more.");
    }
        = TimeSpan.FromSeconds(30);

    /// <summary>Gets the clock by which leases, and the times at which locks are renewed, are measured.</summary>
    /// <value>Default <see cref="TimeProvider.System"/>. Its monotonic time stamps count: setting the machine's clock ends no lease or lock.</value>
    /// <exception cref="ArgumentNullException">The value is null.</exception>
    public TimeProvider TimeProvider
    {
        get;
        init => field = value ?? throw new ArgumentNullException(nameof(TimeProvider));
    }
        = TimeProvider.System;
}
