using Formatters.Queues;

namespace Formatters.Bench;

/// <summary>Which kinds of messages a queue offers.</summary>
internal static class Modes
{
    /// <summary>Whether a queue can be opened in a mode, by what it says of itself.</summary>
    internal static bool IsOffered(QueueCapabilities capabilities, DeliveryMode mode) => mode switch
    {
        DeliveryMode.Express => true,
        DeliveryMode.Recoverable => capabilities.IsRecoverable,
        _ => capabilities.HasTransactions,
    };
}
