using System;
using System.Collections.Generic;
using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;

namespace Formatters.Generated;

// protobuf, read: at a position in a local while the fields come in the form and order that is expected, else by the methods of the reader itself.
public static partial class ContractCode
{
    /// <inheritdoc cref="Level{TMode}(ref BinaryBodyReader)"/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static int Level<TMode>(ref ProtobufBodyReader reader)
        where TMode : struct, IMode => typeof(TMode) == typeof(Traced) ? reader.Path!.Level : 0;

    /// <inheritdoc cref="At{TMode}(ref BinaryBodyReader, int, string)"/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void At<TMode>(ref ProtobufBodyReader reader, int level, string member)
        where TMode : struct, IMode
    {
        if (typeof(TMode) == typeof(Traced))
            reader.Path!.Set(level, member);
    }

    /// <inheritdoc cref="At{TMode}(ref BinaryBodyReader, int, int)"/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void At<TMode>(ref ProtobufBodyReader reader, int level, int index)
        where TMode : struct, IMode
    {
        if (typeof(TMode) == typeof(Traced))
            reader.Path!.Set(level, index);
    }

    /// <inheritdoc cref="At{TMode}(ref BinaryBodyReader, int)"/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void At<TMode>(ref ProtobufBodyReader reader, int level)
        where TMode : struct, IMode
    {
        if (typeof(TMode) == typeof(Traced))
            reader.Path!.Cut(level);
    }

    /// <summary>Takes the position from a reader.</summary>
    /// <param name="reader">The reader.</param>
    /// <returns>Where the next byte is.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ref byte Begin(ref ProtobufBodyReader reader) => ref reader.Begin();

    /// <summary>Gives the position back to the reader.</summary>
    /// <param name="reader">The reader.</param>
    /// <param name="position">Where the next byte is.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void End(ref ProtobufBodyReader reader, ref byte position) => reader.End(ref position);

    /// <summary>Whether a tag is the next, in its shortest form.</summary>
    /// <param name="reader">The reader.</param>
    /// <param name="position">Where the next byte is.</param>
    /// <param name="tag">The tag, of one or two bytes.</param>
    /// <param name="tagByteCount">How many.</param>
    /// <returns>Whether it is; the position stays.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static bool IsTag(ref ProtobufBodyReader reader, ref byte position, uint tag, int tagByteCount) =>
        reader.RemainingAt(ref position) >= tagByteCount
        && (tagByteCount == 1 ? position == (byte)tag : LittleEndian.ReadInt16(ref position) == (short)((tag & 0x7F) | 0x80 | (tag >> 7 << 8)));

    /// <summary>Reads the tag of any field.</summary>
    /// <param name="reader">The reader.</param>
    /// <returns>The tag; 0 at the end of the message.</returns>
    /// <exception cref="MessageFormatException">The bytes are no tag.</exception>
    public static uint GetTag(ref ProtobufBodyReader reader) => reader.ReadTag();

    /// <summary>Passes over a tag, if it is the next in its shortest form.</summary>
    /// <param name="reader">The reader.</param>
    /// <param name="tag">The tag.</param>
    /// <param name="tagByteCount">How many bytes it has.</param>
    /// <returns>Whether it was.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static bool TryTakeTag(ref ProtobufBodyReader reader, uint tag, int tagByteCount)
    {
        ref byte position = ref reader.Begin();
        if (tagByteCount > 2 || !IsTag(ref reader, ref position, tag, tagByteCount))
            return false;
        reader.End(ref Unsafe.Add(ref position, tagByteCount));
        return true;
    }

    /// <summary>Passes over a field.</summary>
    /// <param name="reader">The reader, behind the tag.</param>
    /// <param name="tag">The tag.</param>
    /// <exception cref="MessageFormatException">The value is bad.</exception>
    public static void SkipField(ref ProtobufBodyReader reader, uint tag) => reader.Skip((int)(tag >> 3), (ProtobufWireType)(tag & 7));

