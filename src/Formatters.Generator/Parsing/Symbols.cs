using System;
using System.Collections.Concurrent;
using System.Collections.Generic;
using System.Linq;
using System.Runtime.CompilerServices;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;

namespace Formatters.Generator;

/// <summary>Names of the library's types, and questions about symbols that several parsers ask.</summary>
internal static class Symbols
{
    /// <summary>Determines whether it is a type of the base library.</summary>
    internal static bool IsOfNet(ITypeSymbol type) =>
        BaseLibrary.IsNamespace(type.ContainingNamespace?.ToDisplayString() ?? "")
        && BaseLibrary.HasToken(type.ContainingAssembly?.Identity.PublicKeyToken);

    internal const string ContractAttribute = "Formatters.MessageContractAttribute";
    internal const string MapAttribute = "Formatters.Contracts.MessageContractMapAttribute";
    internal const string ContractForAttribute = "Formatters.MessageContractForAttribute";
    internal const string UnionAttribute = AttributeNames.Union;
    internal const string PackedUnionAttribute = AttributeNames.MessagePackUnion;

    internal const string AllowDerivedAttribute = "Formatters.AllowDerivedAttribute";
    internal const string FormatterAttribute = "Formatters.MemberCodecAttribute";
    internal const string MemberAttribute = AttributeNames.Member;
    internal const string OneofAttribute = AttributeNames.Oneof;
    internal const string DataMemberAttribute = AttributeNames.DataMember;

    private static readonly SymbolDisplayFormat Annotated =
        SymbolDisplayFormat.FullyQualifiedFormat.AddMiscellaneousOptions(SymbolDisplayMiscellaneousOptions.IncludeNullableReferenceTypeModifier);

    /// <summary>The results of <see cref="FullName"/>: attributes are found by it.</summary>
    private static readonly ConditionalWeakTable<ITypeSymbol, string> FullNames = new();

    /// <summary>The results of <see cref="FindAmbiguity"/>, empty for none: it searches all references.</summary>
    private static readonly ConditionalWeakTable<Compilation, ConcurrentDictionary<ISymbol, string>> Ambiguities = new();

    /// <summary>Determines whether generated code can name a type: it is accessible, and its full name means this type.</summary>
    internal static bool IsNameable(this Compilation compilation, ITypeSymbol type, INamedTypeSymbol within) =>
        compilation.IsSymbolAccessibleWithin(type, within) && compilation.WhyAmbiguous(type) is null;

    /// <summary>Returns why the full name of a type, or of a type argument, does not mean this type in generated code; null if it does.</summary>
    internal static string? WhyAmbiguous(this Compilation compilation, ITypeSymbol type)
    {
        while (type is IArrayTypeSymbol array)
            type = array.ElementType;
        if (type is not INamedTypeSymbol { SpecialType: SpecialType.None, TypeKind: not TypeKind.Error } named)
            return null;
        foreach (ITypeSymbol argument in named.TypeArguments)
        {
            if (compilation.WhyAmbiguous(argument) is string why)
                return why;
        }

        INamedTypeSymbol outermost = named;
        while (outermost.ContainingType is INamedTypeSymbol container)
            outermost = container;
        // A type of this compilation precedes those of libraries.
        if (SymbolEqualityComparer.Default.Equals(outermost.ContainingAssembly, compilation.Assembly))
            return null;
        ConcurrentDictionary<ISymbol, string> found = Ambiguities.GetValue(compilation, static _ => new(SymbolEqualityComparer.Default));
        if (!found.TryGetValue(outermost.OriginalDefinition, out string? known))
            found[outermost.OriginalDefinition] = known = compilation.FindAmbiguity(outermost.OriginalDefinition) ?? "";
        return known.Length == 0 ? null : known;
    }

    private static string? FindAmbiguity(this Compilation compilation, INamedTypeSymbol outermost)
    {
        if (!IsGlobal(outermost.ContainingAssembly))
            return $"generated code cannot name it: the reference to {outermost.ContainingAssembly.Name} "
                + "has an extern alias; add 'global' to its aliases";
        INamedTypeSymbol? other = compilation.GetTypesByMetadataName(outermost.FullName()).FirstOrDefault(t =>
            !SymbolEqualityComparer.Default.Equals(t, outermost) && IsGlobal(t.ContainingAssembly)
            && compilation.IsSymbolAccessibleWithin(t, compilation.Assembly));
        return other is null ? null
            : $"generated code cannot name it: {outermost.ContainingAssembly.Name} and {other.ContainingAssembly.Name} both have a type of this name";

        bool IsGlobal(IAssemblySymbol assembly) => SymbolEqualityComparer.Default.Equals(assembly, compilation.Assembly)
            || compilation.GetMetadataReference(assembly) is not MetadataReference { Properties.Aliases: { IsDefaultOrEmpty: false } aliases }
            || aliases.Contains(MetadataReferenceProperties.GlobalAlias);
    }

