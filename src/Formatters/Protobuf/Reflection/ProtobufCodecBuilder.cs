using System;
using System.Collections.Generic;
using System.Diagnostics.CodeAnalysis;
using System.Linq;
using System.Linq.Expressions;
using System.Reflection;
using Formatters.Binary;
using Formatters.Generated;
using Formatters.Protobuf;

namespace Formatters;

/// <summary>Creates the codec of a type from its declaration. The rules: docs/wire/protobuf.md, "Contracts".</summary>
[RequiresUnreferencedCode(ReflectionMessages.Trimming)]
[RequiresDynamicCode(ReflectionMessages.DynamicCode)]
internal sealed class ProtobufCodecBuilder
{
    private const BindingFlags Own = BindingFlags.Static | BindingFlags.Instance | BindingFlags.NonPublic | BindingFlags.DeclaredOnly;

    private readonly ProtobufOptions _options;
    private readonly Dictionary<(Type Type, string Key), object> _codecs = [];
    private readonly Dictionary<(Type Type, string Key, MemberEncoding Encoding), object> _values = [];
    private bool _isEncodingUsed;
    private bool _isPackingUsed;

    internal ProtobufCodecBuilder(ProtobufOptions options) => _options = options;

    /// <exception cref="ArgumentException">The type, or one in it, has no contract; the message names the member.</exception>
    internal static ProtobufCodec<T> Build<T>(ProtobufOptions options)
    {
        ReflectionMessages.RequireDynamicCode();
        return (ProtobufCodec<T>)new ProtobufCodecBuilder(options).GetRoot(typeof(T));
    }

    /// <summary>Creates the codec of a payload: a <see cref="ProtobufCodec{T}"/> of the type.</summary>
    internal object GetRoot(Type type)
    {
        string path = TypeNames.Of(type);
        if (Nullable.GetUnderlyingType(type) is not null)
            throw new ArgumentException($"{path}: the payload itself cannot be null; make a formatter of the underlying type.");
        AnnotatedType annotated = AnnotatedType.Unannotated(type, _options.UnannotatedAllowsNull);
        return IsField(annotated) ? Make(typeof(WrapperCodec<>), [type], GetField(annotated, WrapperCodec<int>.Number, MemberEncoding.Default, path),
            SchemaNames.OfType(type) + "Value")
            : GetMessage(annotated, path);
    }

    /// <summary>Determines whether a type is not a message: a scalar, an enum or a collection.</summary>
    private bool IsField(AnnotatedType type) =>
        type.IsNullable || FindCodec(type.Type) is null
        && (ProtobufScalars.Find(type.Type, MemberEncoding.Default) is not null || type.Type.IsEnum || IsRepeated(type.Type));

    /// <summary>Determines whether a type is repeated as a member.</summary>
    private bool IsRepeated(Type type)
    {
        if (FindCodec(type) is not null || ProtobufScalars.Find(type, MemberEncoding.Default) is not null)
            return false;
        if (type.IsArray)
            return type.GetArrayRank() == 1 && type == type.GetElementType()!.MakeArrayType();
        return type.IsGenericType && ContractBuilder.FindCollection(type) is not null;
    }

    /// <summary>Creates a <see cref="ProtobufField{T}"/>.</summary>
    private object GetField(AnnotatedType type, int number, MemberEncoding encoding, string path, bool isPacked = true)
    {
        if (Nullable.GetUnderlyingType(type.Type) is Type underlying && !IsRepeated(underlying))
            return Make(typeof(OptionalField<>), [underlying], number, GetValue(type.Arguments[0], encoding, path));
        if (IsRepeated(type.Type))
            return GetRepeated(type, number, encoding, path, isPacked);
        object content = GetValue(type, encoding, path);
        return Make(type.IsNullable ? typeof(OptionalObjectField<>) : typeof(SingleField<>), [type.Type], number, content);
    }

