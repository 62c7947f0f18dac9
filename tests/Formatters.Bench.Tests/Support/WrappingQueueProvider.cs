using System;
using System.Collections.Generic;
using System.Threading;
using System.Threading.Tasks;
using Formatters.Queues;

namespace Formatters.Bench.Tests.Support;

/// <summary>Queues in memory under another scheme, whose operations can be something else.</summary>
internal abstract class WrappingQueueProvider(string scheme) : QueueProvider
{
    private readonly MemoryQueueProvider _memory = new();

    public override IReadOnlyList<string> Schemes { get; } = [scheme];

    /// <summary>What the queues say of themselves.</summary>
    protected virtual QueueCapabilities Describe(QueueCapabilities capabilities) => capabilities;

    public override async ValueTask<QueueClient> OpenAsync(QueueAddress address, QueueOptions options, CancellationToken cancellationToken)
    {
        // In memory there are no recoverable messages: these pretend.
        QueueOptions inner = options.DeliveryMode == DeliveryMode.Recoverable ? options with { DeliveryMode = DeliveryMode.Express } : options;
        QueueClient queue = await _memory.OpenAsync(QueueAddress.Parse("memory:" + address.QueueName), inner, cancellationToken);
        return new Wrapped(this, queue, address, options with { DeliveryMode = options.DeliveryMode ?? DeliveryMode.Express });
    }

    public override ValueTask<bool> DeleteAsync(QueueAddress address, CancellationToken cancellationToken = default) =>
        _memory.DeleteAsync(QueueAddress.Parse("memory:" + address.QueueName), cancellationToken);

    public override ValueTask<IReadOnlyList<QueueStatus>> ListAsync(QueueAddress address, CancellationToken cancellationToken = default) =>
        _memory.ListAsync(QueueAddress.Parse("memory:" + address.QueueName), cancellationToken);

    protected virtual ValueTask SendAsync(QueueClient queue, QueueMessage message, QueueTransaction? transaction, CancellationToken cancellationToken) =>
        queue.SendAsync(message, transaction, cancellationToken);

    protected virtual ValueTask<ReceivedMessage?> ReceiveAsync(QueueClient queue, TimeSpan timeout, QueueTransaction? transaction, CancellationToken cancellationToken) =>
        queue.ReceiveAsync(timeout, transaction, cancellationToken);

    protected virtual ValueTask<long> CountAsync(QueueClient queue, CancellationToken cancellationToken) => queue.GetMessageCountAsync(cancellationToken);

    protected virtual ValueTask<long> PurgeAsync(QueueClient queue, CancellationToken cancellationToken) => queue.PurgeAsync(cancellationToken);

    private sealed class Wrapped(WrappingQueueProvider provider, QueueClient queue, QueueAddress address, QueueOptions options) : QueueClient
    {
        public override QueueAddress Address => address;

        public override QueueCapabilities Capabilities => provider.Describe(queue.Capabilities with { IsRecoverable = options.DeliveryMode == DeliveryMode.Recoverable });

        public override QueueOptions Options => options;

        protected override ValueTask SendCoreAsync(QueueMessage message, QueueTransaction? transaction, CancellationToken cancellationToken) =>
            provider.SendAsync(queue, message, transaction, cancellationToken);

        protected override ValueTask<ReceivedMessage?> ReceiveCoreAsync(TimeSpan timeout, QueueTransaction? transaction, CancellationToken cancellationToken) =>
            provider.ReceiveAsync(queue, timeout, transaction, cancellationToken);

        public override ValueTask<long> PurgeAsync(CancellationToken cancellationToken = default) => provider.PurgeAsync(queue, cancellationToken);

        public override ValueTask<long> GetMessageCountAsync(CancellationToken cancellationToken = default) => provider.CountAsync(queue, cancellationToken);

        public override ValueTask<long?> GetLockedCountAsync(CancellationToken cancellationToken = default) => queue.GetLockedCountAsync(cancellationToken);

        public override ValueTask<QueueTransaction> BeginTransactionAsync(CancellationToken cancellationToken = default) => queue.BeginTransactionAsync(cancellationToken);

        public override ValueTask DisposeAsync() => queue.DisposeAsync();
    }
}
