using System;
using System.Collections.Generic;
using System.Linq;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Formatters.Generator;

/// <summary>Public members that look like a part of the contract, but are not.</summary>
internal sealed partial class ShapeParser
{
    // docs/diagnostics/FMT108.md has the list.
    private static readonly (string Type, string Name)[] NewEachTime =
    [
        ("System.Guid", "NewGuid"), ("System.Guid", "CreateVersion7"), ("System.Random", "Shared"),
        ("System.DateTime", "Now"), ("System.DateTime", "UtcNow"), ("System.DateTime", "Today"), ("System.DateTimeOffset", "Now"),
            ("System.DateTimeOffset", "UtcNow"),
        ("System.Diagnostics.Stopwatch", "GetTimestamp"), ("System.Environment", "TickCount"), ("System.Environment", "TickCount64"),
            ("System.Environment", "MachineName"), ("System.Environment", "UserName"), ("System.Environment", "ProcessId"),
    ];

    /// <summary>The types that can be filled after they have been created.</summary>
    private static readonly HashSet<string> Fillable =
    [
        "System.Collections.Generic.ICollection`1", "System.Collections.IList", "System.Collections.IDictionary",
            "System.Collections.Concurrent.IProducerConsumerCollection`1",
        "System.Collections.Generic.Queue`1", "System.Collections.Generic.Stack`1", "System.Collections.Queue", "System.Collections.Stack",
    ];

    private readonly Dictionary<SyntaxTree, SemanticModel> _models = [];

    /// <summary>Reports the public properties and fields that store a value but cannot be set, and are not explicitly left out.</summary>
    /// <param name="type">The type.</param>
    /// <param name="members">The members of the contract.</param>
    /// <param name="constructor">The constructor by which objects are made, if it has parameters, and nothing changes the members that they
    /// are.</param>
    /// <param name="path">The type in messages.</param>
    private void CheckLeftOut(INamedTypeSymbol type, IEnumerable<Member> members, IMethodSymbol? constructor, string path)
    {
        if (IsOfBaseLibrary(type))
            return;
        foreach ((ISymbol hidden, ISymbol hiding) in FindHiddenMembers(type))
            Report(Descriptors.LeftOut, hiding, PathOf(hidden, type, path));
        if (IsProtobuf && new SymbolType(type).IsFieldOptIn || Member.IsOptIn(type))
            return;
        HashSet<string> names = [.. members.Select(m => m.Name)];
        // The most derived class first: its new declarations hide those of a base class.
        foreach (ISymbol symbol in Symbols.Levels(type).Reverse().SelectMany(l => l.GetMembers())
            .Where(m => m is IFieldSymbol or IPropertySymbol && Symbols.IsPublicInstance(m)))
        {
            if (names.Add(symbol.Name) && symbol.LocationIn(compilation) is not null && !Member.IsOptIn(symbol.ContainingType)
                && Member.Of(symbol) is { IsLeftOut: false } member && !PackedMark.IsLeftOut(member) && !FieldMark.IsLeftOut(member)
                && HoldsState(symbol, constructor))
                Report(Descriptors.LeftOut, symbol, PathOf(symbol, type, path));
        }
    }

    /// <summary>Reports members in the contract by reflection that are not visible here: not public, and of another assembly.</summary>
    /// <returns>Whether there are none.</returns>
    private bool CheckUnseen(INamedTypeSymbol type, string path, ISymbol? via)
    {
        if (IsOfBaseLibrary(type))
            return true;
        bool isSeen = true;
        foreach (INamedTypeSymbol level in Symbols.Levels(type).Where(l => UnseenMembers.IsCompiled(l, compilation)))
        {
            string at = SymbolEqualityComparer.Default.Equals(level, type) ? path : level.ShortName();
            if (UnseenMembers.Find(level) is string name)
                Report(Descriptors.OutOfReach, via, at + "." + name, NotPublic);
            else if (!UnseenMembers.AreCutOut(level))
                continue;
            else if (level.FindAttribute("Formatters.Generated.HasHiddenMembersAttribute") is AttributeData hidden
                && (hidden.NamedArgument("HasPrivate") is true || !level.ContainingAssembly.GivesAccessTo(compilation.Assembly)))
                Report(Descriptors.OutOfReach, via, "A member of " + at, NotPublic);
            else if (Member.IsOptIn(level) && !level.HasAttribute(Symbols.ContractAttribute))
                Report(Descriptors.CutOut, via, at);
            else
                continue;
            isSeen = false;
        }

        return isSeen;
    }

