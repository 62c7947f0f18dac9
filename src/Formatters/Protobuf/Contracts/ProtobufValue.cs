using System.ComponentModel;
using Formatters.Protobuf;

namespace Formatters.Generated;

/// <summary>A value of a field after its tag: a scalar, an enum or a message, never null.</summary>
/// <typeparam name="T">The type of the value.</typeparam>
/// <remarks>Immutable; created by <see cref="ContractCode"/> for generated code. Not for direct use.</remarks>
[EditorBrowsable(EditorBrowsableState.Never)]
public abstract class ProtobufValue<T>
{
    private protected ProtobufValue(ProtobufWireType wireType) => (WireType, IsPacked) = (wireType, wireType != ProtobufWireType.LengthDelimited);

    /// <summary>Gets the wire type.</summary>
    internal ProtobufWireType WireType { get; }

    /// <inheritdoc cref="ProtobufField{T}.Scalar"/>
    internal virtual System.Type? Scalar => null;

    /// <summary>Gets whether several values can be packed: all except strings, bytes and messages.</summary>
    internal bool IsPackable => WireType != ProtobufWireType.LengthDelimited;

    /// <summary>Gets whether several values are written packed. Both forms are read.</summary>
    internal bool IsPacked { get; private set; }

    /// <summary>Gets whether a field of this type that cannot be null is omitted for the default value: all except messages.</summary>
    internal abstract bool HasDefault { get; }

    /// <summary>Gets whether it is a message in a <c>.proto</c> file: a field of it has presence without being <c>optional</c>.</summary>
    internal abstract bool IsMessage { get; }

    internal abstract bool IsDefault(T value);

    /// <summary>Returns the value of a missing field of this type; for a message one without fields.</summary>
    internal abstract T ReadDefault(ref ProtobufBodyReader reader);

    internal abstract void Write(ref ProtobufBodyWriter writer, T value);

    /// <param name="reader">The reader, after the tag.</param>
    /// <param name="existing">A value that may be filled and returned.</param>
    /// <param name="mergedTag">The tag, if members missing in a message keep their values of <paramref name="existing"/>; otherwise 0.</param>
    internal abstract T Read(ref ProtobufBodyReader reader, T? existing, uint mergedTag);

    /// <summary>Gets the form of packed values, if they can be read and written at once.</summary>
    internal virtual PackedForm PackedForm => PackedForm.None;

#if NET
    /// <summary>Reads packed values up to the first that <see cref="Read"/> rejects.</summary>
    /// <returns>How many were read.</returns>
    internal virtual int ReadPacked(ref ProtobufBodyReader reader, System.Span<T> values) => 0;

    /// <summary>Writes packed values with their length.</summary>
    /// <returns><see langword="false"/> if they must be written one at a time; nothing is written then.</returns>
    internal virtual bool TryWritePacked(ref ProtobufBodyWriter writer, System.ReadOnlySpan<T> values) => false;
#endif

    /// <summary>
    /// Writes elements, each after its tag, in a loop without virtual calls; those that it cannot write so are left to the caller, as are errors.
    /// </summary>
    /// <param name="writer">The writer, without a path.</param>
    /// <param name="tag">The tag.</param>
    /// <param name="items">The elements.</param>
    /// <param name="index">The index of the next one.</param>
    internal virtual void WriteItems(ref ProtobufBodyWriter writer, uint tag, System.ReadOnlySpan<T> items, ref int index)
    {
    }

    /// <summary>Reads consecutive elements in a loop without virtual calls; those that it cannot read so are left to the caller.</summary>
    /// <param name="reader">The reader, without a path, after the tag of the next element; afterwards too, or after the last.</param>
    /// <param name="tag">The tag.</param>
    /// <param name="items">Receives the elements.</param>
    /// <param name="existing">Elements that may be filled, and have been charged.</param>
    /// <param name="allocation">The approximate size of an element in memory.</param>
    /// <param name="index">The index of the next one.</param>
    /// <returns>Whether the tag of a further element has been read.</returns>
    internal virtual bool ReadItems(ref ProtobufBodyReader reader, uint tag, System.Span<T> items, System.ReadOnlySpan<T> existing, int allocation,
        ref int index) => true;

    /// <summary>Returns the value in unpacked form, with a tag for each.</summary>
    internal ProtobufValue<T> Unpacked()
    {
        var unpacked = (ProtobufValue<T>)MemberwiseClone();
        unpacked.IsPacked = false;
        return unpacked;
    }

    /// <summary>Returns the name of the type in a <c>.proto</c> file.</summary>
    internal abstract string GetSchemaType(SchemaBuilder schema);

    /// <summary>Returns the name of the type for a field that has presence.</summary>
    internal string GetPresentSchemaType(SchemaBuilder schema) => (IsMessage ? "" : "optional ") + GetSchemaType(schema);
}
