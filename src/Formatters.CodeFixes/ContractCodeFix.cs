using System.Collections.Immutable;
using System.Threading;
using System.Threading.Tasks;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CodeActions;
using Microsoft.CodeAnalysis.CodeFixes;

namespace Formatters.CodeFixes;

/// <summary>A fix that changes one document, for one diagnostic or for all of the document, project or solution.</summary>
public abstract class ContractCodeFix : CodeFixProvider
{
    private protected abstract string Title { get; }

    public sealed override FixAllProvider GetFixAllProvider() =>
        FixAllProvider.Create((context, document, diagnostics) => FixAsync(document, diagnostics, context.CancellationToken));

    public sealed override async Task RegisterCodeFixesAsync(CodeFixContext context)
    {
        foreach (Diagnostic diagnostic in context.Diagnostics)
        {
            // Only fixable diagnostics are offered.
            if (await FixAsync(context.Document, ImmutableArray.Create(diagnostic), context.CancellationToken).ConfigureAwait(false) is null)
                continue;
            context.RegisterCodeFix(
                CodeAction.Create(
                    Title,
                    async cancellationToken => await FixAsync(context.Document, ImmutableArray.Create(diagnostic),
                        cancellationToken).ConfigureAwait(false)
                        ?? context.Document,
                    GetType().Name),
                diagnostic);
        }
    }

    /// <returns>The document with the diagnostics fixed; null if there is nothing to do for any of them.</returns>
    private protected abstract Task<Document?> FixAsync(Document document, ImmutableArray<Diagnostic> diagnostics,
        CancellationToken cancellationToken);
}
