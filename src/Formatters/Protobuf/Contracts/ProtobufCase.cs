using System;
using System.ComponentModel;
using Formatters.Protobuf;

namespace Formatters.Generated;

/// <summary>Writes and reads one of the types of a union, which is a field of the union's message.</summary>
/// <typeparam name="T">The union.</typeparam>
/// <remarks>Immutable; created by <see cref="ContractCode"/> for generated code. Not for direct use.</remarks>
[EditorBrowsable(EditorBrowsableState.Never)]
public abstract class ProtobufCase<T>
    where T : class
{
    private protected ProtobufCase(int tag, Type type) => (Tag, Type) = (tag, type);

    internal int Tag { get; }

    internal Type Type { get; }

    internal abstract void Write(ref ProtobufBodyWriter writer, T value);

    internal abstract T Read(ref ProtobufBodyReader reader, T? existing, uint mergedTag);

    internal abstract string GetSchemaType(SchemaBuilder schema);
}
