using System;
using System.Collections.Generic;
using System.Collections.Immutable;
using System.Linq;
using Microsoft.CodeAnalysis;

namespace Formatters.Generator;

// What XmlSerializer refuses itself, at run time.
internal sealed partial class XmlParser
{
    private readonly List<Refusal> _refused = [];

    private string? WhyRefused(ITypeSymbol type) =>
        type.Implements(XmlSpace + "IXmlSerializable") ? null
        : type.FullName() == "System.Collections.IDictionary" || type.Implements("System.Collections.IDictionary") ? "XmlSerializer takes nothing that implements IDictionary"
        : IsOtherInterface(type) ? "XmlSerializer takes no interface"
        : type is INamedTypeSymbol { TypeKind: TypeKind.Class, IsAbstract: false } named && named.InstanceConstructors.All(c => !c.Parameters.IsEmpty)
            && named.LocationIn(_compilation) is not null
            ? "XmlSerializer needs a constructor without parameters"
        : null;

    /// <summary>Whether it is an interface that XmlSerializer does not know as one of collections.</summary>
    private static bool IsOtherInterface(ITypeSymbol type) =>
        type.TypeKind == TypeKind.Interface && type.FullName() is not ("System.Collections.IEnumerable" or "System.Collections.ICollection" or "System.Collections.IList")
        && !type.Implements("System.Collections.ICollection");

    /// <summary>What arrays and lists hold, in the end.</summary>
    private static ITypeSymbol InnermostOf(ITypeSymbol type) => ListOf(type) switch
    {
        XmlListKind.Array => InnermostOf(((IArrayTypeSymbol)type).ElementType),
        XmlListKind.List => InnermostOf(((INamedTypeSymbol)type).TypeArguments[0]),
        _ => type,
    };

    /// <summary>Notes a type that XmlSerializer refuses.</summary>
    /// <param name="symbol">The member; null for the payload itself.</param>
    /// <param name="type">Its type.</param>
    /// <param name="path">Its path.</param>
    private void CheckRefused(ISymbol? symbol, ITypeSymbol type, string path)
    {
        ITypeSymbol inner = InnermostOf(type);
        if (WhyRefused(inner) is string why)
            _refused.Add(new Refusal(symbol, path, inner, why));
    }

    /// <summary>Notes a member that XmlSerializer refuses. What its attributes give another type, or take as it comes, may be none.</summary>
    private void CheckRefused(ISymbol member, ITypeSymbol type, List<XmlMark> marks, string path)
    {
        if (member is IPropertySymbol { GetMethod: IMethodSymbol getter, SetMethod: IMethodSymbol setter } && !IsCollection(type)
            && (getter.DeclaredAccessibility != Accessibility.Public || setter.DeclaredAccessibility != Accessibility.Public))
            _refused.Add(new Refusal(member, path, member.ContainingType, "XmlSerializer takes no property whose getter or setter is not public"));
        else if (marks.All(m => m.Type is null && m.Kind is "XmlElement" or "XmlArray" or "XmlArrayItem" or "XmlAttribute"))
            CheckRefused(member, type, path);
    }

    private IEnumerable<Diagnostic> Refusals(Location location) => _refused.Select(r => Diagnostic.Create(
        Descriptors.Unsupported,
        r.Symbol?.LocationIn(_compilation) ?? location,
        ImmutableDictionary<string, string?>.Empty.Add(MissingFormat.FormatProperty, nameof(WireFormat.Xml)),
        r.Path,
        r.Type.ShortName(),
        r.Why));

    private sealed record Refusal(ISymbol? Symbol, string Path, ITypeSymbol Type, string Why);
}
