using System;
using System.Buffers;
using Formatters.Generated;

namespace Formatters;

/// <summary>A formatter over a generated contract in the versioned wire format: bodies that older and newer versions of their types can read.</summary>
/// <typeparam name="T">The type of the payload.</typeparam>
/// <remarks>
/// <para>Members are numbered (<see cref="MessageMemberAttribute"/>, <c>[DataMember(Order = n)]</c>). A reader skips members that it does not know, or
/// keeps them (<see cref="UnknownMembers"/>); members that are missing get the value that a new object has. Wire format: docs/wire/versioned.md; which
/// changes are safe: docs/contracts.md.</para>
/// <para>The same bytes, and the same errors at the same offsets, as <see cref="ReflectionFormatter{T}"/> with <see cref="ReflectionOptions.Format"/>
/// <see cref="ContractFormats.Versioned"/>. Safe for trimming and ahead-of-time compilation.</para>
/// <para>Errors carry the member path. To find it, a body (or an object) with an error is gone through a second time, so that setters may run twice.</para>
/// </remarks>
/// <example><code>
/// var formatter = new VersionedFormatter&lt;Order&gt;(Order.VersionedContract);
/// byte[] body = formatter.Write(order);
/// Order same = formatter.Read(body);
/// </code></example>
public sealed class VersionedFormatter<T> : MessageFormatter<T>
{
    private readonly GeneratedCode<T> _code;

    /// <summary>Makes a formatter.</summary>
    /// <param name="contract">The generated contract: <c>Order.VersionedContract</c>, or a property of a class with <see cref="MessageContractForAttribute"/>.</param>
    /// <param name="limits">The limits; null means <see cref="FormatterLimits.Default"/>.</param>
    /// <exception cref="ArgumentNullException"><paramref name="contract"/> is null.</exception>
    public VersionedFormatter(VersionedContract<T> contract, FormatterLimits? limits = null)
        : base(limits, ContentTypes.Versioned, BodyTypes.Versioned)
    {
        _code = new GeneratedCode<T>(contract ?? throw new ArgumentNullException(nameof(contract)), Limits);
    }

    /// <inheritdoc/>
    /// <remarks>
    /// A body is written in place into the first span of <paramref name="destination"/>, which is asked for the length of recent bodies; one that does
    /// not fit moves to a longer span.
    /// </remarks>
    public override void Write(IBufferWriter<byte> destination, T value)
    {
        if (destination is null)
            throw new ArgumentNullException(nameof(destination));
        if (value is null)
            throw new ArgumentNullException(nameof(value));
        var writer = new BinaryBodyWriter(destination, Limits, GetSizeHint(value));
        NoteByteCount(_code.Write(ref writer, value));
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
    /// Reuses what <see cref="ContractFormatter{T}"/> reuses. What the body does not have gets the value of a new object, not that of the existing one:
    /// the result is as if it had been read anew.
    /// If it fails, the object may be filled in part: <see cref="MessageFormatter{T}.ReadOrClear"/> lets go of it.
    /// </remarks>
    public override void Read(ReadOnlySpan<byte> body, ref T value) => _code.Read(body, ref value, reuse: true);
}

#if NET
/// <summary>Makes formatters of types that bring their contract.</summary>
public static class VersionedFormatter
{
    /// <summary>Makes a formatter. Not on netstandard2.0: there give <c>T.VersionedContract</c> to the constructor.</summary>
    /// <typeparam name="T">A type with <see cref="MessageContractAttribute"/> for <see cref="ContractFormats.Versioned"/>.</typeparam>
    /// <param name="limits">The limits; null means <see cref="FormatterLimits.Default"/>.</param>
    /// <returns>The formatter.</returns>
    public static VersionedFormatter<T> Create<T>(FormatterLimits? limits = null)
        where T : IVersionedContract<T> =>
        new(T.VersionedContract, limits);
}
#endif