    /// <summary>Returns the type's name in generated code.</summary>
    internal static string Display(this ITypeSymbol type) => type.ToDisplayString(SymbolDisplayFormat.FullyQualifiedFormat);

    /// <summary>Returns the type's name with its nullable annotations, to distinguish contracts.</summary>
    internal static string Key(this ITypeSymbol type) => type.WithNullableAnnotation(NullableAnnotation.None).ToDisplayString(Annotated);

    /// <summary>Returns the type's name in messages.</summary>
    internal static string ShortName(this ITypeSymbol type) =>
        type.WithNullableAnnotation(NullableAnnotation.None).ToDisplayString(SymbolDisplayFormat.MinimallyQualifiedFormat);

    /// <summary>Returns the name of the definition in metadata: <c>System.Collections.Generic.List`1</c>.</summary>
    internal static string FullName(this ITypeSymbol type) => FullNames.GetValue(type.OriginalDefinition, FindFullName);

    private static string FindFullName(ITypeSymbol definition)
    {
        INamespaceSymbol? space = definition.ContainingNamespace;
        string prefix = definition.ContainingType is INamedTypeSymbol outer
            ? outer.FullName() + "+"
            : space is null || space.IsGlobalNamespace ? "" : space.ToDisplayString() + ".";
        return prefix + definition.MetadataName;
    }

    internal static bool HasAttribute(this ISymbol symbol, string fullName) =>
        symbol.GetAttributes().Any(a => a.AttributeClass?.FullName() == fullName);

    /// <summary>Returns the custom codec of a member or a type; null if it has none.</summary>
    internal static ITypeSymbol? FormatterOf(ISymbol symbol) =>
        symbol.FindAttribute(FormatterAttribute)?.ConstructorArguments.FirstOrDefault().Value as ITypeSymbol;

    /// <summary>Determines whether a member or a type has <c>[MemberCodec(null)]</c>.</summary>
    internal static bool NamesNoFormatter(ISymbol symbol) =>
        symbol.FindAttribute(FormatterAttribute) is { ConstructorArguments.Length: 1 } attribute
        && attribute.ConstructorArguments[0] is { IsNull: true, Kind: not TypedConstantKind.Error };

    /// <summary>Determines whether a symbol has <c>[MessageMember]</c> or <c>[MessageOneof]</c>.</summary>
    internal static bool IsMarked(this ISymbol symbol) => symbol.HasAttribute(MemberAttribute) || symbol.HasAttribute(OneofAttribute);

    internal static AttributeData? FindAttribute(this ISymbol symbol, string fullName) =>
        symbol.GetAttributes().FirstOrDefault(a => a.AttributeClass?.FullName() == fullName);

    internal static object? NamedArgument(this AttributeData attribute, string name) =>
        attribute.NamedArguments.FirstOrDefault(a => a.Key == name).Value.Value;

    /// <summary>Returns the formats that an attribute requests.</summary>
    internal static ContractFormats Formats(this AttributeData attribute) =>
        attribute.NamedArgument("Formats") is int formats ? (ContractFormats)formats : ContractFormats.Versioned;

    /// <summary>Returns the attributes of a member, with those of the parameter of a positional record's property.</summary>
    internal static IEnumerable<AttributeData> AttributesOf(ISymbol member)
    {
        if (member is not IPropertySymbol { ContainingType.IsRecord: true })
            return member.GetAttributes();
        IEnumerable<IParameterSymbol> parameters = member.ContainingType.InstanceConstructors.SelectMany(c => c.Parameters)
            .Where(p => p.Name == member.Name && p.Locations[0] == member.Locations[0]);
        return member.GetAttributes().Concat(parameters.SelectMany(p => p.GetAttributes()));
    }

    internal static bool IsLeftOut(ISymbol member) =>
        member.HasAttribute(AttributeNames.IgnoreDataMember) || member.HasAttribute(AttributeNames.XmlIgnore)
        || member is IFieldSymbol field && IsNotSerialized(field);

    internal static bool IsNotSerialized(IFieldSymbol field) =>
        field.HasAttribute("System.NonSerializedAttribute") || UnseenMembers.IsNotSerialized(field);

    /// <summary>Returns the classes of an object, the most general first; without <see cref="object"/> and <see cref="System.ValueType"/>.</summary>
    internal static IEnumerable<INamedTypeSymbol> Levels(INamedTypeSymbol type)
    {
        var levels = new Stack<INamedTypeSymbol>();
        for (INamedTypeSymbol? level = type; level is not null; level = level.BaseType)
        {
            if (level.SpecialType is not (SpecialType.System_Object or SpecialType.System_ValueType))
                levels.Push(level);
        }

        return levels;
    }

    /// <summary>Returns the members that an object initializer must set.</summary>
    internal static IEnumerable<ISymbol> RequiredMembers(INamedTypeSymbol type) =>
        Levels(type).SelectMany(l => l.GetMembers())
        .Where(m => m is IFieldSymbol { IsRequired: true } or IPropertySymbol { IsRequired: true, IsOverride: false });

