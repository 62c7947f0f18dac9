using System.Collections.Generic;
using System.Collections.Immutable;
using System.Linq;
using System.Runtime.CompilerServices;
using System.Text;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Text;

namespace Formatters.Generator;

/// <summary>
/// Generates the contracts of types with <c>[MessageContract]</c> and of contexts with <c>[MessageContractFor]</c>, a file for each, and the lists
/// of classes with <c>[MessageContractMap]</c>.
/// </summary>
/// <remarks>
/// Two outputs: source, from the models alone, which are compared by value, so that an edit elsewhere generates nothing; and diagnostics with their
/// locations in the source, which are created again with every edit.
/// </remarks>
[Generator(LanguageNames.CSharp)]
public sealed class ContractGenerator : IIncrementalGenerator
{
    /// <summary>The name of the step that outputs the models, for tests.</summary>
    internal const string ModelStep = "Models";

    /// <summary>The name of the step that outputs the reports, for tests.</summary>
    internal const string ReportStep = "Reports";

    /// <summary>The name of the step that outputs the contracts of maps, for tests.</summary>
    internal const string MapStep = "Maps";

    private readonly ParseCache<ParseResult> _types = new(Symbols.ContractAttribute, ContractParser.ParseType);
    private readonly ParseCache<ParseResult> _contexts = new(Symbols.ContractForAttribute, ContractParser.ParseContext);
    private readonly MapParser _maps = new();

    /// <summary>The generated files. The compiler asks again for a model that has only moved to another position.</summary>
    private static readonly ConditionalWeakTable<ContractModel, SourceText> Texts = new();

    /// <inheritdoc/>
    public void Initialize(IncrementalGeneratorInitializationContext context)
    {
        (IncrementalValuesProvider<ContractModel> types, IncrementalValueProvider<ImmutableArray<Report>> ofTypes) = Register(context, _types);
        (IncrementalValuesProvider<ContractModel> contexts, IncrementalValueProvider<ImmutableArray<Report>> ofContexts) =
            Register(context, _contexts);
        IncrementalValueProvider<ImmutableArray<Report>> reports = ofTypes.Combine(ofContexts).Select(static (r, _) => r.Left.AddRange(r.Right))
            .WithTrackingName(ReportStep);
        Report.Register(context, reports);
        IncrementalValueProvider<bool> areGood = reports.Select(
            static (all, _) => all.All(r => r.Diagnostics.All(d => d.Severity != DiagnosticSeverity.Error)));
        RegisterMaps(context);
        SchemaOutput.Register(context, Records(types).Combine(Records(contexts)).Select(static (r, _) => r.Left.AddRange(r.Right)), areGood);
    }

    private void RegisterMaps(IncrementalGeneratorInitializationContext context)
    {
        context.RegisterSourceOutput(context.CompilationProvider.Select(_maps.Parse).WithTrackingName(MapStep), static (c, found) =>
        {
            foreach (MapModel map in found.Maps)
                map.Output(c, found.Entries);
        });
    }

    private static IncrementalValueProvider<ImmutableArray<EquatableArray<SchemaRecord>>> Records(IncrementalValuesProvider<ContractModel> models) =>
        models.Select(static (m, _) => SchemaBuilder.Records(m)).Collect();

    private static (IncrementalValuesProvider<ContractModel> Models, IncrementalValueProvider<ImmutableArray<Report>> Reports) Register(
        IncrementalGeneratorInitializationContext context,
        ParseCache<ParseResult> cache)
    {
        IncrementalValuesProvider<ParseResult> results = context.CompilationProvider.SelectMany(cache.Parse);
        IncrementalValuesProvider<ContractModel> models =
            results.Select(static (r, _) => r.Model).Where(static m => m is not null).Select(static (m, _) => m!).WithTrackingName(ModelStep);
        context.RegisterSourceOutput(models, static (c, model) =>
            c.AddSource(model.HintName, Texts.GetValue(model, static m => SourceText.From(ContractFile.Emit(m), Encoding.UTF8))));
        return (models, results.Select(static (r, _) => r.Report).Collect());
    }
}

/// <summary>The result of parsing one attribute.</summary>
/// <param name="Model">The model; null if nothing is generated.</param>
/// <param name="Report">The diagnostics to report.</param>
internal sealed record ParseResult(ContractModel? Model, Report Report) : IParsed
{
    /// <inheritdoc/>
    public string? HintName => Model?.HintName;

    /// <inheritdoc/>
    public IParsed WithHintName(string name) => this with { Model = Model! with { HintName = name } };
}
