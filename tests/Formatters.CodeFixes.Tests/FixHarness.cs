using System;
using System.Collections.Generic;
using System.Collections.Immutable;
using System.IO;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using Formatters.Generator;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CodeActions;
using Microsoft.CodeAnalysis.CodeFixes;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.Diagnostics;
using Xunit;

namespace Formatters.CodeFixes.Tests;

/// <summary>A project in a workspace, the real diagnostics of generator and analyzers in it, and the fixes applied as an IDE does.</summary>
internal sealed class FixHarness : IDisposable
{
    private static readonly CSharpParseOptions ParseOptions = new(LanguageVersion.CSharp12);

    private static readonly MetadataReference[] References =
    [
        .. ((string)AppContext.GetData("TRUSTED_PLATFORM_ASSEMBLIES")!).Split(Path.PathSeparator)
            .Where(p => Path.GetFileName(p).StartsWith("System.", StringComparison.Ordinal) || Path.GetFileName(p) is "netstandard.dll" or "mscorlib.dll")
            .Select(p => MetadataReference.CreateFromFile(p)),
        MetadataReference.CreateFromFile(typeof(MessageContractAttribute).Assembly.Location),
    ];

    private readonly AdhocWorkspace _workspace = new();

    internal FixHarness(params string[] sources)
    {
        var id = ProjectId.CreateNewId();
        Solution solution = _workspace.CurrentSolution.AddProject(ProjectInfo.Create(
            id, VersionStamp.Default, "Test", "Test", LanguageNames.CSharp, filePath: "/src/Test.csproj",
            compilationOptions: new CSharpCompilationOptions(OutputKind.DynamicallyLinkedLibrary, nullableContextOptions: NullableContextOptions.Enable),
            parseOptions: ParseOptions, metadataReferences: References));
        for (int i = 0; i < sources.Length; i++)
            solution = solution.AddDocument(DocumentId.CreateNewId(id), $"File{i}.cs", sources[i], filePath: $"/src/File{i}.cs");
        Project = solution.GetProject(id)!;
    }

    internal Project Project { get; private set; }

    internal string Text(int file) => Project.Documents.Single(d => d.Name == $"File{file}.cs").GetTextAsync().Result.ToString();

    internal void AddAdditionalFile(string name, string text) =>
        Project = Project.AddAdditionalDocument(name, text, filePath: "/src/" + name).Project;

    internal static IEnumerable<CodeFixProvider> Providers => typeof(ContractCodeFix).Assembly.GetTypes()
        .Where(t => t.IsDefined(typeof(ExportCodeFixProviderAttribute), false)).Select(t => (CodeFixProvider)Activator.CreateInstance(t)!);

    /// <summary>What the generator and the analyzers report, in the order of the source.</summary>
    internal async Task<ImmutableArray<Diagnostic>> DiagnosticsAsync()
    {
        Compilation compilation = (await Project.GetCompilationAsync())!;
        AdditionalText[] additionalFiles = [.. Project.AdditionalDocuments.Select(d => new MemoryText(d.FilePath!, d.GetTextAsync().Result))];
        CSharpGeneratorDriver.Create([new ContractGenerator().AsSourceGenerator(), new LegacyContractGenerator().AsSourceGenerator()], additionalFiles, ParseOptions)
            .RunGeneratorsAndUpdateCompilation(compilation, out Compilation output, out ImmutableArray<Diagnostic> generated);
        ImmutableArray<DiagnosticAnalyzer> analyzers = [.. typeof(ContractGenerator).Assembly.GetTypes()
            .Where(t => t.IsDefined(typeof(DiagnosticAnalyzerAttribute), false)).Select(t => (DiagnosticAnalyzer)Activator.CreateInstance(t)!)];
        ImmutableArray<Diagnostic> analyzed = await output.WithAnalyzers(analyzers, new AnalyzerOptions([.. additionalFiles])).GetAnalyzerDiagnosticsAsync();
        IEnumerable<Diagnostic> errors = output.GetDiagnostics().Where(d => d.Severity == DiagnosticSeverity.Error);
        return [.. generated.Concat(analyzed).Concat(errors).OrderBy(d => d.Location.SourceTree?.FilePath, StringComparer.Ordinal).ThenBy(d => d.Location.SourceSpan.Start)];
    }

