using System;
using System.Collections.Generic;
using System.Threading;
using System.Threading.Tasks;

namespace Formatters.Queues.Tests;

/// <summary>Queues in memory, without transactions, whose opening and sends fail as a test says.</summary>
internal sealed class FlakyQueueProvider : QueueProvider
{
    private readonly MemoryQueueProvider _memory = new();

    /// <summary>Is called before a queue is opened; what it throws is what opening throws.</summary>
    internal Action OnOpen { get; set; } = static () => { };

    /// <summary>Is called before a send; what it throws is what the send throws.</summary>
    internal Action<QueueMessage> OnSend { get; set; } = static _ => { };

    /// <summary>Is called after a send, as if its answer were lost.</summary>
    internal Action<QueueMessage> AfterSend { get; set; } = static _ => { };

    public override IReadOnlyList<string> Schemes { get; } = ["flaky"];

    public override async ValueTask<QueueClient> OpenAsync(QueueAddress address, QueueOptions options, CancellationToken cancellationToken)
    {
        OnOpen();
        return new Queue(this, await _memory.OpenAsync(QueueAddress.Parse("memory:" + address.QueueName), options, cancellationToken));
    }

    private sealed class Queue(FlakyQueueProvider provider, QueueClient queue) : QueueClient
    {
        public override QueueAddress Address => queue.Address;

        public override QueueCapabilities Capabilities => queue.Capabilities with { Features = queue.Capabilities.Features & ~(QueueFeatures.Batches | QueueFeatures.Transactions), IsAtomic = false };

        public override QueueOptions Options => queue.Options;

        protected override async ValueTask SendCoreAsync(QueueMessage message, QueueTransaction? transaction, CancellationToken cancellationToken)
        {
            provider.OnSend(message);
            await queue.SendAsync(message, transaction, cancellationToken);
            provider.AfterSend(message);
        }

        protected override ValueTask<ReceivedMessage?> ReceiveCoreAsync(TimeSpan timeout, QueueTransaction? transaction, CancellationToken cancellationToken) =>
            queue.ReceiveAsync(timeout, transaction, cancellationToken);

        public override ValueTask<long> PurgeAsync(CancellationToken cancellationToken = default) => queue.PurgeAsync(cancellationToken);

        public override ValueTask<long> GetMessageCountAsync(CancellationToken cancellationToken = default) => queue.GetMessageCountAsync(cancellationToken);

        public override ValueTask<long?> GetLockedCountAsync(CancellationToken cancellationToken = default) => queue.GetLockedCountAsync(cancellationToken);

        public override ValueTask<QueueTransaction> BeginTransactionAsync(CancellationToken cancellationToken = default) => throw new NotSupportedException();

        public override ValueTask DisposeAsync() => queue.DisposeAsync();
    }
}
