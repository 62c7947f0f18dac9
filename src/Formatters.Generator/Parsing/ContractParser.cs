using System.Collections.Generic;
using System.Collections.Immutable;
using System.Linq;
using System.Text;
using System.Threading;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Formatters.Generator;

/// <summary>Parses an attribute into the model of a file.</summary>
internal static class ContractParser
{
    private static readonly string[] GeneratedNames = [.. WireFormats.All.SelectMany(f => f.ClassNames())];

    internal static ParseResult ParseType(ParseTarget target, CancellationToken cancellationToken)
    {
        INamedTypeSymbol type = target.Type;
        Compilation compilation = target.Compilation;
        // The members of a Box<T> are known where it is closed: the contracts that contain it have its code. Those in other assemblies must know what
        // they do not see.
        if (IsGeneric(type) && (Symbols.WhyUnusable(type) is not null || ShapeParser.FindHidden(type) == HiddenMembers.None || !IsSeenOutside(type)))
            return Result(type);
        Location location = target.Node.Identifier.GetLocation();
        if (FindObstacle(type, location, compilation, cancellationToken) is Diagnostic obstacle)
            return Result(type, obstacle);
        if (IsGeneric(type))
            return Finish(type, [], [], [], isContext: false, compilation, dependsOnAll: false);
        ContractFormats formats = OwnFormats(type);
        var wires = new List<WireModel>();
        var diagnostics = new List<Diagnostic>();
        var missing = new List<MissingFormat>();
        // The contracts of derived classes may need the private members of a base class without a contract.
        if (type.FindAttribute(Symbols.ContractAttribute)!.Formats().Each().First() is ContractFormats first && (first & formats) == 0
            && ShapeParser.FindAccessors(type) is { Count: > 0 } accessors)
            wires.Add(new WireModel(first, default, default, accessors));
        bool isComplete = true, dependsOnAll = false;
        foreach (ContractFormats format in formats.Each())
        {
            if (format == ContractFormats.Xml)
            {
                PublishedContract xml = XmlParser.Parse(compilation, type, type, WireFormats.PropertyName, location, diagnostics, cancellationToken);
                wires.Add(new WireModel(format, new[] { xml }.ToEquatable(), default, wires.Count == 0 ? ShapeParser.FindAccessors(type) : default));
                continue;
            }

            var parser = new ShapeParser(compilation, type, format, location, cancellationToken);
            ValueModel? root = parser.ParseRoot(type);
            diagnostics.AddRange(parser.Diagnostics);
            missing.AddRange(parser.MissingFormats);
            dependsOnAll |= parser.DependsOnAll;
            isComplete &= root is not null && missing.Count == 0 && !HasErrors(diagnostics);
            if (isComplete)
                wires.Add(WireOf(format, parser, root!, isPlaceholder: false));
        }

        if (!isComplete || HasErrors(diagnostics))
        {
            // Code that contains or uses the contract must have no errors of its own, which could hide the actual one.
            wires.RemoveAll(w => w.Contracts.Count > 0);
            foreach (ContractFormats format in formats.Each())
            {
                var parser = new ShapeParser(compilation, type, format, location, cancellationToken);
                wires.Add(WireOf(format, parser, parser.ParsePlaceholder(type), isPlaceholder: true));
            }
        }

        return Finish(type, wires, diagnostics, missing, isContext: false, compilation, dependsOnAll);

        WireModel WireOf(ContractFormats format, ShapeParser parser, ValueModel root, bool isPlaceholder) => new(
            format,
            new[] { new PublishedContract(WireFormats.PropertyName, root, IsPublic: true) { IsPlaceholder = isPlaceholder } }.ToEquatable(),
            parser.Shapes,
            wires.Count == 0 ? ShapeParser.FindAccessors(type) : default);
    }

    /// <summary>
    /// Returns the formats in which a type has a contract of its own: an abstract class that is not a union has no objects, and so none except in
    /// XML.
    /// </summary>
    internal static ContractFormats OwnFormats(ITypeSymbol type)
    {
        ContractFormats formats = type.FindAttribute(Symbols.ContractAttribute)?.Formats() ?? 0;
        return !type.IsAbstract || type.HasAttribute(Symbols.UnionAttribute)
            ? formats
            : formats & (ContractFormats.Xml | (type.HasAttribute(Symbols.PackedUnionAttribute)
                ? WireFormats.Traversed : 0));
    }

