using System.Collections.Generic;
using System.Linq;
using System.Xml;
using Microsoft.CodeAnalysis;

namespace Formatters.Generator;

// Classes and structs: their members, and the form of these.
internal sealed partial class XmlParser
{
    private int? ParseRecord(INamedTypeSymbol type, string path)
    {
        if (_indexes.TryGetValue(type, out int index))
            return index;
        if (WhyNotRecord(type) is string why)
        {
            Refuse<XmlValue>(path, $"'{type.ShortName()}' {why}");
            return null;
        }

        if (!TakeName(type, path))
            return null;
        index = _shapes.Count;
        _indexes.Add(type, index);
        _records.Add(type);
        _shapes.Add(null);
        if (type.BaseType is { SpecialType: not (SpecialType.System_Object or SpecialType.System_ValueType) } parent
            && ParseRecord(parent, path) is null)
            return null;
        var members = new List<XmlMember>();
        foreach (ISymbol member in Symbols.Levels(type).SelectMany(MembersOf))
        {
            if (ParseMember(member, PathOf(member)) is not XmlMember model)
                return null;
            members.Add(model);
        }

        if (WhyNotTogether(type, members) is string reason)
        {
            Refuse<XmlValue>(path, $"'{type.ShortName()}' {reason}");
            return null;
        }

        _shapes[index] = new XmlRecordShape(
            SymbolEqualityComparer.Default.Equals(type, _owner) ? Shape.OwnName : MethodName(type.Name),
                type.Display(), XmlNameOf(type), type.IsValueType, type.IsSealed || type.IsValueType, type.IsAbstract,
                members.ToEquatable(), default);
        return index;
    }

    private string? WhyNotRecord(INamedTypeSymbol type)
    {
        if (OtherMark(type, "XmlType", "XmlRoot", "XmlInclude") is string mark)
            return $"has {mark}";
        // The namespace of [XmlRoot] counts even if the type is not the root element.
        if ((NamespaceBy("XmlType") ?? NamespaceBy("XmlRoot")) is string space && space != _namespace)
            return "has another namespace than the root element";
        if (Symbols.Levels(type).Any(IsOfBaseLibrary))
            return "is or has a base class of the base library";
        if (type.Implements(XmlSpace + "IXmlSerializable"))
            return "brings its own XML (IXmlSerializable)";
        if (type.Implements("System.Collections.IEnumerable"))
            return "is a collection of its own kind";
        if (type is { IsValueType: false, IsAbstract: false }
            && !type.InstanceConstructors.Any(c => c.Parameters.IsEmpty && c.DeclaredAccessibility == Accessibility.Public))
            return "has no public constructor without parameters";
        return Symbols.Levels(type).Any(l => l.GetMembers().Any(m => m is IFieldSymbol { IsRequired: true } or IPropertySymbol { IsRequired: true }))
            ? "has required members" : null;

        string? NamespaceBy(string kind) => XmlMark.Of(type).FirstOrDefault(m => m.Kind == kind)?.Namespace;
    }

    /// <summary>Returns fields, followed by properties, in the order of XmlSerializer.</summary>
    private static IEnumerable<ISymbol> DeclaredMembers(INamedTypeSymbol type) =>
        type.GetMembers().Where(m => !m.IsStatic && m is IFieldSymbol { DeclaredAccessibility: Accessibility.Public })
            .Concat(type.GetMembers().Where(m => !m.IsStatic && m is IPropertySymbol { IsIndexer: false } p && IsSeen(p)));

    /// <summary>
    /// Returns the members that take part: XmlSerializer skips members without a getter, and members without a setter except collections, which it
    /// fills.
    /// </summary>
    private static IEnumerable<ISymbol> MembersOf(INamedTypeSymbol type) => DeclaredMembers(type).Where(m =>
        m is not IPropertySymbol { GetMethod: null } && (CanSet(m) || IsCollection(TypeOf(m))) && !m.HasAttribute(XmlSpace + "XmlIgnoreAttribute"));

    private static bool CanSet(ISymbol member) => member is IFieldSymbol { IsReadOnly: false } or IPropertySymbol { SetMethod: not null };

    private static ITypeSymbol TypeOf(ISymbol member) => member is IFieldSymbol field ? field.Type : ((IPropertySymbol)member).Type;