    private object GetRepeated(AnnotatedType type, int number, MemberEncoding encoding, string path, bool isPacked)
    {
        CollectionKind? kind = ContractBuilder.FindCollection(type.Type)?.Kind;
        if (kind is CollectionKind.Dictionary or CollectionKind.MadeDictionary)
            return GetMap(type, kind == CollectionKind.MadeDictionary, number, encoding, path);
        Type element = type.Arguments[0].Type;
        object content = GetElement(type.Arguments[0], encoding, path);
        if (!isPacked)
            content = CallGeneric(nameof(Unpack), [element], content);
        object items = Make(typeof(RepeatedItems<>), [element], number, content, Allocation.OfElement(element));
        if (kind == CollectionKind.List)
            return Make(typeof(ListField<,>), [type.Type, element], items, type.IsNullable);
        bool isSet = kind == CollectionKind.Set;
        if (isSet)
            CheckKey(element, path);
        Type array = element.MakeArrayType();
        Delegate toArray = type.Type.IsArray
            ? GetDelegate(typeof(ProtobufCodecBuilder), nameof(Identity), [element], type.Type, array)
            : GetConversion(type.Type, array);
        Delegate make = type.Type.IsArray
            ? toArray
            : isSet
            ? GetDelegate(typeof(ProtobufCodecBuilder), nameof(MakeSet), [element, type.Type], array, type.Type)
            : GetConversion(array, type.Type);
        return Make(typeof(GatheredField<,>), [type.Type, element], items, type.IsNullable, isSet, toArray, make);
    }

    private object GetMap(AnnotatedType type, bool isConverted, int number, MemberEncoding encoding, string path)
    {
        Type keyType = CheckKey(type.Arguments[0].Type, path);
        Type valueType = type.Arguments[1].Type;
        object key = GetValue(type.Arguments[0], encoding, path + "[]");
        object content = GetElement(type.Arguments[1], encoding, path);
        int entryAllocation = Allocation.OfElement(keyType) + Allocation.OfElement(valueType) + 12;
        Type dictionary = typeof(Dictionary<,>).MakeGenericType(keyType, valueType);
        return Make(
            typeof(MapField<,,>),
            [type.Type, keyType, valueType],
            number,
            key,
            content,
            entryAllocation,
            type.IsNullable,
            isConverted ? GetConversion(type.Type, dictionary) : null,
            isConverted ? GetConversion(dictionary, type.Type) : null);
    }

    /// <summary>
    /// Creates the <see cref="ProtobufValue{T}"/> of a repeated value: a message around it, if it may be null or is repeated itself.
    /// </summary>
    private object GetElement(AnnotatedType type, MemberEncoding encoding, string path) =>
        type.IsNullable ? GetWrapped(type, encoding, path + "[]") : GetValue(type, encoding, path + "[]");

    /// <summary>Creates a <see cref="ProtobufValue{T}"/>.</summary>
    private object GetValue(AnnotatedType type, MemberEncoding encoding, string path)
    {
        (Type, string, MemberEncoding) key = (type.Type, type.Key, encoding);
        if (_values.TryGetValue(key, out object? known))
        {
            _isEncodingUsed |= IsEncoded(type.Type, encoding);
            return known;
        }

        object? value = null;
        if (type.Type.IsEnum)
            ForeignChecks.CheckAlone(type.Type, path, ForeignFormats.Protobuf);
        Type scalar = type.Type.IsEnum ? type.Type.GetEnumUnderlyingType() : type.Type;
        if (FindCodec(type.Type) is object own)
        {
            value = Make(typeof(ProtobufMessage<>), [type.Type], own);
        }
        else if (_options.UseBclTypes && BclCodecs.All.TryGetValue(type.Type, out object? bcl))
        {
            value = bcl;
        }
        else if ((ProtobufScalars.Find(scalar, encoding) ?? ProtobufScalars.Find(scalar, MemberEncoding.Default)) is object found)
        {
            _isEncodingUsed |= IsEncoded(type.Type, encoding);
            value = type.Type.IsEnum ? Make(typeof(ProtobufEnum<,>), [type.Type, scalar], found) : found;
        }
        else if (IsRepeated(type.Type))
        {
            value = GetWrapped(type, encoding, path);
        }

