using System;
using System.Collections.Generic;
using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using Formatters.Binary;
using Formatters.Protobuf;

namespace Formatters.Generated;

// protobuf, reading: at a position in a local while the fields have the expected form and order, otherwise with the methods of the reader.
public static partial class ProtobufCode
{
    /// <inheritdoc cref="ContractCode.Level(ref BinaryBodyReader)"/>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public static int Level(ref ProtobufBodyReader reader) => reader.Path!.Depth;

    /// <inheritdoc cref="ContractCode.At(ref BinaryBodyReader, int, string, int)"/>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public static void At(ref ProtobufBodyReader reader, int level, string? member = null, int index = -1) => reader.Path!.Set(level, member, index);

    /// <summary>Gets the position from a reader.</summary>
    /// <param name="reader">The reader.</param>
    /// <returns>The position of the next byte.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ref byte Begin(ref ProtobufBodyReader reader) => ref reader.Begin();

    /// <summary>Returns the position to the reader.</summary>
    /// <param name="reader">The reader.</param>
    /// <param name="position">The position of the next byte.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void End(ref ProtobufBodyReader reader, ref byte position) => reader.End(ref position);

    /// <summary>Determines whether a tag is next, in its shortest form.</summary>
    /// <param name="reader">The reader.</param>
    /// <param name="position">The position of the next byte.</param>
    /// <param name="tag">The tag, of one or two bytes.</param>
    /// <param name="tagByteCount">How many.</param>
    /// <returns>Whether it is; the position is not changed.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static bool IsTag(ref ProtobufBodyReader reader, ref byte position, uint tag, int tagByteCount) =>
        reader.RemainingAt(ref position) >= tagByteCount
        && (tagByteCount == 1 ? position == (byte)tag : LittleEndian.ReadInt16(ref position) == (short)((tag & 0x7F) | 0x80 | (tag >> 7 << 8)));

    /// <summary>Reads the tag of any field.</summary>
    /// <param name="reader">The reader.</param>
    /// <param name="tag">Receives the tag; 0 at the end of the message.</param>
    /// <returns>The position after it.</returns>
    /// <exception cref="MessageFormatException">The bytes are not a valid tag.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ref byte GetTag(ref ProtobufBodyReader reader, out uint tag)
    {
        tag = reader.ReadTag();
        return ref reader.Begin();
    }

    /// <summary>
    /// Returns the position to the reader, and determines whether the message ends here. A message in parts continues at its next part, with the
    /// reader, not the position.
    /// </summary>
    /// <param name="reader">The reader.</param>
    /// <param name="position">The position of the next byte.</param>
    /// <returns>Whether it does.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static bool IsEnd(ref ProtobufBodyReader reader, ref byte position)
    {
        reader.End(ref position);
        return reader.RemainingAt(ref position) == 0 && reader.IsAtLastPart();
    }

    /// <summary>Reads a nested message after its tag. Increments the depth.</summary>
    /// <typeparam name="TMode">The mode.</typeparam>
    /// <typeparam name="T">The type of the value.</typeparam>
    /// <typeparam name="TCode">Its generated code.</typeparam>
    /// <param name="reader">The reader, after the tag.</param>
    /// <param name="position">The same position; afterwards the end of the message, as in the reader.</param>
    /// <param name="existing">A value to fill; the default for none.</param>
    /// <param name="mergedTag">The tag, if these are more fields of the message that the value was read from; else 0.</param>
    /// <returns>The value.</returns>
    /// <exception cref="MessageFormatException">More bytes than remain; deeper than the limits allow.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static T Unwrap<TMode, T, TCode>(ref ProtobufBodyReader reader, ref byte position, T? existing, uint mergedTag)
        where TMode : struct, IMode
        where TCode : struct, IProtobufCode<T>
    {
        if (mergedTag == 0)
        {
            T? value = existing;
            int byteCount = TryReadShort<TMode, T, TCode>(ref reader, ref position, ref value);
            if (byteCount > 0)
            {
                reader.End(ref Unsafe.Add(ref position, (nint)(uint)byteCount));
                return value!;
            }
        }

        return UnwrapAny<TMode, T, TCode>(ref reader, ref position, existing, mergedTag);
    }

