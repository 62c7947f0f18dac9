using System.Collections.Generic;
using System.Linq;
using Microsoft.CodeAnalysis;

namespace Formatters.Generator;

/// <summary>A field or property that can be a member of a contract.</summary>
internal sealed class Member(ISymbol symbol, ITypeSymbol type)
{
    internal ISymbol Symbol { get; } = symbol;

    internal ITypeSymbol Type { get; } = type;

    internal string Name => Symbol.Name;

    /// <summary>Whether it has a public setter, <c>init</c> or is a field that is not readonly.</summary>
    internal bool CanSet => Symbol is IFieldSymbol f ? !f.IsReadOnly : ((IPropertySymbol)Symbol).SetMethod is { DeclaredAccessibility: Accessibility.Public };

    internal bool IsInitOnly => Symbol is IPropertySymbol { SetMethod.IsInitOnly: true };

    internal bool IsRequired => Symbol is IFieldSymbol { IsRequired: true } or IPropertySymbol { IsRequired: true };

    /// <summary>Whether setting it runs no code of the type: a field, or a property that the compiler has made.</summary>
    internal bool IsPlain => Symbol is IFieldSymbol
        || Symbol is IPropertySymbol { IsVirtual: false, IsOverride: false } property
        && property.ContainingType.GetMembers().OfType<IFieldSymbol>().Any(f => SymbolEqualityComparer.Default.Equals(f.AssociatedSymbol, property));

    /// <summary>The number: that of <c>[MessageMember]</c>, also on a constructor parameter of the name, else the order of <c>[DataMember]</c>; null for none.</summary>
    internal int? Number
    {
        get
        {
            IEnumerable<ISymbol> parameters = Symbol is IPropertySymbol
                ? Symbol.ContainingType.InstanceConstructors.SelectMany(c => c.Parameters).Where(p => string.Equals(p.Name, Name, System.StringComparison.OrdinalIgnoreCase))
                : [];
            foreach (ISymbol carrier in parameters.Prepend(Symbol))
            {
                AttributeData? attribute = carrier.FindAttribute("Formatters.MessageMemberAttribute");
                if (attribute?.ConstructorArguments.FirstOrDefault().Value is int number)
                    return number;
            }

            return Symbol.FindAttribute("System.Runtime.Serialization.DataMemberAttribute")?.NamedArgument("Order") as int?;
        }
    }

    /// <summary>Whether it keeps the unknown members, and so is none itself.</summary>
    internal static bool KeepsUnknown(ITypeSymbol type) => type.FullName() == "Formatters.UnknownMembers";

    /// <summary>Finds the members that keep unknown ones.</summary>
    internal static IEnumerable<Member> FindUnknown(INamedTypeSymbol type)
    {
        foreach (ISymbol symbol in Symbols.Levels(type).SelectMany(l => l.GetMembers()).Where(Symbols.IsPublicInstance))
        {
            if (symbol is IFieldSymbol { IsImplicitlyDeclared: false } field && KeepsUnknown(field.Type))
                yield return new Member(field, field.Type);
            else if (symbol is IPropertySymbol { IsIndexer: false, IsOverride: false } property && KeepsUnknown(property.Type))
                yield return new Member(property, property.Type);
        }
    }

    /// <summary>Finds the members in the order of the contract: those of base classes first; of each class fields before properties.</summary>
    internal static List<Member> FindAll(INamedTypeSymbol type)
    {
        var members = new List<Member>();
        if (type.IsTupleType)
        {
            // Item1, Item2 and so on, also beyond the seventh: the members of Rest follow in any case.
            for (int i = 0; i < type.TupleElements.Length; i++)
            {
                IFieldSymbol element = type.TupleElements[i];
                members.Add(new Member(element.CorrespondingTupleField ?? element, element.Type));
            }

            return members;
        }

        foreach (INamedTypeSymbol level in Symbols.Levels(type))
        {
            foreach (IFieldSymbol field in level.GetMembers().OfType<IFieldSymbol>())
            {
                if (Symbols.IsPublicInstance(field) && !field.IsImplicitlyDeclared)
                    Add(field, field.Type);
            }

            foreach (IPropertySymbol property in level.GetMembers().OfType<IPropertySymbol>())
            {
                if (Symbols.IsPublicInstance(property) && !property.IsIndexer && !property.IsOverride && property.GetMethod is { DeclaredAccessibility: Accessibility.Public })
                    Add(property, property.Type);
            }
        }

        return members;

        void Add(ISymbol symbol, ITypeSymbol memberType)
        {
            members.RemoveAll(other => other.Name == symbol.Name);
            if (!Symbols.IsLeftOut(symbol) && !KeepsUnknown(memberType))
                members.Add(new Member(symbol, memberType));
        }
    }

    /// <summary>Whether a type holds anything.</summary>
    internal static bool HasState(INamedTypeSymbol type) =>
        Symbols.Levels(type).Any(level => level.GetMembers().OfType<IFieldSymbol>().Any(f => !f.IsStatic && !f.IsConst && !Symbols.IsLeftOut(f) && !KeepsUnknown(f.Type)));
}
