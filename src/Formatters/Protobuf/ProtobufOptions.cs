using System;
using System.Collections.Generic;
using Formatters.Contracts;
using Formatters.Protobuf;

namespace Formatters;

/// <summary>Options for <see cref="ProtobufFormatter{T}"/>.</summary>
/// <remarks>Immutable: create others with <c>ProtobufOptions.Default with { IsCanonical = true }</c>.</remarks>
public sealed record ProtobufOptions : ContractOptions
{
    /// <summary>Gets the default options.</summary>
    public static ProtobufOptions Default { get; } = new();

    /// <summary>
    /// Gets whether equal objects are written as equal bytes, to find duplicates and to sign: maps and sets are written in the order of the bytes of
    /// their entries and elements, and every NaN as the same one. Fields are always in the order of their numbers, and varints in the fewest bytes.
    /// </summary>
    /// <value>Default <see langword="false"/>. It has no effect on reading. Equal values in different forms keep their forms: 1.20 and 1.2, 0.0 and
    /// -0.0.</value>
    public bool IsCanonical { get; init; }

    /// <summary>
    /// Gets whether <see cref="DateTime"/>, <see cref="TimeSpan"/>, <see cref="Guid"/> and <see cref="decimal"/> are written as the messages of
    /// protobuf-net's <c>bcl.proto</c>, protobuf-net's default (its compatibility level 200).
    /// </summary>
    /// <value>Default <see langword="false"/>: <c>google.protobuf.Timestamp</c>, <c>google.protobuf.Duration</c>, and strings, as protobuf-net
    /// writes them at its level 300.</value>
    public bool UseBclTypes { get; init; }

    private Dictionary<Type, object>? Codecs { get; init; }

    internal override bool ChangesContract => base.ChangesContract || UseBclTypes || Codecs is not null;

    /// <summary>Uses your own codec to write and read the values of a type, as messages, wherever they occur.</summary>
    /// <typeparam name="T">The exact type, not its derived types.</typeparam>
    /// <param name="codec">The codec.</param>
    /// <returns>New options; these are not changed. An earlier codec of the same type is replaced.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="codec"/> is null.</exception>
    public ProtobufOptions WithCodec<T>(ProtobufCodec<T> codec)
    {
        if (codec is null)
            throw new ArgumentNullException(nameof(codec));
        Dictionary<Type, object> codecs = Codecs is null ? [] : new(Codecs);
        codecs[typeof(T)] = codec;
        return this with { Codecs = codecs };
    }

    internal object? FindCodec(Type type) => Codecs is not null && Codecs.TryGetValue(type, out object? codec) ? codec : null;
}
