using System;
using Formatters.Contracts;

namespace Formatters;

/// <summary>
/// Allows objects of derived classes where a class is declared. They are written as the declared class: <b>members of only the derived class are not
/// written</b>, and reading creates an object of the declared class.
/// </summary>
/// <remarks>
/// <para>Without it, writing such an object fails (<see cref="MessageFormatErrorCode.TypeNotAllowed"/>) in the binary and the versioned format,
/// MessagePack, CBOR, the compact format and protobuf, in generated code and by reflection. Use it for classes whose derived classes have no members
/// of their own that messages need: proxies of an object-relational mapper, test doubles. To keep the members of derived classes, declare a union
/// (<see cref="MessageUnionAttribute"/>).</para>
/// <para>On a class, it applies to that class, not to those derived from it. On an assembly, with a type, it applies to code that is generated into
/// the assembly: use it for a class of another assembly, which cannot have the attribute. By reflection, <see cref="ContractOptions.AllowDerived"/>
/// does the same.</para>
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

    /// <summary>Gets the class, on an assembly; null on a class.</summary>
    public Type? Type { get; }
}
