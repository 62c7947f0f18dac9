using System;

namespace Formatters;

/// <summary>Says what a type, a field or an auto-property is called in legacy binary bodies, where that is not its own name.</summary>
/// <param name="name">The name: of a type with its namespace (of a generic one without arguments, <c>Old.Box`1</c>), of a member as the sender's field is
/// called. Null: its own.</param>
/// <remarks>Both generated contracts and reflection use it. Further names, and those of types that one cannot annotate:
/// <see cref="LegacyBinaryOptions"/>.</remarks>
/// <example><code>
/// [Serializable, LegacyBinaryName("Shop.Order", AssemblyName = "Shop, Version=1.0.0.0, Culture=neutral, PublicKeyToken=null")]
/// public class SalesOrder { [LegacyBinaryName("m_Total")] private decimal _total; }
/// </code></example>
[AttributeUsage(AttributeTargets.Class | AttributeTargets.Struct | AttributeTargets.Enum | AttributeTargets.Field | AttributeTargets.Property, Inherited = false)]
public sealed class LegacyBinaryNameAttribute(string? name = null) : Attribute
{
    /// <summary>The name in bodies; null: its own.</summary>
    public string? Name { get; } = name;

    /// <summary>Of types: the name of the assembly in bodies, as <see cref="System.Reflection.Assembly.FullName"/> gives it; null: its own.</summary>
    public string? AssemblyName { get; set; }
}
