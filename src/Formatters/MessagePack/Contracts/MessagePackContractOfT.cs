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
        Write(ref inner, value, writer.IsCanonical);
        writer.Output = inner.Output;
    }

    /// <inheritdoc/>
    public sealed override T Read(ref MessagePackBodyReader reader, T? existing = default)
    {
        var inner = new WireReader(reader.Input);
        try
        {
            return Read(ref inner, existing);
        }
        finally
        {
            reader.Input = inner.Input;
        }
    }

    /// <summary>Writes a value.</summary>
    /// <param name="writer">The writer.</param>
    /// <param name="value">The value.</param>
    /// <param name="isCanonical">See <see cref="MessagePackBodyWriter.IsCanonical"/>.</param>
    internal abstract void Write(ref WireWriter writer, T value, bool isCanonical);

    /// <summary>Reads a value.</summary>
    /// <param name="reader">The reader.</param>
    /// <param name="existing">A value to be filled; the default for none.</param>
    /// <returns>The value.</returns>
    internal abstract T Read(ref WireReader reader, T? existing);

    /// <summary>Writes with account of the member path.</summary>
    /// <param name="writer">The writer.</param>
    /// <param name="value">The value.</param>
    /// <param name="isCanonical">See <see cref="MessagePackBodyWriter.IsCanonical"/>.</param>
    internal abstract void WriteTraced(ref WireWriter writer, T value, bool isCanonical);

    /// <summary>Reads with account of the member path.</summary>
    /// <param name="reader">The reader.</param>
    /// <returns>The value.</returns>
    internal abstract T ReadTraced(ref WireReader reader);
}
