#if NET
using Formatters.Contracts;

using System;
using System.Collections.Generic;
using System.Linq;
using System.Text.Json;

namespace Formatters;

/// <summary>Options for <see cref="JsonFormatter{T}"/>.</summary>
/// <remarks>Immutable: create others with <c>JsonOptions.Default with { IsCanonical = true }</c>. <see cref="FormatterLimits.MaxElementCount"/> and
/// <see cref="FormatterLimits.RefuseInvalidText"/> do not apply to JSON; of <see cref="FormatterLimits.MaxDepth"/> and the depth of
/// <see cref="SerializerOptions"/>, the smaller applies.</remarks>
public sealed record JsonOptions : FormatterOptions
{
    private Type[] _allowedLosses = [];

    /// <summary>Gets the default options.</summary>
    public static JsonOptions Default { get; } = new();

    /// <summary>
    /// Gets whether bodies are written in the canonical form of RFC 8785, so that equal objects have equal bytes: names sorted, no white space, one
    /// form of each number.
    /// </summary>
    /// <value>Default <see langword="false"/>. A canonical write takes several times as long. No effect on reading.</value>
    public bool IsCanonical { get; init; }

    /// <summary>
    /// Gets the options of System.Text.Json for the contract of the type; they are read-only once a formatter has been created with them.
    /// </summary>
    /// <value>Default null, for strict options: duplicate properties, null in a member that is not declared nullable, and a body without a value for
    /// a constructor parameter that has no default are rejected; so are, on writing, objects of classes derived from the declared one, unless these
    /// are allowed (<see cref="AllowDerivedAttribute"/>, or <c>[JsonDerivedType]</c>). Public fields count as members.</value>
    public JsonSerializerOptions? SerializerOptions { get; init; }

    /// <summary>
    /// Gets the types whose values may be lost, because System.Text.Json writes them and does not read all of it back; an open generic type applies
    /// to all closed ones.
    /// </summary>
    /// <value>Default none: a formatter cannot be created for a payload with such a type.</value>
    /// <exception cref="ArgumentNullException">The value is null.</exception>
    public IReadOnlyCollection<Type> AllowedLosses
    {
        get => Array.AsReadOnly(_allowedLosses);
        init => _allowedLosses = (value ?? throw new ArgumentNullException(nameof(AllowedLosses))).ToArray();
    }
}
#endif
