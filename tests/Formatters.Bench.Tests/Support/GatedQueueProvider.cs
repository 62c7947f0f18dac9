using System;
using System.Collections.Generic;
using System.Threading;
using System.Threading.Tasks;
using Formatters.Queues;

namespace Formatters.Bench.Tests.Support;

/// <summary>Queues <c>gated:name</c> in memory, whose sends do what a test says before they are made.</summary>
/// <param name="beforeSend">Is given the queue's name and the message; what it throws the send throws.</param>
internal sealed class GatedQueueProvider(Func<string, QueueMessage, Task> beforeSend) : QueueProvider
{
    private readonly MemoryQueueProvider _memory = new();

    public override IReadOnlyList<string> Schemes { get; } = ["gated"];

    public override async ValueTask<QueueClient> OpenAsync(QueueAddress address, QueueOptions options, CancellationToken cancellationToken) =>
        new GatedQueue(await _memory.OpenAsync(QueueAddress.Parse("memory:" + address.QueueName), options, cancellationToken), message => beforeSend(address.QueueName, message));

    private sealed class GatedQueue(QueueClient queue, Func<QueueMessage, Task> beforeSend) : QueueClient
    {
        public override QueueAddress Address => queue.Address;

        public override QueueCapabilities Capabilities => queue.Capabilities;

        public override QueueOptions Options => queue.Options;

        protected override async ValueTask SendCoreAsync(QueueMessage message, QueueTransaction? transaction, CancellationToken cancellationToken)
        {
            await beforeSend(message);
            await queue.SendAsync(message, transaction, cancellationToken);
        }

        protected override ValueTask<ReceivedMessage?> ReceiveCoreAsync(TimeSpan timeout, QueueTransaction? transaction, CancellationToken cancellationToken) =>
            queue.ReceiveAsync(timeout, transaction, cancellationToken);

        public override ValueTask<long> PurgeAsync(CancellationToken cancellationToken = default) => queue.PurgeAsync(cancellationToken);

        public override ValueTask<long> GetMessageCountAsync(CancellationToken cancellationToken = default) => queue.GetMessageCountAsync(cancellationToken);

        public override ValueTask<long?> GetLockedCountAsync(CancellationToken cancellationToken = default) => queue.GetLockedCountAsync(cancellationToken);

        public override ValueTask<QueueTransaction> BeginTransactionAsync(CancellationToken cancellationToken = default) => queue.BeginTransactionAsync(cancellationToken);

        public override ValueTask DisposeAsync() => queue.DisposeAsync();
    }
}
