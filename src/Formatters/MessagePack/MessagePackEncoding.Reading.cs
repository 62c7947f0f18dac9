using System;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Formatters.MessagePack;

public static partial class MessagePackEncoding
{
    /// <summary>Returns the kind of a value, according to its first byte.</summary>
    /// <param name="code">The first byte.</param>
    /// <returns>The kind; <see cref="MessagePackType.None"/> for <c>C1</c>.</returns>
    public static MessagePackType GetType(byte code) => code switch
    {
        <= 0x7F or >= 0xE0 => MessagePackType.Integer,
        < MessagePackCode.FixArray => MessagePackType.Map,
        < MessagePackCode.FixStr => MessagePackType.Array,
        < MessagePackCode.Nil => MessagePackType.String,
        MessagePackCode.Nil => MessagePackType.Nil,
        MessagePackCode.NeverUsed => MessagePackType.None,
        <= MessagePackCode.True => MessagePackType.Boolean,
        <= MessagePackCode.Bin32 => MessagePackType.Binary,
        <= MessagePackCode.Ext32 => MessagePackType.Extension,
        <= MessagePackCode.Float64 => MessagePackType.Float,
        <= MessagePackCode.Int64 => MessagePackType.Integer,
        <= MessagePackCode.FixExt16 => MessagePackType.Extension,
        <= MessagePackCode.Str32 => MessagePackType.String,
        <= MessagePackCode.Array32 => MessagePackType.Array,
        _ => MessagePackType.Map,
    };

    /// <summary>Reads the header, which precedes the content of any value: enough to skip the value, or to read its content.</summary>
    /// <param name="source">The bytes, starting with the value.</param>
    /// <param name="header">The header.</param>
    /// <param name="bytesRead">The number of bytes of the header, 1 to 6.</param>
    /// <returns>False if the source ends within the header, or begins with <c>C1</c>.</returns>
    public static bool TryReadHeader(ReadOnlySpan<byte> source, out MessagePackHeader header, out int bytesRead)
    {
        header = default;
        bytesRead = 1;
        if (source.IsEmpty)
            return false;
        byte code = source[0];
        MessagePackType type = GetType(code);
        int countByteCount = 0;
        uint count = 0;
        switch (code)
        {
            case <= 0x7F or >= 0xE0 or MessagePackCode.Nil or MessagePackCode.False or MessagePackCode.True:
                break;
            case < MessagePackCode.FixStr:
                count = (uint)code & 0x0F;
                break;
            case < MessagePackCode.Nil:
                count = (uint)code & 0x1F;
                break;
            case MessagePackCode.NeverUsed:
                bytesRead = 0;
                return false;
            case MessagePackCode.Float32:
                count = 4;
                break;
            case MessagePackCode.Float64:
                count = 8;
                break;
            case >= MessagePackCode.UInt8 and <= MessagePackCode.Int64:
                count = 1u << (code & 3);
                break;
            case >= MessagePackCode.FixExt1 and <= MessagePackCode.FixExt16:
                count = 1u << (code - MessagePackCode.FixExt1);
                break;
            case MessagePackCode.Bin8 or MessagePackCode.Ext8 or MessagePackCode.Str8:
                countByteCount = 1;
                break;
            case MessagePackCode.Bin16 or MessagePackCode.Ext16 or MessagePackCode.Str16 or MessagePackCode.Array16 or MessagePackCode.Map16:
                countByteCount = 2;
                break;
            default:
                countByteCount = 4;
                break;
        }

        bool isExtension = type == MessagePackType.Extension;
        bytesRead = 1 + countByteCount + (isExtension ? 1 : 0);
        if (source.Length < bytesRead)
            return false;
        ref byte p = ref Unsafe.Add(ref MemoryMarshal.GetReference(source), 1);
        if (countByteCount != 0)
            count = countByteCount == 1 ? p : countByteCount == 2 ? BigEndian.ReadUInt16(ref p) : BigEndian.ReadUInt32(ref p);
        header = new MessagePackHeader(type, bytesRead, count, isExtension ? (sbyte)source[bytesRead - 1] : (sbyte)0);
        return true;
    }

