using System.ComponentModel;
using Formatters.Protobuf;

namespace Formatters.Generated;

/// <summary>A member as the fields of a message, any number of them, with the same field number.</summary>
/// <typeparam name="T">The type of the member.</typeparam>
/// <remarks>Immutable; created by <see cref="ContractCode"/> for generated code. Not for direct use.</remarks>
[EditorBrowsable(EditorBrowsableState.Never)]
public abstract class ProtobufField<T>
{
    private protected ProtobufField(int number) => Number = number;

    internal int Number { get; }

    /// <summary>Gets the scalar that the one field of the member holds, of an enum the underlying one; null for any other value.</summary>
    internal virtual System.Type? Scalar => null;

    /// <summary>Gets whether the elements are collected separately until the message ends.</summary>
    internal virtual bool GathersItems => false;

    /// <summary>Gets whether work remains at the end of a message that had fields of the member.</summary>
    internal virtual bool FinishesItems => GathersItems;

    internal abstract void Write(ref ProtobufBodyWriter writer, T value);

    /// <summary>Determines whether a field of its number with a wire type belongs to it; otherwise it is unknown.</summary>
    internal abstract bool Accepts(ProtobufWireType wireType);

    /// <summary>Reads a field.</summary>
    /// <param name="reader">The reader, after the tag.</param>
    /// <param name="wireType">A wire type that it accepts.</param>
    /// <param name="value">The member's current value; receives its new one.</param>
    /// <param name="count">-1 for the first field in this message; then the number of elements.</param>
    /// <param name="items">The elements, if they are collected separately.</param>
    /// <param name="mode">The member's initial value.</param>
    internal abstract void Read(ref ProtobufBodyReader reader, ProtobufWireType wireType, ref T value, ref int count, ref object? items,
        FieldMode mode);

    /// <summary>Completes the value at the end of the message.</summary>
    /// <returns><see langword="false"/> if there were no fields, and the member must get the value that a new owner has.</returns>
    internal abstract bool Finish(ref ProtobufBodyReader reader, ref T value, int count, object? items, FieldMode mode);

    /// <summary>Copies a collection to which elements are to be added; returns other values unchanged.</summary>
    internal virtual T Copy(T value) => value;

    /// <summary>Returns its declaration in a <c>.proto</c> file, without name and number: <c>repeated int32</c>.</summary>
    internal abstract string GetSchemaType(SchemaBuilder schema, string name);

    /// <summary>Gets its options in a <c>.proto</c> file, after the number; usually empty.</summary>
    internal virtual string SchemaOptions => "";
}
