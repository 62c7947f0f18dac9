using System;
using System.Collections.Generic;
using System.Diagnostics.CodeAnalysis;
using System.Linq;
using System.Reflection;

namespace Formatters;

/// <summary>A field and its member: a oneof has several fields.</summary>
/// <param name="Info">The field or property.</param>
/// <param name="Type">Its type.</param>
/// <param name="Number">The number of the field.</param>
/// <param name="SchemaName">Its name in a <c>.proto</c> file.</param>
/// <param name="Encoding">How its integers are written.</param>
/// <param name="CanSet">Whether it can be set when the object is made.</param>
internal sealed record ProtobufPlace(MemberInfo Info, AnnotatedType Type, int Number, string SchemaName, MemberEncoding Encoding, bool CanSet)
{
    /// <summary>Gets whether its elements are packed, if they can be.</summary>
    internal bool IsPacked { get; init; } = true;

    /// <summary>Gets the name of the oneof that the member is a case of; null if it is of none.</summary>
    internal string? Oneof { get; init; }

    /// <summary>Gets the case of a oneof; null if the member has this field alone.</summary>
    internal OneofPlace? Case { get; init; }

    /// <summary>Gets the index of the first field of the member.</summary>
    internal int Owner { get; init; }
}

/// <summary>A type of a union that is a oneof, and its name in the schema.</summary>
/// <param name="Type">Its type.</param>
/// <param name="SchemaName">Its name in a <c>.proto</c> file.</param>
internal sealed record OneofPlace(Type Type, string SchemaName);

/// <summary>The members of a record by their numbers, and the construction of its objects. The rules: docs/wire/protobuf.md, "Contracts".</summary>
/// <param name="Members">The fields in the order of their numbers.</param>
/// <param name="Maker">Creates objects; its indexes are those of <paramref name="Members"/>.</param>
/// <param name="Unknown">The member for unknown fields; null if there is none.</param>
internal sealed record ProtobufPlan(IReadOnlyList<ProtobufPlace> Members, ObjectMaker Maker, RecordMember? Unknown)
{
    [RequiresUnreferencedCode(ReflectionMessages.Trimming)]
    [RequiresDynamicCode(ReflectionMessages.DynamicCode)]
    internal static ProtobufPlan Create(AnnotatedType annotated, string path, bool usesBclTypes = false)
    {
        Type type = annotated.Type;
        ForeignChecks.Check(annotated, path, ForeignFormats.Protobuf, usesBclTypes);
        var view = new ReflectedType(type);
        bool isTuple = ContractBuilder.IsOfBaseLibrary(type);
        List<ReflectedMember> all = ReflectedMembers.Find(annotated);
        all.RemoveAll(FieldMark.IsLeftOut);
        var candidates = new List<ReflectedMember>(all);
        Construction construction = Construction.Find(type, candidates, path);
        if (all.Count == 0 && ReflectedMembers.HasState(type))
            throw new ArgumentException($"{path}: {TypeNames.Of(type)} has state, but no public member that can be set; its values would be lost.");

        var numbers = new MemberNumbers(NumberRange.Protobuf, NumberedMembers.FindRetired(type, path, NumberRange.Protobuf));
        var members = new List<ProtobufPlace>();
        for (int i = 0; i < all.Count; i++)
        {
            ReflectedMember member = all[i];
            int index = candidates.IndexOf(member);
            ReflectedParameter? parameter = construction.ParameterOf(index);
            string memberPath = path + "." + member.Name;
            FieldMark mark = isTuple ? new FieldMark(i + 1, null, MemberEncoding.Default) : FieldMark.Of(member, member.MarkedParameter(parameter));
            IReadOnlyList<AttributeView> cases = member.OneofCases;
            if (Contradiction.OfField(member, member.MarkedParameter(parameter)) is string contradiction)
                throw new ArgumentException($"{memberPath}: {contradiction}.");
            if (mark.IsGroup)
                throw new ArgumentException($"{memberPath}: groups are read and passed over, but not written.");
            if (mark.Number is null && cases.Count == 0 && (index < 0 || view.IsFieldOptIn && parameter is null))
                continue;
            if (index < 0)
                ReflectedMembers.RefuseUnread(member, memberPath);
            if (cases.Count > 0)
            {
                members.AddRange(OneofPlaces(member, mark, cases, numbers, memberPath));
                continue;
            }

            int number = NumberedMembers.Take(numbers, mark.Number, member.Name, memberPath, NumberRange.Protobuf);
            members.Add(new ProtobufPlace(member.Info, member.Type, number, SchemaNames.ToSnakeCase(mark.Name ?? member.Name), mark.Encoding,
                member.CanSet) { IsPacked = !mark.IsUnpacked, Oneof = mark.Oneof });
        }

        ProtobufPlace[] places = [.. members.OrderBy(static place => place.Number)];
        places = Array.ConvertAll(places, place => place with { Owner = Array.FindIndex(places, other => other.Info == place.Info) });

        int[] indexes = Array.ConvertAll(construction.MemberIndexes, index => Array.FindIndex(places, place => place.Info == candidates[index].Info));
        return new ProtobufPlan(places, new ObjectMaker(type, construction.Constructor, indexes), isTuple
            ? null
            : NumberedMembers.FindUnknown(type, path));
    }

