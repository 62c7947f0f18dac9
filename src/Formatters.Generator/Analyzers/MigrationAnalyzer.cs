using System.Collections.Immutable;
using System.Linq;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Diagnostics;

namespace Formatters.Generator;

/// <summary>FMT302 to FMT305: reports a type with numbered members of another serializer, which could have a contract of ours.</summary>
[DiagnosticAnalyzer(LanguageNames.CSharp)]
public sealed class MigrationAnalyzer : DiagnosticAnalyzer
{
    public override ImmutableArray<DiagnosticDescriptor> SupportedDiagnostics { get; } = ForeignContract.All.Select(f => f.Descriptor)
        .ToImmutableArray();

    public override void Initialize(AnalysisContext context)
    {
        context.EnableConcurrentExecution();
        context.ConfigureGeneratedCodeAnalysis(GeneratedCodeAnalysisFlags.None);
        context.RegisterCompilationStartAction(start =>
        {
            if (start.Compilation.GetTypeByMetadataName(Symbols.ContractAttribute) is null
                || ForeignContract.All.All(f => start.Compilation.GetTypesByMetadataName(f.TypeAttribute).IsEmpty))
                return;
            start.RegisterSymbolAction(
                c =>
                {
                    var type = (INamedTypeSymbol)c.Symbol;
                    if (ForeignContract.Find(type) is ForeignContract contract)
                        c.ReportDiagnostic(Diagnostic.Create(contract.Descriptor, type.Locations[0], type.ShortName()));
                },
                SymbolKind.NamedType);
        });
    }
}
