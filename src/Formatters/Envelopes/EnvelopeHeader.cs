using System;
using System.Runtime.InteropServices;
using System.Text;

namespace Formatters;

/// <summary>The header of every envelope: version, algorithm, and the tags of the inner body. See docs/wire/envelopes.md.</summary>
internal ref struct EnvelopeHeader
{
    internal const byte Version = 1;
    internal const int MaxContentTypeByteCount = 255;

    /// <summary>The algorithm; the kind of envelope defines the meaning of the number.</summary>
    internal byte Algorithm;

    /// <summary>The body type of the body inside.</summary>
    internal int BodyType;

    /// <summary>The content type of the body inside, in ASCII; empty if it has none.</summary>
    internal ReadOnlySpan<byte> ContentType;

    /// <summary>Reads the header, and advances past it.</summary>
    /// <param name="reader">The reader, at the start of the body.</param>
    /// <param name="envelopeBodyType">The body type of the envelope.</param>
    internal static EnvelopeHeader Read(scoped ref EnvelopeReader reader, int envelopeBodyType)
    {
        byte version = reader.ReadByte();
        if (version != Version)
        {
            throw new MessageFormatException(
                MessageFormatErrorCode.UnknownFormat,
                $"The body is not {KindOf(envelopeBodyType)}, or has a version that this library does not read: its first byte is {version}, and "
                + "version 1 starts with 1.",
                0);
        }

        var header = new EnvelopeHeader { Algorithm = reader.ReadByte(), BodyType = reader.ReadNumber() };
        int start = reader.Offset;
        header.ContentType = reader.ReadShort();
        foreach (byte b in header.ContentType)
        {
            if (b is < 0x20 or > 0x7E)
                ThrowHelper.ThrowBadValue(start, "content type");
        }

        return header;
    }

    /// <summary>Returns a description of the kind of envelope, for errors.</summary>
    internal static string KindOf(int envelopeBodyType) => envelopeBodyType switch
    {
        BodyTypes.Signed => "signed",
        BodyTypes.Encrypted => "encrypted",
        BodyTypes.Compressed => "compressed",
        _ => "a batch",
    };

    /// <summary>Creates the bytes of a header.</summary>
    /// <exception cref="ArgumentException">The content type cannot be in a header.</exception>
    internal static byte[] Create(byte algorithm, int bodyType, string? contentType, ReadOnlySpan<byte> keyId = default)
    {
        contentType ??= "";
        if (contentType.Length > MaxContentTypeByteCount)
            throw new ArgumentException("The content type of the formatter inside is longer than 255 characters.", nameof(contentType));
        foreach (char c in contentType)
        {
            if (c is < ' ' or > '~')
                throw new ArgumentException("The content type of the formatter inside has a character that is not printable ASCII.",
                    nameof(contentType));
        }

        byte[] header = new byte[3 + SevenBitInt.GetByteCount((uint)bodyType) + contentType.Length + (keyId.IsEmpty ? 0 : 1 + keyId.Length)];
        header[0] = Version;
        header[1] = algorithm;
        int offset = 2 + SevenBitInt.Write(ref header[2], (uint)bodyType);
        header[offset++] = (byte)contentType.Length;
        offset += Encoding.ASCII.GetBytes(contentType, 0, contentType.Length, header, offset);
        if (!keyId.IsEmpty)
        {
            header[offset++] = (byte)keyId.Length;
            keyId.CopyTo(header.AsSpan(offset));
        }

        return header;
    }

    /// <summary>Determines whether the inner body has the tags of a formatter.</summary>
    internal readonly bool HasTags(int bodyType, string? contentType)
    {
        if (BodyType != bodyType || ContentType.Length != (contentType?.Length ?? 0))
            return false;
        for (int i = 0; i < ContentType.Length; i++)
        {
            if (ContentType[i] != contentType![i])
                return false;
        }

        return true;
    }

    /// <summary>Returns the content type as a string; null if there is none.</summary>
    internal readonly unsafe string? GetContentType()
    {
        if (ContentType.IsEmpty)
            return null;
        fixed (byte* p = &MemoryMarshal.GetReference(ContentType))
            return Encoding.ASCII.GetString(p, ContentType.Length);
    }
}

/// <summary>Reads the part of an envelope before the body. Every length is checked against the remaining bytes.</summary>
internal ref struct EnvelopeReader(ReadOnlySpan<byte> body)
{
    private readonly ReadOnlySpan<byte> _body = body;

    /// <summary>The offset of the first unread byte.</summary>
    internal int Offset;

    internal readonly ReadOnlySpan<byte> Rest => _body.Slice(Offset);

    internal byte ReadByte() => Read(1)[0];

    internal ReadOnlySpan<byte> Read(int byteCount)
    {
        if (_body.Length - Offset < byteCount)
            ThrowHelper.ThrowTruncated(_body.Length, byteCount - (_body.Length - Offset));
        ReadOnlySpan<byte> bytes = _body.Slice(Offset, byteCount);
        Offset += byteCount;
        return bytes;
    }

    /// <summary>Reads bytes after their one-byte count.</summary>
    internal ReadOnlySpan<byte> ReadShort() => Read(ReadByte());

    /// <summary>Reads a number from 0 to 2,147,483,647, in 7-bit groups and the fewest bytes.</summary>
    internal int ReadNumber()
    {
        int start = Offset;
        long value = 0;
        for (int i = 0; i < SevenBitInt.MaxByteCount32; i++)
        {
            byte b = ReadByte();
            value |= (long)(b & 0x7F) << (7 * i);
            if (b >= 0x80)
                continue;
            if ((b == 0 && i > 0) || value > int.MaxValue)
                break;
            return (int)value;
        }

        ThrowHelper.ThrowBadLength(start, "The number is longer than needed, or larger than 31 bits.");
        return 0;
    }
}
