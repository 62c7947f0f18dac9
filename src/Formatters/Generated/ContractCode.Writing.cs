using System;
using System.Buffers.Binary;
using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Formatters.Binary;

namespace Formatters.Generated;

public static partial class ContractCode
{
    /// <summary>Returns the depth of the current value in the member path.</summary>
    /// <param name="writer">The writer.</param>
    /// <returns>The depth.</returns>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public static int Level(ref BinaryBodyWriter writer) => writer.Path!.Depth;

    /// <summary>Sets the current part of the value at a depth: a member, an element, or none.</summary>
    /// <param name="writer">The writer.</param>
    /// <param name="level">The depth.</param>
    /// <param name="member">The name of the member; null if there is none.</param>
    /// <param name="index">The index of the element; -1 if there is none.</param>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public static void At(ref BinaryBodyWriter writer, int level, string? member = null, int index = -1) => writer.Path!.Set(level, member, index);

    /// <summary>Takes the position from a writer.</summary>
    /// <param name="writer">The writer.</param>
    /// <returns>The position of the next byte.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ref byte Begin(ref BinaryBodyWriter writer) => ref writer.Output.Position;

    /// <summary>Returns the position to the writer.</summary>
    /// <param name="writer">The writer.</param>
    /// <param name="position">The position of the next byte.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void End(ref BinaryBodyWriter writer, ref byte position) => writer.Output.MoveTo(ref position);

    /// <summary>Reserves space.</summary>
    /// <param name="writer">The writer.</param>
    /// <param name="position">The position of the next byte.</param>
    /// <param name="byteCount">How many bytes will be written without a further check.</param>
    /// <returns>The position of the next byte in the possibly new span.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ref byte Reserve(ref BinaryBodyWriter writer, ref byte position, int byteCount)
    {
        if (writer.Output.RoomAt(ref position) >= byteCount)
            return ref position;
        return ref writer.GrowAt(ref position, byteCount);
    }

    /// <summary>Writes the number of elements, and reserves space for it.</summary>
    /// <param name="writer">The writer.</param>
    /// <param name="position">The position of the next byte.</param>
    /// <param name="elementCount">The number.</param>
    /// <returns>The position after it.</returns>
    /// <exception cref="MessageFormatException">Above the limit.</exception>
    public static ref byte WriteCount(ref BinaryBodyWriter writer, ref byte position, int elementCount)
    {
        if ((uint)elementCount > (uint)writer.Output.Limits.ElementCount)
            ThrowHelper.ThrowBadElementCount(elementCount, writer.Limits.MaxElementCount);
        position = ref Reserve(ref writer, ref position, sizeof(int));
        return ref Write(ref position, elementCount);
    }

    /// <summary>Writes a string, and reserves space for it and for the members after it.</summary>
    /// <param name="writer">The writer.</param>
    /// <param name="position">The position of the next byte.</param>
    /// <param name="value">The string; null is an error.</param>
    /// <param name="roomBehind">The maximum size of the members after it, up to the next one of variable size.</param>
    /// <returns>The position after the string.</returns>
    /// <exception cref="MessageFormatException">The string is null, or invalid text that is rejected.</exception>
    /// <remarks>Not inlined, for records with many strings.</remarks>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public static ref byte WriteText(ref BinaryBodyWriter writer, ref byte position, string value, int roomBehind) =>
        ref WriteTextInline(ref writer, ref position, value, roomBehind);

    /// <inheritdoc cref="WriteText"/>
    /// <remarks>Inlined: each copy adapts to the length of its own member.</remarks>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ref byte WriteTextInline(ref BinaryBodyWriter writer, ref byte position, string value, int roomBehind)
    {
        if (value is null)
            ContractMethods.ThrowUnexpectedNull();
#if NET
        nuint n = (uint)value.Length;
        // A string of one character takes one byte more than it has.
        if (writer.Output.RoomAt(ref position) - (roomBehind + 1) > (int)n)
        {
            // The most common lengths first. All inlined: with calls for fewer than 8 and more than 32 characters, orders of these take a quarter to
            // a half longer (row "generated binary", write of order-50-text-1, -text-7 and -text-33).
            if (n - 8 <= 8)
            {
                if (Utf8Text.TryWrite8To16(ref position, value, n))
                    return ref Unsafe.Add(ref position, n + 1);
            }
            else if (n < 8)
            {
                if (Utf8Text.TryWriteTinyAscii(ref position, value))
                    return ref Unsafe.Add(ref position, n + 1);
            }
            else if (n <= 32)
            {
                if (Utf8Text.TryWrite17To32(ref position, value, n))
                    return ref Unsafe.Add(ref position, n + 1);
            }
            else if (n <= 64 && Utf8Text.TryWriteMediumAscii(ref position, value))
            {
                return ref Unsafe.Add(ref position, n + 1);
            }
        }
#endif
        return ref writer.WriteTextAt(ref position, value, roomBehind);
    }

