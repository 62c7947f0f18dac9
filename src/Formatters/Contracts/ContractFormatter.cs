using System;
using System.Buffers;
using Formatters.Generated;

namespace Formatters;

/// <summary>A formatter over a generated contract: the binary wire format at the speed of the best hand-written code, without reflection.</summary>
/// <typeparam name="T">The type of the payload.</typeparam>
/// <remarks>
/// <para>The same bytes, and the same errors at the same offsets, as <see cref="ReflectionFormatter{T}"/> and a hand-written <c>Save</c> and
/// <c>Load</c>: docs/wire/binary.md. Safe for trimming and ahead-of-time compilation.</para>
/// <para>Errors carry the member path. To find it, a body (or an object) with an error is gone through a second time, so that setters may run twice.</para>
/// </remarks>
/// <example><code>
/// var formatter = new ContractFormatter&lt;Order&gt;(Order.MessageContract);
/// byte[] body = formatter.Write(order);
/// Order same = formatter.Read(body);
/// </code></example>
public sealed class ContractFormatter<T> : MessageFormatter<T>
{
    private readonly GeneratedCode<T> _code;

    /// <summary>Makes a formatter.</summary>
    /// <param name="contract">The generated contract: <c>Order.MessageContract</c>, or a property of a class with <see cref="MessageContractForAttribute"/>.</param>
    /// <param name="limits">The limits; null means <see cref="FormatterLimits.Default"/>.</param>
    /// <exception cref="ArgumentNullException"><paramref name="contract"/> is null.</exception>
    public ContractFormatter(MessageContract<T> contract, FormatterLimits? limits = null)
        : base(limits, ContentTypes.Binary, BodyTypes.Binary)
    {
        _code = new GeneratedCode<T>(contract ?? throw new ArgumentNullException(nameof(contract)), Limits);
    }

    /// <inheritdoc/>
    public override void Write(IBufferWriter<byte> destination, T value)
    {
        if (destination is null)
            throw new ArgumentNullException(nameof(destination));
        if (value is null)
            throw new ArgumentNullException(nameof(value));
        var writer = new BinaryBodyWriter(destination, Limits);
        _code.Write(ref writer, value);
    }

    /// <inheritdoc/>
    public override T Read(ReadOnlySpan<byte> body)
    {
        T value = default!;
        _code.Read(body, ref value, reuse: false);
        return value;
    }

    /// <inheritdoc/>
    /// <remarks>
    /// Reuses objects of classes made by a constructor without parameters and without <c>init</c> or <c>required</c> members, lists, arrays of equal length,
    /// dictionaries (with new keys and values) and equal strings, each where it is of exactly the declared type. Structs, and objects whose constructor
    /// takes members, are made anew. An object that the graph holds twice would be filled twice: pass what a formatter has read.
    /// If it fails, the object may be filled in part: <see cref="MessageFormatter{T}.ReadOrClear"/> lets go of it.
    /// </remarks>
    public override void Read(ReadOnlySpan<byte> body, ref T value) => _code.Read(body, ref value, reuse: true);
}

#if NET
/// <summary>Makes formatters of types that bring their contract.</summary>
public static class ContractFormatter
{
    /// <summary>Makes a formatter. Not on netstandard2.0: there give <c>T.MessageContract</c> to the constructor.</summary>
    /// <typeparam name="T">A type with <see cref="MessageContractAttribute"/>.</typeparam>
    /// <param name="limits">The limits; null means <see cref="FormatterLimits.Default"/>.</param>
    /// <returns>The formatter.</returns>
    public static ContractFormatter<T> Create<T>(FormatterLimits? limits = null)
        where T : IMessageContract<T> =>
        new(T.MessageContract, limits);
}
#endif
