using System.Collections.Generic;
using System.Linq;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Formatters.Generator;

/// <summary>A field or property that can be a member of a contract.</summary>
/// <param name="symbol">The field or property.</param>
/// <param name="type">Its type.</param>
/// <param name="isOptedIn">Whether an attribute makes it a member, whatever its accessibility.</param>
internal sealed class Member(ISymbol symbol, ITypeSymbol type, bool isOptedIn = false)
{
    private const int MaxTupleElementCount = 7;

    internal ISymbol Symbol { get; } = symbol;

    internal ITypeSymbol Type { get; } = type;

    internal bool IsOptedIn { get; } = isOptedIn;

    internal string Name => Symbol.Name;

    /// <summary>Whether it has a setter or <c>init</c> (a public one, unless an attribute makes it a member), or is a field that is not readonly.</summary>
    internal bool CanSet => Symbol is IFieldSymbol { IsReadOnly: bool isReadOnly } ? !isReadOnly
        : ((IPropertySymbol)Symbol).SetMethod is IMethodSymbol setter && (IsOptedIn || setter.DeclaredAccessibility == Accessibility.Public);

    internal bool IsInitOnly => Symbol is IPropertySymbol { SetMethod.IsInitOnly: true };

    internal bool IsRequired => Symbol is IFieldSymbol { IsRequired: true } or IPropertySymbol { IsRequired: true };

    /// <summary>Whether setting it runs no code of the type: a field, or a property that the compiler has made.</summary>
    internal bool IsPlain => Symbol is IFieldSymbol
        || Symbol is IPropertySymbol { IsVirtual: false, IsOverride: false } property
        && property.ContainingType.GetMembers().OfType<IFieldSymbol>().Any(f => SymbolEqualityComparer.Default.Equals(f.AssociatedSymbol, property)) && !HasCode(property.SetMethod);

    // A property may have a field of the compiler and code around it: set => field = value.Trim().
    private static bool HasCode(IMethodSymbol? setter) => setter is not null
        && setter.DeclaringSyntaxReferences.Any(r => r.GetSyntax() is AccessorDeclarationSyntax { Body: not null } or AccessorDeclarationSyntax { ExpressionBody: not null });

    /// <summary>The constructor parameters of its name, the exact one first: they may carry the attributes of a property.</summary>
    private IEnumerable<IParameterSymbol> Parameters => Symbol is IPropertySymbol
        ? Symbol.ContainingType.InstanceConstructors.SelectMany(c => c.Parameters).Where(p => string.Equals(p.Name, Name, System.StringComparison.OrdinalIgnoreCase))
            .OrderBy(p => p.Name == Name ? 0 : 1)
        : [];

    /// <summary>The parameter that has <c>[MessageMember]</c>: the one that sets the member, or one of its own type's constructors, of a positional record struct or base record.</summary>
    internal IParameterSymbol? MarkedParameter(IParameterSymbol? setting) =>
        Parameters.Prepend(setting).FirstOrDefault(p => p?.HasAttribute(Symbols.MemberAttribute) == true);

    /// <summary>The number: that of <c>[MessageMember]</c>, also on a constructor parameter of the name, else the order of <c>[DataMember]</c>; null for none.</summary>
    internal int? Number
    {
        get
        {
            foreach (ISymbol carrier in Parameters.Prepend<ISymbol>(Symbol))
            {
                AttributeData? attribute = carrier.FindAttribute(Symbols.MemberAttribute);
                if (attribute?.ConstructorArguments.FirstOrDefault().Value is int number)
                    return number;
            }

            return Symbol.FindAttribute(Symbols.DataMemberAttribute)?.NamedArgument("Order") as int?;
        }
    }

    /// <summary>Its <c>[MessageOneof]</c> attributes, or those of a constructor parameter of the name; none if it is not a oneof.</summary>
    internal IReadOnlyList<AttributeData> OneofCases =>
        Parameters.Prepend<ISymbol>(Symbol).Select(s => s.GetAttributes().Where(a => a.AttributeClass?.FullName() == Symbols.OneofAttribute).ToArray()).FirstOrDefault(a => a.Length > 0) ?? [];

    /// <summary>Whether it keeps the unknown members, and so is none itself.</summary>
    internal static bool KeepsUnknown(ITypeSymbol type) => type.FullName() == "Formatters.UnknownMembers";

    /// <summary>Finds the members that keep unknown ones: the public ones, or if there are none those that would have to be, unless they are left out by name.</summary>
    internal static IEnumerable<Member> FindUnknown(INamedTypeSymbol type)
    {
        List<Member> all = FindKeeping(type).ToList();
        return all.Exists(m => Symbols.IsPublicInstance(m.Symbol)) ? all.Where(m => Symbols.IsPublicInstance(m.Symbol)) : all.Where(m => !Symbols.IsLeftOut(m.Symbol));
    }

    private static IEnumerable<Member> FindKeeping(INamedTypeSymbol type)
    {
        foreach (ISymbol symbol in Symbols.Levels(type).SelectMany(l => l.GetMembers()).Where(m => !m.IsStatic))
        {
            if (symbol is IFieldSymbol { IsImplicitlyDeclared: false } field && KeepsUnknown(field.Type))
                yield return new Member(field, field.Type);
            else if (symbol is IPropertySymbol { IsIndexer: false, IsOverride: false } property && KeepsUnknown(property.Type))
                yield return new Member(property, property.Type);
        }
    }

