using System.Collections.Generic;
using System.Linq;
using Microsoft.CodeAnalysis;

namespace Formatters.Generator;

/// <summary>Attributes of other serializers that a contract would ignore: docs/attributes.md.</summary>
internal sealed partial class ShapeParser
{
    private ForeignFormats ForeignFormat => IsPacked
        ? ForeignFormats.Packed
        : IsProtobuf ? ForeignFormats.Protobuf : format == ContractFormats.Versioned ? ForeignFormats.Versioned : ForeignFormats.Binary;

    /// <summary>Reports attributes of a record, of its base classes and of its members.</summary>
    /// <returns>Whether there are none.</returns>
    private bool CheckForeign(INamedTypeSymbol type, string path, ISymbol? via)
    {
        if (IsOfBaseLibrary(type) || !ForeignSymbols.NeedCheck(type))
            return true;
        var rules = new ForeignRules(ForeignFormat, usesBclTypes: false);
        return Report(rules.Check([.. Symbols.Levels(type).Select(ForeignSymbols.Level)]), path, via);
    }

    /// <summary>Reports attributes of an enum or a union.</summary>
    /// <inheritdoc cref="CheckForeign"/>
    private bool CheckForeignAlone(ITypeSymbol type, string path, ISymbol? via) =>
        type is not INamedTypeSymbol named || !ForeignSymbols.HasForeign(named)
        || Report(new ForeignRules(ForeignFormat, usesBclTypes: false).CheckAlone(ForeignSymbols.Alone(named)), path, via);

    private bool Report(IReadOnlyList<ForeignFault> faults, string path, ISymbol? via)
    {
        foreach (ForeignFault fault in faults)
        {
            Location at = (fault.Attribute as SymbolAttribute)?.Data.LocationIn(compilation) ?? ((ISymbol)fault.Handle).LocationIn(compilation)
                ?? PlaceOf(via);
            Report(Descriptors.ForeignAttribute, at, fault.Member.Length == 0 ? path : path + "." + fault.Member, fault.Text);
        }

        return faults.Count == 0;
    }
}