    internal static bool Implements(this ITypeSymbol type, string interfaceName) => type.AllInterfaces.Any(i => i.FullName() == interfaceName);

    internal static bool IsPublicInstance(ISymbol member) => member.DeclaredAccessibility == Accessibility.Public && !member.IsStatic;

    /// <summary>
    /// Returns the declaration of a symbol in the source of a compilation, but not of a referenced project, where nothing can be reported. Null if
    /// there is none.
    /// </summary>
    internal static Location? LocationIn(this ISymbol symbol, Compilation compilation) =>
        symbol.Locations.FirstOrDefault(l => l.SourceTree is SyntaxTree tree && compilation.ContainsSyntaxTree(tree));

    /// <summary>Returns the location of an attribute, as <see cref="LocationIn(ISymbol, Compilation)"/> does.</summary>
    internal static Location? LocationIn(this AttributeData attribute, Compilation compilation) =>
        attribute.ApplicationSyntaxReference is SyntaxReference reference && compilation.ContainsSyntaxTree(reference.SyntaxTree)
            ? Location.Create(reference.SyntaxTree, reference.Span) : null;

    /// <summary>Returns why generated code cannot use a type in any wire format; null if it can.</summary>
    internal static string? WhyUnusable(ITypeSymbol type) =>
        IsFileLocal(type)
        ? "it is local to its file, where no code can be generated"
        : type.IsStatic
        ? "no object can be made of a static class"
        : type.IsRefLikeType || type.TypeKind is TypeKind.Pointer or TypeKind.FunctionPointer
        ? "it is a pointer or a ref struct"
        : type.SpecialType == SpecialType.System_Void
        ? "it has no values"
        : type is INamedTypeSymbol { IsUnboundGenericType: true }
        ? "it is open; give it its type arguments"
        : null;

    /// <summary>Determines whether a type, a containing type, or an argument or element of it is declared as <c>file</c>.</summary>
    internal static bool IsFileLocal(ITypeSymbol type) => Holds(type, static t => t is INamedTypeSymbol { IsFileLocal: true });

    /// <summary>Determines whether a condition holds for a type, a containing type, or an argument or element of it.</summary>
    internal static bool Holds(ITypeSymbol type, Func<ITypeSymbol, bool> condition) => condition(type) || type switch
    {
        IArrayTypeSymbol array => Holds(array.ElementType, condition),
        INamedTypeSymbol named => named.ContainingType is INamedTypeSymbol outer && Holds(outer, condition)
            || named.TypeArguments.Any(a => Holds(a, condition)),
        _ => false,
    };

    /// <summary>Determines whether a type can be named wherever its outermost type can.</summary>
    internal static bool IsPublic(ITypeSymbol type) => type switch
    {
        IArrayTypeSymbol array => IsPublic(array.ElementType),
        INamedTypeSymbol named => named.DeclaredAccessibility == Accessibility.Public
            && (named.ContainingType is null || IsPublic(named.ContainingType))
            && named.TypeArguments.All(IsPublic),
        _ => true,
    };

    /// <summary>
    /// Determines whether a type can be named in the whole assembly: neither it nor a containing type, nor an argument or element of it, is private.
    /// </summary>
    internal static bool IsInternal(ITypeSymbol type) => type switch
    {
        IArrayTypeSymbol array => IsInternal(array.ElementType),
        INamedTypeSymbol named => named.DeclaredAccessibility is not (Accessibility.Private or Accessibility.Protected
            or Accessibility.ProtectedAndInternal)
            && (named.ContainingType is null || IsInternal(named.ContainingType)) && named.TypeArguments.All(IsInternal),
        _ => true,
    };

    /// <summary>
    /// Returns the type as it is at run time: without the nullable annotations of its arguments and elements, and the names in tuples.
    /// </summary>
    internal static ITypeSymbol WithoutAnnotations(ITypeSymbol type, Compilation compilation) => type switch
    {
        IArrayTypeSymbol array => compilation.CreateArrayTypeSymbol(WithoutAnnotations(array.ElementType, compilation), array.Rank),
        INamedTypeSymbol { IsTupleType: true, TupleUnderlyingType: INamedTypeSymbol plain } => WithoutAnnotations(plain, compilation),
        INamedTypeSymbol { IsGenericType: true, IsUnboundGenericType: false, TypeArguments.Length: > 0 } named =>
            named.ConstructedFrom.Construct([.. named.TypeArguments.Select(a => WithoutAnnotations(a, compilation))]),
        _ => type.WithNullableAnnotation(NullableAnnotation.None),
    };

    /// <summary>
    /// Returns a name as an identifier: keywords are prefixed with @, including contextual ones (a type cannot be called <c>record</c>).
    /// </summary>
    internal static string Identifier(string name) =>
        SyntaxFacts.GetKeywordKind(name) == SyntaxKind.None && SyntaxFacts.GetContextualKeywordKind(name) == SyntaxKind.None
        && name is not "extension" ? name : "@" + name;
}
