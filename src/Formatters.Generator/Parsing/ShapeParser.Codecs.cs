using System.Linq;
using Microsoft.CodeAnalysis;

namespace Formatters.Generator;

internal sealed partial class ShapeParser
{
    private ValueModel? ParseMember(Member member, string path, ITypeSymbol? elementType)
    {
        if (IsProtobuf && member.OneofCases is { Count: > 0 } cases)
            return ParseOneof(member, cases.Select(c => ((SymbolAttribute)c).Data), path);
        if (Symbols.NamesNoFormatter(member.Symbol))
            return RefuseNull(member.Type, PlaceOf(member.Symbol), path);
        if (Symbols.FormatterOf(member.Symbol) is not ITypeSymbol formatter)
            return Parse(member.Type, path, member.Symbol, elementType);
        if (member.Type.OriginalDefinition.SpecialType == SpecialType.System_Nullable_T)
        {
            return ParseFormatted(((INamedTypeSymbol)member.Type).TypeArguments[0], formatter, path, member.Symbol) is ValueModel inner
                ? inner with { IsNullable = true, Type = member.Type.Display() } : null;
        }

        bool isNullable = member.Type.IsReferenceType && member.Type.NullableAnnotation == NullableAnnotation.Annotated;
        return ParseFormatted(member.Type, formatter, path, member.Symbol) is ValueModel value ? value with { IsNullable = isNullable } : null;
    }

    private ValueModel? RefuseNull(ITypeSymbol type, Location place, string path)
    {
        Report(Descriptors.NoFormatter, place, path, "null", type.ShortName(), "is not a type");
        return null;
    }

    private ValueModel? ParseFormatted(ITypeSymbol type, ITypeSymbol formatter, string path, ISymbol? member, bool isOfType = false)
    {
        bool isReached = compilation.IsNameable(formatter, owner);
        // The type itself may access what others cannot.
        Location place = isOfType && isReached ? PlaceOf(type, member) : PlaceOf(member);
        bool isCodec = (format == ContractFormats.MessagePack || IsProtobuf) && IsCodec(formatter, type, format.ToString());
        if (IsProtobuf && !isCodec)
        {
            Report(Descriptors.Unsupported, place, path, type.ShortName(),
                "its [MemberCodec] is not a ProtobufCodec<T> of this type; what it writes is not protobuf");
            return null;
        }

        string? why = !isCodec && !IsCodec(formatter, type, "Binary")
            ? (format == ContractFormats.MessagePack
                ? $"is not a MessagePackCodec<{type.ShortName()}>, and "
                : "") + $"is not a BinaryCodec<{type.ShortName()}>"
            : formatter is not INamedTypeSymbol { IsAbstract: false, IsUnboundGenericType: false } named
            ? "is abstract, or an open generic type"
            : !isReached
            ? "is not accessible where code is generated"
            : !compilation.IsNameable(type, owner)
            ? "is for a type that is not accessible where code is generated"
            : Construction.IsMadeByNew(named)
            ? null
            : Symbols.RequiredMembers(named).Any() ? "has required members, which nothing sets" : "has no public constructor without parameters";
        if (why is null)
            return new ValueModel(ValueKind.Formatted, type.Display(), type.IsValueType, false, formatter.Display()) { IsCodec = isCodec };
        Report(Descriptors.NoFormatter, place, path, formatter.ShortName(), type.ShortName(), why);
        return null;
    }

    private bool IsSame(ITypeSymbol type, ITypeSymbol other) =>
        SymbolEqualityComparer.Default.Equals(Symbols.WithoutAnnotations(type, compilation), Symbols.WithoutAnnotations(other, compilation));

    private bool IsCodec(ITypeSymbol formatter, ITypeSymbol type, string prefix)
    {
        for (INamedTypeSymbol? level = formatter.BaseType; level is not null; level = level.BaseType)
        {
            if (level.FullName() == $"Formatters.{prefix}.{prefix}Codec`1")
                return IsSame(level.TypeArguments[0], type);
        }

        return false;
    }
}