        return _values[key] = value ?? Make(typeof(ProtobufMessage<>), [type.Type], GetMessage(type, path));
    }

    private static bool IsEncoded(Type type, MemberEncoding encoding) =>
        encoding != MemberEncoding.Default && ProtobufScalars.Find(type.IsEnum ? type.GetEnumUnderlyingType() : type, encoding) is not null;

    private object GetWrapped(AnnotatedType type, MemberEncoding encoding, string path) =>
        Make(typeof(ProtobufMessage<>), [type.Type], Make(typeof(WrapperCodec<>), [type.Type],
            GetField(type, WrapperCodec<int>.Number, encoding, path), SchemaNames.OfType(type.Type, type.IsNullable)));

    /// <summary>Creates a <see cref="ProtobufCodec{T}"/> of a record, a union or a multidimensional array.</summary>
    private object GetMessage(AnnotatedType annotated, string path)
    {
        Type type = annotated.Type;
        (Type, string) key = (type, annotated.Key);
        if (FindCodec(type) is object own)
            return own;
        if (_codecs.TryGetValue(key, out object? known))
            return known;
        RefuseFormatter(type, path);
        if (ContractBuilder.GenericDepth(type) > ContractBuilder.MaxGenericDepth)
            throw new ArgumentException(
                $"{path}: {TypeNames.Of(type)} has more than {ContractBuilder.MaxGenericDepth} levels of generic types; its contract would never "
                + "end.");
        if (type.IsArray && type == type.GetElementType()!.MakeArrayType(type.GetArrayRank()))
            return _codecs[key] = GetGrid(annotated, path);
        if (type.IsAbstract)
            ForeignChecks.CheckAlone(type, path, ForeignFormats.Protobuf);
        if (type.IsDefined(typeof(MessageUnionAttribute), inherit: false) && (type.IsInterface || type.IsAbstract))
            return CallGeneric(nameof(AddUnion), [type], key, path);
        ContractBuilder.RefuseUnsupported(type, path);
        return CallGeneric(nameof(AddRecord), [type], key, ProtobufPlan.Create(annotated, path, _options.UseBclTypes), path);
    }

    private object GetGrid(AnnotatedType type, string path)
    {
        Type element = type.Arguments[0].Type;
        object lengths = GetField(AnnotatedType.Unannotated(typeof(int[])), MultidimensionalArrayCodec<int[], int>.LengthsNumber,
            MemberEncoding.Default, path);
        Type array = element.MakeArrayType();
        Delegate same = GetDelegate(typeof(ProtobufCodecBuilder), nameof(Identity), [element], array, array);
        object items = Make(typeof(RepeatedItems<>), [element], MultidimensionalArrayCodec<int[], int>.ElementsNumber,
            GetElement(type.Arguments[0], MemberEncoding.Default, path), Allocation.OfElement(element));
        object elements = Make(typeof(GatheredField<,>), [array, element], items, false, false, same, same);
        return Make(typeof(MultidimensionalArrayCodec<,>), [type.Type, element], lengths, elements, type.Type.GetArrayRank(),
            SchemaNames.OfType(type.Type));
    }

