using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;

namespace Formatters.Queues;

/// <summary>Opens queues by address, choosing the provider by the scheme.</summary>
/// <remarks>Opened queues are traced and measured: see <see cref="QueueTelemetry"/>. Queues that a provider opens itself are not.</remarks>
/// <example><code>
/// var connector = new QueueConnector(new MemoryQueueProvider(), new RabbitMqQueueProvider());
/// await using QueueClient queue = await connector.OpenAsync("amqp://localhost/orders");
/// </code></example>
public sealed class QueueConnector
{
    private readonly Dictionary<string, QueueProvider> _providers = new(StringComparer.OrdinalIgnoreCase);

    /// <summary>Creates a connector that opens queues by the schemes of providers.</summary>
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
    /// <param name="address"> One address, or several separated by commas (<c>memory:a,memory:b</c>; a part without a scheme is a further queue at
    /// the location of the first: <c>amqp://localhost/a,b</c>). Several addresses give one queue that sends every message to each of them, writes the
    /// body once, and cannot receive. </param>
    /// <param name="options">The options; null means <see cref="QueueOptions.Default"/>.</param>
    /// <param name="cancellationToken">Cancels the wait.</param>
    /// <returns>The open queue; dispose it.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="address"/> is null.</exception>
    /// <exception cref="FormatException">The address is not valid.</exception>
    /// <exception cref="NotSupportedException">No provider opens its scheme.</exception>
    /// <exception cref="QueueException">A queue cannot be opened; none stays open then.</exception>
    public ValueTask<QueueClient> OpenAsync(string address, QueueOptions? options = null, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(address);
        IReadOnlyList<QueueAddress> addresses = QueueAddress.ParseList(address);
        options ??= QueueOptions.Default;
        return ObserveAsync(
            addresses.Count == 1
                ? FindProvider(addresses[0]).OpenAsync(addresses[0], options, cancellationToken)
                : OpenAllAsync(addresses, options, cancellationToken));

        static async ValueTask<QueueClient> ObserveAsync(ValueTask<QueueClient> open) => (await open.ConfigureAwait(false)).Observe();
    }

    /// <summary>Opens a topic with the provider of its address's scheme.</summary>
    /// <param name="address">The address of one topic.</param>
    /// <param name="options">The options; null means <see cref="QueueOptions.Default"/>.</param>
    /// <param name="cancellationToken">Cancels the wait.</param>
    /// <returns>The open topic; dispose it.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="address"/> is null.</exception>
    /// <exception cref="FormatException">The address is not valid.</exception>
    /// <exception cref="NotSupportedException">No provider opens its scheme, or the provider has no topics.</exception>
    /// <exception cref="QueueException">The topic cannot be opened.</exception>
    public ValueTask<MessageTopic> OpenTopicAsync(string address, QueueOptions? options = null, CancellationToken cancellationToken = default)
    {
        QueueAddress one = QueueAddress.Parse(address);
        return ObserveAsync(FindProvider(one).OpenTopicAsync(one, options ?? QueueOptions.Default, cancellationToken));

        static async ValueTask<MessageTopic> ObserveAsync(ValueTask<MessageTopic> open) => new ObservedTopic(await open.ConfigureAwait(false));
    }

    /// <summary>Deletes the queue, or the queues, of an address, and the messages in them.</summary>
    /// <param name="address">One address, or several separated by commas, as for <see cref="OpenAsync"/>.</param>
    /// <param name="cancellationToken">Cancels the wait.</param>
    /// <returns>How many of the queues existed.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="address"/> is null.</exception>
    /// <exception cref="FormatException">The address is not valid.</exception>
    /// <exception cref="NotSupportedException">No provider opens its scheme, or the provider does not delete.</exception>
    /// <exception cref="QueueException">A queue's location cannot be reached, or refused.</exception>
    public async ValueTask<int> DeleteAsync(string address, CancellationToken cancellationToken = default)
    {
        int deleted = 0;
        foreach (QueueAddress one in QueueAddress.ParseList(address))
        {
            if (await FindProvider(one).DeleteAsync(one, cancellationToken).ConfigureAwait(false))
                deleted++;
        }

        return deleted;
    }

