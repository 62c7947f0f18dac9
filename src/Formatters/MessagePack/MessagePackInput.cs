// https://github.com/msgpack/msgpack/blob/master/spec.md; for the values of .NET: docs/wire/messagepack.md, "Values".
using System;
using System.Buffers.Text;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Formatters.MessagePack;

namespace Formatters;

/// <summary>Reads the values of MessagePack: for <see cref="MessagePackBodyReader"/>, which documents them, and for the traversal.</summary>
internal static class MessagePackInput
{
    private const long MaxOffsetMinutes = 14 * 60;

    /// <summary>Returns the kind of the next value.</summary>
    internal static MessagePackType NextType(scoped in BodyInput input)
    {
        MessagePackType type = MessagePackEncoding.GetType(input.Require(1));
        if (type == MessagePackType.None)
            ThrowNeverUsed(in input);
        return type;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static bool TryReadNil(scoped ref BodyInput input)
    {
        ref byte p = ref input.Require(1);
        if (p != MessagePackCode.Nil)
            return false;
        input.Advance(ref p, 1);
        return true;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static int ReadArrayHeader(scoped ref BodyInput input, int elementAllocation)
    {
        ref byte p = ref input.Position;
        int remaining = input.RemainingAt(ref p);
        if (remaining > 0 && elementAllocation == 0)
        {
            int elementCount = p - MessagePackCode.FixArray;
            if ((uint)elementCount <= MessagePackCode.MaxFixCount && elementCount < remaining && elementCount <= input.Limits.MaxElementCount)
            {
                input.Advance(ref p, 1);
                return elementCount;
            }
        }

        return ReadCount(ref input, MessagePackType.Array, 1, elementAllocation);
    }

    internal static int ReadMapHeader(scoped ref BodyInput input, int entryAllocation) =>
        ReadCount(ref input, MessagePackType.Map, 2, entryAllocation);

    internal static MessagePackHeader ReadHeader(scoped ref BodyInput input)
    {
        int byteOffset = input.ByteOffset;
        MessagePackHeader header = PeekHeader(ref input);
        input.Advance(header.HeaderByteCount);
        if (header.Type is MessagePackType.Array or MessagePackType.Map)
            input.CheckCount(byteOffset, header.Count, header.Type == MessagePackType.Map ? 2 : 1, 0);
        else if (header.Count > (uint)input.BytesRemaining)
            input.ThrowTruncated(header.Count);
        return header;
    }

    internal static void Skip(scoped ref BodyInput input)
    {
        MessagePackHeader header = ReadHeader(ref input);
        if (header.Type is not (MessagePackType.Array or MessagePackType.Map))
        {
            input.Advance((int)header.Count);
            return;
        }

        input.Enter();
        for (long i = header.Type == MessagePackType.Map ? 2L * header.Count : header.Count; i > 0; i--)
            Skip(ref input);
        input.Leave();
    }

    /// <summary>Peeks at the header of the next value, without advancing.</summary>
    internal static MessagePackHeader PeekHeader(scoped ref BodyInput input)
    {
        if (!MessagePackEncoding.TryReadHeader(input.Remaining, out MessagePackHeader header, out int bytesRead))
            ThrowUnread(ref input, bytesRead, "value");
        return header;
    }

    /// <summary>Returns the content after a header, as a view of the body.</summary>
    internal static ReadOnlySpan<byte> TakeContent(scoped ref BodyInput input, MessagePackHeader header)
    {
        if (header.HeaderByteCount + (long)header.Count > input.BytesRemaining)
            input.ThrowTruncated(header.HeaderByteCount + (long)header.Count);
        input.Advance(header.HeaderByteCount);
        return input.Take((int)header.Count);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static int ReadCount(scoped ref BodyInput input, MessagePackType type, int minElementByteCount, int elementAllocation)
    {
        int byteOffset = input.ByteOffset;
        if (NextType(in input) != type)
            ThrowMismatch(ref input, type == MessagePackType.Array ? "array" : "map");
        MessagePackHeader header = PeekHeader(ref input);
        input.Advance(header.HeaderByteCount);
        input.CheckCount(byteOffset, header.Count, minElementByteCount, elementAllocation);
        return (int)header.Count;
    }

    /// <summary>Throws the error after a method of <see cref="MessagePackEncoding"/> returned false.</summary>
    internal static void ThrowUnread(scoped ref BodyInput input, int bytesRead, string what)
    {
        if (bytesRead > input.BytesRemaining)
            input.ThrowTruncated(bytesRead);
        ThrowMismatch(ref input, what);
    }

    /// <summary>Throws because the next value has another kind than expected.</summary>
    internal static void ThrowMismatch(scoped ref BodyInput input, string what)
    {
        byte code = input.Require(1);
        if (code == MessagePackCode.Nil)
            ThrowHelper.ThrowUnexpectedNil(input.ByteOffset);
        if (code == MessagePackCode.NeverUsed)
            ThrowNeverUsed(in input);
        ThrowHelper.ThrowBadValue(input.ByteOffset, what);
    }

    private static void ThrowNeverUsed(scoped in BodyInput input) =>
        ThrowHelper.ThrowMalformed(input.ByteOffset, "The byte C1 does not begin a MessagePack value.");

    internal static bool ReadBoolean(scoped ref BodyInput input)
    {
        ref byte p = ref input.Require(1);
        if ((p | 1) != MessagePackCode.True)
            ThrowMismatch(ref input, "Boolean");
        input.Advance(ref p, 1);
        return p == MessagePackCode.True;
    }

    /// <summary>Reads an integer in any form, or a float that is a whole number, within bounds.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    internal static long ReadInteger(scoped ref BodyInput input, long min, long max, string what)
    {
        // Without branches for the size and the sign. Row "numbers" of messagepack in models.
        ref byte p = ref input.Require(1);
        int form = p - MessagePackCode.UInt8;
        if ((uint)form <= MessagePackCode.Int64 - MessagePackCode.UInt8 && input.BytesRemaining >= MessagePackBytes.MaxIntegerByteCount)
        {
            int argumentByteCount = 1 << (form & 3);
            int shift = 64 - (8 * argumentByteCount);
            ulong argument = BigEndian.ReadUInt64(ref Unsafe.Add(ref p, 1));
            long number = p >= MessagePackCode.Int8 ? (long)argument >> shift : (long)(argument >> shift);
            if (number >= min && number <= max && (number >= 0 || p >= MessagePackCode.Int8))
            {
                input.Advance(ref p, 1 + argumentByteCount);
                return number;
            }
        }

        if (!MessagePackEncoding.TryReadInt64(input.Remaining, out long value, out int bytesRead))
            ThrowUnread(ref input, bytesRead, what);
        if (value < min || value > max)
            ThrowHelper.ThrowBadValue(input.ByteOffset, what);
        input.Advance(bytesRead);
        return value;
    }

    internal static ulong ReadUInt64(scoped ref BodyInput input)
    {
        ref byte p = ref input.Require(1);
        int form = p - MessagePackCode.UInt8;
        if ((uint)form <= MessagePackCode.UInt64 - MessagePackCode.UInt8 && input.BytesRemaining >= MessagePackBytes.MaxIntegerByteCount)
        {
            int argumentByteCount = 1 << form;
            input.Advance(ref p, 1 + argumentByteCount);
            return BigEndian.ReadUInt64(ref Unsafe.Add(ref p, 1)) >> (64 - (8 * argumentByteCount));
        }

        if (!MessagePackEncoding.TryReadUInt64(input.Remaining, out ulong value, out int bytesRead))
            ThrowUnread(ref input, bytesRead, nameof(UInt64));
        input.Advance(bytesRead);
        return value;
    }

    internal static float ReadSingle(scoped ref BodyInput input)
    {
        ref byte p = ref input.Require(1);
        if (p == MessagePackCode.Float32 && input.BytesRemaining >= 5)
        {
            uint bits = BigEndian.ReadUInt32(ref Unsafe.Add(ref p, 1));
            input.Advance(ref p, 5);
            return Unsafe.As<uint, float>(ref bits);
        }

        if (!MessagePackEncoding.TryReadSingle(input.Remaining, out float value, out int bytesRead))
            ThrowUnread(ref input, bytesRead, nameof(Single));
        input.Advance(bytesRead);
        return value;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static double ReadDouble(scoped ref BodyInput input)
    {
        ref byte p = ref input.Require(1);
        if (p != MessagePackCode.Float64 || input.BytesRemaining < 9)
            return ReadOtherDouble(ref input);
        input.Advance(ref p, 9);
        return BitConverter.Int64BitsToDouble((long)BigEndian.ReadUInt64(ref Unsafe.Add(ref p, 1)));
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static double ReadOtherDouble(scoped ref BodyInput input)
    {
        if (!MessagePackEncoding.TryReadDouble(input.Remaining, out double value, out int bytesRead))
            ThrowUnread(ref input, bytesRead, nameof(Double));
        input.Advance(bytesRead);
        return value;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    internal static string ReadString(scoped ref BodyInput input, string? existing)
    {
        // Most strings are short: for them one check of the remaining bytes and one advance suffice.
        ref byte p = ref input.Require(1);
        int byteCount = p - MessagePackCode.FixStr;
        if ((uint)byteCount > MessagePackCode.MaxFixStr || byteCount >= input.BytesRemaining)
            return ReadText(ref input, existing);
        string? text = Utf8Text.Read(ref Unsafe.Add(ref p, 1), byteCount, existing);
        if (text is null)
            ThrowHelper.ThrowBadText(input.ByteOffset + 1 + Utf8Text.IndexOfInvalid(ref Unsafe.Add(ref p, 1), byteCount));
        input.Advance(ref p, 1 + byteCount);
        return text;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static string ReadText(scoped ref BodyInput input, string? existing)
    {
        ReadOnlySpan<byte> bytes = ReadUtf8(ref input);
        ref byte start = ref MemoryMarshal.GetReference(bytes);
        string? text = Utf8Text.Read(ref start, bytes.Length, existing);
        if (text is null)
            ThrowHelper.ThrowBadText(input.ByteOffset - bytes.Length + Utf8Text.IndexOfInvalid(ref start, bytes.Length));
        return text;
    }

    internal static ReadOnlySpan<byte> ReadUtf8(scoped ref BodyInput input)
    {
        // Decimals, and GUIDs.
        ref byte p = ref input.Require(1);
        int remaining = input.BytesRemaining;
        int byteCount = p - MessagePackCode.FixStr;
        int headerByteCount = 1;
        if (p == MessagePackCode.Str8 && remaining > 1)
            (byteCount, headerByteCount) = (Unsafe.Add(ref p, 1), 2);
        else if ((uint)byteCount > MessagePackCode.MaxFixStr)
            byteCount = remaining;
        if (headerByteCount + byteCount <= remaining)
        {
            input.Advance(ref p, headerByteCount);
            return input.Take(byteCount);
        }

        MessagePackHeader header = PeekHeader(ref input);
        if (header.Type != MessagePackType.String)
            ThrowMismatch(ref input, nameof(String));
        return TakeContent(ref input, header);
    }

    internal static ReadOnlySpan<byte> ReadSpan(scoped ref BodyInput input)
    {
        MessagePackHeader header = PeekHeader(ref input);
        if (header.Type is not (MessagePackType.Binary or MessagePackType.String))
            ThrowMismatch(ref input, "binary value");
        return TakeContent(ref input, header);
    }

    internal static DateTime ReadDateTime(scoped ref BodyInput input)
    {
        ref byte p = ref input.Require(1);
        if (p is MessagePackCode.FixExt4 or MessagePackCode.FixExt8 && input.BytesRemaining >= 10
            && (sbyte)Unsafe.Add(ref p, 1) == MessagePackCode.Timestamp)
        {
            int byteCount = p == MessagePackCode.FixExt4 ? 4 : 8;
            if (MessagePackBytes.TryReadTimestamp(ref Unsafe.Add(ref p, 2), byteCount, out DateTime time))
            {
                input.Advance(ref p, 2 + byteCount);
                return time;
            }
        }

        if (!MessagePackEncoding.TryReadDateTime(input.Remaining, out DateTime value, out int bytesRead))
            ThrowUnread(ref input, bytesRead, nameof(DateTime));
        input.Advance(bytesRead);
        return value;
    }

    internal static DateTimeOffset ReadDateTimeOffset(scoped ref BodyInput input)
    {
        int byteOffset = input.ByteOffset;
        if (ReadArrayHeader(ref input, 0) != 2)
            ThrowHelper.ThrowBadValue(byteOffset, nameof(DateTimeOffset));
        input.Enter();
        long ticks = ReadDateTime(ref input).Ticks;
        long minutes = ReadInteger(ref input, short.MinValue, short.MaxValue, nameof(Int16));
        input.Leave();
        if (Math.Abs(minutes) > MaxOffsetMinutes || (ulong)(ticks - (minutes * TimeSpan.TicksPerMinute)) > (ulong)DateTime.MaxValue.Ticks)
            ThrowHelper.ThrowBadValue(byteOffset, nameof(DateTimeOffset));
        return new DateTimeOffset(ticks, TimeSpan.FromMinutes(minutes));
    }

    internal static void ReadDecimal(scoped ref BodyInput input, out decimal value)
    {
        int byteOffset = input.ByteOffset;
        ReadOnlySpan<byte> digits = ReadUtf8(ref input);
        if (!Decimals.TryParse(digits, out value))
            ThrowHelper.ThrowBadValue(byteOffset, nameof(Decimal));
    }

    internal static void ReadGuid(scoped ref BodyInput input, out Guid value)
    {
        int byteOffset = input.ByteOffset;
        ReadOnlySpan<byte> digits = ReadUtf8(ref input);
        if (!GuidText.TryParse(digits, out value))
            ThrowHelper.ThrowBadValue(byteOffset, nameof(Guid));
    }
}
