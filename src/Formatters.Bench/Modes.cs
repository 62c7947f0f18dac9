using System.Threading;
using System.Threading.Tasks;
using Formatters.Queues;

namespace Formatters.Bench;

/// <summary>Which kinds of messages a queue offers.</summary>
internal static class Modes
{
    /// <summary>A mode as the option <c>--mode</c> spells it.</summary>
    internal static string NameOf(DeliveryMode mode) => mode.ToString().ToLowerInvariant();

    /// <summary>Finds out what a queue promises in a mode.</summary>
    /// <param name="connector">Opens the queue.</param>
    /// <param name="address">One address or several.</param>
    /// <param name="mode">The mode.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <returns>The capabilities in that mode, and whether it is offered; if not, the capabilities are those of express.</returns>
    /// <exception cref="QueueException">The queue cannot be opened at all.</exception>
    internal static async Task<(QueueCapabilities Capabilities, bool IsOffered)> ProbeAsync(
        QueueConnector connector, string address, DeliveryMode mode, CancellationToken cancellationToken)
    {
        QueueCapabilities express;
        await using (IMessageQueue queue = await connector.OpenAsync(address, QueueOptions.Default, cancellationToken))
            express = queue.Capabilities;
        if (mode == DeliveryMode.Express)
            return (express, true);
        try
        {
            await using IMessageQueue asked = await connector.OpenAsync(address, new QueueOptions { DeliveryMode = mode }, cancellationToken);
            bool isOffered = mode == DeliveryMode.Recoverable ? asked.Capabilities.IsRecoverable : asked.Capabilities.HasTransactions;
            return isOffered ? (asked.Capabilities, true) : (express, false);
        }
        catch (QueueException) when (express.IsInProcess)
        {
            // It opens as express, and there is no broker that could have failed meanwhile: the mode is what it lacks.
            return (express, false);
        }
    }
}
