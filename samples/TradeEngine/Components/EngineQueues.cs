using System.Collections.Concurrent;

namespace Formatters.TradeEngine.Components;

internal sealed class EngineQueues : IAsyncDisposable
{
    /// <summary>How many messages a broker sends ahead to each handle.</summary>
    private const int Prefetched = 1_000;

    private readonly QueueConnector _connector;
    private readonly string _prefix;
    private readonly QueueOptions _options;
    private readonly ConcurrentDictionary<string, Task<QueueClient>> _responses = new(StringComparer.Ordinal);
    private readonly Dictionary<QueueClient, QueueClient> _counters = [];

    private EngineQueues(QueueConnector connector, string prefix, QueueOptions options, bool isTransactional)
    {
        _prefix = prefix;
        _connector = connector;
        _options = options;
        IsTransactional = isTransactional;
    }

    /// <summary>
    /// Whether what a component receives and sends takes effect together. Else it acknowledges what it has received after all that it has sent is
    /// safe: some messages may come twice.
    /// </summary>
    internal bool IsTransactional { get; }

    /// <summary>The routers receive from these.</summary>
    internal IReadOnlyList<QueueClient> Inbound { get; private init; } = [];

    /// <summary>The drivers' own queues, each of which is transferred to one of <see cref="Inbound"/>; empty: the drivers send to those.</summary>
    internal IReadOnlyList<QueueClient> Outgoing { get; private init; } = [];

    /// <summary>Whether the drivers send in transactions.</summary>
    internal bool AreDriversTransactional { get; private init; }

    /// <summary>From the router to the components.</summary>
    internal IReadOnlyDictionary<MessageType, QueueClient> ByType { get; private init; } = new Dictionary<MessageType, QueueClient>();

    /// <summary>From the components to the sink.</summary>
    internal QueueClient Clearings { get; private init; } = null!;

    /// <summary>Whether the sink receives in transactions.</summary>
    internal bool AreClearingsTransactional { get; private init; }

    /// <summary>The queue of messages that cannot be processed.</summary>
    internal QueueClient Exceptions { get; private init; } = null!;

    /// <summary>All queues within the network, with their names.</summary>
    internal IEnumerable<(string Name, QueueClient Queue)> All =>
        Outgoing.Select((queue, i) => (OutgoingName(i), queue))
            .Concat(Inbound.Select((queue, i) => (InboundName(i), queue)))
            .Concat(ByType.Select(entry => (NameOf(entry.Key), entry.Value)))
            .Append(("cls", Clearings)).Append(("exceptions", Exceptions));

    internal static string InboundName(int number) => string.Create(CultureInfo.InvariantCulture, $"in-{number}");

    internal static string OutgoingName(int number) => string.Create(CultureInfo.InvariantCulture, $"out-{number}");

    internal static string NameOf(MessageType type) => MessageTypes.CodeOf(type).ToLowerInvariant();

