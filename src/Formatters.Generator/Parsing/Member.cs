using System.Collections.Generic;
using System.Linq;
using System.Runtime.CompilerServices;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Formatters.Generator;

/// <summary>A field or property that can be a member of a contract.</summary>
/// <param name="symbol">The field or property.</param>
/// <param name="type">Its type.</param>
/// <param name="declaringType">The type that declares it; null to look it up.</param>
internal sealed class Member(ISymbol symbol, ITypeSymbol type, SymbolType? declaringType = null) : MemberView
{
    private const int MaxTupleElementCount = 7;

    /// <summary>The results of <see cref="FindAll"/>, which all formats have in common.</summary>
    private static readonly ConditionalWeakTable<INamedTypeSymbol, List<Member>> Known = new();

    private SymbolType? _declaringType = declaringType;

    internal ISymbol Symbol { get; } = symbol;

    internal ITypeSymbol Type { get; } = type;

    internal override string Name => Symbol.Name;

    internal override TypeView DeclaringType => _declaringType ??= new SymbolType(Symbol.ContainingType);

    internal override bool IsProperty => Symbol is IPropertySymbol;

    internal override bool IsPublic => Symbols.IsPublicInstance(Symbol);

    internal override bool IsReadable => IsPublic && Symbol is IFieldSymbol
        or IPropertySymbol { GetMethod.DeclaredAccessibility: Accessibility.Public };

    internal override bool HasSetter => Symbol is IFieldSymbol { IsReadOnly: false } or IPropertySymbol { SetMethod: not null };

    internal override bool HasPublicSetter => Symbol is IFieldSymbol { IsReadOnly: false }
        or IPropertySymbol { SetMethod.DeclaredAccessibility: Accessibility.Public };

    internal override bool KeepsUnknown => IsUnknownMembers(Type);

    internal override bool IsNotSerialized => Symbol is IFieldSymbol own && Symbols.IsNotSerialized(own);

    internal bool IsInitOnly => Symbol is IPropertySymbol { SetMethod.IsInitOnly: true };

    internal bool IsRequired => Symbol is IFieldSymbol { IsRequired: true } or IPropertySymbol { IsRequired: true };

    /// <summary>Creates a member of which only the attributes are needed.</summary>
    internal static Member Of(ISymbol symbol) => new(symbol, symbol is IFieldSymbol field ? field.Type : ((IPropertySymbol)symbol).Type);

    private protected override IReadOnlyList<AttributeView> FindAttributes() => SymbolAttribute.Of(Symbol);

    /// <summary>Gets whether setting it runs no code of the type: for a field, or an automatic property.</summary>
    internal bool IsPlain => Symbol is IFieldSymbol
        || Symbol is IPropertySymbol { IsVirtual: false, IsOverride: false } property
        && property.ContainingType.GetMembers().OfType<IFieldSymbol>().Any(f => SymbolEqualityComparer.Default.Equals(f.AssociatedSymbol, property))
        && !HasCode(property.SetMethod);

    /// <summary>Gets whether it is a field or an automatic property that can be assigned: reading and setting it runs no code of the type.</summary>
    internal bool IsStored => Symbol is IFieldSymbol { IsReadOnly: false }
        || Symbol is IPropertySymbol { SetMethod.IsInitOnly: false } property && IsPlain && !HasCode(property.GetMethod);

    // A property may have a compiler-generated field and code around it: set => field = value.Trim().
    private static bool HasCode(IMethodSymbol? accessor) => accessor is not null
        && accessor.DeclaringSyntaxReferences.Any(r => r.GetSyntax() is AccessorDeclarationSyntax { Body: not null }
            or AccessorDeclarationSyntax { ExpressionBody: not null });

    /// <summary>Determines whether a member stores the unknown members, and so is not one itself.</summary>
    internal static bool IsUnknownMembers(ITypeSymbol type) => type.FullName() == "Formatters.UnknownMembers";

    /// <summary>
    /// Finds the members that store unknown ones: the public ones or, if there are none, those that should be public, unless they are left out by
    /// name.
    /// </summary>
    internal static IEnumerable<Member> FindUnknown(INamedTypeSymbol type)
    {
        List<Member> all = FindKeeping(type).ToList();
        return all.Exists(m => Symbols.IsPublicInstance(m.Symbol))
            ? all.Where(m => Symbols.IsPublicInstance(m.Symbol))
            : all.Where(m => !Symbols.IsLeftOut(m.Symbol));
    }

    private static IEnumerable<Member> FindKeeping(INamedTypeSymbol type)
    {
        foreach (ISymbol symbol in Symbols.Levels(type).SelectMany(l => l.GetMembers()).Where(m => !m.IsStatic))
        {
            if (symbol is IFieldSymbol { IsImplicitlyDeclared: false } field && IsUnknownMembers(field.Type))
                yield return new Member(field, field.Type);
            else if (symbol is IPropertySymbol { IsIndexer: false, IsOverride: false } property && IsUnknownMembers(property.Type))
                yield return new Member(property, property.Type);
        }
    }

    /// <summary>
    /// Finds the members in the order of the contract: those of base classes first; for each class as <see cref="FindDeclared"/> orders them.
    /// </summary>
    internal static List<Member> FindAll(INamedTypeSymbol type) => [.. Known.GetValue(type, FindMembers)];

    private static List<Member> FindMembers(INamedTypeSymbol type)
    {
        var members = new List<Member>();
        if (type.IsTupleType)
        {
            // The eighth and later ones are those of Rest, a tuple of its own.
            members.AddRange(type.TupleElements.Take(MaxTupleElementCount).Select(e => new Member(e.CorrespondingTupleField ?? e, e.Type)));
            if (type.TupleElements.Length > MaxTupleElementCount && type.GetMembers("Rest").OfType<IFieldSymbol>()
                .FirstOrDefault() is IFieldSymbol rest)
                members.Add(new Member(rest, rest.Type));
            return members;
        }

        if (PlainStructs.MembersOf(type.FullName()) is string[] names)
            return names.Select(n => Of(type.GetMembers(n)[0])).ToList();

        return All(Symbols.Levels(type).Select(FieldsAndProperties));
    }

    /// <summary>Finds the members that one class declares.</summary>
    internal static IEnumerable<Member> FindDeclared(INamedTypeSymbol level) => Declared(FieldsAndProperties(level));

    private static IReadOnlyCollection<Member> FieldsAndProperties(INamedTypeSymbol level)
    {
        var view = new SymbolType(level);
        ISymbol[] symbols = [.. level.GetMembers().Where(
            m => !m.IsStatic && m is IFieldSymbol { IsImplicitlyDeclared: false } or IPropertySymbol { IsIndexer: false, IsOverride: false })];
        return [.. symbols.OfType<IFieldSymbol>().Select(f => new Member(f, f.Type, view)),
            .. symbols.OfType<IPropertySymbol>().Select(p => new Member(p, p.Type, view))];
    }

    /// <summary>Determines whether only members with an attribute take part.</summary>
    internal static bool IsOptIn(INamedTypeSymbol type) => type.HasAttribute(AttributeNames.DataContract);

    /// <summary>Determines whether a type has state that it does not leave out by name.</summary>
    internal static bool HasState(INamedTypeSymbol type) =>
        !IsOptIn(type) && Symbols.Levels(type).Any(level => UnseenMembers.HasState(level) || level.GetMembers().OfType<IFieldSymbol>()
            .Any(f => !f.IsStatic && !f.IsConst && !Symbols.IsLeftOut(f.AssociatedSymbol ?? f) && !IsUnknownMembers(f.Type)));
}
