using System;
using System.Collections.Generic;
using System.Linq;
using System.Text;

namespace Formatters;

/// <summary>
/// The position of a member in the array form and its name in the map form, of MessagePack and similar formats, according to its attributes: ours, or
/// those of MessagePack-CSharp; and <c>[DataMember]</c> in a type with <c>[DataContract]</c>, as MessagePack-CSharp interprets it.
/// docs/wire/messagepack.md, "Contracts".
/// </summary>
/// <param name="Index">The position, from 0; null for none.</param>
/// <param name="Name">The name; null for that of the member.</param>
/// <param name="IsExplicit">Whether there is an attribute, so that even a member that cannot be set is written.</param>
internal readonly record struct PackedMark(int? Index, string? Name, bool IsExplicit)
{
    internal static bool IsLeftOut(DeclarationView member) => member.Has(AttributeNames.MessagePackIgnore);

    /// <param name="member">The member.</param>
    /// <param name="parameter">The constructor's parameter that takes it, which carries the attribute of a positional record.</param>
    internal static PackedMark Of(MemberView member, ParameterView? parameter)
    {
        if ((member.Find(AttributeNames.Member) ?? parameter?.Find(AttributeNames.Member)) is AttributeView own)
            return new PackedMark((own.Argument(0) as int?) - 1, own.Named("Name") as string, true);
        if (member.Find(AttributeNames.MessagePackKey)?.Argument(0) is object key)
            return new PackedMark(key as int?, key as string, true);
        if (member.DeclaringType.IsOptIn && member.Find(AttributeNames.DataMember) is AttributeView data)
            return new PackedMark(data.Named("Order") is int order and >= 0 ? order : null, data.Named("Name") as string, true);
        return default;
    }

    /// <summary>
    /// Determines whether a type has the map form: it requests it with <c>[MessagePackObject(keyAsPropertyName: true)]</c>, or its members have no
    /// numbers. With an attribute that MessagePack-CSharp reads, a type without members is an array, as it is there.
    /// </summary>
    internal static bool IsMap(DeclarationView type, IReadOnlyCollection<PackedMark> marks)
    {
        AttributeView? packed = type.Find(AttributeNames.MessagePackObject);
        bool isArrayIfEmpty = packed is not null || type.Has(AttributeNames.DataContract);
        return packed?.Argument(0) is true || !HasNumbers(marks) && !(isArrayIfEmpty && marks.Count == 0);
    }

    internal static bool HasNumbers(IEnumerable<PackedMark> marks) => marks.Any(static mark => mark.Index is not null);

    /// <summary>
    /// Returns the order of the map form in MessagePack-CSharp: base classes first, and for each class its properties, then its fields; with
    /// <c>[Key]</c> names all properties first.
    /// </summary>
    /// <param name="members">The members in the order of the contract.</param>
    /// <param name="marks">Their marks.</param>
    /// <param name="depthOf">How many base classes the type that declares a member has.</param>
    internal static int[] MapOrder(IReadOnlyList<MemberView> members, IReadOnlyList<PackedMark> marks, Func<MemberView, int> depthOf)
    {
        bool hasKeys = marks.Any(static mark => mark.IsExplicit);
        return [.. Enumerable.Range(0, members.Count).OrderBy(i => hasKeys ? 0 : depthOf(members[i])).ThenBy(i => members[i].IsProperty ? 0 : 1)];
    }

    /// <summary>
    /// Returns the order of names in a body of a deterministic format: that of their encoded bytes, in which the length comes first.
    /// </summary>
    internal static int[] CanonicalOrder(IReadOnlyList<string> names)
    {
        byte[][] encoded = [.. names.Select(Encoding.UTF8.GetBytes)];
        int[] order = [.. Enumerable.Range(0, encoded.Length)];
        return [.. order.OrderBy(i => encoded[i], Comparer<byte[]>.Create(Compare))];

        static int Compare(byte[] x, byte[] y)
        {
            int result = x.Length.CompareTo(y.Length);
            for (int i = 0; result == 0 && i < x.Length; i++)
                result = x[i].CompareTo(y[i]);
            return result;
        }
    }
}
