using System;
using System.Collections.Generic;
using System.Diagnostics.CodeAnalysis;
using System.Linq;
using System.Reflection;

namespace Formatters;

/// <summary>The members of a record in the order in which MessagePack has them, and how an object is made. The rules: docs/wire/messagepack.md, "Contracts".</summary>
/// <param name="IsMap">Whether it has the map form.</param>
/// <param name="IsExact">Whether a body with fewer or more members is refused.</param>
/// <param name="Members">The members in the order in which they are written.</param>
/// <param name="Maker">How an object is made; its indexes are those of <paramref name="Members"/>.</param>
internal sealed record RecordPlan(bool IsMap, bool IsExact, IReadOnlyList<MemberPlace> Members, ObjectMaker Maker)
{
    // An array of more is no contract that anybody wrote by hand, and each body of it would be full of nils.
    private const int MaxMemberNumber = 10_000;

    [RequiresUnreferencedCode(ReflectionMessages.Trimming)]
    [RequiresDynamicCode(ReflectionMessages.DynamicCode)]
    internal static RecordPlan Create(AnnotatedType annotated, string path, MessagePackOptions options)
    {
        Type type = annotated.Type;
        List<(MemberInfo Info, AnnotatedType Type)> all = MemberOrder.Find(annotated);
        all.RemoveAll(static member => MemberMark.IsLeftOut(member.Info));
        var candidates = new List<(MemberInfo Info, AnnotatedType Type)>(all);
        ConstructorInfo? constructor = ConstructorChoice.Find(type, candidates, path);
        int[] memberIndexes = ConstructorChoice.KeepMembers(type, constructor, candidates, path);
        if (all.Count == 0 && MemberOrder.HasState(type))
            throw new ArgumentException($"{path}: {type} has state, but no public member that can be set; its values would be lost.");

        var members = new List<(MemberPlace Place, MemberMark Mark)>();
        foreach ((MemberInfo info, AnnotatedType memberType) in all)
        {
            int index = candidates.FindIndex(candidate => candidate.Info == info);
            int argument = index < 0 ? -1 : Array.IndexOf(memberIndexes, index);
            MemberMark mark = MemberMark.Of(info, MemberNumbers.MarkedParameter(info, argument < 0 ? null : constructor!.GetParameters()[argument]), path + "." + info.Name);

            // What cannot be set is written only if it was asked for, and is computed.
            if (index < 0 && mark.IsExplicit)
                MemberOrder.RefuseUnread(info, path + "." + info.Name);
            if (index >= 0 || mark.IsExplicit)
                members.Add((new MemberPlace(info, memberType, mark.Index ?? -1, mark.Name ?? info.Name, RecordMember.CanSet(info)), mark));
        }

        bool isTuple = ContractBuilder.IsOfBaseLibrary(type);
        bool hasNumbers = members.Exists(static member => member.Mark.Index is not null);
        bool isMap = !isTuple && options.Form switch
        {
            MessagePackForm.Array => false,
            MessagePackForm.Map => true,
            _ => MemberMark.HasNamedMembers(type, members.Count) ?? !hasNumbers,
        };
        MemberPlace[] places = isMap ? InMapOrder(members, options.IsCanonical) : InArrayOrder(members, hasNumbers);
        CheckPlaces(places, isMap, isMap || isTuple ? [] : MemberNumbers.FindRetired(type, path, MaxMemberNumber), path);
        int[] indexes = Array.ConvertAll(memberIndexes, index => Array.FindIndex(places, place => place.Info == candidates[index].Info));
        return new RecordPlan(isMap, isTuple, places, new ObjectMaker(type, constructor, indexes));
    }

    /// <summary>As MessagePack-CSharp has them: base classes first, and of each class its properties, then its fields; with <c>[Key]</c> names all properties first.</summary>
    private static MemberPlace[] InMapOrder(List<(MemberPlace Place, MemberMark Mark)> members, bool isCanonical)
    {
        if (isCanonical)
            return members.Select(static member => member.Place).OrderBy(static place => place.EncodedKey, ByteOrder.Instance).ToArray();
        bool hasKeys = members.Exists(static member => member.Mark.IsExplicit);
        return members.Select(static member => member.Place)
            .OrderBy(place => hasKeys ? 0 : Depth(place.Info.DeclaringType))
            .ThenBy(static place => place.Info is PropertyInfo ? 0 : 1)
            .ToArray();

        static int Depth(Type? type) => type is null ? 0 : Depth(type.BaseType) + 1;
    }

    private static MemberPlace[] InArrayOrder(List<(MemberPlace Place, MemberMark Mark)> members, bool hasNumbers) =>
        hasNumbers
            ? members.Select(static member => member.Place).OrderBy(static place => place.Index).ToArray()
            : members.Select(static (member, index) => member.Place with { Index = index }).ToArray();

    private static void CheckPlaces(MemberPlace[] places, bool isMap, HashSet<int> retired, string path)
    {
        var names = new HashSet<string>();
        int last = -1;
        foreach (MemberPlace place in places)
        {
            string memberPath = path + "." + place.Info.Name;
            if (isMap)
            {
                if (!names.Add(place.Key))
                    throw new ArgumentException($"{memberPath}: the name \"{place.Key}\" is that of two members.");
                continue;
            }

            if (place.Index < 0)
                throw new ArgumentException($"{memberPath}: the member has no number, and others of its type have one.");
            if (place.Index >= MaxMemberNumber)
                throw new ArgumentException($"{memberPath}: the number is above {MaxMemberNumber}.");
            if (place.Index == last)
                throw new ArgumentException($"{memberPath}: its number is that of another member.");
            if (retired.Contains(place.Index + 1))
                throw new ArgumentException($"{memberPath} has the number {place.Index + 1}, which is retired: bodies that hold the former member may still wait.");
            last = place.Index;
        }
    }

    private sealed class ByteOrder : IComparer<byte[]>
    {
        internal static readonly ByteOrder Instance = new();

        public int Compare(byte[]? x, byte[]? y) => x.AsSpan().SequenceCompareTo(y);
    }
}
