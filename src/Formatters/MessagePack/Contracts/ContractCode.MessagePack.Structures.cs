using System;
using System.Collections.Generic;
using System.Diagnostics.CodeAnalysis;

namespace Formatters.Generated;

// MessagePack: unions, codecs of one's own, contracts of other assemblies, the canonical order, arrays of several dimensions.
public static partial class ContractCode
{
    /// <summary>Writes a case of unknown tag as it was read.</summary>
    /// <param name="writer">The writer.</param>
    /// <param name="position">Where the next byte goes.</param>
    /// <param name="value">The case.</param>
    /// <returns>The position behind it.</returns>
    /// <exception cref="MessageFormatException">Its tag is negative, or its bytes are not a valid value of MessagePack.</exception>
    public static ref byte PackUnknownCase(ref MessagePackBodyWriter writer, ref byte position, IUnknownCase value)
    {
        writer.End(ref position);
        MessagePackUnknown.WriteCase(ref writer, value);
        return ref writer.Begin();
    }

    /// <summary>Reads the value of a case of unknown tag.</summary>
    /// <typeparam name="T">The type that keeps it.</typeparam>
    /// <param name="reader">The reader.</param>
    /// <param name="tag">The tag.</param>
    /// <param name="byteOffset">Where the tag begins.</param>
    /// <returns>The case.</returns>
    /// <exception cref="MessageFormatException">The tag is negative, or the value is bad.</exception>
    public static T UnpackUnknownCase<T>(ref MessagePackBodyReader reader, int tag, int byteOffset)
        where T : class, IUnknownCase, new() => (T)MessagePackUnknown.ReadCase(ref reader, new T(), tag, byteOffset);

    /// <summary>Refuses a tag that stands for no type.</summary>
    /// <param name="tag">The tag.</param>
    /// <param name="byteOffset">Where it begins.</param>
    /// <param name="union">The union.</param>
    [DoesNotReturn]
    public static void ThrowUnknownCase(int tag, int byteOffset, Type union) => MessagePackUnknown.ThrowUnknownCase(tag, byteOffset, union);

    /// <summary>Refuses an object of a type that its union does not list, or a null.</summary>
    /// <param name="value">The object.</param>
    /// <param name="union">The union.</param>
    [DoesNotReturn]
    public static void ThrowUnlistedCase(object? value, Type union) => MessagePackUnknown.ThrowUnlistedCase(value, union);

    /// <summary>Writes a value by a codec of one's own.</summary>
    /// <typeparam name="TCodec">The codec.</typeparam>
    /// <typeparam name="T">The type of the value.</typeparam>
    /// <param name="writer">The writer.</param>
    /// <param name="position">Where the next byte goes.</param>
    /// <param name="value">The value; null is an error.</param>
    /// <returns>The position behind it.</returns>
    public static ref byte PackByCodec<TCodec, T>(ref MessagePackBodyWriter writer, ref byte position, T value)
        where TCodec : MessagePackCodec<T>, new()
    {
        if (value is null)
            ContractMethods.ThrowUnexpectedNull();
        writer.End(ref position);
        MemberFormatter<TCodec>.Instance.Write(ref writer, value);
        return ref writer.Begin();
    }

    /// <summary>Refuses a body without a member that has no other value.</summary>
    /// <param name="reader">The reader.</param>
    /// <exception cref="MessageFormatException">In any case.</exception>
    [DoesNotReturn]
    public static void ThrowMissingMember(ref MessagePackBodyReader reader) => ThrowHelper.ThrowMissingMember(reader.ByteOffset);

    /// <summary>Reads a value by a codec of one's own.</summary>
    /// <typeparam name="TCodec">The codec.</typeparam>
    /// <typeparam name="T">The type of the value.</typeparam>
    /// <param name="reader">The reader.</param>
    /// <param name="existing">A value that may be filled.</param>
    /// <returns>The value.</returns>
    /// <exception cref="MessageFormatException">A nil, or what the codec refuses.</exception>
    public static T UnpackByCodec<TCodec, T>(ref MessagePackBodyReader reader, T? existing)
        where TCodec : MessagePackCodec<T>, new()
    {
        reader.RefuseNil();
        return MemberFormatter<TCodec>.Instance.Read(ref reader, existing);
    }

    /// <summary>Writes a value by a formatter of the binary format: its bytes as a binary value.</summary>
    /// <typeparam name="TFormatter">The formatter.</typeparam>
    /// <typeparam name="T">The type of the value.</typeparam>
    /// <param name="writer">The writer.</param>
    /// <param name="position">Where the next byte goes.</param>
    /// <param name="value">The value; null is an error.</param>
    /// <returns>The position behind it.</returns>
    public static ref byte PackFormatted<TFormatter, T>(ref MessagePackBodyWriter writer, ref byte position, T value)
        where TFormatter : IMemberFormatter<T>, new()
    {
        if (value is null)
            ContractMethods.ThrowUnexpectedNull();
        writer.End(ref position);
        FormattedValue.Write(ref writer, MemberFormatter<TFormatter>.Instance, value);
        return ref writer.Begin();
    }

