using System;
using System.ComponentModel;
using System.Diagnostics.CodeAnalysis;
using System.Globalization;
using System.Numerics;
using System.Runtime.CompilerServices;
using Formatters.Binary;
using Formatters.Buffers;
using Formatters.Custom;

namespace Formatters.Generated;

/// <summary>The format-independent methods that the traversal calls. For generated code.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public static partial class WireCode
{
    /// <summary>Writes the number of elements.</summary>
    /// <typeparam name="TFormat">The format.</typeparam>
    /// <param name="writer">The writer.</param>
    /// <param name="position">The position of the next byte.</param>
    /// <param name="count">The number.</param>
    /// <returns>The position after it.</returns>
    /// <exception cref="MessageFormatException">There are more than the limits allow.</exception>
    public static ref byte WriteArrayHeader<TFormat>(ref WireWriter writer, ref byte position, int count)
        where TFormat : struct, IWireFormat
    {
        if ((uint)count > (uint)writer.Limits.MaxElementCount)
            ThrowHelper.ThrowBadElementCount(count, writer.Limits.MaxElementCount);
        return ref default(TFormat).WriteArrayHeader(ref writer, ref writer.Reserve(ref position, MaxValueByteCount), count);
    }

    /// <summary>Writes the number of entries.</summary>
    /// <inheritdoc cref="WriteArrayHeader{TFormat}"/>
    public static ref byte WriteMapHeader<TFormat>(ref WireWriter writer, ref byte position, int count)
        where TFormat : struct, IWireFormat
    {
        if ((uint)count > (uint)writer.Limits.MaxElementCount)
            ThrowHelper.ThrowBadElementCount(count, writer.Limits.MaxElementCount);
        return ref default(TFormat).WriteMapHeader(ref writer, ref writer.Reserve(ref position, MaxValueByteCount), count);
    }

    /// <summary>Skips the elements after the last one of the contract.</summary>
    /// <typeparam name="TFormat">The format.</typeparam>
    /// <typeparam name="TMode">The mode.</typeparam>
    /// <param name="reader">The reader.</param>
    /// <param name="level">The depth of the record.</param>
    /// <param name="count">How many.</param>
    /// <exception cref="MessageFormatException">One is malformed.</exception>
    public static void SkipElements<TFormat, TMode>(ref WireReader reader, int level, int count)
        where TFormat : struct, IWireFormat
        where TMode : struct, IMode
    {
        if (typeof(TMode) == typeof(Traced))
            reader.Path!.Set(level);
        for (; count > 0; count--)
            default(TFormat).Skip(ref reader);
    }

    /// <summary>Writes a value with a formatter of the binary format, as bytes.</summary>
    /// <typeparam name="TFormat">The format.</typeparam>
    /// <typeparam name="TCodec">The codec.</typeparam>
    /// <typeparam name="T">The type of the value.</typeparam>
    /// <param name="writer">The writer.</param>
    /// <param name="position">The position of the next byte.</param>
    /// <param name="value">The value; null is an error.</param>
    /// <returns>The position after it.</returns>
    public static ref byte WriteFormatted<TFormat, TCodec, T>(ref WireWriter writer, ref byte position, T value)
        where TFormat : struct, IWireFormat
        where TCodec : BinaryCodec<T>, new() =>
        ref WriteByFormatter<TFormat, T>(ref writer, ref position, SharedInstance<TCodec>.Value, value);

    /// <summary>Reads a value with a formatter of the binary format.</summary>
    /// <typeparam name="TFormat">The format.</typeparam>
    /// <typeparam name="TCodec">The codec.</typeparam>
    /// <typeparam name="T">The type of the value.</typeparam>
    /// <param name="reader">The reader.</param>
    /// <param name="existing">A value that may be filled.</param>
    /// <returns>The value.</returns>
    public static T ReadFormatted<TFormat, TCodec, T>(ref WireReader reader, T? existing)
        where TFormat : struct, IWireFormat
        where TCodec : BinaryCodec<T>, new() => ReadByFormatter<TFormat, T>(ref reader, SharedInstance<TCodec>.Value, existing);

    /// <summary>Determines whether the format has a body type.</summary>
    /// <typeparam name="TFormat">The format.</typeparam>
    /// <param name="bodyType">The body type, a constant.</param>
    /// <returns>Whether it is.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static bool Is<TFormat>(int bodyType)
        where TFormat : struct, IWireFormat => default(TFormat).BodyType == bodyType;

    /// <summary>Determines whether the names of a record are written in the order of their bytes.</summary>
    /// <typeparam name="TFormat">The format.</typeparam>
    /// <returns>Whether they are.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static bool SortsKeys<TFormat>()
        where TFormat : struct, IWireFormat => default(TFormat).SortsKeys;

    /// <summary>Writes a case with an unknown tag unchanged.</summary>
    /// <typeparam name="TFormat">The format.</typeparam>
    /// <param name="writer">The writer.</param>
    /// <param name="position">The position of the next byte.</param>
    /// <param name="value">The case.</param>
    /// <returns>The position after it.</returns>
    /// <exception cref="MessageFormatException">Its tag is negative, or its bytes are of another format or not one value.</exception>
    public static ref byte WriteUnknownCase<TFormat>(ref WireWriter writer, ref byte position, IUnknownCase value)
        where TFormat : struct, IWireFormat
    {
        ContractMethods.CheckUnknownCase(value, default(TFormat).PublicBodyType);
        writer.Enter();
        try
        {
            var reader = new WireReader(value.Body.Span, writer.Limits);
            default(TFormat).Skip(ref reader);
            reader.Input.EnsureEnd();
        }
        catch (MessageFormatException e)
        {
            throw new MessageFormatException(MessageFormatErrorCode.BadValue, "The bytes of the unknown case are not one value of the wire format.",
                innerException: e);
        }

        position = ref WriteArrayHeader<TFormat>(ref writer, ref position, 2);
        position = ref default(TFormat).Write(ref writer, ref position, (long)value.Tag);
        position = ref writer.WriteRaw(ref position, value.Body.Span);
        writer.Leave();
        return ref position;
    }

    /// <summary>Reads the header and the tag of a union, and increments the depth.</summary>
    /// <typeparam name="TFormat">The format.</typeparam>
    /// <param name="reader">The reader.</param>
    /// <param name="union">The union.</param>
    /// <param name="byteOffset">Receives the offset of the tag.</param>
    /// <returns>The tag.</returns>
    /// <exception cref="MessageFormatException">The next value is not an array of two, or has no tag.</exception>
    public static int ReadTag<TFormat>(ref WireReader reader, Type union, out int byteOffset)
        where TFormat : struct, IWireFormat
    {
        byteOffset = reader.ByteOffset;
        if (default(TFormat).ReadArrayHeader(ref reader, 0) != 2)
            ThrowHelper.ThrowBadValue(byteOffset, union.Name);
        reader.Enter();
        byteOffset = reader.ByteOffset;
        return (int)default(TFormat).ReadInteger(ref reader, int.MinValue, int.MaxValue, nameof(Int32));
    }

    /// <summary>Reads the value of a case with an unknown tag.</summary>
    /// <typeparam name="TFormat">The format.</typeparam>
    /// <typeparam name="T">The type that stores it.</typeparam>
    /// <param name="reader">The reader.</param>
    /// <param name="value">The object that stores it.</param>
    /// <param name="tag">The tag.</param>
    /// <param name="byteOffset">The offset of the tag.</param>
    /// <returns>The case.</returns>
    /// <exception cref="MessageFormatException">The tag is negative, or the value is malformed.</exception>
    public static T ReadUnknownCase<TFormat, T>(ref WireReader reader, T value, int tag, int byteOffset)
        where TFormat : struct, IWireFormat
        where T : class, IUnknownCase
    {
        if (tag < 0)
            ThrowHelper.ThrowBadLength(byteOffset, "The tag of a union is negative.");
        value.Tag = tag;
        value.Body = reader.ReadRaw<TFormat>().ToArray();
        value.BodyType = default(TFormat).PublicBodyType;
        return value;
    }

    /// <summary>Throws for an unknown tag.</summary>
    /// <param name="tag">The tag.</param>
    /// <param name="byteOffset">The offset of the tag.</param>
    /// <param name="union">The union.</param>
    /// <exception cref="MessageFormatException">In any case.</exception>
    [DoesNotReturn]
    public static void ThrowUnknownCase(int tag, int byteOffset, Type union) => throw new MessageFormatException(
        MessageFormatErrorCode.TypeNotAllowed, string.Format(CultureInfo.InvariantCulture, "The union {0} has no case {1}.", union, tag), byteOffset);

    /// <summary>Throws for a null, or an object whose type the union does not list.</summary>
    /// <param name="value">The object.</param>
    /// <param name="union">The union.</param>
    /// <exception cref="MessageFormatException">In any case.</exception>
    [DoesNotReturn]
    public static void ThrowUnlistedCase(object? value, Type union)
    {
        if (value is null)
            ContractMethods.ThrowUnexpectedNull();
        throw new MessageFormatException(MessageFormatErrorCode.TypeNotAllowed, $"{value.GetType()} is not a case of the union {union}.");
    }

    /// <summary>
    /// Writes the lengths of a multidimensional array, as the first elements of an array whose last element is the array of the elements.
    /// </summary>
    /// <typeparam name="TFormat">The format.</typeparam>
    /// <param name="writer">The writer.</param>
    /// <param name="position">The position of the next byte.</param>
    /// <param name="grid">The array.</param>
    /// <returns>The position after it.</returns>
    public static ref byte WriteLengths<TFormat>(ref WireWriter writer, ref byte position, Array grid)
        where TFormat : struct, IWireFormat
    {
        position = ref WriteArrayHeader<TFormat>(ref writer, ref position, grid.Rank + 1);
        for (int i = 0; i < grid.Rank; i++)
            position = ref default(TFormat).Write(ref writer, ref writer.Reserve(ref position, MaxValueByteCount), (long)grid.GetLength(i));
        return ref position;
    }

    /// <summary>Reads the lengths of a multidimensional array and the header of its elements, and increments the depth.</summary>
    /// <typeparam name="TFormat">The format.</typeparam>
    /// <param name="reader">The reader.</param>
    /// <param name="rank">The number of dimensions.</param>
    /// <param name="elementAllocation">The approximate size of an element in memory.</param>
    /// <param name="elementCount">Receives the number of elements: the product.</param>
    /// <returns>The lengths; so large an array may be allocated.</returns>
    /// <exception cref="MessageFormatException">The value has another shape, an invalid length, or more elements than bytes remain.</exception>
    public static int[] ReadLengths<TFormat>(ref WireReader reader, int rank, int elementAllocation, out int elementCount)
        where TFormat : struct, IWireFormat
    {
        int byteOffset = reader.ByteOffset;
        if (default(TFormat).ReadArrayHeader(ref reader, 0) != rank + 1)
            ThrowHelper.ThrowBadValue(byteOffset, string.Format(CultureInfo.InvariantCulture, "array of {0} dimensions", rank));
        reader.Enter();
        int[] lengths = new int[rank];
        int lengthsOffset = reader.ByteOffset;
        long product = 1;
        for (int i = 0; i < rank; i++)
        {
            byteOffset = reader.ByteOffset;
            lengths[i] = (int)default(TFormat).ReadInteger(ref reader, int.MinValue, int.MaxValue, nameof(Int32));
            if (lengths[i] < 0)
                ThrowHelper.ThrowBadLength(byteOffset, "The number of elements is negative.");
            if (lengths[i] > reader.Limits.MaxElementCount)
                ThrowHelper.ThrowTooManyElements(byteOffset, lengths[i], reader.Limits.MaxElementCount);
            product = Math.Min(product * lengths[i], int.MaxValue);
        }

        if (product == 0 && !ArrayLengths.CanMake(lengths))
            ThrowHelper.ThrowBadLength(lengthsOffset, "No array can have these lengths.");
        byteOffset = reader.ByteOffset;
        elementCount = default(TFormat).ReadArrayHeader(ref reader, elementAllocation);
        if (elementCount != product)
            ThrowHelper.ThrowBadLength(byteOffset, "The number of elements is not the product of the lengths.");
        return lengths;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static ref byte WriteByte(ref byte position, byte value)
    {
        position = value;
        return ref Unsafe.Add(ref position, 1);
    }

    /// <summary>Determines whether the format is one of the application: a <see cref="CustomWireFormat{TFormat}"/>.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static bool IsCustom<TFormat>()
        where TFormat : struct, IWireFormat => default(TFormat).MaxShortTextByteCount == 0;

    /// <summary>Returns the offset of the content of a value that has just been read; in a format of the application, bytes may follow it.</summary>
    internal static int OffsetOf<TFormat>(ref WireReader reader, scoped ReadOnlySpan<byte> content)
        where TFormat : struct, IWireFormat =>
        !IsCustom<TFormat>() ? reader.ByteOffset - content.Length
        : reader.Input.ReadAgain(0).Overlaps(content, out int byteOffset) ? byteOffset
        : Math.Max(reader.ByteOffset - content.Length, 0);

    /// <summary>Combines the halves of an integer of 128 bits.</summary>
    internal static BigInteger Join(ulong high, ulong low, bool isSigned) => ((isSigned ? (BigInteger)(long)high : high) << 64) | low;

    /// <summary>Splits an integer into halves; throws if it has more than 128 bits.</summary>
    internal static void Split(BigInteger value, bool isSigned, int byteOffset, out ulong high, out ulong low)
    {
        BigInteger upper = value >> 64;
        if (isSigned ? upper < long.MinValue || upper > long.MaxValue : upper < 0 || upper > ulong.MaxValue)
            ThrowHelper.ThrowBadValue(byteOffset, isSigned ? "Int128" : "UInt128");
        high = isSigned ? (ulong)(long)upper : (ulong)upper;
        low = (ulong)(value & ulong.MaxValue);
    }

    internal static ref byte WriteByFormatter<TFormat, T>(ref WireWriter writer, ref byte position, BinaryCodec<T> formatter, T value)
        where TFormat : struct, IWireFormat
    {
        if (value is null)
            ContractMethods.ThrowUnexpectedNull();
        using var buffer = new PooledBufferWriter();
        FormattedValue.WriteBinary(buffer, writer.Limits, formatter, value);
        return ref default(TFormat).WriteBytes(ref writer, ref position, buffer.WrittenSpan);
    }

    internal static T ReadByFormatter<TFormat, T>(ref WireReader reader, BinaryCodec<T> formatter, T? existing)
        where TFormat : struct, IWireFormat
    {
        ReadOnlySpan<byte> bytes = default(TFormat).ReadBytes(ref reader);
        return FormattedValue.ReadBinary(bytes, OffsetOf<TFormat>(ref reader, bytes), reader.Limits, formatter, existing);
    }
}