    private static string PathOf(ISymbol member) => $"{member.ContainingType.Name}.{member.Name}";

    private static bool IsOfBaseLibrary(INamedTypeSymbol type) =>
        Symbols.IsOfNet(type);

    private static bool IsSeen(IPropertySymbol property) =>
        property.GetMethod?.DeclaredAccessibility == Accessibility.Public || property.SetMethod?.DeclaredAccessibility == Accessibility.Public;

    /// <summary>Returns why two members conflict.</summary>
    private static string? WhyNotTogether(INamedTypeSymbol type, List<XmlMember> members)
    {
        if (Symbols.Levels(type).SelectMany(DeclaredMembers).GroupBy(m => m.Name)
            .Any(g => g.Count() > 1 || ShapeParser.IsNameHidden(g.First(), type)))
            return "hides or overrides a member";
        if (members.GroupBy(m => (m.Element.Name, m.Form == XmlForm.Attribute)).Any(g => g.Count() > 1))
            return "has two members of one name in XML";
        return members.Any(m => m.Form == XmlForm.Text) && (members.Any(m => m.Form is not (XmlForm.Text or XmlForm.Attribute))
            || type.BaseType is { SpecialType: not (SpecialType.System_Object or SpecialType.System_ValueType) })
            ? "has text beside elements or a base class" : null;
    }

    /// <returns>Null if XmlSerializer is needed.</returns>
    private XmlMember? ParseMember(ISymbol member, string path)
    {
        List<XmlMark> marks = XmlMark.Of(member);
        ITypeSymbol type = TypeOf(member);
        bool canSet = CanSet(member);
        string? why = member.HasAttribute("System.ObsoleteAttribute")
            ? "it is obsolete, which versions of XmlSerializer treat differently"
            : member is IPropertySymbol property && (property.GetMethod?.DeclaredAccessibility != Accessibility.Public
                || (canSet && property.SetMethod!.DeclaredAccessibility != Accessibility.Public) || property.ReturnsByRef)
                ? "it cannot be read and set from outside"
            : member is IPropertySymbol { SetMethod.IsInitOnly: true }
            ? "it can be set only by an initializer"
            : OtherMark(member, "XmlElement", "XmlAttribute", "XmlArray", "XmlArrayItem", "XmlText") is string mark
            ? $"it has {mark}"
            : marks.Any(m => m.Namespace is string space && space != (m.Kind == "XmlAttribute" ? "" : _namespace))
            ? "it has another namespace than the root element"
            : marks.GroupBy(m => m.Kind).Any(g => g.Count() > 1) ? "it may be one of several elements" : null;
        if (why is not null)
            return Refuse<XmlMember>(path, why);
        return ParseForm(member, type, marks, path) is XmlMember formed ? AddConditions(formed with { CanSet = canSet }, member, path) : null;
    }

    private static bool IsCollection(ITypeSymbol type) =>
        type.SpecialType != SpecialType.System_String && type is not IArrayTypeSymbol && !IsOtherInterface(type)
        && (type.FullName() == "System.Collections.IEnumerable" || type.Implements("System.Collections.IEnumerable"));