    /// <summary>Reads an integer in any form; also a float that is a whole number, as JavaScript writes large ones.</summary>
    /// <param name="source">The bytes, starting with the value.</param>
    /// <param name="value">The value.</param>
    /// <param name="bytesRead">The number of bytes: 1, 2, 3, 5 or 9.</param>
    /// <returns>False if there is no such value, or it is out of range.</returns>
    public static bool TryReadInt64(ReadOnlySpan<byte> source, out long value, out int bytesRead)
    {
        if (!TryReadInteger(source, out ulong bits, out bool isNegative, out bytesRead))
        {
            value = 0;
            return false;
        }

        value = (long)bits;
        if (isNegative || value >= 0)
            return true;
        value = 0;
        bytesRead = 0;
        return false;
    }

    /// <inheritdoc cref="TryReadInt64"/>
    public static bool TryReadUInt64(ReadOnlySpan<byte> source, out ulong value, out int bytesRead)
    {
        if (!TryReadInteger(source, out value, out bool isNegative, out bytesRead))
            return false;
        if (!isNegative)
            return true;
        value = 0;
        bytesRead = 0;
        return false;
    }

    /// <summary>Reads a number of 64 bits: a float of either size, or an integer that a <see cref="double"/> holds exactly.</summary>
    /// <param name="source">The bytes, starting with the value.</param>
    /// <param name="value">The value.</param>
    /// <param name="bytesRead">The number of bytes: 1, 2, 3, 5 or 9.</param>
    /// <returns>False if there is no such value.</returns>
    public static bool TryReadDouble(ReadOnlySpan<byte> source, out double value, out int bytesRead)
    {
        if (TryReadFloat(source, out value, out bytesRead))
            return true;
        if (bytesRead != 0 || !TryReadWhole(source, out ulong bits, out bool isNegative, out bytesRead))
            return false;
        value = isNegative ? (double)(long)bits : (double)bits;
        if (isNegative ? (long)value == (long)bits : value < 18446744073709551616.0 && (ulong)value == bits)
            return true;
        value = 0;
        bytesRead = 0;
        return false;
    }

    /// <summary>
    /// Reads a number of 32 bits: a float of either size, rounded, unless it is too large; or an integer that a <see cref="float"/> holds exactly.
    /// </summary>
    /// <param name="source">The bytes, starting with the value.</param>
    /// <param name="value">The value.</param>
    /// <param name="bytesRead">The number of bytes: 1, 2, 3, 5 or 9.</param>
    /// <returns>False if there is no such value.</returns>
    public static bool TryReadSingle(ReadOnlySpan<byte> source, out float value, out int bytesRead)
    {
        if (source.Length >= 5 && source[0] == MessagePackCode.Float32)
        {
            // Not via a double, which would make a signaling NaN quiet.
            uint bits = BigEndian.ReadUInt32(ref Unsafe.Add(ref MemoryMarshal.GetReference(source), 1));
            value = Unsafe.As<uint, float>(ref bits);
            bytesRead = 5;
            return true;
        }

        bool isFloat = !source.IsEmpty && GetType(source[0]) == MessagePackType.Float;
        bool isRead = TryReadDouble(source, out double wide, out bytesRead);
        value = (float)wide;
        if (!isRead)
            return false;
        if (isFloat ? !float.IsInfinity(value) || double.IsInfinity(wide) : value == wide)
            return true;
        value = 0;
        bytesRead = 0;
        return false;
    }

    /// <summary>Reads a Boolean value.</summary>
    /// <param name="source">The bytes, starting with the value.</param>
    /// <param name="value">The value.</param>
    /// <param name="bytesRead">1.</param>
    /// <returns>False if there is no such value.</returns>
    public static bool TryReadBoolean(ReadOnlySpan<byte> source, out bool value, out int bytesRead)
    {
        value = !source.IsEmpty && source[0] == MessagePackCode.True;
        bytesRead = source.IsEmpty || value || source[0] == MessagePackCode.False ? 1 : 0;
        return bytesRead != 0 && !source.IsEmpty;
    }