    /// <summary>Reads a value by a formatter of the binary format.</summary>
    /// <typeparam name="TFormatter">The formatter.</typeparam>
    /// <typeparam name="T">The type of the value.</typeparam>
    /// <param name="reader">The reader.</param>
    /// <param name="existing">A value that may be filled.</param>
    /// <returns>The value.</returns>
    public static T UnpackFormatted<TFormatter, T>(ref MessagePackBodyReader reader, T? existing)
        where TFormatter : IMemberFormatter<T>, new() => FormattedValue.Read(ref reader, MemberFormatter<TFormatter>.Instance, existing);

    /// <summary>Writes a value by its generated contract, of another assembly.</summary>
    /// <typeparam name="TMode">The mode.</typeparam>
    /// <typeparam name="T">The type.</typeparam>
    /// <param name="writer">The writer.</param>
    /// <param name="position">Where the next byte goes.</param>
    /// <param name="contract">The contract.</param>
    /// <param name="value">The value; null is an error.</param>
    /// <returns>The position behind it.</returns>
    public static ref byte WriteContract<TMode, T>(ref MessagePackBodyWriter writer, ref byte position, MessagePackContract<T> contract, T value)
        where TMode : struct, IMode
    {
        if (value is null)
            ContractMethods.ThrowUnexpectedNull();
        writer.End(ref position);
        if (typeof(TMode) == typeof(Traced))
            contract.WriteTraced(ref writer, value);
        else
            contract.Write(ref writer, value);
        return ref writer.Begin();
    }

    /// <summary>Reads a value by its generated contract, of another assembly.</summary>
    /// <typeparam name="TMode">The mode.</typeparam>
    /// <typeparam name="T">The type.</typeparam>
    /// <param name="reader">The reader.</param>
    /// <param name="contract">The contract.</param>
    /// <param name="existing">A value to be filled.</param>
    /// <returns>The value.</returns>
    public static T ReadContract<TMode, T>(ref MessagePackBodyReader reader, MessagePackContract<T> contract, T? existing)
        where TMode : struct, IMode =>
        typeof(TMode) == typeof(Traced) ? contract.ReadTraced(ref reader) : contract.Read(ref reader, existing);

    /// <summary>Begins to write a map or a set aside, to be put into canonical order.</summary>
    /// <param name="writer">The writer.</param>
    /// <param name="aside">Receives the bytes.</param>
    /// <returns>The writer into them.</returns>
    public static MessagePackBodyWriter BeginAside(ref MessagePackBodyWriter writer, out PooledBufferWriter aside)
    {
        aside = new PooledBufferWriter();
        var inner = new MessagePackBodyWriter(aside, writer.Limits, writer.IsCanonical) { Path = writer.Path };
        inner.SetDepthOf(writer);
        return inner;
    }

    /// <summary>Ends a map or a set that was written aside, and writes it in the order of the bytes of its keys or elements.</summary>
    /// <param name="writer">The writer.</param>
    /// <param name="position">Where the next byte goes.</param>
    /// <param name="aside">The bytes.</param>
    /// <returns>The position behind it.</returns>
    public static ref byte PackSorted(ref MessagePackBodyWriter writer, ref byte position, PooledBufferWriter aside)
    {
        writer.End(ref position);
        SortedMap.Write(ref writer, aside.WrittenSpan);
        aside.Dispose();
        return ref writer.Begin();
    }

    /// <summary>Writes the lengths of an array of several dimensions, and the header of its elements.</summary>
    /// <param name="writer">The writer.</param>
    /// <param name="position">Where the next byte goes.</param>
    /// <param name="grid">The array.</param>
    /// <returns>The position behind them.</returns>
    public static ref byte PackGridHeader(ref MessagePackBodyWriter writer, ref byte position, Array grid)
    {
        position = ref PackArrayHeader(ref writer, ref position, grid.Rank + 1);
        for (int i = 0; i < grid.Rank; i++)
            position = ref Pack(ref Reserve(ref writer, ref position, MessagePackBytes.MaxIntegerByteCount), grid.GetLength(i));
        return ref position;
    }

    /// <summary>Reads the lengths of an array of several dimensions, and the header of its elements; both count as a level of nesting.</summary>
    /// <param name="reader">The reader.</param>
    /// <param name="rank">The number of dimensions.</param>
    /// <param name="elementAllocation">About how many bytes an element takes in memory.</param>
    /// <param name="elementCount">The number of elements: the product.</param>
    /// <returns>The lengths; so large an array may be allocated.</returns>
    /// <exception cref="MessageFormatException">Another shape, a bad length, or more elements than bytes remain.</exception>
    public static int[] UnpackLengths(ref MessagePackBodyReader reader, int rank, int elementAllocation, out int elementCount) =>
        GridLengths.Read(ref reader, rank, elementAllocation, out elementCount);
}
