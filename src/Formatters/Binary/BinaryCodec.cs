namespace Formatters.Binary;

/// <summary>
/// Writes and reads the values of a type in the binary or the versioned format: the part of a <see cref="MessageContract{T}"/> that a hand-written
/// <c>Save</c> and <c>Load</c> (<see cref="IBinaryBody"/>) can call.
/// </summary>
/// <typeparam name="T">The type.</typeparam>
/// <remarks>Immutable and safe for use by several threads.</remarks>
public abstract class BinaryCodec<T>
{
    private protected BinaryCodec()
    {
    }

    /// <summary>Gets the minimum number of bytes that a value takes, for <see cref="BinaryBodyReader.ReadCount(int)"/>.</summary>
    public abstract int MinByteCount { get; }

    /// <summary>Writes a value.</summary>
    /// <param name="writer">The writer; pass it on by reference.</param>
    /// <param name="value">The value.</param>
    /// <exception cref="MessageFormatException">A null where none is declared, a cycle, or a value beyond a limit.</exception>
    public abstract void Write(ref BinaryBodyWriter writer, T value);

    /// <summary>Reads a value.</summary>
    /// <param name="reader">The reader; pass it on by reference.</param>
    /// <param name="existing">A value whose objects, lists and equal strings are reused; null for a new one.</param>
    /// <returns><paramref name="existing"/> if it can be filled, otherwise a new value.</returns>
    /// <exception cref="MessageFormatException">The bytes are invalid, or beyond a limit.</exception>
    public abstract T Read(ref BinaryBodyReader reader, T? existing = default);

    /// <summary>Gets whether errors already have the member path, up to the type itself; otherwise the code is run again to find it.</summary>
    internal virtual bool KnowsPath => false;

    /// <summary>Writes a value and tracks the member path for errors.</summary>
    /// <param name="writer">The writer.</param>
    /// <param name="value">The value.</param>
    internal abstract void WriteTraced(ref BinaryBodyWriter writer, T value);

    /// <summary>Reads a new value and tracks the member path for errors.</summary>
    /// <param name="reader">The reader.</param>
    /// <returns>The value.</returns>
    internal abstract T ReadTraced(ref BinaryBodyReader reader);
}