    /// <summary>Reads a timestamp, the extension -1, in any form.</summary>
    /// <param name="source">The bytes, starting with the value.</param>
    /// <param name="value">The time, UTC. Anything below 100 ns is cut off.</param>
    /// <param name="bytesRead">The number of bytes.</param>
    /// <returns>False if there is no such value, or it is not a time of the years 1 to 9999.</returns>
    public static bool TryReadDateTime(ReadOnlySpan<byte> source, out DateTime value, out int bytesRead)
    {
        value = default;
        if (!TryReadHeader(source, out MessagePackHeader header, out bytesRead))
        {
            if (!source.IsEmpty && GetType(source[0]) != MessagePackType.Extension)
                bytesRead = 0;
            return false;
        }

        bytesRead = 0;
        if (header.Type != MessagePackType.Extension || header.ExtensionType != MessagePackCode.Timestamp || header.Count is not (4 or 8 or 12))
            return false;
        int byteCount = header.HeaderByteCount + (int)header.Count;
        if (source.Length >= byteCount
            && !MessagePackBytes.TryReadTimestamp(ref Unsafe.Add(ref MemoryMarshal.GetReference(source), header.HeaderByteCount), (int)header.Count,
                out value))
            return false;
        bytesRead = byteCount;
        return source.Length >= byteCount;
    }

    /// <summary>Reads an integer, or a float that is one.</summary>
    /// <param name="source">The bytes, starting with the value.</param>
    /// <param name="bits">The value; of a negative one the two's complement.</param>
    /// <param name="isNegative">Whether it is negative.</param>
    /// <param name="bytesRead">The number of bytes.</param>
    internal static bool TryReadInteger(ReadOnlySpan<byte> source, out ulong bits, out bool isNegative, out int bytesRead)
    {
        if (TryReadWhole(source, out bits, out isNegative, out bytesRead))
            return true;
        if (bytesRead != 0 || !TryReadFloat(source, out double value, out bytesRead))
            return false;
        if (value is >= 0 and < 18446744073709551616.0)
            bits = (ulong)value;
        else if (value is < 0 and >= -9223372036854775808.0)
            bits = (ulong)(long)value;
        else
            value = double.NaN;
        isNegative = value < 0;
        if ((isNegative ? (double)(long)bits : (double)bits) == value)
            return true;
        bits = 0;
        bytesRead = 0;
        return false;
    }

    private static bool TryReadWhole(ReadOnlySpan<byte> source, out ulong bits, out bool isNegative, out int bytesRead)
    {
        bits = 0;
        isNegative = false;
        bytesRead = 1;
        if (source.IsEmpty)
            return false;
        byte code = source[0];
        if (code is <= 0x7F or >= 0xE0)
        {
            bits = (ulong)(sbyte)code;
            isNegative = code >= 0xE0;
            return true;
        }

        if (code is < MessagePackCode.UInt8 or > MessagePackCode.Int64)
        {
            bytesRead = 0;
            return false;
        }

        bytesRead = 1 + (1 << (code & 3));
        if (source.Length < bytesRead)
            return false;
        ref byte p = ref Unsafe.Add(ref MemoryMarshal.GetReference(source), 1);
        switch (code)
        {
            case MessagePackCode.UInt8: bits = p; break;
            case MessagePackCode.UInt16: bits = BigEndian.ReadUInt16(ref p); break;
            case MessagePackCode.UInt32: bits = BigEndian.ReadUInt32(ref p); break;
            case MessagePackCode.UInt64: bits = BigEndian.ReadUInt64(ref p); break;
            case MessagePackCode.Int8: bits = (ulong)(sbyte)p; break;
            case MessagePackCode.Int16: bits = (ulong)(short)BigEndian.ReadUInt16(ref p); break;
            case MessagePackCode.Int32: bits = (ulong)(int)BigEndian.ReadUInt32(ref p); break;
            default: bits = BigEndian.ReadUInt64(ref p); break;
        }

        isNegative = code >= MessagePackCode.Int8 && (long)bits < 0;
        return true;
    }

    private static bool TryReadFloat(ReadOnlySpan<byte> source, out double value, out int bytesRead)
    {
        value = 0;
        bytesRead = 1;
        if (source.IsEmpty)
            return false;
        bytesRead = source[0] == MessagePackCode.Float64 ? 9 : source[0] == MessagePackCode.Float32 ? 5 : 0;
        if (bytesRead == 0 || source.Length < bytesRead)
            return false;
        ref byte p = ref Unsafe.Add(ref MemoryMarshal.GetReference(source), 1);
        if (bytesRead == 9)
        {
            value = BitConverter.Int64BitsToDouble((long)BigEndian.ReadUInt64(ref p));
            return true;
        }

        uint bits = BigEndian.ReadUInt32(ref p);
        value = Unsafe.As<uint, float>(ref bits);
        return true;
    }
}
