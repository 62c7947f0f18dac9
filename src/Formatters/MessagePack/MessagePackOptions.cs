using System;
using System.Collections.Generic;
using Formatters.Contracts;
using Formatters.MessagePack;

namespace Formatters;

/// <summary>Defines how MessagePack represents the members of a type.</summary>
public enum MessagePackForm
{
    /// <summary>
    /// The array form if the members have numbers, otherwise the map form. A type with <c>[MessagePackObject(keyAsPropertyName: true)]</c> has the
    /// map form.
    /// </summary>
    ByContract,

    /// <summary>
    /// An array, in which every member is at its number, with nil in gaps. Without numbers the members are in the order of the binary wire format,
    /// and members can be added only at the end.
    /// </summary>
    Array,

    /// <summary>A map of names to values.</summary>
    Map,
}

/// <summary>Options for <see cref="MessagePackFormatter{T}"/>.</summary>
/// <remarks>Immutable: create others with <c>MessagePackOptions.Default with { IsCanonical = true }</c>.</remarks>
public sealed record MessagePackOptions : TraversalOptions
{
    /// <summary>Gets the default options.</summary>
    public static MessagePackOptions Default { get; } = new();

    /// <summary>Gets the form of the records: classes and structs with members.</summary>
    /// <value>Default <see cref="MessagePackForm.ByContract"/>. With another, the contract is found by reflection.</value>
    public MessagePackForm Form
    {
        get;
        init => field = ThrowHelper.Defined(value, nameof(Form));
    }

    /// <summary>
    /// Gets whether equal objects are written as equal bytes, to find duplicates and to sign: maps and sets are written in the order of the bytes of
    /// their keys and elements, and every NaN as the same one. Integers always take the fewest bytes.
    /// </summary>
    /// <value>Default <see langword="false"/>. It has no effect on reading. Equal values in different forms keep their forms: 1.20 and 1.2, 0.0 and
    /// -0.0.</value>
    public bool IsCanonical { get; init; }

    internal override MessagePackForm RecordForm => Form;

    internal override bool SortsNames => IsCanonical;

    internal override bool ChangesContract => base.ChangesContract || Form != MessagePackForm.ByContract || Codecs is not null;

    private Dictionary<Type, object>? Codecs { get; init; }

    /// <summary>Uses your own codec to write and read the values of a type, wherever they occur. The contract is then found by reflection.</summary>
    /// <typeparam name="T">The exact type, not its derived types.</typeparam>
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

    internal override object? FindCodec(Type type) => Codecs is not null && Codecs.TryGetValue(type, out object? codec) ? codec : null;
}