    private XmlMember? ParseForm(ISymbol member, ITypeSymbol type, List<XmlMark> marks, string path)
    {
        XmlMark? Mark(string kind) => marks.FirstOrDefault(m => m.Kind == kind);
        XmlMark? element = Mark("XmlElement");
        XmlMark? attribute = Mark("XmlAttribute");
        XmlMark? text = Mark("XmlText");
        XmlMark? arrayItem = Mark("XmlArrayItem");
        XmlMark? array = Mark("XmlArray");
        bool isList = ListOf(type) is not null && type is not IArrayTypeSymbol { ElementType.SpecialType: SpecialType.System_Byte };
        bool isWrapped = array is not null || arrayItem is not null;
        if (new[] { element is not null, attribute is not null, text is not null, isWrapped }.Count(b => b) > 1 || (isWrapped && !isList))
            return Refuse<XmlMember>(path, "its attributes cannot be combined");
        XmlMark? only = element ?? attribute ?? text ?? array;
        if (only?.Type is ITypeSymbol given && !(isList && element is not null) && !SymbolEqualityComparer.Default.Equals(given, type))
            return Refuse<XmlMember>(path, "it is declared as another type");
        XmlItem? item = !isList
            ? null
            : element is not null ? new XmlItem { Name = element.Name ?? member.Name, Type = element.Type, IsNullable = element.IsNullable,
                IsFlat = true }
            : new XmlItem { Name = arrayItem?.Name, Type = arrayItem?.Type, IsNullable = arrayItem?.IsNullable };
        if (ParseValue(type, path, item) is not XmlValue value)
            return null;
        string name = XmlConvert.EncodeLocalName(only?.Name ?? member.Name);
        string access = Symbols.Identifier(member.Name);
        if (isList)
        {
            if (attribute is not null || text is not null)
                return Refuse<XmlMember>(path, "it is a list in an attribute or text");
            return new XmlMember(access, element is null ? XmlForm.Element : XmlForm.FlatList,
                new XmlElement(name, value, element is null && (array?.IsNullable ?? false)), true);
        }

        if (attribute is not null || text is not null)
        {
            return value.IsOptional || value.Kind is not (XmlKind.Scalar or XmlKind.Text or XmlKind.Bytes or XmlKind.Enum)
                || (text is not null && value.Kind == XmlKind.Bytes)
                ? Refuse<XmlMember>(path, "its type cannot be an attribute or text")
                : new XmlMember(access, attribute is null ? XmlForm.Text : XmlForm.Attribute,
                    new XmlElement(attribute is null ? "" : name, value, false), true);
        }

        return IsNullableAllowed(element?.IsNullable, value)
            ? new XmlMember(access, XmlForm.Element, new XmlElement(name, value, value.IsOptional || (element?.IsNullable ?? false)), true)
            : Refuse<XmlMember>(path, "XmlSerializer has no xsi:nil for it");
    }

    /// <summary>Adds the conditions under which a member is written: DefaultValue, Specified, ShouldSerialize.</summary>
    private XmlMember? AddConditions(XmlMember model, ISymbol member, string path)
    {
        if (member.FindAttribute("System.ComponentModel.DefaultValueAttribute") is AttributeData attribute)
        {
            if (DefaultOf(attribute, member, model) is not string expression)
                return Refuse<XmlMember>(path, "its [DefaultValue] is not a constant of its type, or can be null");
            model = model with { Default = expression };
        }

        IEnumerable<ISymbol> Named(string name) => Symbols.Levels(member.ContainingType).SelectMany(l => l.GetMembers(name))
            .Where(m => m.DeclaredAccessibility == Accessibility.Public);
        foreach (ISymbol specified in Named(member.Name + "Specified"))
        {
            bool isField = specified is IFieldSymbol { Type.SpecialType: SpecialType.System_Boolean, IsReadOnly: false, IsStatic: false };
            bool isProperty = specified is IPropertySymbol { Type.SpecialType: SpecialType.System_Boolean, IsStatic: false,
                GetMethod.DeclaredAccessibility: Accessibility.Public };
            IMethodSymbol? setter = (specified as IPropertySymbol)?.SetMethod;
            if ((!isField && !isProperty) || setter is { IsInitOnly: true } or { DeclaredAccessibility: not Accessibility.Public }
                || model.Form == XmlForm.Text)
                return Refuse<XmlMember>(path, $"'{specified.Name}' is not a bool that can be read and set");
            model = model with { Specified = Symbols.Identifier(specified.Name), IsSpecifiedSet = isField || setter is not null };
        }

        foreach (IMethodSymbol method in Named("ShouldSerialize" + member.Name).OfType<IMethodSymbol>().Where(m => m.Parameters.IsEmpty))
        {
            if (method.IsStatic || method.IsGenericMethod || method.ReturnType.SpecialType != SpecialType.System_Boolean
                || model.Form == XmlForm.Text)
                return Refuse<XmlMember>(path, $"'{method.Name}' is not a method that says whether it is written");
            model = model with { ShouldSerialize = Symbols.Identifier(method.Name) };
        }

        return model;
    }