    private ProtobufRecord<T> AddRecord<T>((Type, string) key, ProtobufPlan plan, string path)
    {
        bool isOuterEncodingUsed = _isEncodingUsed;
        var record = new ProtobufRecord<T> { ChecksDerived = _options.ChecksDerived(typeof(T)) };
        _codecs[key] = record; // before its members, which may be of this same type
        var members = new ProtobufMember<T>[plan.Members.Count];
        var oneofs = new Dictionary<int, Array>();
        for (int i = 0; i < members.Length; i++)
        {
            ProtobufPlace place = plan.Members[i];
            string memberPath = path + "." + place.Info.Name;
            object field = place.Case is null ? GetFieldOfMember(place, memberPath) : GetCase(i);
            members[i] = (ProtobufMember<T>)Make(typeof(ProtobufMember<,>), [typeof(T), place.Type.Type], place, field);
        }

        record.Complete(members, plan, path);
        _isEncodingUsed = isOuterEncodingUsed;
        return record;

        object GetCase(int index)
        {
            int owner = plan.Members[index].Owner;
            ProtobufPlace[] places = [.. plan.Members.Where(place => place.Owner == owner)];
            if (!oneofs.TryGetValue(owner, out Array? fields))
                oneofs.Add(owner, fields = (Array)CallGeneric(nameof(MakeOneof), [places[0].Type.Type], places, path + "." + places[0].Info.Name));
            return fields.GetValue(Array.IndexOf(places, plan.Members[index]))!;
        }
    }

    private object GetFieldOfMember(ProtobufPlace place, string path)
    {
        if (place.Oneof is not null && (!place.Type.IsNullable || IsRepeated(place.Type.Type)))
            throw new ArgumentException($"{path} has Oneof = \"{place.Oneof}\", but is {(place.Type.IsNullable ? "a collection" : "not nullable")}.");
        _isEncodingUsed = place.Encoding == MemberEncoding.Default;
        _isPackingUsed = place.IsPacked;
        object field = GetFieldOfCodec(place) ?? GetFieldOfContract(place, path);
        return !_isEncodingUsed
            ? throw new ArgumentException($"{path} has Encoding = {place.Encoding}, which does not apply to it.")
            : !_isPackingUsed ? throw new ArgumentException(
                $"{path} has IsPacked = false, which does not apply to it: it is not a list of numbers or enums.")
            : field;
    }

    private ProtobufField<T?>[] MakeOneof<T>(ProtobufPlace[] places, string path)
        where T : class => ProtobufCode.OneofFields(
            places[0].Type.IsNullable, Array.ConvertAll(places, place => MakeCase<T>(place.Number, place.Case!.Type, path)));

    private ProtobufCase<T> MakeCase<T>(int number, Type type, string path)
        where T : class
    {
        object content = GetValue(AnnotatedType.Unannotated(type, _options.UnannotatedAllowsNull), MemberEncoding.Default,
            path + "(" + type.Name + ")");
        return (ProtobufCase<T>)Make(typeof(ProtobufCase<,>), [typeof(T), type], number, content);
    }

    /// <summary>Creates the field of a member with a custom codec.</summary>
    private static object? GetFieldOfCodec(ProtobufPlace place)
    {
        Type type = Nullable.GetUnderlyingType(place.Type.Type) ?? place.Type.Type;
        if (FindCodec(place.Info, type) is not object codec)
            return null;
        Type definition = type != place.Type.Type ? typeof(OptionalField<>) : place.Type.IsNullable
            ? typeof(OptionalObjectField<>)
            : typeof(SingleField<>);
        return Make(definition, [type], place.Number, Make(typeof(ProtobufMessage<>), [type], codec));
    }

    private object GetFieldOfContract(ProtobufPlace place, string path)
    {
        RefuseFormatter(place.Info, path);
        return GetField(place.Type, place.Number, place.Encoding, path, place.IsPacked);
    }