    /// <summary>Passes over a field, and keeps it.</summary>
    /// <param name="reader">The reader, behind the tag.</param>
    /// <param name="tag">The tag.</param>
    /// <param name="tagOffset">Where it begins.</param>
    /// <param name="unknown">Receives it; made where it is the first.</param>
    /// <exception cref="MessageFormatException">The value is bad.</exception>
    public static void KeepField(ref ProtobufBodyReader reader, uint tag, int tagOffset, ref UnknownMembers? unknown)
    {
        SkipField(ref reader, tag);
        (unknown ??= new UnknownMembers()).AddField(ref reader, (int)(tag >> 3), tagOffset);
    }

    /// <summary>Joins the unknown fields of a message that came in two parts.</summary>
    /// <param name="first">Those of the first; null for none.</param>
    /// <param name="second">Those of the second; null for none.</param>
    /// <returns>All; null for none.</returns>
    public static UnknownMembers? JoinUnknown(UnknownMembers? first, UnknownMembers? second) =>
        first is null ? second : second is null ? first : first.Join(second);

    /// <summary>Refuses a body without a member.</summary>
    /// <param name="reader">The reader, at the end of the message.</param>
    [DoesNotReturn]
    public static void ThrowMissingMember(ref ProtobufBodyReader reader) => ThrowHelper.ThrowMissingMember(reader.ByteOffset);

    /// <summary>Reads a value at a position.</summary>
    /// <param name="reader">The reader.</param>
    /// <param name="position">Where the value is.</param>
    /// <param name="value">The value.</param>
    /// <returns>The position behind it.</returns>
    /// <exception cref="MessageFormatException">The value is bad, or the body ends before.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ref byte Get(ref ProtobufBodyReader reader, ref byte position, out ulong value)
    {
        if (reader.RemainingAt(ref position) >= sizeof(short))
        {
            uint low = position;
            if (low < 0x80)
            {
                value = low;
                return ref Unsafe.Add(ref position, 1);
            }

            uint high = Unsafe.Add(ref position, 1);
            if (high < 0x80)
            {
                value = (low & 0x7F) | (high << 7);
                return ref Unsafe.Add(ref position, 2);
            }
        }

        return ref GetLarge(ref reader, ref position, out value);
    }

    /// <inheritdoc cref="Get(ref ProtobufBodyReader, ref byte, out ulong)"/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ref byte Get(ref ProtobufBodyReader reader, ref byte position, out int value)
    {
        position = ref Get(ref reader, ref position, out ulong wide);
        value = (int)wide;
        return ref position;
    }

    /// <inheritdoc cref="Get(ref ProtobufBodyReader, ref byte, out ulong)"/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ref byte Get(ref ProtobufBodyReader reader, ref byte position, out uint value)
    {
        position = ref Get(ref reader, ref position, out ulong wide);
        value = (uint)wide;
        return ref position;
    }

    /// <inheritdoc cref="Get(ref ProtobufBodyReader, ref byte, out ulong)"/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ref byte Get(ref ProtobufBodyReader reader, ref byte position, out long value)
    {
        position = ref Get(ref reader, ref position, out ulong wide);
        value = (long)wide;
        return ref position;
    }

    /// <inheritdoc cref="Get(ref ProtobufBodyReader, ref byte, out ulong)"/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ref byte Get(ref ProtobufBodyReader reader, ref byte position, out bool value)
    {
        position = ref Get(ref reader, ref position, out ulong wide);
        value = wide != 0;
        return ref position;
    }

    /// <summary>Reads a zigzag varint at a position.</summary>
    /// <inheritdoc cref="Get(ref ProtobufBodyReader, ref byte, out ulong)"/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ref byte GetZigZag(ref ProtobufBodyReader reader, ref byte position, out int value)
    {
        position = ref Get(ref reader, ref position, out ulong wide);
        value = ProtobufBytes.UnZigZag((uint)wide);
        return ref position;
    }

    /// <inheritdoc cref="GetZigZag(ref ProtobufBodyReader, ref byte, out int)"/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ref byte GetZigZag(ref ProtobufBodyReader reader, ref byte position, out long value)
    {
        position = ref Get(ref reader, ref position, out ulong wide);
        value = ProtobufBytes.UnZigZag(wide);
        return ref position;
    }

    /// <summary>Reads an integer of 4 or 8 bytes at a position.</summary>
    /// <inheritdoc cref="Get(ref ProtobufBodyReader, ref byte, out ulong)"/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ref byte GetFixed(ref ProtobufBodyReader reader, ref byte position, out int value)
    {
        Require(ref reader, ref position, sizeof(int));
        value = LittleEndian.ReadInt32(ref position);
        return ref Unsafe.Add(ref position, sizeof(int));
    }

