using System;
using System.Threading;
using System.Threading.Tasks;

namespace Formatters.Queues.Tests;

/// <summary>A decorator with the fewest overrides: batches are sent, received and settled by the default implementations.</summary>
internal sealed class PassingQueue(QueueClient queue, QueueFeatures features) : QueueClient
{
    public override QueueAddress Address => queue.Address;

    public override QueueCapabilities Capabilities { get; } = queue.Capabilities with { Features = features };

    public override QueueOptions Options => queue.Options;

    protected override ValueTask SendCoreAsync(QueueMessage message, QueueTransaction? transaction, CancellationToken cancellationToken) =>
        queue.SendAsync(message, transaction, cancellationToken);

    protected override ValueTask<ReceivedMessage?> ReceiveCoreAsync(TimeSpan timeout, QueueTransaction? transaction, CancellationToken cancellationToken) =>
        queue.ReceiveAsync(timeout, transaction, cancellationToken);

    public override ValueTask<long> PurgeAsync(CancellationToken cancellationToken = default) => queue.PurgeAsync(cancellationToken);

    public override ValueTask<long> GetMessageCountAsync(CancellationToken cancellationToken = default) => queue.GetMessageCountAsync(cancellationToken);

    public override ValueTask<long?> GetLockedCountAsync(CancellationToken cancellationToken = default) => queue.GetLockedCountAsync(cancellationToken);

    public override ValueTask<QueueTransaction> BeginTransactionAsync(CancellationToken cancellationToken = default) => queue.BeginTransactionAsync(cancellationToken);

    public override ValueTask DisposeAsync() => queue.DisposeAsync();
}

/// <summary>Opens queues of this process behind a <see cref="PassingQueue"/>.</summary>
internal sealed class PassingQueueProvider(QueueFeatures features) : QueueProvider
{
    private readonly MemoryQueueProvider _memory = new();

    public override System.Collections.Generic.IReadOnlyList<string> Schemes => _memory.Schemes;

    public override async ValueTask<QueueClient> OpenAsync(QueueAddress address, QueueOptions options, CancellationToken cancellationToken) =>
        new PassingQueue(await _memory.OpenAsync(address, options, cancellationToken), features);
}
