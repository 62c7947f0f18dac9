using System.Collections.Generic;
using System.Linq;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Formatters.Generator;

/// <summary>Public members that look like some of the contract, and are none.</summary>
internal sealed partial class ShapeParser
{
    /// <summary>Reports the public properties and fields that hold something but cannot be set, where nothing says that they are to be left out.</summary>
    private void CheckLeftOut(INamedTypeSymbol type, IEnumerable<Member> members, string path)
    {
        if (IsOfBaseLibrary(type) || IsProtobuf && FieldMark.IsOptIn(type) || Member.IsOptIn(type))
            return;
        HashSet<string> names = [.. members.Select(m => m.Name)];
        foreach (ISymbol symbol in Symbols.Levels(type).Where(l => !Member.IsOptIn(l)).SelectMany(l => l.GetMembers()).Where(m => Symbols.IsPublicInstance(m) && m.Locations[0].IsInSource && !names.Contains(m.Name)))
        {
            if (!Symbols.IsLeftOut(symbol) && !PackedMark.IsLeftOut(symbol) && !FieldMark.IsLeftOut(symbol) && HoldsState(symbol))
                Report(Descriptors.LeftOut, symbol, PathOf(symbol, type, path));
        }
    }

    private bool HoldsState(ISymbol symbol)
    {
        (ITypeSymbol? type, bool isReadOnly) = symbol switch
        {
            IFieldSymbol { IsImplicitlyDeclared: false, IsConst: false, IsReadOnly: true } field => (field.Type, true),
            IPropertySymbol { IsIndexer: false, IsOverride: false, GetMethod.DeclaredAccessibility: Accessibility.Public } property
                when property.ContainingType.GetMembers().OfType<IFieldSymbol>().Any(f => SymbolEqualityComparer.Default.Equals(f.AssociatedSymbol, property)) => (property.Type, property.SetMethod is null),
            _ => ((ITypeSymbol?)null, false),
        };
        // What is given once, in the declaration, is a constant, unless it can be filled.
        return type is not null && !Member.KeepsUnknown(type) && (!isReadOnly || !HasInitializer(symbol) || IsCollection(type));
    }

    private bool HasInitializer(ISymbol symbol) => symbol.DeclaringSyntaxReferences.Select(r => r.GetSyntax(cancellation))
        .Any(s => s is PropertyDeclarationSyntax { Initializer: not null } or VariableDeclaratorSyntax { Initializer: not null });

    private static bool IsCollection(ITypeSymbol type) => type.SpecialType != SpecialType.System_String && (type.TypeKind == TypeKind.Array
        || type.Implements("System.Collections.IList") || type.Implements("System.Collections.IDictionary") || type.AllInterfaces.Any(i => i.FullName() == "System.Collections.Generic.ICollection`1")
        || type.FullName() == "System.Collections.Generic.ICollection`1");
}
