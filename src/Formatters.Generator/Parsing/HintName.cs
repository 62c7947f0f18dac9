using System;
using System.Globalization;
using System.Linq;
using System.Text;
using Microsoft.CodeAnalysis;

namespace Formatters.Generator;

/// <summary>Creates the name of the file generated for a type: readable, and unique even if case is ignored.</summary>
internal static class HintName
{
    internal static string Of(INamedTypeSymbol type)
    {
        string name = type.ToDisplayString(SymbolDisplayFormat.CSharpErrorMessageFormat).Replace("@", "").Replace('<', '{').Replace('>', '}');
        for (ISymbol symbol = type; symbol.ContainingSymbol is INamespaceOrTypeSymbol container; symbol = container)
        {
            if (container.GetMembers().Any(m => m is INamespaceOrTypeSymbol && m.Name != symbol.Name
                && string.Equals(m.Name, symbol.Name, StringComparison.OrdinalIgnoreCase)))
                return name + "." + Capitals(name);
        }

        return name;
    }

    /// <summary>Encodes which letters are capitals: a bit for each, four to a digit.</summary>
    private static string Capitals(string name)
    {
        var digits = new StringBuilder();
        for (int start = 0; start < name.Length; start += 4)
        {
            int digit = 0;
            for (int i = start; i < start + 4; i++)
                digit = digit * 2 + (i < name.Length && char.IsUpper(name[i]) ? 1 : 0);
            digits.Append(digit.ToString("x", CultureInfo.InvariantCulture));
        }

        return digits.ToString();
    }
}
