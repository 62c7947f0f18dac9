using System;

namespace Formatters;

/// <summary>On an abstract class or an interface: lists a derived type that a body may contain, and its tag.</summary>
/// <remarks>
/// <para>In the binary wire format a union is its tag as a 7-bit integer, an Int32 byte count, and the bytes of the object; in the versioned one the
/// byte count comes first. A tag must never change: a new type gets a new tag. Writing an object of a type that is not listed fails, even if its
/// class derives from a listed one.</para>
/// <para>A reader that does not know a tag reads the case for unknown tags, if there is one (<see cref="IUnknownCase"/>), and writes it back byte for
/// byte; otherwise it rejects the body with <see cref="MessageFormatErrorCode.UnknownTag"/>.</para>
/// </remarks>
/// <example><code>
/// [MessageUnion(1, typeof(Circle)), MessageUnion(2, typeof(Square)), MessageUnion(typeof(UnknownShape))]
/// public abstract class Shape;
///
/// public sealed class Circle : Shape { public double Radius { get; set; } }
/// public sealed class Square : Shape { public double Side { get; set; } }
/// public sealed class UnknownShape : Shape, IUnknownCase
/// {
///     public int Tag { get; set; }
///     public ReadOnlyMemory&lt;byte&gt; Body { get; set; }
///     public int BodyType { get; set; }
/// }
/// </code></example>
[AttributeUsage(AttributeTargets.Class | AttributeTargets.Interface, AllowMultiple = true, Inherited = false)]
public sealed class MessageUnionAttribute : Attribute
{
    /// <summary>Lists a type with its tag.</summary>
    /// <param name="tag">The tag of the type in a body, 0 or greater; 0 to 127 take one byte. It must never change.</param>
    /// <param name="type">A class or struct that derives from, or implements, the type with this attribute; it has a contract of its own.</param>
    public MessageUnionAttribute(int tag, Type type)
    {
        Tag = tag;
        Type = type ?? throw new ArgumentNullException(nameof(type));
    }

    /// <summary>Sets the type that stores cases with unknown tags.</summary>
    /// <param name="unknownType">A class with a public constructor without parameters that implements <see cref="IUnknownCase"/>.</param>
    public MessageUnionAttribute(Type unknownType)
    {
        Tag = -1;
        Type = unknownType ?? throw new ArgumentNullException(nameof(unknownType));
    }

    /// <summary>Gets the tag; -1 for the type that stores cases with unknown tags.</summary>
    public int Tag { get; }

    /// <summary>Gets the type.</summary>
    public Type Type { get; }
}