    /// <summary>
    /// Finds the declaration of a type that has a contract of its own in this assembly and in a format, or names no format; its problems are reported
    /// there. Null for all others.
    /// </summary>
    internal static Location? FindDeclaration(ITypeSymbol type, ContractFormats format, Compilation compilation,
        CancellationToken cancellationToken) =>
        type is INamedTypeSymbol { IsGenericType: false, TypeKind: not TypeKind.Interface }
        && SymbolEqualityComparer.Default.Equals(type.ContainingAssembly, compilation.Assembly)
        && type.FindAttribute(Symbols.ContractAttribute) is AttributeData attribute
        && (!attribute.Formats().IsValid() || (OwnFormats(type) & format) != 0)
            ? PartWith(attribute, cancellationToken)?.Identifier.GetLocation() : null;

    /// <summary>Finds a type or namespace with the name of an alias in the namespaces around a type; null if there is none.</summary>
    private static Diagnostic? FindTakenAlias(INamedTypeSymbol type, Location location, Compilation compilation)
    {
        for (INamespaceSymbol? space = type.ContainingNamespace; space is not null; space = space.ContainingNamespace)
        {
            INamespaceSymbol? all = compilation.GetCompilationNamespace(space);
            if (ContractFile.Aliases.SelectMany(name => all?.GetMembers(name) ?? []).FirstOrDefault() is ISymbol taken)
                return Report.Diagnose(Descriptors.MemberTaken, taken.LocationIn(compilation) ?? location, type.ShortName(),
                    "is beside a declaration named",
                    taken.Name);
        }

        return null;
    }

    /// <summary>
    /// Finds why nothing can be generated into a type with <c>[MessageContract]</c>, regardless of its members; null if something can.
    /// </summary>
    internal static Diagnostic? FindObstacle(INamedTypeSymbol type, Location location, Compilation compilation, CancellationToken cancellationToken)
    {
        if (NotPartial(type, cancellationToken) is INamedTypeSymbol notPartial)
        {
            string which = SymbolEqualityComparer.Default.Equals(notPartial, type) ? "it" : $"'{notPartial.Name}' around it";
            return Report.Diagnose(Descriptors.NotPartial, location, type.ShortName(), which);
        }

        if (FindTakenAlias(type, location, compilation) is Diagnostic takenAlias)
            return takenAlias;
        if (IsGeneric(type))
            return null;
        if (Symbols.WhyUnusable(type) is string why)
            return Report.Diagnose(Descriptors.Unsupported, location, type.ShortName(), type.ShortName(), why);
        ContractFormats formats = type.FindAttribute(Symbols.ContractAttribute)!.Formats();
        if (!formats.IsValid())
            return Report.Diagnose(Descriptors.NoFormat, location, type.ShortName(), (int)formats);
        foreach (string name in formats.Each().SelectMany(f => f.ClassNames()).Prepend(WireFormats.PartsName).Prepend(WireFormats.PropertyName)
            .Concat(ContractFile.TypeAliases))
        {
            if (type.Name == name)
                return Report.Diagnose(Descriptors.MemberTaken, location, type.ShortName(), "has the name", name);
            if (FindTaken(type, name, compilation) is ISymbol taken)
            {
                string how = SymbolEqualityComparer.Default.Equals(taken.ContainingType, type)
                    ? "has"
                    : $"inherits from '{taken.ContainingType.ShortName()}'";
                return Report.Diagnose(Descriptors.MemberTaken, taken.LocationIn(compilation) ?? location, type.ShortName(), how + " a member named",
                    name);
            }
        }

        return null;
    }

