using Formatters.Buffers;
using Formatters.Envelopes;
using Formatters.TradeEngine.Building;
using Formatters.TradeEngine.Signing;
using Formatters.TradeEngine.StaticData;

namespace Formatters.TradeEngine.Drivers;

/// <summary>Sends a set of messages to the in-bound queues, or to those that are transferred to them, each with the driver's signature.</summary>
/// <remarks>
/// With a <see cref="Rate"/> it is an open loop: messages are due one by one, at the times of a Poisson process that does not wait for the engine,
/// and a batch has only messages that are due. Without one, messages are due when they are sent.
/// </remarks>
internal sealed class MessageDriver(EngineQueues queues, MessageFormats formats, SigningKey key, int seed = 1)
{
    private readonly SignedFormatter<ReadOnlyMemory<byte>> _signatures = SignedBodies.Create(formats, key);
    private SeededRandom _random = new((ulong)seed ^ 0xA221_7A15);
    private long _due;
    private long _sent;
    private long _sentBytes;

    /// <summary>How many messages a transaction has.</summary>
    internal int BatchSize { get; init; } = 256;

    /// <summary>How many batches are sent before the first is answered.</summary>
    internal int Window { get; init; } = 4;

    /// <summary>The driver waits while the in-bound queues hold more messages than this; zero means it never does, as the study's.</summary>
    internal long MaxBacklog { get; init; }

    /// <summary>Where answers go; null for none.</summary>
    internal string? ResponseQueue { get; init; }

    /// <summary>Messages a second that are due, on average; null for as many as there can be.</summary>
    internal double? Rate { get; init; }

    /// <summary>Called for each message before it is sent, with its trade and when it was due (<see cref="Stopwatch.GetTimestamp"/>).</summary>
    internal Action<string, long>? Due { get; set; }

    /// <summary>The bytes of all bodies.</summary>
    internal long SentByteCount => Interlocked.Read(ref _sentBytes);

    /// <summary>Called when a batch is sent, with its number of messages and that of all that are safe in their queues.</summary>
    internal Action<int, long>? Sending { get; set; }

    /// <summary>How many messages are safe in their queues.</summary>
    internal long SentCount => Interlocked.Read(ref _sent);

    /// <summary>Sends messages that a builder makes.</summary>
    internal Task SendAsync(IEnumerable<SetMessage> messages, CancellationToken cancellationToken = default) =>
        SendAsync(ToOutgoing(messages), cancellationToken);

    /// <summary>Sends the messages of a file: XML, whatever the format of the engine must be.</summary>
    /// <exception cref="InvalidDataException">The file ends within a message.</exception>
    internal Task SendAsync(Stream file, CancellationToken cancellationToken = default) => SendAsync(ToOutgoing(file), cancellationToken);

    internal byte[] WriteSigned(in SetMessage message)
    {
        using var body = new PooledBufferWriter();
        formats.Write(body, message.Message);
        ReadOnlyMemory<byte> bytes = body.WrittenMemory;
        byte[] signed = _signatures.Write(message.Defect == Defect.Truncated ? bytes[..(bytes.Length * 3 / 4)] : bytes);
        if (message.Defect == Defect.Signature)
            signed[^1] ^= 1;
        return signed;
    }

    private IEnumerable<Outgoing> ToOutgoing(IEnumerable<SetMessage> messages)
    {
        foreach (SetMessage message in messages)
            yield return new Outgoing(message.Label, message.MessageId, WriteSigned(message), message.Message.Terms.TradeReference);
    }

    private IEnumerable<Outgoing> ToOutgoing(Stream file)
    {
        foreach (ReadOnlyMemory<byte> body in MessageSetFile.Read(file))
            yield return new Outgoing(MessageSetFile.LabelOf(body.Span), MessageSetFile.MessageIdOf(body.Span), _signatures.Write(body), null);
    }

    private async Task SendAsync(IEnumerable<Outgoing> messages, CancellationToken cancellationToken)
    {
        var underWay = new Queue<Task>();
        int next = 0;
        var batch = new List<Outgoing>(BatchSize);
        try
        {
            foreach (Outgoing message in messages)
            {
                if (Rate is { } rate)
                    await WaitUntilDueAsync(rate);
                batch.Add(message with { Due = _due });
                if (batch.Count == BatchSize)
                    await FlushAsync();
            }

            if (batch.Count > 0)
                await FlushAsync();
            while (underWay.TryDequeue(out Task? send))
                await send;
        }
        finally
        {
            // No send is in progress when this returns, however it ends.
            await Task.WhenAll(underWay).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        }

        async ValueTask WaitUntilDueAsync(double rate)
        {
            _due = (_due == 0 ? Stopwatch.GetTimestamp() : _due) + (long)(_random.Exponential() / rate * Stopwatch.Frequency);
            if (_due <= Stopwatch.GetTimestamp())
                return;
            if (batch.Count > 0)
                await FlushAsync();
            // Timers count milliseconds: late rather than early.
            while (Stopwatch.GetElapsedTime(Stopwatch.GetTimestamp(), _due) is { Ticks: > 0 } left)
                await Task.Delay(TimeSpan.FromMilliseconds(Math.Ceiling(left.TotalMilliseconds)), cancellationToken);
        }

        async ValueTask FlushAsync()
        {
            if (underWay.Count == Window)
                await underWay.Dequeue();
            IReadOnlyList<QueueClient> targets = queues.Outgoing.Count > 0 ? queues.Outgoing : queues.Inbound;
            QueueClient queue = targets[next++ % targets.Count];
            if (MaxBacklog > 0)
                await WaitForSpaceAsync(cancellationToken);
            underWay.Enqueue(SendBatchAsync(queue, batch.ToArray(), cancellationToken));
            batch.Clear();
        }
    }

    private async Task SendBatchAsync(QueueClient queue, Outgoing[] messages, CancellationToken cancellationToken)
    {
        long now = Stopwatch.GetTimestamp();
        await using WorkBatch batch = await WorkBatch.BeginAsync(queue, queues.AreDriversTransactional, cancellationToken);
        foreach (Outgoing message in messages)
        {
            if (message.TradeReference is { } trade)
                Due?.Invoke(trade, Rate is null ? now : message.Due);
            batch.Send(
                queue,
                new QueueMessage(new MessageBody(message.Body, _signatures.BodyType, _signatures.ContentType))
                {
                    Label = message.Label,
                    MessageId = message.MessageId,
                    ResponseQueue = ResponseQueue,
                });
        }

        Sending?.Invoke(messages.Length, SentCount);
        await batch.CompleteAsync();
        Interlocked.Add(ref _sentBytes, messages.Sum(message => (long)message.Body.Length));
        Interlocked.Add(ref _sent, messages.Length);
    }

    private async ValueTask WaitForSpaceAsync(CancellationToken cancellationToken)
    {
        while (true)
        {
            long count = 0;
            foreach (QueueClient queue in queues.Inbound.Concat(queues.Outgoing))
                count += await queues.CounterOf(queue).GetMessageCountAsync(cancellationToken);
            if (count <= MaxBacklog)
                return;
            await Task.Delay(10, cancellationToken);
        }
    }

    private readonly record struct Outgoing(string Label, string? MessageId, byte[] Body, string? TradeReference, long Due = 0);
}
