using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;

namespace Formatters.Generator;

/// <summary>Contracts whose members are identified by numbers: docs/wire/versioned.md.</summary>
internal sealed partial class ShapeParser
{
    /// <returns>Whether every member has a number of its own.</returns>
    private bool CheckNumbers(INamedTypeSymbol type, IEnumerable<Member> members, string path)
    {
        bool isGood = CheckRetired(type, path, NumberRange.Versioned, NumberRange.Versioned.Max);
        var numbers = new MemberNumbers(NumberRange.Versioned, RetiredNumbers(type));
        foreach (Member member in members)
            isGood &= TakeNumber(numbers, member.Number, member, PlaceOf(member.Symbol), PathOf(member.Symbol, type, path),
                NumberRange.Versioned.Max);
        return isGood;
    }

    /// <summary>Takes a number of a member, and reports problems with it.</summary>
    private bool TakeNumber(MemberNumbers numbers, int? number, Member member, Location at, string path, object range)
    {
        NumberVerdict verdict = numbers.Add(number, member.Name, out string other);
        DiagnosticDescriptor? problem = verdict switch
        {
            NumberVerdict.Missing => Descriptors.NumberMissing,
            NumberVerdict.OutOfRange => Descriptors.NumberOutOfRange,
            NumberVerdict.Twice => Descriptors.NumberTwice,
            NumberVerdict.Retired => Descriptors.NumberRetired,
            _ => null,
        };
        if (verdict == NumberVerdict.Missing && member.OneofCases.Count == 0)
            ReportCounted(Descriptors.NumberMissing, member.Symbol, path, "has", "have");
        else if (problem == Descriptors.NumberMissing)
            Report(problem, at, path + " has");
        else if (problem is not null)
            Report(problem, at, path, number ?? 0, verdict == NumberVerdict.OutOfRange ? range : other);
        return problem is null;
    }

    internal static HashSet<int> RetiredNumbers(INamedTypeSymbol type) => [.. RetiredAttributes(type).SelectMany(MemberNumbers.RetiredBy)];

    private static IEnumerable<SymbolAttribute> RetiredAttributes(INamedTypeSymbol type) =>
        Symbols.Levels(type).SelectMany(l => l.GetAttributes()).Select(a => new SymbolAttribute(a))
        .Where(a => a.Name == AttributeNames.RetiredMembers);

    /// <summary>Reports a retired number that is out of range, and probably a mistake.</summary>
    private bool CheckRetired(INamedTypeSymbol type, string path, NumberRange range, object text)
    {
        bool isGood = true;
        foreach (SymbolAttribute attribute in RetiredAttributes(type))
        {
            foreach (int number in MemberNumbers.RetiredBy(attribute).Where(n => !range.Contains(n)))
            {
                Report(Descriptors.NumberOutOfRange, attribute.Data.LocationIn(compilation) ?? Location, path + ", [RetiredMembers]", number, text);
                isGood = false;
            }
        }

        return isGood;
    }

    /// <summary>Orders the members of a record by their numbers.</summary>
    private static RecordShape Numbered(RecordShape record, List<Member> members, IMethodSymbol? constructor, Member? unknown)
    {
        int[] order = Enumerable.Range(0, members.Count).OrderBy(i => members[i].Number).ToArray();
        IEnumerable<MemberModel> sorted = order.Select(i => record.Members[i] with
        {
            Number = members[i].Number.GetValueOrDefault(),
            Default = DefaultOf(constructor, record.ConstructorMembers, i),
        });
        return record with
        {
            IsNumbered = true,
            Members = sorted.ToEquatable(),
            ConstructorMembers = record.ConstructorMembers.Select(i => Array.IndexOf(order, i)).ToEquatable(),
            UnknownAccess = unknown is null ? "" : Symbols.Identifier(unknown.Name),
            IsUnknownInitOnly = unknown is { IsInitOnly: true },
            IsMadeAtOnce = record.IsMadeAtOnce || unknown is { IsInitOnly: true },
        };
    }

    private static string DefaultOf(IMethodSymbol? constructor, EquatableArray<int> constructorMembers, int memberIndex)
    {
        for (int i = 0; i < constructorMembers.Count; i++)
        {
            if (constructorMembers[i] != memberIndex || constructor is null || !constructor.Parameters[i].HasExplicitDefaultValue)
                continue;
            IParameterSymbol parameter = constructor.Parameters[i];
            // For a parameter "= null" or "= default" the rule for missing members has the same result, without an undeclared null.
            if (parameter.ExplicitDefaultValue is not object value)
                return "";
            string literal = value switch
            {
                double d when double.IsNaN(d) => "double.NaN",
                double d when double.IsInfinity(d) => d > 0 ? "double.PositiveInfinity" : "double.NegativeInfinity",
                float f when float.IsNaN(f) => "float.NaN",
                float f when float.IsInfinity(f) => f > 0 ? "float.PositiveInfinity" : "float.NegativeInfinity",
                double d => d.ToString("R", CultureInfo.InvariantCulture) + "D",
                float f => f.ToString("R", CultureInfo.InvariantCulture) + "F",
                DateTime d => $"new global::System.DateTime({d.Ticks.ToString(CultureInfo.InvariantCulture)}L)",
                decimal m => m.ToString(CultureInfo.InvariantCulture) + "M",
                _ => SymbolDisplay.FormatPrimitive(value, quoteStrings: true, useHexadecimalNumbers: false),
            };
            return value is string ? literal : $"({parameter.Type.Display()})({literal})";
        }

        return "";
    }

    /// <summary>Finds the member that stores the unknown ones.</summary>
    /// <returns>False if it cannot.</returns>
    private bool TryFindUnknown(INamedTypeSymbol type, string path, out Member? unknown)
    {
        unknown = null;
        foreach (Member member in Member.FindUnknown(type))
        {
            string? problem = !Symbols.IsPublicInstance(member.Symbol)
                ? "it is not public"
                : unknown is not null
                ? "there is already another such member"
                : member.Type.NullableAnnotation == NullableAnnotation.NotAnnotated
                ? "declare it nullable, since most bodies have none"
                : !member.CanSet
                ? "it needs a public setter, or init"
                : member.IsRequired
                ? "it cannot be required"
                : IsNameHidden(member.Symbol, type)
                ? "a derived class gives its name to something else"
                : null;
            unknown = member;
            if (problem is null)
                continue;
            Report(Descriptors.UnknownMembers, member.Symbol, path + "." + member.Name, problem);
            return false;
        }

        return true;
    }
}
