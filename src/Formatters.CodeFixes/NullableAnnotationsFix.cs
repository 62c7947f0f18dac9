using System.Collections.Immutable;
using System.Composition;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using Formatters.Generator;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CodeFixes;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Microsoft.CodeAnalysis.Text;

namespace Formatters.CodeFixes;

/// <summary>FMT107: turns nullable annotations on for the file.</summary>
[ExportCodeFixProvider(LanguageNames.CSharp), Shared]
public sealed class NullableAnnotationsFix : ContractCodeFix
{
    public override ImmutableArray<string> FixableDiagnosticIds => ImmutableArray.Create(Descriptors.NotAnnotated.Id);

    private protected override string Title => "Turn nullable annotations on (#nullable enable)";

    private protected override async Task<Document?> FixAsync(Document document, ImmutableArray<Diagnostic> diagnostics,
        CancellationToken cancellationToken)
    {
        if (((CSharpParseOptions)document.Project.ParseOptions!).LanguageVersion < LanguageVersion.CSharp8)
            return null;
        SyntaxNode? root = await document.GetSyntaxRootAsync(cancellationToken).ConfigureAwait(false);
        SourceText text = await document.GetTextAsync(cancellationToken).ConfigureAwait(false);
        TextChange[] changes = [.. root!.DescendantTrivia().Where(t => t.IsKind(SyntaxKind.NullableDirectiveTrivia))
            .Select(t => ((NullableDirectiveTriviaSyntax)t.GetStructure()!).SettingToken).Where(t => t.IsKind(SyntaxKind.DisableKeyword))
            .Select(t => new TextChange(t.Span, "enable"))];
        if (changes.Length > 0)
            return document.WithText(text.WithChanges(changes));
        string newLine = text.Lines[0].EndIncludingLineBreak - text.Lines[0].End == 2 ? "\r\n" : "\n";
        return document.WithText(text.WithChanges(new TextChange(new TextSpan(0, 0), "#nullable enable" + newLine)));
    }
}
