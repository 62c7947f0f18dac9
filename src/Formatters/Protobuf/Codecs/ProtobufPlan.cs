using System;
using System.Collections.Generic;
using System.Diagnostics.CodeAnalysis;
using System.Linq;
using System.Reflection;
using System.Runtime.Serialization;

namespace Formatters;

/// <summary>A field, and the member that it is of: of a oneof it has several.</summary>
/// <param name="Info">The field or property.</param>
/// <param name="Type">Its type.</param>
/// <param name="Number">The number of the field.</param>
/// <param name="SchemaName">Its name in a <c>.proto</c> file.</param>
/// <param name="Encoding">How its integers are written.</param>
/// <param name="CanSet">Whether it can be set when the object is made.</param>
internal sealed record ProtobufPlace(MemberInfo Info, AnnotatedType Type, int Number, string SchemaName, MemberEncoding Encoding, bool CanSet)
{
    /// <summary>Whether its elements are packed, if they can be.</summary>
    internal bool IsPacked { get; init; } = true;

    /// <summary>Which case of a oneof it is; null if the member has this field alone.</summary>
    internal OneofPlace? Case { get; init; }

    /// <summary>The index of the first field of the member.</summary>
    internal int Owner { get; init; }
}

/// <summary>A case of a oneof.</summary>
/// <param name="Type">Its type.</param>
/// <param name="SchemaName">Its name in a <c>.proto</c> file.</param>
internal sealed record OneofPlace(Type Type, string SchemaName);

/// <summary>The members of a record by their numbers, and how an object is made. The rules: docs/wire/protobuf.md, "Contracts".</summary>
/// <param name="Members">The fields in the order of their numbers.</param>
/// <param name="Maker">How an object is made; its indexes are those of <paramref name="Members"/>.</param>
/// <param name="Unknown">The member that keeps unknown fields; null if there is none.</param>
internal sealed record ProtobufPlan(IReadOnlyList<ProtobufPlace> Members, ObjectMaker Maker, RecordMember? Unknown)
{
    [RequiresUnreferencedCode(ReflectionMessages.Trimming)]
    [RequiresDynamicCode(ReflectionMessages.DynamicCode)]
    internal static ProtobufPlan Create(AnnotatedType annotated, string path)
    {
        Type type = annotated.Type;
        ProtobufMark.RefuseIncludes(type, path);
        bool isTuple = ContractBuilder.IsOfBaseLibrary(type);
        List<(MemberInfo Info, AnnotatedType Type)> all = MemberOrder.Find(annotated);
        all.RemoveAll(static member => ProtobufMark.IsLeftOut(member.Info));
        var candidates = new List<(MemberInfo Info, AnnotatedType Type)>(all);
        ConstructorInfo? constructor = ConstructorChoice.Find(type, candidates, path);
        int[] memberIndexes = ConstructorChoice.KeepMembers(type, constructor, candidates, path);
        if (all.Count == 0 && MemberOrder.HasState(type))
            throw new ArgumentException($"{path}: {TypeNames.Of(type)} has state, but no public member that can be set; its values would be lost.");

        bool isOptIn = ProtobufMark.IsOptIn(type);
        HashSet<int> retired = MemberNumbers.FindRetired(type, path, ProtobufBytes.MaxNumber, static number => number is >= ProtobufBytes.FirstReservedNumber and <= ProtobufBytes.LastReservedNumber);
        var members = new List<ProtobufPlace>();
        for (int i = 0; i < all.Count; i++)
        {
            (MemberInfo info, AnnotatedType memberType) = all[i];
            int index = candidates.FindIndex(candidate => candidate.Info == info);
            int argument = index < 0 ? -1 : Array.IndexOf(memberIndexes, index);
            string memberPath = path + "." + info.Name;
            ProtobufMark mark = isTuple ? new ProtobufMark(i + 1, null, MemberEncoding.Default)
                : ProtobufMark.Of(info, MemberNumbers.MarkedParameter(info, argument < 0 ? null : constructor!.GetParameters()[argument]), memberPath);
            if (mark.Number is null && (isOptIn && argument < 0 || index < 0))
                continue;
            if (index < 0)
                MemberOrder.RefuseUnread(info, memberPath);
            if (mark.Cases.Count > 0)
            {
                members.AddRange(OneofPlaces(info, memberType, mark, retired, memberPath));
                continue;
            }

            int number = mark.Number ?? throw new ArgumentException($"{memberPath} has no number: give it one, [MessageMember(n)], or leave it out.");
            Check(number, retired, memberPath);
            members.Add(new ProtobufPlace(info, memberType, number, SchemaNames.ToSnakeCase(mark.Name ?? info.Name), mark.Encoding, RecordMember.CanSet(info)) { IsPacked = mark.IsPacked });
        }

        ProtobufPlace[] places = [.. members.OrderBy(static place => place.Number)];
        for (int i = 1; i < places.Length; i++)
        {
            if (places[i].Number == places[i - 1].Number)
                throw new ArgumentException($"{path}.{places[i].Info.Name} has the number {places[i].Number}, which {places[i - 1].Info.Name} has, too.");
        }

        places = Array.ConvertAll(places, place => place with { Owner = Array.FindIndex(places, other => other.Info == place.Info) });

        int[] indexes = Array.ConvertAll(memberIndexes, index => Array.FindIndex(places, place => place.Info == candidates[index].Info));
        return new ProtobufPlan(places, new ObjectMaker(type, constructor, indexes), isTuple ? null : MemberNumbers.FindUnknown(type, path));
    }

