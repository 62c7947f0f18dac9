using System;
using System.Buffers.Binary;
using System.Collections;
using System.Collections.Generic;
using System.Diagnostics.CodeAnalysis;
using System.Reflection;
using System.Runtime.Serialization;
#if NET
using System.Runtime.CompilerServices;
#endif

namespace Formatters;

/// <summary>Makes the contract of a type: which it is, and its members.</summary>
[RequiresUnreferencedCode(ReflectionMessages.Trimming)]
[RequiresDynamicCode(ReflectionMessages.DynamicCode)]
internal sealed class LegacyContracts(LegacyTypeMapBuilder types, LegacyBinaryOptions options)
{
    private const BindingFlags AllInstance = BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic;
    private const BindingFlags NonPublicInstance = BindingFlags.Instance | BindingFlags.NonPublic;

    /// <summary>The keys under which the libraries of the runtime are signed.</summary>
    private static readonly HashSet<ulong> RuntimeKeys = [0xB77A5C561934E089, 0xB03F5F7F11D50A3A, 0x7CEC85D7BEA7798E, 0xCC7B13FFCD2DDD51, 0x31BF3856AD364E35];

    /// <summary>Types of the runtime whose fields travel and may be set to anything of their type, save what <see cref="LegacyListContract"/> checks.</summary>
    private static readonly HashSet<Type> OpenRuntimeTypes =
    [
        typeof(object), typeof(ValueType), typeof(MarshalByRefObject), typeof(Guid), typeof(ArrayList), typeof(List<>), typeof(DictionaryEntry), typeof(KeyValuePair<,>),
        typeof(System.Collections.ObjectModel.Collection<>),
        typeof(Tuple<>), typeof(Tuple<,>), typeof(Tuple<,,>), typeof(Tuple<,,,>), typeof(Tuple<,,,,>), typeof(Tuple<,,,,,>), typeof(Tuple<,,,,,,>), typeof(Tuple<,,,,,,,>),
        typeof(ValueTuple), typeof(ValueTuple<>), typeof(ValueTuple<,>), typeof(ValueTuple<,,>), typeof(ValueTuple<,,,>), typeof(ValueTuple<,,,,>), typeof(ValueTuple<,,,,,>),
        typeof(ValueTuple<,,,,,,>), typeof(ValueTuple<,,,,,,,>),
    ];

    /// <summary>Further names of classes, and the types that stand for them.</summary>
    internal List<(string Name, string? AssemblyName, LegacyType Type)> OtherNames { get; } = [];

    /// <summary>Why a type has no contract; null if it has one, or needs none (strings, arrays).</summary>
    internal static string? WhyNot(Type type)
    {
        if (type == typeof(string) || type == typeof(object) || type.IsArray || type.IsEnum || IsKnown(type) || Nullable.GetUnderlyingType(type) is not null)
            return null;
        if (type.IsInterface || type.IsAbstract)
            return "it is abstract";
        if (type.IsPointer || type.IsByRef || type.ContainsGenericParameters || typeof(Delegate).IsAssignableFrom(type))
            return "it is no data";
        if (typeof(ISerializable).IsAssignableFrom(type))
            return "it writes its members itself (ISerializable), by code that a body would set in motion";
        for (Type? level = type; level is not null; level = level.BaseType)
        {
            if (IsOfRuntime(level) && !OpenRuntimeTypes.Contains(level.IsGenericType ? level.GetGenericTypeDefinition() : level))
                return $"the fields of {level.Name} are not to be set from outside";
        }

        return null;
    }

