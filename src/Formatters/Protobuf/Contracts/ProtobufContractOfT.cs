
using Formatters.Protobuf;

namespace Formatters;

/// <summary>The contract of a type in protobuf, with its generated code.</summary>
/// <typeparam name="T">The type.</typeparam>
internal abstract class ProtobufContract<T> : ProtobufCodec<T>
{
    private protected ProtobufContract()
    {
    }

    internal sealed override bool ReadsParts => true;

    /// <summary>Does what <see cref="ProtobufCodec{T}.Write"/> does, tracking the member path for errors; for the library.</summary>
    /// <param name="writer">The writer.</param>
    /// <param name="value">The value.</param>
    internal abstract void WriteTraced(ref ProtobufBodyWriter writer, T value);

    /// <summary>Does what <see cref="ProtobufCodec{T}.Read"/> does for a new value, tracking the member path for errors; for the library.</summary>
    /// <param name="reader">The reader.</param>
    /// <returns>The value.</returns>
    internal abstract T ReadTraced(ref ProtobufBodyReader reader);
}
