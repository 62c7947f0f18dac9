using System;
using System.Buffers.Binary;
using System.IO;
using System.Text;
using Formatters.Envelopes;
using Formatters.Inspection;

namespace Formatters;

/// <summary>Prints an envelope and, if its key is available, the inner body with its own inspector.</summary>
internal sealed class EnvelopeInspector(string name, string contentType, int bodyType) : MessageInspector(name, contentType)
{
    /// <summary>The maximum number of nested envelopes; each is processed separately.</summary>
    private const int MaxEnvelopeCount = 16;

    private const int SaltByteCount = 16;
    private const int NonceByteCount = 12;
    private const int TagByteCount = 16;

    internal override int BodyType => bodyType;

    /// <summary>Determines whether the bytes are this envelope, around a body of a known format, and can be printed to their end.</summary>
    internal override bool Recognizes(ReadOnlySpan<byte> body)
    {
        if (body.IsEmpty || body[0] != EnvelopeHeader.Version)
            return false;
        try
        {
            var reader = new EnvelopeReader(body);
            EnvelopeHeader header = EnvelopeHeader.Read(ref reader, bodyType);
            if (header.GetContentType() is not { } contentType || Find(contentType) is not { } inner)
                return false;
            if (bodyType is BodyTypes.Signed or BodyTypes.Encrypted && !IsKey(reader.ReadShort()))
                return false;
            // HMAC-SHA256 and AES-GCM have the same number. A binary body could be any bytes, so they decide whether it is encrypted.
            if (bodyType == BodyTypes.Signed && header.Algorithm == (byte)SignatureAlgorithm.HmacSha256 && inner == Binary
                && reader.Rest.Length >= SaltByteCount + NonceByteCount + TagByteCount
                && IsRandom(reader.Rest.Slice(0, Math.Min(SaltByteCount + NonceByteCount, reader.Rest.Length - 32))))
                return false;
            Inspect(body, TextWriter.Null, InspectionOptions.Default with { MaxCharCount = long.MaxValue });
            return true;
        }
        catch (MessageFormatException)
        {
            return false;
        }
    }

    protected override void Inspect(ReadOnlySpan<byte> body, InspectionWriter writer, FormatterLimits limits)
    {
        if (body.Length > limits.MaxBodyByteCount)
            ThrowHelper.ThrowBodyTooLarge(body.Length, limits.MaxBodyByteCount);
        StackGuard.Check(0);
        if (writer.EnvelopeCount++ == 0)
            writer.ExpansionLeft = (64 * 1024) + ((long)limits.MaxAllocationFactor * body.Length);
        if (writer.EnvelopeCount > MaxEnvelopeCount)
            ThrowHelper.ThrowDepthExceeded(0, MaxEnvelopeCount, writing: false);

        var reader = new EnvelopeReader(body);
        EnvelopeHeader header = EnvelopeHeader.Read(ref reader, BodyType);
        writer.At(0);
        writer.BeginObject();
        switch (BodyType)
        {
            case BodyTypes.Signed:
                PrintSigned(body, header, ref reader, writer, limits);
                break;
            case BodyTypes.Encrypted:
                PrintEncrypted(body, header, ref reader, writer, limits);
                break;
            case BodyTypes.Compressed:
                PrintCompressed(body, header, ref reader, writer, limits);
                break;
            default:
                PrintBatch(body, header, ref reader, writer, limits);
                break;
        }

        writer.EndObject();
        writer.EnvelopeCount--;
    }

    private static bool IsKey(ReadOnlySpan<byte> id)
    {
        foreach (byte b in id)
        {
            if (b is <= 0x20 or > 0x7E)
                return false;
        }

        return !id.IsEmpty;
    }

    /// <summary>Determines whether the bytes seem to be a random salt and nonce; of 500 of these, one has so few high bits.</summary>
    private static bool IsRandom(ReadOnlySpan<byte> bytes)
    {
        int highBits = 0;
        foreach (byte b in bytes)
            highBits += b >> 7;
        return highBits * 4 >= bytes.Length;
    }

