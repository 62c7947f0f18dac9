using System;
using System.Collections.Generic;
using System.Diagnostics.CodeAnalysis;
using System.Linq;
using Formatters.Contracts;

namespace Formatters;

/// <summary>
/// The members of a record in MessagePack order, and the construction of its objects. The rules: docs/wire/messagepack.md, "Contracts".
/// </summary>
/// <param name="IsMap">Whether it has the map form.</param>
/// <param name="IsExact">Whether a body with fewer or more members is refused.</param>
/// <param name="Members">The members in the order in which they are written.</param>
/// <param name="Maker">Creates objects; its indexes are those of <paramref name="Members"/>.</param>
internal sealed record RecordPlan(bool IsMap, bool IsExact, IReadOnlyList<MemberPlace> Members, ObjectMaker Maker)
{
    [RequiresUnreferencedCode(ReflectionMessages.Trimming)]
    [RequiresDynamicCode(ReflectionMessages.DynamicCode)]
    internal static RecordPlan Create(AnnotatedType annotated, string path, TraversalOptions options)
    {
        Type type = annotated.Type;
        ForeignChecks.Check(annotated, path, ForeignFormats.Packed);
        List<ReflectedMember> all = ReflectedMembers.Find(annotated);
        all.RemoveAll(PackedMark.IsLeftOut);
        var candidates = new List<ReflectedMember>(all);
        Construction construction = Construction.Find(type, candidates, path);
        if (all.Count == 0 && ReflectedMembers.HasState(type))
            throw new ArgumentException($"{path}: {type} has state, but no public member that can be set; its values would be lost.");

        var members = new List<ReflectedMember>();
        var marks = new List<PackedMark>();
        foreach (ReflectedMember member in all)
        {
            int index = candidates.IndexOf(member);
            PackedMark mark = PackedMark.Of(member, member.MarkedParameter(construction.ParameterOf(index)));
            RefuseNegative(mark, member, path + "." + member.Name);
            if (Contradiction.OfKey(member, member.MarkedParameter(construction.ParameterOf(index))) is string contradiction)
                throw new ArgumentException($"{path}.{member.Name}: {contradiction}.");
            // A member that cannot be set is written only if an attribute requests it, and is computed.
            if (index < 0 && mark.IsExplicit)
                ReflectedMembers.RefuseUnread(member, path + "." + member.Name);
            if (index < 0 && !mark.IsExplicit)
                continue;
            members.Add(member);
            marks.Add(mark);
        }

        bool isTuple = ContractBuilder.IsOfBaseLibrary(type);
        bool isMap = !isTuple && options.RecordForm switch
        {
            MessagePackForm.Array => false,
            MessagePackForm.Map => true,
            _ => PackedMark.IsMap(new ReflectedType(type), marks),
        };
        bool isNumbered = !isMap && PackedMark.HasNumbers(marks);
        int[] order = !isMap
            ? [.. Enumerable.Range(0, members.Count).OrderBy(i => isNumbered ? marks[i].Index : i)]
            : options.SortsNames
            ? PackedMark.CanonicalOrder([.. members.Select((m, i) => marks[i].Name ?? m.Name)])
            : PackedMark.MapOrder(members, marks, static m => Depth(((ReflectedMember)m).Info.DeclaringType));
        MemberPlace[] places =
            [.. order.Select((i, at) => new MemberPlace(members[i].Info, members[i].Type, isMap || isNumbered ? marks[i].Index ?? -1 : at,
                marks[i].Name ?? members[i].Name, members[i].CanSet))];
        CheckPlaces(places, isMap, isMap || isTuple ? [] : NumberedMembers.FindRetired(type, path, NumberRange.Packed), path);
        int[] indexes = Array.ConvertAll(construction.MemberIndexes, index => Array.FindIndex(places, place => place.Info == candidates[index].Info));
        return new RecordPlan(isMap, isTuple, places, new ObjectMaker(type, construction.Constructor, indexes));

        static int Depth(Type? declaringType) => declaringType is null ? 0 : Depth(declaringType.BaseType) + 1;
    }

    private static void RefuseNegative(PackedMark mark, ReflectedMember member, string path)
    {
        if (mark.Index is not < 0)
            return;
        bool isKey = !member.Has(AttributeNames.Member) && member.Has(AttributeNames.MessagePackKey);
        throw new ArgumentException(isKey
            ? $"{path}: the key {mark.Index} is negative."
            : mark.Index == -1 ? $"{path}: the number 0 is not allowed; numbers start at 1." : $"{path}: the number {mark.Index + 1} is negative.");
    }

    private static void CheckPlaces(MemberPlace[] places, bool isMap, HashSet<int> retired, string path)
    {
        var names = new HashSet<string>();
        var numbers = new MemberNumbers(NumberRange.Packed, retired);
        foreach (MemberPlace place in places)
        {
            string memberPath = path + "." + place.Info.Name;
            if (isMap)
            {
                if (!names.Add(place.Key))
                    throw new ArgumentException($"{memberPath}: two members have the name \"{place.Key}\".");
                continue;
            }

            int number = place.Index + 1;
            string? problem = numbers.Add(place.Index < 0 ? null : number, place.Info.Name, out _) switch
            {
                NumberVerdict.Missing => ": the member has no number, and others of its type have one.",
                NumberVerdict.OutOfRange => $": the number is above {NumberRange.Packed.Max}.",
                NumberVerdict.Twice => ": another member has the same number.",
                NumberVerdict.Retired => $" has the number {number}, which is retired: bodies with the former member may still be in a queue.",
                _ => null,
            };
            if (problem is not null)
                throw new ArgumentException(memberPath + problem);
        }
    }
}
