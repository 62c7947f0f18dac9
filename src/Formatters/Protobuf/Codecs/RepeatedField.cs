using System;
#if !NET
using System.Buffers;
#endif
using System.Collections.Generic;
using Formatters.Generated;

namespace Formatters;

/// <summary>The elements of a collection: one field each, or all packed into one.</summary>
/// <param name="number">The number of the field.</param>
/// <param name="content">An element.</param>
/// <param name="allocation">The approximate size of an element in memory.</param>
internal sealed class RepeatedItems<T>(int number, ProtobufValue<T> content, int allocation)
{
    private readonly uint _tag = ProtobufBytes.Tag(number, content.IsPacked ? ProtobufWireType.LengthDelimited : content.WireType);

    internal int Number => number;

    internal bool Accepts(ProtobufWireType wireType) =>
        wireType == content.WireType || wireType == ProtobufWireType.LengthDelimited && content.IsPackable;

    internal void Write(ref ProtobufBodyWriter writer, ReadOnlySpan<T> items)
    {
        if (items.Length > writer.Limits.MaxElementCount)
            ThrowHelper.ThrowTooManyElements(-1, items.Length, writer.Limits.MaxElementCount);
        if (items.IsEmpty)
            return;
        if (content.IsPacked)
        {
            writer.WriteTag(_tag);
            int lengthByteCount = GuessLengthByteCount(items.Length);
            long start = writer.BeginLength(lengthByteCount);
            foreach (T item in items)
                content.Write(ref writer, item);
            writer.EndLength(start, lengthByteCount);
            return;
        }

        int i = 0;
        try
        {
            for (; i < items.Length; i++)
            {
                int level = ItemPath.Enter(writer.Path, i);
                writer.WriteTag(_tag);
                content.Write(ref writer, items[i]);
                ItemPath.Leave(writer.Path, level);
            }
        }
        catch (MessageFormatException e) when (writer.Path is null && e.PrependPath(ItemPath.Part(i)))
        {
            throw;
        }
    }

    internal void Write(ref ProtobufBodyWriter writer, List<T> list)
    {
#if NET
        Write(ref writer, System.Runtime.InteropServices.CollectionsMarshal.AsSpan(list));
#else
        int count = list.Count;
        T[] items = ArrayPool<T>.Shared.Rent(count);
        list.CopyTo(items);
        Write(ref writer, items.AsSpan(0, count));
        Array.Clear(items, 0, count); // the pool is to hold no objects
        ArrayPool<T>.Shared.Return(items);
#endif
    }

    /// <summary>Writes the elements in the order of their bytes.</summary>
    internal void WriteSorted(ref ProtobufBodyWriter writer, T[] items)
    {
        using var values = new SortedValues(items.Length);
        int i = 0;
        try
        {
            for (; i < items.Length; i++)
            {
                int level = ItemPath.Enter(writer.Path, i);
                var aside = new ProtobufBodyWriter(values.Buffer, writer.Limits, writer.IsCanonical) { Path = writer.Path };
                aside.SetDepthOf(writer);
                if (!content.IsPacked)
                    aside.WriteTag(_tag);
                content.Write(ref aside, items[i]);
                aside.Flush();
                values.EndValue();
                ItemPath.Leave(writer.Path, level);
            }
        }
        catch (MessageFormatException e) when (writer.Path is null && e.PrependPath(ItemPath.Part(i)))
        {
            throw;
        }

        if (content.IsPacked && items.Length > 0)
        {
            writer.WriteTag(_tag);
            writer.WriteUInt32((uint)values.Buffer.WrittenCount);
        }

        foreach (int index in values.GetOrder())
            writer.WriteRaw(values.Get(index));
    }

