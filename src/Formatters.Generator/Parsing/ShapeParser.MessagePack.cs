using System;
using System.Collections.Generic;
using System.Linq;
using Microsoft.CodeAnalysis;

namespace Formatters.Generator;

/// <summary>The array form and the map form of MessagePack: docs/wire/messagepack.md, "Contracts".</summary>
internal sealed partial class ShapeParser
{
    private bool IsPacked => format.IsPacked();

    /// <summary>Finds the members, including those that can only be read. The eighth of a tuple contains the following ones.</summary>
    private static List<Member> FindPacked(INamedTypeSymbol type)
    {
        if (!type.IsTupleType)
            return Member.FindAll(type).FindAll(m => !PackedMark.IsLeftOut(m));
        INamedTypeSymbol tuple = type.TupleUnderlyingType ?? type;
        return tuple.GetMembers().OfType<IFieldSymbol>()
            .Where(f => !f.IsStatic && SymbolEqualityComparer.Default.Equals(f, f.CorrespondingTupleField ?? f))
            .Where(f => f.Name == "Rest" || f.Name.StartsWith("Item", StringComparison.Ordinal) && f.Name.Length == 5 && f.Name[4] < '8')
            .OrderBy(f => f.Name == "Rest" ? "Item8" : f.Name, StringComparer.Ordinal)
            .Select(f => new Member(f, f.Type)).ToList();
    }

    /// <summary>Orders the members of a record for its form.</summary>
    /// <returns>Null if two members have the same position, or one has none; the diagnostics report this.</returns>
    private RecordShape? Pack(
        RecordShape record, List<Member> members, List<Member> all, INamedTypeSymbol type, IMethodSymbol? constructor, Member? unknown, string path)
    {
        PackedMark[] marks = members.Select((m, i) => PackedMark.Of(m, m.MarkedParameter(SymbolOf(i)))).ToArray();
        bool isTuple = IsOfBaseLibrary(type);
        bool isMap = !isTuple && PackedMark.IsMap(new SymbolType(type), marks);
        int[] order = Enumerable.Range(0, members.Count).OrderBy(i => all.IndexOf(members[i])).ToArray();
        if (isMap)
        {
            order = Ordered(PackedMark.MapOrder([.. order.Select(i => members[i])], [.. order.Select(i => marks[i])],
                static m => Symbols.Levels(((Member)m).Symbol.ContainingType).Count()));
        }
        else if (!isTuple)
        {
            order = order.OrderBy(i => marks[i].Index).ToArray();
        }

        if (!isTuple && !isMap && !CheckRetired(type, path, NumberRange.Packed, NumberRange.Packed.Max))
            return null;
        if (!CheckContradictions(members.Select((m, i) => (m, Contradiction.OfKey(m, m.MarkedParameter(SymbolOf(i))))), type, path))
            return null;
        if (!isTuple && !CheckPlaces(order, members, marks, isMap, RetiredNumbers(type), path))
            return null;
        IEnumerable<MemberModel> sorted = order.Select((i, place) => record.Members[i] with
        {
            Number = isMap ? 0 : (isTuple ? place : marks[i].Index.GetValueOrDefault()) + 1,
            WireName = marks[i].Name ?? members[i].Name,
            Default = DefaultOf(constructor, record.ConstructorMembers, i),
            HasDefault = ParameterOf(i) is { HasExplicitDefaultValue: true },
        });
        return record with
        {
            Form = isMap ? RecordForm.Map : isTuple ? RecordForm.Tuple : RecordForm.Array,
            IsNumbered = !isMap && !isTuple,
            Members = sorted.ToEquatable(),
            ConstructorMembers = record.ConstructorMembers.Select(i => Array.IndexOf(order, i)).ToEquatable(),
            UnknownAccess = unknown is null ? "" : Symbols.Identifier(unknown.Name),
            IsUnknownInitOnly = unknown is { IsInitOnly: true },
            IsMadeAtOnce = record.IsMadeAtOnce || unknown is { IsInitOnly: true },
        };

        int[] Ordered(int[] places) => [.. places.Select(place => order[place])];

        SymbolParameter? SymbolOf(int index) => ParameterOf(index) is IParameterSymbol parameter ? new SymbolParameter(parameter) : null;

        IParameterSymbol? ParameterOf(int index)
        {
            int argument = Enumerable.Range(0, record.ConstructorMembers.Count).Where(i => record.ConstructorMembers[i] == index).DefaultIfEmpty(-1)
                .First();
            return argument < 0 ? null : constructor?.Parameters[argument];
        }
    }

    /// <summary>Reports members whose attributes of two serializers contradict each other.</summary>
    private bool CheckContradictions(IEnumerable<(Member Member, string? Text)> contradictions, INamedTypeSymbol type, string path)
    {
        bool isGood = true;
        foreach ((Member member, string? text) in contradictions)
        {
            if (text is null)
                continue;
            Report(Descriptors.Contradiction, member.Symbol, PathOf(member.Symbol, type, path), text);
            isGood = false;
        }

        return isGood;
    }

    private bool CheckPlaces(int[] order, List<Member> members, PackedMark[] marks, bool isMap, HashSet<int> retired, string path)
    {
        var numbers = new MemberNumbers(NumberRange.Packed, retired);
        var names = new Dictionary<string, string>();
        bool isGood = true;
        foreach (int i in order)
        {
            Member member = members[i];
            string memberPath = path + "." + member.Name;
            string name = marks[i].Name ?? member.Name;
            if (!isMap)
            {
                isGood &= TakeNumber(numbers, marks[i].Index + 1, member, PlaceOf(member.Symbol), memberPath, NumberRange.Packed.Max);
            }
            else if (names.TryGetValue(name, out string? other))
            {
                Report(Descriptors.NameTwice, member.Symbol, memberPath, name, other);
                isGood = false;
            }
            else
            {
                names.Add(name, member.Name);
            }
        }

        return isGood;
    }
}