    /// <summary>Writes a byte count and bytes, and reserves space for the members after them.</summary>
    /// <param name="writer">The writer.</param>
    /// <param name="position">The position of the next byte.</param>
    /// <param name="value">The bytes; null is an error.</param>
    /// <param name="roomBehind">The maximum size of the members after it, up to the next one of variable size.</param>
    /// <returns>The position after the bytes.</returns>
    /// <exception cref="MessageFormatException">A null.</exception>
    public static ref byte WriteBytes(ref BinaryBodyWriter writer, ref byte position, byte[] value, int roomBehind)
    {
        if (value is null)
            ContractMethods.ThrowUnexpectedNull();
        writer.Output.MoveTo(ref position);
        writer.WriteBytes(value);
        return ref Reserve(ref writer, ref writer.Output.Position, roomBehind);
    }

    /// <summary>Throws for a null, or an object of a class derived from the declared one.</summary>
    /// <param name="value">The object.</param>
    /// <param name="declared">The declared class.</param>
    /// <exception cref="MessageFormatException">In any case.</exception>
    [DoesNotReturn]
    public static void ThrowDerived(object? value, Type declared) => DerivedObjects.Throw(value, declared);

    /// <summary>Writes an object with its own <c>Save</c>.</summary>
    /// <typeparam name="T">The type.</typeparam>
    /// <param name="writer">The writer.</param>
    /// <param name="position">The position of the next byte.</param>
    /// <param name="value">The object; null is an error.</param>
    /// <returns>The position after it.</returns>
    public static ref byte WriteOwnBody<T>(ref BinaryBodyWriter writer, ref byte position, T value)
        where T : IBinaryBody
    {
        if (value is null)
            ContractMethods.ThrowUnexpectedNull();
        writer.Output.MoveTo(ref position);
        writer.EnterRecord();
        value.Save(ref writer);
        writer.LeaveRecord();
        return ref writer.Output.Position;
    }

    /// <summary>Writes a value with its generated contract in another assembly.</summary>
    /// <typeparam name="TMode">The mode.</typeparam>
    /// <typeparam name="T">The type.</typeparam>
    /// <param name="writer">The writer.</param>
    /// <param name="position">The position of the next byte.</param>
    /// <param name="contract">The contract.</param>
    /// <param name="value">The value; null is an error.</param>
    /// <returns>The position after it.</returns>
    public static ref byte WriteContract<TMode, T>(ref BinaryBodyWriter writer, ref byte position, BinaryCodec<T> contract, T value)
        where TMode : struct, IMode
    {
        if (value is null)
            ContractMethods.ThrowUnexpectedNull();
        writer.Output.MoveTo(ref position);
        if (typeof(TMode) == typeof(Traced))
            contract.WriteTraced(ref writer, value);
        else
            contract.Write(ref writer, value);
        return ref writer.Output.Position;
    }

    /// <summary>Writes 1 to 3 bytes.</summary>
    /// <inheritdoc cref="Write(ref byte, int)"/>
    /// <exception cref="MessageFormatException">Half a character.</exception>
    public static ref byte Write(ref byte position, char value)
    {
        if (value < 0x80)
        {
            position = (byte)value;
            return ref Unsafe.Add(ref position, 1);
        }

        if (char.IsSurrogate(value))
            throw new MessageFormatException(MessageFormatErrorCode.BadText, "A surrogate is half a character and cannot be written alone.");
        if (value < 0x800)
        {
            position = (byte)(0xC0 | (value >> 6));
            Unsafe.Add(ref position, 1) = (byte)(0x80 | (value & 0x3F));
            return ref Unsafe.Add(ref position, 2);
        }

        position = (byte)(0xE0 | (value >> 12));
        Unsafe.Add(ref position, 1) = (byte)(0x80 | ((value >> 6) & 0x3F));
        Unsafe.Add(ref position, 2) = (byte)(0x80 | (value & 0x3F));
        return ref Unsafe.Add(ref position, 3);
    }

