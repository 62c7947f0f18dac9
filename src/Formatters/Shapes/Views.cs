using System;
using System.Collections.Generic;
using System.Linq;

namespace Formatters;

// The view that the rules of contracts have of a declaration: implemented over Roslyn's symbols by the generator, and over reflection by the library.

/// <summary>An attribute as the rules of contracts see it, in source or by reflection.</summary>
internal abstract class AttributeView
{
    /// <summary>Gets the full name of its type.</summary>
    internal abstract string Name { get; }

    /// <summary>Gets the full names of the classes that its type derives from.</summary>
    internal abstract IEnumerable<string> BaseNames { get; }

    /// <summary>
    /// Returns an argument of its constructor: an integer for an enum, a type of the view for a <c>typeof</c>. Null if there are fewer.
    /// </summary>
    internal abstract object? Argument(int index);

    /// <summary>Returns a named argument; null if there is none.</summary>
    internal abstract object? Named(string name);
}

/// <summary>A declaration with its attributes, as the rules of contracts see it.</summary>
internal abstract class DeclarationView
{
    private IReadOnlyList<AttributeView>? _attributes;

    internal IReadOnlyList<AttributeView> Attributes => _attributes ??= FindAttributes();

    internal AttributeView? Find(string attributeName)
    {
        foreach (AttributeView attribute in Attributes)
        {
            if (attribute.Name == attributeName)
                return attribute;
        }

        return null;
    }

    internal bool Has(string attributeName) => Find(attributeName) is not null;

    /// <summary>Gets whether it has <c>[MessageMember]</c> or <c>[MessageOneof]</c>.</summary>
    internal bool IsMarked => Has(AttributeNames.Member) || Has(AttributeNames.Oneof);

    private protected abstract IReadOnlyList<AttributeView> FindAttributes();
}

/// <summary>A type with its members, as the rules of contracts see it.</summary>
internal abstract class TypeView : DeclarationView
{
    private IReadOnlyList<ParameterView>? _parameters;

    /// <summary>Gets whether only members with an attribute take part.</summary>
    internal bool IsOptIn => Has(AttributeNames.DataContract);

    /// <summary>Gets whether protobuf has only members with a number.</summary>
    internal bool IsFieldOptIn => Has(AttributeNames.ProtoContract);

    /// <summary>Gets the parameters of all its constructors.</summary>
    internal IReadOnlyList<ParameterView> ConstructorParameters => _parameters ??= FindConstructorParameters();

    private protected abstract IReadOnlyList<ParameterView> FindConstructorParameters();
}

/// <summary>A parameter of a constructor, as the rules of contracts see it.</summary>
internal abstract class ParameterView : DeclarationView
{
    internal abstract string Name { get; }

    /// <summary>Determines whether it takes a value of the member's type.</summary>
    internal abstract bool Takes(MemberView member);
}

/// <summary>A field or property, as the rules of contracts see it.</summary>
internal abstract class MemberView : DeclarationView
{
    private bool? _isOptedIn;

    internal abstract string Name { get; }

    internal abstract TypeView DeclaringType { get; }

    internal abstract bool IsProperty { get; }

    /// <summary>Gets whether it is an instance member, and a public field, or a property with a public accessor.</summary>
    internal abstract bool IsPublic { get; }

    /// <summary>Gets whether it is an instance member, and a public field, or a property with a public getter.</summary>
    internal abstract bool IsReadable { get; }

    /// <summary>Gets whether it is a field that is not readonly, or a property with a setter or <c>init</c>.</summary>
    internal abstract bool HasSetter { get; }

    /// <summary>Gets whether its setter is public.</summary>
    internal abstract bool HasPublicSetter { get; }

    /// <summary>Gets whether it stores the unknown members, and so is not one itself.</summary>
    internal abstract bool KeepsUnknown { get; }

    /// <summary>Gets whether it is a field with <c>[NonSerialized]</c>.</summary>
    internal abstract bool IsNotSerialized { get; }

    internal bool IsLeftOut => Has(AttributeNames.IgnoreDataMember) || Has(AttributeNames.XmlIgnore) || IsNotSerialized;

    /// <summary>
    /// Gets whether an attribute makes it a member, regardless of its accessibility: <c>[MessageMember]</c>, <c>[MessageOneof]</c>, or
    /// <c>[DataMember]</c> in a type with <c>[DataContract]</c> or on a public member.
    /// </summary>
    internal bool IsOptedIn => _isOptedIn ??=
        DeclaringType.IsOptIn
            ? IsMarked || Has(AttributeNames.DataMember) || IsProperty && DeclaringType.ConstructorParameters.Any(p => p.Name == Name && p.IsMarked)
        : !IsPublic
        ? IsMarked
        : (IsMarked || Has(AttributeNames.DataMember)) && !IsLeftOut && !KeepsUnknown;