    internal static ParseResult ParseContext(ParseTarget target, CancellationToken cancellationToken)
    {
        INamedTypeSymbol type = target.Type;
        Location location = target.Node.Identifier.GetLocation();
        INamedTypeSymbol? notPartial = NotPartial(type, cancellationToken);
        bool isContract = type.HasAttribute(Symbols.ContractAttribute);
        bool isFileLocal = Symbols.IsFileLocal(type);
        bool isGeneratedName = GeneratedNames.Contains(type.Name);
        if (notPartial is not null || IsGeneric(type) || isContract || isFileLocal || isGeneratedName)
        {
            string why = isContract ? "it has [MessageContract] itself" : isFileLocal ? "it is local to its file" : isGeneratedName
                ? "it has the name of a generated class"
                : notPartial is null ? "it is generic" : $"'{notPartial.Name}' is not partial";
            return Result(type, Report.Diagnose(Descriptors.BadContext, location, type.ShortName(), why));
        }

        Compilation compilation = target.Compilation;
        if (FindTakenAlias(type, location, compilation) is Diagnostic takenAlias)
            return Result(type, takenAlias);
        var diagnostics = new List<Diagnostic>();
        var missing = new List<MissingFormat>();
        List<ContextEntry> entries = FindEntries(compilation, type, location, diagnostics, cancellationToken);
        var wires = new List<WireModel>();
        bool dependsOnAll = false;
        foreach (ContractFormats format in entries.Aggregate((ContractFormats)0, (formats, e) => formats | e.Formats).Each())
        {
            List<ContextEntry> asked = entries.FindAll(e => (e.Formats & format) != 0);
            // An invalid one is reported, and leaves a placeholder beside the others, so that the users of neither get misleading errors.
            WireModel? wire = ParseEntries(compilation, type, format, asked, [], diagnostics, missing, ref dependsOnAll, cancellationToken)
                ?? ParseEntries(compilation, type, format, asked,
                    asked.FindAll(e => ParseEntries(compilation, type, format, [e], [], [], [], ref dependsOnAll, cancellationToken) is null),
                    [], [], ref dependsOnAll, cancellationToken);
            if (wire is { Contracts.Count: > 0 })
                wires.Add(wire);
        }

        return Finish(type, wires, diagnostics, missing, isContext: true, compilation, dependsOnAll);
    }

    /// <returns>Null if there is an error.</returns>
    private static WireModel? ParseEntries(
        Compilation compilation,
        INamedTypeSymbol context,
        ContractFormats format,
        List<ContextEntry> entries,
        List<ContextEntry> wrong,
        List<Diagnostic> diagnostics,
        List<MissingFormat> missing,
        ref bool dependsOnAll,
        CancellationToken cancellationToken)
    {
        var found = new List<Diagnostic>();
        var parser = new ShapeParser(compilation, context, format, context.Locations[0], cancellationToken);
        var contracts = new List<PublishedContract>();
        foreach (ContextEntry entry in entries)
        {
            bool isWrong = wrong.Contains(entry);
            parser.Location = entry.Location;
            if (format == ContractFormats.Xml && !isWrong)
                contracts.Add(XmlParser.Parse(compilation, entry.Type, context, entry.Name, entry.Location, found, cancellationToken));
            else if ((isWrong ? parser.ParsePlaceholder(entry.Type) : parser.ParseRoot(entry.Type)) is ValueModel value)
                contracts.Add(new PublishedContract(entry.Name, value, Symbols.IsPublic(entry.Type)) { IsPlaceholder = isWrong });
        }

        found.AddRange(parser.Diagnostics);
        diagnostics.AddRange(found);
        missing.AddRange(parser.MissingFormats);
        dependsOnAll |= parser.DependsOnAll;
        // The problem may be reported at another contract of this assembly.
        return HasErrors(found) || parser.MissingFormats.Count > 0 || contracts.Count < entries.Count
            ? null
            : new WireModel(format, contracts.ToEquatable(), parser.Shapes, default);
    }

