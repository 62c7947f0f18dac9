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

    public override async ValueTask<IMessageQueue> OpenAsync(QueueAddress address, QueueOptions options, CancellationToken cancellationToken) =>
        new GatedQueue(await _memory.OpenAsync(QueueAddress.Parse("memory:" + address.QueueName), options, cancellationToken), message => beforeSend(address.QueueName, message));

    private sealed class GatedQueue(IMessageQueue queue, Func<QueueMessage, Task> beforeSend) : IMessageQueue
    {
        public QueueAddress Address => queue.Address;

        public QueueCapabilities Capabilities => queue.Capabilities;

        public QueueOptions Options => queue.Options;

        public async ValueTask SendAsync(QueueMessage message, QueueTransaction? transaction = null, CancellationToken cancellationToken = default)
        {
            await beforeSend(message);
            await queue.SendAsync(message, transaction, cancellationToken);
        }

        public ValueTask<ReceivedMessage?> ReceiveAsync(TimeSpan timeout, QueueTransaction? transaction = null, CancellationToken cancellationToken = default) =>
            queue.ReceiveAsync(timeout, transaction, cancellationToken);

        public ValueTask<long> PurgeAsync(CancellationToken cancellationToken = default) => queue.PurgeAsync(cancellationToken);

        public ValueTask<long> GetMessageCountAsync(CancellationToken cancellationToken = default) => queue.GetMessageCountAsync(cancellationToken);

        public ValueTask<long?> GetLockedCountAsync(CancellationToken cancellationToken = default) => queue.GetLockedCountAsync(cancellationToken);

        public ValueTask<QueueTransaction> BeginTransactionAsync(CancellationToken cancellationToken = default) => queue.BeginTransactionAsync(cancellationToken);

        public ValueTask DisposeAsync() => queue.DisposeAsync();
    }
}
