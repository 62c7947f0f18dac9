using System;
using Formatters.Generated;
using Formatters.Protobuf;

namespace Formatters;

/// <summary>
/// The codec of a message with one field, as in google/protobuf/wrappers.proto, around a value that is not a message where protobuf requires one: a
/// payload that is not a record, and elements that are collections or may be null.
/// </summary>
internal sealed class WrapperCodec<T>(ProtobufField<T> field, string name) : ProtobufCodec<T>, ISchemaMessage
{
    internal const int Number = 1;

    public override string SchemaType => name;

    internal override bool AllowsNull => true; // the field rejects it if necessary

    internal override bool ReadsParts => true;

    public override void Write(ref ProtobufBodyWriter writer, T value) => field.Write(ref writer, value);

    public override T Read(ref ProtobufBodyReader reader, T? existing = default, bool merges = false)
    {
        FieldMode mode = merges ? FieldMode.Merge : existing is null ? FieldMode.New : FieldMode.Reuse;
        T value = existing!;
        int count = -1;
        object? items = null;
        for (uint tag; (tag = reader.ReadTag()) != 0;)
        {
            if (tag >> 3 == Number && field.Accepts((ProtobufWireType)(tag & 7)))
                field.Read(ref reader, (ProtobufWireType)(tag & 7), ref value, ref count, ref items, mode);
            else
                reader.Skip((int)(tag >> 3), (ProtobufWireType)(tag & 7));
        }

        if (!field.Finish(ref reader, ref value, count, items, mode))
            ThrowHelper.ThrowMissingMember(reader.ByteOffset);
        return value;
    }

    public void Describe(SchemaBuilder schema, SchemaMessage message) =>
        message.AddField(field.GetSchemaType(schema, message.Name + "_value"), "value", Number);
}

/// <summary>The codec of a multidimensional array: a message of its lengths, and of all elements, the last index fastest.</summary>
internal sealed class MultidimensionalArrayCodec<TArray, T>(ProtobufField<int[]> lengths, ProtobufField<T[]> elements, int rank, string name)
    : ProtobufCodec<TArray>, ISchemaMessage
    where TArray : class
{
    internal const int LengthsNumber = 1;
    internal const int ElementsNumber = 2;

    public override string SchemaType => name;

    public override void Write(ref ProtobufBodyWriter writer, TArray value)
    {
        var array = (Array)(object)value;
        int[] dimensions = new int[rank];
        for (int i = 0; i < rank; i++)
            dimensions[i] = array.GetLength(i);
        T[] items = new T[array.Length];
        int next = 0;
        foreach (T item in array)
            items[next++] = item;
        lengths.Write(ref writer, dimensions);
        elements.Write(ref writer, items);
    }

    public override TArray Read(ref ProtobufBodyReader reader, TArray? existing = null, bool merges = false)
    {
        int byteOffset = reader.ByteOffset;
        int[] dimensions = [];
        T[] items = [];
        int lengthsCount = -1, elementsCount = -1;
        object? gatheredLengths = null, gatheredItems = null;
        for (uint tag; (tag = reader.ReadTag()) != 0;)
        {
            var wireType = (ProtobufWireType)(tag & 7);
            if (tag >> 3 == LengthsNumber && lengths.Accepts(wireType))
                lengths.Read(ref reader, wireType, ref dimensions, ref lengthsCount, ref gatheredLengths, FieldMode.New);
            else if (tag >> 3 == ElementsNumber && elements.Accepts(wireType))
                elements.Read(ref reader, wireType, ref items, ref elementsCount, ref gatheredItems, FieldMode.New);
            else
                reader.Skip((int)(tag >> 3), wireType);
        }

        lengths.Finish(ref reader, ref dimensions, lengthsCount, gatheredLengths, FieldMode.New);
        elements.Finish(ref reader, ref items, elementsCount, gatheredItems, FieldMode.New);
        bool fits = dimensions.Length == rank;
        long product = 1;
        foreach (int length in dimensions)
        {
            // If one length is 0 there are no elements that would bound the others.
            fits &= length >= 0 && length <= reader.Limits.MaxElementCount;
            product = Math.Min(product * length, int.MaxValue);
        }

        if (!fits || product != items.Length)
            ThrowHelper.ThrowBadLength(byteOffset, "The number of elements is not the product of the lengths.");
        if (product == 0 && !ArrayLengths.CanMake(dimensions))
            ThrowHelper.ThrowBadLength(byteOffset, "No array can have these lengths.");
        TArray array = MultidimensionalArrayMethods.Create<TArray>(dimensions);
        MultidimensionalArrayMethods.Fill((Array)(object)array, items);
        return array;
    }

    public void Describe(SchemaBuilder schema, SchemaMessage message)
    {
        message.AddField(lengths.GetSchemaType(schema, message.Name + "_lengths"), "lengths", LengthsNumber);
        message.AddField(elements.GetSchemaType(schema, message.Name + "_items"), "items", ElementsNumber);
    }
}
