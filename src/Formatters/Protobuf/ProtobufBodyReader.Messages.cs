// https://protobuf.dev/reference/protobuf/google.protobuf/; for the other values of .NET: docs/wire/protobuf.md, "Values".
using System;
using System.Buffers.Text;
using System.Numerics;

namespace Formatters.Protobuf;

public ref partial struct ProtobufBodyReader
{
    /// <summary>Reads a <c>google.protobuf.Timestamp</c> after its length.</summary>
    /// <returns>The time, UTC. Anything below 100 ns is cut off.</returns>
    /// <exception cref="MessageFormatException">Not a time of the years 1 to 9999, or the message ends too early.</exception>
    public DateTime ReadTimestamp()
    {
        int byteOffset = ByteOffset;
        ReadTime(out long seconds, out int nanos, out _);
        if (!Timestamps.TryGetDateTime(seconds, nanos, out DateTime value))
            ThrowHelper.ThrowBadValue(byteOffset, nameof(DateTime));
        return value;
    }

    /// <summary>
    /// Reads the message that <see cref="ProtobufBodyWriter.WriteTimestamp(DateTimeOffset)"/> writes, or any <c>google.protobuf.Timestamp</c>, whose
    /// offset is 0.
    /// </summary>
    /// <returns>The value. Anything below 100 ns is cut off.</returns>
    /// <exception cref="MessageFormatException">Not a time of the years 1 to 9999, an offset beyond 14 hours, or the message ends too
    /// early.</exception>
    public DateTimeOffset ReadDateTimeOffset()
    {
        int byteOffset = ByteOffset;
        ReadTime(out long seconds, out int nanos, out int offsetMinutes);
        if (!Timestamps.TryGetDateTimeOffset(seconds, nanos, offsetMinutes, out DateTimeOffset value))
            ThrowHelper.ThrowBadValue(byteOffset, nameof(DateTimeOffset));
        return value;
    }

    /// <summary>Reads a <c>google.protobuf.Duration</c> after its length.</summary>
    /// <returns>The value. Anything below 100 ns is cut off.</returns>
    /// <exception cref="MessageFormatException">Parts of different sign, more than a <see cref="TimeSpan"/> holds, or the message ends too
    /// early.</exception>
    public TimeSpan ReadDuration()
    {
        int byteOffset = ByteOffset;
        ReadTime(out long seconds, out int nanos, out _);
        if (!Timestamps.TryGetTimeSpan(seconds, nanos, out TimeSpan value))
            ThrowHelper.ThrowBadValue(byteOffset, nameof(TimeSpan));
        return value;
    }

    /// <summary>Reads a <c>string</c> of a decimal number, invariant; the empty string, which is proto3's default, is 0.</summary>
    /// <returns>The value, with its scale.</returns>
    /// <exception cref="MessageFormatException">The string is not a number, or the message ends too early.</exception>
    public decimal ReadDecimal()
    {
        int byteOffset = ByteOffset;
        ReadOnlySpan<byte> digits = ReadSpan();
        if (digits.IsEmpty)
            return 0;
        if (!Decimals.TryParse(digits, out decimal value))
            ThrowHelper.ThrowBadValue(byteOffset, nameof(Decimal));
        return value;
    }

    /// <summary>
    /// Reads a <c>string</c> of 36 characters, or 16 <c>bytes</c> in the order of RFC 9562; no bytes, which is proto3's default of either, is the
    /// empty GUID.
    /// </summary>
    /// <returns>The value.</returns>
    /// <exception cref="MessageFormatException">Neither of these, or the message ends too early.</exception>
    public Guid ReadGuid()
    {
        int byteOffset = ByteOffset;
        ReadOnlySpan<byte> text = ReadSpan();
        if (text.IsEmpty)
            return Guid.Empty;
        Guid value;
        if (text.Length == 16)
            BigEndian.ToGuid(text, byteOffset, out value);
        else if (!GuidText.TryParse(text, out value))
            ThrowHelper.ThrowBadValue(byteOffset, nameof(Guid));
        return value;
    }

    /// <summary>Reads <c>bytes</c> as two's complement, low byte first; none is 0.</summary>
    /// <inheritdoc cref="ReadSpan" path="/exception"/>
    /// <returns>The value.</returns>
    public BigInteger ReadBigInteger() =>
#if NET
        new(ReadSpan());
#else
        new(ReadBytes());
#endif

    /// <summary>Reads a <c>string</c> as a URI, relative or absolute.</summary>
    internal Uri ReadUri()
    {
        int byteOffset = ByteOffset;
        if (!Uri.TryCreate(ReadString(), UriKind.RelativeOrAbsolute, out Uri? value))
            ThrowHelper.ThrowBadValue(byteOffset, nameof(Uri));
        return value!;
    }

    /// <summary>Reads a <c>string</c> as a version, "1.2.3.4".</summary>
    internal Version ReadVersion()
    {
        int byteOffset = ByteOffset;
        if (!Version.TryParse(ReadString(), out Version? value))
            ThrowHelper.ThrowBadValue(byteOffset, nameof(Version));
        return value!;
    }

#if NET
    /// <summary>Reads 16 <c>bytes</c>, the lowest first; none is 0.</summary>
    internal UInt128 ReadUInt128()
    {
        int byteOffset = ByteOffset;
        ReadOnlySpan<byte> bytes = ReadSpan();
        if (bytes.IsEmpty)
            return UInt128.Zero;
        if (bytes.Length != 16)
            ThrowHelper.ThrowBadValue(byteOffset, nameof(UInt128));
        return System.Buffers.Binary.BinaryPrimitives.ReadUInt128LittleEndian(bytes);
    }

    /// <summary>Reads a <c>float</c>, rounded to 16 bits, unless it is too large.</summary>
    internal Half ReadHalf()
    {
        int byteOffset = ByteOffset;
        float wide = ReadFloat();
        var value = (Half)wide;
        if (Half.IsInfinity(value) && !float.IsInfinity(wide))
            ThrowHelper.ThrowBadValue(byteOffset, nameof(Half));
        return value;
    }
#endif

    private void ReadTime(out long seconds, out int nanos, out int offsetMinutes)
    {
        offsetMinutes = 0;
        int byteCount = Timestamps.Read(ref _input.Position, BytesRemaining, out seconds, out nanos);
        if (byteCount > 0)
        {
            _input.Advance(byteCount);
            return;
        }

        seconds = 0;
        nanos = 0;
        int bytesBehind = BeginLength();
        while (BytesRemaining > 0)
        {
            uint tag = ReadTag();
            switch (tag)
            {
                case Timestamps.SecondsTag:
                    seconds = ReadInt64();
                    break;
                case Timestamps.NanosTag:
                    nanos = ReadInt32();
                    break;
                case Timestamps.OffsetTag:
                    offsetMinutes = ReadSInt32();
                    break;
                default:
                    Skip((int)(tag >> 3), (ProtobufWireType)(tag & 7));
                    break;
            }
        }

        EndLength(bytesBehind);
    }
}
