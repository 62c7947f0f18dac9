using Formatters.Buffers;

namespace Formatters.Bench.Measurement;

/// <summary>The payload of one case: writes the bodies, and reads and checks them at the other end.</summary>
/// <remarks>A sequence of a few different values is sent round and round, so that a lost, doubled or misplaced message shows.</remarks>
internal abstract class Payload(string name)
{
    /// <summary>The name in tables and for <c>--payload</c>: <c>string 500</c>, <c>order hand-coded</c>.</summary>
    internal string Name { get; } = name;

    /// <summary>The length of the first value's body in bytes.</summary>
    internal abstract int BodyByteCount { get; }

    /// <param name="index">Which message of the batch, from 0.</param>
    /// <param name="buffer">Receives the bytes; empty before. The body refers to it.</param>
    /// <param name="body">The body to fill.</param>
    internal abstract void Write(int index, PooledBufferWriter buffer, MessageBody body);

    /// <summary>Reads the whole object of one message and checks that it is the one that was sent in its place.</summary>
    /// <param name="index">Which message of the batch, from 0.</param>
    /// <param name="wholeContent">Whether to compare everything rather than the one member that tells the values apart.</param>
    /// <exception cref="VerificationException">It is another.</exception>
    /// <exception cref="MessageFormatException">The body cannot be read.</exception>
    internal abstract void Read(int index, MessageBody body, bool wholeContent);
}

/// <summary>Messages without a body.</summary>
internal sealed class EmptyPayload() : Payload("empty")
{
    internal override int BodyByteCount => 0;

    internal override void Write(int index, PooledBufferWriter buffer, MessageBody body)
    {
    }

    internal override void Read(int index, MessageBody body, bool wholeContent)
    {
        if (body.ByteCount != 0)
            throw new VerificationException(
                string.Create(CultureInfo.InvariantCulture, $"Message {index:N0} has {body.ByteCount:N0} bytes; it was sent empty."));
    }
}

/// <summary>Objects of one type by one formatter.</summary>
internal sealed class Payload<T> : Payload
{
    private readonly MessageFormatter<T> _formatter;
    private readonly IReadOnlyList<T> _values;
    private readonly long[] _keys;
    private readonly Func<T, long> _key;
    private readonly Func<T, T, bool> _contentEquals;

    /// <param name="formatter">Writes and reads the bodies.</param>
    /// <param name="values">The values, at least one; message i carries value i modulo their number.</param>
    /// <param name="key">A member that tells the values apart, quick to compare.</param>
    /// <param name="contentEquals">Compares everything.</param>
    internal Payload(string name, MessageFormatter<T> formatter, IReadOnlyList<T> values, Func<T, long> key, Func<T, T, bool> contentEquals)
        : base(name)
    {
        _formatter = formatter;
        _values = values;
        _key = key;
        _contentEquals = contentEquals;
        _keys = new long[values.Count];
        for (int i = 0; i < _keys.Length; i++)
            _keys[i] = key(values[i]);
        BodyByteCount = formatter.Write(values[0]).Length;
    }

    internal override int BodyByteCount { get; }

    internal override void Write(int index, PooledBufferWriter buffer, MessageBody body)
    {
        _formatter.Write(buffer, _values[index % _keys.Length]);
        body.Bytes = new(buffer.WrittenMemory);
        body.BodyType = _formatter.BodyType;
        body.ContentType = _formatter.ContentType;
    }

    internal override void Read(int index, MessageBody body, bool wholeContent)
    {
        T value = _formatter.Read(body.Bytes);
        int which = index % _keys.Length;
        if (_key(value) != _keys[which] || (wholeContent && !_contentEquals(value, _values[which])))
        {
            throw new VerificationException(
                string.Create(CultureInfo.InvariantCulture, $"{Name}: message {index:N0} is not the one that was sent in its place."));
        }
    }
}
