using System.ComponentModel;
using System.Runtime.CompilerServices;

#pragma warning disable CA1000 // Generated code alone names them, and the type arguments are what it has.

namespace Formatters.Generated;

/// <summary>The traversal of a type: its generated code, which is the same in every format that is a struct of primitives.</summary>
/// <typeparam name="T">The type.</typeparam>
[EditorBrowsable(EditorBrowsableState.Never)]
public interface ITraversal<T>
{
    /// <summary>Writes a value.</summary>
    /// <typeparam name="TFormat">The format.</typeparam>
    /// <typeparam name="TMode">The mode.</typeparam>
    /// <param name="writer">The writer.</param>
    /// <param name="position">Where the next byte goes.</param>
    /// <param name="value">The value.</param>
    /// <returns>The position after it.</returns>
    ref byte Write<TFormat, TMode>(ref WireWriter writer, ref byte position, T value)
        where TFormat : struct, IWireFormat
        where TMode : struct, IMode;

    /// <summary>Reads a value.</summary>
    /// <typeparam name="TFormat">The format.</typeparam>
    /// <typeparam name="TMode">The mode.</typeparam>
    /// <param name="reader">The reader.</param>
    /// <param name="existing">A value to be filled; the default for none.</param>
    /// <returns>The value.</returns>
    T Read<TFormat, TMode>(ref WireReader reader, T? existing)
        where TFormat : struct, IWireFormat
        where TMode : struct, IMode;
}

/// <summary>The contracts of a type by its traversal, each made when it is first asked for. For generated code.</summary>
/// <typeparam name="T">The type.</typeparam>
/// <typeparam name="TTraversal">Its traversal: a struct, so that the JIT makes code of its own for each, and calls it directly.</typeparam>
[EditorBrowsable(EditorBrowsableState.Never)]
public static class TraversedContracts<T, TTraversal>
    where TTraversal : struct, ITraversal<T>
{
    /// <summary>The contract in MessagePack.</summary>
    public static MessagePackContract<T> MessagePackContract => OfMessagePack.Instance;

    /// <summary>The contract in CBOR.</summary>
    public static CborContract<T> CborContract => OfCbor.Instance;

    /// <summary>The contract in the compact format.</summary>
    public static CompactContract<T> CompactContract => OfCompact.Instance;

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static T Read<TFormat>(ref WireReader reader, T? existing)
        where TFormat : struct, IWireFormat =>
        typeof(T).IsValueType || existing is null
            ? default(TTraversal).Read<TFormat, Anew>(ref reader, existing)
            : default(TTraversal).Read<TFormat, Over>(ref reader, existing);

    private sealed class OfMessagePack : MessagePackContract<T>
    {
        internal static readonly OfMessagePack Instance = new();

        internal override void Write(ref WireWriter writer, T value, bool isCanonical) => writer.End(ref isCanonical
            ? ref default(TTraversal).Write<MessagePackFormat<CanonicalOrder>, Anew>(ref writer, ref writer.Output.Position, value)
            : ref default(TTraversal).Write<MessagePackFormat<AnyOrder>, Anew>(ref writer, ref writer.Output.Position, value));

        internal override T Read(ref WireReader reader, T? existing) => Read<MessagePackFormat<AnyOrder>>(ref reader, existing);

        internal override void WriteTraced(ref WireWriter writer, T value, bool isCanonical) => writer.End(ref isCanonical
            ? ref default(TTraversal).Write<MessagePackFormat<CanonicalOrder>, Traced>(ref writer, ref writer.Output.Position, value)
            : ref default(TTraversal).Write<MessagePackFormat<AnyOrder>, Traced>(ref writer, ref writer.Output.Position, value));

        internal override T ReadTraced(ref WireReader reader) => default(TTraversal).Read<MessagePackFormat<AnyOrder>, Traced>(ref reader, default);
    }

    private sealed class OfCbor : CborContract<T>
    {
        internal static readonly OfCbor Instance = new();

        internal override void Write(ref WireWriter writer, T value) =>
            writer.End(ref default(TTraversal).Write<CborFormat, Anew>(ref writer, ref writer.Output.Position, value));

        internal override T Read(ref WireReader reader, T? existing) => Read<CborFormat>(ref reader, existing);

        internal override void WriteTraced(ref WireWriter writer, T value) =>
            writer.End(ref default(TTraversal).Write<CborFormat, Traced>(ref writer, ref writer.Output.Position, value));

        internal override T ReadTraced(ref WireReader reader) => default(TTraversal).Read<CborFormat, Traced>(ref reader, default);
    }

    private sealed class OfCompact : CompactContract<T>
    {
        internal static readonly OfCompact Instance = new();

        internal override void Write(ref WireWriter writer, T value) =>
            writer.End(ref default(TTraversal).Write<CompactFormat, Anew>(ref writer, ref writer.Output.Position, value));

        internal override T Read(ref WireReader reader, T? existing) => Read<CompactFormat>(ref reader, existing);

        internal override void WriteTraced(ref WireWriter writer, T value) =>
            writer.End(ref default(TTraversal).Write<CompactFormat, Traced>(ref writer, ref writer.Output.Position, value));

        internal override T ReadTraced(ref WireReader reader) => default(TTraversal).Read<CompactFormat, Traced>(ref reader, default);
    }
}
