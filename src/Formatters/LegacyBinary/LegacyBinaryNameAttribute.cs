using System;

namespace Formatters.LegacyBinary;

/// <summary>Sets the name of a type, a field or an auto-property in legacy binary bodies, if it differs from its own.</summary>
/// <param name="name">The name: of a type with its namespace (of a generic one without arguments, <c>Old.Box`1</c>), of a member as the sender's
/// field is called. Null: its own.</param>
/// <remarks>
/// Both generated contracts and reflection use it. For further names, and types that you cannot annotate, use <see cref="LegacyBinaryOptions"/>.
/// </remarks>
/// <example><code>
/// [Serializable, LegacyBinaryName("Shop.Order", AssemblyName = "Shop, Version=1.0.0.0, Culture=neutral, PublicKeyToken=null")]
/// public class SalesOrder { [LegacyBinaryName("m_Total")] private decimal _total; }
/// </code></example>
[AttributeUsage(AttributeTargets.Class | AttributeTargets.Struct | AttributeTargets.Enum | AttributeTargets.Field | AttributeTargets.Property,
    Inherited = false)]
public sealed class LegacyBinaryNameAttribute(string? name = null) : Attribute
{
    /// <summary>Gets the name in bodies; null for its own.</summary>
    public string? Name { get; } = name;

    /// <summary>
    /// Gets or sets, for a type, the name of its assembly in bodies, as <see cref="System.Reflection.Assembly.FullName"/> returns it; null for its
    /// own.
    /// </summary>
    public string? AssemblyName { get; set; }
}