    private ProtobufUnion<T> AddUnion<T>((Type, string) key, string path)
        where T : class
    {
        var union = new ProtobufUnion<T>();
        _codecs[key] = union;
        var listed = ReflectedUnion.Find(typeof(T), path, isPacked: false);
        foreach ((int tag, Type caseType) in listed.Cases)
        {
            if (tag is < 1 or > ProtobufBytes.MaxNumber)
                throw new ArgumentException(
                    $"{path}: the union {TypeNames.Of(typeof(T))} has the tag {tag}; in protobuf tags are the numbers of fields, 1 or greater.");
            union.Add(MakeCase<T>(tag, caseType, path));
        }

        if (listed.Unknown is Type unknown)
        {
            if (unknown.GetConstructor(Type.EmptyTypes) is null)
                throw new ArgumentException(
                    $"{path}: {TypeNames.Of(unknown)} is to keep unknown tags, but is not a class that implements IUnknownCase.");
            union.SetUnknown(Expression.Lambda<Func<IUnknownCase>>(Expression.New(unknown)).Compile());
        }

        return union;
    }

    /// <summary>Finds the application's codec of a type: in the options, or by the <c>[MemberCodec]</c> of the type.</summary>
    private object? FindCodec(Type type) => _options.FindCodec(type) ?? FindCodec(type, type);

    /// <summary>Finds the <see cref="ProtobufCodec{T}"/> that the <c>[MemberCodec]</c> of a type or a member names, if it is one.</summary>
    private static object? FindCodec(MemberInfo marked, Type type)
    {
        Type codec = typeof(ProtobufCodec<>).MakeGenericType(type);
        return marked.GetCustomAttribute<MemberCodecAttribute>(inherit: false) is { CodecType: Type formatter }
            && codec.IsAssignableFrom(formatter)
            ? Activator.CreateInstance(formatter) : null;
    }

    /// <summary>Rejects an <see cref="BinaryCodec{T}"/>, which writes bytes of the binary wire format, not a message.</summary>
    private static void RefuseFormatter(MemberInfo member, string path)
    {
        if (member.IsDefined(typeof(MemberCodecAttribute), inherit: false))
            throw new ArgumentException(
                $"{path} has a [MemberCodec] that is not a ProtobufCodec<T> of its type; what it writes is not protobuf.");
    }

    private ProtobufValue<T> Unpack<T>(ProtobufValue<T> element)
    {
        _isPackingUsed |= element.IsPackable;
        return element.Unpacked();
    }

    private static T[] Identity<T>(T[] items)
    {
        if (items is null)
            ContractMethods.ThrowUnexpectedNull();
        return items;
    }

    private static TSet MakeSet<T, TSet>(T[] items)
        where T : notnull =>
        Conversion<HashSet<T>, TSet>.Convert(new HashSet<T>(items, typeof(T) == typeof(string) ? null : KeyedComparer<T>.Instance));

    private static Type CheckKey(Type type, string path) =>
        type == typeof(string) || type.IsEnum || Scalar.Find(type) is not null
            ? type
            : throw new ArgumentException(
                $"{path}: {TypeNames.Of(type)} cannot be a dictionary key; keys are strings, numbers, dates, GUIDs and enums.");

    private static Delegate GetConversion(Type from, Type to) =>
        typeof(Conversion<,>).MakeGenericType(from, to).GetMethod("Convert", Own)!.CreateDelegate(typeof(Func<,>).MakeGenericType(from, to));

    private static Delegate GetDelegate(Type type, string name, Type[] arguments, Type from, Type to) =>
        type.GetMethod(name, Own)!.MakeGenericMethod(arguments).CreateDelegate(typeof(Func<,>).MakeGenericType(from, to));

    private static object Make(Type definition, Type[] arguments, params object?[] constructorArguments) =>
        Activator.CreateInstance(definition.MakeGenericType(arguments), BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic, null,
            constructorArguments, null)!;

    private object CallGeneric(string method, Type[] arguments, params object[] methodArguments)
    {
        try
        {
            return typeof(ProtobufCodecBuilder).GetMethod(method, Own)!.MakeGenericMethod(arguments).Invoke(this, methodArguments)!;
        }
        catch (TargetInvocationException e) when (e.InnerException is ArgumentException inner)
        {
            throw new ArgumentException(inner.Message, inner);
        }
    }
}
