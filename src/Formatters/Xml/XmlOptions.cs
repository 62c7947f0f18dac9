using System;
using System.Collections.Generic;
using System.Linq;
using Formatters.Contracts;
using Formatters.Xml;

namespace Formatters;

/// <summary>Options for <see cref="XmlFormatter{T}"/>.</summary>
/// <remarks>
/// Immutable: create others with <c>XmlOptions.Default with { Style = XmlBodyStyle.Compact }</c>. <see cref="FormatterLimits.MaxElementCount"/> does
/// not apply to XML.
/// </remarks>
public sealed record XmlOptions : FormatterOptions
{
    private Type[] _allowedLosses = [];

    /// <summary>Gets the default options.</summary>
    public static XmlOptions Default { get; } = new();

    /// <summary>Gets the form of the bytes: indented and formatted like .NET Framework, like .NET, or compact.</summary>
    /// <value>Default <see cref="XmlBodyStyle.Framework"/>.</value>
    public XmlBodyStyle Style
    {
        get;
        init => field = ThrowHelper.Defined(value, nameof(Style));
    }

    /// <summary>Gets whether the generated contract of a type is used, if it has one.</summary>
    /// <value>Default <see langword="true"/>. With false, XmlSerializer writes and reads.</value>
    public bool UseGeneratedContract { get; init; } = true;

    /// <summary>
    /// Gets the types whose values may be lost, because XmlSerializer does not keep them; an open generic type applies to all closed ones.
    /// </summary>
    /// <value>Default none. Otherwise XmlSerializer writes and reads, not a generated contract. See <see cref="AllowXmlLossAttribute"/>.</value>
    /// <exception cref="ArgumentNullException">The value is null.</exception>
    public IReadOnlyCollection<Type> AllowedLosses
    {
        get => Array.AsReadOnly(_allowedLosses);
        init => _allowedLosses = (value ?? throw new ArgumentNullException(nameof(AllowedLosses))).ToArray();
    }

    /// <summary>Gets whether the generated contract can be used.</summary>
    internal bool IsPlain => UseGeneratedContract && _allowedLosses.Length == 0;
}