    /// <summary>
    /// Finds the members of base classes that would be in the contract if no derived class hid them with members that hold something else.
    /// </summary>
    private IEnumerable<(ISymbol Hidden, ISymbol Hiding)> FindHiddenMembers(INamedTypeSymbol type)
    {
        var below = new Dictionary<string, ISymbol>();
        foreach (INamedTypeSymbol level in Symbols.Levels(type).Reverse())
        {
            foreach (Member member in Member.FindDeclared(level))
            {
                if (member.CanSet && below.TryGetValue(member.Name, out ISymbol? hiding) && hiding.LocationIn(compilation) is not null
                    && Symbols.IsPublicInstance(hiding)
                    && !Member.Of(hiding).IsLeftOut && (hiding is IFieldSymbol || hiding is IPropertySymbol property && !IsForwarding(property)))
                    yield return (member.Symbol, hiding);
            }

            foreach (ISymbol symbol in level.GetMembers().Where(
                m => !m.IsStatic && m is IFieldSymbol { IsImplicitlyDeclared: false } or IPropertySymbol { IsIndexer: false, IsOverride: false }))
            {
                if (!below.ContainsKey(symbol.Name))
                    below.Add(symbol.Name, symbol);
            }
        }
    }

    /// <summary>Determines whether a property of the same name forwards to that of the base class: <c>get => (Line)base.Item</c>.</summary>
    private bool IsForwarding(IPropertySymbol property) => property.DeclaringSyntaxReferences.Select(r => r.GetSyntax(cancellationToken))
        .Any(s => s.DescendantNodes().OfType<MemberAccessExpressionSyntax>()
            .Any(a => a.Expression is BaseExpressionSyntax && a.Name.Identifier.ValueText == property.Name));

    private bool HoldsState(ISymbol symbol, IMethodSymbol? constructor)
    {
        // The referenced location can be set, whatever it is.
        if (symbol is IPropertySymbol { RefKind: RefKind.Ref, IsIndexer: false, IsOverride: false })
            return true;
        (ITypeSymbol? type, bool isReadOnly) = symbol switch
        {
            IFieldSymbol { IsImplicitlyDeclared: false, IsConst: false, IsReadOnly: true } field => (field.Type, true),
            IPropertySymbol { IsIndexer: false, IsOverride: false, GetMethod.DeclaredAccessibility: Accessibility.Public } property
                when HasField(property) => (property.Type, property.SetMethod is null),
            _ => ((ITypeSymbol?)null, false),
        };
        // A value set once, in the declaration or by the constructor that is called again, is the same in the object that is read, unless it can be
        // filled.
        return type is not null && !Member.IsUnknownMembers(type) && (!isReadOnly || !IsGivenAnew(symbol, constructor) || CanBeFilled(type));
    }

    /// <summary>
    /// Determines whether it is a field, or a property with a field that it alone can access, that never changes after construction.
    /// </summary>
    private bool IsFixed(ISymbol symbol) => symbol is IFieldSymbol { IsReadOnly: true }
        || symbol is IPropertySymbol { SetMethod: null or { IsInitOnly: true } } property
        && (HasField(property) || property.LocationIn(compilation) is null);

    private static bool HasField(IPropertySymbol property) =>
        property.ContainingType.GetMembers().OfType<IFieldSymbol>().Any(f => SymbolEqualityComparer.Default.Equals(f.AssociatedSymbol, property));

