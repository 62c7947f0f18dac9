namespace Formatters.Bench.Throughput;

/// <summary>The destination of sends: a queue or a topic.</summary>
internal abstract class SendTarget : IAsyncDisposable
{
    internal abstract QueueCapabilities Capabilities { get; }
    internal abstract QueueOptions Options { get; }

    internal abstract ValueTask SendAsync(QueueMessage message, CancellationToken cancellationToken);

    internal abstract ValueTask SendBatchAsync(IReadOnlyList<QueueMessage> messages, CancellationToken cancellationToken);

    public abstract ValueTask DisposeAsync();

    internal static async Task<SendTarget> OpenQueueAsync(QueueConnector connector, string address, QueueOptions options,
        CancellationToken cancellationToken) =>
        new QueueTarget(await connector.OpenAsync(address, options, cancellationToken));

    internal static async Task<SendTarget> OpenTopicAsync(QueueConnector connector, string address, QueueOptions options,
        CancellationToken cancellationToken) =>
        new TopicTarget(await connector.OpenTopicAsync(address, options, cancellationToken));

    private sealed class QueueTarget(QueueClient queue) : SendTarget
    {
        internal override QueueCapabilities Capabilities => queue.Capabilities;
        internal override QueueOptions Options => queue.Options;

        internal override ValueTask SendAsync(QueueMessage message, CancellationToken cancellationToken) =>
            queue.SendAsync(message, null, cancellationToken);

        internal override ValueTask SendBatchAsync(IReadOnlyList<QueueMessage> messages, CancellationToken cancellationToken) =>
            queue.SendBatchAsync(messages, null, cancellationToken);

        public override ValueTask DisposeAsync() => queue.DisposeAsync();
    }

    private sealed class TopicTarget(MessageTopic topic) : SendTarget
    {
        internal override QueueCapabilities Capabilities => topic.Capabilities;
        internal override QueueOptions Options => topic.Options;

        internal override ValueTask SendAsync(QueueMessage message, CancellationToken cancellationToken) =>
            topic.SendAsync(message, null, cancellationToken);

        /// <summary>Topics have no batches: all sends are under way at once.</summary>
        internal override ValueTask SendBatchAsync(IReadOnlyList<QueueMessage> messages, CancellationToken cancellationToken) =>
            new(Task.WhenAll(messages.Select(message => topic.SendAsync(message, null, cancellationToken).AsTask())));

        public override ValueTask DisposeAsync() => topic.DisposeAsync();
    }
}
