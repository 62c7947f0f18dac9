using System;
using System.Collections;
using System.Collections.Generic;
using System.Diagnostics.CodeAnalysis;
using System.Linq;
using System.Reflection;
using System.Xml.Serialization;
using Formatters.Binary;
using Formatters.Contracts;
using Formatters.Generated;

namespace Formatters;

/// <summary>Creates the contract of a type from its declaration. The rules: docs/wire/binary.md, "Contracts".</summary>
[RequiresUnreferencedCode(ReflectionMessages.Trimming)]
[RequiresDynamicCode(ReflectionMessages.DynamicCode)]
internal partial class ContractBuilder
{
    // A type whose members have ever larger generic types (G<T> with a member of type G<List<T>>) would never end.
    internal const int MaxGenericDepth = 16;

    private readonly ContractOptions _options;
    private protected readonly Dictionary<(Type Type, string Key), ValueContract> _contracts = [];
    private readonly List<RecordContract> _records = [];

    private protected ContractBuilder(ContractOptions options)
    {
        ReflectionMessages.RequireDynamicCode();
        _options = options;
    }

    /// <summary>Gets the kind of format for which attributes of other serializers count.</summary>
    private protected virtual ForeignFormats Formats => _options.IsVersioned ? ForeignFormats.Versioned : ForeignFormats.Binary;

    /// <exception cref="ArgumentException">The type, or a type in it, has no contract; the message names the member.</exception>
    internal static ValueContract Build(Type type, ContractOptions options)
    {
        if (Nullable.GetUnderlyingType(type) is not null)
            throw new ArgumentException($"{TypeNames.Of(type)}: the payload itself cannot be null; make a formatter of the underlying type.");
        var builder = new ContractBuilder(options);
        ValueContract root = builder.GetRoot(type);
        RecordSize.SetAll(builder._records);
        return root;
    }

    private protected ValueContract GetRoot(Type type) =>
        GetNonNull(AnnotatedType.Unannotated(type, _options.UnannotatedAllowsNull), TypeNames.Of(type), null);

    private protected ValueContract GetMember(MemberInfo member, AnnotatedType type, string path)
    {
        if (FindFormatted(member, Nullable.GetUnderlyingType(type.Type) ?? type.Type, path) is not ValueContract contract)
            return Get(type, path, FindElementType(member, _options, path), member.GetCustomAttribute<ElementTypeAttribute>()?.KeyType);
        return type.IsNullable ? new PresenceContract(type.Type, contract) : contract;
    }

    /// <summary>Returns the contract of a type or a member with a custom codec; null if it has none.</summary>
    private protected virtual ValueContract? FindFormatted(MemberInfo carrier, Type type, string path) =>
        carrier.GetCustomAttribute<MemberCodecAttribute>(inherit: false) is MemberCodecAttribute formatter
            ? MemberCodecContract.Make(type, formatter.CodecType, path)
            : null;

    private ValueContract Get(AnnotatedType type, string path, Type? elementType, Type? keyType = null)
    {
        if (!type.IsNullable)
            return GetNonNull(type, path, elementType, keyType);
        (Type, string) key = (type.Type, "?" + type.Key + elementType?.AssemblyQualifiedName + keyType?.AssemblyQualifiedName);
        if (_contracts.TryGetValue(key, out ValueContract? known))
            return known;
        AnnotatedType inner = type.Type.IsValueType ? type.Arguments[0] : type;
        return _contracts[key] = new PresenceContract(type.Type, GetNonNull(inner, path, elementType, keyType));
    }

