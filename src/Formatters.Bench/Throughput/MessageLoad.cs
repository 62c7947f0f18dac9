using System.Buffers.Binary;
using Formatters.Buffers;

namespace Formatters.Bench.Throughput;

/// <summary>The identity of a message in a run.</summary>
/// <param name="Number">From 0 on, over all senders.</param>
/// <param name="DueTimestamp">When it was to be sent, by the run's clock; 0 where there is no rate.</param>
internal readonly record struct MessageStamp(long Number, long DueTimestamp);

/// <summary>The messages of a run: creates them, and recognises and checks them at the other end. One instance serves all threads.</summary>
internal abstract class MessageLoad
{
    /// <summary>The length of a body in bytes.</summary>
    internal abstract int ByteCount { get; }

    /// <summary>The kind of the bodies, for the report.</summary>
    internal abstract string Description { get; }

    /// <summary>Gets whether messages carry their numbers: bodies of a few bytes have no space for it, and are only counted.</summary>
    internal abstract bool IsNumbered { get; }

    /// <summary>Makes a message that is sent over and over.</summary>
    internal abstract LoadMessage CreateMessage();

    /// <summary>Recognises and reads a message.</summary>
    /// <returns>What it is; null if it is not of this run.</returns>
    /// <exception cref="VerificationException">Its content is not what was sent.</exception>
    /// <exception cref="MessageFormatException">The body cannot be read.</exception>
    internal abstract MessageStamp? Read(ReceivedMessage message);

    /// <exception cref="UsageException">There is no such formatter.</exception>
    internal static MessageLoad Create(ThroughputOptions options) => options.Own is { } own
        ? new FormatterLoad(own, $"samples of your own by {own.Name}")
        : options.Formatter is { } name
        ? new FormatterLoad(Payloads.CreateOrder(OrderFormatterRows.Select([name], options.Libraries)[0], options.LineItems),
            $"orders of {options.LineItems} items by {name}")
        : new ByteLoad(options.ByteCount);
}

/// <summary>A message that is sent over and over, each time as another one.</summary>
internal abstract class LoadMessage(QueueMessage message) : IDisposable
{
    internal QueueMessage Message { get; } = message;

    /// <summary>Makes it the message of a number; no send of it may be under way.</summary>
    internal abstract void Stamp(MessageStamp stamp);

    public virtual void Dispose()
    {
    }
}

/// <summary>Random bytes; the first ones say which run, which message, and when it was due.</summary>
internal sealed class ByteLoad(int byteCount) : MessageLoad
{
    /// <summary>The run, the number and the timestamp.</summary>
    internal const int StampByteCount = 3 * sizeof(long);

    private readonly long _run = Random.Shared.NextInt64();

    internal override int ByteCount => byteCount;
    internal override string Description => "random bytes";
    internal override bool IsNumbered => byteCount >= StampByteCount;

    internal override LoadMessage CreateMessage()
    {
        byte[] body = new byte[byteCount];
        Random.Shared.NextBytes(body);
        return new ByteMessage(this, body);
    }

    internal override MessageStamp? Read(ReceivedMessage message)
    {
        if (message.Body.ByteCount != byteCount)
            return null;
        if (!IsNumbered)
            return new MessageStamp(-1, 0);
        Span<byte> stamp = stackalloc byte[StampByteCount];
        System.Buffers.BuffersExtensions.CopyTo(message.Body.Bytes.Slice(0, StampByteCount), stamp);
        return BinaryPrimitives.ReadInt64LittleEndian(stamp) == _run
            ? new MessageStamp(BinaryPrimitives.ReadInt64LittleEndian(stamp[sizeof(long)..]),
                BinaryPrimitives.ReadInt64LittleEndian(stamp[(2 * sizeof(long))..]))
            : null;
    }

    private sealed class ByteMessage(ByteLoad load, byte[] body) : LoadMessage(new QueueMessage(new MessageBody(body)))
    {
        internal override void Stamp(MessageStamp stamp)
        {
            if (!load.IsNumbered)
                return;
            BinaryPrimitives.WriteInt64LittleEndian(body, load._run);
            BinaryPrimitives.WriteInt64LittleEndian(body.AsSpan(sizeof(long)), stamp.Number);
            BinaryPrimitives.WriteInt64LittleEndian(body.AsSpan(2 * sizeof(long)), stamp.DueTimestamp);
        }
    }
}

/// <summary>Objects by a formatter, written for each message and read from each; the label says which message it is.</summary>
internal sealed class FormatterLoad(Payload payload, string description) : MessageLoad
{
    private const int MaxIndex = (1 << 30) - 1;

    private readonly string _run = Random.Shared.Next().ToString(CultureInfo.InvariantCulture) + ":";

    internal override int ByteCount => payload.BodyByteCount;
    internal override string Description => description;
    internal override bool IsNumbered => true;

    internal override LoadMessage CreateMessage() => new FormattedMessage(this);

    internal override MessageStamp? Read(ReceivedMessage message)
    {
        if (message.Label is not { } label || !label.StartsWith(_run, StringComparison.Ordinal))
            return null;
        ReadOnlySpan<char> text = label.AsSpan(_run.Length);
        int colon = text.IndexOf(':');
        var stamp =
            new MessageStamp(long.Parse(text[..colon], CultureInfo.InvariantCulture), long.Parse(text[(colon + 1)..], CultureInfo.InvariantCulture));
        payload.Read((int)(stamp.Number & MaxIndex), message.Body, wholeContent: false);
        return stamp;
    }

    private sealed class FormattedMessage(FormatterLoad load) : LoadMessage(new QueueMessage())
    {
        private readonly PooledBufferWriter _buffer = new(load.ByteCount);

        internal override void Stamp(MessageStamp stamp)
        {
            _buffer.Clear();
            load.Write(stamp, _buffer, Message);
        }

        public override void Dispose()
        {
            _buffer.Dispose();
            base.Dispose();
        }
    }

    private void Write(MessageStamp stamp, PooledBufferWriter buffer, QueueMessage message)
    {
        payload.Write((int)(stamp.Number & MaxIndex), buffer, message.Body);
        message.Label = string.Create(CultureInfo.InvariantCulture, $"{_run}{stamp.Number}:{stamp.DueTimestamp}");
    }
}
