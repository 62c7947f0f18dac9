using Formatters.Generated;

namespace Formatters;

/// <summary>The members of a type in MessagePack, as generated code that writes and reads them.</summary>
/// <typeparam name="T">The type.</typeparam>
/// <remarks>
/// Immutable and safe for use by several threads. Give it to a <see cref="MessagePackFormatter{T}"/>; or, being a codec, to
/// <see cref="MessagePackOptions.WithCodec{T}"/>, for a part of a contract that is found by reflection. Only the library derives from it: it is made
/// of generated code.
/// </remarks>
public abstract class MessagePackContract<T> : MessagePackCodec<T>
{
    private protected MessagePackContract()
    {
    }

    /// <inheritdoc/>
    public sealed override void Write(ref MessagePackBodyWriter writer, T value)
    {
        var inner = new WireWriter(writer.Output);
        In(writer.IsCanonical).Write(ref inner, value);
        writer.Output = inner.Output;
    }

    /// <inheritdoc/>
    public sealed override T Read(ref MessagePackBodyReader reader, T? existing = default)
    {
        var inner = new WireReader(reader.Input);
        try
        {
            return In(isCanonical: false).Read(ref inner, existing);
        }
        finally
        {
            reader.Input = inner.Input;
        }
    }

    /// <summary>The contract in one of the two orders of entries.</summary>
    /// <param name="isCanonical">See <see cref="MessagePackBodyWriter.IsCanonical"/>.</param>
    /// <returns>The contract. Both read the same bodies.</returns>
    internal abstract TraversedContract<T> In(bool isCanonical);
}
