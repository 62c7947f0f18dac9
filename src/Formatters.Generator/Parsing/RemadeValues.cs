using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Microsoft.CodeAnalysis.Operations;

namespace Formatters.Generator;

/// <summary>
/// Which values a reader's object has without their being in the body, since the declaration or the constructor makes them again: constants, and what is computed of constants and of what the
/// constructor takes from the body. All else is from elsewhere: a clock, a counter, the machine.
/// </summary>
/// <param name="compilation">The compilation.</param>
/// <param name="constructor">The constructor by which objects are read.</param>
/// <param name="members">Of each of its parameters the member, if nothing changes that in an object that has been made.</param>
/// <param name="cancellation">The token.</param>
internal sealed class RemadeValues(Compilation compilation, IMethodSymbol? constructor, ISymbol?[] members, CancellationToken cancellation)
{
    // What is being asked for already. Should anything be wrong with it, it is found there.
    private readonly HashSet<ISymbol> _asked = new(SymbolEqualityComparer.Default);

    /// <summary>Whether a field, or a property with a field of its own, has a value that is made again: by its declaration, and by no constructor but the one that is called.</summary>
    internal bool Has(ISymbol member)
    {
        if (!_asked.Add(member.OriginalDefinition))
            return true;
        List<SyntaxNode> values = [.. member.DeclaringSyntaxReferences.Select(r => r.GetSyntax(cancellation))
            .Select(s => s switch { PropertyDeclarationSyntax property => property.Initializer?.Value, VariableDeclaratorSyntax variable => variable.Initializer?.Value, _ => null }).OfType<SyntaxNode>()];
        foreach (ConstructorDeclarationSyntax declared in member.ContainingType.DeclaringSyntaxReferences.Select(r => r.GetSyntax(cancellation)).OfType<TypeDeclarationSyntax>().SelectMany(t => t.Members).OfType<ConstructorDeclarationSyntax>())
        {
            int count = values.Count;
            values.AddRange(declared.DescendantNodes().OfType<IdentifierNameSyntax>().Where(n => n.Identifier.ValueText == member.Name).Select(SetTo).OfType<SyntaxNode>());
            if (values.Count > count && declared != CalledIn(member)?.DeclaringSyntaxReferences.FirstOrDefault()?.GetSyntax(cancellation))
                return false;
        }

        return values.Count > 0 && values.TrueForAll(IsRemade);
    }

    /// <summary>The constructor that runs for a class: of a base class the only one.</summary>
    private IMethodSymbol? CalledIn(ISymbol member) =>
        member.IsStatic ? member.ContainingType.StaticConstructors.FirstOrDefault()
        : SymbolEqualityComparer.Default.Equals(constructor?.ContainingType.OriginalDefinition, member.ContainingType.OriginalDefinition) ? constructor
        : member.ContainingType.InstanceConstructors.Where(c => !c.IsImplicitlyDeclared).ToArray() is { Length: 1 } only ? only[0] : null;

    /// <summary>What a name is set to where it stands; null if it is not set there.</summary>
    private static SyntaxNode? SetTo(IdentifierNameSyntax name)
    {
        ExpressionSyntax target = name.Parent is MemberAccessExpressionSyntax { Expression: ThisExpressionSyntax } access ? access : name;
        return target.Parent switch
        {
            AssignmentExpressionSyntax assignment when assignment.Left == target => assignment.Right,
            ArgumentSyntax { Parent: TupleExpressionSyntax { Parent: AssignmentExpressionSyntax assignment } tuple } argument when assignment.Left == tuple =>
                assignment.Right is TupleExpressionSyntax values && values.Arguments.Count == tuple.Arguments.Count ? values.Arguments[tuple.Arguments.IndexOf(argument)].Expression : assignment.Right,
            ArgumentSyntax { RefKindKeyword.RawKind: (int)SyntaxKind.OutKeyword or (int)SyntaxKind.RefKeyword, Parent.Parent: ExpressionSyntax call } => call,
            { RawKind: (int)SyntaxKind.PostIncrementExpression or (int)SyntaxKind.PostDecrementExpression or (int)SyntaxKind.PreIncrementExpression or (int)SyntaxKind.PreDecrementExpression } => target.Parent,
            _ => null,
        };
    }

