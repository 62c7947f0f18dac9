using System.Collections.Generic;
using System.Linq;
using Microsoft.CodeAnalysis;

namespace Formatters.Generator;

// Types that XmlSerializer accepts but whose values it loses, in generated code as at run time (Formatters.XmlLosses).
internal sealed partial class XmlParser
{
    private const string AllowAttribute = "Formatters.Xml.AllowXmlLossAttribute";

    /// <summary>Base library classes that are written without their content.</summary>
    private static readonly HashSet<string> Partial =
        ["System.Text.StringBuilder", "System.IO.MemoryStream", "System.IO.StringWriter", "System.Net.CookieContainer"];

    private readonly HashSet<ITypeSymbol> _kept = new(SymbolEqualityComparer.Default);
    private readonly List<Diagnostic> _lost = [];

    /// <summary>Returns the types that attributes allow to be lost.</summary>
    private List<ITypeSymbol> AllowedLosses(ITypeSymbol type) =>
    [
        .. new[] { type, _owner }.Distinct(SymbolEqualityComparer.Default).SelectMany(t => t!.GetAttributes())
            .Where(a => a.AttributeClass?.FullName() == AllowAttribute)
            .Select(a => a.ConstructorArguments.FirstOrDefault().Value).OfType<ITypeSymbol>().Distinct<ITypeSymbol>(SymbolEqualityComparer.Default),
    ];

    /// <summary>Collects the types of a contract whose values are lost.</summary>
    /// <param name="type">The type of the payload or of a member.</param>
    /// <param name="path">Its path.</param>
    /// <param name="location">The location of the report.</param>
    /// <param name="allowed">The types whose values may be lost.</param>
    /// <param name="isSet">Whether reading creates a collection instead of filling the existing one.</param>
    private void FindLost(ITypeSymbol type, string path, Location location, List<ITypeSymbol> allowed, bool isSet = true)
    {
        _cancellation.ThrowIfCancellationRequested();
        foreach (ITypeSymbol level in WithItems(type))
        {
            if (level is not INamedTypeSymbol { TypeKind: TypeKind.Class or TypeKind.Struct } named || IsText(named) || IsXml(named)
                || ShapeParser.IsTooDeep(named))
                continue;
            if (!IsCollection(named))
            {
                if (_kept.Add(named))
                    FindLostMembers(named, path, location, allowed);
            }
            else if (!IsFilled(named, isSet || !ReferenceEquals(level, type)) && _kept.Add(named))
            {
                Note(Descriptors.XmlNotRead, named, path, location, allowed);
            }
        }
    }

    private void FindLostMembers(INamedTypeSymbol type, string path, Location location, List<ITypeSymbol> allowed)
    {
        List<ISymbol> members = [.. Symbols.Levels(type).SelectMany(MembersOf)];
        if (Partial.Contains(type.FullName()) || type.HasAttribute(BaseLibrary.InlineArrayAttribute))
            Note(Descriptors.XmlLost, type, path, location, allowed);
        else if (members.Count == 0 && !type.IsAbstract && HasState(type))
            Note(Descriptors.XmlLost, type, path, location, allowed);
        foreach (ISymbol member in members)
        {
            List<XmlMark> marks = XmlMark.Of(member);
            if (marks.Any(m => m.Kind is "XmlAnyElement" or "XmlAnyAttribute"))
                continue;
            List<ITypeSymbol> types = [.. marks.Select(m => m.Type).OfType<ITypeSymbol>()];
            if (types.Count == 0)
                types.Add(TypeOf(member));
            foreach (ITypeSymbol held in types)
                FindLost(held, PathOf(member), (type.IsTupleType ? null : member.LocationIn(_compilation)) ?? location, allowed, CanSet(member));
        }

        foreach (ITypeSymbol included in XmlMark.Of(type).Where(m => m.Kind == "XmlInclude").Select(m => m.Type).OfType<ITypeSymbol>())
            FindLost(included, included.ShortName(), included.LocationIn(_compilation) ?? location, allowed);
    }

    private void Note(DiagnosticDescriptor descriptor, INamedTypeSymbol type, string path, Location location, List<ITypeSymbol> allowed)
    {
        if (!allowed.Any(a => SymbolEqualityComparer.Default.Equals(a, type) || SymbolEqualityComparer.Default.Equals(
            a.OriginalDefinition, type.OriginalDefinition) && a is INamedTypeSymbol { IsUnboundGenericType: true }))
            _lost.Add(Report.Diagnose(descriptor, location, path, type.ShortName()));
    }

    private static bool IsText(INamedTypeSymbol type) =>
        type.OriginalDefinition.SpecialType is not (SpecialType.None or SpecialType.System_IntPtr or SpecialType.System_UIntPtr)
        || Scalars.ContainsKey(type.FullName()) || type.FullName() is "System.DateOnly" or "System.TimeOnly" or "System.Xml.XmlQualifiedName";

    private static bool IsXml(INamedTypeSymbol type) =>
        type.Implements(XmlSpace + "IXmlSerializable") || Symbols.Levels(type).Any(l => l.FullName() == "System.Xml.XmlNode");

    /// <summary>
    /// Determines whether a collection is filled when it is read. Structures of the base library cannot be, and an immutable collection returns
    /// another one.
    /// </summary>
    private static bool IsFilled(INamedTypeSymbol type, bool isSet) => type.IsAbstract
        || (type.IsValueType
            ? !IsOfBaseLibrary(type)
            : (type.ContainingNamespace?.ToDisplayString() != "System.Collections.Immutable" || type.ContainingType is not null)
                && (!isSet || type.InstanceConstructors.Any(c => c.Parameters.IsEmpty && c.DeclaredAccessibility == Accessibility.Public)));

    /// <summary>Determines whether a type has state to lose. For the base library only public state is considered.</summary>
    private static bool HasState(INamedTypeSymbol type) =>
        !Symbols.Levels(type).SelectMany(l => l.GetMembers()).Any(m => !m.IsStatic && m.HasAttribute(XmlSpace + "XmlIgnoreAttribute"))
        && Symbols.Levels(type).SelectMany(l => l.GetMembers()).Any(m => !m.IsStatic && (m is IFieldSymbol
            || (m is IPropertySymbol { IsIndexer: false, GetMethod.DeclaredAccessibility: Accessibility.Public }
                && m.Locations.All(l => !l.IsInSource))));
}
