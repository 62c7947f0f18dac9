using System;

namespace Formatters.Binary;

/// <summary>Writes another type, a surrogate with a contract, in place of a type that has none.</summary>
/// <typeparam name="T">The type that has no contract, or should not have one.</typeparam>
/// <typeparam name="TSurrogate">The type that replaces it in bodies.</typeparam>
/// <param name="contract">The contract of the surrogate, which must include the binary format.</param>
/// <example><code>
/// public sealed class IPAddressCodec() : SurrogateCodec&lt;IPAddress, Octets&gt;(Octets.MessageContract)
/// {
///     protected override Octets ToSurrogate(IPAddress value) => new(value.GetAddressBytes());
///     protected override IPAddress FromSurrogate(Octets surrogate) => new(surrogate.Bytes);
/// }
/// </code></example>
public abstract class SurrogateCodec<T, TSurrogate>(MessageContract<TSurrogate> contract) : BinaryCodec<T>
{
    private readonly BinaryCodec<TSurrogate> _codec = (contract ?? throw new ArgumentNullException(nameof(contract))).Binary;

    /// <inheritdoc/>
    public override int MinByteCount => _codec.MinByteCount;

    /// <inheritdoc/>
    public override void Write(ref BinaryBodyWriter writer, T value) => _codec.Write(ref writer, ToSurrogate(value));

    /// <inheritdoc/>
    public override T Read(ref BinaryBodyReader reader, T? existing) => FromSurrogate(_codec.Read(ref reader));

    /// <summary>Creates the surrogate of a value.</summary>
    /// <param name="value">The value, never null.</param>
    /// <returns>The surrogate, not null.</returns>
    protected abstract TSurrogate ToSurrogate(T value);

    /// <summary>Creates the value from a surrogate.</summary>
    /// <param name="surrogate">The surrogate as it was read.</param>
    /// <returns>The value.</returns>
    protected abstract T FromSurrogate(TSurrogate surrogate);
}
