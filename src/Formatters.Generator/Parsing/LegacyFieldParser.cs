using System.Collections.Generic;
using System.Collections.Immutable;
using System.Linq;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Formatters.Generator;

/// <summary>Finds the serialized fields of a type in legacy bodies, with the order and names of reflection.</summary>
internal sealed class LegacyFieldParser(Compilation compilation, INamedTypeSymbol context)
{
    private const string NameAttribute = "Formatters.LegacyBinary.LegacyBinaryNameAttribute";

    /// <summary>The keys under which the libraries of the runtime are signed.</summary>
    private static readonly HashSet<string> RuntimeKeys =
        ["b77a5c561934e089", "b03f5f7f11d50a3a", "7cec85d7bea7798e", "cc7b13ffcd2ddd51", "31bf3856ad364e35"];

    private readonly bool _hasAccessors = compilation.GetTypeByMetadataName("System.Runtime.CompilerServices.UnsafeAccessorAttribute") is not null;

    internal static bool IsOfRuntime(ITypeSymbol type) =>
        RuntimeKeys.Contains(string.Concat(type.ContainingAssembly.Identity.PublicKeyToken.Select(
            b => b.ToString("x2", System.Globalization.CultureInfo.InvariantCulture))));

    /// <summary>Returns why the fields of a type of this assembly cannot all be known; null if they can.</summary>
    internal string? WhyNot(INamedTypeSymbol type)
    {
        foreach (INamedTypeSymbol level in Bases(type))
        {
            if (!SymbolEqualityComparer.Default.Equals(level.ContainingAssembly, compilation.Assembly))
                return $"its base class '{level.ShortName()}' is in another assembly, whose fields cannot be seen from here";
        }

        return null;
    }

    /// <summary>
    /// Returns the class's own fields, then the inherited ones visible to it; then, for each base class, all non-public ones that it has or sees,
    /// prefixed with its name. A protected field of a base class is therefore found twice.
    /// </summary>
    internal ImmutableArray<LegacyField> FieldsOf(INamedTypeSymbol type)
    {
        INamedTypeSymbol[] bases = Bases(type).ToArray();
        bool areUnique = bases.Select(b => b.MetadataName).Distinct().Count() == bases.Length;
        var fields = ImmutableArray.CreateBuilder<LegacyField>();
        foreach (ISymbol field in Seen(type))
            fields.Add(Create(field, prefixOf: null, isPrefixFull: false));
        foreach (INamedTypeSymbol level in bases)
        {
            foreach (ISymbol field in Seen(level).Where(f => DeclaredAccessibility(f) != Accessibility.Public))
                fields.Add(Create(field, level, isPrefixFull: !areUnique));
        }

        return fields.ToImmutable();
    }

    private static IEnumerable<INamedTypeSymbol> Bases(INamedTypeSymbol type)
    {
        for (INamedTypeSymbol? level = type.BaseType; level is not null; level = level.BaseType)
        {
            if (level.SpecialType is not (SpecialType.System_Object or SpecialType.System_ValueType)
                && level.FullName() != "System.MarshalByRefObject")
                yield return level;
        }
    }

    /// <summary>Returns the fields of a class, and those of its base classes that are not private.</summary>
    private static IEnumerable<ISymbol> Seen(INamedTypeSymbol type)
    {
        foreach (ISymbol field in Own(type))
            yield return field;
        foreach (INamedTypeSymbol level in Bases(type))
        {
            foreach (ISymbol field in Own(level).Where(f => DeclaredAccessibility(f) != Accessibility.Private))
                yield return field;
        }
    }

    /// <summary>Returns the fields that a class declares, including those of its auto-properties and events.</summary>
    private static IEnumerable<ISymbol> Own(INamedTypeSymbol type) => type.GetMembers().Where(static m => m switch
    {
        IFieldSymbol { IsStatic: false, IsConst: false } field => !field.HasAttribute("System.NonSerializedAttribute"),
        IEventSymbol { IsStatic: false, IsAbstract: false, AddMethod.IsImplicitlyDeclared: true } e => !IsLeftOut(e),
        _ => false,
    });

    /// <summary>Determines whether the field of an event is left out: it has no symbol of its own, nor have the attributes on it.</summary>
    private static bool IsLeftOut(IEventSymbol e) =>
        e.DeclaringSyntaxReferences.Any(static r => r.GetSyntax().FirstAncestorOrSelf<EventFieldDeclarationSyntax>() is { } syntax
        && syntax.AttributeLists.Any(static l => l.Target?.Identifier.ValueText == "field"
            && l.Attributes.Any(static a => a.Name.ToString().Contains("NonSerialized"))));

    /// <summary>Returns the accessibility of the field in metadata: that of an event is private.</summary>
    private static Accessibility DeclaredAccessibility(ISymbol field) => field is IEventSymbol ? Accessibility.Private : field.DeclaredAccessibility;

    private LegacyField Create(ISymbol symbol, INamedTypeSymbol? prefixOf, bool isPrefixFull)
    {
        ITypeSymbol type = symbol is IFieldSymbol field ? field.Type : ((IEventSymbol)symbol).Type;
        INamedTypeSymbol declaringType = symbol.ContainingType;
        AttributeData? name = symbol.FindAttribute(NameAttribute) ?? (symbol as IFieldSymbol)?.AssociatedSymbol?.FindAttribute(NameAttribute);
        return new LegacyField(
            symbol,
            type,
            new LegacyFieldModel(
                type.Display(),
                declaringType.Display(),
                declaringType.IsValueType,
                symbol.MetadataName,
                prefixOf?.Display(),
                isPrefixFull,
                name?.ConstructorArguments.FirstOrDefault().Value as string,
                symbol.HasAttribute("System.Runtime.Serialization.OptionalFieldAttribute"),
                FindAccess(symbol, declaringType, type)));
    }

    private LegacyAccess FindAccess(ISymbol symbol, INamedTypeSymbol declaringType, ITypeSymbol type)
    {
        if (symbol is IFieldSymbol { IsImplicitlyDeclared: false, IsReadOnly: false } && compilation.IsSymbolAccessibleWithin(symbol, context))
            return LegacyAccess.Direct;
        bool isGeneric = false;
        for (INamedTypeSymbol? level = declaringType; level is not null; level = level.ContainingType)
            isGeneric |= level.TypeParameters.Length > 0;
        // An accessor names both types, and the declaring type of a generic one would have to be that of a generic class.
        bool isNamed = compilation.IsNameable(type, context) && compilation.IsNameable(declaringType, context);
        return _hasAccessors && isNamed && !isGeneric ? LegacyAccess.Accessor : LegacyAccess.Reflection;
    }
}

/// <summary>A serialized field.</summary>
/// <param name="Symbol">The field, or the event whose field it is.</param>
/// <param name="Type">Its type.</param>
/// <param name="Model">The model for the emitter.</param>
internal sealed record LegacyField(ISymbol Symbol, ITypeSymbol Type, LegacyFieldModel Model);
