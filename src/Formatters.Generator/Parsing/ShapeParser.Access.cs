using System.Linq;
using Microsoft.CodeAnalysis;

namespace Formatters.Generator;

// How generated code reaches a member that is not public. It lies in the type itself; members of base classes are reached by the generated code of those.
internal sealed partial class ShapeParser
{
    private const string GeneratedClass = ".GeneratedContract";

    /// <summary>The members that a class declares and that no generated code outside can reach.</summary>
    internal static EquatableArray<AccessorModel> FindAccessors(INamedTypeSymbol type) =>
        type.IsSealed || type.IsValueType ? default
        : Member.FindDeclared(type).Where(m => m.IsOptedIn && NeedsAccessor(m))
            .Select(m => new AccessorModel(Symbols.Identifier(m.Name), m.Type.Display(), m.Symbol is IFieldSymbol { IsReadOnly: false }, m.CanSet && !m.IsInitOnly && m.Symbol is IPropertySymbol))
            .ToEquatable();

    /// <returns>Null if generated code cannot reach the member.</returns>
    private MemberModel? AddAccess(MemberModel model, Member member, INamedTypeSymbol type)
    {
        ISymbol? setter = model.Setter == MemberSetter.Constructor ? null : (member.Symbol as IPropertySymbol)?.SetMethod;
        ISymbol getter = (member.Symbol as IPropertySymbol)?.GetMethod ?? member.Symbol;
        if (IsAccessible(getter) && (setter is null || IsAccessible(setter)))
            return member.Symbol is IPropertySymbol { ExplicitInterfaceImplementations.IsEmpty: false } ? null : model;

        INamedTypeSymbol declaring = member.Symbol.ContainingType;
        bool isReached = !SymbolEqualityComparer.Default.Equals(declaring, owner) && declaring.HasAttribute(Symbols.ContractAttribute) && !declaring.IsGenericType
            && SymbolEqualityComparer.Default.Equals(declaring.ContainingAssembly, compilation.Assembly) && compilation.IsSymbolAccessibleWithin(declaring, owner)
            && NeedsAccessor(member) && model.Setter is MemberSetter.Plain or MemberSetter.Code or MemberSetter.Constructor;
        return isReached ? model with { Accessor = declaring.Display() + GeneratedClass, IsSetByAccessor = member.Symbol is IPropertySymbol } : null;

        bool IsAccessible(ISymbol symbol) => compilation.IsSymbolAccessibleWithin(symbol, owner, type);
    }

    private static bool NeedsAccessor(Member member) =>
        IsHidden(member.Symbol) || member.Symbol is IPropertySymbol { GetMethod: IMethodSymbol getter, SetMethod: IMethodSymbol setter } && (IsHidden(getter) || IsHidden(setter));

    private static bool IsHidden(ISymbol symbol) => symbol.DeclaredAccessibility is Accessibility.Private or Accessibility.Protected or Accessibility.ProtectedAndInternal;
}
