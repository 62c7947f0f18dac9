using System;
using System.Collections;
using System.Collections.Generic;
using System.Globalization;
using System.Runtime.InteropServices;
using Formatters.Generated;

namespace Formatters;

/// <summary>The elements of a collection: an array of them.</summary>
/// <param name="codec">The codec of an element.</param>
/// <param name="allocation">About how many bytes an element takes in memory.</param>
internal sealed class WireElements<TFormat, T>(WireCodec<TFormat, T> codec, int allocation)
    where TFormat : struct, IWireFormat
{
    /// <summary>About how many bytes an element takes in memory.</summary>
    internal int Allocation => allocation;

    internal void Write(ref WireWriter writer, T[] items)
    {
        writer.Enter();
        writer.End(ref WireCode.WriteArrayHeader<TFormat>(ref writer, ref writer.Output.Position, items.Length));
        int i = 0;
        try
        {
            for (; i < items.Length; i++)
                codec.Write(ref writer, items[i]);
        }
        catch (MessageFormatException e) when (e.PrependPath(IndexPart(i)))
        {
            throw;
        }

        writer.Leave();
    }

    internal void Write(ref WireWriter writer, List<T> list)
    {
        writer.Enter();
        writer.End(ref WireCode.WriteArrayHeader<TFormat>(ref writer, ref writer.Output.Position, list.Count));
        int i = 0;
        try
        {
#if NET
            Span<T> items = CollectionsMarshal.AsSpan(list);
#else
            var items = new ListItems<T>(list);
#endif
            for (; i < items.Length; i++)
                codec.Write(ref writer, items[i]);
        }
        catch (MessageFormatException e) when (e.PrependPath(IndexPart(i)))
        {
            throw;
        }

        writer.Leave();
    }

    /// <summary>Writes the elements in the order of their bytes.</summary>
    internal void WriteSorted(ref WireWriter writer, T[] items)
    {
        writer.Enter();
        writer.End(ref WireCode.WriteArrayHeader<TFormat>(ref writer, ref writer.Output.Position, items.Length));
        using var values = new SortedValues(items.Length);
        int i = 0;
        try
        {
            for (; i < items.Length; i++)
                values.Add(ref writer, codec, items[i]);
        }
        catch (MessageFormatException e) when (e.PrependPath(IndexPart(i)))
        {
            throw;
        }

        foreach (int index in values.GetOrder())
            writer.End(ref writer.WriteRaw(ref writer.Output.Position, values.Get(index)));
        writer.Leave();
    }

    /// <summary>Writes objects, each of which has to be of the element type.</summary>
    internal void Write(ref WireWriter writer, ArrayList list)
    {
        int count = list.Count;
        writer.Enter();
        writer.End(ref WireCode.WriteArrayHeader<TFormat>(ref writer, ref writer.Output.Position, count));
        int i = 0;
        try
        {
            for (; i < count; i++)
                codec.Write(ref writer, ContractCode.Element<T>(list[i]));
        }
        catch (MessageFormatException e) when (e.PrependPath(IndexPart(i)))
        {
            throw;
        }

        writer.Leave();
    }

    /// <summary>Reads objects into a list: into an existing one, whose elements are reused.</summary>
    internal ArrayList ReadObjects(ref WireReader reader, object? existing)
    {
        int count = default(TFormat).ReadArrayHeader(ref reader, allocation);
        ArrayList list = ContractCode.ReuseArrayList(existing, count);
        reader.Enter();
        int i = 0;
        try
        {
            for (; i < list.Count; i++)
                list[i] = codec.Read(ref reader, list[i] is T old && !typeof(T).IsValueType ? old : default);
            for (; i < count; i++)
                list.Add(codec.Read(ref reader));
        }
        catch (MessageFormatException e) when (e.PrependPath(IndexPart(i)))
        {
            throw;
        }
        catch (Exception e) when (BodyFault.Is(e))
        {
            throw BodyFault.Refused(reader.ByteOffset, e, IndexPart(i));
        }

        reader.Leave();
        return list;
    }

    /// <summary>Reads the elements into an array: into an existing one of the same length and of exactly this type, whose elements are reused.</summary>
    internal T[] ReadArray(ref WireReader reader, T[]? existing)
    {
        int count = default(TFormat).ReadArrayHeader(ref reader, allocation);
        T[] items = existing?.GetType() == typeof(T[]) && existing.Length == count ? existing : count == 0 ? [] : new T[count];
        ReadItems(ref reader, items, reuses: ReferenceEquals(items, existing));
        return items;
    }

    /// <summary>Reads so many elements as there is room for.</summary>
    internal void ReadItems(ref WireReader reader, T[] items, bool reuses)
    {
        reader.Enter();
        int i = 0;
        try
        {
            for (; i < items.Length; i++)
                items[i] = codec.Read(ref reader, reuses ? items[i] : default);
        }
        catch (MessageFormatException e) when (e.PrependPath(IndexPart(i)))
        {
            throw;
        }
        catch (Exception e) when (BodyFault.Is(e))
        {
            throw BodyFault.Refused(reader.ByteOffset, e, IndexPart(i));
        }

        reader.Leave();
    }

    /// <summary>Reads the elements into a list: into an existing one, whose elements are reused.</summary>
    internal List<T> ReadList(ref WireReader reader, List<T>? existing)
    {
        int count = default(TFormat).ReadArrayHeader(ref reader, allocation);
        List<T> list = existing ?? new List<T>(count);
        if (list.Count > count)
            list.RemoveRange(count, list.Count - count);
        reader.Enter();
        int i = 0;
        try
        {
            for (; i < list.Count; i++)
                list[i] = codec.Read(ref reader, list[i]);
            for (; i < count; i++)
                list.Add(codec.Read(ref reader));
        }
        catch (MessageFormatException e) when (e.PrependPath(IndexPart(i)))
        {
            throw;
        }
        catch (Exception e) when (BodyFault.Is(e))
        {
            throw BodyFault.Refused(reader.ByteOffset, e, IndexPart(i));
        }

        reader.Leave();
        return list;
    }

    private static string IndexPart(int index) => "[" + index.ToString(CultureInfo.InvariantCulture) + "]";
}
