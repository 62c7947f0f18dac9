using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;

namespace Formatters.Queues;

/// <summary>Opens queues by address, choosing the provider by the scheme.</summary>
/// <example><code>
/// var connector = new QueueConnector(new MemoryQueueProvider(), new RabbitMqQueueProvider());
/// await using IMessageQueue queue = await connector.OpenAsync("amqp://localhost/orders");
/// </code></example>
public sealed class QueueConnector
{
    private readonly Dictionary<string, QueueProvider> _providers = new(StringComparer.OrdinalIgnoreCase);

    /// <summary>Makes a connector.</summary>
    /// <param name="providers">The kinds of queues it opens.</param>
    /// <exception cref="ArgumentNullException"><paramref name="providers"/> is null.</exception>
    /// <exception cref="ArgumentException">Two providers have the same scheme.</exception>
    public QueueConnector(params QueueProvider[] providers)
    {
        ArgumentNullException.ThrowIfNull(providers);
        foreach (QueueProvider provider in providers)
        {
            foreach (string scheme in provider.Schemes)
            {
                if (!_providers.TryAdd(scheme, provider))
                    throw new ArgumentException($"Two providers open '{scheme}:'.", nameof(providers));
            }
        }
    }

    /// <summary>Opens the queue, or the queues, of an address.</summary>
    /// <param name="address">
    /// One address, or several separated by commas (<c>memory:a,memory:b</c>; a part without a scheme is a further queue at the place of the first:
    /// <c>amqp://localhost/a,b</c>). Several give one queue that sends every message to each of them, its body made once, and does not receive.
    /// </param>
    /// <param name="options">How; null means <see cref="QueueOptions.Default"/>.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <returns>The open queue; dispose it.</returns>
    /// <exception cref="FormatException">The address is none.</exception>
    /// <exception cref="NotSupportedException">No provider opens its scheme.</exception>
    /// <exception cref="QueueException">A queue cannot be opened.</exception>
    public ValueTask<IMessageQueue> OpenAsync(string address, QueueOptions? options = null, CancellationToken cancellationToken = default) =>
        throw new NotSupportedException();
}
