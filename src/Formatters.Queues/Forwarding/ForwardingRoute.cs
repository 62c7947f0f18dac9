using System;
using System.Threading;
using System.Threading.Tasks;

namespace Formatters.Queues;

/// <summary>An open source and target, and the method to move messages between them.</summary>
internal sealed class ForwardingRoute : IAsyncDisposable
{
    /// <summary>The maximum time that a transaction waits for its first message.</summary>
    private static readonly TimeSpan LongestWait = TimeSpan.FromSeconds(5);

    private QueueClient? _source;
    private QueueClient? _target;
#if NET
    private ResourceManager? _database;
    private TransactionCoordinator? _coordinator;
#endif

    private ForwardingRoute()
    {
    }

    internal QueueClient Source => _source!;

    internal QueueClient Target => _target!;

    internal ForwardingGuarantee Guarantee { get; private set; }

    /// <summary>Gets a second handle of the source, to wait for a message without a transaction; null if not needed.</summary>
    private QueueClient? Waiting { get; set; }

    /// <summary>Opens the target, then the source.</summary>
    internal static async Task<ForwardingRoute> OpenAsync(
        QueueConnector connector,
        QueueAddress source,
        QueueAddress target,
        QueueOptions sourceOptions,
        QueueOptions targetOptions,
        ForwarderOptions options,
        CancellationToken cancellationToken)
    {
        var route = new ForwardingRoute();
        try
        {
#if NET
            if (options.Coordination is { } coordination)
            {
                await route.OpenCoordinatedAsync(connector, coordination, source, target, sourceOptions, targetOptions, cancellationToken)
                    .ConfigureAwait(false);
                return route;
            }
#endif
            if (target.WithQueueName(source.QueueName).Equals(source)
                && await route.TryOpenInOnePlaceAsync(connector, source, target, sourceOptions, targetOptions, cancellationToken)
                .ConfigureAwait(false))
                return route;
            route._target = await connector.OpenOneAsync(target, targetOptions, cancellationToken).ConfigureAwait(false);
            route._source = await connector.OpenOneAsync(source, sourceOptions, cancellationToken).ConfigureAwait(false);
            return route;
        }
        catch
        {
            await route.DisposeAsync().ConfigureAwait(false);
            throw;
        }
    }

    /// <summary>Waits until a message is available, if this is possible without a transaction.</summary>
    /// <returns>How long a transaction must wait for its first message.</returns>
    internal async ValueTask<TimeSpan> WaitAsync(bool untilEmpty, CancellationToken cancellationToken)
    {
        if (untilEmpty)
            return TimeSpan.Zero;
        // A database would keep a transaction open all the time.
        if (Waiting is { } waiting && await waiting.ReceiveAsync(Timeout.InfiniteTimeSpan, null, cancellationToken)
            .ConfigureAwait(false) is { } first)
        {
            await waiting.ReturnUnseenAsync([first], CancellationToken.None).ConfigureAwait(false);
            return TimeSpan.Zero;
        }

        return LongestWait;
    }

    internal async ValueTask<QueueTransaction> BeginTransactionAsync(CancellationToken cancellationToken)
    {
#if NET
        if (_coordinator is not null)
            return await _coordinator.BeginTransactionAsync(cancellationToken).ConfigureAwait(false);
#endif
        return await Source.BeginTransactionAsync(cancellationToken).ConfigureAwait(false);
    }

    public async ValueTask DisposeAsync()
    {
        if (Waiting is not null)
            await Waiting.DisposeAsync().ConfigureAwait(false);
        if (_source is not null)
            await _source.DisposeAsync().ConfigureAwait(false);
        if (_target is not null)
            await _target.DisposeAsync().ConfigureAwait(false);
#if NET
        if (_coordinator is not null)
            await _coordinator.DisposeAsync().ConfigureAwait(false);
        if (_database is not null)
            await _database.DisposeAsync().ConfigureAwait(false);
#endif
    }

