using System;
using System.Collections.Generic;
using System.Linq;
using Microsoft.CodeAnalysis;

namespace Formatters.Generator;

/// <summary>The messages of protobuf: docs/wire/protobuf.md, "Contracts".</summary>
internal sealed partial class ShapeParser
{
    private const string FieldNumbers = "536870911, without 19000 to 19999";

    private bool IsProtobuf => format == ContractFormats.Protobuf;

    /// <summary>Removes members without a number in a type of protobuf-net; adds those with a number that can only be read.</summary>
    /// <returns>The number of members that can be set.</returns>
    private static int ChooseFields(INamedTypeSymbol type, List<Member> members, List<Member> all, int[] constructorMembers)
    {
        if (new SymbolType(type).IsFieldOptIn)
            ConstructorChoice.KeepMembers(members, constructorMembers, static m => FieldMark.HasNumber(m));
        int settableCount = members.Count;
        members.AddRange(all.Where(m => !members.Contains(m) && m.CanSet is false && FieldMark.HasNumber(m) && m.Symbol is IFieldSymbol
            or IPropertySymbol { GetMethod: not null }));
        return settableCount;
    }

    /// <summary>Finds the fields of a record; for one of the base library they are counted.</summary>
    /// <returns>Null if a member has no number, or an invalid one; the diagnostics report this.</returns>
    private FieldMark[]? FindFields(INamedTypeSymbol type, List<Member> members, int[] constructorMembers, IMethodSymbol? constructor, string path)
    {
        if (IsOfBaseLibrary(type))
            return members.Select((_, i) => new FieldMark(i + 1, null, MemberEncoding.Default)).ToArray();
        FieldMark[] marks = members.Select((m, i) => FieldMark.Of(m, m.MarkedParameter(ParameterOf(i)))).ToArray();
        if (!CheckContradictions(members.Select((m, i) => (m, Contradiction.OfField(m, m.MarkedParameter(ParameterOf(i))))), type, path))
            return null;
        var numbers = new MemberNumbers(NumberRange.Protobuf, RetiredNumbers(type));
        bool isGood = CheckRetired(type, path, NumberRange.Protobuf, FieldNumbers);
        foreach ((int i, int? number, Location at) in Enumerable.Range(0, members.Count).SelectMany(NumbersOf).OrderBy(f => f.Number))
        {
            Member member = members[i];
            string memberPath = path + "." + member.Name;
            bool isTaken = TakeNumber(numbers, number, member, at, memberPath, FieldNumbers);
            if (isTaken && marks[i].IsGroup)
                Refuse(member.Type, memberPath, member.Symbol, "groups are read and passed over, but not written");
            isGood &= isTaken && !marks[i].IsGroup;
        }

        // A oneof is at the position of the first of its fields.
        return isGood ? marks.Select((m, i) => m with { Number = NumbersOf(i).Min(f => f.Number) }).ToArray() : null;

        IEnumerable<(int Member, int? Number, Location At)> NumbersOf(int index) => members[index].OneofCases is { Count: > 0 } cases
            ? cases.Select(c => (index, c.Argument(0) as int?, ((SymbolAttribute)c).Data.LocationIn(compilation) ?? PlaceOf(members[index].Symbol)))
            : [(index, marks[index].Number, PlaceOf(members[index].Symbol))];

        SymbolParameter? ParameterOf(int index) =>
            Array.IndexOf(constructorMembers, index) is int argument and >= 0 && constructor is not null
            ? new SymbolParameter(constructor.Parameters[argument]) : null;
    }

    /// <summary>Orders the members of a record by their numbers.</summary>
    private static RecordShape WithFields(RecordShape record, FieldMark[] marks, Member? unknown)
    {
        int[] order = Enumerable.Range(0, marks.Length).OrderBy(i => marks[i].Number).ToArray();
        return record with
        {
            IsNumbered = true,
            Members = order.Select(i => record.Members[i] with { Number = marks[i].Number.GetValueOrDefault(), Encoding = marks[i].Encoding,
                IsUnpacked = marks[i].IsUnpacked, Oneof = marks[i].Oneof ?? "" }).ToEquatable(),
            ConstructorMembers = record.ConstructorMembers.Select(i => Array.IndexOf(order, i)).ToEquatable(),
            UnknownAccess = unknown is null ? "" : Symbols.Identifier(unknown.Name),
            IsUnknownInitOnly = unknown is { IsInitOnly: true },
            IsMadeAtOnce = record.IsMadeAtOnce || unknown is { IsInitOnly: true },
        };
    }

    /// <returns>Whether the member can be a case of the oneof that it names.</returns>
    private bool CheckOneof(Member member, ValueModel value, FieldMark mark, string path)
    {
        if (mark.Oneof is null)
            return true;
        string? why = member.OneofCases.Count > 0
            ? "[MessageOneof] and Oneof; remove one of them"
            : !value.IsNullable
            ? $"Oneof = \"{mark.Oneof}\", but is not nullable"
            : value.Kind == ValueKind.Shape && _shapes[value.Shape] is ListShape or SequenceShape or DictionaryShape
            ? $"Oneof = \"{mark.Oneof}\", but is a collection"
            : null;
        if (why is not null)
            Report(Descriptors.BadOneof, PlaceOf(member.Symbol), path, why);
        return why is null;
    }

    /// <returns>Whether the encoding applies to any value in the member.</returns>
    private bool CheckEncoding(Member member, ValueModel value, FieldMark mark, string path)
    {
        MemberEncoding encoding = mark.Encoding;
        string? useless = encoding != MemberEncoding.Default && !IsUsed(value) ? $"Encoding = {encoding}" : mark.IsUnpacked && !IsPackable(value)
            ? "IsPacked = false" : null;
        if (useless is not null)
            Report(Descriptors.Encoding, member.Symbol, path, useless);
        return useless is null;

        bool IsPackable(ValueModel part) => part.Kind == ValueKind.Shape && _shapes[part.Shape] switch
        {
            ListShape list => IsNumber(list.Element),
            SequenceShape sequence => IsNumber(sequence.Element),
            _ => false,
        };

        bool IsNumber(ValueModel part) =>
            !part.IsNullable && part.Kind == ValueKind.Scalar && FieldTypes.WireType(part.Name, encoding) != FieldTypes.LengthDelimited;

        bool IsUsed(ValueModel part) => part.Kind == ValueKind.Scalar
            ? FieldTypes.CanBe(part.Name, encoding)
            : part.Kind == ValueKind.Shape && _shapes[part.Shape] switch
            {
                ListShape list => IsUsed(list.Element),
                SequenceShape sequence => IsUsed(sequence.Element),
                DictionaryShape map => IsUsed(map.Key) || IsUsed(map.Value),
                _ => false,
            };
    }
}
