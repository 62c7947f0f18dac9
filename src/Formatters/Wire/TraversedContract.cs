using Formatters.Custom;
using Formatters.Generated;

namespace Formatters;

/// <summary>The contract of a type in one traversal format: CBOR, compact, or MessagePack in one of its orders.</summary>
/// <typeparam name="T">The type.</typeparam>
internal abstract class TraversedContract<T>
{
    private protected TraversedContract()
    {
    }

    /// <summary>Gets whether its errors already have the member path; otherwise the code is run again to find it.</summary>
    internal virtual bool KnowsPath => false;

    /// <summary>Writes a value.</summary>
    /// <param name="writer">The writer.</param>
    /// <param name="value">The value.</param>
    internal abstract void Write(ref WireWriter writer, T value);

    /// <summary>Reads a value.</summary>
    /// <param name="reader">The reader.</param>
    /// <param name="existing">A value to fill; the default for none.</param>
    /// <returns>The value.</returns>
    internal abstract T Read(ref WireReader reader, T? existing);

    /// <summary>Writes a value, tracking the member path.</summary>
    /// <param name="writer">The writer.</param>
    /// <param name="value">The value.</param>
    internal abstract void WriteTraced(ref WireWriter writer, T value);

    /// <summary>Reads a value, tracking the member path.</summary>
    /// <param name="reader">The reader.</param>
    /// <returns>The value.</returns>
    internal abstract T ReadTraced(ref WireReader reader);
}

/// <summary>The contract of a type in CBOR, the compact format or a format of the application, with its traversal.</summary>
/// <typeparam name="TFormat">The format.</typeparam>
/// <typeparam name="T">The type.</typeparam>
/// <typeparam name="TTraversal">The traversal: a struct, so that the JIT compiles separate code for it and calls it directly.</typeparam>
internal sealed class TraversedContract<TFormat, T, TTraversal> : TraversedContract<T>
    where TFormat : struct, IWireFormat
    where TTraversal : struct, ITraversal<T>
{
    internal static readonly TraversedContract<TFormat, T, TTraversal> Instance = new();

    internal override void Write(ref WireWriter writer, T value) =>
        writer.End(ref default(TTraversal).Write<TFormat, Anew>(ref writer, ref writer.Output.Position, value));

    internal override T Read(ref WireReader reader, T? existing) => typeof(T).IsValueType || existing is null
        ? default(TTraversal).Read<TFormat, Anew>(ref reader, existing)
        : default(TTraversal).Read<TFormat, Over>(ref reader, existing);

    internal override void WriteTraced(ref WireWriter writer, T value) =>
        writer.End(ref default(TTraversal).Write<TFormat, Traced>(ref writer, ref writer.Output.Position, value));

    internal override T ReadTraced(ref WireReader reader) => default(TTraversal).Read<TFormat, Traced>(ref reader, default);
}
