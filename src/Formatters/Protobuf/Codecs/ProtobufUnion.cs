// https://protobuf.dev/programming-guides/proto3/#oneof
using System;
using System.Collections.Generic;
using System.Globalization;
using Formatters.Generated;
using Formatters.Protobuf;

namespace Formatters;

/// <summary>The codec of a union: a message with one field, whose number is the tag of the case.</summary>
internal sealed class ProtobufUnion<T> : ProtobufCodec<T>, ISchemaMessage
    where T : class
{
    private readonly List<ProtobufCase<T>> _cases = [];
    private Func<IUnknownCase>? _makeUnknown;

    internal void Add(ProtobufCase<T> unionCase) => _cases.Add(unionCase);

    /// <summary>Sets the factory of objects that store a case with an unknown tag.</summary>
    internal void SetUnknown(Func<IUnknownCase> make) => _makeUnknown = make;

    public override string SchemaType => SchemaNames.OfType(typeof(T));

    public override void Write(ref ProtobufBodyWriter writer, T value)
    {
        foreach (ProtobufCase<T> unionCase in _cases)
        {
            if (unionCase.Type == value.GetType())
            {
                unionCase.Write(ref writer, value);
                return;
            }
        }

        if (_makeUnknown is null || value is not IUnknownCase unknown)
            throw new MessageFormatException(MessageFormatErrorCode.TypeNotAllowed,
                $"{TypeNames.Of(value.GetType())} is not a case of the union {TypeNames.Of(typeof(T))}.");
        ContractMethods.CheckUnknownCase(unknown, BodyTypes.Protobuf);
        writer.WriteTag(unknown.Tag, ProtobufWireType.LengthDelimited);
        writer.WriteBytes(unknown.Body.Span);
    }

    internal override bool ReadsParts => true;

    /// <summary>Reads the last of its fields; several of one case are merged.</summary>
    public override T Read(ref ProtobufBodyReader reader, T? existing = null, bool merges = false)
    {
        T? value = merges ? existing : null;
        int unknownTag = 0;
        uint caseTag = 0;
        int tagOffset = reader.ByteOffset;
        while (!reader.IsAtEnd())
        {
            tagOffset = reader.ByteOffset;
            uint tag = reader.ReadTag();
            int number = (int)(tag >> 3);
            bool isMessage = (tag & 7) == (uint)ProtobufWireType.LengthDelimited;
            if (isMessage && _cases.Find(other => other.Tag == number) is ProtobufCase<T> unionCase)
            {
                bool isSame = value is not null && value.GetType() == unionCase.Type;
                if (!isSame)
                    reader.DiscardParts(caseTag);
                caseTag = tag;
                T? filled = isSame ? value : existing?.GetType() == unionCase.Type && !merges ? existing : null;
                value = unionCase.Read(ref reader, filled, mergedTag: isSame ? tag : 0);
            }
            else if (isMessage && _makeUnknown is not null)
            {
                IUnknownCase unknown = _makeUnknown();
                unknown.Tag = number;
                int start = reader.ByteOffset;
                ReadOnlySpan<byte> body = reader.ReadSpan();
                reader.Charge(start, 1, body.Length);
                unknown.Body = body.ToArray();
                unknown.BodyType = BodyTypes.Protobuf;
                value = (T)unknown;
                reader.DiscardParts(caseTag);
            }
            else
            {
                unknownTag = number;
                reader.Skip(number, (ProtobufWireType)(tag & 7));
            }
        }

        if (value is not null)
            return value;
        throw unknownTag > 0
            ? new MessageFormatException(
                MessageFormatErrorCode.UnknownTag,
                string.Format(CultureInfo.InvariantCulture, "The union {0} has no case {1}.", TypeNames.Of(typeof(T)), unknownTag),
                tagOffset)
            : new MessageFormatException(
                MessageFormatErrorCode.MissingMember, $"The body has none of the cases of the union {TypeNames.Of(typeof(T))}.", tagOffset,
                    isPoison: true);
    }

    public void Describe(SchemaBuilder schema, SchemaMessage message)
    {
        message.BeginOneof("case");
        foreach (ProtobufCase<T> unionCase in _cases)
            message.AddField(unionCase.GetSchemaType(schema), SchemaNames.ToSnakeCase(unionCase.Type.Name), unionCase.Tag);
        message.EndOneof();
    }
}

/// <summary>A case of a union, with its type.</summary>
internal sealed class ProtobufCase<T, TCase>(int tag, ProtobufValue<TCase> content) : ProtobufCase<T>(tag, typeof(TCase))
    where T : class
    where TCase : T
{
    internal override void Write(ref ProtobufBodyWriter writer, T value)
    {
        writer.WriteTag(ProtobufBytes.Tag(Tag, ProtobufWireType.LengthDelimited));
        content.Write(ref writer, (TCase)value);
    }

    internal override T Read(ref ProtobufBodyReader reader, T? existing, uint mergedTag) =>
        content.Read(ref reader, existing is TCase same ? same : default, mergedTag);

    internal override string GetSchemaType(SchemaBuilder schema) => content.GetSchemaType(schema);
}
