#if NET
namespace Formatters;

/// <summary>A type that brings its generated contract in the versioned wire format. The generator implements it. Not on netstandard2.0.</summary>
/// <typeparam name="TSelf">The type itself.</typeparam>
public interface IVersionedContract<TSelf>
    where TSelf : IVersionedContract<TSelf>
{
    /// <summary>The contract, always the same instance.</summary>
    static abstract VersionedContract<TSelf> VersionedContract { get; }
}
#endif
