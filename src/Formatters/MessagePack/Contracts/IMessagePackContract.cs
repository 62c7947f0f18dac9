#if NET
namespace Formatters;

/// <summary>A type that brings its generated contract in MessagePack. The generator implements it. Not on netstandard2.0.</summary>
/// <typeparam name="TSelf">The type itself.</typeparam>
public interface IMessagePackContract<TSelf>
    where TSelf : IMessagePackContract<TSelf>
{
    /// <summary>The contract, always the same instance.</summary>
    static abstract MessagePackContract<TSelf> MessagePackContract { get; }
}
#endif
