using System;

namespace Formatters;

/// <summary>On an abstract class or an interface: one of the types that stand for it in a body, and the tag by which a reader knows it.</summary>
/// <remarks>
/// <para>In the binary wire format a union is its tag as a 7-bit integer, an Int32 byte count, and the bytes of the object; in the versioned one the byte count
/// comes first. A tag stands for its type for
/// ever: a new type gets a new tag. An object of a type that is not listed, also of a class derived from a listed one, is an error of writing.</para>
/// <para>A reader that is older than a tag reads it as the case for unknown tags, if there is one (<see cref="IUnknownCase"/>), and writes that
/// again byte for byte; otherwise it refuses the body with <see cref="MessageFormatErrorCode.UnknownTag"/>.</para>
/// </remarks>
/// <example><code>
/// [MessageUnion(1, typeof(Circle)), MessageUnion(2, typeof(Square)), MessageUnion(typeof(UnknownShape))]
/// public abstract class Shape;
///
/// public sealed class Circle : Shape { public double Radius { get; set; } }
/// public sealed class Square : Shape { public double Side { get; set; } }
/// public sealed class UnknownShape : Shape, IUnknownCase { public int Tag { get; set; } public ReadOnlyMemory&lt;byte&gt; Body { get; set; } }
/// </code></example>
[AttributeUsage(AttributeTargets.Class | AttributeTargets.Interface, AllowMultiple = true, Inherited = false)]
public sealed class MessageUnionAttribute : Attribute
{
    /// <summary>Lists a type.</summary>
    /// <param name="tag">What stands for the type in a body, for ever: 0 or greater; 0 to 127 take one byte.</param>
    /// <param name="type">A class or struct that derives from, or implements, the type with this attribute; it has a contract of its own.</param>
    public MessageUnionAttribute(int tag, Type type)
    {
        Tag = tag;
        Type = type ?? throw new ArgumentNullException(nameof(type));
    }

    /// <summary>Names the type that keeps what has an unknown tag.</summary>
    /// <param name="unknownType">A class with a public constructor without parameters that implements <see cref="IUnknownCase"/>.</param>
    public MessageUnionAttribute(Type unknownType)
    {
        Tag = -1;
        Type = unknownType ?? throw new ArgumentNullException(nameof(unknownType));
    }

    /// <summary>The tag; -1 for the type that keeps what has an unknown tag.</summary>
    public int Tag { get; }

    /// <summary>The type.</summary>
    public Type Type { get; }
}
