using System.Collections.Generic;
using System.Collections.Immutable;
using System.Linq;
using System.Threading;
using Microsoft.CodeAnalysis;

namespace Formatters.Generator;

/// <summary>Parses a <c>[LegacyBinaryContract]</c> into its model: walks over the fields of all its types.</summary>
internal sealed class LegacyParser
{
    internal const string Attribute = "Formatters.LegacyBinary.LegacyBinaryContractAttribute";
    internal const string PropertyName = "LegacyBinaryContract";

    /// <summary>The types that every set contains, and those that the library finds automatically.</summary>
    private static readonly HashSet<string> Known =
    [
        "System.Object", "System.String", "System.Boolean", "System.Byte", "System.SByte", "System.Char", "System.Int16", "System.UInt16",
            "System.Int32", "System.UInt32",
        "System.Int64", "System.UInt64", "System.Single", "System.Double", "System.Decimal", "System.DateTime", "System.TimeSpan", "System.Guid",
            "System.DateTimeOffset",
        "System.DBNull", "System.Version", "System.Uri", "System.ValueTuple", "System.Collections.ArrayList", "System.Collections.Hashtable",
            "System.Collections.Queue",
        "System.Collections.Stack", "System.Collections.BitArray", "System.Collections.DictionaryEntry",
            "System.Collections.Specialized.StringCollection",
        "System.Collections.Specialized.StringDictionary",
    ];

    /// <summary>Generic types of the runtime, and the methods that add them.</summary>
    private static readonly Dictionary<string, string> Collections = new()
    {
        ["System.Collections.Generic.List`1"] = "AddList",
        ["System.Collections.Generic.Queue`1"] = "AddQueue",
        ["System.Collections.Generic.Stack`1"] = "AddStack",
        ["System.Collections.Generic.LinkedList`1"] = "AddLinkedList",
        ["System.Collections.Generic.HashSet`1"] = "AddHashSet",
        ["System.Collections.Generic.SortedSet`1"] = "AddSortedSet",
        ["System.Collections.Generic.Dictionary`2"] = "AddDictionary",
        ["System.Collections.Generic.SortedDictionary`2"] = "AddSortedDictionary",
        ["System.Collections.Generic.SortedList`2"] = "AddSortedList",
        ["System.Collections.ObjectModel.Collection`1"] = "AddCollection",
        ["System.Collections.ObjectModel.ReadOnlyCollection`1"] = "AddReadOnlyCollection",
    };

    private readonly Compilation _compilation;
    private readonly INamedTypeSymbol _context;
    private readonly Location _location;
    private readonly LegacyFieldParser _fields;
    private readonly List<LegacyTypeModel> _types = [];
    private readonly List<Diagnostic> _diagnostics = [];
    private readonly HashSet<ITypeSymbol> _known = new(SymbolEqualityComparer.Default);
    private readonly Queue<(ITypeSymbol Type, Location Location, string Where)> _open = new();

    private LegacyParser(Compilation compilation, INamedTypeSymbol context, Location location)
    {
        _compilation = compilation;
        _context = context;
        _location = location;
        _fields = new LegacyFieldParser(compilation, context);
    }

    internal static LegacyParseResult Parse(ParseTarget target, CancellationToken cancellationToken)
    {
        INamedTypeSymbol type = target.Type;
        Location location = target.Node.Identifier.GetLocation();
        TypedConstant given = target.Attribute.ConstructorArguments.FirstOrDefault();
        ITypeSymbol[] targets = given is { Kind: TypedConstantKind.Array, IsNull: false }
            ? given.Values.Select(t => t.Value).OfType<ITypeSymbol>().ToArray() : [];
        if ((WhyNotHere(type, cancellationToken) ?? (type.IsStatic && targets.Length == 0 ? "it is static and names no types" : null)) is string why)
            return new LegacyParseResult(null, Report.Of(
                type, ImmutableArray.Create(Report.Diagnose(Descriptors.LegacyNotPartial, location, type.ShortName(), why))));
        var parser = new LegacyParser(target.Compilation, type, location);
        foreach (ITypeSymbol root in targets.Length == 0 ? [type] : targets)
            parser.Add(root, location, type.ShortName());
        while (parser._open.Count > 0)
        {
            cancellationToken.ThrowIfCancellationRequested();
            (ITypeSymbol next, Location at, string where) = parser._open.Dequeue();
            parser.ParseType(next, at, where);
        }

        // With errors a contract without types, so that code that uses it has no errors of its own.
        return new LegacyParseResult(parser.ToModel(parser._diagnostics.Count > 0 ? [] : parser._types),
            Report.Of(type, parser._diagnostics.ToImmutableArray()));
    }

    private static string? WhyNotHere(INamedTypeSymbol type, CancellationToken cancellationToken) =>
        ContractParser.NotPartial(type, cancellationToken) is INamedTypeSymbol notPartial
        ? $"'{notPartial.Name}' is not partial, so no code can be added to it"
        : Symbols.IsFileLocal(type)
        ? "it is local to its file, where no code can be generated"
        : ContractParser.IsGeneric(type)
        ? "it is generic: name its closed forms in a context"
        : type.GetMembers(PropertyName).Length > 0
        ? $"has a member named '{PropertyName}', which is the name of the generated one"
        : null;