    /// <param name="prefix">Where they are: an address that ends where a queue's name begins.</param>
    /// <param name="inboundCount">How many in-bound queues.</param>
    /// <param name="clearings">
    /// The queue of the CLS, if the store sends them itself: transactional, in the store's database. Null: a queue like the others.
    /// </param>
    /// <param name="bundleSize">How many messages a message from the router to a component has at most.</param>
    /// <param name="transfer">Where the drivers' own queues are, likewise; null: they have none.</param>
    internal static async ValueTask<EngineQueues> OpenAsync(QueueConnector connector, string prefix, int inboundCount, string? clearings = null,
        int bundleSize = 1, string? transfer = null, CancellationToken cancellationToken = default)
    {
        bool isTransactional = HasTransactions(prefix);
        QueueOptions options = OptionsOf(isTransactional);
        // What one process fetches ahead the others cannot work on: as many messages, whatever they come in.
        QueueOptions ofBundles = options with { PrefetchCount = Math.Max(8, 2 * Prefetched / bundleSize) };
        var opened = new List<QueueClient>();
        try
        {
            var inbound = new List<QueueClient>();
            var outgoing = new List<QueueClient>();
            for (int i = 0; i < inboundCount; i++)
            {
                inbound.Add(await OpenAsync(InboundName(i)));
                if (transfer is not null)
                    outgoing.Add(await OpenAtAsync(transfer + OutgoingName(i), OptionsOf(HasTransactions(transfer))));
            }

            var byType = new Dictionary<MessageType, QueueClient>();
            foreach (MessageType type in MessageTypes.Inbound)
                byType.Add(type, await OpenAsync(NameOf(type), bundleSize > 1 ? ofBundles : null));
            var queues = new EngineQueues(connector, prefix, options, isTransactional)
            {
                Inbound = inbound,
                Outgoing = outgoing,
                AreDriversTransactional = HasTransactions(transfer ?? prefix),
                ByType = byType,
                Clearings = clearings is null
                    ? await OpenAsync("cls")
                    : await OpenAtAsync(clearings, options with { DeliveryMode = DeliveryMode.Transactional }),
                AreClearingsTransactional = isTransactional || clearings is not null,
                Exceptions = await OpenAsync("exceptions"),
            };
            if (!isTransactional)
            {
                for (int i = 0; i < inboundCount; i++)
                    queues._counters.Add(inbound[i], await OpenAsync(InboundName(i)));
                foreach ((MessageType type, QueueClient queue) in byType)
                    queues._counters.Add(queue, await OpenAsync(NameOf(type)));
            }

            if (transfer is not null && !HasTransactions(transfer))
            {
                for (int i = 0; i < inboundCount; i++)
                    queues._counters.Add(outgoing[i], await OpenAtAsync(transfer + OutgoingName(i), OptionsOf(isTransactional: false)));
            }

            return queues;
        }
        catch
        {
            foreach (QueueClient queue in opened)
                await queue.DisposeAsync();
            throw;
        }

        ValueTask<QueueClient> OpenAsync(string name, QueueOptions? own = null) => OpenAtAsync(prefix + name, own ?? options);

        async ValueTask<QueueClient> OpenAtAsync(string address, QueueOptions own)
        {
            QueueClient queue = await connector.OpenAsync(address, own, cancellationToken);
            opened.Add(queue);
            return queue;
        }
    }

    /// <summary>Atomic transactions where the queue has them; else recoverable messages, each acknowledged.</summary>
    private static bool HasTransactions(string prefix) => prefix.Split(':')[0].ToLowerInvariant() is "memory" or "file" or "postgres" or "postgresql";

    private static QueueOptions OptionsOf(bool isTransactional) => new()
    {
        DeliveryMode = isTransactional ? DeliveryMode.Transactional : DeliveryMode.Recoverable,
        PrefetchCount = Prefetched,
        SendWindow = 4_000,
    };

    /// <summary>
    /// The handle that counts the messages of a queue of <see cref="Inbound"/>, <see cref="Outgoing"/> or <see cref="ByType"/>. A broker is asked
    /// through a handle that receives nothing: one that does has to stop receiving for it. It does not count what receivers have fetched ahead.
    /// </summary>
    internal QueueClient CounterOf(QueueClient queue) => _counters.GetValueOrDefault(queue, queue);

    /// <summary>Opens another queue of the same place.</summary>
    internal ValueTask<QueueClient> OpenOtherAsync(string name, CancellationToken cancellationToken) =>
        _connector.OpenAsync(_prefix + name, _options, cancellationToken);

    /// <summary>Opens the queue that a participant has named for answers; once.</summary>
    internal async ValueTask<QueueClient> OpenResponseAsync(string address) =>
        await _responses.GetOrAdd(address, name => _connector.OpenAsync(name, _options).AsTask());

    public async ValueTask DisposeAsync()
    {
        foreach (QueueClient queue in All.Select(item => item.Queue).Concat(_counters.Values))
            await queue.DisposeAsync();
        foreach (Task<QueueClient> response in _responses.Values)
        {
            if (response.IsCompletedSuccessfully)
                await (await response).DisposeAsync();
        }
    }
}