    /// <summary>Gets whether it is a member of the contract, if it can be set.</summary>
    internal bool IsMember => IsOptedIn || !DeclaringType.IsOptIn && IsReadable && !KeepsUnknown && !IsLeftOut;

    /// <summary>
    /// Gets whether it can be set during or after construction: not a readonly field, nor a property without a setter (a public one, unless an
    /// attribute makes it a member).
    /// </summary>
    internal bool CanSet => HasPublicSetter || HasSetter && IsOptedIn;

    /// <summary>Gets the constructor parameters with a property's name, the exact match first: they may have its attributes.</summary>
    private IEnumerable<ParameterView> Parameters => !IsProperty
        ? []
        : DeclaringType.ConstructorParameters.Where(p => string.Equals(p.Name, Name, StringComparison.OrdinalIgnoreCase))
        .OrderBy(p => p.Name == Name ? 0 : 1);

    /// <summary>
    /// Returns the parameter with <c>[MessageMember]</c>: the one that sets the member, or one of its own type's constructors, of a positional record
    /// struct or base record.
    /// </summary>
    internal ParameterView? MarkedParameter(ParameterView? setting) =>
        setting?.Has(AttributeNames.Member) is true ? setting : Parameters.FirstOrDefault(static p => p.Has(AttributeNames.Member));

    /// <summary>
    /// Gets the number: that of <c>[MessageMember]</c>, also on a constructor parameter with the name, otherwise the order of <c>[DataMember]</c>;
    /// null for none.
    /// </summary>
    internal int? Number
    {
        get
        {
            if (Find(AttributeNames.Member)?.Argument(0) is int own)
                return own;
            foreach (ParameterView parameter in Parameters)
            {
                if (parameter.Find(AttributeNames.Member)?.Argument(0) is int number)
                    return number;
            }

            return Find(AttributeNames.DataMember)?.Named("Order") as int?;
        }
    }

    /// <summary>Gets its <c>[MessageOneof]</c> attributes, or those of a constructor parameter with the name; empty if it is not a oneof.</summary>
    internal IReadOnlyList<AttributeView> OneofCases
    {
        get
        {
            AttributeView[] cases = CasesOf(this);
            foreach (ParameterView parameter in cases.Length > 0 ? [] : Parameters)
            {
                cases = CasesOf(parameter);
                if (cases.Length > 0)
                    break;
            }

            return cases;

            static AttributeView[] CasesOf(DeclarationView carrier) => [.. carrier.Attributes.Where(static a => a.Name == AttributeNames.Oneof)];
        }
    }

    /// <summary>Gets its position among the members of its class according to an attribute; -1 if there is none.</summary>
    private int Order
    {
        get
        {
            bool isOptIn = DeclaringType.IsOptIn;
            foreach (AttributeView attribute in Attributes)
            {
                bool isOrder = isOptIn
                    ? attribute.Name == AttributeNames.DataMember
                    : attribute.Name is AttributeNames.XmlElement or AttributeNames.XmlArray;
                if (isOrder && attribute.Named("Order") is int order and >= 0)
                    return order;
            }

            return -1;
        }
    }

    /// <summary>
    /// Returns the members that one class declares: fields before properties, in declaration order, unless the <c>Order</c> of an attribute changes
    /// it.
    /// </summary>
    /// <param name="declared">All fields, then all properties that are neither overrides nor indexers.</param>
    internal static IEnumerable<TMember> Declared<TMember>(IEnumerable<TMember> declared)
        where TMember : MemberView => declared.Where(static m => m.IsMember).OrderBy(static m => m.Order);

    /// <summary>Returns the members of a type: those of base classes first.</summary>
    /// <param name="levels">For each class, the most general first, its fields and properties as <see cref="Declared"/> takes them.</param>
    internal static List<TMember> All<TMember>(IEnumerable<IReadOnlyCollection<TMember>> levels)
        where TMember : MemberView
    {
        var members = new List<TMember>();
        foreach (IReadOnlyCollection<TMember> level in levels)
        {
            // A redeclared public member takes the name from the inherited one, even if it is itself left out.
            if (members.Count > 0)
            {
                foreach (TMember member in level.Where(static m => m.IsPublic))
                    members.RemoveAll(other => other.Name == member.Name);
            }

            members.AddRange(Declared(level));
        }

        return members;
    }
}
