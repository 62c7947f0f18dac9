using System.ComponentModel;

namespace Formatters.Generated;

/// <summary>A value of a field after its tag: a scalar, an enum or a message, never null.</summary>
/// <typeparam name="T">The type of the value.</typeparam>
/// <remarks>Immutable; made by <see cref="ContractCode"/> for generated code. Not for use by hand.</remarks>
[EditorBrowsable(EditorBrowsableState.Never)]
public abstract class ProtobufValue<T>
{
    private protected ProtobufValue(ProtobufWireType wireType) => (WireType, IsPacked) = (wireType, wireType != ProtobufWireType.LengthDelimited);

    /// <summary>How it lies there.</summary>
    internal ProtobufWireType WireType { get; }

    /// <summary>Whether several of them can follow one length: all except strings, bytes and messages.</summary>
    internal bool IsPackable => WireType != ProtobufWireType.LengthDelimited;

    /// <summary>Whether several of them are written so. Both forms are read.</summary>
    internal bool IsPacked { get; private set; }

    /// <summary>Whether a field of this type that may not be null has no bytes where it has the default value: all but messages.</summary>
    internal abstract bool HasDefault { get; }

    /// <summary>Whether it is a message in a <c>.proto</c> file: a field of it has presence there without being <c>optional</c>.</summary>
    internal abstract bool IsMessage { get; }

    internal abstract bool IsDefault(T value);

    /// <summary>What a field of this type is that has no bytes; of a message one without fields.</summary>
    internal abstract T ReadDefault(ref ProtobufBodyReader reader);

    internal abstract void Write(ref ProtobufBodyWriter writer, T value);

    /// <param name="reader">The reader, after the tag.</param>
    /// <param name="existing">A value that may be filled and returned.</param>
    /// <param name="mergedTag">The tag, if what a message does not have stays as it is in <paramref name="existing"/>; else 0.</param>
    internal abstract T Read(ref ProtobufBodyReader reader, T? existing, uint mergedTag);

    /// <summary>The same, written with a tag for each.</summary>
    internal ProtobufValue<T> Unpacked()
    {
        var unpacked = (ProtobufValue<T>)MemberwiseClone();
        unpacked.IsPacked = false;
        return unpacked;
    }

    /// <summary>The name of the type in a <c>.proto</c> file.</summary>
    internal abstract string GetSchemaType(SchemaBuilder schema);

    /// <summary>The same of a field that has presence.</summary>
    internal string GetPresentSchemaType(SchemaBuilder schema) => (IsMessage ? "" : "optional ") + GetSchemaType(schema);
}
