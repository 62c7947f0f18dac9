using System;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Formatters.Generated;

// What is read at a position in a local, which the reader gets back after a row of such members; and constant keys. docs/decisions/0005-one-traversal.md has what it brought.
public static partial class WireCode
{
    /// <summary>Whether the next value is an array of a constant number of elements, in its shortest form, and within the limits.</summary>
    /// <typeparam name="TFormat">The format.</typeparam>
    /// <param name="reader">The reader.</param>
    /// <param name="position">Where the next byte is.</param>
    /// <param name="count">The number.</param>
    /// <param name="byteCount">Receives how many bytes the header has.</param>
    /// <returns>False also for an array that is to be refused.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static bool IsArrayOf<TFormat>(ref WireReader reader, ref byte position, int count, out int byteCount)
        where TFormat : struct, IWireFormat =>
        default(TFormat).IsArrayOf(ref position, reader.Input.RemainingAt(ref position), count, out byteCount) && reader.Input.Limits.MaxElementCount >= count;

    /// <summary>Reads a value at a position, which stays: by the reader where the value is not in a frequent form.</summary>
    /// <typeparam name="TFormat">The format.</typeparam>
    /// <param name="reader">The reader.</param>
    /// <param name="position">Where the value is.</param>
    /// <param name="byteCount">Receives how many bytes it has.</param>
    /// <returns>The value.</returns>
    /// <exception cref="MessageFormatException">Another value is next, or the body ends before its end.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static int ReadInt32<TFormat>(ref WireReader reader, ref byte position, out int byteCount)
        where TFormat : struct, IWireFormat => default(TFormat).ReadInt32(ref reader, ref position, out byteCount);

    /// <inheritdoc cref="ReadInt32{TFormat}(ref WireReader, ref byte, out int)"/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static double ReadDouble<TFormat>(ref WireReader reader, ref byte position, out int byteCount)
        where TFormat : struct, IWireFormat => default(TFormat).ReadDouble(ref reader, ref position, out byteCount);

    /// <summary>Reads a key if it is the one that is expected, and its first byte is all of its header.</summary>
    /// <typeparam name="TFormat">The format.</typeparam>
    /// <param name="reader">The reader.</param>
    /// <param name="name">The key in UTF-8.</param>
    /// <returns>Whether it was.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static bool TryReadKey<TFormat>(ref WireReader reader, ReadOnlySpan<byte> name)
        where TFormat : struct, IWireFormat
    {
        if (name.Length > default(TFormat).MaxShortTextByteCount)
            return false;
        ReadOnlySpan<byte> remaining = reader.Input.Remaining;
        if (remaining.Length <= name.Length || remaining[0] != default(TFormat).ShortTextCode + name.Length || !remaining.Slice(1, name.Length).SequenceEqual(name))
            return false;
        reader.Input.Advance(1 + name.Length);
        return true;
    }

    /// <summary>Writes a key, for which the bytes are reserved.</summary>
    /// <typeparam name="TFormat">The format.</typeparam>
    /// <param name="position">Where the next byte goes.</param>
    /// <param name="name">The key in UTF-8.</param>
    /// <returns>The position after it.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ref byte WriteKey<TFormat>(ref byte position, ReadOnlySpan<byte> name)
        where TFormat : struct, IWireFormat
    {
        position = ref default(TFormat).WriteTextHeader(ref position, name.Length);
        Unsafe.CopyBlockUnaligned(ref position, ref MemoryMarshal.GetReference(name), (uint)name.Length);
        return ref Unsafe.Add(ref position, name.Length);
    }

    /// <summary>Reads by the reader a value that is at a position in a local; <see cref="WireReader.ByteCountSince"/> has how many bytes it has.</summary>
    /// <remarks>Not by an <c>out</c> parameter: that of a call would keep the number in memory, 9 % of reading an order with 50 items over an equal one.</remarks>
    [MethodImpl(MethodImplOptions.NoInlining)]
    internal static int ReadOtherInt32<TFormat>(ref WireReader reader, ref byte position)
        where TFormat : struct, IWireFormat
    {
        reader.Input.MoveTo(ref position);
        return ReadInt32<TFormat>(ref reader);
    }

    /// <inheritdoc cref="ReadOtherInt32"/>
    [MethodImpl(MethodImplOptions.NoInlining)]
    internal static double ReadOtherDouble<TFormat>(ref WireReader reader, ref byte position)
        where TFormat : struct, IWireFormat
    {
        reader.Input.MoveTo(ref position);
        return default(TFormat).ReadDouble(ref reader);
    }
}
