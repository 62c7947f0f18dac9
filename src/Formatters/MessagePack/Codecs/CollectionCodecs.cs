using System;
using System.Collections;
using System.Collections.Generic;
using System.Diagnostics.CodeAnalysis;
using Formatters.Generated;

namespace Formatters;

/// <summary>A <c>T[]</c>.</summary>
internal sealed class ArrayCodec<T>(Elements<T> elements) : MessagePackCodec<T[]>
{
    public override void Write(ref MessagePackBodyWriter writer, T[] value)
    {
        if (value is null)
            ContractMethods.ThrowUnexpectedNull();
        elements.Write(ref writer, value);
    }

    public override T[] Read(ref MessagePackBodyReader reader, T[]? existing = null) => elements.ReadArray(ref reader, existing);
}

/// <summary>A list, or a member that is declared as an interface of one: it may hold any collection, and is read as a list.</summary>
internal sealed class ListCodec<TList, T>(Elements<T> elements) : MessagePackCodec<TList>
    where TList : class, IEnumerable<T>
{
    public override void Write(ref MessagePackBodyWriter writer, TList value)
    {
        if (value is null)
            ContractMethods.ThrowUnexpectedNull();
        if (value is T[] array)
            elements.Write(ref writer, array);
        else
            elements.Write(ref writer, value as List<T> ?? new List<T>(value));
    }

    public override TList Read(ref MessagePackBodyReader reader, TList? existing = null) =>
        (TList)(object)elements.ReadList(ref reader, existing?.GetType() == typeof(List<T>) ? (List<T>)(object)existing : null);
}

/// <summary>Any other collection: it is made of an array, or a set of a set.</summary>
/// <param name="elements">The elements.</param>
/// <param name="isSet">Whether two collections are equal whatever the order of their elements is, and no element comes twice.</param>
[RequiresUnreferencedCode(ReflectionMessages.Trimming)]
[RequiresDynamicCode(ReflectionMessages.DynamicCode)]
internal sealed class MadeCollectionCodec<TCollection, T>(Elements<T> elements, bool isSet) : MessagePackCodec<TCollection>
    where T : notnull
{
    public override void Write(ref MessagePackBodyWriter writer, TCollection value)
    {
        T[] items = Conversion<TCollection, T[]>.Convert(value);
        if (isSet && writer.IsCanonical)
            elements.WriteSorted(ref writer, items);
        else
            elements.Write(ref writer, items);
    }

    public override TCollection Read(ref MessagePackBodyReader reader, TCollection? existing = default)
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
internal sealed class ConvertedCodec<T, TWritten>(MessagePackCodec<TWritten> codec) : MessagePackCodec<T>
{
    public override void Write(ref MessagePackBodyWriter writer, T value) => codec.Write(ref writer, Conversion<T, TWritten>.Convert(value));

    public override T Read(ref MessagePackBodyReader reader, T? existing = default) => Conversion<TWritten, T>.Convert(codec.Read(ref reader));
}

/// <summary>An <see cref="ArrayList"/>, or an interface of it, whose element type the member declares.</summary>
internal sealed class ObjectListCodec<TList, T>(Elements<T> elements) : MessagePackCodec<TList>
    where TList : class, IEnumerable
{
    public override void Write(ref MessagePackBodyWriter writer, TList value)
    {
        ArrayList list = ContractCode.ToArrayList(value);
        elements.Write(ref writer, list);
    }

    public override TList Read(ref MessagePackBodyReader reader, TList? existing = null) =>
        (TList)(object)elements.ReadObjects(ref reader, existing);
}

/// <summary>An array of several dimensions: an array of their lengths, and behind them an array of all elements, the last index fastest.</summary>
internal sealed class RectangularArrayCodec<TArray, T>(Elements<T> elements, int rank) : MessagePackCodec<TArray>
    where TArray : class
{
    public override void Write(ref MessagePackBodyWriter writer, TArray value)
    {
        if (value is null)
            ContractMethods.ThrowUnexpectedNull();
        var array = (Array)(object)value;
        writer.Enter();
        writer.WriteArrayHeader(rank + 1);
        for (int i = 0; i < rank; i++)
            writer.Write(array.GetLength(i));
        var items = new List<T>(array.Length);
        foreach (T item in array)
            items.Add(item);
        elements.Write(ref writer, items);
        writer.Leave();
    }

    public override TArray Read(ref MessagePackBodyReader reader, TArray? existing = null)
    {
        int[] lengths = GridLengths.Read(ref reader, rank, elements.Allocation, out int count);
        T[] items = new T[count];
        elements.ReadItems(ref reader, items, reuses: false);
        reader.Leave();
        TArray array = ContractCode.NewGrid<TArray>(lengths);
        GridMethods.Fill((Array)(object)array, items);
        return array;
    }
}
