#if NET
namespace Formatters;

/// <summary>A type that brings its generated contract. The generator implements it for types with <see cref="MessageContractAttribute"/>. Not on
/// netstandard2.0.</summary>
/// <typeparam name="TSelf">The type itself.</typeparam>
public interface IMessageContract<TSelf>
    where TSelf : IMessageContract<TSelf>
{
    /// <summary>The contract, always the same instance.</summary>
    static abstract MessageContract<TSelf> MessageContract { get; }
}
#endif
