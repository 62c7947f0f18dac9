using System;

namespace Formatters;

/// <summary>
/// Allows objects of derived classes where a class is declared: they are written as the declared class. <b>What the derived class adds is not written</b>, and the object read back is of the
/// declared class.
/// </summary>
/// <remarks>
/// <para>Without it such an object is an error of writing (<see cref="MessageFormatErrorCode.TypeNotAllowed"/>) in the binary and the versioned format, in MessagePack,
/// CBOR, the compact format and protobuf, by generated code and by reflection. It is meant for classes whose derived classes hold nothing of their own that a message should carry: proxies of an object-relational mapper, test doubles.
/// To keep what derived classes add, declare a union (<see cref="MessageUnionAttribute"/>).</para>
/// <para>On a class it is for that class alone, not for those derived from it. On an assembly, with a type, it is for code that is generated into the assembly: for a class of another assembly
/// that cannot carry the attribute. By reflection <see cref="ReflectionOptions.WithDerived"/>, <see cref="MessagePackOptions.WithDerived"/>,
/// <see cref="CborOptions.WithDerived"/>, <see cref="CompactOptions.WithDerived"/> and <see cref="ProtobufOptions.WithDerived"/> do the same.</para>
/// </remarks>
/// <example><code>
/// [AllowDerived]                                  // lazy-loading proxies derive from it
/// public class Customer { public virtual string Name { get; set; } = ""; }
/// </code></example>
[AttributeUsage(AttributeTargets.Class | AttributeTargets.Assembly, AllowMultiple = true, Inherited = false)]
public sealed class AllowDerivedAttribute : Attribute
{
    /// <summary>On a class: allows objects of derived classes where this class is declared.</summary>
    public AllowDerivedAttribute()
    {
    }

    /// <summary>On an assembly: allows objects of classes derived from another class, in the code generated into the assembly.</summary>
    /// <param name="type">The class.</param>
    /// <exception cref="ArgumentNullException"><paramref name="type"/> is null.</exception>
    public AllowDerivedAttribute(Type type) => Type = type ?? throw new ArgumentNullException(nameof(type));

    /// <summary>The class, on an assembly; null on a class.</summary>
    public Type? Type { get; }
}
