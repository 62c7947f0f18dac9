using System;
using System.Collections.Generic;
using System.Diagnostics.CodeAnalysis;
using System.Reflection;
using Formatters.Generated;

namespace Formatters;

/// <summary>Makes the codec of a type in one format from its declaration. The rules: docs/wire/messagepack.md, "Contracts".</summary>
[RequiresUnreferencedCode(ReflectionMessages.Trimming)]
[RequiresDynamicCode(ReflectionMessages.DynamicCode)]
internal sealed class WireCodecBuilder<TFormat>
    where TFormat : struct, IWireFormat
{
    private const BindingFlags Own = BindingFlags.Static | BindingFlags.Instance | BindingFlags.NonPublic | BindingFlags.DeclaredOnly;

    private readonly MessagePackOptions _options;
    private readonly Dictionary<(Type Type, string Key), object> _codecs = [];

    private WireCodecBuilder(MessagePackOptions options) => _options = options;

    /// <exception cref="ArgumentException">The type, or one in it, has no contract; the text names the member.</exception>
    internal static WireCodec<TFormat, T> Build<T>(MessagePackOptions options)
    {
        if (Nullable.GetUnderlyingType(typeof(T)) is not null)
            throw new ArgumentException($"{typeof(T)}: the payload itself cannot be null; make a formatter of the underlying type.");
        return (WireCodec<TFormat, T>)new WireCodecBuilder<TFormat>(options).Get(AnnotatedType.Unannotated(typeof(T), options.UnannotatedAllowsNull), typeof(T).Name);
    }

    private object Get(AnnotatedType type, string path)
    {
        if (!type.IsNullable)
            return GetNonNull(type, path);
        (Type, string) key = (type.Type, "?" + type.Key);
        if (_codecs.TryGetValue(key, out object? known))
            return known;
        object codec = type.Type.IsValueType
            ? Make(typeof(WireNullableCodec<,>), [type.Arguments[0].Type], GetNonNull(type.Arguments[0], path))
            : Make(typeof(WireNullableObjectCodec<,>), [type.Type], GetNonNull(type, path));
        return _codecs[key] = codec;
    }

    private object GetNonNull(AnnotatedType annotated, string path)
    {
        Type type = annotated.Type;
        (Type, string) key = (type, annotated.Key);
        if (_codecs.TryGetValue(key, out object? known))
            return known;
        if (ContractBuilder.GenericDepth(type) > ContractBuilder.MaxGenericDepth)
            throw new ArgumentException($"{path}: {type.Name} is generic {ContractBuilder.MaxGenericDepth} times over; its contract would have no end.");

        object? codec = FindOwn(type) ?? FindFormatter(type, type, path) ?? WireScalarCodecs<TFormat>.Find(type);
        if (codec is null && type.IsEnum)
            codec = Make(typeof(WireEnumCodec<,,>), [type, type.GetEnumUnderlyingType()], WireScalarCodecs<TFormat>.Find(type.GetEnumUnderlyingType())!);
        else if (codec is null && type.IsArray)
            codec = GetArray(annotated, path);
        else if (codec is null && type.IsGenericType && ContractBuilder.FindCollection(type) is KnownCollection collection)
            codec = GetCollection(collection.Kind, annotated, path);
        if (codec is not null)
            return _codecs[key] = codec;

        ReflectedUnion? union = type.IsAbstract ? ReflectedUnion.Find(type, path, isPacked: true) : null;
        return union is { Cases.Count: > 0 } ? CallGeneric(nameof(AddUnion), [type], key, union, path) : GetRecord(annotated, key, path);
    }

    /// <summary>The codec that the options have for a type: only those of MessagePack have any.</summary>
    private object? FindOwn(Type type) => _options.FindCodec(type) is object codec ? Make(typeof(PackedCodec<,>), [type], codec) : null;

    private object? GetArray(AnnotatedType type, string path)
    {
        AnnotatedType element = type.Arguments[0];
        int rank = type.Type.GetArrayRank();
        if (rank == 1)
            return type.Type == element.Type.MakeArrayType() ? Make(typeof(WireArrayCodec<,>), [element.Type], GetElements(element, path)) : null;
        return Make(typeof(WireRectangularArrayCodec<,,>), [type.Type, element.Type], GetElements(element, path), rank);
    }

    private object GetCollection(CollectionKind kind, AnnotatedType type, string path)
    {
        switch (kind)
        {
            case CollectionKind.Dictionary:
                return GetDictionary(type.Type, type.Arguments[0], type.Arguments[1], path);
            case CollectionKind.MadeDictionary:
                Type written = typeof(Dictionary<,>).MakeGenericType(type.Arguments[0].Type, type.Arguments[1].Type);
                return Make(typeof(WireConvertedCodec<,,>), [type.Type, written], GetDictionary(written, type.Arguments[0], type.Arguments[1], path));
            case CollectionKind.List:
                return Make(typeof(WireListCodec<,,>), [type.Type, type.Arguments[0].Type], GetElements(type.Arguments[0], path));
        }

        bool isSet = kind == CollectionKind.Set;
        if (isSet)
            CheckKey(type.Arguments[0].Type, path);
        return Make(typeof(WireMadeCollectionCodec<,,>), [type.Type, type.Arguments[0].Type], GetElements(type.Arguments[0], path), isSet);
    }

    private object GetDictionary(Type dictionaryType, AnnotatedType keyType, AnnotatedType valueType, string path)
    {
        object key = GetNonNull(AnnotatedType.Unannotated(CheckKey(keyType.Type, path), _options.UnannotatedAllowsNull), path + "[]");
        object value = Get(valueType, path + "[]");
        int entryAllocation = Allocation.OfElement(keyType.Type) + Allocation.OfElement(valueType.Type) + 12;
        return Make(typeof(WireDictionaryCodec<,,,>), [dictionaryType, keyType.Type, valueType.Type], key, value, entryAllocation);
    }

    /// <summary>A member: by its formatter, or as a collection of objects of which it declares the element type, or as its type.</summary>
    private object GetMember(MemberPlace place, string path)
    {
        Type type = place.Type.Type;
        Type valueType = Nullable.GetUnderlyingType(type) ?? type;
        if (FindFormatter(place.Info, valueType, path) is object formatter)
            return OrNil(formatter, valueType, place.Type.IsNullable);
        Type? elementType = ContractBuilder.FindElementType(place.Info, null, path);
        if (!ContractBuilder.IsOfObjects(type))
            return Get(place.Type, path);
        if (elementType is null)
            throw new ArgumentException($"{path}: a collection of objects needs a declared element type ([ElementType] or [XmlArrayItem]).");
        if (Nullable.GetUnderlyingType(elementType) is not null)
            throw new ArgumentException($"{path}: the elements of a collection of objects cannot be declared as {TypeNames.Of(elementType)}; use a List<T>.");
        AnnotatedType element = AnnotatedType.Unannotated(elementType, _options.UnannotatedAllowsNull);
        return OrNil(ContractBuilder.IsHashtable(type) ? GetHashtable(place, element, path) : Make(typeof(WireObjectListCodec<,,>), [type, elementType], GetElements(element, path)), type, place.Type.IsNullable);
    }

    private object GetHashtable(MemberPlace place, AnnotatedType element, string path)
    {
        Type keyType = place.Info.GetCustomAttribute<ElementTypeAttribute>()?.KeyType
            ?? throw new ArgumentException($"{path}: a Hashtable needs declared types of its keys and values ([ElementType(typeof(TValue), KeyType = typeof(TKey))]).");
        Type written = typeof(Dictionary<,>).MakeGenericType(keyType, element.Type);
        return Make(typeof(WireConvertedCodec<,,>), [place.Type.Type, written], GetDictionary(written, AnnotatedType.Unannotated(keyType, _options.UnannotatedAllowsNull), element, path));
    }

    private static object OrNil(object codec, Type type, bool isNullable) =>
        !isNullable ? codec : Make(type.IsValueType ? typeof(WireNullableCodec<,>) : typeof(WireNullableObjectCodec<,>), [type], codec);

    /// <summary>The codec of a type or a member that names its formatter; null if it names none.</summary>
    private static object? FindFormatter(MemberInfo carrier, Type type, string path)
    {
        if (carrier.GetCustomAttribute<MessageFormatterAttribute>(inherit: false)?.FormatterType is not Type formatter)
            return null;
        if (default(TFormat).BodyType == BodyTypes.MessagePack && typeof(MessagePackCodec<>).MakeGenericType(type).IsAssignableFrom(formatter))
        {
            if (formatter.IsAbstract || formatter.ContainsGenericParameters || formatter.GetConstructor(Type.EmptyTypes) is null)
                throw new ArgumentException($"{path}: {TypeNames.Of(formatter)} is not a codec that can be created.");
            return Make(typeof(PackedCodec<,>), [type], Activator.CreateInstance(formatter)!);
        }

        FormattedContract.Make(type, formatter, path);
        return Make(typeof(WireFormattedCodec<,,>), [formatter, type]);
    }

    private object GetElements(AnnotatedType element, string path) =>
        Make(typeof(WireElements<,>), [element.Type], Get(element, path + "[]"), Allocation.OfElement(element.Type));

    private object GetRecord(AnnotatedType annotated, (Type, string) key, string path)
    {
        ContractBuilder.RefuseUnsupported(annotated.Type, path);
        RecordPlan plan = RecordPlan.Create(annotated, path, _options);
        return CallGeneric(nameof(AddRecord), [annotated.Type], key, plan, path);
    }

    private WireRecordCodec<TFormat, T> AddRecord<T>((Type, string) key, RecordPlan plan, string path)
    {
        var record = new WireRecordCodec<TFormat, T>(plan.IsMap, plan.IsExact) { ChecksDerived = _options.ChecksDerived(typeof(T)) };
        _codecs[key] = record; // before its members, which may be of this same type
        var members = new WireMemberCodec<TFormat, T>[plan.Members.Count];
        for (int i = 0; i < members.Length; i++)
        {
            MemberPlace place = plan.Members[i];
            object codec = GetMember(place, path + "." + place.Info.Name);
            members[i] = (WireMemberCodec<TFormat, T>)Make(typeof(WireMemberCodec<,,>), [typeof(T), place.Type.Type], place, codec);
        }

        record.Complete(members, plan.Maker);
        if (!plan.IsExact)
            record.Extend(path);
        return record;
    }

    private WireUnionCodec<TFormat, T> AddUnion<T>((Type, string) key, ReflectedUnion listed, string path)
        where T : class
    {
        var union = new WireUnionCodec<TFormat, T>();
        _codecs[key] = union;
        foreach ((int tag, Type caseType) in listed.Cases)
        {
            object codec = GetNonNull(AnnotatedType.Unannotated(caseType, _options.UnannotatedAllowsNull), path + "(" + caseType.Name + ")");
            union.Add(caseType, (WireUnionCase<TFormat, T>)Make(typeof(WireUnionCase<,,>), [typeof(T), caseType], tag, codec));
        }

        if (listed.Unknown is Type unknown)
            union.SetUnknown(ContractBuilder.FindParameterless(unknown, path), unknown);
        return union;
    }

    private static Type CheckKey(Type type, string path) =>
        type == typeof(string) || type.IsEnum || Scalar.Find(type) is not null
            ? type
            : throw new ArgumentException($"{path}: {type} cannot be a dictionary key; keys are strings, numbers, dates, GUIDs and enums.");

    private static object Make(Type definition, Type[] arguments, params object[] constructorArguments) =>
        Activator.CreateInstance(definition.MakeGenericType([typeof(TFormat), .. arguments]), constructorArguments)!;

    private static MethodInfo GetMethod(Type type, string name, params Type[] arguments) => type.GetMethod(name, Own)!.MakeGenericMethod(arguments);

    private object CallGeneric(string method, Type[] arguments, params object[] methodArguments)
    {
        try
        {
            return GetMethod(typeof(WireCodecBuilder<TFormat>), method, arguments).Invoke(this, methodArguments)!;
        }
        catch (TargetInvocationException e) when (e.InnerException is ArgumentException inner)
        {
            throw new ArgumentException(inner.Message, inner);
        }
    }
}
