// https://protobuf.dev/programming-guides/proto3/#oneof
using System;
using Formatters.Generated;
using Formatters.Protobuf;

namespace Formatters;

/// <summary>A case of a oneof: a field of the containing message, which is present if the member holds an object of its type.</summary>
/// <param name="cases">All cases of the oneof in the order of their numbers.</param>
/// <param name="index">Which of them.</param>
/// <param name="isNullable">Whether the member may be null.</param>
/// <remarks>
/// The fields of a oneof share the state of the member: the last one in the body counts, and two consecutive ones of the same case are merged.
/// </remarks>
internal sealed class OneofField<T>(ProtobufCase<T>[] cases, int index, bool isNullable) : ProtobufField<T?>(cases[index].Tag)
    where T : class
{
    private readonly ProtobufCase<T> _case = cases[index];

    internal override void Write(ref ProtobufBodyWriter writer, T? value)
    {
        // The first field checks for all of them.
        if (index == 0)
            Check(value);
        if (value is not null && value.GetType() == _case.Type)
            _case.Write(ref writer, value);
    }

    internal override bool Accepts(ProtobufWireType wireType) => wireType == ProtobufWireType.LengthDelimited;

    internal override void Read(ref ProtobufBodyReader reader, ProtobufWireType wireType, ref T? value, ref int count, ref object? items,
        FieldMode mode)
    {
        bool isFirst = count < 0;
        count = 0;
        T? existing = (isFirst && mode == FieldMode.New) || value?.GetType() != _case.Type ? null : value;
        bool merges = existing is not null && (!isFirst || mode == FieldMode.Merge);
        if (!merges)
        {
            // It replaces another case, whose further parts may have been deferred.
            foreach (ProtobufCase<T> other in cases)
                reader.DiscardParts(ProtobufBytes.Tag(other.Tag, ProtobufWireType.LengthDelimited));
        }

        value = _case.Read(ref reader, existing, mergedTag: merges ? ProtobufBytes.Tag(_case.Tag, ProtobufWireType.LengthDelimited) : 0);
    }

    internal override bool Finish(ref ProtobufBodyReader reader, ref T? value, int count, object? items, FieldMode mode)
    {
        if (count >= 0 || mode == FieldMode.Merge)
            return true;
        if (!isNullable)
            return false;
        value = null;
        return true;
    }

    internal override string GetSchemaType(SchemaBuilder schema, string name) => _case.GetSchemaType(schema);

    private void Check(T? value)
    {
        if (value is null)
        {
            if (!isNullable)
                ContractMethods.ThrowUnexpectedNull();
            return;
        }

        if (!Array.Exists(cases, c => c.Type == value.GetType()))
        {
            throw new MessageFormatException(
                MessageFormatErrorCode.TypeNotAllowed,
                    $"{TypeNames.Of(value.GetType())} is not a case of the oneof: [MessageOneof] does not list it.");
        }
    }
}
