using System.ComponentModel;

namespace Formatters.Generated;

/// <summary>Generated code that writes and reads the values of a type in one wire format.</summary>
/// <typeparam name="T">The type.</typeparam>
/// <remarks>Immutable and safe for use by several threads. Only the library derives from it: it is made of generated code.</remarks>
public abstract class WireContract<T>
{
    private protected WireContract()
    {
    }

    /// <summary>The minimum number of bytes that a value takes, for <see cref="BinaryBodyReader.ReadCount(int)"/>.</summary>
    public abstract int MinByteCount { get; }

    /// <summary>Writes a value.</summary>
    /// <param name="writer">The writer; pass it on by reference.</param>
    /// <param name="value">The value.</param>
    /// <exception cref="MessageFormatException">A null where none is declared, a cycle, or beyond a limit.</exception>
    public abstract void Write(ref BinaryBodyWriter writer, T value);

    /// <summary>Reads a value.</summary>
    /// <param name="reader">The reader; pass it on by reference.</param>
    /// <param name="existing">A value whose objects, lists and equal strings are reused; null for a new one.</param>
    /// <returns><paramref name="existing"/> if it can be filled, otherwise a new value.</returns>
    /// <exception cref="MessageFormatException">The bytes are bad, or beyond a limit.</exception>
    public abstract T Read(ref BinaryBodyReader reader, T? existing = default);

    /// <summary>Whether its errors have the member path, up to the type itself; else a second run finds it.</summary>
    internal virtual bool KnowsPath => false;

    /// <summary>As <see cref="Write"/>, keeping account of the member path for an error; for the library.</summary>
    /// <param name="writer">The writer.</param>
    /// <param name="value">The value.</param>
    internal abstract void WriteTraced(ref BinaryBodyWriter writer, T value);

    /// <summary>As <see cref="Read"/> of a new value, keeping account of the member path for an error; for the library.</summary>
    /// <param name="reader">The reader.</param>
    /// <returns>The value.</returns>
    internal abstract T ReadTraced(ref BinaryBodyReader reader);
}
