using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CodeActions;
using Microsoft.CodeAnalysis.CodeFixes;

namespace Formatters.CodeFixes;

/// <summary>A fix that edits declarations: in the document of the diagnostic and, if another type must change, in that type's document.</summary>
public abstract class EditingCodeFix : CodeFixProvider
{
    private protected abstract string Title { get; }

    public sealed override FixAllProvider GetFixAllProvider() => new All(this);

    public sealed override async Task RegisterCodeFixesAsync(CodeFixContext context)
    {
        Solution solution = context.Document.Project.Solution;
        foreach (Diagnostic diagnostic in context.Diagnostics)
        {
            // Only fixable diagnostics are offered.
            if (await FixAsync(solution, [diagnostic], context.CancellationToken).ConfigureAwait(false) == solution)
                continue;
            context.RegisterCodeFix(CodeAction.Create(Title, cancellationToken => FixAsync(solution, [diagnostic], cancellationToken),
                GetType().Name),
                diagnostic);
        }
    }

    /// <returns>Whether there is a fix.</returns>
    private protected virtual bool Fix(Edit edit, SyntaxNode node, Diagnostic diagnostic) => false;

    /// <summary>Applies the fix, if another document must change; see <see cref="Fix"/>.</summary>
    private protected virtual Task<bool> FixAsync(Edit edit, SyntaxNode node, Diagnostic diagnostic) => Task.FromResult(Fix(edit, node, diagnostic));

    private async Task<Solution> FixAsync(Solution solution, IEnumerable<Diagnostic> diagnostics, CancellationToken cancellationToken)
    {
        var edits = new Edits(solution, cancellationToken);
        bool isChanged = false;
        // A member of several contracts is reported for each of them.
        foreach (Diagnostic diagnostic in diagnostics.Where(d => d.Location.IsInSource).GroupBy(d => (d.Location, WhatElse(d))).Select(g => g.First())
            .OrderBy(d => d.Location.SourceTree!.FilePath, StringComparer.Ordinal).ThenBy(d => d.Location.SourceSpan.Start))
        {
            if (await edits.OpenAsync(diagnostic.Location.SourceTree!).ConfigureAwait(false) is Edit edit)
                isChanged |= await FixAsync(edit, edit.Editor.OriginalRoot.FindNode(diagnostic.Location.SourceSpan), diagnostic)
                    .ConfigureAwait(false);
        }

        return isChanged ? edits.Apply() : solution;
    }

    /// <summary>Returns what a fix may know of a diagnostic besides its location: its properties, but not its message.</summary>
    private static string WhatElse(Diagnostic diagnostic) =>
        string.Join("|", diagnostic.Properties.OrderBy(p => p.Key, StringComparer.Ordinal).Select(p => $"{p.Key}={p.Value}"));

    private sealed class All(EditingCodeFix fix) : FixAllProvider
    {
        public override async Task<CodeAction?> GetFixAsync(FixAllContext fixAllContext)
        {
            var diagnostics = new List<Diagnostic>();
            if (fixAllContext is { Scope: FixAllScope.Document, Document: Document document })
                diagnostics.AddRange(await fixAllContext.GetDocumentDiagnosticsAsync(document).ConfigureAwait(false));
            foreach (Project project in fixAllContext.Scope switch
            {
                FixAllScope.Solution => fixAllContext.Solution.Projects,
                FixAllScope.Project => [fixAllContext.Project],
                _ => [],
            })
                diagnostics.AddRange(await fixAllContext.GetAllDiagnosticsAsync(project).ConfigureAwait(false));

            Solution solution = await fix.FixAsync(fixAllContext.Solution, diagnostics, fixAllContext.CancellationToken).ConfigureAwait(false);
            return CodeAction.Create(fix.Title, _ => Task.FromResult(solution), fix.GetType().Name);
        }
    }
}