    /// <summary>Finds the contracts that the attributes of a context request.</summary>
    private static List<ContextEntry> FindEntries(Compilation compilation, INamedTypeSymbol context, Location location, List<Diagnostic> diagnostics,
        CancellationToken cancellationToken)
    {
        var entries = new List<ContextEntry>();
        var taken = new HashSet<string>();
        foreach (AttributeData attribute in context.GetAttributes().Where(a => a.AttributeClass?.FullName() == Symbols.ContractForAttribute))
        {
            Location at = attribute.ApplicationSyntaxReference?.GetSyntax(cancellationToken).GetLocation() ?? location;
            TypedConstant argument = attribute.ConstructorArguments.FirstOrDefault();
            if (argument.Value is not ITypeSymbol target)
            {
                // The compiler already reports it.
                if (argument.Kind != TypedConstantKind.Error)
                    diagnostics.Add(Report.Diagnose(Descriptors.Unsupported, at, context.ShortName(), "null", "it is not a type"));
                continue;
            }

            string? name = attribute.NamedArgument("Name") as string;
            if (name is null)
            {
                var text = new StringBuilder();
                ShapeParser.Append(text, target);
                name = text.ToString();
            }

            ContractFormats formats = attribute.Formats();
            if (!formats.IsValid())
                diagnostics.Add(Report.Diagnose(Descriptors.NoFormat, at, context.ShortName(), (int)formats));
            else if (Symbols.WhyUnusable(target) is string why)
                diagnostics.Add(Report.Diagnose(Descriptors.Unsupported, at, target.ShortName(), target.ShortName(), why));
            else if (target.TypeKind == TypeKind.Dynamic || !compilation.IsSymbolAccessibleWithin(target, context)
                || Symbols.Holds(target, static t => t is IErrorTypeSymbol))
                continue; // already reported as well
            else if (WhyNotNamed(context, name, formats, taken) is string problem)
                diagnostics.Add(Report.Diagnose(Descriptors.NameTaken, at, context.ShortName(), name, problem));
            else
                entries.Add(new ContextEntry(target, name, formats, at));
            taken.Add(name);
        }

        return entries;
    }

    /// <summary>Returns why a context cannot have the properties of a contract; null if it can.</summary>
    private static string? WhyNotNamed(INamedTypeSymbol context, string name, ContractFormats formats, HashSet<string> taken)
    {
        return !SyntaxFacts.IsValidIdentifier(name)
            ? "it is not an identifier"
            : name == context.Name
            ? $"the context itself is named '{context.Name}'"
            : GeneratedNames.Contains(name) || name.EndsWith(WireFormats.PartsName, System.StringComparison.Ordinal)
            ? "generated code has that name"
            : taken.Contains(name)
            ? "it has another one of that name"
            : formats.Each().SelectMany(f => f.ClassNames()).Prepend(name + WireFormats.PartsName).Prepend(name)
            .FirstOrDefault(n => context.GetMembers(n).Length > 0) is string member
            ? $"it has a member named '{member}'"
            : null;
    }

    /// <summary>
    /// Finds a member of the type or of a base class that a generated one would collide with or hide. Members generated into a base class itself,
    /// which are not visible in this assembly yet, may be hidden.
    /// </summary>
    private static ISymbol? FindTaken(INamedTypeSymbol type, string name, Compilation compilation) =>
        Symbols.Levels(type).Where(l => SymbolEqualityComparer.Default.Equals(l.ContainingAssembly, compilation.Assembly) || !IsGenerated(l, name))
        .Reverse()
            .SelectMany(l => l.GetMembers(name)).FirstOrDefault(m => compilation.IsSymbolAccessibleWithin(m, type));

    private static bool IsGenerated(INamedTypeSymbol type, string name) =>
        type.FindAttribute(Symbols.ContractAttribute) is AttributeData attribute
        && (name is WireFormats.PropertyName or WireFormats.PartsName || attribute.Formats().Each().Any(f => f.ClassNames().Contains(name)));

    private static ParseResult Result(INamedTypeSymbol type, params Diagnostic[] diagnostics) =>
        new(null, Report.Of(type, diagnostics.ToImmutableArray()));

    private static bool HasErrors(IEnumerable<Diagnostic> diagnostics) => diagnostics.Any(d => d.Severity == DiagnosticSeverity.Error);

    private static ParseResult Finish(INamedTypeSymbol type, List<WireModel> wires, List<Diagnostic> all, List<MissingFormat> missing,
        bool isContext, Compilation compilation, bool dependsOnAll)
    {
        // A problem in one format usually occurs in all.
        Diagnostic[] diagnostics = [.. all.GroupBy(d => (d.Id, d.Location)).Select(g => g.First()), .. MissingFormat.Report(missing)];
        var report = Report.Of(type, diagnostics.ToImmutableArray(), dependsOnAll);
        HiddenMembers hidden = isContext ? HiddenMembers.None : ShapeParser.FindHidden(type);
        // For a base class without a contract of its own the attribute alone may be needed.
        if (wires.Count == 0 && hidden == HiddenMembers.None)
            return new ParseResult(null, report);
        string space = type.ContainingNamespace.IsGlobalNamespace ? "" : type.ContainingNamespace.ToDisplayString();
        return new ParseResult(
            new ContractModel(
                HintName.Of(type) + (isContext ? ".Contracts.g.cs" : ".Contract.g.cs"),
                space,
                ContainersOf(type),
                HasLanguage(compilation, LanguageVersion.CSharp8),
                HasLanguage(compilation, LanguageVersion.CSharp11),
                isContext,
                hidden,
                !isContext && CanHaveAlias(type) ? type.Display() : "",
                wires.ToEquatable()),
            report);
    }

