using System.ComponentModel;

namespace Formatters.Generated;

/// <summary>A member as fields of a message, none or more, all of one number.</summary>
/// <typeparam name="T">The type of the member.</typeparam>
/// <remarks>Immutable; made by <see cref="ContractCode"/> for generated code. Not for use by hand.</remarks>
[EditorBrowsable(EditorBrowsableState.Never)]
public abstract class ProtobufField<T>
{
    private protected ProtobufField(int number) => Number = number;

    internal int Number { get; }

    /// <summary>Whether the elements are gathered aside until the message ends.</summary>
    internal virtual bool GathersItems => false;

    /// <summary>Whether there is anything to be done at the end of the message where there were fields.</summary>
    internal virtual bool FinishesItems => GathersItems;

    internal abstract void Write(ref ProtobufBodyWriter writer, T value);

    /// <summary>Whether a field of its number and this wire type is one of it; else it is unknown.</summary>
    internal abstract bool Accepts(ProtobufWireType wireType);

    /// <summary>Reads a field.</summary>
    /// <param name="reader">The reader, after the tag.</param>
    /// <param name="wireType">A wire type that it accepts.</param>
    /// <param name="value">What the member holds, and is going to hold.</param>
    /// <param name="count">-1 for the first field in this message; then the number of elements.</param>
    /// <param name="items">The elements, where they are gathered aside.</param>
    /// <param name="mode">What the member held at first.</param>
    internal abstract void Read(ref ProtobufBodyReader reader, ProtobufWireType wireType, ref T value, ref int count, ref object? items, FieldMode mode);

    /// <summary>Completes the value at the end of the message.</summary>
    /// <returns><see langword="false"/> if there were no fields, and the member is to have what a new owner has.</returns>
    internal abstract bool Finish(ref ProtobufBodyReader reader, ref T value, int count, object? items, FieldMode mode);

    /// <summary>Copies a collection to which more is to be added; other values stay as they are.</summary>
    internal virtual T Copy(T value) => value;

    /// <summary>How it is declared in a <c>.proto</c> file, without name and number: <c>repeated int32</c>.</summary>
    internal abstract string GetSchemaType(SchemaBuilder schema, string name);

    /// <summary>Its options in a <c>.proto</c> file, after the number; mostly empty.</summary>
    internal virtual string SchemaOptions => "";
}
