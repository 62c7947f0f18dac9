using System;
using Formatters.Binary;

namespace Formatters;

/// <summary>
/// Names the <see cref="IMemberFormatter{T}"/> that writes and reads a member, or all values of a type. The attribute of a member takes precedence
/// over that of its type.
/// </summary>
/// <param name="formatterType">A class that implements <see cref="IMemberFormatter{T}"/> of the type, and has a public constructor without
/// parameters.</param>
[AttributeUsage(
    AttributeTargets.Field | AttributeTargets.Property | AttributeTargets.Class | AttributeTargets.Struct | AttributeTargets.Interface
    | AttributeTargets.Enum,
    Inherited = false)]
public sealed class MessageFormatterAttribute(Type formatterType) : Attribute
{
    /// <summary>Gets the type of the formatter.</summary>
    public Type FormatterType { get; } = formatterType ?? throw new ArgumentNullException(nameof(formatterType));
}