    /// <summary>Returns the default as an expression; null if generated code cannot compare with it.</summary>
    private string? DefaultOf(AttributeData attribute, ISymbol member, XmlMember model)
    {
        if (attribute.ConstructorArguments.Length != 1 || model.Form is XmlForm.FlatList or XmlForm.Text || model.Element.IsNullable)
            return null;
        TypedConstant constant = attribute.ConstructorArguments[0];
        ITypeSymbol type = member is IFieldSymbol field ? field.Type : ((IPropertySymbol)member).Type;
        if (constant.Value is null || !SymbolEqualityComparer.Default.Equals(constant.Type, type) || constant.Value is double.NaN
            or double.PositiveInfinity or double.NegativeInfinity or float.NaN or float.PositiveInfinity or float.NegativeInfinity
            || (model.Element.Value.Kind == XmlKind.Enum && ((XmlEnumShape)_shapes[model.Element.Value.Shape]!).IsFlags))
            return null;
        string literal = Microsoft.CodeAnalysis.CSharp.SymbolDisplay.FormatPrimitive(
            constant.Value, quoteStrings: true, useHexadecimalNumbers: false)!;
        return constant.Value is string ? literal : $"(({type.Display()})({literal}))";
    }

    /// <summary>Parses the types that attributes name.</summary>
    private bool ParseIncluded()
    {
        for (int i = 0; i < _records.Count; i++)
        {
            foreach (XmlMark include in XmlMark.Of(_records[i]).Where(m => m.Kind == "XmlInclude"))
            {
                string path = _records[i].ShortName();
                if (include.Type is not INamedTypeSymbol { TypeKind: TypeKind.Class, IsGenericType: false } type
                    || !_compilation.IsNameable(type, _owner))
                    return Refuse<object>(path, "it includes a type that is not a class") is not null;
                // XmlSerializer uses included types without the namespace of the root element.
                if (_namespace.Length > 0 && XmlMark.Of(type).All(m => m.Kind != "XmlType" || m.Namespace != _namespace))
                    return Refuse<object>(path, $"'{type.ShortName()}' has another namespace than the root element") is not null;
                if (ParseRecord(type, path) is null)
                    return false;
            }
        }

        return true;
    }

    /// <summary>Determines for every class the types that may replace it.</summary>
    private bool Complete()
    {
        foreach ((string name, XmlElement item) in _namedArrays)
        {
            if (_arrays.Any(a => a.TypeName == name && a.Item != item))
                return Refuse<object>(_owner.ShortName(), $"several lists have the name {name}") is not null;
        }

        foreach (INamedTypeSymbol type in _records)
        {
            int index = _indexes[type];
            IEnumerable<int> derived = _records.Where(r => !SymbolEqualityComparer.Default.Equals(r, type) && Symbols.Levels(r)
                .Contains(type, SymbolEqualityComparer.Default)).Select(r => _indexes[r]);
            _shapes[index] = (XmlRecordShape)_shapes[index]! with { Derived = derived.ToEquatable() };
        }

        return true;
    }

    /// <summary>Marks the records whose own contracts have the same code, which is called instead.</summary>
    private void FindShared()
    {
        foreach (INamedTypeSymbol type in _records)
        {
            int index = _indexes[type];
            if (!SymbolEqualityComparer.Default.Equals(type, _owner) && HasOwnCode(type) && IsClosed(index, []))
                _shapes[index] = (XmlRecordShape)_shapes[index]! with { IsShared = true };
        }
    }

    /// <summary>Determines whether a type has a contract in XML in this assembly, in the same namespace of XML.</summary>
    private bool HasOwnCode(INamedTypeSymbol type)
    {
        XmlMark? root = XmlMark.Of(type).FirstOrDefault(m => m.Kind == "XmlRoot");
        return ContractParser.FindDeclaration(type, ContractFormats.Xml, _compilation, _cancellation) is Location location
            && ContractParser.FindObstacle(type, location, _compilation, _cancellation) is null
            && (root?.Namespace ?? "") == _namespace && root?.OtherArgument is null && root?.IsNullable is null;
    }

    /// <summary>Determines whether no element in a value may have a derived type: which types may replace it depends on the root.</summary>
    private bool IsClosed(int index, HashSet<int> visited) => index < 0 || !visited.Add(index) || _shapes[index] switch
    {
        XmlRecordShape record => record.Derived.Count == 0 && record.Members.All(m => IsClosed(m.Element.Value.Shape, visited)),
        XmlListShape list => IsClosed(list.Item.Value.Shape, visited),
        _ => true,
    };
}
