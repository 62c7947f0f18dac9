using System.Collections.Generic;
using System.Linq;
using Microsoft.CodeAnalysis;

namespace Formatters.Generator;

// Access to members that are not public. Generated code is in the type itself; members of base classes are accessed by their own generated code.
internal sealed partial class ShapeParser
{
    private const string NotGenerated = "the contract is not generated into the type that declares it";

    /// <summary>The most common reason why a member is inaccessible.</summary>
    private const string NotPublic = "is not public, and " + NotGenerated;

    /// <summary>Finds the members and callbacks that a class declares and that no generated code outside can access.</summary>
    internal static EquatableArray<AccessorModel> FindAccessors(INamedTypeSymbol type)
    {
        if (type.IsSealed || type.IsValueType)
            return default;
        string owner = type.Display();
        IEnumerable<AccessorModel> members = Member.FindDeclared(type).Where(m => m.IsOptedIn && NeedsAccessor(m) && Symbols.IsInternal(m.Type))
            .Select(m => new AccessorModel(
            owner,
            Symbols.Identifier(m.Name),
            m.Type.Display(),
            m.Symbol is not IFieldSymbol ? AccessorKind.Property : ((IFieldSymbol)m.Symbol).IsReadOnly
                ? AccessorKind.ReadOnlyField
                : AccessorKind.Field,
            m.CanSet && !m.IsInitOnly && m.Symbol is IPropertySymbol));
        IEnumerable<AccessorModel> callbacks = type.GetMembers().OfType<IMethodSymbol>().Where(m => KindsOf(m).Any() && IsCallback(m) && IsHidden(m))
            .Select(m => new AccessorModel(owner, Symbols.Identifier(m.Name), "void", AccessorKind.Callback, m.Parameters.Length > 0));
        return members.Concat(callbacks).ToEquatable();
    }

    /// <summary>
    /// Determines which members and callbacks of a type generated code in another assembly needs but cannot see: that of a derived class and, because
    /// a generic type has no code of its own, that of any type that contains one.
    /// </summary>
    internal static HiddenMembers FindHidden(INamedTypeSymbol type)
    {
        if (type is not { TypeKind: TypeKind.Class, IsSealed: false }
            && type is not { TypeKind: TypeKind.Class or TypeKind.Struct, IsGenericType: true })
            return HiddenMembers.None;
        IEnumerable<ISymbol> callbacks = type.GetMembers().OfType<IMethodSymbol>().Where(m => KindsOf(m).Any());
        return Member.FindDeclared(type).Select(m => m.Symbol).Concat(callbacks).Select(HiddenAs).DefaultIfEmpty().Max();
    }

    /// <returns>Null if generated code cannot reach the member, for the reason given.</returns>
    private MemberModel? AddAccess(MemberModel model, Member member, INamedTypeSymbol type, out string why)
    {
        ISymbol? setter = model.Setter is MemberSetter.Constructor or MemberSetter.None ? null : (member.Symbol as IPropertySymbol)?.SetMethod;
        ISymbol getter = (member.Symbol as IPropertySymbol)?.GetMethod ?? member.Symbol;
        INamedTypeSymbol declaring = member.Symbol.ContainingType;
        bool isNameHidden = IsNameHidden(member.Symbol, type);
        bool isAccessible = IsAccessible(getter) && (setter is null || IsAccessible(setter));
        string notPublic = Symbols.IsPublicInstance(member.Symbol) ? "has an accessor that is not public" : "is not public";
        why = IsExplicit(member.Symbol) ? "implements an interface explicitly" : model.Setter != MemberSetter.Initializer
            ? notPublic + ", and " + NotGenerated
            : isAccessible
            ? "is set only while the object is made, and a derived class gives its name to something else"
            : notPublic + ", and is set only while the object is made";
        if (isAccessible)
            return IsExplicit(member.Symbol) || isNameHidden && model.Setter == MemberSetter.Initializer
                ? null
                : model with { HiddenIn = isNameHidden ? declaring.Display() : "" };

        bool isReached = HasAccessors(declaring) && NeedsAccessor(member) && Symbols.IsInternal(member.Type) && model.Setter is MemberSetter.Plain
            or MemberSetter.Code or MemberSetter.Constructor or MemberSetter.None;
        return isReached ? model with { Accessor = $"{declaring.Display()}.{GeneratedClass(declaring)}",
            IsSetByAccessor = member.Symbol is IPropertySymbol } : null;

        bool IsAccessible(ISymbol symbol) => compilation.IsSymbolAccessibleWithin(symbol, owner, isNameHidden ? declaring : type);
    }

    /// <summary>Determines whether a derived class hides the name with something that is not a member: private, static or a method.</summary>
    internal static bool IsNameHidden(ISymbol member, INamedTypeSymbol type) => Symbols.Levels(type)
        .SkipWhile(l => !SymbolEqualityComparer.Default.Equals(l, member.ContainingType)).Skip(1).SelectMany(l => l.GetMembers(member.Name))
        .Any(m => !m.IsOverride);

    /// <summary>Returns the generated class with the methods: that of its first format.</summary>
    private static string GeneratedClass(INamedTypeSymbol type) =>
        type.FindAttribute(Symbols.ContractAttribute)!.Formats().Each().First().ClassName();

    /// <summary>Determines whether a class has generated code in this compilation, other than the current one.</summary>
    private bool HasAccessors(INamedTypeSymbol type) =>
        !SymbolEqualityComparer.Default.Equals(type, owner) && type.HasAttribute(Symbols.ContractAttribute) && !type.IsGenericType
        && SymbolEqualityComparer.Default.Equals(type.ContainingAssembly, compilation.Assembly) && compilation.IsSymbolAccessibleWithin(type, owner);

    /// <summary>Determines whether nothing can be generated into a base class whose private members its generated code must access.</summary>
    private bool LacksAccessors(INamedTypeSymbol type) =>
        HasAccessors(type) && FindAccessors(type).Count > 0 && ContractParser.FindObstacle(type, Location, compilation,
            cancellationToken) is not null;

    /// <summary>
    /// Determines whether only code of its type can access the member. An explicit interface implementation is not even available by its name.
    /// </summary>
    private static bool NeedsAccessor(Member member) =>
        !IsExplicit(member.Symbol) && (IsHidden(member.Symbol) || member.Symbol is IPropertySymbol { GetMethod: IMethodSymbol getter,
            SetMethod: IMethodSymbol setter } && (IsHidden(getter) || IsHidden(setter)));

    private static bool IsExplicit(ISymbol symbol) => symbol is IPropertySymbol { ExplicitInterfaceImplementations.IsEmpty: false };

    private static HiddenMembers HiddenAs(ISymbol symbol) => symbol.DeclaredAccessibility switch
    {
        Accessibility.Private => HiddenMembers.Private,
        Accessibility.Internal or Accessibility.ProtectedAndInternal => HiddenMembers.Internal,
        _ => HiddenMembers.None,
    };

    private static bool IsHidden(ISymbol symbol) =>
        symbol.DeclaredAccessibility is Accessibility.Private or Accessibility.Protected or Accessibility.ProtectedAndInternal;
}
