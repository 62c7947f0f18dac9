using System;
using System.Runtime.CompilerServices;
using Formatters.Custom;
using Formatters.Generated;

namespace Formatters;

/// <summary>The structure of a value of the compact format, without its type, which only the contract has: docs/wire/compact.md.</summary>
internal enum CompactKind
{
    /// <summary>An integer, in the first byte or in the first two.</summary>
    Integer,

    /// <summary>Bytes: of an integer, a string, a date and so on.</summary>
    Content,

    /// <summary>Bytes of the complement of a negative integer.</summary>
    Negative,

    /// <summary>Values.</summary>
    Array,

    /// <summary>Entries, each a key and a value.</summary>
    Map,

    /// <summary>A null.</summary>
    Null,
}

/// <summary>The head of a compact value.</summary>
/// <param name="Kind">How far the value reaches.</param>
/// <param name="Argument">The integer, the number of bytes, or the number of elements or entries.</param>
/// <param name="ByteCount">How many bytes these are.</param>
internal readonly record struct CompactHead(CompactKind Kind, long Argument, int ByteCount)
{
    internal const byte MaxSmall = 0x7F;
    internal const byte Content = 0x80;
    internal const byte Negative = 0xA8;
    internal const byte Array = 0xB0;
    internal const byte Map = 0xC0;
    internal const byte Null = 0xD0;
    internal const byte LongContent = 0xD1;
    internal const byte LongArray = 0xD4;
    internal const byte LongMap = 0xD7;
    internal const byte TwoBytes = 0xDA;
    internal const byte SmallNegative = 0xE0;

    /// <summary>The first byte of a string in UTF-16.</summary>
    internal const byte Utf16 = 0xFF;

    internal const int MaxShortContent = Negative - Content - 1;
    internal const int MaxShortCount = 15;
    internal const int MinSmall = -32;

    /// <summary>The smallest integer that needs two bytes, and the first that does not fit into them.</summary>
    internal const int MinTwoBytes = 128;
    internal const int EndOfTwoBytes = MinTwoBytes + ((SmallNegative - TwoBytes) * 256);

    /// <summary>Peeks at the head of the next value, without advancing.</summary>
    /// <exception cref="MessageFormatException">The body ends before its end, or a number is in more bytes than it needs.</exception>
    internal static CompactHead Peek(ref WireReader reader)
    {
        ref byte p = ref reader.Input.Require(1);
        int first = p;
        switch (first)
        {
            case < Content:
                return new CompactHead(CompactKind.Integer, first, 1);
            case < Negative:
                return new CompactHead(CompactKind.Content, first - Content, 1);
            case < Array:
                return new CompactHead(CompactKind.Negative, first - Negative + 1, 1);
            case < Map:
                return new CompactHead(CompactKind.Array, first - Array, 1);
            case < Null:
                return new CompactHead(CompactKind.Map, first - Map, 1);
            case Null:
                return new CompactHead(CompactKind.Null, 0, 1);
            case < LongArray:
                return PeekLong(ref reader, CompactKind.Content, first - LongContent, MaxShortContent);
            case < LongMap:
                return PeekLong(ref reader, CompactKind.Array, first - LongArray, MaxShortCount);
            case < TwoBytes:
                return PeekLong(ref reader, CompactKind.Map, first - LongMap, MaxShortCount);
            case < SmallNegative:
                return new CompactHead(CompactKind.Integer, MinTwoBytes + ((first - TwoBytes) << 8) + Unsafe.Add(ref reader.Input.Require(2), 1), 2);
            default:
                return new CompactHead(CompactKind.Integer, (sbyte)first, 1);
        }
    }

    /// <summary>Reads a number of up to eight bytes, lowest first.</summary>
    internal static ulong ToNumber(ReadOnlySpan<byte> content)
    {
        ulong value = 0;
        for (int i = content.Length - 1; i >= 0; i--)
            value = (value << 8) | content[i];
        return value;
    }

    private static CompactHead PeekLong(ref WireReader reader, CompactKind kind, int size, int maxShort)
    {
        int byteCount = 1 + (1 << size);
        ref byte content = ref Unsafe.Add(ref reader.Input.Require(byteCount), 1);
        long argument = size switch
        {
            0 => content,
            1 => (ushort)LittleEndian.ReadInt16(ref content),
            _ => (uint)LittleEndian.ReadInt32(ref content),
        };
        if (argument <= (size switch { 0 => maxShort, 1 => byte.MaxValue, _ => ushort.MaxValue }))
            ThrowHelper.ThrowMalformed(reader.ByteOffset, "A length or a count is in more bytes than it needs.");
        return new CompactHead(kind, argument, byteCount);
    }
}