    /// <summary>The fields of a member whose cases are fields of the containing message.</summary>
    [RequiresUnreferencedCode(ReflectionMessages.Trimming)]
    private static IEnumerable<ProtobufPlace> OneofPlaces(MemberInfo info, AnnotatedType memberType, ProtobufMark mark, HashSet<int> retired, string path)
    {
        Type union = memberType.Type;
        if (!union.IsDefined(typeof(MessageUnionAttribute), inherit: false) || !union.IsInterface && !union.IsAbstract)
            throw new ArgumentException($"{path} has [MessageOneof], but {TypeNames.Of(union)} is not a union: an interface or abstract class with [MessageUnion].");
        if (info.IsDefined(typeof(MessageFormatterAttribute), inherit: false))
            throw new ArgumentException($"{path} has [MessageOneof] and [MessageFormatter]; remove one of them.");
        if (mark.Encoding != MemberEncoding.Default || !mark.IsPacked)
            throw new ArgumentException($"{path} has [MessageOneof]; neither Encoding nor IsPacked applies to it.");
        List<Type> listed = UnionCases.Find(union, path).ConvertAll(static unionCase => unionCase.Type);
        foreach (MessageOneofAttribute oneof in mark.Cases)
        {
            if (!listed.Remove(oneof.Type))
            {
                string repeated = mark.Cases.Count(other => other.Type == oneof.Type) > 1 ? "lists it twice" : "lists it, but it is not a case of the union " + TypeNames.Of(union);
                throw new ArgumentException($"{path}, {TypeNames.Of(oneof.Type)}: [MessageOneof] {repeated}.");
            }

            Check(oneof.Number, retired, path);
            yield return new ProtobufPlace(info, memberType, oneof.Number, SchemaNames.ToSnakeCase(mark.Name ?? info.Name), MemberEncoding.Default, RecordMember.CanSet(info))
            {
                Case = new OneofPlace(oneof.Type, SchemaNames.ToSnakeCase(oneof.Name ?? oneof.Type.Name)),
            };
        }

        if (listed.Count > 0)
            throw new ArgumentException($"{path}: [MessageOneof] does not list {TypeNames.Of(listed[0])}, a case of the union {TypeNames.Of(union)}.");
    }

    private static void Check(int number, HashSet<int> retired, string path)
    {
        if (number is < 1 or > ProtobufBytes.MaxNumber)
            throw new ArgumentException($"{path} has the number {number}; numbers are 1 to {ProtobufBytes.MaxNumber}.");
        if (number is >= ProtobufBytes.FirstReservedNumber and <= ProtobufBytes.LastReservedNumber)
            throw new ArgumentException($"{path} has the number {number}; {ProtobufBytes.FirstReservedNumber} to {ProtobufBytes.LastReservedNumber} are reserved by protobuf.");
        if (retired.Contains(number))
            throw new ArgumentException($"{path} has the number {number}, which is retired: bodies that hold the former member may still wait.");
    }
}

