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
        For(writer.IsCanonical).Write(ref inner, value);
        writer.Output = inner.Output;
    }

    /// <inheritdoc/>
    public sealed override T Read(ref MessagePackBodyReader reader, T? existing = default)
    {
        var inner = new WireReader(reader.Input);
        try
        {
            return For(isCanonical: false).Read(ref inner, existing);
        }
        finally
        {
            reader.Input = inner.Input;
        }
    }

    /// <summary>Returns the contract in one of the two orders of entries.</summary>
    /// <param name="isCanonical">See <see cref="MessagePackBodyWriter.IsCanonical"/>.</param>
    /// <returns>The contract. Both read the same bodies.</returns>
    internal abstract TraversedContract<T> For(bool isCanonical);

    /// <summary>Returns the contract in a format of the application.</summary>
    /// <typeparam name="TFormat">The format.</typeparam>
    internal abstract TraversedContract<T> For<TFormat>()
        where TFormat : struct, IWireFormat;
}

/// <summary>The contract of a type in MessagePack, over its traversal.</summary>
/// <typeparam name="T">The type.</typeparam>
/// <typeparam name="TTraversal">The traversal: a struct, so that the JIT compiles separate code for it and calls it directly.</typeparam>
internal sealed class MessagePackContract<T, TTraversal> : MessagePackContract<T>
    where TTraversal : struct, ITraversal<T>
{
    internal static readonly MessagePackContract<T, TTraversal> Instance = new();

    private readonly Ordered _plain = new(isCanonical: false);
    private readonly Ordered _canonical = new(isCanonical: true);

    internal override TraversedContract<T> For(bool isCanonical) => isCanonical ? _canonical : _plain;

    internal override TraversedContract<T> For<TFormat>() => TraversedContract<TFormat, T, TTraversal>.Instance;

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