    internal LegacyClassContract? Create(LegacyType type)
    {
        Type own = type.Type;
        if (own == typeof(string) || Nullable.GetUnderlyingType(own) is not null || WhyNot(own) is not null)
            return null;
        return own.IsEnum ? CreateBox(type, Enum.GetUnderlyingType(own), "value__")
            : own == typeof(TimeSpan) ? CreateBox(type, typeof(long), "_ticks")
            : own == typeof(DateTime) ? WithMembers(new LegacyDateTimeContract(type), ("ticks", typeof(long)), ("dateData", typeof(ulong)))
            : own == typeof(decimal)
                ? WithMembers(new LegacyDecimalContract(type), ("flags", typeof(int)), ("hi", typeof(int)), ("lo", typeof(int)), ("mid", typeof(int)))
            : type.Primitive is not null ? CreateBox(type, own, "m_value")
            : own == typeof(DateTimeOffset)
                ? WithMembers(new LegacyDateTimeOffsetContract(type), ("DateTime", typeof(DateTime)), ("OffsetMinutes", typeof(short)))
            : own == typeof(DBNull) ? CreateDBNull(type)
            : own == typeof(Hashtable) ? CreateHashtable(type)
            : IsDictionary(own) ? CreateDictionary(type)
            : CreateRecord(type);
    }

    private static bool IsKnown(Type type) =>
        NrbfPrimitive.Find(type) is not null || type == typeof(DateTimeOffset) || type == typeof(DBNull) || type == typeof(Hashtable) || IsDictionary(type);

    private static bool IsDictionary(Type type) => type.IsGenericType && type.GetGenericTypeDefinition() == typeof(Dictionary<,>);

    private static bool IsOfRuntime(Type type)
    {
        if (type.Assembly == typeof(object).Assembly)
            return true;
        byte[]? key = type.Assembly.GetName().GetPublicKeyToken();
        return key is { Length: 8 } && RuntimeKeys.Contains(BinaryPrimitives.ReadUInt64BigEndian(key));
    }

    private static object Allocate(Type type)
    {
#if NET
        return RuntimeHelpers.GetUninitializedObject(type);
#else
        return FormatterServices.GetUninitializedObject(type);
#endif
    }

    private LegacyRecordContract CreateBox(LegacyType type, Type fieldType, string memberName)
    {
        var contract = new LegacyRecordContract(type, Allocate);
        Type memberType = typeof(LegacyBoxField<,>).MakeGenericType(type.Type, fieldType);
        contract.SetMembers([(LegacyMember)Activator.CreateInstance(memberType, AllInstance, null, [type.Type.Name, memberName, types.Get(fieldType)], null)!]);
        return contract;
    }

    private T WithMembers<T>(T contract, params (string Name, Type Type)[] members)
        where T : LegacyClassContract
    {
        var list = new List<LegacyMember>();
        foreach ((string name, Type memberType) in members)
            list.Add(new LegacyBagMember(contract.Type.Type.Name, name, types.Get(memberType), list.Count));
        contract.SetMembers(list);
        contract.AllocationByteCount = 64 + (16 * list.Count);
        return contract;
    }

    private LegacyDBNullContract CreateDBNull(LegacyType type)
    {
        var contract = new LegacyDBNullContract(type) { EncodedName = LegacyName.Encode(LegacyDBNullContract.RecordName) };
        OtherNames.Add((LegacyDBNullContract.RecordName, null, type));
        return WithMembers(contract, ("Data", typeof(string)), ("UnityType", typeof(int)), ("AssemblyName", typeof(string)));
    }

    private LegacyHashtableContract CreateHashtable(LegacyType type)
    {
        AddStringComparers();
#pragma warning disable CS0618 // The member's declared type is the obsolete interface; it is always null.
        return WithMembers(
            new LegacyHashtableContract(type),
            ("LoadFactor", typeof(float)), ("Version", typeof(int)), ("Comparer", typeof(IComparer)), ("HashCodeProvider", typeof(IHashCodeProvider)),
            ("KeyComparer", typeof(IEqualityComparer)), ("HashSize", typeof(int)), ("Keys", typeof(object[])), ("Values", typeof(object[])));
#pragma warning restore CS0618
    }