    /// <summary>
    /// Determines whether a member that cannot be set has the same value in all objects, or one that its declaration or the constructor computes from
    /// members: no other constructor sets a different one.
    /// </summary>
    private bool IsGivenAnew(ISymbol symbol, IMethodSymbol? constructor)
    {
        ExpressionSyntax? initializer = symbol.DeclaringSyntaxReferences.Select(r => r.GetSyntax(cancellationToken))
            .Select(s => s switch { PropertyDeclarationSyntax property => property.Initializer?.Value, VariableDeclaratorSyntax variable =>
                variable.Initializer?.Value, _ => null })
            .FirstOrDefault(e => e is not null);
        List<TypeDeclarationSyntax> parts = symbol.ContainingType.DeclaringSyntaxReferences.Select(r => r.GetSyntax(cancellationToken))
            .OfType<TypeDeclarationSyntax>().ToList();
        HashSet<string> parameters = [.. parts.SelectMany(p => p.ChildNodes().OfType<ParameterListSyntax>()).SelectMany(l => l.Parameters)
            .Select(p => p.Identifier.ValueText)];
        SyntaxNode? called = constructor is not null && SymbolEqualityComparer.Default.Equals(constructor.ContainingType, symbol.ContainingType)
            ? constructor.DeclaringSyntaxReferences.FirstOrDefault()?.GetSyntax(cancellationToken) : null;
        ILookup<ConstructorDeclarationSyntax, SyntaxNode> setters = parts.SelectMany(p => p.Members).OfType<ConstructorDeclarationSyntax>()
            .SelectMany(c => c.DescendantNodes().OfType<IdentifierNameSyntax>().Where(n => n.Identifier.ValueText == symbol.Name).Select(TargetOf)
                .Where(IsSet).Select(t => (Constructor: c, t.Parent)))
            .ToLookup(s => s.Constructor, s => s.Parent!);
        if (setters.Count > 0)
            return setters.Count == 1 && setters.Single().Key == called && setters.Single()
                .All(s => s is AssignmentExpressionSyntax assignment && IsMade(assignment.Right));
        return initializer is not null && !IsNewEachTime(initializer) && (called is TypeDeclarationSyntax
            || !initializer.DescendantNodesAndSelf().OfType<IdentifierNameSyntax>().Any(n => parameters.Contains(n.Identifier.ValueText)));

        static SyntaxNode TargetOf(IdentifierNameSyntax name) =>
            name.Parent is MemberAccessExpressionSyntax { Expression.RawKind: (int)SyntaxKind.ThisExpression } access ? access : name;

        static bool IsSet(SyntaxNode target) => target.Parent switch
        {
            AssignmentExpressionSyntax assignment => assignment.Left == target,
            ArgumentSyntax { Parent: TupleExpressionSyntax { Parent: AssignmentExpressionSyntax assignment } tuple } => assignment.Left == tuple,
            ArgumentSyntax argument => argument.RefKindKeyword.RawKind is (int)SyntaxKind.OutKeyword or (int)SyntaxKind.RefKeyword,
            SyntaxNode parent => parent.RawKind is (int)SyntaxKind.PostIncrementExpression or (int)SyntaxKind.PostDecrementExpression
                or (int)SyntaxKind.PreIncrementExpression or (int)SyntaxKind.PreDecrementExpression,
            null => false,
        };

        // A counter returns another value the next time.
        bool IsMade(ExpressionSyntax value) => !IsNewEachTime(value)
            && (value.DescendantNodesAndSelf().OfType<IdentifierNameSyntax>().Any(n => constructor!.Parameters.Any(
                p => string.Equals(p.Name, n.Identifier.ValueText, StringComparison.OrdinalIgnoreCase))) || IsConstant(value));
    }

