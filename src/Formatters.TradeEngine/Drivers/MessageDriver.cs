using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.IO;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using Formatters.Queues;
using Formatters.TradeEngine.Building;
using Formatters.TradeEngine.Components;
using Formatters.TradeEngine.Messages;
using Formatters.TradeEngine.Signing;

namespace Formatters.TradeEngine.Drivers;

/// <summary>Sends a set of messages to the in-bound queues, each with the driver's signature.</summary>
internal sealed class MessageDriver(EngineQueues queues, MessageFormats formats, SigningKey key)
{
    private readonly SignedFormatter<ReadOnlyMemory<byte>> _signatures = SignedBodies.Create(formats, key);
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

    /// <summary>Messages a second at most; null for as many as there can be.</summary>
    internal double? Rate { get; init; }

    /// <summary>Notes when messages are sent; null for nothing.</summary>
    internal LatencyProbe? Probe { get; init; }

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

    /// <summary>Writes and signs a message.</summary>
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
        {
            Probe?.Sending(message.Message.Terms.TradeReference);
            yield return new Outgoing(message.Label, message.MessageId, WriteSigned(message));
        }
    }

    private IEnumerable<Outgoing> ToOutgoing(Stream file)
    {
        foreach (ReadOnlyMemory<byte> body in MessageSetFile.Read(file))
            yield return new Outgoing(MessageSetFile.LabelOf(body.Span), MessageSetFile.MessageIdOf(body.Span), _signatures.Write(body));
    }

    private async Task SendAsync(IEnumerable<Outgoing> messages, CancellationToken cancellationToken)
    {
        var underWay = new Queue<Task>();
        int next = 0;
        long start = Stopwatch.GetTimestamp();
        long handedIn = 0;
        var batch = new List<Outgoing>(BatchSize);
        foreach (Outgoing message in messages)
        {
            batch.Add(message);
            if (batch.Count == BatchSize)
                await FlushAsync();
        }

        if (batch.Count > 0)
            await FlushAsync();
        while (underWay.TryDequeue(out Task? last))
            await last;

        async ValueTask FlushAsync()
        {
            if (underWay.Count == Window)
                await underWay.Dequeue();
            IMessageQueue queue = queues.Inbound[next++ % queues.Inbound.Count];
            if (MaxBacklog > 0)
                await WaitForSpaceAsync(cancellationToken);
            if (Rate is { } rate)
                await Task.Delay(Max(TimeSpan.FromSeconds(handedIn / rate) - Stopwatch.GetElapsedTime(start), TimeSpan.Zero), cancellationToken);
            handedIn += batch.Count;
            underWay.Enqueue(SendBatchAsync(queue, batch.ToArray(), cancellationToken));
            batch.Clear();
        }
    }

    private async Task SendBatchAsync(IMessageQueue queue, Outgoing[] messages, CancellationToken cancellationToken)
    {
        await using WorkBatch batch = await WorkBatch.BeginAsync(queue, queues.IsTransactional, cancellationToken);
        foreach (Outgoing message in messages)
        {
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
        await batch.CompleteAsync(cancellationToken);
        Interlocked.Add(ref _sentBytes, messages.Sum(message => (long)message.Body.Length));
        Interlocked.Add(ref _sent, messages.Length);
    }

    private static TimeSpan Max(TimeSpan a, TimeSpan b) => a > b ? a : b;

    private async ValueTask WaitForSpaceAsync(CancellationToken cancellationToken)
    {
        while (true)
        {
            long count = 0;
            foreach (IMessageQueue queue in queues.Inbound)
                count += await queues.CounterOf(queue).GetMessageCountAsync(cancellationToken);
            if (count <= MaxBacklog)
                return;
            await Task.Delay(10, cancellationToken);
        }
    }

    private readonly record struct Outgoing(string Label, string? MessageId, byte[] Body);
}