    /// <summary>Writes a value of fixed size; the space is already reserved.</summary>
    /// <param name="position">The position of the next byte.</param>
    /// <param name="value">The value.</param>
    /// <returns>The position after it.</returns>
    /// <remarks>
    /// The numbers of most contracts are written here and not by <see cref="LittleEndian"/>: a method less each to compile for the first write in a
    /// process (row "generated binary").
    /// </remarks>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ref byte Write(ref byte position, int value)
    {
        Unsafe.WriteUnaligned(ref position, BitConverter.IsLittleEndian ? value : BinaryPrimitives.ReverseEndianness(value));
        return ref Unsafe.Add(ref position, sizeof(int));
    }

    /// <inheritdoc cref="Write(ref byte, int)"/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ref byte Write(ref byte position, bool value)
    {
        position = value ? (byte)1 : (byte)0;
        return ref Unsafe.Add(ref position, 1);
    }

    /// <inheritdoc cref="Write(ref byte, int)"/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ref byte Write(ref byte position, byte value)
    {
        position = value;
        return ref Unsafe.Add(ref position, 1);
    }

    /// <inheritdoc cref="Write(ref byte, int)"/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ref byte Write(ref byte position, short value)
    {
        Unsafe.WriteUnaligned(ref position, BitConverter.IsLittleEndian ? value : BinaryPrimitives.ReverseEndianness(value));
        return ref Unsafe.Add(ref position, sizeof(short));
    }

    /// <inheritdoc cref="Write(ref byte, int)"/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ref byte Write(ref byte position, long value)
    {
        Unsafe.WriteUnaligned(ref position, BitConverter.IsLittleEndian ? value : BinaryPrimitives.ReverseEndianness(value));
        return ref Unsafe.Add(ref position, sizeof(long));
    }

    /// <inheritdoc cref="Write(ref byte, int)"/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ref byte Write(ref byte position, float value)
    {
        LittleEndian.Write(ref position, value);
        return ref Unsafe.Add(ref position, sizeof(float));
    }

    /// <inheritdoc cref="Write(ref byte, int)"/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ref byte Write(ref byte position, double value)
    {
        Unsafe.WriteUnaligned(ref position, BitConverter.IsLittleEndian
            ? value
            : BitConverter.Int64BitsToDouble(BinaryPrimitives.ReverseEndianness(BitConverter.DoubleToInt64Bits(value))));
        return ref Unsafe.Add(ref position, sizeof(double));
    }

    /// <inheritdoc cref="Write(ref byte, int)"/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ref byte Write(ref byte position, DateTime value)
    {
        long binary = value.ToBinary();
        Unsafe.WriteUnaligned(ref position, BitConverter.IsLittleEndian ? binary : BinaryPrimitives.ReverseEndianness(binary));
        return ref Unsafe.Add(ref position, sizeof(long));
    }

    /// <inheritdoc cref="Write(ref byte, int)"/>
    public static ref byte Write(ref byte position, DateTimeOffset value)
    {
        position = ref Write(ref position, value.Ticks);
        return ref Write(ref position, (short)(value.Offset.Ticks / TimeSpan.TicksPerMinute));
    }

    /// <inheritdoc cref="Write(ref byte, int)"/>
    public static ref byte Write(ref byte position, decimal value)
    {
        Decimals.Write(ref position, value);
        return ref Unsafe.Add(ref position, sizeof(decimal));
    }

    /// <inheritdoc cref="Write(ref byte, int)"/>
    public static ref byte Write(ref byte position, Guid value)
    {
#if NET
        value.TryWriteBytes(MemoryMarshal.CreateSpan(ref position, 16));
#else
        Unsafe.CopyBlockUnaligned(ref position, ref value.ToByteArray()[0], 16);
#endif
        return ref Unsafe.Add(ref position, 16);
    }

#if NET
    /// <inheritdoc cref="Write(ref byte, int)"/>
    public static ref byte Write(ref byte position, Half value) => ref Write(ref position, BitConverter.HalfToInt16Bits(value));

    /// <inheritdoc cref="Write(ref byte, int)"/>
    public static ref byte Write(ref byte position, Int128 value)
    {
        position = ref Write(ref position, (long)value);
        return ref Write(ref position, (long)(value >> 64));
    }
#endif
}
