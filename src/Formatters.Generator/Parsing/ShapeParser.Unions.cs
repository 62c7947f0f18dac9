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

    /// <summary>Parses a member whose cases are fields of the containing message: docs/wire/protobuf.md, "Contracts".</summary>
    private ValueModel? ParseOneof(Member member, IEnumerable<AttributeData> attributes, string path)
    {
        if (Symbols.FormatterOf(member.Symbol) is not null)
            return Refuse(null, "[MessageOneof] and [MemberCodec]; remove one of them");
        if (member.Type is not INamedTypeSymbol type || !IsUnion(type) || !type.IsAbstract)
            return Refuse(
                null, $"[MessageOneof], but '{member.Type.ShortName()}' is not a union: an interface or abstract class with [MessageUnion]");
        if (ReadCases(type, path, member.Symbol, isOneof: true) is not UnionShape union)
            return null;
        List<UnionCase> listed = [.. union.Cases];
        var cases = new List<UnionCase>();
        foreach (AttributeData attribute in attributes)
        {
            // The compiler already reports it.
            if (attribute.ConstructorArguments.Length != 2 || attribute.ConstructorArguments.Any(a => a.Kind == TypedConstantKind.Error))
                return null;
            var named = attribute.ConstructorArguments[1].Value as ITypeSymbol;
            string name = named?.ShortName() ?? "null";
            if (listed.Find(c => c.Value.Type == named?.Display()) is not UnionCase unionCase)
            {
                return Refuse(attribute, cases.Exists(c => c.Value.Type == named?.Display())
                    ? $"'{name}' twice in [MessageOneof]"
                    : $"[MessageOneof] for '{name}', which is not a case of the union '{type.ShortName()}'");
            }

            listed.Remove(unionCase);
            cases.Add(unionCase with { Tag = (int)attribute.ConstructorArguments[0].Value! });
        }

        if (listed.Count > 0)
            return Refuse(null, $"no [MessageOneof] for '{listed[0].Value.Type.Replace("global::", "")}', a case of the union '{type.ShortName()}'");
        _shapes.Add(new OneofShape(union.Name, union.Type, cases.OrderBy(c => c.Tag).ToEquatable()));
        bool isNullable = member.Type.NullableAnnotation == NullableAnnotation.Annotated;
        return new ValueModel(ValueKind.Shape, union.Type, false, isNullable, Shape: _shapes.Count - 1) { IsUnion = true };

        ValueModel? Refuse(AttributeData? attribute, string why)
        {
            Report(Descriptors.BadOneof, attribute?.LocationIn(compilation) ?? PlaceOf(member.Symbol), path, why);
            return null;
        }
    }

    private UnionShape? ReadCases(INamedTypeSymbol type, string path, ISymbol? via, bool isOneof = false)
    {
        if (!type.IsAbstract)
        {
            Report(Descriptors.NoUnion, type.LocationIn(compilation) is not null ? type : via, path, type.ShortName());
            return null;
        }

        var cases = new List<UnionCase>();
        var rules = new UnionCases<ISymbol>(SymbolEqualityComparer.Default);
        string unknownType = "";
        bool isComplete = true;
        foreach (AttributeData attribute in type.GetAttributes().Where(IsUnionAttribute))
        {
            Location at = attribute.LocationIn(compilation) ?? Location;
            TypedConstant argument = attribute.ConstructorArguments.LastOrDefault();
            if (argument.Value is not INamedTypeSymbol listed)
            {
                // The compiler already reports it.
                if (argument.Kind != TypedConstantKind.Error)
                    Report(Descriptors.NotInUnion, at, [type.ShortName(), (argument.Value as ITypeSymbol)?.ShortName() ?? argument.Value ?? "null"]);
                isComplete = false;
                continue;
            }

            int? tag = attribute.ConstructorArguments[0].Value as int?;
            bool isInUnion = !listed.IsAbstract && !listed.IsUnboundGenericType
                && listed.OriginalDefinition.SpecialType != SpecialType.System_Nullable_T && compilation.HasImplicitConversion(listed, type);
            CaseVerdict verdict = rules.Add(attribute.AttributeClass!.FullName(), tag, listed, isInUnion, tag is null && CanKeepUnknown(listed));
            if (verdict == CaseVerdict.Listed)
                continue;
            (DiagnosticDescriptor? mistake, string repeated) = verdict switch
            {
                CaseVerdict.NotInUnion => (Descriptors.NotInUnion, ""),
                CaseVerdict.NegativeTag => (Descriptors.UnionTag, FormattableString.Invariant($"with the tag {tag}; tags are 0 or greater")),
                CaseVerdict.RepeatedTag => (Descriptors.UnionTag, tag is null
                    ? "for unknown tags, as it does another type"
                    : $"with the tag {tag}, which another type has"),
                CaseVerdict.RepeatedType => (Descriptors.UnionTag, "for the second time"),
                CaseVerdict.CannotKeep => (Descriptors.UnknownCase, ""),
                _ => ((DiagnosticDescriptor?)null, ""),
            };
            if (mistake is not null)
            {
                Report(mistake, at, type.ShortName(), listed.ShortName(), repeated);
                isComplete = false;
            }
            else if (IsProtobuf && !isOneof && tag is int number && (number < 1 || number > NumberRange.Protobuf.Max))
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

        return isComplete
            ? new UnionShape(NameOf(type), type.Display(), cases.OrderBy(c => c.Tag).ToEquatable(), unknownType) { Key = type.Key() }
            : null;
    }

    private bool CanKeepUnknown(INamedTypeSymbol type) =>
        type.TypeKind == TypeKind.Class && type.Implements("Formatters.IUnknownCase") && compilation.IsSymbolAccessibleWithin(type, owner)
        && Construction.IsMadeByNew(type);
}
