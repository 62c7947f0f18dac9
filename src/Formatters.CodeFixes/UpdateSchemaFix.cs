using System.Collections.Immutable;
using System.Composition;
using System.Linq;
using System.Threading.Tasks;
using Formatters.Generator;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CodeActions;
using Microsoft.CodeAnalysis.CodeFixes;
using Microsoft.CodeAnalysis.Text;

namespace Formatters.CodeFixes;

/// <summary>FMT201, FMT202: updates the schema snapshot with all changes of the project.</summary>
[ExportCodeFixProvider(LanguageNames.CSharp), Shared]
public sealed class UpdateSchemaFix : CodeFixProvider
{
    private const string Title = "Accept all changes of contracts in formatters.schema.json";

    public override ImmutableArray<string> FixableDiagnosticIds => ImmutableArray.Create(Descriptors.SchemaBroken.Id, Descriptors.SchemaOutdated.Id);

    // Every diagnostic of a project contains the whole text.
    public override FixAllProvider GetFixAllProvider() => new AllProjects();

    public override Task RegisterCodeFixesAsync(CodeFixContext context)
    {
        foreach (Diagnostic diagnostic in context.Diagnostics)
        {
            Solution changed = Update(context.Document.Project.Solution, context.Document.Project.Id, diagnostic);
            if (changed != context.Document.Project.Solution)
                context.RegisterCodeFix(CodeAction.Create(Title, _ => Task.FromResult(changed), nameof(UpdateSchemaFix)), diagnostic);
        }

        return Task.CompletedTask;
    }

    private static Solution Update(Solution solution, ProjectId project, Diagnostic? diagnostic)
    {
        TextDocument? file = solution.GetProject(project)?.AdditionalDocuments.FirstOrDefault(d => d.Name == SchemaOutput.FileName);
        return file is not null && diagnostic is not null && diagnostic.Properties.TryGetValue(SchemaOutput.TextProperty, out string? text)
            && text is not null
            ? solution.WithAdditionalDocumentText(file.Id, SourceText.From(text))
            : solution;
    }

    private sealed class AllProjects : FixAllProvider
    {
        public override async Task<CodeAction?> GetFixAsync(FixAllContext fixAllContext)
        {
            Solution solution = fixAllContext.Solution;
            foreach (Project project in fixAllContext.Scope == FixAllScope.Solution ? fixAllContext.Solution.Projects : [fixAllContext.Project])
            {
                ImmutableArray<Diagnostic> diagnostics = await fixAllContext.GetAllDiagnosticsAsync(project).ConfigureAwait(false);
                solution = Update(solution, project.Id, diagnostics.FirstOrDefault());
            }

            return CodeAction.Create(Title, _ => Task.FromResult(solution), nameof(UpdateSchemaFix));
        }
    }
}