    private static void PrintSigned(ReadOnlySpan<byte> body, in EnvelopeHeader header, ref EnvelopeReader reader, InspectionWriter writer,
        FormatterLimits limits)
    {
        int signatureByteCount = header.Algorithm switch
        {
            (byte)SignatureAlgorithm.HmacSha256 => 32,
            (byte)SignatureAlgorithm.EcdsaP256 => 64,
            _ => throw UnknownAlgorithm(),
        };
        Print(writer, 1, "$signed", header.Algorithm == (byte)SignatureAlgorithm.HmacSha256 ? "HMAC-SHA256" : "ECDSA P-256");
        ReadOnlySpan<byte> keyId = PrintKey(ref reader, writer);
        PrintTags(header, writer);
        int bodyByteCount = reader.Rest.Length - signatureByteCount;
        if (bodyByteCount < 0)
            ThrowHelper.ThrowTruncated(body.Length, -bodyByteCount);
        int signedByteCount = body.Length - signatureByteCount;
        Print(writer, signedByteCount, "$signature", Verify(body, signedByteCount, header.Algorithm, keyId, writer.Options.SigningKeys));
        PrintBody(reader.Rest.Slice(0, bodyByteCount), reader.Offset, header, writer, limits);
    }

    private static string Verify(ReadOnlySpan<byte> body, int signedByteCount, byte algorithm, ReadOnlySpan<byte> keyId, KeyRing<SigningKey>? keys)
    {
        if (keys?.Find(keyId) is not { } key)
            return "not verified: the key is not available";
        return (byte)key.Algorithm == algorithm && key.Verify(body.Slice(0, signedByteCount), body.Slice(signedByteCount)) ? "good" : "wrong";
    }

    private static void PrintEncrypted(ReadOnlySpan<byte> body, in EnvelopeHeader header, ref EnvelopeReader reader, InspectionWriter writer,
        FormatterLimits limits)
    {
        if (header.Algorithm != 1)
            throw UnknownAlgorithm();
        Print(writer, 1, "$encrypted", "AES-GCM");
        EnvelopeReader atKey = reader;
        ReadOnlySpan<byte> keyId = PrintKey(ref reader, writer);
        PrintTags(header, writer);
        reader.Read(SaltByteCount + NonceByteCount);
        int bodyOffset = reader.Offset, byteCount = reader.Rest.Length - TagByteCount;
        if (byteCount < 0)
            ThrowHelper.ThrowTruncated(body.Length, -byteCount);
#if NET
        if (writer.Options.EncryptionKeys is { } keys && keys.Find(keyId) is not null)
        {
            OpenedBody opened = default;
            try
            {
                new EncryptedEnvelope(keys).Open(body, header, ref atKey, limits, ref opened);
                PrintBody(opened.Bytes, bodyOffset, header, writer, limits);
            }
            finally
            {
                opened.Dispose();
            }

            return;
        }
#endif
        writer.At(bodyOffset);
        writer.WriteName("$body");
        writer.WriteBytes(reader.Rest.Slice(0, byteCount));
    }

    private static void PrintCompressed(ReadOnlySpan<byte> body, in EnvelopeHeader header, ref EnvelopeReader reader, InspectionWriter writer,
        FormatterLimits limits)
    {
        Print(writer, 1, "$compressed", header.Algorithm switch
        {
            (byte)CompressionAlgorithm.None => "not",
            (byte)CompressionAlgorithm.Deflate => "Deflate",
            (byte)CompressionAlgorithm.Brotli => "Brotli",
            _ => throw UnknownAlgorithm(),
        });
        PrintTags(header, writer);
        EnvelopeReader atLength = reader;
        int lengthOffset = reader.Offset, byteCount = BinaryPrimitives.ReadInt32LittleEndian(reader.Read(4));
        writer.At(lengthOffset);
        writer.WriteName("$byteCount");
        writer.Write(byteCount);
        bool isAsItIs = header.Algorithm == (byte)CompressionAlgorithm.None;
        if (!isAsItIs && (writer.ExpansionLeft -= Math.Max(0, byteCount)) < 0)
            ThrowHelper.ThrowAllocationExceeded(lengthOffset, byteCount, limits.MaxAllocationFactor);
        OpenedBody opened = default;
        try
        {
            new CompressedEnvelope(CompressionOptions.Default).Open(body, header, ref atLength, limits, ref opened);
            // Offsets in a compressed body are those in the expanded one.
            PrintBody(opened.Bytes, isAsItIs ? reader.Offset : -writer.BaseOffset, header, writer, limits);
        }
        finally
        {
            opened.Dispose();
        }
    }

