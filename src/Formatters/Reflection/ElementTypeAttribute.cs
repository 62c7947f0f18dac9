using System;

namespace Formatters;

/// <summary>Says of what type the elements of an <see cref="System.Collections.ArrayList"/> member are; the body carries no type names.</summary>
/// <remarks>
/// For types that cannot be annotated there is <see cref="ReflectionOptions.WithElementType"/>. A member that has
/// <c>[XmlArrayItem(typeof(LineItem))]</c> for <c>XmlSerializer</c> needs no second attribute.
/// </remarks>
/// <param name="elementType">The type of every element: a class, a struct, a string or a number, not a <see cref="Nullable{T}"/>.</param>
[AttributeUsage(AttributeTargets.Field | AttributeTargets.Property)]
public sealed class ElementTypeAttribute(Type elementType) : Attribute
{
    /// <summary>The type of every element.</summary>
    public Type ElementType { get; } = elementType ?? throw new ArgumentNullException(nameof(elementType));
}