    private LegacyClassContract CreateDictionary(LegacyType type)
    {
        Type[] arguments = type.Type.GetGenericArguments();
        AddDefaultComparer(arguments[0]);
        if (arguments[0] == typeof(string))
            AddStringComparers();
        var contract = (LegacyClassContract)Activator.CreateInstance(
            typeof(LegacyDictionaryContract<,>).MakeGenericType(arguments), AllInstance, null, [type], null)!;
        return WithMembers(
            contract,
            ("Version", typeof(int)), ("Comparer", typeof(IEqualityComparer<>).MakeGenericType(arguments[0])), ("HashSize", typeof(int)),
            ("KeyValuePairs", typeof(KeyValuePair<,>).MakeGenericType(arguments).MakeArrayType()));
    }

    private void AddDefaultComparer(Type keyType)
    {
        // One for all dictionaries of the key.
        object comparer = typeof(EqualityComparer<>).MakeGenericType(keyType).GetProperty("Default")!.GetValue(null)!;
        if (types.Has(comparer.GetType()))
            return;
        string argument = $"[[{LegacyName.Of(keyType, options)}, {LegacyName.AssemblyOf(keyType, options) ?? LegacyName.CoreAssembly}]]";
        string kind = keyType.IsEnum && Enum.GetUnderlyingType(keyType) == typeof(int) ? "Enum"
            : typeof(IEquatable<>).MakeGenericType(keyType).IsAssignableFrom(keyType) ? "Generic"
            : "Object";
        string name = NameOfComparer(kind, argument);
        var type = new LegacyType(comparer.GetType(), name, null);
        var contract = (LegacyClassContract)Activator.CreateInstance(
            typeof(LegacyDefaultComparerContract<>).MakeGenericType(keyType), AllInstance, null, [type], null)!;
        types.AddContract(type, contract);
        // For strings .NET has another class than .NET Framework, whose class BinaryFormatter makes all the same.
        if (keyType == typeof(string) && typeof(object).Assembly.GetType("System.Collections.Generic.GenericEqualityComparer`1")?.MakeGenericType(keyType) is Type older
            && !types.Has(older))
            types.AddAlias(older, type);
        foreach (string other in new[] { "Generic", "Object", "Enum" })
            OtherNames.Add((NameOfComparer(other, argument), null, type));
        // .NET Framework's for bytes, which .NET no longer writes; both know both.
        if (keyType == typeof(byte))
            OtherNames.Add(("System.Collections.Generic.ByteEqualityComparer", null, type));
    }

    private static string NameOfComparer(string kind, string argument) =>
        "System.Collections.Generic." + kind + "EqualityComparer`1" + argument;

    private void AddStringComparers()
    {
        if (types.Has(StringComparer.Ordinal.GetType()))
            return;
        var type = new LegacyType(StringComparer.Ordinal.GetType(), LegacyOrdinalComparerContract.RecordName, null);
        OtherNames.Add((LegacyOrdinalComparerContract.RecordName, null, type));
        types.AddContract(type, WithMembers(new LegacyOrdinalComparerContract(type), ("_ignoreCase", typeof(bool))));
        // The two may be of one class or of two, and BinaryFormatter may have made one of a third; in bodies they are one.
        foreach (Type? other in new[] { StringComparer.OrdinalIgnoreCase.GetType(), typeof(StringComparer).Assembly.GetType(LegacyOrdinalComparerContract.RecordName) })
        {
            if (other is not null && !types.Has(other))
                types.AddAlias(other, type);
        }
    }