    private LegacyModel ToModel(List<LegacyTypeModel> types)
    {
        var containers = new Stack<string>();
        for (INamedTypeSymbol? container = _context; container is not null; container = container.ContainingType)
            containers.Push(ContractParser.Header(container));
        string space = _context.ContainingNamespace.IsGlobalNamespace ? "" : _context.ContainingNamespace.ToDisplayString();
        return new LegacyModel(HintName.Of(_context) + ".LegacyBinary.g.cs", space, containers.ToEquatable(), types.ToEquatable());
    }

    private void Add(ITypeSymbol type, Location location, string where)
    {
        if (_known.Add(type))
            _open.Enqueue((type, location, where));
    }

    private void ParseType(ITypeSymbol type, Location location, string where)
    {
        if (type is IArrayTypeSymbol array)
        {
            Declare(array.IsSZArray ? $"AddArray<{array.ElementType.Display()}>" : $"AddDeclared<{type.Display()}>");
            Add(array.ElementType, location, where);
        }
        else if (type is not INamedTypeSymbol named || named.IsUnboundGenericType || named.IsRefLikeType
            || named.TypeKind is TypeKind.Error or TypeKind.Pointer)
        {
            Refuse(type, location, where, "it is not data");
        }
        else if (!_compilation.IsNameable(named, _context))
        {
            Refuse(type, location, where, "it cannot be named where code is generated: put the attribute on the type around it, or on itself");
        }
        else if (!ParseRuntimeType(named, location, where))
        {
            ParseOwnType(named, location, where);
        }
    }

    /// <summary>Adds a type known to the library.</summary>
    private bool ParseRuntimeType(INamedTypeSymbol type, Location location, string where)
    {
        string name = type.FullName();
        if (Known.Contains(name))
            return true;
        bool isPlain = name == "System.Collections.Generic.KeyValuePair`2" || type.IsTupleType
            || type.OriginalDefinition.FullName().StartsWith("System.Tuple`", System.StringComparison.Ordinal);
        if (isPlain)
            Declare($"AddReflected<{type.Display()}>");
        else if (type.OriginalDefinition.SpecialType == SpecialType.System_Nullable_T)
            Declare($"AddNullable<{type.TypeArguments[0].Display()}>");
        else if (Collections.TryGetValue(name, out string? method))
            Declare($"{method}<{string.Join(", ", type.TypeArguments.Select(a => a.Display()))}>");
        else
            return false;
        // Longer tuples hold a tuple of the rest.
        INamedTypeSymbol plain = type.TupleUnderlyingType ?? type;
        foreach (ITypeSymbol argument in plain.TypeArguments)
            Add(argument, location, where);
        return true;
    }

    private void ParseOwnType(INamedTypeSymbol type, Location location, string where)
    {
        if (type.TypeKind == TypeKind.Enum)
        {
            Declare($"AddEnum<{type.Display()}, {type.EnumUnderlyingType!.Display()}>");
            return;
        }

        bool isElsewhere = !SymbolEqualityComparer.Default.Equals(type.ContainingAssembly, _compilation.Assembly);
        if (isElsewhere && type.HasAttribute(Attribute))
        {
            Declare("Include", $"{type.Display()}.{PropertyName}");
            return;
        }

        if (type.Implements("System.Runtime.Serialization.ISerializable") && !type.IsAbstract)
        {
            Declare($"AddSerializable<{type.Display()}>");
            return;
        }

        if (type.IsAbstract || type.TypeKind is TypeKind.Interface or TypeKind.Delegate
            || (isElsewhere && type.IsReferenceType && LegacyFieldParser.IsOfRuntime(type)))
        {
            Declare($"AddDeclared<{type.Display()}>");
            return;
        }

        if (_fields.WhyNot(type) is string why)
        {
            Refuse(type, location, where, why);
            return;
        }

        ImmutableArray<LegacyField> fields = _fields.FieldsOf(type);
        foreach (LegacyField field in fields)
            Add(field.Type, field.Symbol.LocationIn(_compilation) ?? location, $"{type.Name}.{field.Symbol.Name}");
        if (isElsewhere)
            Declare($"AddReflected<{type.Display()}>"); // only its public fields are known here; the application names the types of others
        else
            _types.Add(new LegacyTypeModel($"AddClass<{type.Display()}>", null, HasFields: true, fields.Select(f => f.Model).ToEquatable()));
    }

    private void Declare(string method, string? argument = null) => _types.Add(new LegacyTypeModel(method, argument, HasFields: false, default));

    private void Refuse(ITypeSymbol type, Location location, string where, string why) =>
        _diagnostics.Add(Report.Diagnose(Descriptors.LegacyUnsupported, location ?? _location, where, type.ShortName(), why));
}
