using System;
using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;

namespace Formatters.Generated;

// MessagePack, read: values by the methods of the reader itself.
public static partial class ContractCode
{
    /// <inheritdoc cref="Level(ref BinaryBodyReader)"/>
    public static int Level(ref MessagePackBodyReader reader) => reader.Path!.Level;

    /// <inheritdoc cref="At(ref BinaryBodyReader, int, string)"/>
    public static void At(ref MessagePackBodyReader reader, int level, string member) => reader.Path!.Set(level, member);

    /// <inheritdoc cref="At(ref BinaryBodyReader, int, int)"/>
    public static void At(ref MessagePackBodyReader reader, int level, int index) => reader.Path!.Set(level, index);

    /// <inheritdoc cref="At(ref BinaryBodyReader, int)"/>
    public static void At(ref MessagePackBodyReader reader, int level) => reader.Path!.Cut(level);

    /// <summary>Counts a record without further ones in it as a level of nesting.</summary>
    /// <param name="reader">The reader.</param>
    /// <exception cref="MessageFormatException">Deeper than the limits allow.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void Touch(ref MessagePackBodyReader reader) => reader.Touch();

    /// <summary>Takes the position from a reader.</summary>
    /// <param name="reader">The reader.</param>
    /// <returns>Where the next byte is.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ref byte Begin(ref MessagePackBodyReader reader) => ref reader.Begin();

    /// <summary>Gives the position back to the reader.</summary>
    /// <param name="reader">The reader.</param>
    /// <param name="position">Where the next byte is.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void End(ref MessagePackBodyReader reader, ref byte position) => reader.End(ref position);

    /// <summary>As <see cref="End(ref MessagePackBodyReader, ref byte)"/> if traced: a setter that refuses the value behind which the position is shall be told with the right offset.</summary>
    /// <typeparam name="TMode">The mode.</typeparam>
    /// <param name="reader">The reader.</param>
    /// <param name="position">Where the next byte is.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void EndTraced<TMode>(ref MessagePackBodyReader reader, ref byte position)
        where TMode : struct, IMode
    {
        if (typeof(TMode) == typeof(Traced))
            reader.End(ref position);
    }

    /// <summary>Whether the next value is an array of a constant number of elements, in its shortest form, and within the limits.</summary>
    /// <param name="reader">The reader.</param>
    /// <param name="position">Where the next byte is.</param>
    /// <param name="elementCount">The number, up to 65,535.</param>
    /// <returns>False also of an array that is to be refused.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static bool IsArrayOf(ref MessagePackBodyReader reader, ref byte position, int elementCount) =>
        elementCount <= MessagePackCode.MaxFixCount
            ? reader.RemainingAt(ref position) > elementCount && position == (MessagePackCode.FixArray | elementCount) && reader.Limits.MaxElementCount >= elementCount
            : reader.RemainingAt(ref position) > elementCount + 2 && position == MessagePackCode.Array16
                && BigEndian.ReadUInt16(ref Unsafe.Add(ref position, 1)) == elementCount && reader.Limits.MaxElementCount >= elementCount;

    /// <summary>Moves the position to the first element of an array that <see cref="IsArrayOf"/> has found.</summary>
    /// <param name="position">Where the array is.</param>
    /// <param name="elementCount">Its number of elements.</param>
    /// <returns>Where the element is.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ref byte MoveIntoArray(ref byte position, int elementCount) => ref Unsafe.Add(ref position, elementCount <= MessagePackCode.MaxFixCount ? 1 : 3);

    /// <summary>Moves the position behind what has been read.</summary>
    /// <param name="position">Where the next byte is.</param>
    /// <param name="byteCount">How many bytes have been read.</param>
    /// <returns>The position behind them.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ref byte Move(ref byte position, int byteCount) => ref Unsafe.Add(ref position, (nint)(uint)byteCount);

