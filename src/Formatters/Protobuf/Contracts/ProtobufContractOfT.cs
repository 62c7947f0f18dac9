
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
}
