using System;
using System.Collections.Generic;
using System.Diagnostics.CodeAnalysis;
using System.Linq;
using System.Runtime.Serialization;

namespace Formatters;

/// <summary>The members of a record, and the construction of its objects.</summary>
/// <param name="type">The type.</param>
/// <param name="members">The members in the order of their numbers.</param>
/// <param name="plan">The plan from which they were created.</param>
/// <param name="checksDerived">Whether objects of derived classes are rejected.</param>
/// <param name="path">The path for an error.</param>
[RequiresUnreferencedCode(ReflectionMessages.Trimming)]
[RequiresDynamicCode(ReflectionMessages.DynamicCode)]
internal sealed class ProtobufLayout(Type type, IReadOnlyList<ProtobufMember> members, ProtobufPlan plan, bool checksDerived, string path)
{
    internal Type Type => type;

    internal IReadOnlyList<ProtobufMember> Members => members;

    internal ObjectMaker Maker => plan.Maker;

    /// <summary>Gets whether objects are created from members that have been read.</summary>
    internal bool IsMadeAtOnce => Maker.MemberIndexes.Count > 0;

    /// <inheritdoc cref="ProtobufPlan.Unknown"/>
    internal RecordMember? Unknown => plan.Unknown;

    internal bool ChecksDerived => checksDerived;

    /// <summary>Gets the indexes of the members of each oneof.</summary>
    internal IReadOnlyList<int[]> Oneofs { get; } =
    [
        .. members.Select(static (member, index) => (member, index)).Where(static place => place.member.OneofOfMembers is not null)
            .GroupBy(static place => place.member.OneofOfMembers, static place => place.index).Select(static group => group.ToArray()),
    ];

    /// <summary>Gets the oneof of each member; null for most.</summary>
    internal int[]?[] OneofOf => field ??=
        [.. members.Select(member => Oneofs.FirstOrDefault(cases => members[cases[0]].OneofOfMembers == member.OneofOfMembers))];

    internal RecordCallbacks? OnSerializing { get; } = FindCallbacks<OnSerializingAttribute>(type, path);

    internal RecordCallbacks? OnSerialized { get; } = FindCallbacks<OnSerializedAttribute>(type, path);

    internal RecordCallbacks? OnDeserializing { get; } = FindCallbacks<OnDeserializingAttribute>(type, path);

    internal RecordCallbacks? OnDeserialized { get; } = FindCallbacks<OnDeserializedAttribute>(type, path);

    private static RecordCallbacks? FindCallbacks<TAttribute>(Type type, string path)
        where TAttribute : Attribute => ContractBuilder.IsOfBaseLibrary(type) ? null : RecordCallbacks.FindAny<TAttribute>(type, path);
}
