using System;
using System.Collections.Generic;
using System.Collections.Immutable;
using System.Linq;
using System.Threading;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;

namespace Formatters.Generator;

/// <summary>Finds the classes with <c>[MessageContractMap]</c> and the contracts that they list.</summary>
internal sealed class MapParser
{
    private readonly ParseCache<MapModel> _maps = new(Symbols.MapAttribute, ParseMap);
    private readonly ParseCache<NamedType> _types = new(Symbols.ContractAttribute, ParseType);

    /// <summary>Returns the maps of a compilation, and its contracts if there are any maps.</summary>
    internal (EquatableArray<MapModel> Maps, EquatableArray<MapEntry> Entries) Parse(Compilation compilation,
        CancellationToken cancellationToken)
    {
        ImmutableArray<MapModel> maps = _maps.Parse(compilation, cancellationToken);
        return maps.IsEmpty ? default : (maps.ToEquatable(), FindEntries(compilation, cancellationToken));
    }

    private static MapModel ParseMap(ParseTarget target, CancellationToken cancellationToken)
    {
        INamedTypeSymbol type = target.Type;
        INamedTypeSymbol? notPartial = ContractParser.NotPartial(type, cancellationToken);
        string? obstacle = notPartial is not null ? $"'{notPartial.Name}' is not partial"
            : ContractParser.IsGeneric(type) ? "it is generic"
            : Symbols.IsFileLocal(type) ? "it is local to its file"
            : null;
        return new MapModel(
            HintName.Of(type) + ".Map.g.cs",
            type.ContainingNamespace.IsGlobalNamespace ? "" : type.ContainingNamespace.ToDisplayString(),
            ContractParser.ContainersOf(type),
            type.ShortName(),
            obstacle,
            Report.Of(type, ImmutableArray.Create(
                Report.Diagnose(Descriptors.BadMap, target.Node.Identifier.GetLocation(), type.ShortName(), obstacle ?? ""))));
    }

    /// <summary>Returns the contracts of a compilation, in ordinal order of their names.</summary>
    private EquatableArray<MapEntry> FindEntries(Compilation compilation, CancellationToken cancellationToken) =>
        _types.Parse(compilation, cancellationToken).Select(static t => t.Entry).Where(static e => e is not null).Select(static e => e!)
            .OrderBy(static e => e.Name, StringComparer.Ordinal).ThenBy(static e => e.Type, StringComparer.Ordinal).ToEquatable();

    private static NamedType ParseType(ParseTarget target, CancellationToken cancellationToken)
    {
        INamedTypeSymbol type = target.Type;
        bool isListed = !ContractParser.IsGeneric(type) && IsSeen(type) && ContractParser.OwnFormats(type) != 0
            && ContractParser.FindObstacle(type, Location.None, target.Compilation, cancellationToken) is null;
        return new NamedType(
            isListed ? new MapEntry(target.Attribute.NamedArgument("Name") as string ?? type.Name, type.Display()) : null,
            Report.Of(type, ImmutableArray<Diagnostic>.Empty));
    }

    /// <summary>Determines whether any class of the assembly can name a type.</summary>
    private static bool IsSeen(INamedTypeSymbol type)
    {
        for (INamedTypeSymbol? container = type; container is not null; container = container.ContainingType)
        {
            if (container.DeclaredAccessibility is Accessibility.Private or Accessibility.Protected or Accessibility.ProtectedAndInternal
                || Symbols.IsFileLocal(container))
                return false;
        }

        return true;
    }

    private sealed record NamedType(MapEntry? Entry, Report Report) : IParsed
    {
        public string? HintName => null;

        public IParsed WithHintName(string name) => this;
    }
}

/// <summary>A class with <c>[MessageContractMap]</c>.</summary>
/// <param name="HintName">The name of the file.</param>
/// <param name="Namespace">The namespace; empty for none.</param>
/// <param name="Containers">The declarations to open, the outermost first.</param>
/// <param name="ShortName">The name of the class in messages.</param>
/// <param name="Obstacle">Why nothing can be generated into it; null if something can.</param>
/// <param name="Report">Has the location of its name, for problems of the map.</param>
internal sealed record MapModel(
    string HintName, string Namespace, EquatableArray<string> Containers, string ShortName, string? Obstacle, Report Report) : IParsed
{
    public IParsed WithHintName(string name) => this with { HintName = name };

    /// <summary>Reports the problems of the map, or prints its source.</summary>
    internal void Output(SourceProductionContext context, EquatableArray<MapEntry> entries)
    {
        if (Obstacle is not null)
        {
            Refuse(Obstacle);
            return;
        }

        foreach (IGrouping<string, MapEntry> same in entries.GroupBy(static e => e.Name))
        {
            string[] types = [.. same.Select(static e => $"'{e.Type.Replace("global::", "")}'")];
            if (string.IsNullOrWhiteSpace(same.Key))
                Refuse($"the contract name of {types[0]} is empty");
            else if (types.Length > 1)
                Refuse($"{types[0]} and {types[1]} have the same contract name, '{same.Key}'; set Name in [MessageContract]");
        }

        context.AddSource(HintName, Emit(entries));

        void Refuse(string why) => context.ReportDiagnostic(
            Report.Diagnose(Descriptors.BadMap, Report.Diagnostics[0].Location, ShortName, why));
    }

    private string Emit(EquatableArray<MapEntry> entries)
    {
        var output = new SourceWriter();
        output.Line("// <auto-generated/>");
        output.Line("#pragma warning disable");
        output.Line();
        if (Namespace.Length > 0)
            output.Open("namespace " + Namespace);
        foreach (string container in Containers)
            output.Open(container);
        output.Line("/// <summary>Gets the contracts of this assembly, in ordinal order of their names.</summary>");
        output.Line("public static global::System.Collections.Generic.IReadOnlyList<global::Formatters.Contracts.NamedContract> All { get; } =");
        output.Line("global::System.Array.AsReadOnly(new global::Formatters.Contracts.NamedContract[]");
        output.Open();
        foreach (MapEntry entry in entries)
        {
            string name = SymbolDisplay.FormatLiteral(entry.Name, quote: true);
            output.Line($"new global::Formatters.Contracts.NamedContract<{entry.Type}>({name}, {entry.Type}.{WireFormats.PropertyName}),");
        }

        output.Close();
        output.Line(");");
        foreach (string _ in Containers)
            output.Close();
        if (Namespace.Length > 0)
            output.Close();
        return output.ToString();
    }
}

/// <summary>A contract of a map.</summary>
/// <param name="Name">Its name.</param>
/// <param name="Type">Its type in generated code.</param>
internal sealed record MapEntry(string Name, string Type);