    /// <summary>Returns the fields of a member whose cases are fields of the containing message.</summary>
    [RequiresUnreferencedCode(ReflectionMessages.Trimming)]
    private static IEnumerable<ProtobufPlace> OneofPlaces(ReflectedMember member, FieldMark mark, IReadOnlyList<AttributeView> cases,
        MemberNumbers numbers, string path)
    {
        Type union = member.Type.Type;
        if (!union.IsDefined(typeof(MessageUnionAttribute), inherit: false) || !union.IsInterface && !union.IsAbstract)
            throw new ArgumentException(
                $"{path} has [MessageOneof], but {TypeNames.Of(union)} is not a union: an interface or abstract class with [MessageUnion].");
        if (member.Info.IsDefined(typeof(MemberCodecAttribute), inherit: false))
            throw new ArgumentException($"{path} has [MessageOneof] and [MemberCodec]; remove one of them.");
        if (mark.Encoding != MemberEncoding.Default || mark.IsUnpacked)
            throw new ArgumentException($"{path} has [MessageOneof]; neither Encoding nor IsPacked applies to it.");
        if (mark.Oneof is not null)
            throw new ArgumentException($"{path} has [MessageOneof] and Oneof; remove one of them.");
        List<Type> listed = [.. ReflectedUnion.Find(union, path, isPacked: false).Cases.Select(static unionCase => unionCase.Type)];
        foreach (AttributeView oneof in cases)
        {
            var type = (Type)oneof.Argument(1)!;
            if (!listed.Remove(type))
            {
                string repeated = cases.Count(other => (Type?)other.Argument(1) == type) > 1
                    ? "lists it twice"
                    : "lists it, but it is not a case of the union " + TypeNames.Of(union);
                throw new ArgumentException($"{path}, {TypeNames.Of(type)}: [MessageOneof] {repeated}.");
            }

            int number = NumberedMembers.Take(numbers, oneof.Argument(0) as int?, member.Name, path, NumberRange.Protobuf);
            yield return new ProtobufPlace(member.Info, member.Type, number, SchemaNames.ToSnakeCase(mark.Name ?? member.Name),
                MemberEncoding.Default, member.CanSet)
            {
                Case = new OneofPlace(type, SchemaNames.ToSnakeCase(oneof.Named("Name") as string ?? type.Name)),
            };
        }

        if (listed.Count > 0)
            throw new ArgumentException(
                $"{path}: [MessageOneof] does not list {TypeNames.Of(listed[0])}, a case of the union {TypeNames.Of(union)}.");
    }
}