    /// <summary>
    /// Determines whether a directive at the beginning of a file can name a type: the directive is outside of the types around it, and not obsolete.
    /// </summary>
    private static bool CanHaveAlias(INamedTypeSymbol type)
    {
        for (INamedTypeSymbol? level = type; level is not null; level = level.ContainingType)
        {
            if (level.IsGenericType || level.HasAttribute("System.ObsoleteAttribute") || level.DeclaredAccessibility
                is not (Accessibility.Public or Accessibility.Internal or Accessibility.ProtectedOrInternal))
                return false;
        }

        return true;
    }

    /// <summary>Returns the declarations to open for a type, the outermost first.</summary>
    internal static EquatableArray<string> ContainersOf(INamedTypeSymbol type)
    {
        var containers = new Stack<string>();
        for (INamedTypeSymbol? container = type; container is not null; container = container.ContainingType)
            containers.Push(Header(container));
        return containers.ToEquatable();
    }

    private static bool HasLanguage(Compilation compilation, LanguageVersion version) =>
        compilation is CSharpCompilation c && c.LanguageVersion >= version;

    internal static string Header(INamedTypeSymbol type)
    {
        string kind = type switch
        {
            { IsRecord: true, IsValueType: true } => "record struct",
            { IsRecord: true } => "record",
            { IsValueType: true } => "struct",
            { TypeKind: TypeKind.Interface } => "interface",
            _ => "class",
        };
        string parameters = type.TypeParameters.Length == 0
            ? ""
            : "<" + string.Join(", ", type.TypeParameters.Select(p => Symbols.Identifier(p.Name))) + ">";
        return $"partial {kind} {Symbols.Identifier(type.Name)}{parameters}";
    }

    internal static INamedTypeSymbol? NotPartial(INamedTypeSymbol type, CancellationToken cancellationToken)
    {
        for (INamedTypeSymbol? container = type; container is not null; container = container.ContainingType)
        {
            bool isPartial = container.DeclaringSyntaxReferences.Any(
                r => r.GetSyntax(cancellationToken) is TypeDeclarationSyntax syntax && syntax.Modifiers.Any(SyntaxKind.PartialKeyword));
            if (!isPartial)
                return container;
        }

        return null;
    }

    /// <summary>Returns the part of a type that an attribute is on.</summary>
    internal static TypeDeclarationSyntax? PartWith(AttributeData attribute, CancellationToken cancellationToken) =>
        attribute.ApplicationSyntaxReference?.GetSyntax(cancellationToken).FirstAncestorOrSelf<TypeDeclarationSyntax>();

    /// <summary>
    /// Determines whether other assemblies can name a type: an internal one if this assembly shows its internals to any, a private one never.
    /// </summary>
    private static bool IsSeenOutside(INamedTypeSymbol type)
    {
        bool showsInternals = type.ContainingAssembly.HasAttribute("System.Runtime.CompilerServices.InternalsVisibleToAttribute");
        for (INamedTypeSymbol? container = type; container is not null; container = container.ContainingType)
        {
            if (container.DeclaredAccessibility == Accessibility.Private
                || container.DeclaredAccessibility is Accessibility.Internal or Accessibility.ProtectedAndInternal && !showsInternals)
                return false;
        }

        return true;
    }

    internal static bool IsGeneric(INamedTypeSymbol type)
    {
        for (INamedTypeSymbol? container = type; container is not null; container = container.ContainingType)
        {
            if (container.TypeParameters.Length > 0)
                return true;
        }

        return false;
    }
}

/// <summary>A contract that a context requests.</summary>
internal sealed record ContextEntry(ITypeSymbol Type, string Name, ContractFormats Formats, Location Location);
