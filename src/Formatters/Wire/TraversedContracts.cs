using System.ComponentModel;
using Formatters.Custom;

namespace Formatters.Generated;

/// <summary>The traversal of a type: its generated code, which is the same in every traversal format.</summary>
/// <typeparam name="T">The type.</typeparam>
[EditorBrowsable(EditorBrowsableState.Never)]
public interface ITraversal<T>
{
    /// <summary>Writes a value.</summary>
    /// <typeparam name="TFormat">The format.</typeparam>
    /// <typeparam name="TMode">The mode.</typeparam>
    /// <param name="writer">The writer.</param>
    /// <param name="position">The position of the next byte.</param>
    /// <param name="value">The value.</param>
    /// <returns>The position after it.</returns>
    ref byte Write<TFormat, TMode>(ref WireWriter writer, ref byte position, T value)
        where TFormat : struct, IWireFormat
        where TMode : struct, IMode;

    /// <summary>Reads a value.</summary>
    /// <typeparam name="TFormat">The format.</typeparam>
    /// <typeparam name="TMode">The mode.</typeparam>
    /// <param name="reader">The reader.</param>
    /// <param name="existing">A value to fill; the default for none.</param>
    /// <returns>The value.</returns>
    T Read<TFormat, TMode>(ref WireReader reader, T? existing)
        where TFormat : struct, IWireFormat
        where TMode : struct, IMode;
}

/// <summary>The contract of a type in MessagePack, with its traversal.</summary>
/// <typeparam name="T">The type.</typeparam>
/// <typeparam name="TTraversal">The traversal: a struct, so that the JIT compiles separate code for it and calls it directly.</typeparam>
internal sealed class MessagePackContract<T, TTraversal> : MessagePackContract<T>
    where TTraversal : struct, ITraversal<T>
{
    internal static readonly MessagePackContract<T, TTraversal> Instance = new();

    private readonly Ordered _plain = new(isCanonical: false);
    private readonly Ordered _canonical = new(isCanonical: true);

    internal override TraversedContract<T> In(bool isCanonical) => isCanonical ? _canonical : _plain;

    internal override TraversedContract<T> In<TFormat>() => TraversedContract<TFormat, T, TTraversal>.Instance;

    // One class for both orders: each would be one more to load for the first body.
    private sealed class Ordered(bool isCanonical) : TraversedContract<T>
    {
        internal override void Write(ref WireWriter writer, T value) => writer.End(ref isCanonical
            ? ref default(TTraversal).Write<MessagePackFormat<CanonicalOrder>, Anew>(ref writer, ref writer.Output.Position, value)
            : ref default(TTraversal).Write<MessagePackFormat<AnyOrder>, Anew>(ref writer, ref writer.Output.Position, value));

        internal override T Read(ref WireReader reader, T? existing) => typeof(T).IsValueType || existing is null
            ? default(TTraversal).Read<MessagePackFormat<AnyOrder>, Anew>(ref reader, existing)
            : default(TTraversal).Read<MessagePackFormat<AnyOrder>, Over>(ref reader, existing);

        internal override void WriteTraced(ref WireWriter writer, T value) => writer.End(ref isCanonical
            ? ref default(TTraversal).Write<MessagePackFormat<CanonicalOrder>, Traced>(ref writer, ref writer.Output.Position, value)
            : ref default(TTraversal).Write<MessagePackFormat<AnyOrder>, Traced>(ref writer, ref writer.Output.Position, value));

        internal override T ReadTraced(ref WireReader reader) => default(TTraversal).Read<MessagePackFormat<AnyOrder>, Traced>(ref reader, default);
    }
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
