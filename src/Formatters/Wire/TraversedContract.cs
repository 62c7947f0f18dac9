using System.ComponentModel;
using Formatters.Generated;

namespace Formatters.Generated;

/// <summary>Writes and reads a type in one wire format: what the generated contracts of CBOR and of the compact format are.</summary>
/// <typeparam name="T">The type.</typeparam>
public abstract class TraversedContract<T>
{
    private protected TraversedContract()
    {
    }

    /// <summary>For generated code: writes a value.</summary>
    /// <param name="writer">The writer.</param>
    /// <param name="value">The value.</param>
    [EditorBrowsable(EditorBrowsableState.Never)]
    public abstract void Write(ref WireWriter writer, T value);

    /// <summary>For generated code: reads a value.</summary>
    /// <param name="reader">The reader.</param>
    /// <param name="existing">A value to be filled; the default for none.</param>
    /// <returns>The value.</returns>
    [EditorBrowsable(EditorBrowsableState.Never)]
    public abstract T Read(ref WireReader reader, T? existing);

    /// <summary>For generated code: writes with account of the member path.</summary>
    /// <param name="writer">The writer.</param>
    /// <param name="value">The value.</param>
    [EditorBrowsable(EditorBrowsableState.Never)]
    protected internal abstract void WriteTraced(ref WireWriter writer, T value);

    /// <summary>For generated code: reads with account of the member path.</summary>
    /// <param name="reader">The reader.</param>
    /// <returns>The value.</returns>
    [EditorBrowsable(EditorBrowsableState.Never)]
    protected internal abstract T ReadTraced(ref WireReader reader);
}
