using System;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Formatters.Custom;

namespace Formatters.Generated;

// Reading at a position in a local, which is returned to the reader after a run of such members; and constant keys.
// Why: docs/decisions/0005-one-traversal.md.
public static partial class WireCode
{
    /// <summary>
    /// Determines whether the next value is an array of a constant number of elements, in its shortest form, and within the limits.
    /// </summary>
    /// <typeparam name="TFormat">The format.</typeparam>
    /// <param name="reader">The reader.</param>
    /// <param name="position">The position of the next byte.</param>
    /// <param name="count">The number.</param>
    /// <param name="byteCount">Receives how many bytes the header has.</param>
    /// <returns>False also for an array that must be rejected.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static bool IsArrayOf<TFormat>(ref WireReader reader, ref byte position, int count, out int byteCount)
        where TFormat : struct, IWireFormat =>
        default(TFormat).IsArrayOf(ref position, reader.Input.RemainingAt(ref position), count, out byteCount)
        && reader.Input.Limits.MaxElementCount >= count;

    /// <summary>Reads a value at a position, without advancing it: with the reader if the value does not have a common form.</summary>
    /// <typeparam name="TFormat">The format.</typeparam>
    /// <param name="reader">The reader.</param>
    /// <param name="position">The position of the value.</param>
    /// <param name="byteCount">Receives how many bytes it has.</param>
    /// <returns>The value.</returns>
    /// <exception cref="MessageFormatException">Another value is next, or the body ends before its end.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static int ReadInt32<TFormat>(ref WireReader reader, ref byte position, out int byteCount)
        where TFormat : struct, IWireFormat => default(TFormat).ReadInt32(ref reader, ref position, out byteCount);

    /// <inheritdoc cref="ReadInt32{TFormat}(ref WireReader, ref byte, out int)"/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static float ReadSingle<TFormat>(ref WireReader reader, ref byte position, out int byteCount)
        where TFormat : struct, IWireFormat => default(TFormat).ReadSingle(ref reader, ref position, out byteCount);

    /// <inheritdoc cref="ReadInt32{TFormat}(ref WireReader, ref byte, out int)"/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static double ReadDouble<TFormat>(ref WireReader reader, ref byte position, out int byteCount)
        where TFormat : struct, IWireFormat => default(TFormat).ReadDouble(ref reader, ref position, out byteCount);

    /// <summary>Tries to read the expected key, if its header is its first byte.</summary>
    /// <typeparam name="TFormat">The format.</typeparam>
    /// <param name="reader">The reader.</param>
    /// <param name="name">The key in UTF-8.</param>
    /// <returns>Whether it was.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static bool TryReadKey<TFormat>(ref WireReader reader, ReadOnlySpan<byte> name)
        where TFormat : struct, IWireFormat
    {
        if (IsCustom<TFormat>() || name.Length > default(TFormat).MaxShortTextByteCount)
            return false;
        ReadOnlySpan<byte> remaining = reader.Input.Remaining;
        if (remaining.Length <= name.Length || remaining[0] != default(TFormat).ShortTextCode + name.Length
            || !remaining.Slice(1, name.Length).SequenceEqual(name))
            return false;
        reader.Input.Advance(1 + name.Length);
        return true;
    }

    /// <summary>Writes a key, for which the bytes are reserved.</summary>
    /// <typeparam name="TFormat">The format.</typeparam>
    /// <param name="writer">The writer.</param>
    /// <param name="position">The position of the next byte.</param>
    /// <param name="name">The key in UTF-8.</param>
    /// <returns>The position after it.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ref byte WriteKey<TFormat>(ref WireWriter writer, ref byte position, ReadOnlySpan<byte> name)
        where TFormat : struct, IWireFormat => ref default(TFormat).WriteUtf8(ref writer, ref position, name);

    /// <summary>Copies bytes to a position.</summary>
    /// <returns>The position after them.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static ref byte WriteContent(ref byte position, scoped ReadOnlySpan<byte> content)
    {
        Unsafe.CopyBlockUnaligned(ref position, ref MemoryMarshal.GetReference(content), (uint)content.Length);
        return ref Unsafe.Add(ref position, content.Length);
    }

    /// <summary>Reads a value at a position in a local with the reader; <see cref="WireReader.ByteCountSince"/> returns its size.</summary>
    /// <remarks>
    /// Not with an <c>out</c> parameter: that of a call would keep the number in memory, 9 % of reading an order with 50 items over an equal one.
    /// </remarks>
    [MethodImpl(MethodImplOptions.NoInlining)]
    internal static int ReadOtherInt32<TFormat>(ref WireReader reader, ref byte position)
        where TFormat : struct, IWireFormat
    {
        reader.Input.MoveTo(ref position);
        return ReadInt32<TFormat>(ref reader);
    }

    /// <inheritdoc cref="ReadOtherInt32"/>
    [MethodImpl(MethodImplOptions.NoInlining)]
    internal static float ReadOtherSingle<TFormat>(ref WireReader reader, ref byte position)
        where TFormat : struct, IWireFormat
    {
        reader.Input.MoveTo(ref position);
        return default(TFormat).ReadSingle(ref reader);
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
