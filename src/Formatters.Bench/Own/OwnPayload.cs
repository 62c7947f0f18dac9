using Formatters.Buffers;
using Formatters.Tools.Migrate;

namespace Formatters.Bench.Own;

/// <summary>Samples of the user by one formatter.</summary>
internal sealed class OwnPayload<T> : Payload
{
    private readonly MessageFormatter<T> _formatter;
    private readonly IReadOnlyList<T> _samples;
    private readonly byte[][] _bodies;
    private readonly bool _isRepeatable;
    private readonly T[] _expected;

    /// <param name="formatter">Writes and reads the bodies.</param>
    /// <param name="samples">What the messages carry, in turn.</param>
    internal OwnPayload(string name, MessageFormatter<T> formatter, IReadOnlyList<T> samples)
        : base(name)
    {
        _formatter = formatter;
        _samples = samples;
        _bodies = [.. samples.Select(formatter.Write)];
        _expected = [.. _bodies.Select(formatter.Read)];
        // An object that says the time, or counts how often it was asked, has other bytes each time.
        _isRepeatable = samples.Select(formatter.Write).Zip(_bodies).All(static pair => pair.First.AsSpan().SequenceEqual(pair.Second));
    }

    /// <summary>Returns the samples as the formatter reads them back.</summary>
    internal IReadOnlyList<T> Read() => _expected;

    internal override int BodyByteCount => _bodies[0].Length;

    internal override void Write(int index, PooledBufferWriter buffer, MessageBody body)
    {
        _formatter.Write(buffer, _samples[index % _samples.Count]);
        body.Bytes = new(buffer.WrittenMemory);
        body.BodyType = _formatter.BodyType;
        body.ContentType = _formatter.ContentType;
    }

    internal override void Read(int index, MessageBody body, bool wholeContent)
    {
        T value = _formatter.Read(body.Bytes);
        int which = index % _samples.Count;
        // The bytes tell which message it is, whatever members the type has; comparing them takes little beside reading them.
        bool isOther = _isRepeatable && !body.ToArrayOrSpan().SequenceEqual(_bodies[which]);
        if (!isOther && wholeContent && _isRepeatable)
        {
            var changes = new ChangeList();
            GraphComparison.Compare(_expected[which], value, changes);
            isOther = changes.Items.Count > 0;
        }

        if (isOther)
            throw new VerificationException(
                string.Create(CultureInfo.InvariantCulture, $"{Name}: message {index:N0} is not the one that was sent in its place."));
    }
}

/// <summary>Looks at bodies.</summary>
internal static class BodyBytes
{
    /// <summary>The bytes, copied only where they lie in several pieces.</summary>
    internal static ReadOnlySpan<byte> ToArrayOrSpan(this MessageBody body) => body.Bytes.IsSingleSegment ? body.Bytes.FirstSpan : body.ToArray();
}