    /// <inheritdoc cref="GetFixed(ref ProtobufBodyReader, ref byte, out int)"/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ref byte GetFixed(ref ProtobufBodyReader reader, ref byte position, out uint value)
    {
        position = ref GetFixed(ref reader, ref position, out int signed);
        value = (uint)signed;
        return ref position;
    }

    /// <inheritdoc cref="GetFixed(ref ProtobufBodyReader, ref byte, out int)"/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ref byte GetFixed(ref ProtobufBodyReader reader, ref byte position, out long value)
    {
        Require(ref reader, ref position, sizeof(long));
        value = LittleEndian.ReadInt64(ref position);
        return ref Unsafe.Add(ref position, sizeof(long));
    }

    /// <inheritdoc cref="GetFixed(ref ProtobufBodyReader, ref byte, out int)"/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ref byte GetFixed(ref ProtobufBodyReader reader, ref byte position, out ulong value)
    {
        position = ref GetFixed(ref reader, ref position, out long signed);
        value = (ulong)signed;
        return ref position;
    }

    /// <inheritdoc cref="Get(ref ProtobufBodyReader, ref byte, out ulong)"/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ref byte Get(ref ProtobufBodyReader reader, ref byte position, out double value)
    {
        Require(ref reader, ref position, sizeof(double));
        value = LittleEndian.ReadDouble(ref position);
        return ref Unsafe.Add(ref position, sizeof(double));
    }

    /// <inheritdoc cref="Get(ref ProtobufBodyReader, ref byte, out ulong)"/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ref byte Get(ref ProtobufBodyReader reader, ref byte position, out float value)
    {
        Require(ref reader, ref position, sizeof(float));
        value = LittleEndian.ReadSingle(ref position);
        return ref Unsafe.Add(ref position, sizeof(float));
    }

    /// <inheritdoc cref="Get(ref ProtobufBodyReader, ref byte, out ulong)"/>
    public static ref byte Get(ref ProtobufBodyReader reader, ref byte position, out DateTime value)
    {
        reader.End(ref position);
        value = reader.ReadTimestamp();
        return ref reader.Begin();
    }

    /// <inheritdoc cref="Get(ref ProtobufBodyReader, ref byte, out ulong)"/>
    public static ref byte Get(ref ProtobufBodyReader reader, ref byte position, out TimeSpan value)
    {
        reader.End(ref position);
        value = reader.ReadDuration();
        return ref reader.Begin();
    }

    /// <summary>Reads a text at a position.</summary>
    /// <param name="reader">The reader.</param>
    /// <param name="position">Where the text is.</param>
    /// <param name="existing">The text to give if it is equal.</param>
    /// <param name="value">The text.</param>
    /// <returns>The position behind it.</returns>
    /// <exception cref="MessageFormatException">Bad text, or the body ends before.</exception>
    /// <remarks>Inlined: each copy learns the length of its own member. Row "generated protobuf", read.</remarks>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ref byte Get(ref ProtobufBodyReader reader, ref byte position, string? existing, out string value)
    {
#if NET
        int remaining = reader.RemainingAt(ref position);
        if (System.Runtime.Intrinsics.Vector128.IsHardwareAccelerated && remaining > 8)
        {
            int byteCount = position;
            ref byte text = ref Unsafe.Add(ref position, 1);
            if ((uint)(byteCount - 8) <= 32 - 8 && byteCount < remaining && Utf8Text.IsShortAscii(ref text, byteCount))
            {
                value = Utf8Text.ReadShortAscii(ref text, byteCount, existing);
                return ref Unsafe.Add(ref text, (nint)(uint)byteCount);
            }
        }
#endif
        return ref GetOther(ref reader, ref position, existing, out value);
    }