    private protected ValueContract GetNonNull(AnnotatedType annotated, string path, Type? elementType, Type? keyType = null)
    {
        Type type = annotated.Type;
        (Type, string) key = (type, annotated.Key + elementType?.AssemblyQualifiedName + keyType?.AssemblyQualifiedName);
        if (_contracts.TryGetValue(key, out ValueContract? known))
            return known;
        if (GenericDepth(type) > MaxGenericDepth)
            throw new ArgumentException(
                $"{path}: {TypeNames.Of(type)} has more than {MaxGenericDepth} levels of generic types; its contract would never end.");

        ValueContract? contract = FindFormatted(type, type, path);
        if (contract is not null)
            return _contracts[key] = contract;
        if (type.IsEnum || type.IsAbstract && !IsOfNet(type))
            ForeignChecks.CheckAlone(type, path, Formats);
        if (Scalar.Find(type.IsEnum ? type.GetEnumUnderlyingType() : type) is Scalar scalar)
            contract = new ScalarContract(type, scalar);
        else if (type == typeof(string))
            contract = new StringContract();
        else if (type == typeof(byte[]))
            contract = new BytesContract();
        else if (KnownContract.Find(type) is KnownContract value)
            contract = value;
        else if (FindCollection(type) is KnownCollection collection)
            contract = GetCollection(collection, annotated, elementType, keyType, path);
        else if (type.IsArray && type == type.GetElementType()!.MakeArrayType())
            contract = new ListContract(type, type, Get(annotated.Arguments[0], path + "[]", null));
        else if (type.IsArray && type == type.GetElementType()!.MakeArrayType(type.GetArrayRank()) && type.GetArrayRank() > 1)
            contract = new MultidimensionalArrayContract(type, Get(annotated.Arguments[0], path + "[]", null));
        if (contract is null && _options.UsesOwnBodies && typeof(IBinaryBody).IsAssignableFrom(type) && !type.IsAbstract)
            contract = new OwnBodyContract(type, FindParameterless(type, path)) { ChecksDerived = _options.ChecksDerived(type) };
        contract ??= GetUnion(type, key, path);
        if (contract is not null)
            return _contracts[key] = contract;

        RefuseUnsupported(type, path);
        return AddRecord(annotated, key, path);
    }

    /// <summary>Creates the contract of a record, and adds it before those of its members, which may be of this same type.</summary>
    private protected virtual RecordContract AddRecord(AnnotatedType annotated, (Type, string) key, string path)
    {
        Type type = annotated.Type;
        bool isVersioned = _options.IsVersioned && !IsOfBaseLibrary(type);
        bool checksDerived = _options.ChecksDerived(type);
        RecordContract record = isVersioned
            ? new VersionedRecordContract(type) { ChecksDerived = checksDerived }
            : new RecordContract(type) { ChecksDerived = checksDerived };
        _contracts[key] = record;
        _records.Add(record);
        Complete(record, annotated, path);
        return record;
    }

    private ValueContract GetElement(Type? elementType, string path)
    {
        if (elementType is null)
            throw new ArgumentException(
                $"{path}: a list of objects needs a declared element type ([ElementType], [XmlArrayItem] or BinaryBodyOptions.WithElementType).");
        if (Nullable.GetUnderlyingType(elementType) is not null)
            throw new ArgumentException(
                $"{path}: the elements of a collection of objects cannot be declared as {TypeNames.Of(elementType)}; use a List<T>.");
        return GetNonNull(AnnotatedType.Unannotated(elementType, _options.UnannotatedAllowsNull), path + "[]", null);
    }

    internal static void RefuseUnsupported(Type type, string path)
    {
        string? why =
            type == typeof(object)
            ? "the body carries no type names, so a member has to be of a declared type"
            : UnsupportedTypes.Find(type.IsGenericType ? type.GetGenericTypeDefinition().FullName! : type.FullName ?? "") is string advice
            ? advice
            : typeof(Exception).IsAssignableFrom(type)
            ? UnsupportedTypes.Find("System.Exception")
            : type.IsInterface || type.IsAbstract
            ? "no object can be made of an interface or an abstract class without [MessageUnion]"
            : type.IsArray
            ? "only zero-based arrays have a contract"
            : type.IsPointer || type.IsByRef || IsByRefLike(type)
            ? "it is a pointer or a ref struct"
            : typeof(Delegate).IsAssignableFrom(type)
            ? "a delegate has no bytes"
            : IsOfBaseLibrary(type)
            ? null
            : IsOfNet(type)
            ? "of the base library only the types of docs/wire/binary.md have a contract"
            : typeof(IEnumerable).IsAssignableFrom(type)
            ? "of collections only those of docs/wire/binary.md have a contract"
            : RecordMember.HasAttribute(type, BaseLibrary.InlineArrayAttribute) || RecordMember.HasAttribute(type, BaseLibrary.FixedBufferAttribute)
            ? BaseLibrary.WhyInlineArray
            : FindHiding(type) is Type hiding
            ? BaseLibrary.WhyHidden(TypeNames.Of(hiding))
            : null;
        if (why is not null)
            throw new ArgumentException($"{path}: {TypeNames.Of(type)} is not supported: {why}.");
    }

