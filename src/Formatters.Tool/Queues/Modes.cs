using System.Threading;
using System.Threading.Tasks;
using Formatters.Queues;
using Formatters.Tools.CommandLine;

namespace Formatters.Tools.Queues;

/// <summary>The delivery modes that a queue offers.</summary>
internal static class Modes
{
    /// <summary>A mode as the option <c>--mode</c> spells it.</summary>
    internal static string NameOf(DeliveryMode mode) => mode.ToString().ToLowerInvariant();

    /// <summary>Returns how queues are opened to be measured: every message leaves on receipt, as in the study.</summary>
    internal static QueueOptions OptionsOf(DeliveryMode mode) => QueueOptions.Fastest with { DeliveryMode = mode };

    /// <summary>Returns what a queue promises in a mode.</summary>
    /// <exception cref="UsageException">The queue does not offer the mode.</exception>
    internal static async Task<QueueCapabilities> RequireAsync(QueueConnector connector, string address, DeliveryMode mode, CancellationToken cancellationToken)
    {
        (QueueCapabilities capabilities, bool isOffered) = await ProbeAsync(connector, address, mode, cancellationToken);
        return isOffered ? capabilities : throw new UsageException($"{NameOf(mode)} messages are not offered by {capabilities.Product}.");
    }

    /// <summary>Determines whether a queue is in this process or in a folder: no server takes part.</summary>
    internal static bool HasNoServer(QueueCapabilities capabilities) => capabilities is { IsInProcess: true } or { Product: "embedded" };

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
        try
        {
            // In that mode first: a queue of MSMQ that does not exist is made for the mode in which it is opened.
            await using QueueClient asked = await connector.OpenAsync(address, OptionsOf(mode), cancellationToken);
            bool isOffered = mode switch
            {
                DeliveryMode.Express => true,
                DeliveryMode.Recoverable => asked.Capabilities.IsRecoverable,
                _ => asked.Capabilities.Supports(QueueFeatures.Transactions),
            };
            if (isOffered)
                return (asked.Capabilities, true);
        }
        catch (QueueException) when (mode != DeliveryMode.Express)
        {
            QueueCapabilities express = await ProbeExpressAsync();
            // It opens as express, and there is no broker that could have failed meanwhile: the mode is what it lacks.
            if (express.IsInProcess)
                return (express, false);
            throw;
        }

        return (await ProbeExpressAsync(), false);

        async Task<QueueCapabilities> ProbeExpressAsync()
        {
            await using QueueClient queue = await connector.OpenAsync(address, QueueOptions.Fastest, cancellationToken);
            return queue.Capabilities;
        }
    }
}
