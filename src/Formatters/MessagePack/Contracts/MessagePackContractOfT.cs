using Formatters.Custom;
using Formatters.Generated;
using Formatters.MessagePack;

namespace Formatters;

/// <summary>The contract of a type in MessagePack, with its generated code: a codec, and a traversal contract for each order of entries.</summary>
/// <typeparam name="T">The type.</typeparam>
internal abstract class MessagePackContract<T> : MessagePackCodec<T>
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

    /// <summary>Returns the contract in one of the two orders of entries.</summary>
    /// <param name="isCanonical">See <see cref="MessagePackBodyWriter.IsCanonical"/>.</param>
    /// <returns>The contract. Both read the same bodies.</returns>
    internal abstract TraversedContract<T> In(bool isCanonical);

    /// <summary>Returns the contract in a format of the application.</summary>
    /// <typeparam name="TFormat">The format.</typeparam>
    internal abstract TraversedContract<T> In<TFormat>()
        where TFormat : struct, IWireFormat;
}
