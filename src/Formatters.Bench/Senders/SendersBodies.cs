using Formatters.Envelopes;

namespace Formatters.Bench.Senders;

/// <summary>The bodies of <c>senders</c>: a number, and bytes up to the size; as they are, signed or encrypted.</summary>
/// <param name="byteCount">The size of the plain body.</param>
internal sealed class SendersBodies(SendersVariant variant, int byteCount)
{
    // Of no secret: what is measured is what a key costs, whatever it is.
    private static readonly byte[] Secret = new byte[32];

    private static readonly MessageFormatter<byte[]> Hmac =
        new SignedFormatter<byte[]>(new ActiveXFormatter<byte[]>(), SigningKey.HmacSha256("bench", Secret));
    private static readonly MessageFormatter<byte[]> Certificate = CreateCertificate();
    private static readonly MessageFormatter<byte[]> Encrypted =
        new EncryptedFormatter<byte[]>(new ActiveXFormatter<byte[]>(), EncryptionKey.AesGcm("bench", Secret));

    private readonly MessageFormatter<byte[]>? _formatter = variant switch
    {
        SendersVariant.Signed => Hmac,
        SendersVariant.SignedByCertificate => Certificate,
        SendersVariant.Encrypted => Encrypted,
        _ => null,
    };

    internal MessageBody Write(long number)
    {
        byte[] plain = new byte[byteCount];
        BitConverter.TryWriteBytes(plain, number);
        return _formatter is null ? new MessageBody(plain) : new MessageBody(_formatter.Write(plain), _formatter.BodyType, _formatter.ContentType);
    }

    /// <summary>Reads a body: its number and the size of the plain body.</summary>
    internal (long Number, long ByteCount) Read(MessageBody body)
    {
        if (_formatter is null)
            return (BitConverter.ToInt64(body.Bytes.FirstSpan), body.Bytes.Length);
        byte[] plain = _formatter.Read(body.Bytes);
        return (BitConverter.ToInt64(plain), plain.Length);
    }

    private static SignedFormatter<byte[]> CreateCertificate()
    {
        using var key = System.Security.Cryptography.ECDsa.Create(System.Security.Cryptography.ECCurve.NamedCurves.nistP256);
        return new SignedFormatter<byte[]>(new ActiveXFormatter<byte[]>(),
            SigningKey.EcdsaP256("bench", key.ExportParameters(includePrivateParameters: true)));
    }
}