    /// <summary>Reads elements into a list at the index <paramref name="count"/>, into existing ones if there are any.</summary>
    internal void Read(ref ProtobufBodyReader reader, ProtobufWireType wireType, List<T> list, ref int count)
    {
        int byteOffset = reader.ByteOffset;
        if (wireType != ProtobufWireType.LengthDelimited || !content.IsPackable)
        {
            Reserve(ref reader, byteOffset, list, count, 1);
            ReadItem(ref reader, list, ref count);
            return;
        }

        int bytesBehind = reader.BeginLength();
        int size = content.WireType switch { ProtobufWireType.Fixed32 => 4, ProtobufWireType.Fixed64 => 8, _ => 0 };
        if (size > 0 && reader.BytesRemaining % size != 0)
            ThrowHelper.ThrowBadLength(byteOffset, "The length of packed elements is not a multiple of the size of one.");
        int more = size > 0 ? reader.BytesRemaining / size : reader.CountVarints();
        Reserve(ref reader, byteOffset, list, count, more);
        // Packed elements may be spread over many fields: the capacity at least doubles, so that each element is copied only once or twice.
        if (list.Capacity < count + more)
            list.Capacity = Math.Max(count + more, list.Capacity * 2);
        while (reader.BytesRemaining > 0)
            ReadItem(ref reader, list, ref count);
        reader.EndLength(bytesBehind);
    }

    internal string GetSchemaType(SchemaBuilder schema) => "repeated " + content.GetSchemaType(schema);

    internal string SchemaOptions => content.IsPackable && !content.IsPacked ? " [packed = false]" : "";

    /// <summary>Checks a number of elements before they are created.</summary>
    private void Reserve(ref ProtobufBodyReader reader, int byteOffset, List<T> list, int count, int more)
    {
        if ((long)count + more > reader.Limits.MaxElementCount)
            ThrowHelper.ThrowTooManyElements(byteOffset, (long)count + more, reader.Limits.MaxElementCount);
        int added = count + more - list.Count;
        if (added > 0)
            reader.Charge(byteOffset, added, allocation);
    }

    private void ReadItem(ref ProtobufBodyReader reader, List<T> list, ref int count)
    {
        int level = ItemPath.Enter(reader.Path, count);
        try
        {
            if (count < list.Count)
                list[count] = content.Read(ref reader, list[count], mergedTag: 0);
            else
                list.Add(content.Read(ref reader, default, mergedTag: 0));
        }
        catch (MessageFormatException e) when (level < 0 && e.PrependPath(ItemPath.Part(count)))
        {
            throw;
        }
        catch (Exception e) when (BodyFault.Is(e))
        {
            throw BodyFault.Refused(reader.ByteOffset, e, level < 0 ? ItemPath.Part(count) : null);
        }

        ItemPath.Leave(reader.Path, level);
        count++;
    }

    private int GuessLengthByteCount(int count)
    {
        int size = content.WireType switch { ProtobufWireType.Fixed32 => 4, ProtobufWireType.Fixed64 => 8, _ => 1 };
        return ProtobufBytes.GetByteCount((ulong)count * (ulong)size);
    }
}

/// <summary>The field of a list, or of an interface of one: the member may hold any collection, and is read as a list.</summary>
internal sealed class ListField<TList, T>(RepeatedItems<T> elements, bool isNullable) : ProtobufField<TList>(elements.Number)
    where TList : class, IEnumerable<T>
{
    internal override bool FinishesItems => true;

    internal override TList Copy(TList value) => value is null ? value! : (TList)(object)new List<T>(value);

    internal override void Write(ref ProtobufBodyWriter writer, TList value)
    {
        if (value is null && !isNullable)
            ContractMethods.ThrowUnexpectedNull();
        if (value is T[] array)
            elements.Write(ref writer, array);
        else if (value is not null)
            elements.Write(ref writer, value as List<T> ?? new List<T>(value));
    }

    internal override bool Accepts(ProtobufWireType wireType) => elements.Accepts(wireType);

    internal override void Read(ref ProtobufBodyReader reader, ProtobufWireType wireType, ref TList value, ref int count, ref object? items,
        FieldMode mode)
    {
        if (count < 0)
        {
            if (mode == FieldMode.Merge && value is not null && value is not List<T>)
                value = (TList)(object)new List<T>(value);
            List<T> list = mode != FieldMode.New && value?.GetType() == typeof(List<T>) ? (List<T>)(object)value : [];
            value = (TList)(object)list;
            count = mode == FieldMode.Merge ? list.Count : 0;
        }

        elements.Read(ref reader, wireType, (List<T>)(object)value, ref count);
    }

    internal override bool Finish(ref ProtobufBodyReader reader, ref TList value, int count, object? items, FieldMode mode)
    {
        if (count >= 0)
        {
            var list = (List<T>)(object)value;
            if (list.Count > count)
                list.RemoveRange(count, list.Count - count);
        }
        else if (mode != FieldMode.Merge)
        {
            if (isNullable)
                value = null!;
            else if (value?.GetType() != typeof(List<T>) || mode == FieldMode.New && ((List<T>)(object)value).Count > 0)
                value = (TList)(object)new List<T>();
            else
                ((List<T>)(object)value).Clear();
        }

        return true;
    }

    internal override string GetSchemaType(SchemaBuilder schema, string name) => elements.GetSchemaType(schema);

    internal override string SchemaOptions => elements.SchemaOptions;
}

