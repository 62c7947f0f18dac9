using System;
using System.Collections.Generic;
using System.Linq;
using Microsoft.CodeAnalysis;

namespace Formatters.Generator;

/// <summary>The array form and the map form of MessagePack: docs/wire/messagepack.md, "Contracts".</summary>
internal sealed partial class ShapeParser
{
    // As for contracts by reflection: each body of more would be full of nils.
    private const int MaxPackedNumber = 10_000;

    private bool IsPacked => format.IsPacked();

    /// <summary>Finds the members, also those that can only be read. The eighth of a tuple holds those behind it.</summary>
    private static List<Member> FindPacked(INamedTypeSymbol type)
    {
        if (!type.IsTupleType)
            return Member.FindAll(type).FindAll(m => !PackedMark.IsLeftOut(m.Symbol));
        INamedTypeSymbol tuple = type.TupleUnderlyingType ?? type;
        return tuple.GetMembers().OfType<IFieldSymbol>().Where(f => !f.IsStatic && SymbolEqualityComparer.Default.Equals(f, f.CorrespondingTupleField ?? f))
            .Where(f => f.Name == "Rest" || f.Name.StartsWith("Item", StringComparison.Ordinal) && f.Name.Length == 5 && f.Name[4] < '8')
            .OrderBy(f => f.Name == "Rest" ? "Item8" : f.Name, StringComparer.Ordinal)
            .Select(f => new Member(f, f.Type)).ToList();
    }

    /// <summary>Puts the members of a record into the order of its form.</summary>
    /// <returns>Null if two members have one place, or one has none; the diagnostics say so.</returns>
    private RecordShape? Pack(
        RecordShape record, List<Member> members, List<Member> all, INamedTypeSymbol type, IMethodSymbol? constructor, Member? unknown, string path)
    {
        PackedMark[] marks = members.Select((m, i) => PackedMark.Of(m.Symbol, m.MarkedParameter(ParameterOf(i)))).ToArray();
        bool isTuple = IsOfBaseLibrary(type);
        bool hasNumbers = marks.Any(m => m.Index is not null);
        bool isMap = !isTuple && (PackedMark.HasNamedMembers(type, members.Count) ?? !hasNumbers);
        int[] order = Enumerable.Range(0, members.Count).OrderBy(i => all.IndexOf(members[i])).ToArray();
        if (isMap)
        {
            bool hasNames = marks.Any(m => m.IsExplicit);
            order = order.OrderBy(i => hasNames ? 0 : Symbols.Levels(members[i].Symbol.ContainingType).Count())
                .ThenBy(i => members[i].Symbol is IPropertySymbol ? 0 : 1).ToArray();
            // Other formats than MessagePack have the names in the order of their encoded bytes, in which the length comes first.
            if (format.IsTraversed())
                order = order.OrderBy(i => EncodedName(i), System.Collections.Generic.Comparer<byte[]>.Create(CompareEncoded)).ToArray();
        }
        else if (!isTuple)
        {
            order = order.OrderBy(i => marks[i].Index).ToArray();
        }

        if (!isTuple && !isMap && !CheckRetired(type, path, static n => n is >= 1 and <= MaxPackedNumber, MaxPackedNumber))
            return null;
        if (!isTuple && !CheckPlaces(order, members, marks, isMap, RetiredNumbers(type), path))
            return null;
        IEnumerable<MemberModel> sorted = order.Select((i, place) => record.Members[i] with
        {
            Number = isMap ? 0 : (isTuple ? place : marks[i].Index.GetValueOrDefault()) + 1,
            WireName = marks[i].Name ?? members[i].Name,
            IsRequired = members[i].IsRequired,
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

        byte[] EncodedName(int index) => System.Text.Encoding.UTF8.GetBytes(marks[index].Name ?? members[index].Name);

        IParameterSymbol? ParameterOf(int index)
        {
            int argument = Enumerable.Range(0, record.ConstructorMembers.Count).Where(i => record.ConstructorMembers[i] == index).DefaultIfEmpty(-1).First();
            return argument < 0 ? null : constructor?.Parameters[argument];
        }
    }

    private static int CompareEncoded(byte[] x, byte[] y)
    {
        int result = x.Length.CompareTo(y.Length);
        for (int i = 0; result == 0 && i < x.Length; i++)
            result = x[i].CompareTo(y[i]);
        return result;
    }

    private bool CheckPlaces(int[] order, List<Member> members, PackedMark[] marks, bool isMap, HashSet<int> retired, string path)
    {
        var taken = new Dictionary<object, string>();
        bool isGood = true;
        foreach (int i in order)
        {
            Member member = members[i];
            string memberPath = path + "." + member.Name;
            object? place = isMap ? marks[i].Name ?? member.Name : marks[i].Index;
            DiagnosticDescriptor? problem =
                place is null ? Descriptors.NumberMissing
                : place is int and (< 0 or >= MaxPackedNumber) ? Descriptors.NumberOutOfRange
                : taken.ContainsKey(place) ? isMap ? Descriptors.NameTwice : Descriptors.NumberTwice
                : place is int index && retired.Contains(index + 1) ? Descriptors.NumberRetired
                : null;
            if (problem is null)
            {
                taken.Add(place!, member.Name);
                continue;
            }

            object detail = problem == Descriptors.NumberOutOfRange ? MaxPackedNumber : place is not null && taken.TryGetValue(place, out string? other) ? other : "";
            Report(problem, member.Symbol, memberPath, place is int number ? number + 1 : place ?? "", detail);
            isGood = false;
        }

        return isGood;
    }
}