    /// <summary>Finds the members in the order of the contract: those of base classes first; of each class as <see cref="FindDeclared"/> has them.</summary>
    internal static List<Member> FindAll(INamedTypeSymbol type)
    {
        var members = new List<Member>();
        if (type.IsTupleType)
        {
            // The eighth and later ones are those of Rest, a tuple of its own.
            members.AddRange(type.TupleElements.Take(MaxTupleElementCount).Select(e => new Member(e.CorrespondingTupleField ?? e, e.Type)));
            if (type.TupleElements.Length > MaxTupleElementCount && type.GetMembers("Rest").OfType<IFieldSymbol>().FirstOrDefault() is IFieldSymbol rest)
                members.Add(new Member(rest, rest.Type));
            return members;
        }

        if (PlainStructs.MembersOf(type.FullName()) is string[] names)
            return names.Select(n => type.GetMembers(n)[0]).Select(s => new Member(s, s is IFieldSymbol field ? field.Type : ((IPropertySymbol)s).Type)).ToList();

        foreach (INamedTypeSymbol level in Symbols.Levels(type))
        {
            // A public member declared anew takes the name from the inherited one, also if it is left out itself.
            foreach (ISymbol symbol in level.GetMembers().Where(m => m is IFieldSymbol or IPropertySymbol { IsOverride: false, IsIndexer: false } && Symbols.IsPublicInstance(m)))
                members.RemoveAll(other => other.Name == symbol.Name);
            members.AddRange(FindDeclared(level));
        }

        return members;
    }

    /// <summary>
    /// Finds the members that one class declares: fields before properties, then by the <c>Order</c> of their attributes. Those are its public ones; of a class with
    /// <c>[DataContract]</c> those with <c>[DataMember]</c>.
    /// </summary>
    internal static IEnumerable<Member> FindDeclared(INamedTypeSymbol level)
    {
        bool isOptIn = IsOptIn(level);
        IEnumerable<Member> fields = level.GetMembers().OfType<IFieldSymbol>().Where(f => !f.IsStatic && !f.IsImplicitlyDeclared)
            .Select(f => new Member(f, f.Type, IsMarked(f, f.Type)))
            .Where(m => m.IsOptedIn || IsTaken(m));
        IEnumerable<Member> properties = level.GetMembers().OfType<IPropertySymbol>().Where(p => !p.IsStatic && !p.IsIndexer && !p.IsOverride)
            .Select(p => new Member(p, p.Type, IsMarked(p, p.Type)))
            .Where(m => m.IsOptedIn || IsTaken(m) && ((IPropertySymbol)m.Symbol).GetMethod is { DeclaredAccessibility: Accessibility.Public });
        return fields.Concat(properties).OrderBy(m => OrderOf(m.Symbol, isOptIn));

        bool IsTaken(Member member) => !isOptIn && !KeepsUnknown(member.Type) && Symbols.IsPublicInstance(member.Symbol) && !Symbols.IsLeftOut(member.Symbol);

        bool IsMarked(ISymbol symbol, ITypeSymbol type) =>
            isOptIn ? symbol.HasAttribute(Symbols.DataMemberAttribute) || Symbols.HasMemberAttribute(symbol)
            : Symbols.IsPublicInstance(symbol) ? !KeepsUnknown(type) && !Symbols.IsLeftOut(symbol) && (symbol.IsMarked() || symbol.HasAttribute(Symbols.DataMemberAttribute))
            : symbol.IsMarked();
    }

    /// <summary>Whether only those members take part that an attribute makes members.</summary>
    internal static bool IsOptIn(INamedTypeSymbol type) => type.HasAttribute("System.Runtime.Serialization.DataContractAttribute");

    /// <summary>The name in wire formats that name members: from <c>[MessageMember]</c>, <c>[DataMember]</c> or the attributes for XML, in this order.</summary>
    internal string WireName =>
        NameIn(Symbols.MemberAttribute) ?? (IsOptIn(Symbol.ContainingType) ? NameIn(Symbols.DataMemberAttribute) : NameInXml()) ?? Name;

    private static int OrderOf(ISymbol symbol, bool isOptIn)
    {
        foreach (AttributeData attribute in symbol.GetAttributes())
        {
            if (attribute.AttributeClass?.FullName() is not string name || !(isOptIn ? name == Symbols.DataMemberAttribute : Symbols.XmlOrderAttributes.Contains(name)))
                continue;
            if (attribute.NamedArguments.FirstOrDefault(a => a.Key == "Order").Value.Value is int order)
                return order;
        }

        return -1;
    }

    private string? NameInXml() =>
        Symbols.XmlOrderAttributes.Append("System.Xml.Serialization.XmlAttributeAttribute").Select(NameIn).FirstOrDefault(n => n is not null);

    /// <summary>A name that an attribute gives: as its named argument, or as its only one.</summary>
    private string? NameIn(string attributeName)
    {
        AttributeData? attribute = Symbol.GetAttributes().FirstOrDefault(a => a.AttributeClass?.FullName() == attributeName);
        string? name = attribute?.NamedArguments.Where(a => a.Key is "Name" or "ElementName" or "AttributeName").Select(a => a.Value.Value).OfType<string>().FirstOrDefault()
            ?? attribute?.ConstructorArguments.Select(a => a.Value).OfType<string>().FirstOrDefault();
        return string.IsNullOrEmpty(name) ? null : name;
    }

    /// <summary>Whether a type holds anything that it does not leave out by name.</summary>
    internal static bool HasState(INamedTypeSymbol type) =>
        !IsOptIn(type) && Symbols.Levels(type).Any(level => UnseenMembers.HasState(level) || level.GetMembers().OfType<IFieldSymbol>()
            .Any(f => !f.IsStatic && !f.IsConst && !Symbols.IsLeftOut(f.AssociatedSymbol ?? f) && !KeepsUnknown(f.Type)));
}
