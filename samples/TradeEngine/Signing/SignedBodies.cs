using System.Buffers;
using Formatters.Envelopes;

namespace Formatters.TradeEngine.Signing;

/// <summary>The driver's signature around a body that is bytes already: the driver need not parse what it signs, nor the router what it
/// verifies.</summary>
internal static class SignedBodies
{
    /// <summary>Makes a formatter that signs the bodies of a format, and verifies them.</summary>
    internal static SignedFormatter<ReadOnlyMemory<byte>> Create(MessageFormats formats, SigningKey key) =>
        new(DelegateFormatter.FromBuffers<ReadOnlyMemory<byte>>(formats.ContentType, formats.BodyType, (destination, body) =>
            destination.Write(body.Span), body => body.ToArray()), key);
}
