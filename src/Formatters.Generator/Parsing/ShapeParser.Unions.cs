using System;
using System.Collections.Generic;
using System.Linq;
using Microsoft.CodeAnalysis;

namespace Formatters.Generator;

internal sealed partial class ShapeParser
{
    private bool IsUnion(ITypeSymbol type) => type.GetAttributes().Any(IsUnionAttribute);

    private bool IsUnionAttribute(AttributeData attribute) =>
        attribute.AttributeClass?.FullName() is string name && (name == Symbols.UnionAttribute || IsPacked && name == Symbols.PackedUnionAttribute);

    private ValueModel? ParseUnion(INamedTypeSymbol type, string path, ISymbol? via)
    {
        string display = type.Display();
        if (!Known(type, "", out int index, out string key))
        {
            index = Reserve(key);
            if (ReadCases(type, path, via) is not UnionShape shape)
                return null;
            _shapes[index] = shape;
        }

        return new ValueModel(ValueKind.Shape, display, false, false, Shape: index) { IsUnion = true };
    }

    private UnionShape? ReadCases(INamedTypeSymbol type, string path, ISymbol? via)
    {
        if (!type.IsAbstract)
        {
            Report(Descriptors.NoUnion, type.LocationIn(compilation) is not null ? type : via, path, type.ShortName());
            return null;
        }

        var cases = new List<UnionCase>();
        var tags = new HashSet<int>();
        var types = new HashSet<ISymbol>(SymbolEqualityComparer.Default);
        string unknownType = "";
        bool isComplete = true;
        foreach (AttributeData attribute in type.GetAttributes().Where(IsUnionAttribute))
        {
            Location at = attribute.LocationIn(compilation) ?? Location;
            TypedConstant argument = attribute.ConstructorArguments.LastOrDefault();
            if (argument.Value is not INamedTypeSymbol listed)
            {
                // What the compiler refuses is an error already.
                if (argument.Kind != TypedConstantKind.Error)
                    Report(Descriptors.NotInUnion, at, [type.ShortName(), (argument.Value as ITypeSymbol)?.ShortName() ?? argument.Value ?? "null"]);
                isComplete = false;
                continue;
            }

            int? tag = attribute.ConstructorArguments[0].Value as int?;
            string repeated = "";
            DiagnosticDescriptor? mistake =
                listed.IsAbstract || listed.IsUnboundGenericType || listed.OriginalDefinition.SpecialType == SpecialType.System_Nullable_T || !compilation.HasImplicitConversion(listed, type) ? Descriptors.NotInUnion
                : (repeated = HowRepeated(tag, listed)).Length > 0 ? Descriptors.UnionTag
                : tag is null && !CanKeepUnknown(listed) ? Descriptors.UnknownCase
                : null;
            if (mistake is not null)
            {
                Report(mistake, at, type.ShortName(), listed.ShortName(), repeated);
                isComplete = false;
            }
            else if (IsProtobuf && tag is < 1 or > MaxFieldNumber)
            {
                Report(Descriptors.NumberOutOfRange, at, [$"{path}, {listed.ShortName()}", tag, FieldNumbers]);
                isComplete = false;
            }
            else if (tag is null)
            {
                unknownType = listed.Display();
            }
            else if (ParseNonNull(listed, listed.ShortName(), listed, null) is ValueModel value)
            {
                cases.Add(new UnionCase(tag.Value, value));
            }
            else
            {
                isComplete = false;
            }
        }

        return isComplete ? new UnionShape(NameOf(type), type.Display(), cases.OrderBy(c => c.Tag).ToEquatable(), unknownType) { Key = type.Key() } : null;

        string HowRepeated(int? tag, INamedTypeSymbol listed) =>
            tag < 0 ? FormattableString.Invariant($"with the tag {tag}; tags are 0 or greater")
            : !tags.Add(tag ?? -1) ? tag is null ? "for unknown tags, as it does another type" : $"with the tag {tag}, which another type has"
            : types.Add(listed) ? "" : "for the second time";
    }

    private bool CanKeepUnknown(INamedTypeSymbol type) =>
        type.TypeKind == TypeKind.Class && type.Implements("Formatters.IUnknownCase") && compilation.IsSymbolAccessibleWithin(type, owner)
        && ConstructorChoice.IsMadeByNew(type);
}
