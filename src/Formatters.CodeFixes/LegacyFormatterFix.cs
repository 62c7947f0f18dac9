using System.Collections.Generic;
using System.Collections.Immutable;
using System.Composition;
using System.Linq;
using Formatters.Generator;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CodeFixes;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Microsoft.CodeAnalysis.Editing;
using Microsoft.CodeAnalysis.Operations;
using Microsoft.CodeAnalysis.Simplification;

namespace Formatters.CodeFixes;

/// <summary>
/// FMT301: replaces a <c>BinaryFormatter</c> without settings that writes an object by a <c>LegacyBinaryFormatter</c>: the same bytes, so that no
/// reader must change.
/// </summary>
[ExportCodeFixProvider(LanguageNames.CSharp), Shared]
public sealed class LegacyFormatterFix : EditingCodeFix
{
    public override ImmutableArray<string> FixableDiagnosticIds => ImmutableArray.Create(Descriptors.LegacyFormatter.Id);

    private protected override string Title => "Write the same bytes by LegacyBinaryFormatter<T>";

    private protected override bool Fix(Edit edit, SyntaxNode node, Diagnostic diagnostic)
    {
        // A formatter in a variable may have a binder, surrogates or a style. In a message it must be a formatter of System.Messaging:
        // Formatters.Msmq has one.
        if (node.FirstAncestorOrSelf<InvocationExpressionSyntax>(n => n.Span == diagnostic.Location.SourceSpan) is not InvocationExpressionSyntax call
            || edit.Model.GetOperation(call, edit.Cancellation) is not IInvocationOperation { TargetMethod: { Name: "Serialize",
                Parameters.Length: 2 }, Instance: IObjectCreationOperation { Initializer: null, Arguments.IsEmpty: true } } operation
            || operation.Arguments.Any(a => a.IsImplicit || a.Syntax is ArgumentSyntax { NameColon: not null })
            || PayloadOf(operation) is not INamedTypeSymbol payload
            || edit.Model.Compilation.GetTypeByMetadataName("Formatters.LegacyBinaryFormatter`1") is not INamedTypeSymbol formatter
            || call.FirstAncestorOrSelf<TypeDeclarationSyntax>(t => t is not InterfaceDeclarationSyntax) is not TypeDeclarationSyntax declaration
            || edit.Model.GetDeclaredSymbol(declaration, edit.Cancellation) is not INamedTypeSymbol type
            // A member of a type visible to other files cannot have a type that is not.
            || Symbols.IsFileLocal(payload) && !Symbols.IsFileLocal(type))
            return false;

        // Creating a formatter takes milliseconds: one is shared by all calls of the type.
        INamedTypeSymbol closedType = formatter.Construct(payload);
        Dictionary<ISymbol, string> names = edit.Shared(typeof(LegacyFormatterFix), type, () => NamesOf(type));
        SyntaxGenerator generator = edit.Editor.Generator;
        if (!names.TryGetValue(closedType, out string? name))
        {
            names.Add(closedType, name = FreeName(type, names, $"Legacy{payload.Name}Formatter"));
            edit.Import(formatter);
            SyntaxNode closed = generator.TypeExpression(closedType).WithAdditionalAnnotations(Simplifier.Annotation);
            SyntaxNode declared = generator.FieldDeclaration(name, closed, Accessibility.Private,
                DeclarationModifiers.Static | DeclarationModifiers.ReadOnly, generator.ObjectCreationExpression(closed));
            edit.Editor.InsertMembers(declaration, 0, [declared]);
        }

        SyntaxNode field = generator.IdentifierName(name);
        if (IsHidden(call, name))
            field = generator.MemberAccessExpression(generator.TypeExpression(type).WithAdditionalAnnotations(Simplifier.Annotation), field);
        // Not the whole call: its arguments may contain one to fix.
        edit.Editor.ReplaceNode(call.Expression, generator.MemberAccessExpression(field, "Write").WithTriviaFrom(call.Expression));
        return true;
    }

    /// <summary>Determines whether the member that contains a call declares a local or parameter with a name.</summary>
    private static bool IsHidden(InvocationExpressionSyntax call, string name) =>
        call.FirstAncestorOrSelf<MemberDeclarationSyntax>()!.DescendantTokens()
        .Any(t => t.IsKind(SyntaxKind.IdentifierToken) && t.ValueText == name && t.Parent is not SimpleNameSyntax);

    /// <returns>The declared type of the written value, if a formatter can have it.</returns>
    private static INamedTypeSymbol? PayloadOf(IInvocationOperation operation)
    {
        IOperation value = operation.Arguments[1].Value;
        while (value is IConversionOperation { IsImplicit: true } conversion)
            value = conversion.Operand;
        return value.Type is INamedTypeSymbol { TypeKind: TypeKind.Class or TypeKind.Struct, SpecialType: not SpecialType.System_Object,
            IsAbstract: false, IsAnonymousType: false, IsTupleType: false } payload
            && !HasTypeParameter(payload)
            // If it writes its own members, its author must configure LegacyBinaryOptions.
            && !payload.AllInterfaces.Any(i => i.FullName() == "System.Runtime.Serialization.ISerializable") ? payload : null;
    }

    private static bool HasTypeParameter(ITypeSymbol type) => type is ITypeParameterSymbol
        || type is IArrayTypeSymbol array && HasTypeParameter(array.ElementType)
        || type is INamedTypeSymbol named && (named.TypeArguments.Any(HasTypeParameter)
            || named.ContainingType is INamedTypeSymbol outer && HasTypeParameter(outer));

    /// <summary>Returns the existing formatters of a type without limits or options, by their types.</summary>
    private static Dictionary<ISymbol, string> NamesOf(INamedTypeSymbol type)
    {
        var names = new Dictionary<ISymbol, string>(SymbolEqualityComparer.Default);
        foreach (IFieldSymbol field in type.GetMembers().OfType<IFieldSymbol>().Where(f => f.IsStatic && f.IsReadOnly))
        {
            if (field.DeclaringSyntaxReferences.FirstOrDefault()?.GetSyntax() is VariableDeclaratorSyntax
                {
                    Initializer.Value: BaseObjectCreationExpressionSyntax { Initializer: null, ArgumentList.Arguments.Count: 0 }
                })
                names[field.Type] = field.Name;
        }

        return names;
    }

    private static string FreeName(INamedTypeSymbol type, Dictionary<ISymbol, string> names, string wanted)
    {
        string name = wanted;
        for (int i = 2; type.MemberNames.Contains(name) || names.ContainsValue(name); i++)
            name = wanted + i;
        return name;
    }
}