    /// <summary>Lists the queues of one or several locations with the number of waiting and locked messages and the age of the oldest.</summary>
    /// <param name="address"> One address, or several separated by commas. Each is the address of a location (<c>memory:</c>, <c>file:folder/</c>,
    /// <c>postgres://host/database/</c>, <c>amqp://host/</c>) or of one queue. </param>
    /// <param name="cancellationToken">Cancels the wait.</param>
    /// <returns>The queues, in the order of the addresses, and by name within a location. A queue that does not exist is omitted; none is
    /// created.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="address"/> is null.</exception>
    /// <exception cref="FormatException">The address is not valid.</exception>
    /// <exception cref="NotSupportedException">No provider opens its scheme, or its queues cannot be listed: a location of RabbitMQ can be listed
    /// only by its management interface.</exception>
    /// <exception cref="QueueException">A location cannot be reached, does not exist, or refused.</exception>
    public async ValueTask<IReadOnlyList<QueueStatus>> ListAsync(string address, CancellationToken cancellationToken = default)
    {
        var all = new List<QueueStatus>();
        foreach (QueueAddress one in QueueAddress.ParseList(address))
            all.AddRange(await ListOneAsync(one, cancellationToken).ConfigureAwait(false));
        return all;
    }

    /// <summary>Lists the queues of one location, or one queue.</summary>
    internal ValueTask<IReadOnlyList<QueueStatus>> ListOneAsync(QueueAddress address, CancellationToken cancellationToken) =>
        FindProvider(address).ListAsync(address, cancellationToken);

    /// <summary>Opens one queue.</summary>
    internal ValueTask<QueueClient> OpenOneAsync(QueueAddress address, QueueOptions options, CancellationToken cancellationToken)
    {
        return ObserveAsync(FindProvider(address).OpenAsync(address, options, cancellationToken));

        static async ValueTask<QueueClient> ObserveAsync(ValueTask<QueueClient> open) => (await open.ConfigureAwait(false)).Observe();
    }

    /// <summary>Starts to poll queues and publishes their status as the gauges of <see cref="QueueTelemetry"/>.</summary>
    /// <param name="address">The locations or queues, as for <see cref="ListAsync"/>.</param>
    /// <param name="interval">The time between two polls: at least one second. The cost of a poll depends on the queue: a database counts
    /// rows.</param>
    /// <returns>The monitor; its first look has begun. Dispose it.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="address"/> is null.</exception>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="interval"/> is less than a second.</exception>
    /// <exception cref="FormatException">The address is not valid.</exception>
    /// <exception cref="NotSupportedException">No provider opens its scheme.</exception>
    public QueueMonitor StartMonitor(string address, TimeSpan interval)
    {
        IReadOnlyList<QueueAddress> addresses = QueueAddress.ParseList(address);
        if (interval < TimeSpan.FromSeconds(1))
            throw new ArgumentOutOfRangeException(nameof(interval), interval, "At least one second.");
        return new QueueMonitor([.. addresses.Select(one => (one, FindProvider(one)))], interval.AtMost(QueueTimes.LongestWait));
    }

    private async ValueTask<QueueClient> OpenAllAsync(IReadOnlyList<QueueAddress> addresses, QueueOptions options,
        CancellationToken cancellationToken)
    {
        QueueProvider[] providers = addresses.Select(FindProvider).ToArray();
        var queues = new List<QueueClient>(addresses.Count);
        try
        {
            for (int i = 0; i < addresses.Count; i++)
                queues.Add(await providers[i].OpenAsync(addresses[i], options, cancellationToken).ConfigureAwait(false));
        }
        catch
        {
            foreach (QueueClient queue in queues)
                await queue.DisposeAsync().ConfigureAwait(false);
            throw;
        }

        // By default each is as reliable as possible; combined they guarantee what the least reliable does.
        options = options with { DeliveryMode = queues.Min(queue => queue.Options.DeliveryMode) };
        var all = new QueueAddress(addresses);
        bool hasOneProvider = providers.Distinct().Count() == 1;
        return (hasOneProvider ? providers[0].TryCombine(all, options, queues) : null) ?? new MulticastQueue(all, options, queues, hasOneProvider);
    }

    /// <summary>Finds the provider that opens an address.</summary>
    /// <exception cref="NotSupportedException">There is no such provider.</exception>
    internal QueueProvider FindProvider(QueueAddress address)
    {
        if (_providers.TryGetValue(address.Scheme, out QueueProvider? provider))
            return provider;
#if !NET
        if (address.Uri.IsFile)
            throw new NotSupportedException(
                $"'{address}': queues in a folder need .NET; this is the library's build for netstandard2.0, which does not support them.");
#endif
        throw new NotSupportedException(
            $"No provider opens '{address.Scheme}:' addresses. Known here: "
            + (_providers.Count == 0
                ? "none, since the QueueConnector was created without providers"
                : string.Join(", ", _providers.Keys.Order().Select(scheme => scheme + ":")))
            + (address.Scheme == MsmqName.Scheme
                ? ". Queues of MSMQ are opened by a program for .NET Framework with MsmqQueueProvider (package Formatters.Msmq)." : ""));
    }
}
