using System;
using System.Collections.Generic;

namespace Formatters;

/// <summary>How <see cref="ProtobufFormatter{T}"/> makes the contract of a type.</summary>
/// <remarks>Immutable: create others with <c>ProtobufOptions.Default with { IsCanonical = true }</c>.</remarks>
public sealed record ProtobufOptions
{
    /// <summary>The default options.</summary>
    public static ProtobufOptions Default { get; } = new();

    /// <summary>
    /// Whether equal objects give equal bytes, to find duplicates and to sign: maps and sets are written in the order of the bytes of their entries and
    /// elements, and every NaN as the same one. Fields are in the order of their numbers, and varints in the fewest bytes, in any case.
    /// </summary>
    /// <value>Default <see langword="false"/>. It has no effect on reading. Equal values in different forms keep their forms: 1.20 and 1.2, 0.0 and
    /// -0.0.</value>
    public bool IsCanonical { get; init; }

    /// <summary>
    /// Whether <see cref="DateTime"/>, <see cref="TimeSpan"/>, <see cref="Guid"/> and <see cref="decimal"/> are the messages of protobuf-net's
    /// <c>bcl.proto</c>, as protobuf-net writes them unless told otherwise (its compatibility level 200).
    /// </summary>
    /// <value>
    /// Default <see langword="false"/>: <c>google.protobuf.Timestamp</c>, <c>google.protobuf.Duration</c>, and strings, as protobuf-net writes them at its
    /// level 300.
    /// </value>
    public bool UseBclTypes { get; init; }

    /// <summary>Whether a member may be null if its reference type is declared without nullable annotations, as in types of .NET Framework.</summary>
    /// <value>
    /// Default <see langword="false"/>: such a member is never null. With true, it counts as declared with <c>?</c>, and is an <c>optional</c>
    /// field: a reader without this option reads null as an empty string or collection. Elements of collections, keys and values are not affected. Generated
    /// contracts are not used then.
    /// </value>
    public bool UnannotatedAllowsNull { get; init; }

    private Dictionary<Type, object>? Codecs { get; init; }

    private HashSet<Type>? Derived { get; init; }

    /// <summary>Allows objects of classes derived from a class where that is declared: they are written as the declared class, <b>without what they add</b>.
    /// For classes that cannot carry <see cref="AllowDerivedAttribute"/>.</summary>
    /// <param name="type">The class, exactly: not those derived from it.</param>
    /// <returns>New options; these are not changed.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="type"/> is null.</exception>
    /// <exception cref="ArgumentException"><paramref name="type"/> is not a class that others can derive from.</exception>
    public ProtobufOptions WithDerived(Type type) => this with { Derived = DerivedObjects.Allow(Derived, type) };

    /// <summary>Whether an object may be of another class than the declared one and is rejected then.</summary>
    internal bool ChecksDerived(Type declared) => DerivedObjects.AreChecked(declared, Derived);

    /// <summary>Uses your own codec to write and read the values of a type, as messages, wherever they occur.</summary>
    /// <typeparam name="T">The type, exactly: not those derived from it.</typeparam>
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

    /// <summary>Whether the contracts under these options are those under the default ones: the order is the writer's business.</summary>
    internal bool IsDefaultButOrder => !UseBclTypes && !UnannotatedAllowsNull && Codecs is null && Derived is null;

    internal object? FindCodec(Type type) => Codecs is not null && Codecs.TryGetValue(type, out object? codec) ? codec : null;
}
