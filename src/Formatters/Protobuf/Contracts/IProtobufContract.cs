#if NET
namespace Formatters;

/// <summary>A type that brings its generated contract in protobuf. The generator implements it. Not on netstandard2.0.</summary>
/// <typeparam name="TSelf">The type itself.</typeparam>
public interface IProtobufContract<TSelf>
    where TSelf : IProtobufContract<TSelf>
{
    /// <summary>The contract, always the same instance.</summary>
    static abstract ProtobufContract<TSelf> ProtobufContract { get; }
}
#endif
