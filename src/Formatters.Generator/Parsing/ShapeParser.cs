using System.Collections.Generic;
using System.Collections.Immutable;
using System.Globalization;
using System.Linq;
using System.Text;
using System.Threading;
using Microsoft.CodeAnalysis;

namespace Formatters.Generator;

/// <summary>Creates the model of the records and collections of one file from symbols. The rules: docs/wire/binary.md, "Contracts".</summary>
internal sealed partial class ShapeParser(
    Compilation compilation, INamedTypeSymbol owner, ContractFormats format, Location location, CancellationToken cancellationToken)
{
    // As for the contracts by reflection: a type whose members have ever larger generic types would never end.
    private const int MaxGenericDepth = 16;

    private const string EnumerableInterface = "System.Collections.IEnumerable";

    private readonly Dictionary<string, int> _indexes = [];
    private readonly List<Shape?> _shapes = [];
    private readonly HashSet<string> _names = [Shape.OwnName];
    private readonly bool _isNet = IsNet(compilation);
    private readonly Dictionary<(string Id, string Type, SyntaxTree? Tree), (int Index, string Path, HashSet<Location> Locations)>
        _countedReports = [];

    internal List<Diagnostic> Diagnostics { get; } = [];

    /// <summary>Gets the contracts that lack this format; these are errors like <see cref="Diagnostics"/>.</summary>
    internal List<MissingFormat> MissingFormats { get; } = [];

    /// <summary>Gets whether any class of the compilation may be reported, as derived from one of another assembly.</summary>
    internal bool DependsOnAll { get; private set; }

    /// <summary>Gets or sets the location for errors outside the members of this compilation.</summary>
    internal Location Location { get; set; } = location;

    internal EquatableArray<Shape> Shapes => _shapes.Select(s => s!).ToEquatable();

    /// <summary>
    /// Determines whether the referenced library is the one for .NET: that for netstandard2.0 has fewer types, and no interfaces of contracts.
    /// </summary>
    internal static bool IsNet(Compilation compilation) => compilation.GetTypeByMetadataName("Formatters.JsonFormatter`1") is not null;

    /// <summary>Parses a type for which the file is generated.</summary>
    /// <returns>Null if it has no contract; the diagnostics say why.</returns>
    internal ValueModel? ParseRoot(ITypeSymbol type)
    {
        if (type.OriginalDefinition.SpecialType == SpecialType.System_Nullable_T)
        {
            Report(Descriptors.Unsupported, Location, type.ShortName(), type.ShortName(),
                "the payload itself cannot be null; name the underlying type");
            return null;
        }

        string path = type.ShortName();
        if (SymbolEqualityComparer.Default.Equals(type, owner) && !HasOwnBody(type) && !IsUnion(type) && Symbols.FormatterOf(type) is null)
            return ParseDeclared((INamedTypeSymbol)type, path, null);
        return ParseNonNull(type.WithNullableAnnotation(NullableAnnotation.NotAnnotated), path, null, null);
    }

    /// <summary>
    /// Creates the placeholder of a type whose contract has errors: a record without members, or the union itself for which the file is generated,
    /// without types.
    /// </summary>
    internal ValueModel ParsePlaceholder(ITypeSymbol type)
    {
        string display = type.Display();
        if (format == ContractFormats.Xml)
            return new ValueModel(ValueKind.ForeignContract, display, type.IsValueType, false);
        bool isUnion = SymbolEqualityComparer.Default.Equals(type, owner) && IsUnion(type) && type.IsReferenceType;
        _shapes.Add(isUnion
            ? new UnionShape(NameOf(type), display, default, "") { IsPlaceholder = true }
            : new RecordShape(NameOf(type), display, type.IsValueType, type.IsSealed, IsMadeAtOnce: false, default, default)
            {
                IsPlaceholder = true,
                IsNumbered = format.IsNumbered(),
                Form = IsPacked ? RecordForm.Array : RecordForm.None,
            });
        return new ValueModel(ValueKind.Shape, display, type.IsValueType, false, Shape: _shapes.Count - 1) { IsUnion = isUnion };
    }

    private ValueModel? Parse(ITypeSymbol type, string path, ISymbol? member, ITypeSymbol? elementType)
    {
        if (type.OriginalDefinition.SpecialType == SpecialType.System_Nullable_T)
        {
            ValueModel? underlying = ParseNonNull(((INamedTypeSymbol)type).TypeArguments[0], path, member, elementType);
            if (IsProtobuf && underlying is { Kind: ValueKind.Shape } && _shapes[underlying.Shape] is SequenceShape)
                return Refuse(
                    type, path, member, "in protobuf a collection that is null and one that is empty cannot be told apart; declare it not nullable");
            return underlying is null ? null : underlying with { IsNullable = true, Type = type.Display() };
        }

        if (type.IsReferenceType && type.NullableAnnotation == NullableAnnotation.None && member is not null
            && path[path.Length - 1] != ']'
            && member.LocationIn(compilation) is not null && !IsTypeParameter(member.OriginalDefinition))
        {
            ReportCounted(Descriptors.NotAnnotated, member, path, "is", "are");
        }

        ValueModel? value = ParseNonNull(type, path, member, elementType);
        return value is null || !type.IsReferenceType || type.NullableAnnotation != NullableAnnotation.Annotated
            ? value
            : value with { IsNullable = true };
    }

    private static bool IsTypeParameter(ISymbol member) =>
        member is IFieldSymbol { Type: ITypeParameterSymbol } or IPropertySymbol { Type: ITypeParameterSymbol };

    private ValueModel? ParseNonNull(ITypeSymbol type, string path, ISymbol? member, ITypeSymbol? elementType)
    {
        cancellationToken.ThrowIfCancellationRequested();
        string display = type.Display();
        if (IsTooDeep(type))
            return Refuse(type, path, member, $"it has more than {MaxGenericDepth} levels of generic types; its contract would never end");
        if (type is IErrorTypeSymbol)
            return Refuse(type, path, member, "the compiler does not know it");
        if (type is ITypeParameterSymbol)
            return Refuse(type, path, member, "a type parameter is not known at compile time");
        if (compilation.WhyAmbiguous(type) is string ambiguous)
            return Refuse(type, path, member, ambiguous);

        bool isOwner = SymbolEqualityComparer.Default.Equals(type, owner);
        bool isContractHere = ContractParser.FindDeclaration(type, format, compilation, cancellationToken) is not null;
        // Problems there are reported there.
        if (isContractHere && !isOwner && ContractParser.FindObstacle((INamedTypeSymbol)type, Location, compilation, cancellationToken) is not null)
            return null;
        if (Symbols.NamesNoFormatter(type))
            return RefuseNull(type, PlaceOf(type, member), path);
        if (Symbols.FormatterOf(type) is ITypeSymbol formatter)
            return ParseFormatted(type, formatter, path, member, isOfType: true);
        if ((type.TypeKind == TypeKind.Enum || IsUnion(type)) && !CheckForeignAlone(type, path, member))
            return null;
        ITypeSymbol scalarType = type is INamedTypeSymbol { EnumUnderlyingType: INamedTypeSymbol underlying } ? underlying : type;
        if (FindScalar(scalarType) is ScalarType scalar)
        {
            if (scalar.Is(ScalarTraits.Further))
                return new ValueModel(ValueKind.Known, display, type.IsValueType, false, scalar.Name);
            return new ValueModel(
                ValueKind.Scalar, display, true, false, scalar.Name, SymbolEqualityComparer.Default.Equals(scalarType, type)
                    ? ""
                    : scalarType.Display());
        }

        if (type.SpecialType == SpecialType.System_String)
            return new ValueModel(ValueKind.Text, display, false, false);
        if (type is IArrayTypeSymbol { IsSZArray: true, ElementType.SpecialType: SpecialType.System_Byte })
            return new ValueModel(ValueKind.Bytes, display, false, false);
        if (!compilation.IsSymbolAccessibleWithin(type, owner))
            return Refuse(type, path, member, "generated code cannot name it; make it internal or public");
        if (type is IArrayTypeSymbol || type is INamedTypeSymbol { IsGenericType: true } || KnownCollections.IsOfObjects(type.FullName()))
        {
            if (ParseCollection(type, path, member, elementType, out ValueModel? collection))
                return collection;
        }

        if (type is not INamedTypeSymbol named)
            return Refuse(type, path, member, type.TypeKind == TypeKind.Dynamic
                ? "what it holds is known at run time only"
                : "it is a pointer or a ref struct");
        if (!IsUnion(type))
            CheckDerived(named, path, member);
        if (!type.IsAbstract && HasOwnBody(type))
        {
            if (!Construction.IsMadeByNew(named))
            {
                string lack = Symbols.RequiredMembers(named).Any()
                    ? "has required members, which nothing sets"
                    : "has no public constructor without parameters";
                Report(Descriptors.NoConstructor, PlaceOf(type, member), path, type.ShortName(), "brings its own Save and Load, but " + lack);
                return null;
            }

            return new ValueModel(ValueKind.OwnBody, display, type.IsValueType, false, type.IsSealed || type.IsValueType
                ? "sealed"
                : "") { ChecksDerived = ChecksDerived(named) };
        }

        if ((IsPacked || IsProtobuf) && type.FullName() == "System.ArraySegment`1" && IsOfBytes(type))
            return new ValueModel(ValueKind.Known, display, true, false, "ArraySegment");
        // The compiler rejects the attribute on an interface.
        if (type.TypeKind != TypeKind.Interface && type.FindAttribute(Symbols.ContractAttribute) is AttributeData attribute && !named.IsGenericType
            && (IsUnion(type) || WhyUnsupported(named) is null))
        {
            if ((attribute.Formats() & format) == 0)
            {
                MissingFormats.Add(new MissingFormat(member?.LocationIn(compilation) ?? Location, path, type, format));
                return null;
            }

            if (!isContractHere)
            {
                return UnseenMembers.IsCompiled(named, compilation) && type.GetMembers(WireFormats.PropertyName).IsEmpty
                    ? Refuse(type, path, member, $"it has [MessageContract], but nothing was generated for it in '{type.ContainingAssembly.Name}'")
                    : new ValueModel(ValueKind.ForeignContract, display, type.IsValueType, false);
            }

            if (!isOwner)
            {
                return ParseBlock(named, path)
                    ?? new ValueModel(ValueKind.Contract, display, type.IsValueType, false, display) { IsUnion = IsUnion(type) };
            }
        }

        if (IsUnion(type))
            return ParseUnion(named, path, member);
        return ParseDeclared(named, path, member);
    }

    /// <summary>Parses a class or struct without a special form: a record, if it can be one.</summary>
    private ValueModel? ParseDeclared(INamedTypeSymbol type, string path, ISymbol? via)
    {
        if (WhyUnsupported(type) is not string why)
            return ParseRecord(type, path, via);
        // A base class with a contract shares the reason.
        INamedTypeSymbol declared = Symbols.Levels(type).FirstOrDefault(
            l => WhyUnsupported(l) == why && ContractParser.FindDeclaration(l, format, compilation, cancellationToken) is not null) ?? type;
        Report(Descriptors.Unsupported, PlaceOf(declared, via), path, type.ShortName(), why);
        return null;
    }

    /// <summary>
    /// Parses a struct with a separate contract as a record of this one, with the same bytes, if a list of it may be copied as one block.
    /// </summary>
    /// <returns>Null if it is not such a struct, or has errors, which are reported with its contract.</returns>
    private ValueModel? ParseBlock(INamedTypeSymbol type, string path)
    {
        if (format is not (ContractFormats.Binary or ContractFormats.Versioned) || !type.IsUnmanagedType)
            return null;
        if (Known(type, "", out int known, out string key))
            return new ValueModel(ValueKind.Shape, type.Display(), true, false, Shape: known);
        (int diagnosticCount, int shapeCount, string[] names) = (Diagnostics.Count, _shapes.Count, [.. _names]);
        if (ParseDeclared(type, path, null) is { } value && Diagnostics.Count == diagnosticCount
            && _shapes[value.Shape] is RecordShape { IsBlock: true })
            return value;
        Diagnostics.RemoveRange(diagnosticCount, Diagnostics.Count - diagnosticCount);
        foreach (string added in _indexes.Where(entry => entry.Value >= shapeCount).Select(static entry => entry.Key).ToList())
            _indexes.Remove(added);
        _shapes.RemoveRange(shapeCount, _shapes.Count - shapeCount);
        _names.IntersectWith(names);
        return null;
    }

    /// <summary>Determines whether its own <c>Save</c> and <c>Load</c> determine the bytes, which belong to the binary format.</summary>
    private bool HasOwnBody(ITypeSymbol type) => !IsPacked && !IsProtobuf && type.Implements("Formatters.Binary.IBinaryBody");

    private ValueModel? ParseRecord(INamedTypeSymbol type, string path, ISymbol? via)
    {
        string display = type.Display();
        if (Known(type, "", out int index, out string key))
            return new ValueModel(ValueKind.Shape, display, type.IsValueType, false, Shape: index);

        if (!CheckForeign(type, path, via))
            return null;
        List<Member> members = IsPacked ? FindPacked(type) : Member.FindAll(type);
        if (IsProtobuf)
            members.RemoveAll(m => FieldMark.IsLeftOut(m));
        if (members.Any(IsRefused))
            return null;
        List<Member> all = [.. members];
        List<Member> optedIn = members.Where(m => m.IsOptedIn).ToList();
        string? problem = Construction.Find(type, members, out int[] constructorMembers, out IMethodSymbol? constructor);
        if (problem is not null)
        {
            Report(Descriptors.NoConstructor, via, path, type.ShortName(), problem);
            return null;
        }

        int settableCount = members.Count;
        if (IsPacked)
            members.AddRange(all.Where(m => !members.Contains(m) && PackedMark.Of(m, null).IsExplicit && m.Symbol is IFieldSymbol
                or IPropertySymbol { GetMethod: not null }));
        if (IsProtobuf)
            settableCount = ChooseFields(type, members, all, constructorMembers);
        List<Member> lost = optedIn.Where(m => !members.Contains(m) || m.Symbol is IPropertySymbol { GetMethod: null }).ToList();
        foreach (Member member in lost)
            Report(Descriptors.CannotSet, member.Symbol, PathOf(member.Symbol, type, path),
                "cannot be read and set: give it a getter and a setter; they may be private");
        // A computed value is written for other readers; a stored one would be lost.
        List<Member> unread = members.Skip(settableCount).Where(m => !lost.Contains(m) && Holds(m)).ToList();
        foreach (Member member in unread)
            Report(Descriptors.CannotSet, member.Symbol, PathOf(member.Symbol, type, path),
                "cannot be set, so its value would be written, but not read: give it a setter; it may be private");
        foreach (ISymbol symbol in Symbols.Levels(type).SelectMany(l => l.GetMembers()).Where(
            m => m is IFieldSymbol { IsStatic: true } or IPropertySymbol { IsStatic: true } or IPropertySymbol { IsIndexer: true } && m.IsMarked()))
            Report(Descriptors.CannotSet, symbol, PathOf(symbol, type, path), symbol.IsStatic
                ? "belongs to the type, not to its objects"
                : "is an indexer");
        bool isSeen = CheckUnseen(type, path, via);
        if (isSeen && members.Count == 0 && optedIn.Count == 0 && Member.HasState(type))
        {
            Report(Descriptors.StateLost, via, path, type.ShortName());
            return null;
        }

        CheckLeftOut(type, members.Concat(optedIn), constructorMembers.All(i => IsFixed(members[i].Symbol)) ? constructor : null, path);
        CheckChanged(members, constructorMembers, constructor, type, path);
        index = Reserve(key);
        if (!IsOfBaseLibrary(type))
            CheckEnd(type, path, via);
        bool isNumbered = format.IsNumbered() && !IsOfBaseLibrary(type);
        Member? unknown = null;
        FieldMark[]? fields = IsProtobuf ? FindFields(type, members, constructorMembers, constructor, path) : null;
        bool keepsUnknown = isNumbered || IsPacked || IsProtobuf && !IsOfBaseLibrary(type);
        bool isComplete = (!isNumbered || CheckNumbers(type, members.Union(lost), path)) & (!IsProtobuf || fields is not null)
            & (IsOfBaseLibrary(type)
            || TryFindUnknown(type, path, out unknown));
        List<ISymbol> required = Symbols.RequiredMembers(type).ToList();
        ISymbol? left = required.Find(r => members.All(m => m.Name != r.Name) && unknown?.Symbol.Name != r.Name);
        if (left is not null && !Construction.SetsRequired(type, constructor))
            Report(Descriptors.NoConstructor, left, path + "." + left.Name, type.ShortName(),
                $"has the required member '{left.Name}', which is not in the contract, and no constructor with [SetsRequiredMembers]");
        bool hasRequired = required.Count > 0;
        var models = new List<MemberModel>();
        for (int i = 0; i < members.Count; i++)
        {
            Member member = members[i];
            string memberPath = PathOf(member.Symbol, type, path);
            if (!TryFindElementType(member, memberPath, out ITypeSymbol? elementType))
                isComplete = false;
            else if (ParseMember(member, memberPath, elementType) is not ValueModel value
                || fields is not null && !(CheckEncoding(member, value, fields[i], memberPath) && CheckOneof(member, value, fields[i], memberPath)))
                isComplete = false;
            else if (AddAccess(new MemberModel(member.Name, Symbols.Identifier(member.Name), value, i < settableCount
                ? SetterOf(member, constructorMembers.Contains(i)) : MemberSetter.None)
                { IsStored = member.IsStored, IsRequired = member.IsRequired }, member, type, out string why) is MemberModel model)
                models.Add(model);
            else
                Report(Descriptors.OutOfReach, member.Symbol, PathOf(member.Symbol, type, path), why);
        }

        // Problems with a base class are reported there.
        if (!isComplete || models.Count != members.Count || Symbols.Levels(type).Any(LacksAccessors))
            return null;
        bool isMadeAtOnce = constructorMembers.Length > 0 || hasRequired || models.Any(m => m.Setter == MemberSetter.Initializer);
        var record = new RecordShape(
            NameOf(type), display, type.IsValueType, type.IsSealed, isMadeAtOnce, models.ToEquatable(), constructorMembers.ToEquatable())
        {
            Key = type.Key(),
            ChecksDerived = ChecksDerived(type),
            IsUnmanaged = type.IsUnmanagedType,
            IsOfBaseLibrary = IsOfBaseLibrary(type),
            Callbacks = IsOfBaseLibrary(type) ? default : FindCallbacks(type, path),
            RefusedUnknown = keepsUnknown || unknown is null ? "" : Symbols.Identifier(unknown.Name),
        };
        if (IsPacked)
        {
            if (Pack(record, members, all, type, constructor, unknown, path) is not RecordShape packed)
                return null;
            record = packed;
        }

        if (fields is not null)
            record = WithFields(record, fields, unknown);
        _shapes[index] = isNumbered ? Numbered(record, members, constructor, unknown) : record;
        return new ValueModel(ValueKind.Shape, display, type.IsValueType, false, Shape: index);
    }

    /// <summary>
    /// Determines whether the compiler rejects a member itself: it has no name, or a duplicate one. Code for it would have errors as well.
    /// </summary>
    private bool IsRefused(Member member) =>
        member.Symbol.LocationIn(compilation) is not null
        && (member.Name.Length == 0 || member.Symbol.ContainingType.GetMembers(member.Name).Length > 1);

    /// <summary>
    /// Determines whether a member that cannot be set stores a value, instead of computing it: a field, an automatic property, a collection.
    /// </summary>
    private static bool Holds(Member member) => member.Symbol is not IPropertySymbol property || HasField(property)
        || UnseenMembers.HasField(property)
        || property.Type is IArrayTypeSymbol || property.Type.SpecialType != SpecialType.System_String
        && (property.Type.FullName() == EnumerableInterface || property.Type.Implements(EnumerableInterface));

    /// <summary>Returns a member's name in messages: with its declaring type, if that is a base class.</summary>
    private static string PathOf(ISymbol member, INamedTypeSymbol type, string path) =>
        (SymbolEqualityComparer.Default.Equals(member.ContainingType, type) ? path : member.ContainingType.ShortName()) + "." + member.Name;

    private static MemberSetter SetterOf(Member member, bool isInConstructor) =>
        isInConstructor && !member.IsRequired
        ? MemberSetter.Constructor
        : member.IsInitOnly || member.IsRequired
        ? MemberSetter.Initializer
        : member.IsPlain ? MemberSetter.Plain : MemberSetter.Code;

    private bool Known(ITypeSymbol type, string suffix, out int index, out string key) => _indexes.TryGetValue(key = type.Key() + suffix, out index);

    private int Reserve(string key)
    {
        _indexes.Add(key, _shapes.Count);
        _shapes.Add(null);
        return _shapes.Count - 1;
    }

    /// <summary>Returns the name of the methods for a type: readable, and unique in the file.</summary>
    private string NameOf(ITypeSymbol type)
    {
        if (SymbolEqualityComparer.Default.Equals(type, owner))
            return Shape.OwnName;
        var name = new StringBuilder();
        Append(name, type);
        string unique = name.ToString();
        for (int i = 2; !_names.Add(unique); i++)
            unique = name + i.ToString(System.Globalization.CultureInfo.InvariantCulture);
        return unique;
    }

    internal static void Append(StringBuilder name, ITypeSymbol type)
    {
        if (type is IArrayTypeSymbol array)
        {
            name.Append("ArrayOf");
            Append(name, array.ElementType);
            return;
        }

        foreach (char c in type.Name.Length == 0 ? "Tuple" : type.Name)
            name.Append(char.IsLetterOrDigit(c) || c == '_' ? c : '_');
        if (type is not INamedTypeSymbol { IsGenericType: true } generic)
            return;
        for (int i = 0; i < generic.TypeArguments.Length; i++)
        {
            name.Append(i == 0 ? "Of" : "And");
            Append(name, generic.TypeArguments[i]);
        }
    }

    private ValueModel? Refuse(ITypeSymbol type, string path, ISymbol? member, string why)
    {
        Report(Descriptors.Unsupported, member, path, type.ShortName(), why);
        return null;
    }

    /// <summary>
    /// Returns where a problem with a type itself is reported: at its own contract, so that it is reported once, or otherwise at the member that
    /// contains it.
    /// </summary>
    private Location PlaceOf(ITypeSymbol type, ISymbol? member) =>
        ContractParser.FindDeclaration(type, format, compilation, cancellationToken) ?? PlaceOf(member);

    /// <summary>Returns the member's location, if it is in the source of this compilation, otherwise that of the attribute's type.</summary>
    private Location PlaceOf(ISymbol? member) => member?.LocationIn(compilation) ?? Location;

    private void Report(DiagnosticDescriptor descriptor, ISymbol? member, params object[] arguments) =>
        Report(descriptor, PlaceOf(member), arguments);

    /// <summary>
    /// Reports a problem that all members of a type can have: once in each file, at the first of them, with their number. A fix changes one file.
    /// </summary>
    private void ReportCounted(DiagnosticDescriptor descriptor, ISymbol member, string path, string one, string several)
    {
        Location at = PlaceOf(member);
        (string, string, SyntaxTree?) key = (descriptor.Id, member.ContainingType.OriginalDefinition.Display(), at.SourceTree);
        if (!_countedReports.TryGetValue(key, out (int Index, string Path, HashSet<Location> Locations) report))
        {
            _countedReports[key] = report = (Diagnostics.Count, path, []);
            Diagnostics.Add(Formatters.Generator.Report.Diagnose(descriptor, at, $"{path} {one}"));
        }

        if (!report.Locations.Add(at) || report.Locations.Count == 1)
            return;
        int others = report.Locations.Count - 1;
        Diagnostics[report.Index] = Formatters.Generator.Report.Diagnose(descriptor, Diagnostics[report.Index].Location,
            $"{report.Path} and {others.ToString(CultureInfo.InvariantCulture)} more {(others == 1 ? "member" : "members")} {several}");
    }

    private void Report(DiagnosticDescriptor descriptor, Location at, params object[] arguments)
    {
        if (!Diagnostics.Any(d => d.Descriptor.Id == descriptor.Id && d.Location == at))
            Diagnostics.Add(Formatters.Generator.Report.Diagnose(descriptor, at, arguments));
    }
}
