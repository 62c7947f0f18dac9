using System.Buffers;
using Formatters.Envelopes;

namespace Formatters.TradeEngine.Signing;

/// <summary>Verifies signed bodies, and gives what is inside as a part of their bytes: nothing is copied. Not for several threads.</summary>
internal sealed class SignedBodyReader
{
    private readonly SignedFormatter<ReadOnlyMemory<byte>> _formatter;
    private ReadOnlyMemory<byte> _envelope;

    /// <param name="formats">The format of what is inside.</param>
    /// <param name="key">Verifies.</param>
    internal SignedBodyReader(MessageFormats formats, SigningKey key) => _formatter = new(
        DelegateFormatter.FromBuffers<ReadOnlyMemory<byte>>(formats.ContentType, formats.BodyType,
            static (destination, body) => destination.Write(body.Span), Find),
        key);

    /// <exception cref="MessageFormatException">The signature is not good, or what is inside of another format.</exception>
    internal ReadOnlyMemory<byte> Read(ReadOnlySequence<byte> envelope)
    {
        _envelope = envelope.IsSingleSegment ? envelope.First : envelope.ToArray();
        try
        {
            return _formatter.Read(_envelope.Span);
        }
        finally
        {
            _envelope = default;
        }
    }

    private ReadOnlyMemory<byte> Find(ReadOnlySpan<byte> body) =>
        _envelope.Span.Overlaps(body, out int offset) ? _envelope.Slice(offset, body.Length) : body.ToArray();
}