/// <summary>The field of an array, or of any collection that is created from one.</summary>
/// <param name="elements">The elements.</param>
/// <param name="isNullable">Whether it may be null.</param>
/// <param name="isSet">Whether two collections are equal regardless of the order of their elements, and elements are unique.</param>
/// <param name="toArray">Gives the elements; fails for null.</param>
/// <param name="make">Makes the collection.</param>
internal sealed class GatheredField<TCollection, T>(
    RepeatedItems<T> elements, bool isNullable, bool isSet, Func<TCollection, T[]> toArray, Func<T[], TCollection> make)
        : ProtobufField<TCollection>(elements.Number)
{
    internal override bool GathersItems => true;

    internal override void Write(ref ProtobufBodyWriter writer, TCollection value)
    {
        if (value is null && isNullable)
            return;
        T[] items = toArray(value);
        if (isSet && writer.IsCanonical)
            elements.WriteSorted(ref writer, items);
        else
            elements.Write(ref writer, items);
    }

    internal override bool Accepts(ProtobufWireType wireType) => elements.Accepts(wireType);

    internal override void Read(ref ProtobufBodyReader reader, ProtobufWireType wireType, ref TCollection value, ref int count, ref object? items,
        FieldMode mode)
    {
        if (count < 0)
        {
            // Only the elements of an array are known to be reusable.
            bool keeps = mode == FieldMode.Merge || mode == FieldMode.Reuse && IsArray(value);
            var list = new List<T>(keeps && value is not null ? toArray(value) : []);
            items = list;
            count = mode == FieldMode.Merge ? list.Count : 0;
        }

        elements.Read(ref reader, wireType, (List<T>)items!, ref count);
    }

    internal override bool Finish(ref ProtobufBodyReader reader, ref TCollection value, int count, object? items, FieldMode mode)
    {
        if (count < 0)
        {
            if (mode != FieldMode.Merge)
                value = isNullable ? default! : IsArray(value) && ((T[])(object)value!).Length == 0 ? value : make([]);
            return true;
        }

        var list = (List<T>)items!;
        if (list.Count > count)
            list.RemoveRange(count, list.Count - count);
        if (mode == FieldMode.Reuse && IsArray(value) && ((T[])(object)value!).Length == count)
        {
            list.CopyTo((T[])(object)value);
            return true;
        }

        value = make(list.ToArray());
        if (isSet && ((IReadOnlyCollection<T>)value!).Count != count)
            ContractMethods.ThrowDuplicateKey(reader.ByteOffset);
        return true;
    }

    internal override string GetSchemaType(SchemaBuilder schema, string name) => elements.GetSchemaType(schema);

    internal override string SchemaOptions => elements.SchemaOptions;

    /// <summary>Determines whether the value is an array that can be filled, and not one of a derived element type.</summary>
    private static bool IsArray(TCollection? value) => value is not null && value.GetType() == typeof(T[]);
}