    /// <summary>The fixes on offer for a diagnostic.</summary>
    internal async Task<List<(CodeFixProvider Provider, CodeAction Action)>> OffersAsync(Diagnostic diagnostic)
    {
        var actions = new List<(CodeFixProvider, CodeAction)>();
        foreach (CodeFixProvider provider in Providers.Where(p => p.FixableDiagnosticIds.Contains(diagnostic.Id)))
        {
            Document document = Project.GetDocument(diagnostic.Location.SourceTree)!;
            await provider.RegisterCodeFixesAsync(new CodeFixContext(document, diagnostic, (a, _) => actions.Add((provider, a)), CancellationToken.None));
        }

        return actions;
    }

    internal async Task ApplyAsync(CodeAction action)
    {
        ImmutableArray<CodeActionOperation> operations = await action.GetOperationsAsync(CancellationToken.None);
        Project = Assert.Single(operations.OfType<ApplyChangesOperation>()).ChangedSolution.GetProject(Project.Id)!;
    }

    /// <summary>Fixes the first diagnostic of an id.</summary>
    internal async Task FixFirstAsync(string id)
    {
        Diagnostic diagnostic = (await DiagnosticsAsync()).First(d => d.Id == id);
        await ApplyAsync(Assert.Single(await OffersAsync(diagnostic)).Action);
    }

    /// <summary>Fixes all diagnostics of an id in the project at once.</summary>
    /// <param name="id">The id.</param>
    /// <param name="isReportedTwice">Whether every diagnostic is reported again, with another message, as for a second contract.</param>
    /// <param name="by">Which fix, where there are several.</param>
    internal async Task FixAllAsync(string id, bool isReportedTwice = false, Type? by = null)
    {
        ImmutableArray<Diagnostic> diagnostics = [.. (await DiagnosticsAsync()).Where(d => d.Id == id)];
        if (isReportedTwice)
            diagnostics = diagnostics.AddRange(diagnostics.Select(d => Diagnostic.Create(d.Descriptor, d.Location, d.Properties, "Other.Path", "", "")));
        (CodeFixProvider provider, CodeAction first) = Assert.Single(await OffersAsync(diagnostics[0]), o => by is null || o.Provider.GetType() == by);
        var context = new FixAllContext(Project, provider, FixAllScope.Project, first.EquivalenceKey!, [id], new Known(diagnostics), CancellationToken.None);
        await ApplyAsync((await provider.GetFixAllProvider()!.GetFixAsync(context))!);
    }

    public void Dispose() => _workspace.Dispose();

    private sealed class Known(ImmutableArray<Diagnostic> diagnostics) : FixAllContext.DiagnosticProvider
    {
        public override Task<IEnumerable<Diagnostic>> GetAllDiagnosticsAsync(Project project, CancellationToken cancellationToken) =>
            Task.FromResult<IEnumerable<Diagnostic>>(diagnostics);

        public override async Task<IEnumerable<Diagnostic>> GetDocumentDiagnosticsAsync(Document document, CancellationToken cancellationToken)
        {
            SyntaxTree? tree = await document.GetSyntaxTreeAsync(cancellationToken);
            return diagnostics.Where(d => d.Location.SourceTree == tree);
        }

        public override Task<IEnumerable<Diagnostic>> GetProjectDiagnosticsAsync(Project project, CancellationToken cancellationToken) =>
            Task.FromResult<IEnumerable<Diagnostic>>([]);
    }

    private sealed class MemoryText(string path, Microsoft.CodeAnalysis.Text.SourceText text) : AdditionalText
    {
        public override string Path => path;

        public override Microsoft.CodeAnalysis.Text.SourceText GetText(CancellationToken cancellationToken = default) => text;
    }
}