    /// <summary>Reads a value at a position, which stays: the reader itself does where the value is not in the form that is expected.</summary>
    /// <param name="reader">The reader.</param>
    /// <param name="position">Where the value is.</param>
    /// <param name="byteCount">How many bytes it has.</param>
    /// <returns>The value.</returns>
    /// <exception cref="MessageFormatException">Another value, or the body ends before.</exception>
    /// <remarks>No count is passed on by reference, so that it stays in a register. Row "generated MessagePack", overwrite: a third less time.</remarks>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static int UnpackInt32(ref MessagePackBodyReader reader, ref byte position, out int byteCount)
    {
        if (reader.RemainingAt(ref position) >= 3)
        {
            int small = (sbyte)position;
            byteCount = 1;
            if (small >= MessagePackCode.MinFixInt)
                return small;
            byteCount = 3;
            if (position == MessagePackCode.UInt16)
                return BigEndian.ReadUInt16(ref Unsafe.Add(ref position, 1));
        }

        int value = UnpackOtherInt32(ref reader, ref position);
        byteCount = reader.BytesReadSince(ref position);
        return value;
    }

    /// <inheritdoc cref="UnpackInt32"/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static double UnpackDouble(ref MessagePackBodyReader reader, ref byte position, out int byteCount)
    {
        if (reader.RemainingAt(ref position) >= 9 && position == MessagePackCode.Float64)
        {
            byteCount = 9;
            return BitConverter.Int64BitsToDouble((long)BigEndian.ReadUInt64(ref Unsafe.Add(ref position, 1)));
        }

        double value = UnpackOtherDouble(ref reader, ref position);
        byteCount = reader.BytesReadSince(ref position);
        return value;
    }

    /// <summary>Reads a text at a position, which stays.</summary>
    /// <param name="reader">The reader.</param>
    /// <param name="position">Where the text is.</param>
    /// <param name="existing">The text to return if it is equal.</param>
    /// <param name="byteCount">How many bytes it has, with its header.</param>
    /// <returns>The text.</returns>
    /// <exception cref="MessageFormatException">Another value, bad text, or the body ends before.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static string UnpackText(ref MessagePackBodyReader reader, ref byte position, string? existing, out int byteCount)
    {
        string value = UnpackOtherText(ref reader, ref position, existing);
        byteCount = reader.BytesReadSince(ref position);
        return value;
    }

