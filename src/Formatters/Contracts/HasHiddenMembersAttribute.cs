using System;
using System.ComponentModel;

namespace Formatters.Generated;

/// <summary>
/// Generated onto a class or generic type with <see cref="MessageContractAttribute"/> that has members or callbacks which are private or internal: the
/// compiler does not show them to other assemblies, where a derived class, or a contract that holds the generic type, would lose them silently.
/// </summary>
[AttributeUsage(AttributeTargets.Class | AttributeTargets.Struct, Inherited = false)]
[EditorBrowsable(EditorBrowsableState.Never)]
public sealed class HasHiddenMembersAttribute : Attribute
{
    /// <summary>Whether some of them are private, and so out of sight also where <c>InternalsVisibleTo</c> shows the internal ones; <see langword="false"/>
    /// by default.</summary>
    public bool HasPrivate { get; set; }
}
