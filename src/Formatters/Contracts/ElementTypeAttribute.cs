using System;

namespace Formatters;

/// <summary>
/// Declares the type of the elements of an <see cref="System.Collections.ArrayList"/> member, or of the values of a <see
/// cref="System.Collections.Hashtable"/>, because the body contains no type names.
/// </summary>
/// <remarks>
/// Also for members declared as <see cref="System.Collections.IList"/>, <see cref="System.Collections.ICollection"/>, <see
/// cref="System.Collections.IEnumerable"/> and <see cref="System.Collections.IDictionary"/>; what is read is an <see
/// cref="System.Collections.ArrayList"/> or a <see cref="System.Collections.Hashtable"/>. For types that cannot be annotated, use <see
/// cref="BinaryBodyOptions.WithElementType"/>. A member that has <c>[XmlArrayItem(typeof(LineItem))]</c> for <c>XmlSerializer</c> needs no second
/// attribute.
/// </remarks>
/// <param name="elementType">The type of every element: a class, a struct, a string or a number, not a <see cref="Nullable{T}"/>.</param>
[AttributeUsage(AttributeTargets.Field | AttributeTargets.Property)]
public sealed class ElementTypeAttribute(Type elementType) : Attribute
{
    /// <summary>Gets the type of every element.</summary>
    public Type ElementType { get; } = elementType ?? throw new ArgumentNullException(nameof(elementType));

    /// <summary>
    /// Gets or sets the type of the keys of a <see cref="System.Collections.Hashtable"/>: a string, a number, a date, a <see cref="Guid"/> or an
    /// enum. It is required there, and has no effect elsewhere.
    /// </summary>
    public Type? KeyType { get; set; }
}
