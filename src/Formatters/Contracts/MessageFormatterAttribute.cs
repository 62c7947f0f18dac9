using System;

namespace Formatters;

/// <summary>Has a member, or all values of a type, written and read by an <see cref="IMemberFormatter{T}"/> of one's own. On a member it counts before that on its type.</summary>
/// <param name="formatterType">A class that implements <see cref="IMemberFormatter{T}"/> of the type, and has a public constructor without parameters.</param>
[AttributeUsage(
    AttributeTargets.Field | AttributeTargets.Property | AttributeTargets.Class | AttributeTargets.Struct | AttributeTargets.Interface | AttributeTargets.Enum,
    Inherited = false)]
public sealed class MessageFormatterAttribute(Type formatterType) : Attribute
{
    /// <summary>The type of the formatter.</summary>
    public Type FormatterType { get; } = formatterType ?? throw new ArgumentNullException(nameof(formatterType));
}
