using System.Collections.Generic;
using System.Linq;
using Microsoft.CodeAnalysis;

namespace Formatters.Generator;

/// <summary>An attribute in the source or in metadata.</summary>
internal sealed class SymbolAttribute(AttributeData data) : AttributeView
{
    private string? _name;

    internal AttributeData Data { get; } = data;

    internal override string Name => _name ??= Data.AttributeClass?.FullName() ?? "";

    internal override IEnumerable<string> BaseNames
    {
        get
        {
            for (INamedTypeSymbol? level = Data.AttributeClass?.BaseType; level?.BaseType is not null; level = level.BaseType)
            {
                if (level.FullName() is not "System.Attribute" and string name)
                    yield return name;
            }
        }
    }

    internal override object? Argument(int index) => index < Data.ConstructorArguments.Length ? ValueOf(Data.ConstructorArguments[index]) : null;

    internal override object? Named(string name) => Data.NamedArgument(name);

    internal static IReadOnlyList<AttributeView> Of(ISymbol symbol) => [.. symbol.GetAttributes().Select(a => new SymbolAttribute(a))];

    private static object? ValueOf(TypedConstant constant) =>
        constant.Kind != TypedConstantKind.Array ? constant.Value : constant.IsNull ? null : constant.Values.Select(ValueOf).ToArray();
}

/// <summary>A method or constructor.</summary>
internal sealed class SymbolMethod(IMethodSymbol method) : DeclarationView
{
    private protected override IReadOnlyList<AttributeView> FindAttributes() => SymbolAttribute.Of(method);
}

/// <summary>A class or struct.</summary>
internal sealed class SymbolType(INamedTypeSymbol type) : TypeView
{
    private protected override IReadOnlyList<AttributeView> FindAttributes() => SymbolAttribute.Of(type);

    private protected override IReadOnlyList<ParameterView> FindConstructorParameters() =>
        [.. type.InstanceConstructors.SelectMany(c => c.Parameters).Select(p => new SymbolParameter(p))];
}

/// <summary>A parameter of a constructor.</summary>
internal sealed class SymbolParameter(IParameterSymbol symbol) : ParameterView
{
    internal override string Name => symbol.Name;

    internal override bool Takes(MemberView member) =>
        symbol.RefKind is RefKind.None or RefKind.In or RefKind.RefReadOnlyParameter
        && SymbolEqualityComparer.Default.Equals(((Member)member).Type, symbol.Type);

    private protected override IReadOnlyList<AttributeView> FindAttributes() => SymbolAttribute.Of(symbol);
}
