using System;
using System.Collections;
using System.Collections.Generic;
using System.Diagnostics.CodeAnalysis;
using Formatters.Generated;

namespace Formatters;

/// <summary>A <c>T[]</c>.</summary>
internal sealed class WireArrayCodec<TFormat, T>(WireElements<TFormat, T> elements) : WireCodec<TFormat, T[]>
    where TFormat : struct, IWireFormat
{
    internal override void Write(ref WireWriter writer, T[] value)
    {
        if (value is null)
            ContractMethods.ThrowUnexpectedNull();
        elements.Write(ref writer, value);
    }

    internal override T[] Read(ref WireReader reader, T[]? existing = null) => elements.ReadArray(ref reader, existing);
}

/// <summary>A list, or a member that is declared as an interface of one: it may hold any collection, and is read as a list.</summary>
internal sealed class WireListCodec<TFormat, TList, T>(WireElements<TFormat, T> elements) : WireCodec<TFormat, TList>
    where TFormat : struct, IWireFormat
    where TList : class, IEnumerable<T>
{
    internal override void Write(ref WireWriter writer, TList value)
    {
        if (value is null)
            ContractMethods.ThrowUnexpectedNull();
        if (value is T[] array)
            elements.Write(ref writer, array);
        else
            elements.Write(ref writer, value as List<T> ?? new List<T>(value));
    }

    internal override TList Read(ref WireReader reader, TList? existing = null) =>
        (TList)(object)elements.ReadList(ref reader, existing?.GetType() == typeof(List<T>) ? (List<T>)(object)existing : null);
}

/// <summary>Any other collection: it is made of an array, or a set of a set.</summary>
/// <param name="elements">The elements.</param>
/// <param name="isSet">Whether two collections are equal whatever the order of their elements is, and no element comes twice.</param>
[RequiresUnreferencedCode(ReflectionMessages.Trimming)]
[RequiresDynamicCode(ReflectionMessages.DynamicCode)]
internal sealed class WireMadeCollectionCodec<TFormat, TCollection, T>(WireElements<TFormat, T> elements, bool isSet) : WireCodec<TFormat, TCollection>
    where TFormat : struct, IWireFormat
    where T : notnull
{
    internal override void Write(ref WireWriter writer, TCollection value)
    {
        T[] items = Conversion<TCollection, T[]>.Convert(value);
        if (isSet && default(TFormat).IsSorted)
            elements.WriteSorted(ref writer, items);
        else
            elements.Write(ref writer, items);
    }

    internal override TCollection Read(ref WireReader reader, TCollection? existing = default)
    {
        int byteOffset = reader.ByteOffset;
        T[] items = elements.ReadArray(ref reader, null);
        if (!isSet)
            return Conversion<T[], TCollection>.Convert(items);
        HashSet<T> set = ContractCode.NewSet<T>(items.Length);
        set.UnionWith(items);
        if (set.Count != items.Length)
            ContractMethods.ThrowDuplicateKey(byteOffset);
        return Conversion<HashSet<T>, TCollection>.Convert(set);
    }
}

/// <summary>A collection that is written as another, and made of it: a dictionary.</summary>
[RequiresUnreferencedCode(ReflectionMessages.Trimming)]
[RequiresDynamicCode(ReflectionMessages.DynamicCode)]
internal sealed class WireConvertedCodec<TFormat, T, TWritten>(WireCodec<TFormat, TWritten> codec) : WireCodec<TFormat, T>
    where TFormat : struct, IWireFormat
{
    internal override void Write(ref WireWriter writer, T value) => codec.Write(ref writer, Conversion<T, TWritten>.Convert(value));

    internal override T Read(ref WireReader reader, T? existing = default) => Conversion<TWritten, T>.Convert(codec.Read(ref reader));
}

/// <summary>An <see cref="ArrayList"/>, or an interface of it, whose element type the member declares.</summary>
internal sealed class WireObjectListCodec<TFormat, TList, T>(WireElements<TFormat, T> elements) : WireCodec<TFormat, TList>
    where TFormat : struct, IWireFormat
    where TList : class, IEnumerable
{
    internal override void Write(ref WireWriter writer, TList value)
    {
        ArrayList list = ContractCode.ToArrayList(value);
        elements.Write(ref writer, list);
    }

    internal override TList Read(ref WireReader reader, TList? existing = null) =>
        (TList)(object)elements.ReadObjects(ref reader, existing);
}

/// <summary>An array of several dimensions: an array of their lengths, and behind them an array of all elements, the last index fastest.</summary>
internal sealed class WireRectangularArrayCodec<TFormat, TArray, T>(WireElements<TFormat, T> elements, int rank) : WireCodec<TFormat, TArray>
    where TFormat : struct, IWireFormat
    where TArray : class
{
    internal override void Write(ref WireWriter writer, TArray value)
    {
        if (value is null)
            ContractMethods.ThrowUnexpectedNull();
        var array = (Array)(object)value;
        writer.Enter();
        writer.End(ref WireCode.WriteLengths<TFormat>(ref writer, ref writer.Output.Position, array));
        var items = new List<T>(array.Length);
        foreach (T item in array)
            items.Add(item);
        elements.Write(ref writer, items);
        writer.Leave();
    }

    internal override TArray Read(ref WireReader reader, TArray? existing = null)
    {
        int[] lengths = WireCode.ReadLengths<TFormat>(ref reader, rank, elements.Allocation, out int count);
        T[] items = new T[count];
        elements.ReadItems(ref reader, items, reuses: false);
        reader.Leave();
        TArray array = ContractCode.NewGrid<TArray>(lengths);
        GridMethods.Fill((Array)(object)array, items);
        return array;
    }
}