    /// <summary>
    /// Determines whether the type is a record of the base library: a pair, a tuple, a vector. Its members never change, and need no numbers.
    /// </summary>
    internal static bool IsOfBaseLibrary(Type type) =>
        PlainStructs.Contains(type.FullName ?? "") || type == typeof(ValueTuple) || type.IsGenericType
        && (type.GetGenericTypeDefinition() == typeof(KeyValuePair<,>)
            || type.Namespace == "System" && (type.Name.StartsWith("ValueTuple`", StringComparison.Ordinal)
                || type.Name.StartsWith("Tuple`", StringComparison.Ordinal)));

    /// <summary>Determines whether the type belongs to the base library.</summary>
    internal static bool IsOfNet(Type type) => type.Namespace is string name && BaseLibrary.IsNamespace(name)
        && BaseLibrary.HasToken(type.Assembly.GetName().GetPublicKeyToken());

    /// <summary>Finds the base library class from which a type derives, if it has state that no member exposes.</summary>
    private static Type? FindHiding(Type type)
    {
        Type? level = type.BaseType;
        while (level is not null && !IsOfNet(level))
            level = level.BaseType;
        return level is not null && BaseLibrary.HoldsHidden(level.FullName ?? "") ? level : null;
    }

    private static bool IsByRefLike(Type type)
    {
#if NET
        return type.IsByRefLike;
#else
        foreach (CustomAttributeData attribute in type.GetCustomAttributesData())
        {
            if (attribute.AttributeType.FullName == "System.Runtime.CompilerServices.IsByRefLikeAttribute")
                return true;
        }

        return false;
#endif
    }

    internal static int GenericDepth(Type type)
    {
        if (type.HasElementType)
            return GenericDepth(type.GetElementType()!) + 1;
        int depth = 0;
        foreach (Type argument in type.GetGenericArguments())
            depth = Math.Max(depth, GenericDepth(argument) + 1);
        return depth;
    }

    private void Complete(RecordContract record, AnnotatedType annotated, string path)
    {
        ForeignChecks.Check(annotated, path, Formats);
        List<ReflectedMember> candidates = ReflectedMembers.Find(annotated);
        ReflectedMember[] optedIn = [.. candidates.Where(static m => m.IsOptedIn)];
        Construction construction = Construction.Find(record.Type, candidates, path);
        ReflectedMember? lost = Array.Find(optedIn, m => !m.CanRead || !candidates.Contains(m));
        if (lost is not null)
            throw new ArgumentException($"{path}.{lost.Name} has an attribute that makes it a member, but cannot be read and set.");
        if (candidates.Count == 0 && ReflectedMembers.HasState(record.Type))
            throw new ArgumentException(
                $"{path}: {TypeNames.Of(record.Type)} has state, but no public member that can be set; its values would be lost.");

        var members = new RecordMember[candidates.Count];
        for (int i = 0; i < members.Length; i++)
        {
            MemberInfo info = candidates[i].Info;
            members[i] = new RecordMember(info as FieldInfo, info as PropertyInfo, GetMember(info, candidates[i].Type, path + "." + info.Name));
        }

        if (!IsOfBaseLibrary(record.Type))
            record.FindCallbacksAndUnknown(path);
        int[] memberIndexes = record is VersionedRecordContract versioned
            ? versioned.SetNumbers(candidates, members, construction, path)
            : construction.MemberIndexes;
        record.Complete(members, new ObjectMaker(record.Type, construction.Constructor, memberIndexes));
    }

    internal static Type? FindElementType(MemberInfo member, ContractOptions? options, string path)
    {
        Type? elementType = options?.ElementTypes?.Find(member.DeclaringType!, member.Name)
            ?? member.GetCustomAttribute<ElementTypeAttribute>()?.ElementType;
        if (!IsOfObjects(ReflectedMember.TypeOf(member)))
            return elementType is null ? null : throw new ArgumentException(
                $"{path}: an element type is declared for a member that is not a collection of objects.");
        if (elementType is not null)
            return elementType;
        foreach (XmlArrayItemAttribute item in member.GetCustomAttributes<XmlArrayItemAttribute>())
        {
            if (item.Type is null)
                continue;
            if (elementType is not null)
                throw new ArgumentException($"{path}: several [XmlArrayItem]; the elements of a list are of one type.");
            elementType = item.Type;
        }

        return elementType;
    }

    internal static ObjectMaker FindParameterless(Type type, string path)
    {
        ConstructorInfo? constructor = type.GetConstructor(Type.EmptyTypes);
        if (constructor is null && !type.IsValueType)
            throw new ArgumentException(
                $"{path}: {TypeNames.Of(type)} brings its own Save and Load, but has no public constructor without parameters.");
        return new ObjectMaker(type, constructor, []);
    }
}
