namespace Formatters;

/// <summary>What a member held before it is read.</summary>
internal enum FieldMode
{
    /// <summary>Nothing: its owner is new, and what a constructor put there may be shared with others.</summary>
    New,

    /// <summary>A value whose parts may be filled.</summary>
    Reuse,

    /// <summary>What came first in the body: these are more fields of the same message.</summary>
    Merge,
}

/// <summary>A member as fields of a message, none or more, all of one number.</summary>
/// <typeparam name="T">The type of the member.</typeparam>
internal abstract class ProtobufField<T>(int number)
{
    internal int Number { get; } = number;

    /// <summary>Whether the elements are gathered aside until the message ends.</summary>
    internal virtual bool GathersItems => false;

    /// <summary>Whether there is anything to be done at the end of the message where there were fields.</summary>
    internal virtual bool FinishesItems => GathersItems;

    internal abstract void Write(ref ProtobufBodyWriter writer, T value);

    /// <summary>Whether a field of its number and this wire type is one of it; else it is unknown.</summary>
    internal abstract bool Accepts(ProtobufWireType wireType);

    /// <summary>Reads a field.</summary>
    /// <param name="reader">The reader, behind the tag.</param>
    /// <param name="wireType">A wire type that it accepts.</param>
    /// <param name="value">What the member holds, and is going to hold.</param>
    /// <param name="count">-1 for the first field in this message; then the number of elements.</param>
    /// <param name="items">The elements, where they are gathered aside.</param>
    /// <param name="mode">What the member held at first.</param>
    internal abstract void Read(ref ProtobufBodyReader reader, ProtobufWireType wireType, ref T value, ref int count, ref object? items, FieldMode mode);

    /// <summary>Completes the value at the end of the message.</summary>
    /// <returns><see langword="false"/> if there were no fields, and the member is to have what a new owner has.</returns>
    internal abstract bool Finish(ref ProtobufBodyReader reader, ref T value, int count, object? items, FieldMode mode);

    /// <summary>How it is declared in a <c>.proto</c> file, without name and number: <c>repeated int32</c>.</summary>
    internal abstract string GetSchemaType(SchemaBuilder schema, string name);
}

/// <summary>A value that may not be null.</summary>
internal sealed class SingleField<T>(int number, ProtobufValue<T> content) : ProtobufField<T>(number)
{
    private readonly uint _tag = ProtobufBytes.Tag(number, content.WireType);

    internal override void Write(ref ProtobufBodyWriter writer, T value)
    {
        if (value is null)
            ContractMethods.ThrowUnexpectedNull();
        if (content.IsDefault(value))
            return;
        writer.WriteTag(_tag);
        content.Write(ref writer, value);
    }

    internal override bool Accepts(ProtobufWireType wireType) => wireType == content.WireType;

    internal override void Read(ref ProtobufBodyReader reader, ProtobufWireType wireType, ref T value, ref int count, ref object? items, FieldMode mode)
    {
        bool isFirst = count < 0;
        count = 0;
        value = content.Read(ref reader, isFirst && mode == FieldMode.New ? default : value, merges: !isFirst || mode == FieldMode.Merge);
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

/// <summary>A structure that may be null.</summary>
internal sealed class OptionalField<T>(int number, ProtobufValue<T> content) : ProtobufField<T?>(number)
    where T : struct
{
    private readonly uint _tag = ProtobufBytes.Tag(number, content.WireType);

    internal override void Write(ref ProtobufBodyWriter writer, T? value)
    {
        if (value is not T present)
            return;
        writer.WriteTag(_tag);
        content.Write(ref writer, present);
    }

    internal override bool Accepts(ProtobufWireType wireType) => wireType == content.WireType;

    internal override void Read(ref ProtobufBodyReader reader, ProtobufWireType wireType, ref T? value, ref int count, ref object? items, FieldMode mode)
    {
        bool merges = (count >= 0 || mode == FieldMode.Merge) && value is not null;
        count = 0;
        value = content.Read(ref reader, value.GetValueOrDefault(), merges);
    }

    internal override bool Finish(ref ProtobufBodyReader reader, ref T? value, int count, object? items, FieldMode mode)
    {
        if (count < 0 && mode != FieldMode.Merge)
            value = null;
        return true;
    }

    internal override string GetSchemaType(SchemaBuilder schema, string name) => content.GetPresentSchemaType(schema);
}

/// <summary>An object that may be null.</summary>
internal sealed class OptionalObjectField<T>(int number, ProtobufValue<T> content) : ProtobufField<T?>(number)
    where T : class
{
    private readonly uint _tag = ProtobufBytes.Tag(number, content.WireType);

    internal override void Write(ref ProtobufBodyWriter writer, T? value)
    {
        if (value is null)
            return;
        writer.WriteTag(_tag);
        content.Write(ref writer, value);
    }

    internal override bool Accepts(ProtobufWireType wireType) => wireType == content.WireType;

    internal override void Read(ref ProtobufBodyReader reader, ProtobufWireType wireType, ref T? value, ref int count, ref object? items, FieldMode mode)
    {
        bool isFirst = count < 0;
        count = 0;
        T? existing = isFirst && mode == FieldMode.New ? null : value;
        value = content.Read(ref reader, existing, merges: existing is not null && (!isFirst || mode == FieldMode.Merge));
    }

    internal override bool Finish(ref ProtobufBodyReader reader, ref T? value, int count, object? items, FieldMode mode)
    {
        if (count < 0 && mode != FieldMode.Merge)
            value = null;
        return true;
    }

    internal override string GetSchemaType(SchemaBuilder schema, string name) => content.GetPresentSchemaType(schema);
}