    private bool IsRemade(SyntaxNode value) => compilation.GetSemanticModel(value.SyntaxTree).GetOperation(value, cancellation) is IOperation operation && IsRemade(operation);

    private bool IsRemade(IOperation operation) => operation switch
    {
        { ConstantValue.HasValue: true } => true,
        // What a delegate does is done later.
        IAnonymousFunctionOperation => true,
        ISimpleAssignmentOperation or IDeconstructionAssignmentOperation => IsRemade(((IAssignmentOperation)operation).Value),
        _ => !IsFromElsewhere(operation) && operation.ChildOperations.All(IsRemade),
    };

    private bool IsFromElsewhere(IOperation operation) => operation switch
    {
        IParameterReferenceOperation parameter => MemberOf(parameter.Parameter) is null,
        ILocalReferenceOperation { Local: ILocalSymbol local } => !IsRemade(local),
        IFieldReferenceOperation or IPropertyReferenceOperation => operation is IMemberReferenceOperation { Instance: var instance, Member: ISymbol member } && (instance is null ? !IsConstant(member) : IsThis(instance) && !IsRemade(member)),
        // A method that is given nothing has it from elsewhere.
        IInvocationOperation { TargetMethod.TypeArguments.Length: 0 } call => (call.Instance is null || IsThis(call.Instance)) && call.Arguments.All(a => a.ArgumentKind != ArgumentKind.Explicit),
        IInstanceReferenceOperation instance => IsThis(instance) && operation.Parent is not (IMemberReferenceOperation or IInvocationOperation),
        _ => false,
    };

    private static bool IsThis(IOperation? operation) => operation is IInstanceReferenceOperation { ReferenceKind: InstanceReferenceKind.ContainingTypeInstance };

    /// <summary>Whether a static member always has one value. The compiler does not show how properties of other assemblies are made: those of closed generic types are given the type at least, as <c>FrozenSet&lt;int&gt;.Empty</c>.</summary>
    private bool IsConstant(ISymbol member) => member.LocationIn(compilation) is null
        ? member is IFieldSymbol { IsReadOnly: true } or IPropertySymbol { SetMethod: null, ContainingType.IsGenericType: true }
        : member is IFieldSymbol { IsReadOnly: true } or IPropertySymbol { SetMethod: null } && Has(member);

    /// <summary>Whether another member of the object is one that the constructor takes from the body, or is remade itself, and cannot be changed.</summary>
    private bool IsRemade(ISymbol member) => Array.Exists(members, m => SymbolEqualityComparer.Default.Equals(m?.OriginalDefinition, member.OriginalDefinition))
        || member is IFieldSymbol { IsReadOnly: true } or IPropertySymbol { SetMethod: null } && member.LocationIn(compilation) is not null && Has(member);

    private ISymbol? MemberOf(IParameterSymbol parameter) =>
        SymbolEqualityComparer.Default.Equals(parameter.ContainingSymbol.OriginalDefinition, constructor?.OriginalDefinition) && parameter.Ordinal < members.Length ? members[parameter.Ordinal] : null;

    /// <summary>Whether all is remade that stands in a statement with a local.</summary>
    private bool IsRemade(ILocalSymbol local) => !_asked.Add(local) || local.DeclaringSyntaxReferences.FirstOrDefault()?.GetSyntax(cancellation).FirstAncestorOrSelf<ConstructorDeclarationSyntax>() is not ConstructorDeclarationSyntax declared
        || declared.DescendantTokens().Where(t => t.ValueText == local.Name).Select(t => t.Parent!.FirstAncestorOrSelf<SyntaxNode>(n => n is StatementSyntax or ArrowExpressionClauseSyntax or ConstructorInitializerSyntax)).OfType<SyntaxNode>().Distinct().All(IsRemade);
}
