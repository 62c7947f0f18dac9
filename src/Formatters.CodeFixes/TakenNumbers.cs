using System.Collections.Generic;
using System.Linq;
using Formatters.Generator;
using Microsoft.CodeAnalysis;

namespace Formatters.CodeFixes;

/// <summary>The numbers that a member cannot have, including those that fixes of other documents have assigned.</summary>
internal sealed class TakenNumbers
{
    private readonly Dictionary<INamedTypeSymbol, HashSet<int>> _declared = new(SymbolEqualityComparer.Default);

    /// <summary>
    /// Takes the lowest number that no member of a type, its base classes and its derived classes has, and that none of them has retired.
    /// </summary>
    internal int Next(Edit edit, INamedTypeSymbol type)
    {
        INamedTypeSymbol[] related = [.. Symbols.Levels(type), .. edit.DerivedFrom(type), .. _declared.Keys.Where(t => Edit.IsDerived(t, type))];
        int number = 1;
        while (related.Any(t => DeclaredBy(t).Contains(number)))
            number++;
        DeclaredBy(type).Add(number);
        return number;
    }

    private HashSet<int> DeclaredBy(INamedTypeSymbol type)
    {
        type = type.OriginalDefinition;
        if (!_declared.TryGetValue(type, out HashSet<int>? numbers))
        {
            numbers =
            [
                .. Member.FindDeclared(type).Select(m => m.Number).OfType<int>(),
                .. Member.FindDeclared(type).SelectMany(m => m.OneofCases).Select(a => a.Argument(0)).OfType<int>(),
                .. ShapeParser.RetiredNumbers(type),
            ];
            _declared.Add(type, numbers);
        }

        return numbers;
    }
}
