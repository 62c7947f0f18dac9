using System;
using System.ComponentModel;

namespace Formatters.Generated;

/// <summary>
/// Generated onto a class or generic type with <see cref="MessageContractAttribute"/> that has private or internal members or callbacks. The compiler
/// does not show these to other assemblies, where a derived class, or a contract that contains the generic type, would lose them silently.
/// </summary>
[AttributeUsage(AttributeTargets.Class | AttributeTargets.Struct, Inherited = false)]
[EditorBrowsable(EditorBrowsableState.Never)]
public sealed class HasHiddenMembersAttribute : Attribute
{
    /// <summary>
    /// Gets or sets whether some of them are private, and so hidden even where <c>InternalsVisibleTo</c> shows the internal ones; <see
    /// langword="false"/> by default.
    /// </summary>
    public bool HasPrivate { get; set; }
}
