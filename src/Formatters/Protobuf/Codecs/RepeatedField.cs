using System;
#if !NET
using System.Buffers;
#endif
using System.Collections.Generic;
#if NET
using System.Runtime.InteropServices;
#endif
using Formatters.Generated;
using Formatters.Protobuf;

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
#if NET
            if (content.PackedForm != PackedForm.None && content.TryWritePacked(ref writer, items))
                return;
#endif
            int lengthByteCount = GuessLengthByteCount(items.Length);
            long start = writer.BeginLength(lengthByteCount);
            foreach (T item in items)
                content.Write(ref writer, item);
            writer.EndLength(start, lengthByteCount);
            return;
        }

        for (int i = 0; i < items.Length; i++)
        {
            if (writer.Path is null)
                content.WriteItems(ref writer, _tag, items, ref i);
            if (i == items.Length)
                break;
            int level = ItemPath.Enter(writer.Path, i);
            writer.WriteTag(_tag);
            content.Write(ref writer, items[i]);
            ItemPath.Leave(writer.Path, level);
        }
    }

    internal void Write(ref ProtobufBodyWriter writer, List<T> list)
    {
#if NET
        Write(ref writer, CollectionsMarshal.AsSpan(list));
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
        for (int i = 0; i < items.Length; i++)
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
        if (!IsPacked(wireType))
        {
            uint tag = ProtobufBytes.Tag(number, wireType);
            if (list.Capacity == 0 && wireType == ProtobufWireType.LengthDelimited)
                list.Capacity = ProtobufCode.CountFields<T>(ref reader, tag);

#if NET
            bool hasRuns = reader.Path is null && wireType == ProtobufWireType.LengthDelimited;
#endif
            do
            {
#if NET
                if (hasRuns && !ReadRun(ref reader, tag, list, ref count, ref hasRuns))
                    return;
#endif
                Reserve(ref reader, reader.ByteOffset, list.Count, count, 1);
                SetItem(ref reader, list, ref count);
            }
            while (reader.TryReadTag(tag));
            return;
        }

        int bytesBehind = BeginPacked(ref reader, list.Count, count, out int more);
        // Packed elements may be spread over many fields: the capacity at least doubles, so that each element is copied only once or twice.
        if (list.Capacity < count + more)
            list.Capacity = Math.Max(count + more, list.Capacity * 2);
#if NET
        if (content.PackedForm != PackedForm.None)
        {
            if (list.Count < count + more)
                CollectionsMarshal.SetCount(list, count + more);
            count += content.ReadPacked(ref reader, CollectionsMarshal.AsSpan(list).Slice(count, more));
        }
#endif

        while (reader.BytesRemaining > 0)
            SetItem(ref reader, list, ref count);
        reader.EndLength(bytesBehind);
    }

    /// <summary>Reads a packed field, or consecutive fields of one element each, into an array.</summary>
    /// <param name="reader">The reader, after the tag.</param>
    /// <param name="wireType">The wire type.</param>
    /// <param name="existing">An array to fill if it has the right length, whose elements may be filled; null for none.</param>
    /// <returns>The array; null if the number of elements is not known, and nothing has been read.</returns>
    internal T[]? ReadArray(ref ProtobufBodyReader reader, ProtobufWireType wireType, T[]? existing)
    {
        if (wireType != ProtobufWireType.LengthDelimited)
            return null;
#if NET
        if (content.PackedForm != PackedForm.None)
            return ReadPackedArray(ref reader, existing);
#endif
        uint tag = ProtobufBytes.Tag(number, wireType);
        int elementCount = content.IsPackable ? 0 : ProtobufCode.CountFields<T>(ref reader, tag);
        if (elementCount == 0)
            return null;
        int existingCount = existing is null ? 0 : existing.Length;
        T[] array = existingCount == elementCount ? existing! : new T[elementCount];
        int i = 0;
        do
        {
            if (reader.Path is null && !content.ReadItems(ref reader, tag, array, existing, allocation, ref i))
                break;
            Reserve(ref reader, reader.ByteOffset, Math.Max(existingCount, i), i, 1);
            T item = ReadItem(ref reader, i < existingCount ? existing![i] : default, i);
            array[i++] = item;
        }
        while (i < elementCount && reader.TryReadTag(tag));
        return array;
    }

