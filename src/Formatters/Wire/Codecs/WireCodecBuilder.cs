using System;
using System.Diagnostics.CodeAnalysis;
using System.Reflection;
using Formatters.Contracts;
using Formatters.Generated;
using Formatters.MessagePack;

namespace Formatters;

/// <summary>Creates the contract of a type in a traversal format. The rules: docs/wire/messagepack.md, "Contracts".</summary>
[RequiresUnreferencedCode(ReflectionMessages.Trimming)]
[RequiresDynamicCode(ReflectionMessages.DynamicCode)]
internal sealed class WireCodecBuilder<TFormat> : ContractBuilder
    where TFormat : struct, IWireFormat
{
    private readonly TraversalOptions _options;

    private WireCodecBuilder(TraversalOptions options)
        : base(options) => _options = options;

    /// <exception cref="ArgumentException">The type, or a type in it, has no contract; the message names the member.</exception>
    internal static ReflectedContract<TFormat, T> Build<T>(TraversalOptions options)
    {
        if (Nullable.GetUnderlyingType(typeof(T)) is not null)
            throw new ArgumentException($"{typeof(T)}: the payload itself cannot be null; make a formatter of the underlying type.");
        return new ReflectedContract<TFormat, T>(new WireCodecBuilder<TFormat>(options).GetRoot(typeof(T)));
    }

    private protected override ForeignFormats Formats => ForeignFormats.Packed;

    private protected override ValueContract? FindFormatted(MemberInfo carrier, Type type, string path)
    {
        if (carrier is Type && _options.FindCodec(type) is object codec)
            return new CodecContract(type, MakePacked(type, codec));
        if (carrier.GetCustomAttribute<MemberCodecAttribute>(inherit: false)?.CodecType is not Type formatter
            || default(TFormat).BodyType != BodyTypes.MessagePack || !typeof(MessagePackCodec<>).MakeGenericType(type).IsAssignableFrom(formatter))
            return base.FindFormatted(carrier, type, path)
                ?? (carrier is Type && type == typeof(ArraySegment<byte>) ? new CodecContract(type, null) : null);
        if (formatter.IsAbstract || formatter.ContainsGenericParameters || formatter.GetConstructor(Type.EmptyTypes) is null)
            throw new ArgumentException($"{path}: {TypeNames.Of(formatter)} is not a codec that can be created.");
        return new CodecContract(type, MakePacked(type, Activator.CreateInstance(formatter)!));
    }

    private protected override UnionContract? GetUnion(Type type, (Type, string) key, string path)
    {
        if (!type.IsAbstract || ReflectedUnion.Find(type, path, isPacked: true) is not { Cases.Count: > 0 } listed)
            return null;
        var union = new UnionContract(type, isVersioned: false);
        _contracts[key] = union;
        foreach ((int tag, Type caseType) in listed.Cases)
            union.Add(tag, GetNonNull(AnnotatedType.Unannotated(caseType, _options.UnannotatedAllowsNull), path + "(" + caseType.Name + ")", null));
        if (listed.Unknown is Type unknown)
            union.SetUnknown(unknown, FindParameterless(unknown, path));
        return union;
    }

    private protected override RecordContract AddRecord(AnnotatedType annotated, (Type, string) key, string path)
    {
        var plan = RecordPlan.Create(annotated, path, _options);
        var record = new TraversedRecord(annotated.Type, plan) { ChecksDerived = _options.ChecksDerived(annotated.Type) };
        _contracts[key] = record;
        var members = new RecordMember[plan.Members.Count];
        for (int i = 0; i < members.Length; i++)
        {
            MemberPlace place = plan.Members[i];
            ValueContract contract = GetMember(place.Info, place.Type, path + "." + place.Info.Name);
            members[i] = new RecordMember(place.Info as FieldInfo, place.Info as PropertyInfo, contract);
        }

        record.Complete(members, path);
        return record;
    }

    private static object MakePacked(Type type, object codec) =>
        Activator.CreateInstance(typeof(PackedCodec<,>).MakeGenericType(typeof(TFormat), type), codec)!;
}