    /// <inheritdoc cref="UnpackText"/>
    /// <remarks>Inlined: each copy learns the length of its own member. Row "generated MessagePack", read.</remarks>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static string UnpackTextInline(ref MessagePackBodyReader reader, ref byte position, string? existing, out int byteCount)
    {
#if NET
        int remaining = reader.RemainingAt(ref position);
        if (System.Runtime.Intrinsics.Vector128.IsHardwareAccelerated && remaining > 8)
        {
            int contentByteCount = position - MessagePackCode.FixStr;
            ref byte text = ref Unsafe.Add(ref position, 1);
            if ((uint)(contentByteCount - 8) <= MessagePackCode.MaxFixStr - 8 && contentByteCount < remaining && Utf8Text.IsShortAscii(ref text, contentByteCount))
            {
                byteCount = 1 + contentByteCount;
                return Utf8Text.ReadShortAscii(ref text, contentByteCount, existing);
            }
        }
#endif
        return UnpackText(ref reader, ref position, existing, out byteCount);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static int UnpackOtherInt32(ref MessagePackBodyReader reader, ref byte position)
    {
        reader.End(ref position);
        return reader.ReadInt32();
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static double UnpackOtherDouble(ref MessagePackBodyReader reader, ref byte position)
    {
        reader.End(ref position);
        return reader.ReadDouble();
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static string UnpackOtherText(ref MessagePackBodyReader reader, ref byte position, string? existing)
    {
#if NET
        // Of 0 to 7 characters; row "generated MessagePack", read of order-0.
        int contentByteCount = reader.RemainingAt(ref position) > 0 ? position - MessagePackCode.FixStr : -1;
        ref byte text = ref Unsafe.Add(ref position, 1);
        if ((uint)contentByteCount < 8 && contentByteCount < reader.RemainingAt(ref position)
            && (contentByteCount == 0 || System.Runtime.Intrinsics.Vector128.IsHardwareAccelerated && Utf8Text.IsTinyAscii(ref text, contentByteCount)))
        {
            reader.End(ref Unsafe.Add(ref text, contentByteCount));
            return contentByteCount == 0 ? "" : Utf8Text.ReadTinyAscii(ref text, contentByteCount, existing);
        }
#endif
        reader.End(ref position);
        return reader.ReadString(existing);
    }

    /// <summary>Reads a key if it is the one that is expected, in its shortest form.</summary>
    /// <param name="reader">The reader.</param>
    /// <param name="key">The key as a whole value.</param>
    /// <returns>Whether it was.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static bool TryReadKey(ref MessagePackBodyReader reader, ReadOnlySpan<byte> key) => reader.TryTake(key);

    /// <summary>Reads any key, and finds its member.</summary>
    /// <param name="reader">The reader.</param>
    /// <param name="keys">The keys of all members, one behind the other, each a whole value.</param>
    /// <returns>The number of the member, from 0; -1 if there is none.</returns>
    /// <exception cref="MessageFormatException">The key is bad.</exception>
    public static int ReadKey(ref MessagePackBodyReader reader, ReadOnlySpan<byte> keys)
    {
        if (reader.NextType != MessagePackType.String)
        {
            reader.Skip();
            return -1;
        }

        return MessagePackKeys.IndexOf(keys, reader.ReadUtf8());
    }

    /// <summary>Passes over a key, of which the value will be kept.</summary>
    /// <inheritdoc cref="ReadKey(ref MessagePackBodyReader, ReadOnlySpan{byte})"/>
    /// <param name="reader">The reader.</param>
    /// <param name="keys">The keys of all members, one behind the other, each a whole value.</param>
    /// <param name="key">The key as a whole value.</param>
    public static int ReadKey(scoped ref MessagePackBodyReader reader, ReadOnlySpan<byte> keys, out ReadOnlySpan<byte> key)
    {
        int byteOffset = reader.ByteOffset;
        ReadOnlySpan<byte> remaining = reader.Remaining;
        int member = ReadKey(ref reader, keys);
        key = remaining.Slice(0, reader.ByteOffset - byteOffset);
        return member;
    }

    /// <summary>Passes over elements that no member stands for.</summary>
    /// <typeparam name="TMode">The mode.</typeparam>
    /// <param name="reader">The reader.</param>
    /// <param name="level">The level of the record.</param>
    /// <param name="elementCount">How many.</param>
    /// <exception cref="MessageFormatException">A value is bad.</exception>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public static void SkipElements<TMode>(ref MessagePackBodyReader reader, int level, int elementCount)
        where TMode : struct, IMode
    {
        if (typeof(TMode) == typeof(Traced))
            At(ref reader, level);
        for (; elementCount > 0; elementCount--)
            reader.Skip();
    }

    /// <summary>Refuses the second entry for a member.</summary>
    /// <typeparam name="TMode">The mode.</typeparam>
    /// <param name="reader">The reader.</param>
    /// <param name="level">The level of the record.</param>
    /// <param name="member">The name of the member.</param>
    /// <param name="byteOffset">Where its key begins.</param>
    [DoesNotReturn]
    public static void ThrowDuplicateMember<TMode>(ref MessagePackBodyReader reader, int level, string member, int byteOffset)
        where TMode : struct, IMode
    {
        if (typeof(TMode) == typeof(Traced))
            At(ref reader, level, member);
        ContractMethods.ThrowDuplicateKey(byteOffset);
    }

    /// <summary>Refuses an array that has not as many elements as its type has members.</summary>
    /// <param name="byteOffset">Where it begins.</param>
    /// <param name="type">The type.</param>
    [DoesNotReturn]
    public static void ThrowBadValue(int byteOffset, Type type) => ThrowHelper.ThrowBadValue(byteOffset, type.Name);

    /// <summary>Reads bytes.</summary>
    /// <param name="reader">The reader.</param>
    /// <returns>A copy.</returns>
    public static Memory<byte> UnpackMemory(ref MessagePackBodyReader reader) => reader.ReadBytes();

    /// <inheritdoc cref="UnpackMemory"/>
    public static ReadOnlyMemory<byte> UnpackReadOnlyMemory(ref MessagePackBodyReader reader) => reader.ReadBytes();

    /// <inheritdoc cref="UnpackMemory"/>
    public static ArraySegment<byte> UnpackArraySegment(ref MessagePackBodyReader reader) => new(reader.ReadBytes());
}
