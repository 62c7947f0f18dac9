using Formatters.Generated;

namespace Formatters;

/// <summary>The contract of a type in one traversal format: CBOR, compact, or MessagePack in one of its orders.</summary>
/// <typeparam name="T">The type.</typeparam>
internal abstract class TraversedContract<T>
{
    private protected TraversedContract()
    {
    }

    /// <summary>Whether its errors have the member path at once; else a second run finds it.</summary>
    internal virtual bool KnowsPath => false;

    /// <summary>Writes a value.</summary>
    /// <param name="writer">The writer.</param>
    /// <param name="value">The value.</param>
    internal abstract void Write(ref WireWriter writer, T value);

    /// <summary>Reads a value.</summary>
    /// <param name="reader">The reader.</param>
    /// <param name="existing">A value to be filled; the default for none.</param>
    /// <returns>The value.</returns>
    internal abstract T Read(ref WireReader reader, T? existing);

    /// <summary>Writes with account of the member path.</summary>
    /// <param name="writer">The writer.</param>
    /// <param name="value">The value.</param>
    internal abstract void WriteTraced(ref WireWriter writer, T value);

    /// <summary>Reads with account of the member path.</summary>
    /// <param name="reader">The reader.</param>
    /// <returns>The value.</returns>
    internal abstract T ReadTraced(ref WireReader reader);
}
