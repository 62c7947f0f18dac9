namespace Formatters.Bench.Senders;

/// <summary>The deliveries of the study.</summary>
internal enum SendersMode
{
    /// <summary>In memory.</summary>
    Express,

    /// <summary>On disk before the send completes.</summary>
    Recoverable,

    /// <summary>In transactions of the queue's own.</summary>
    Internal,

    /// <summary>In transactions over the queue and a database: what DTC was for.</summary>
    External,
}

internal static class SendersModes
{
    internal static string NameOf(SendersMode mode) => mode.ToString().ToLowerInvariant();

    internal static DeliveryMode DeliveryOf(SendersMode mode) => mode switch
    {
        SendersMode.Express => DeliveryMode.Express,
        SendersMode.Recoverable => DeliveryMode.Recoverable,
        _ => DeliveryMode.Transactional,
    };
}