    /// <summary>Reports settable members to which the constructor assigns something else than the parameter that has their value.</summary>
    private void CheckChanged(
        List<Member> members, int[] constructorMembers, IMethodSymbol? constructor, INamedTypeSymbol type, string path)
    {
        SyntaxNode? declaration = constructor?.DeclaringSyntaxReferences.FirstOrDefault()?.GetSyntax(cancellationToken);
        for (int i = 0; declaration is not null && i < constructorMembers.Length; i++)
        {
            Member member = members[constructorMembers[i]];
            if (!member.CanSet || member.Symbol.LocationIn(compilation) is null)
                continue;
            IEnumerable<ExpressionSyntax> assigned = declaration is ConstructorDeclarationSyntax
                ? declaration.DescendantNodes().OfType<AssignmentExpressionSyntax>()
                    .Where(a => a.IsKind(SyntaxKind.SimpleAssignmentExpression) && NameOf(a.Left) == member.Name).Select(a => a.Right)
                : member.Symbol.DeclaringSyntaxReferences.Select(r => r.GetSyntax(cancellationToken)).OfType<PropertyDeclarationSyntax>()
                    .Select(p => p.Initializer?.Value).OfType<ExpressionSyntax>();
            if (assigned.Any(value => !IsParameter(value, constructor!.Parameters[i].Name)))
                Report(Descriptors.ChangedByConstructor, member.Symbol, PathOf(member.Symbol, type, path));
        }

        static string? NameOf(ExpressionSyntax target) => target switch
        {
            IdentifierNameSyntax name => name.Identifier.ValueText,
            MemberAccessExpressionSyntax { Expression.RawKind: (int)SyntaxKind.ThisExpression } access => access.Name.Identifier.ValueText,
            _ => null,
        };

        static bool IsParameter(ExpressionSyntax value, string name) => value switch
        {
            IdentifierNameSyntax identifier => identifier.Identifier.ValueText == name,
            ParenthesizedExpressionSyntax inner => IsParameter(inner.Expression, name),
            CastExpressionSyntax cast => IsParameter(cast.Expression, name),
            PostfixUnaryExpressionSyntax { RawKind: (int)SyntaxKind.SuppressNullableWarningExpression } inner => IsParameter(inner.Operand, name),
            BinaryExpressionSyntax { RawKind: (int)SyntaxKind.CoalesceExpression } coalesce => IsParameter(coalesce.Left, name),
            _ => false,
        };
    }

    private bool IsConstant(ExpressionSyntax value) => value is LiteralExpressionSyntax || ModelOf(value.SyntaxTree) is var model
        && (model.GetConstantValue(value, cancellationToken).HasValue
            || model.GetSymbolInfo(value, cancellationToken).Symbol is IFieldSymbol { IsStatic: true, IsReadOnly: true });

    /// <summary>Determines whether an expression reads a clock, the machine or the like.</summary>
    private bool IsNewEachTime(ExpressionSyntax value) =>
        value.DescendantNodesAndSelf().OfType<SimpleNameSyntax>().Any(n => NewEachTime.Any(m => m.Name == n.Identifier.ValueText)
        && ModelOf(n.SyntaxTree).GetSymbolInfo(n, cancellationToken).Symbol is { ContainingType: INamedTypeSymbol type } member
        && NewEachTime.Contains((type.FullName(), member.Name)));

    /// <summary>Returns one semantic model per tree, because each binds the constructors again.</summary>
    private SemanticModel ModelOf(SyntaxTree tree)
    {
        if (!_models.TryGetValue(tree, out SemanticModel? model))
            _models.Add(tree, model = compilation.GetSemanticModel(tree));
        return model;
    }

    /// <summary>
    /// Determines whether a value can be changed in place: a collection with an <c>Add</c> or the like, or an object of the source whose members can
    /// be set.
    /// </summary>
    private bool CanBeFilled(ITypeSymbol type)
    {
        if (type.TypeKind == TypeKind.Array)
            return true;
        string space = type.ContainingNamespace?.ToDisplayString() ?? "";
        if (type.SpecialType == SpecialType.System_String || space is "System.Collections.Immutable" or "System.Collections.Frozen"
            || type.Name.StartsWith("ReadOnly", StringComparison.Ordinal) && Symbols.IsOfNet(type))
            return false;
        return type.AllInterfaces.Append(type).Any(t => Fillable.Contains(t.FullName()))
            || type is INamedTypeSymbol { TypeKind: TypeKind.Class } named && named.LocationIn(compilation) is not null && Member.FindAll(named)
            .Exists(m => m.CanSet);
    }
}
