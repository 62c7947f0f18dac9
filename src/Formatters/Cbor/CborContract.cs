using Formatters.Generated;

namespace Formatters;

#if NET
/// <summary>A type with a generated contract in CBOR, for <see cref="CborFormatter.Create{T}"/>. Generated for
/// <see cref="MessageContractAttribute"/>.</summary>
/// <typeparam name="TSelf">The type itself.</typeparam>
public interface ICborContract<TSelf>
    where TSelf : ICborContract<TSelf>
{
    /// <summary>The contract.</summary>
    static abstract CborContract<TSelf> CborContract { get; }
}
#endif

/// <summary>The generated contract of a type in CBOR: docs/wire/cbor.md. Make a formatter of it with <see cref="CborFormatter{T}"/>.</summary>
/// <typeparam name="T">The type.</typeparam>
public abstract class CborContract<T> : TraversedContract<T>
{
    private protected CborContract()
    {
    }
}
