using System.Text;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Text;

namespace Formatters.Generator;

/// <summary>Generates the contracts of legacy binary bodies of types and contexts with <c>[LegacyBinaryContract]</c>, a file for each.</summary>
[Generator(LanguageNames.CSharp)]
public sealed class LegacyContractGenerator : IIncrementalGenerator
{
    /// <summary>The name of the step that outputs the models, for tests.</summary>
    internal const string ModelStep = "LegacyModels";

    private readonly ParseCache<LegacyParseResult> _results = new(LegacyParser.Attribute, LegacyParser.Parse);

    /// <inheritdoc/>
    public void Initialize(IncrementalGeneratorInitializationContext context)
    {
        IncrementalValuesProvider<LegacyParseResult> results = context.CompilationProvider.SelectMany(_results.Parse);
        IncrementalValuesProvider<LegacyModel> models =
            results.Select(static (r, _) => r.Model).Where(static m => m is not null).Select(static (m, _) => m!).WithTrackingName(ModelStep);
        context.RegisterSourceOutput(models, static (c, model) =>
            c.AddSource(model.HintName, SourceText.From(LegacyEmitter.Emit(model), Encoding.UTF8)));
        Report.Register(context, results.Select(static (r, _) => r.Report).Collect());
    }
}

/// <summary>The result of parsing one attribute.</summary>
/// <param name="Model">The model; null if nothing is generated.</param>
/// <param name="Report">The diagnostics to report.</param>
internal sealed record LegacyParseResult(LegacyModel? Model, Report Report) : IParsed
{
    /// <inheritdoc/>
    public string? HintName => Model?.HintName;

    /// <inheritdoc/>
    public IParsed WithHintName(string name) => this with { Model = Model! with { HintName = name } };
}
