using Formatters.Generated;

namespace Formatters;

#if NET
/// <summary>A type with a generated contract in the compact format, for <see cref="CompactFormatter.Create{T}"/>. Generated for
/// <see cref="MessageContractAttribute"/>.</summary>
/// <typeparam name="TSelf">The type itself.</typeparam>
public interface ICompactContract<TSelf>
    where TSelf : ICompactContract<TSelf>
{
    /// <summary>The contract.</summary>
    static abstract CompactContract<TSelf> CompactContract { get; }
}
#endif

/// <summary>The generated contract of a type in the compact format: docs/wire/compact.md. Make a formatter of it with
/// <see cref="CompactFormatter{T}"/>.</summary>
/// <typeparam name="T">The type.</typeparam>
public abstract class CompactContract<T> : TraversedContract<T>
{
    private protected CompactContract()
    {
    }
}