#if NET
    /// <summary>Reads consecutive elements with <see cref="ProtobufValue{T}.ReadItems"/>.</summary>
    /// <param name="reader">The reader, without a path, after a tag.</param>
    /// <param name="tag">The tag.</param>
    /// <param name="list">The list; existing elements are filled, or others added.</param>
    /// <param name="count">How many elements have been read.</param>
    /// <param name="isComplete">Receives whether all elements counted were read so.</param>
    /// <returns>Whether the tag of a further element has been read.</returns>
    private bool ReadRun(ref ProtobufBodyReader reader, uint tag, List<T> list, ref int count, ref bool isComplete)
    {
        bool hasTag = true;
        while (hasTag && isComplete)
        {
            int existing = list.Count - count;
            int more = Math.Min(ProtobufCode.CountFields<T>(ref reader, tag), reader.Limits.MaxElementCount - count);
            if (existing > 0)
                more = Math.Min(more, existing);
            isComplete = more > 0;
            if (!isComplete)
                break;
            int index = 0;
            if (existing > 0)
            {
                Span<T> items = CollectionsMarshal.AsSpan(list).Slice(count, more);
                hasTag = content.ReadItems(ref reader, tag, items, items, allocation, ref index);
                count += index;
            }
            else
            {
                hasTag = AddItems(ref reader, tag, list, more, ref index);
                count = list.Count;
            }

            isComplete = index == more;
            if (isComplete)
                hasTag = reader.TryReadTag(tag);
        }

        return hasTag;
    }

    private bool AddItems(ref ProtobufBodyReader reader, uint tag, List<T> list, int more, ref int index)
    {
        int count = list.Count;
        CollectionsMarshal.SetCount(list, count + more);
        try
        {
            return content.ReadItems(ref reader, tag, CollectionsMarshal.AsSpan(list).Slice(count), default, allocation, ref index);
        }
        finally
        {
            CollectionsMarshal.SetCount(list, count + index);
        }
    }

    private T[] ReadPackedArray(ref ProtobufBodyReader reader, T[]? existing)
    {
        int bytesBehind = BeginPacked(ref reader, existing is null ? 0 : existing.Length, 0, out int elementCount);
        T[] array = existing?.Length == elementCount ? existing : elementCount == 0 ? [] : GC.AllocateUninitializedArray<T>(elementCount);
        for (int count = content.ReadPacked(ref reader, array); reader.BytesRemaining > 0; count++)
        {
            T item = ReadItem(ref reader, default, count);
            array[count] = item;
        }

        reader.EndLength(bytesBehind);
        return array;
    }
#endif

    internal string GetSchemaType(SchemaBuilder schema) => "repeated " + content.GetSchemaType(schema);

    internal string SchemaOptions => content.IsPackable && !content.IsPacked ? " [packed = false]" : "";

    private bool IsPacked(ProtobufWireType wireType) => wireType == ProtobufWireType.LengthDelimited && content.IsPackable;

    /// <summary>Begins a packed field, and checks the number of its elements.</summary>
    /// <returns>The result of <see cref="ProtobufBodyReader.BeginLength"/>.</returns>
    private int BeginPacked(ref ProtobufBodyReader reader, int existingCount, int count, out int more)
    {
        int byteOffset = reader.ByteOffset;
        int bytesBehind = reader.BeginLength();
        int size = content.WireType switch { ProtobufWireType.Fixed32 => 4, ProtobufWireType.Fixed64 => 8, _ => 0 };
        if (size > 0 && reader.BytesRemaining % size != 0)
            ThrowHelper.ThrowBadLength(byteOffset, "The length of packed elements is not a multiple of the size of one.");
        more = size > 0 ? reader.BytesRemaining / size : reader.CountVarints();
        Reserve(ref reader, byteOffset, existingCount, count, more);
        return bytesBehind;
    }

    /// <summary>Checks a number of elements before they are created.</summary>
    private void Reserve(ref ProtobufBodyReader reader, int byteOffset, int existingCount, int count, int more)
    {
        if ((long)count + more > reader.Limits.MaxElementCount)
            ThrowHelper.ThrowTooManyElements(byteOffset, (long)count + more, reader.Limits.MaxElementCount);
        int added = count + more - existingCount;
        if (added > 0)
            reader.Charge(byteOffset, added, allocation);
    }

    private void SetItem(ref ProtobufBodyReader reader, List<T> list, ref int count)
    {
        if (count < list.Count)
            list[count] = ReadItem(ref reader, list[count], count);
        else
            list.Add(ReadItem(ref reader, default, count));
        count++;
    }

    private T ReadItem(ref ProtobufBodyReader reader, T? existing, int count)
    {
        int level = ItemPath.Enter(reader.Path, count);
        T item = content.Read(ref reader, existing, mergedTag: 0);
        ItemPath.Leave(reader.Path, level);
        return item;
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
            if (mode != FieldMode.Merge && elements.ReadArray(ref reader, wireType, keeps ? (T[])(object)value! : null) is T[] read)
            {
                items = read;
                count = read.Length;
                return;
            }

            var list = new List<T>(keeps && value is not null ? toArray(value) : []);
            items = list;
            count = mode == FieldMode.Merge ? list.Count : 0;
        }
        else if (items is T[] first)
        {
            items = new List<T>(first);
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

        if (items is T[] array)
            return Finish(ref reader, ref value, array);
        var list = (List<T>)items!;
        if (list.Count > count)
            list.RemoveRange(count, list.Count - count);
        if (mode == FieldMode.Reuse && IsArray(value) && ((T[])(object)value!).Length == count)
        {
            list.CopyTo((T[])(object)value);
            return true;
        }

        return Finish(ref reader, ref value, list.ToArray());
    }

    internal override string GetSchemaType(SchemaBuilder schema, string name) => elements.GetSchemaType(schema);

    internal override string SchemaOptions => elements.SchemaOptions;

    private bool Finish(ref ProtobufBodyReader reader, ref TCollection value, T[] array)
    {
        value = make(array);
        if (isSet && ((IReadOnlyCollection<T>)value!).Count != array.Length)
            ContractMethods.ThrowDuplicateKey(reader.ByteOffset);
        return true;
    }

    /// <summary>Determines whether the value is an array that can be filled, and not one of a derived element type.</summary>
    private static bool IsArray(TCollection? value) => value is not null && value.GetType() == typeof(T[]);
}