    /// <summary>As <see cref="Get(ref ProtobufBodyReader, ref byte, string, out string)"/>, not inlined, for records of many texts.</summary>
    /// <inheritdoc cref="Get(ref ProtobufBodyReader, ref byte, string, out string)"/>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public static ref byte GetOther(ref ProtobufBodyReader reader, ref byte position, string? existing, out string value)
    {
        int remaining = reader.RemainingAt(ref position);
        if (remaining > 0)
        {
            int byteCount = position;
            if (byteCount < 0x80 && byteCount < remaining && Utf8Text.Read(ref Unsafe.Add(ref position, 1), byteCount, existing) is string text)
            {
                value = text;
                return ref Unsafe.Add(ref position, 1 + byteCount);
            }
        }

        reader.End(ref position);
        value = reader.ReadString(existing);
        return ref reader.Begin();
    }

    /// <summary>Begins a list at its first field: the existing one from its start or from its end on, or a new one.</summary>
    /// <typeparam name="T">The type of the elements.</typeparam>
    /// <param name="value">What the member holds.</param>
    /// <param name="mode">As in <see cref="GetField"/>.</param>
    /// <param name="elementCount">How many of its elements are already of this body.</param>
    /// <returns>The list.</returns>
    public static List<T> BeginList<T>(List<T>? value, int mode, out int elementCount)
    {
        List<T> list = mode != (int)FieldMode.New && value?.GetType() == typeof(List<T>) ? value
            : mode == (int)FieldMode.Merge && value is not null ? new List<T>(value) : [];
        elementCount = mode == (int)FieldMode.Merge ? list.Count : 0;
        return list;
    }

    /// <summary>Checks that there may be one more element.</summary>
    /// <typeparam name="T">The type of the elements.</typeparam>
    /// <param name="reader">The reader.</param>
    /// <param name="list">The list.</param>
    /// <param name="elementCount">How many elements have been read.</param>
    /// <param name="allocation">About how many bytes an element takes in memory.</param>
    /// <returns>The element that is there already, and may be filled; else null.</returns>
    /// <exception cref="MessageFormatException">Above the limits.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static T? NextElement<T>(ref ProtobufBodyReader reader, List<T> list, int elementCount, int allocation)
    {
        if (elementCount >= reader.Limits.MaxElementCount)
            ThrowHelper.ThrowTooManyElements(reader.ByteOffset, elementCount + 1L, reader.Limits.MaxElementCount);
        if (elementCount < list.Count)
            return list[elementCount];
        reader.Charge(reader.ByteOffset, 1, allocation);
        return default;
    }

    /// <summary>Puts an element to its place.</summary>
    /// <typeparam name="T">The type of the elements.</typeparam>
    /// <param name="list">The list.</param>
    /// <param name="elementCount">How many elements have been read before.</param>
    /// <param name="element">The element.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void SetElement<T>(List<T> list, int elementCount, T element)
    {
        if (elementCount < list.Count)
            list[elementCount] = element;
        else
            list.Add(element);
    }

    /// <summary>Completes a list at the end of the message.</summary>
    /// <typeparam name="T">The type of the elements.</typeparam>
    /// <param name="value">What the member holds.</param>
    /// <param name="elementCount">How many elements have been read; -1 for no field.</param>
    /// <param name="mode">As in <see cref="GetField"/>.</param>
    /// <param name="isNullable">Whether it may be null.</param>
    /// <returns>What it is to hold.</returns>
    public static List<T>? FinishList<T>(List<T>? value, int elementCount, int mode, bool isNullable)
    {
        if (elementCount >= 0)
        {
            if (value!.Count > elementCount)
                value.RemoveRange(elementCount, value.Count - elementCount);
            return value;
        }

        if (mode == (int)FieldMode.Merge)
            return value;
        if (isNullable)
            return null;
        if (value is null || value.GetType() != typeof(List<T>) || mode == (int)FieldMode.New && value.Count > 0)
            return [];
        value.Clear();
        return value;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static void Require(ref ProtobufBodyReader reader, ref byte position, int byteCount)
    {
        if (reader.RemainingAt(ref position) < byteCount)
            ThrowTruncated(ref reader, ref position, byteCount);
    }

    [DoesNotReturn]
    private static void ThrowTruncated(ref ProtobufBodyReader reader, ref byte position, int byteCount)
    {
        reader.End(ref position);
        reader.ThrowTruncated(byteCount);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static ref byte GetLarge(ref ProtobufBodyReader reader, ref byte position, out ulong value)
    {
        reader.End(ref position);
        value = reader.ReadUInt64();
        return ref reader.Begin();
    }
}
