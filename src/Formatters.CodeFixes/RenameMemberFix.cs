using System.Collections.Immutable;
using System.Composition;
using System.Threading.Tasks;
using Formatters.Generator;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CodeActions;
using Microsoft.CodeAnalysis.CodeFixes;
using Microsoft.CodeAnalysis.Rename;

namespace Formatters.CodeFixes;

/// <summary>FMT005: renames a member that has the name of a generated one, and all its uses.</summary>
[ExportCodeFixProvider(LanguageNames.CSharp), Shared]
public sealed class RenameMemberFix : CodeFixProvider
{
    public override ImmutableArray<string> FixableDiagnosticIds => ImmutableArray.Create(Descriptors.MemberTaken.Id);

    public override FixAllProvider GetFixAllProvider() => WellKnownFixAllProviders.BatchFixer;

    public override async Task RegisterCodeFixesAsync(CodeFixContext context)
    {
        SyntaxNode? root = await context.Document.GetSyntaxRootAsync(context.CancellationToken).ConfigureAwait(false);
        SemanticModel? model = await context.Document.GetSemanticModelAsync(context.CancellationToken).ConfigureAwait(false);
        foreach (Diagnostic diagnostic in context.Diagnostics)
        {
            if (model!.GetDeclaredSymbol(root!.FindNode(diagnostic.Location.SourceSpan),
                context.CancellationToken) is not { ContainingType: not null } member)
                continue;
            string name = "Own" + member.Name;
            for (int i = 2; !member.ContainingType.GetMembers(name).IsEmpty; i++)
                name = "Own" + member.Name + i.ToString(System.Globalization.CultureInfo.InvariantCulture);
            Solution solution = context.Document.Project.Solution;
            context.RegisterCodeFix(
                CodeAction.Create(
                    $"Rename it to '{name}'",
                    cancellationToken => Renamer.RenameSymbolAsync(solution, member, default(SymbolRenameOptions), name, cancellationToken),
                    nameof(RenameMemberFix)),
                diagnostic);
        }
    }
}