    private LegacyRecordContract CreateRecord(LegacyType type)
    {
        LegacyRecordContract contract = CreateList(type) ?? new LegacyRecordContract(type, Allocate);
        var members = new List<LegacyMember>();
        var otherNames = new List<(string, LegacyMember)>();
        long byteCount = 24;
        foreach ((FieldInfo field, string prefix) in FieldsOf(type.Type))
        {
            IReadOnlyList<string> given = options.FindMemberNames(field.DeclaringType!, field.Name);
            LegacyMember member = CreateMember(type, field, prefix + (given.Count == 0 ? field.Name : given[given.Count - 1]));
            member.IsOptional = field.IsDefined(typeof(OptionalFieldAttribute), inherit: false);
            members.Add(member);
            otherNames.Add((prefix + field.Name, member));
            foreach (string name in given)
                otherNames.Add((prefix + name, member));
            byteCount += field.FieldType.IsValueType ? Allocation.OfElement(field.FieldType) : 8;
        }

        contract.SetMembers(members);
        contract.AllocationByteCount = (int)Math.Min(byteCount, int.MaxValue);
        foreach ((string name, LegacyMember member) in otherNames)
            contract.AddName(name, member);
        return contract;
    }

    /// <summary>The contract of a list, or of a class derived from one; null for others.</summary>
    private static LegacyListContract? CreateList(LegacyType type)
    {
        for (Type? level = type.Type; level is not null; level = level.BaseType)
        {
            if (level != typeof(ArrayList) && !(level.IsGenericType && level.GetGenericTypeDefinition() == typeof(List<>)))
                continue;
            FieldInfo items = level.GetField("_items", NonPublicInstance)!;
            return new LegacyListContract(
                type, Allocate, items.FieldType, FieldAccess.Getter<object?>(items), FieldAccess.Getter<int>(level.GetField("_size", NonPublicInstance)!));
        }

        return null;
    }

    private LegacyMember CreateMember(LegacyType type, FieldInfo field, string name)
    {
        LegacyType fieldType = types.Get(field.FieldType);
        string declaringName = type.Type.Name;
        if (field.FieldType == typeof(string))
            return new LegacyStringField(declaringName, name, fieldType, FieldAccess.Getter<string?>(field), FieldAccess.Setter<string?>(field));
        if (fieldType.Primitive is null)
            return new LegacyObjectField(declaringName, name, fieldType, FieldAccess.Getter<object?>(field), FieldAccess.Setter<object?>(field));
        return (LegacyMember)typeof(LegacyContracts).GetMethod(nameof(CreatePrimitiveMember), BindingFlags.Static | BindingFlags.NonPublic)!
            .MakeGenericMethod(field.FieldType).Invoke(null, [declaringName, name, fieldType, field])!;
    }

    private static LegacyPrimitiveField<T> CreatePrimitiveMember<T>(string declaringName, string name, LegacyType type, FieldInfo field)
        where T : struct => new(declaringName, name, type, FieldAccess.Getter<T>(field), FieldAccess.Setter<T>(field));

    /// <summary>
    /// The fields that travel, as FormatterServices.GetSerializableMembers has them: those of the class and the inherited ones that it sees, then all
    /// non-public ones of each base class behind its name. So a protected field of a base class travels twice.
    /// </summary>
    private static IEnumerable<(FieldInfo Field, string Prefix)> FieldsOf(Type type)
    {
        foreach (FieldInfo field in type.GetFields(AllInstance))
        {
            if (!IsLeftOut(field))
                yield return (field, "");
        }

        var baseNames = new HashSet<string>(StringComparer.Ordinal);
        bool areUnique = true;
        for (Type? level = type.BaseType; level is not null && level != typeof(object); level = level.BaseType)
            areUnique &= baseNames.Add(level.Name);
        for (Type? level = type.BaseType; level is not null && level != typeof(object); level = level.BaseType)
        {
            foreach (FieldInfo field in level.GetFields(NonPublicInstance))
            {
                if (!IsLeftOut(field))
                    yield return (field, (areUnique ? level.Name : level.FullName) + "+");
            }
        }
    }

#pragma warning disable SYSLIB0050 // [NonSerialized] is obsolete with the formatter that we stand in for.
    private static bool IsLeftOut(FieldInfo field) => (field.Attributes & FieldAttributes.NotSerialized) != 0;
#pragma warning restore SYSLIB0050
}
