
namespace Formatters;

/// <summary>The members of a type in protobuf, as generated code that writes and reads them.</summary>
/// <typeparam name="T">The type.</typeparam>
/// <remarks>
/// Immutable and safe for use by several threads. Give it to a <see cref="ProtobufFormatter{T}"/>; or, being a codec, to
/// <see cref="ProtobufOptions.WithCodec{T}"/>, for a part of a contract that is found by reflection. Only the library derives from it: it is made of generated code.
/// </remarks>
public abstract class ProtobufContract<T> : ProtobufCodec<T>
{
    private protected ProtobufContract()
    {
    }

    internal sealed override bool ReadsParts => true;

    /// <summary>As <see cref="ProtobufCodec{T}.Write"/>, keeping account of the member path for an error; for the library.</summary>
    /// <param name="writer">The writer.</param>
    /// <param name="value">The value.</param>
    internal abstract void WriteTraced(ref ProtobufBodyWriter writer, T value);

    /// <summary>As <see cref="ProtobufCodec{T}.Read"/> of a new value, keeping account of the member path for an error; for the library.</summary>
    /// <param name="reader">The reader.</param>
    /// <returns>The value.</returns>
    internal abstract T ReadTraced(ref ProtobufBodyReader reader);
}
