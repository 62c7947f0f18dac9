using System;

namespace Formatters.Xml;

/// <summary>
/// Allows the values of a type to be lost in the XML bodies of a payload: without it, generated code (FMT141, FMT142) and <see
/// cref="XmlFormatter{T}"/> reject the payload.
/// </summary>
/// <remarks>
/// XmlSerializer accepts types whose values it does not keep: for <see cref="Version"/>, <c>Half</c>, <c>KeyValuePair&lt;TKey, TValue&gt;</c> or a
/// structure that has only properties without setters it writes an empty element, and reads the default. Leave such a member out (<c>[XmlIgnore]</c>)
/// or provide its value in another member; this attribute is for bodies that cannot change. If the payload cannot have it, pass the types to <see
/// cref="XmlOptions.AllowedLosses"/>.
/// </remarks>
/// <example><code>
/// [AllowXmlLoss(typeof(Version))]
/// public class Order { public int Number { get; set; } public Version? Schema { get; set; } }
/// </code></example>
[AttributeUsage(AttributeTargets.Class | AttributeTargets.Struct, AllowMultiple = true, Inherited = true)]
public sealed class AllowXmlLossAttribute : Attribute
{
    /// <summary>Allows the loss.</summary>
    /// <param name="type">The type whose values are lost; an open generic one, <c>typeof(KeyValuePair&lt;,&gt;)</c>, applies to all closed
    /// ones.</param>
    /// <exception cref="ArgumentNullException"><paramref name="type"/> is null.</exception>
    public AllowXmlLossAttribute(Type type) => Type = type ?? throw new ArgumentNullException(nameof(type));

    /// <summary>Gets the type whose values are lost.</summary>
    public Type Type { get; }
}
