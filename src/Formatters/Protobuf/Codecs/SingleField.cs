using Formatters.Generated;
using Formatters.Protobuf;

namespace Formatters;

/// <summary>The field of a value that cannot be null.</summary>
internal sealed class SingleField<T>(int number, ProtobufValue<T> content) : ProtobufField<T>(number)
{
    private readonly uint _tag = ProtobufBytes.Tag(number, content.WireType);

    internal override System.Type? Scalar => content.Scalar;

    internal override void Write(ref ProtobufBodyWriter writer, T value)
    {
        if (!typeof(T).IsValueType && value is null)
            ContractMethods.ThrowUnexpectedNull();
        if (content.IsDefault(value))
            return;
        writer.WriteTag(_tag);
        content.Write(ref writer, value);
    }

    internal override bool Accepts(ProtobufWireType wireType) => wireType == content.WireType;

    internal override void Read(ref ProtobufBodyReader reader, ProtobufWireType wireType, ref T value, ref int count, ref object? items,
        FieldMode mode)
    {
        bool isFirst = count < 0;
        count = 0;
        value = content.Read(ref reader, isFirst && mode == FieldMode.New ? default : value, mergedTag: !isFirst || mode == FieldMode.Merge
            ? _tag
            : 0);
    }

    internal override bool Finish(ref ProtobufBodyReader reader, ref T value, int count, object? items, FieldMode mode)
    {
        if (count >= 0 || mode == FieldMode.Merge)
            return true;
        if (!content.HasDefault)
            return false;
        value = content.ReadDefault(ref reader);
        return true;
    }

    internal override string GetSchemaType(SchemaBuilder schema, string name) =>
        content.HasDefault ? content.GetSchemaType(schema) : content.GetPresentSchemaType(schema);
}

/// <summary>The field of a structure that may be null.</summary>
internal sealed class OptionalField<T>(int number, ProtobufValue<T> content) : ProtobufField<T?>(number)
    where T : struct
{
    private readonly uint _tag = ProtobufBytes.Tag(number, content.WireType);

    internal override System.Type? Scalar => content.Scalar;

    internal override void Write(ref ProtobufBodyWriter writer, T? value)
    {
        if (value is not T present)
            return;
        writer.WriteTag(_tag);
        content.Write(ref writer, present);
    }

    internal override bool Accepts(ProtobufWireType wireType) => wireType == content.WireType;

    internal override void Read(ref ProtobufBodyReader reader, ProtobufWireType wireType, ref T? value, ref int count, ref object? items,
        FieldMode mode)
    {
        bool merges = (count >= 0 || mode == FieldMode.Merge) && value is not null;
        count = 0;
        value = content.Read(ref reader, value.GetValueOrDefault(), mergedTag: merges ? _tag : 0);
    }

    internal override bool Finish(ref ProtobufBodyReader reader, ref T? value, int count, object? items, FieldMode mode)
    {
        if (count < 0 && mode != FieldMode.Merge)
            value = null;
        return true;
    }

    internal override string GetSchemaType(SchemaBuilder schema, string name) => content.GetPresentSchemaType(schema);
}

/// <summary>The field of an object that may be null.</summary>
internal sealed class OptionalObjectField<T>(int number, ProtobufValue<T> content) : ProtobufField<T?>(number)
    where T : class
{
    private readonly uint _tag = ProtobufBytes.Tag(number, content.WireType);

    internal override System.Type? Scalar => content.Scalar;

    internal override void Write(ref ProtobufBodyWriter writer, T? value)
    {
        if (value is null)
            return;
        writer.WriteTag(_tag);
        content.Write(ref writer, value);
    }

    internal override bool Accepts(ProtobufWireType wireType) => wireType == content.WireType;

    internal override void Read(ref ProtobufBodyReader reader, ProtobufWireType wireType, ref T? value, ref int count, ref object? items,
        FieldMode mode)
    {
        bool isFirst = count < 0;
        count = 0;
        T? existing = isFirst && mode == FieldMode.New ? null : value;
        value = content.Read(ref reader, existing, mergedTag: existing is not null && (!isFirst || mode == FieldMode.Merge) ? _tag : 0);
    }

    internal override bool Finish(ref ProtobufBodyReader reader, ref T? value, int count, object? items, FieldMode mode)
    {
        if (count < 0 && mode != FieldMode.Merge)
            value = null;
        return true;
    }

    internal override string GetSchemaType(SchemaBuilder schema, string name) => content.GetPresentSchemaType(schema);
}