    private static void PrintBatch(ReadOnlySpan<byte> body, in EnvelopeHeader header, ref EnvelopeReader reader, InspectionWriter writer,
        FormatterLimits limits)
    {
        if (header.Algorithm != 0)
            throw UnknownAlgorithm();
        int countOffset = reader.Offset, count = BinaryPrimitives.ReadInt32LittleEndian(reader.Read(4));
        writer.At(countOffset);
        writer.WriteName("$batch");
        writer.Write(count);
        PrintTags(header, writer);
        if (count < 0)
            ThrowHelper.ThrowBadLength(countOffset, "The number of payloads is negative.");
        writer.At(reader.Offset);
        writer.WriteName("$payloads");
        writer.BeginArray();
        for (int i = 0; i < count; i++)
        {
            int lengthOffset = reader.Offset, byteCount = BinaryPrimitives.ReadInt32LittleEndian(reader.Read(4));
            if (byteCount < 0)
                ThrowHelper.ThrowBadLength(lengthOffset, "The length of a payload is negative.");
            int offset = reader.Offset;
            PrintInner(reader.Read(byteCount), offset, header, writer, limits);
        }

        writer.EndArray();
        if (!reader.Rest.IsEmpty)
            ThrowHelper.ThrowTrailingBytes(reader.Offset, reader.Rest.Length);
    }

    private static ReadOnlySpan<byte> PrintKey(ref EnvelopeReader reader, InspectionWriter writer)
    {
        int offset = reader.Offset;
        ReadOnlySpan<byte> keyId = reader.ReadShort();
        var text = new StringBuilder(keyId.Length);
        foreach (byte b in keyId)
            text.Append((char)b);
        Print(writer, offset, "$key", text.ToString());
        return keyId;
    }

    private static void PrintTags(in EnvelopeHeader header, InspectionWriter writer)
    {
        writer.At(2);
        writer.WriteName("$bodyType");
        writer.Write(header.BodyType);
        Print(writer, 2 + SevenBitInt.GetByteCount((uint)header.BodyType), "$contentType", header.GetContentType() ?? "");
    }

    private static void PrintBody(ReadOnlySpan<byte> inner, int offset, in EnvelopeHeader header, InspectionWriter writer, FormatterLimits limits)
    {
        writer.At(Math.Max(0, offset));
        writer.WriteName("$body");
        PrintInner(inner, offset, header, writer, limits);
    }

    private static void PrintInner(ReadOnlySpan<byte> inner, int offset, in EnvelopeHeader header, InspectionWriter writer, FormatterLimits limits)
    {
        byte[] bytes = inner.ToArray();
        MessageInspector inspector = Detect(new MessageBody(bytes, header.BodyType, header.GetContentType()));
        writer.BaseOffset += offset;
        inspector.InspectInside(bytes, writer, limits);
        writer.BaseOffset -= offset;
    }

    private static void Print(InspectionWriter writer, int offset, string entry, string value)
    {
        writer.At(offset);
        writer.WriteName(entry);
        writer.Write(value);
    }

    private static MessageFormatException UnknownAlgorithm() =>
        new(MessageFormatErrorCode.UnknownFormat, "This library does not support the algorithm.", 1);
}