    /// <summary>Reads a nested message after its tag, if its code reads it without entering it. Rows "vectors" and "tree" in models.</summary>
    /// <typeparam name="TMode">The mode.</typeparam>
    /// <typeparam name="T">The type of the value.</typeparam>
    /// <typeparam name="TCode">Its generated code.</typeparam>
    /// <param name="reader">The reader, which is not changed.</param>
    /// <param name="position">The position after the tag.</param>
    /// <param name="value">A value to fill; receives the value.</param>
    /// <returns>The number of bytes of the message and its length; 0 if it must be read with <see cref="UnwrapAny"/>.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static int TryReadShort<TMode, T, TCode>(ref ProtobufBodyReader reader, ref byte position, ref T? value)
        where TMode : struct, IMode
        where TCode : struct, IProtobufCode<T>
    {
        // In traced mode, the path of an error is wanted; and the general code also finds a message that is too deep.
        int remaining = reader.RemainingAt(ref position);
        if (typeof(TMode) == typeof(Traced) || remaining == 0)
            return 0;
        int byteCount = position;
        return byteCount < 0x80 && byteCount < remaining && !reader.IsAtMaxDepth
            && default(TCode).TryReadShort(ref Unsafe.Add(ref position, 1), byteCount, ref value)
            ? 1 + byteCount
            : 0;
    }

    /// <inheritdoc cref="Unwrap"/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static T UnwrapAny<TMode, T, TCode>(ref ProtobufBodyReader reader, ref byte position, T? existing, uint mergedTag)
        where TMode : struct, IMode
        where TCode : struct, IProtobufCode<T>
    {
        int byteCount;
        int remaining = reader.RemainingAt(ref position);
        if (mergedTag != 0 || remaining == 0)
            return UnwrapParts<TMode, T, TCode>(ref reader, ref position, existing, mergedTag);
        if (position < 0x80 && position < remaining)
        {
            byteCount = position;
            position = ref Unsafe.Add(ref position, 1);
            reader.End(ref position);
        }
        else
        {
            byteCount = reader.ReadLongLength();
            position = ref reader.Begin();
        }

        int bytesBehind = reader.EnterMessage(ref position, byteCount);
        T value = default(TCode).Read<TMode>(ref reader, ref position, existing, merges: false);
        reader.LeaveMessage(bytesBehind);
        return value;
    }

    /// <summary>Skips a field.</summary>
    /// <param name="reader">The reader, after the tag.</param>
    /// <param name="tag">The tag.</param>
    /// <returns>The position after the field.</returns>
    /// <exception cref="MessageFormatException">The value is invalid.</exception>
    public static ref byte SkipField(ref ProtobufBodyReader reader, uint tag)
    {
        reader.Skip((int)(tag >> 3), (ProtobufWireType)(tag & 7));
        return ref reader.Begin();
    }

    /// <summary>Skips and stores an unknown field.</summary>
    /// <param name="reader">The reader, after the tag.</param>
    /// <param name="tag">The tag.</param>
    /// <param name="tagOffset">The offset of the tag.</param>
    /// <param name="unknown">Receives the field; created for the first.</param>
    /// <exception cref="MessageFormatException">The value is invalid.</exception>
    public static void KeepField(ref ProtobufBodyReader reader, uint tag, int tagOffset, ref UnknownMembers? unknown)
    {
        SkipField(ref reader, tag);
        (unknown ??= new UnknownMembers(BodyTypes.Protobuf, isMap: false)).AddField(ref reader, (int)(tag >> 3), tagOffset);
    }

    /// <summary>Joins the unknown fields of two parts of a message.</summary>
    /// <param name="first">The fields of the first part; null for none.</param>
    /// <param name="second">The fields of the second part; null for none.</param>
    /// <returns>All; null for none.</returns>
    public static UnknownMembers? JoinUnknown(UnknownMembers? first, UnknownMembers? second) =>
        first is null ? second : second is null ? first : first.Join(second);

    /// <summary>Throws for a body without a required member.</summary>
    /// <param name="reader">The reader, at the end of the message.</param>
    [DoesNotReturn]
    public static void ThrowMissingMember(ref ProtobufBodyReader reader) => ThrowHelper.ThrowMissingMember(reader.ByteOffset);

    /// <summary>Starts a repeated field: reuses, appends to, or creates the list.</summary>
    /// <typeparam name="T">The type of the elements.</typeparam>
    /// <param name="reader">The reader.</param>
    /// <param name="position">The position of the first element, after its tag.</param>
    /// <param name="tag">The tag.</param>
    /// <param name="tagByteCount">How many bytes it has.</param>
    /// <param name="value">The member's value.</param>
    /// <param name="mode">As in <see cref="GetField"/>.</param>
    /// <returns>The list.</returns>
    public static List<T> BeginList<T>(ref ProtobufBodyReader reader, ref byte position, uint tag, int tagByteCount, List<T>? value, int mode)
    {
        if (mode != (int)FieldMode.New && value?.GetType() == typeof(List<T>))
            return value;
        if (mode == (int)FieldMode.Merge && value is not null)
            return [.. value];
        return new List<T>(CountFields(ref reader, ref position, tag, tagByteCount));
    }