/// <summary>
/// What the attributes of a member say of its field: ours, <c>[DataMember]</c>, or, known by their full names, those of protobuf-net.
/// </summary>
internal readonly record struct ProtobufMark(int? Number, string? Name, MemberEncoding Encoding)
{
    /// <summary>Whether elements are packed, if they can be.</summary>
    internal bool IsPacked { get; init; } = true;

    /// <summary>The cases of a oneof; none if the member has one field.</summary>
    internal IReadOnlyList<MessageOneofAttribute> Cases { get; init; } = [];

    private const string Member = "ProtoBuf.ProtoMemberAttribute";
    private const string Ignore = "ProtoBuf.ProtoIgnoreAttribute";
    private const string Contract = "ProtoBuf.ProtoContractAttribute";
    private const string Include = "ProtoBuf.ProtoIncludeAttribute";

    // ProtoBuf.DataFormat
    private const int ZigZagFormat = 1;
    private const int FixedSizeFormat = 3;
    private const int GroupFormat = 4;

    internal static bool IsLeftOut(MemberInfo member) => Find(member, Ignore) is not null;

    /// <summary>Whether only members with a number take part.</summary>
    internal static bool IsOptIn(Type type) => Find(type, Contract) is not null;

    internal static void RefuseIncludes(Type type, string path)
    {
        if (Find(type, Include) is not null)
            throw new ArgumentException($"{path}: {TypeNames.Of(type)} has [ProtoInclude], protobuf-net's form of inheritance, which is not supported; [MessageUnion] makes a oneof.");
    }

    /// <param name="member">The member.</param>
    /// <param name="parameter">The constructor's parameter that takes it: on a positional record it carries the attribute.</param>
    /// <param name="path">The member path for an error.</param>
    [RequiresUnreferencedCode(ReflectionMessages.Trimming)]
    internal static ProtobufMark Of(MemberInfo member, ParameterInfo? parameter, string path)
    {
        MessageMemberAttribute? own = member.GetCustomAttribute<MessageMemberAttribute>() ?? parameter?.GetCustomAttribute<MessageMemberAttribute>();
        bool isPacked = own?.IsPacked ?? true;
        if (MemberNumbers.OneofCases(member) is { Count: > 0 } cases)
            return new ProtobufMark(cases[0].Number, own?.Name, own?.Encoding ?? MemberEncoding.Default) { IsPacked = isPacked, Cases = cases };
        if (own is { Number: not 0 })
            return new ProtobufMark(own.Number, own.Name, own.Encoding) { IsPacked = isPacked };
        if (Find(member, Member) is CustomAttributeData { ConstructorArguments.Count: > 0 } attribute)
        {
            return new ProtobufMark(attribute.ConstructorArguments[0].Value as int?, Named(attribute, "Name") as string, EncodingOf(attribute, path))
            {
                IsPacked = isPacked && Named(attribute, "IsPacked") is not false,
            };
        }

        DataMemberAttribute? data = member.GetCustomAttribute<DataMemberAttribute>();
        return new ProtobufMark(data is { Order: > 0 } ? data.Order : null, own?.Name ?? data?.Name, own?.Encoding ?? MemberEncoding.Default) { IsPacked = isPacked };
    }

    private static MemberEncoding EncodingOf(CustomAttributeData attribute, string path) => (Named(attribute, "DataFormat") as int?) switch
    {
        ZigZagFormat => MemberEncoding.ZigZag,
        FixedSizeFormat => MemberEncoding.Fixed,
        GroupFormat => throw new ArgumentException($"{path}: groups are read and passed over, but not written."),
        _ => MemberEncoding.Default,
    };

    private static object? Named(CustomAttributeData attribute, string name)
    {
        foreach (CustomAttributeNamedArgument argument in attribute.NamedArguments)
        {
            if (argument.MemberName == name)
                return argument.TypedValue.Value;
        }

        return null;
    }

    private static CustomAttributeData? Find(MemberInfo member, string fullName)
    {
        foreach (CustomAttributeData attribute in member.GetCustomAttributesData())
        {
            if (attribute.AttributeType.FullName == fullName)
                return attribute;
        }

        return null;
    }
}
