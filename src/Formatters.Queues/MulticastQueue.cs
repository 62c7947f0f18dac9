using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;

namespace Formatters.Queues;

/// <summary>Several queues combined for sending: every message goes to each of them, with its body written once.</summary>
internal class MulticastQueue : QueueClient
{
    /// <summary>All features except those of receiving and batches, which it does not pass on.</summary>
    private const QueueFeatures SendFeatures = ~(QueueFeatures.Batches | QueueFeatures.AtomicBatches | QueueFeatures.Peek | QueueFeatures.ReceiveById
        | QueueFeatures.Deferral);

    private readonly IReadOnlyList<QueueClient> _queues;

    internal MulticastQueue(QueueAddress address, QueueOptions options, IReadOnlyList<QueueClient> queues, bool hasOneProvider)
    {
        _queues = queues;
        Address = address;
        Options = options;
        Capabilities = new QueueCapabilities
        {
            Product = Join(capabilities => capabilities.Product),
            Durability = Join(capabilities => capabilities.Durability),
            IsRecoverable = All(capabilities => capabilities.IsRecoverable),
            IsAtomic = hasOneProvider && All(capabilities => capabilities.IsAtomic),
            Features = queues.Aggregate(SendFeatures, static (common, queue) => common & queue.Capabilities.Features)
                & (hasOneProvider ? SendFeatures : ~QueueFeatures.Transactions),
            ConnectionsPerReceiver = queues.Sum(static queue => queue.Capabilities.ConnectionsPerReceiver),
            IsInProcess = All(capabilities => capabilities.IsInProcess),
        };

        bool All(Func<QueueCapabilities, bool> has) => queues.All(queue => has(queue.Capabilities));

        string Join(Func<QueueCapabilities, string> part) => string.Join(" + ", queues.Select(queue => part(queue.Capabilities)).Distinct());
    }

    public override QueueAddress Address { get; }

    public override QueueCapabilities Capabilities { get; }

    public override QueueOptions Options { get; }

    protected override async ValueTask SendCoreAsync(QueueMessage message, QueueTransaction? transaction,
        CancellationToken cancellationToken)
    {
        // All are started before the first is awaited, and all are awaited: the body must not be reused before the last send has completed.
        var sends = new Task[_queues.Count];
        for (int i = 0; i < sends.Length; i++)
            sends[i] = SendToAsync(_queues[i]);
        await Task.WhenAll(sends).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);

        Exception[] errors = sends.Where(send => !send.IsCompletedSuccessfully).Select(ErrorOf).ToArray();
        if (errors.Length == 0)
            return;
        // Invalid use and cancellation are the same for all queues, and are rethrown unchanged. Only a queue's own failure can differ.
        if (errors.FirstOrDefault(error => error is not QueueException) is { } other)
            System.Runtime.ExceptionServices.ExceptionDispatchInfo.Throw(other);
        throw new QueueException(
            $"{errors.Length} of {sends.Length} queues did not accept the message, the others did: {errors[0].Message}",
            errors.Length == 1 ? errors[0] : new AggregateException(errors))
        {
            OutcomeUnknown = errors.Any(static error => error is QueueException { OutcomeUnknown: true }),
            IsUnreachable = errors.All(static error => error is QueueException { IsUnreachable: true }),
        };

        async Task SendToAsync(QueueClient queue) => await queue.SendAsync(message, transaction, cancellationToken).ConfigureAwait(false);

        static Exception ErrorOf(Task send) => (Exception?)send.Exception?.InnerException ?? new TaskCanceledException(send);
    }

    protected override ValueTask<ReceivedMessage?> ReceiveCoreAsync(
        TimeSpan timeout, QueueTransaction? transaction, CancellationToken cancellationToken) => throw IsOnlySentTo();

    protected override ValueTask<QueueClient?> AcceptSessionCoreAsync(string? sessionId, TimeSpan timeout, CancellationToken cancellationToken) =>
        throw IsOnlySentTo();

    public override ValueTask<long> PurgeAsync(CancellationToken cancellationToken = default) =>
        SumAsync(queue => queue.PurgeAsync(cancellationToken));

    public override ValueTask<long> GetMessageCountAsync(CancellationToken cancellationToken = default) =>
        SumAsync(queue => queue.GetMessageCountAsync(cancellationToken));

    public override async ValueTask<long?> GetLockedCountAsync(CancellationToken cancellationToken = default)
    {
        long? sum = 0;
        foreach (QueueClient queue in _queues)
            sum += await queue.GetLockedCountAsync(cancellationToken).ConfigureAwait(false);
        return sum;
    }

    public override ValueTask<QueueTransaction> BeginTransactionAsync(CancellationToken cancellationToken = default) =>
        Capabilities.Supports(QueueFeatures.Transactions)
            ? _queues[0].BeginTransactionAsync(cancellationToken)
            : throw new NotSupportedException(
                $"'{Address}' has no common transaction: all its queues must be of one provider and opened with DeliveryMode.Transactional.");

    public override async ValueTask DisposeAsync()
    {
        foreach (QueueClient queue in _queues)
            await queue.DisposeAsync().ConfigureAwait(false);
    }

    private NotSupportedException IsOnlySentTo() =>
        new($"'{Address}' is an address of {_queues.Count} queues, which can only be sent to. Open one of them to receive.");

    private async ValueTask<long> SumAsync(Func<QueueClient, ValueTask<long>> operation)
    {
        long sum = 0;
        foreach (QueueClient queue in _queues)
            sum += await operation(queue).ConfigureAwait(false);
        return sum;
    }
}
