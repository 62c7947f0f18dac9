using System;
using System.Collections.Generic;

namespace Formatters;

/// <summary>The forms in which MessagePack holds the members of a type.</summary>
public enum MessagePackForm
{
    /// <summary>
    /// The array form if the members have numbers, else the map form. A type with <c>[MessagePackObject(keyAsPropertyName: true)]</c> has the map form.
    /// </summary>
    ByContract,

    /// <summary>
    /// An array, in which every member is at its number, and nil where there is none. Without numbers the members are in the order of the binary
    /// wire format, and no member can be added but at the end.
    /// </summary>
    Array,

    /// <summary>A map of names to values.</summary>
    Map,
}

/// <summary>How <see cref="MessagePackFormatter{T}"/> makes the contract of a type.</summary>
/// <remarks>Immutable: derive one with <c>MessagePackOptions.Default with { IsCanonical = true }</c>.</remarks>
public sealed record MessagePackOptions
{
    /// <summary>The options that hold where none are given.</summary>
    public static MessagePackOptions Default { get; } = new();

    /// <summary>The form of the records: classes and structs with members.</summary>
    /// <value>Default <see cref="MessagePackForm.ByContract"/>.</value>
    public MessagePackForm Form { get; init; }

    /// <summary>
    /// Whether equal objects give equal bytes, to find duplicates and to sign: maps and sets are written in the order of the bytes of their keys and
    /// elements, and every NaN as the same one. Integers are in the fewest bytes in any case.
    /// </summary>
    /// <value>
    /// Default <see langword="false"/>. Without effect on reading. What has several forms of equal value keeps them: 1.20 and 1.2, 0.0 and -0.0.
    /// </value>
    public bool IsCanonical { get; init; }

    /// <summary>Whether a member may be null whose reference type is declared in code without nullable annotations, as the types of .NET Framework
    /// are.</summary>
    /// <value>
    /// Default <see langword="false"/>: such a member is never null. With true it counts as if it were declared with <c>?</c>: null is nil, and the other
    /// bytes stay as they are. Elements of collections, keys and values are not concerned. A generated contract is not used then.
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
    public MessagePackOptions WithDerived(Type type) => this with { Derived = DerivedObjects.Allow(Derived, type) };

    /// <summary>Whether an object may be of another class than the declared one and is rejected then.</summary>
    internal bool ChecksDerived(Type declared) => DerivedObjects.AreChecked(declared, Derived);

    /// <summary>Has the values of a type written and read by your own codec, wherever they occur.</summary>
    /// <typeparam name="T">The type, exactly: not those derived from it.</typeparam>
    /// <param name="codec">The codec.</param>
    /// <returns>New options; these are not changed. An earlier codec of the same type is replaced.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="codec"/> is null.</exception>
    public MessagePackOptions WithCodec<T>(MessagePackCodec<T> codec)
    {
        if (codec is null)
            throw new ArgumentNullException(nameof(codec));
        Dictionary<Type, object> codecs = Codecs is null ? [] : new(Codecs);
        codecs[typeof(T)] = codec;
        return this with { Codecs = codecs };
    }

    /// <summary>Whether a generated contract does what the options say.</summary>
    internal bool IsDefaultButOrder => Form == MessagePackForm.ByContract && !UnannotatedAllowsNull && Codecs is null && Derived is null;

    internal object? FindCodec(Type type) => Codecs is not null && Codecs.TryGetValue(type, out object? codec) ? codec : null;
}
