using System.Collections.Generic;
using System.Linq;
using Microsoft.CodeAnalysis;

namespace Formatters.Generator;

/// <summary>Describes types for the rules about attributes of other serializers.</summary>
internal static class ForeignSymbols
{
    private const string Enumerable = "System.Collections.IEnumerable";

    /// <summary>Determines whether a type, or a class that it derives from, has attributes to check.</summary>
    internal static bool NeedCheck(INamedTypeSymbol type) => HasForeign(type) || Symbols.Levels(type).Any(
        static level => HasForeign(level) || level.IsSerializable && level.GetMembers().OfType<IFieldSymbol>().Any(IsLeftOutField));

    /// <summary>Determines whether a type itself has attributes to check.</summary>
    internal static bool HasForeign(INamedTypeSymbol type) => SymbolAttribute.Of(type).Any(ForeignRules.IsForeign);

    /// <summary>Describes a type without its members.</summary>
    internal static ForeignType Alone(INamedTypeSymbol type) => new(new SymbolType(type), type.Name, type)
    {
        AssemblyAttributes = [.. SymbolAttribute.Of(type.ContainingModule), .. SymbolAttribute.Of(type.ContainingAssembly)],
        IsFormattedBy = formatter => formatter is INamedTypeSymbol named && named.AllInterfaces.Any(
            i => i.FullName() == "MessagePack.Formatters.IMessagePackFormatter`1"
                && SymbolEqualityComparer.Default.Equals(i.TypeArguments[0], type)),
        IsSerializable = type.IsSerializable,
    };

    internal static ForeignType Level(INamedTypeSymbol type)
    {
        var view = new SymbolType(type);
        ISymbol[] declared = [.. type.GetMembers().Where(static m => !m.IsStatic)];
        return Alone(type) with
        {
            View = view,
            Members = [.. declared.Where(static m => m is IFieldSymbol { IsImplicitlyDeclared: false }).Select(m => Describe(m, view)),
                .. declared.Where(static m => m is IPropertySymbol { IsIndexer: false }).Select(m => Describe(m, view))],
            Methods = [.. declared.OfType<IMethodSymbol>().Where(static m => m.MethodKind == MethodKind.Ordinary)
                .Select(static m => new ForeignMethod(m.Name, new SymbolMethod(m), m))],
            Constructors = [.. type.InstanceConstructors.Where(c => !(type.IsValueType && c.IsImplicitlyDeclared)).Select(
                static c => new ForeignConstructor(new SymbolMethod(c), c, c.DeclaredAccessibility == Accessibility.Public,
                    [.. c.Parameters.Select(static p => new SymbolParameter(p))]))],
            ReceivesCallbacks = type.AllInterfaces.Any(static i => i.FullName() == "MessagePack.IMessagePackSerializationCallbackReceiver"),
        };
    }

    private static ForeignMember Describe(ISymbol symbol, SymbolType view)
    {
        ITypeSymbol type = symbol is IFieldSymbol field ? field.Type : ((IPropertySymbol)symbol).Type;
        ITypeSymbol inner = UnderlyingOf(type) ?? type;
        bool isCollection = IsCollection(inner);
        ITypeSymbol? element = inner switch
        {
            IArrayTypeSymbol array => array.ElementType,
            INamedTypeSymbol { TypeArguments.Length: > 0 } generic => generic.TypeArguments[generic.TypeArguments.Length - 1],
            _ => null,
        };
        return new ForeignMember(new Member(symbol, type, view), symbol)
        {
            IsOverride = symbol.IsOverride,
            IsNullable = IsNullable(type),
            IsRequired = symbol is IFieldSymbol { IsRequired: true } or IPropertySymbol { IsRequired: true },
            IsNumber = ForeignMember.IsNumberType(inner.FullName(), inner.TypeKind == TypeKind.Enum),
            IsCollection = isCollection,
            HasCollectionElements = isCollection && element is not (null or IArrayTypeSymbol { ElementType.SpecialType: SpecialType.System_Byte })
                && IsCollection(element),
            HasEnums = TypesIn(inner).Any(static t => (UnderlyingOf(t) ?? t).TypeKind == TypeKind.Enum),
            IsDictionary = isCollection && inner is INamedTypeSymbol { TypeArguments.Length: 2 },
            HasNullableElements = isCollection && element is not null && IsNullable(element),
            IsFieldNotSerialized = symbol is IPropertySymbol && symbol.ContainingType.GetMembers().OfType<IFieldSymbol>().Any(
                f => SymbolEqualityComparer.Default.Equals(f.AssociatedSymbol, symbol) && IsLeftOutField(f)),
            TypeNames = [.. TypesIn(inner).Select(static t => t.FullName())],
        };
    }

    private static bool IsLeftOutField(IFieldSymbol field) => field.AssociatedSymbol is not null && Symbols.IsNotSerialized(field);

    private static ITypeSymbol? UnderlyingOf(ITypeSymbol type) =>
        type.OriginalDefinition.SpecialType == SpecialType.System_Nullable_T ? ((INamedTypeSymbol)type).TypeArguments[0] : null;

    private static bool IsNullable(ITypeSymbol type) =>
        UnderlyingOf(type) is not null || type.IsReferenceType && type.NullableAnnotation == NullableAnnotation.Annotated;

    private static bool IsCollection(ITypeSymbol type) => type.SpecialType != SpecialType.System_String
        && (type is IArrayTypeSymbol || type.FullName() == Enumerable || type.Implements(Enumerable));

    private static IEnumerable<ITypeSymbol> TypesIn(ITypeSymbol type) => type switch
    {
        IArrayTypeSymbol array => TypesIn(array.ElementType),
        INamedTypeSymbol { TypeArguments.Length: > 0 } generic when ForeignMember.IsOpen(generic.ContainingNamespace?.ToDisplayString() ?? "") =>
            generic.TypeArguments.SelectMany(TypesIn),
        _ => [type],
    };
}
