
namespace Formatters;

/// <summary>The contract of a type in protobuf, by its generated code.</summary>
/// <typeparam name="T">The type.</typeparam>
internal abstract class ProtobufContract<T> : ProtobufCodec<T>
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
