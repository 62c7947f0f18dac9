using System.Collections.Generic;
using System.Collections.Immutable;
using System.Linq;
using System.Text;
using System.Threading;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Formatters.Generator;

/// <summary>From an attribute to the model of a file.</summary>
internal static class ContractParser
{
    private const string GeneratedName = "GeneratedContract";

    internal static ParseResult ParseType(GeneratorAttributeSyntaxContext context, CancellationToken cancellation)
    {
        var type = (INamedTypeSymbol)context.TargetSymbol;
        if (!IsFirstPart(context, type, Symbols.ContractAttribute, cancellation))
            return new ParseResult(null, ImmutableArray<Diagnostic>.Empty);
        // What a Box<T> holds is known where it is closed: the contracts that hold it have its code.
        if (IsGeneric(type))
            return new ParseResult(null, ImmutableArray<Diagnostic>.Empty);
        Location location = ((TypeDeclarationSyntax)context.TargetNode).Identifier.GetLocation();
        if (NotPartial(type, cancellation) is INamedTypeSymbol notPartial)
        {
            string which = SymbolEqualityComparer.Default.Equals(notPartial, type) ? "it" : $"'{notPartial.Name}' around it";
            return Failed(Diagnostic.Create(Descriptors.NotPartial, location, type.ShortName(), which));
        }

        foreach (string name in new[] { "MessageContract", GeneratedName })
        {
            if (type.GetMembers(name).Length > 0)
                return Failed(Diagnostic.Create(Descriptors.MemberTaken, type.GetMembers(name)[0].Locations[0], type.ShortName(), name));
        }

        var parser = new ShapeParser(context.SemanticModel.Compilation, type, location, cancellation);
        ValueModel? root = parser.ParseRoot(type);
        return Finish(type, parser, root is null ? null : [new PublishedContract("MessageContract", root, IsPublic: true)], isContext: false, context.SemanticModel.Compilation);
    }

    internal static ParseResult ParseContext(GeneratorAttributeSyntaxContext context, CancellationToken cancellation)
    {
        var type = (INamedTypeSymbol)context.TargetSymbol;
        if (!IsFirstPart(context, type, Symbols.ContractForAttribute, cancellation))
            return new ParseResult(null, ImmutableArray<Diagnostic>.Empty);
        Location location = ((TypeDeclarationSyntax)context.TargetNode).Identifier.GetLocation();
        INamedTypeSymbol? notPartial = NotPartial(type, cancellation);
        bool isContract = type.HasAttribute(Symbols.ContractAttribute);
        if (notPartial is not null || IsGeneric(type) || isContract)
        {
            string why = isContract ? "it has [MessageContract] itself" : notPartial is null ? "it is generic" : $"'{notPartial.Name}' is not partial";
            return Failed(Diagnostic.Create(Descriptors.BadContext, location, type.ShortName(), why));
        }

        var parser = new ShapeParser(context.SemanticModel.Compilation, type, location, cancellation);
        var contracts = new List<PublishedContract>();
        bool isComplete = true;
        foreach (AttributeData attribute in type.GetAttributes().Where(a => a.AttributeClass?.FullName() == Symbols.ContractForAttribute))
        {
            if (attribute.ConstructorArguments.FirstOrDefault().Value is not ITypeSymbol target)
                continue;
            Location at = attribute.ApplicationSyntaxReference?.GetSyntax(cancellation).GetLocation() ?? location;
            parser.Location = at;
            string? name = attribute.NamedArguments.FirstOrDefault(a => a.Key == "Name").Value.Value as string;
            if (name is null)
            {
                var text = new StringBuilder();
                ShapeParser.Append(text, target);
                name = text.ToString();
            }

            if (contracts.Any(c => c.PropertyName == name) || name == GeneratedName || type.GetMembers(name).Length > 0 || type.GetMembers(GeneratedName).Length > 0 || !SyntaxFacts.IsValidIdentifier(name))
            {
                parser.Diagnostics.Add(Diagnostic.Create(Descriptors.NameTaken, at, type.ShortName(), name));
                isComplete = false;
                continue;
            }

            if (parser.ParseRoot(target) is ValueModel value)
                contracts.Add(new PublishedContract(name, value, Symbols.IsPublic(target)));
            else
                isComplete = false;
        }

        return Finish(type, parser, isComplete ? contracts : null, isContext: true, context.SemanticModel.Compilation);
    }

    private static ParseResult Failed(Diagnostic diagnostic) => new(null, ImmutableArray.Create(diagnostic));

    private static ParseResult Finish(INamedTypeSymbol type, ShapeParser parser, List<PublishedContract>? contracts, bool isContext, Compilation compilation)
    {
        ImmutableArray<Diagnostic> diagnostics = parser.Diagnostics.ToImmutableArray();
        if (contracts is null || diagnostics.Any(d => d.Severity == DiagnosticSeverity.Error))
            return new ParseResult(null, diagnostics);
        var containers = new Stack<string>();
        for (INamedTypeSymbol? container = type; container is not null; container = container.ContainingType)
            containers.Push(Header(container));
        string space = type.ContainingNamespace.IsGlobalNamespace ? "" : type.ContainingNamespace.ToDisplayString();
        return new ParseResult(
            new ContractModel(HintName.Of(type) + (isContext ? ".Contracts.g.cs" : ".Contract.g.cs"), space, containers.ToEquatable(), ShapeParser.HasStaticAbstracts(compilation), isContext, contracts.ToEquatable(), parser.Shapes, isContext ? default : ShapeParser.FindAccessors(type)),
            diagnostics);
    }

    private static string Header(INamedTypeSymbol type)
    {
        string kind = type switch
        {
            { IsRecord: true, IsValueType: true } => "record struct",
            { IsRecord: true } => "record",
            { IsValueType: true } => "struct",
            { TypeKind: TypeKind.Interface } => "interface",
            _ => "class",
        };
        string parameters = type.TypeParameters.Length == 0 ? "" : "<" + string.Join(", ", type.TypeParameters.Select(p => p.Name)) + ">";
        return $"partial {kind} {Symbols.Identifier(type.Name)}{parameters}";
    }

    private static INamedTypeSymbol? NotPartial(INamedTypeSymbol type, CancellationToken cancellation)
    {
        for (INamedTypeSymbol? container = type; container is not null; container = container.ContainingType)
        {
            bool isPartial = container.DeclaringSyntaxReferences.Any(
                r => r.GetSyntax(cancellation) is TypeDeclarationSyntax syntax && syntax.Modifiers.Any(SyntaxKind.PartialKeyword));
            if (!isPartial)
                return container;
        }

        return null;
    }

    /// <summary>Whether a part of the type is the first with the attribute: its file is made for that one, with the attributes of all parts.</summary>
    private static bool IsFirstPart(GeneratorAttributeSyntaxContext context, INamedTypeSymbol type, string attribute, CancellationToken cancellation) =>
        type.GetAttributes().First(a => a.AttributeClass?.FullName() == attribute).ApplicationSyntaxReference?.GetSyntax(cancellation)
            .FirstAncestorOrSelf<TypeDeclarationSyntax>() == context.TargetNode;

    private static bool IsGeneric(INamedTypeSymbol type)
    {
        for (INamedTypeSymbol? container = type; container is not null; container = container.ContainingType)
        {
            if (container.TypeParameters.Length > 0)
                return true;
        }

        return false;
    }
}