    /// <summary>Returns how many elements of a started list are already from this body.</summary>
    /// <typeparam name="T">The type of the elements.</typeparam>
    /// <param name="list">The list.</param>
    /// <param name="mode">As in <see cref="GetField"/>.</param>
    /// <returns>The number.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static int CountMerged<T>(List<T> list, int mode) => mode == (int)FieldMode.Merge ? list.Count : 0;

    /// <summary>Checks that there may be one more element, and returns the existing one at its index.</summary>
    /// <typeparam name="T">The type of the elements.</typeparam>
    /// <param name="reader">The reader.</param>
    /// <param name="list">The list.</param>
    /// <param name="elementCount">How many elements have been read.</param>
    /// <param name="allocation">The approximate size of an element in memory.</param>
    /// <returns>The existing element, which may be filled; otherwise null.</returns>
    /// <exception cref="MessageFormatException">Above the limits.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static T? NextElement<T>(ref ProtobufBodyReader reader, List<T> list, int elementCount, int allocation)
    {
        if (elementCount >= reader.Limits.MaxElementCount)
            ThrowHelper.ThrowTooManyElements(reader.ByteOffset, elementCount + 1L, reader.Limits.MaxElementCount);
        if (elementCount < list.Count)
            return list[elementCount];
        reader.ChargeElement(allocation);
        return default;
    }

    /// <summary>Stores an element at its index.</summary>
    /// <typeparam name="T">The type of the elements.</typeparam>
    /// <param name="list">The list.</param>
    /// <param name="elementCount">How many elements have been read before.</param>
    /// <param name="element">The element.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void SetElement<T>(List<T> list, int elementCount, T element)
    {
        if (elementCount >= list.Count)
            list.Add(element);
        else if (typeof(T).IsValueType || !ReferenceEquals(list[elementCount], element))
            list[elementCount] = element;
    }

    /// <summary>Completes a list at the end of the message.</summary>
    /// <typeparam name="T">The type of the elements.</typeparam>
    /// <param name="value">The member's value.</param>
    /// <param name="elementCount">How many elements have been read; -1 for no field.</param>
    /// <param name="mode">As in <see cref="GetField"/>.</param>
    /// <param name="isNullable">Whether it may be null.</param>
    /// <returns>The member's new value.</returns>
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

    /// <summary>Defers a further part of a message, or reads the deferred parts.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static T UnwrapParts<TMode, T, TCode>(ref ProtobufBodyReader reader, ref byte position, T? existing, uint mergedTag)
        where TMode : struct, IMode
        where TCode : struct, IProtobufCode<T>
    {
        if (!reader.IsAtParts)
        {
            if (mergedTag == 0)
                reader.ReadLength(); // throws, because no byte remains
            reader.DeferPart(mergedTag);
            return existing!;
        }

        int end = reader.EnterParts();
        position = ref reader.Begin();
        T value = default(TCode).Read<TMode>(ref reader, ref position, existing, merges: mergedTag != 0);
        reader.LeaveParts(end);
        return value;
    }

    /// <summary>
    /// Counts the consecutive fields with one tag, as far as this is cheap, for the capacity of a new collection. Its elements are so small that
    /// each field, of at least two bytes, pays for one.
    /// </summary>
    /// <param name="reader">The reader, after the first tag.</param>
    /// <param name="tag">The tag.</param>
    internal static int CountFields<T>(ref ProtobufBodyReader reader, uint tag)
    {
        const int MaxElementByteCount = 64;
        return Unsafe.SizeOf<T>() > MaxElementByteCount
            ? 0
            : CountFields(ref reader, ref reader.Begin(), tag, ProtobufBytes.GetByteCount(tag));
    }

    /// <summary>Counts the consecutive fields with one tag, as far as this is cheap, for the capacity of a new list.</summary>
    private static int CountFields(ref ProtobufBodyReader reader, ref byte position, uint tag, int tagByteCount)
    {
        const int MaxCount = 1024;
        int count = 0;
        while (count < MaxCount)
        {
            int remaining = reader.RemainingAt(ref position);
            if (remaining < 2)
                break;
            int byteCount = position + 1;
            if (byteCount > 0x80)
            {
                if (Unsafe.Add(ref position, 1) >= 0x80)
                    break;
                byteCount = (position & 0x7F) + (Unsafe.Add(ref position, 1) << 7) + 2;
            }

            if (byteCount > remaining)
                break;
            count++;
            position = ref Unsafe.Add(ref position, (nint)(uint)byteCount);
            if (tagByteCount > 2 || !IsTag(ref reader, ref position, tag, tagByteCount))
                break;
            position = ref Unsafe.Add(ref position, tagByteCount);
        }

        return count;
    }
}