    /// <summary>Opens both for transactions over both, if their location supports them.</summary>
    private async Task<bool> TryOpenInOnePlaceAsync(
        QueueConnector connector, QueueAddress source, QueueAddress target, QueueOptions sourceOptions, QueueOptions targetOptions,
            CancellationToken cancellationToken)
    {
        try
        {
            _target = await connector.OpenOneAsync(target, targetOptions with { DeliveryMode = DeliveryMode.Transactional }, cancellationToken)
                .ConfigureAwait(false);
            if (_target.Capabilities.IsAtomic && _target.Capabilities.Supports(QueueFeatures.Transactions))
            {
                _source = await connector.OpenOneAsync(source, sourceOptions with { DeliveryMode = DeliveryMode.Transactional }, cancellationToken)
                    .ConfigureAwait(false);
                Guarantee = ForwardingGuarantee.ExactlyOnce;
                return true;
            }
        }
        catch (NotSupportedException)
        {
            // The location does not support transactions.
        }

        if (_target is not null)
            await _target.DisposeAsync().ConfigureAwait(false);
        _target = null;
        return false;
    }

#if NET
    private async Task OpenCoordinatedAsync(
        QueueConnector connector,
        CoordinatedForwarding coordination,
        QueueAddress source,
        QueueAddress target,
        QueueOptions sourceOptions,
        QueueOptions targetOptions,
        CancellationToken cancellationToken)
    {
        if (!source.Uri.IsFile)
            throw new NotSupportedException($"'{source}': with {nameof(ForwarderOptions.Coordination)} the source is a queue in a folder.");
        _database = await coordination.OpenDatabase(cancellationToken).ConfigureAwait(false);
        _coordinator = await coordination.Folders.OpenCoordinatorAsync(
            new Uri(source.Uri, ".").AbsoluteUri.TrimEnd('/'), _database, cancellationToken).ConfigureAwait(false);
        _target = await connector.OpenOneAsync(target, targetOptions with { DeliveryMode = DeliveryMode.Transactional }, cancellationToken)
            .ConfigureAwait(false);
        _source = await connector.OpenOneAsync(source, sourceOptions with { DeliveryMode = DeliveryMode.Transactional }, cancellationToken)
            .ConfigureAwait(false);
        Waiting = await connector.OpenOneAsync(source, sourceOptions, cancellationToken).ConfigureAwait(false);
        if (target.Uri.IsFile || !_target.Capabilities.Supports(QueueFeatures.CoordinatedTransactions))
        {
            throw new NotSupportedException(
                $"'{target}': the target of {nameof(ForwarderOptions.Coordination)} is a queue of a database "
                + $"({nameof(QueueFeatures)}.{QueueFeatures.CoordinatedTransactions}).");
        }

        await EnsureAcceptsTransactionsAsync(_target, cancellationToken).ConfigureAwait(false);
        await EnsureAcceptsTransactionsAsync(_source, cancellationToken).ConfigureAwait(false);
        Guarantee = ForwardingGuarantee.ExactlyOnce;
    }

    /// <summary>Throws if a queue rejects the coordinator's transactions. Otherwise each message would appear to be undeliverable.</summary>
    private async Task EnsureAcceptsTransactionsAsync(QueueClient queue, CancellationToken cancellationToken)
    {
        QueueTransaction transaction = await _coordinator!.BeginTransactionAsync(cancellationToken).ConfigureAwait(false);
        // Rolled back, with the message in it.
        await using (transaction.ConfigureAwait(false))
        {
            try
            {
                await queue.SendUnobservedAsync(new QueueMessage(), transaction, cancellationToken).ConfigureAwait(false);
            }
            catch (ArgumentException e)
            {
                throw new InvalidOperationException(
                    $"'{queue.Address}' does not accept the transactions of {nameof(ForwarderOptions.Coordination)}: the connector opens it with "
                    + $"another provider than {nameof(CoordinatedForwarding.OpenDatabase)} uses, or in another database. {e.Message}",
                    e);
            }
        }
    }
#endif
}
