using System;
using System.Collections;
using System.Collections.Generic;
using System.Diagnostics.CodeAnalysis;
using System.Reflection;
using System.Runtime.Serialization;

namespace Formatters;

/// <summary>Finds the shape of a type by reflection.</summary>
[RequiresUnreferencedCode(ReflectionMessages.Trimming)]
[RequiresDynamicCode(ReflectionMessages.DynamicCode)]
internal static class LegacyReflection
{
    private const BindingFlags AllInstance = BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic;
    private const BindingFlags NonPublicInstance = BindingFlags.Instance | BindingFlags.NonPublic;

    /// <summary>The keys under which the libraries of the runtime are signed.</summary>
    /// <summary>Base types without fields to be set.</summary>
    private static readonly HashSet<Type> OpenBaseTypes = [typeof(object), typeof(ValueType), typeof(MarshalByRefObject)];

    private static readonly HashSet<Type> OpenDefinitions =
    [
        typeof(KeyValuePair<,>),
        typeof(Tuple<>), typeof(Tuple<,>), typeof(Tuple<,,>), typeof(Tuple<,,,>), typeof(Tuple<,,,,>), typeof(Tuple<,,,,,>), typeof(Tuple<,,,,,,>),
            typeof(Tuple<,,,,,,,>),
        typeof(ValueTuple<>), typeof(ValueTuple<,>), typeof(ValueTuple<,,>), typeof(ValueTuple<,,,>), typeof(ValueTuple<,,,,>),
            typeof(ValueTuple<,,,,,>),
        typeof(ValueTuple<,,,,,,>), typeof(ValueTuple<,,,,,,,>),
    ];

    /// <summary>The methods of <see cref="LegacyShapes"/> for generic types of the runtime.</summary>
    private static readonly Dictionary<Type, string> Methods = new()
    {
        [typeof(List<>)] = nameof(LegacyShapes.List),
        [typeof(Queue<>)] = nameof(LegacyShapes.Queue),
        [typeof(Stack<>)] = nameof(LegacyShapes.Stack),
        [typeof(System.Collections.ObjectModel.Collection<>)] = nameof(LegacyShapes.Collection),
        [typeof(System.Collections.ObjectModel.ReadOnlyCollection<>)] = nameof(LegacyShapes.ReadOnlyCollection),
        [typeof(Dictionary<,>)] = nameof(LegacyShapes.Dictionary),
        [typeof(HashSet<>)] = nameof(LegacyShapes.HashSet),
        [typeof(SortedSet<>)] = nameof(LegacyShapes.SortedSet),
        [typeof(SortedDictionary<,>)] = nameof(LegacyShapes.SortedDictionary),
        [typeof(SortedList<,>)] = nameof(LegacyShapes.SortedList),
        [typeof(LinkedList<>)] = nameof(LegacyShapes.LinkedList),
        [typeof(Nullable<>)] = nameof(LegacyShapes.Nullable),
    };

    /// <returns>Null for types that cannot be the value of a member: pointers.</returns>
    internal static LegacyShape? Find(Type type)
    {
        if (type.IsPointer || type.IsByRef || type.ContainsGenericParameters)
            return null;
        if (LegacyShapes.Known.TryGetValue(type, out LegacyShape? known))
            return known;
        if (type.IsArray && type.GetElementType()!.MakeArrayType() == type)
            return Make(typeof(LegacyArrayShape<>), type.GetElementType()!);
        if (type.IsEnum)
            return Make(typeof(LegacyEnumShape<,>), type, Enum.GetUnderlyingType(type));
        if (type.IsGenericType && Methods.TryGetValue(type.GetGenericTypeDefinition(), out string? method))
            return Invoke(method, type.GetGenericArguments());
        if (IsOpen(type))
            return Invoke(nameof(LegacyShapes.Runtime), [type]);
        string? why = WhyNot(type);
        if (type.IsArray || type.IsInterface || why is not null)
            return Invoke(nameof(LegacyShapes.Declared), [type], why);
        return (LegacyShape)Activator.CreateInstance(
            typeof(LegacyClassShape<>).MakeGenericType(type), AllInstance, null,
                [new Func<LegacyType, LegacyTypeMapBuilder, LegacyClassContract>(CreateRecord)], null)!;
    }

    /// <summary>Returns why a class or struct has no contract; null if it has one.</summary>
    private static string? WhyNot(Type type)
    {
        if (type.IsArray)
            return null;
        if (type.IsInterface || type.IsAbstract)
            return "it is abstract";
        if (typeof(Delegate).IsAssignableFrom(type))
            return "it is not data";
        if (typeof(ISerializable).IsAssignableFrom(type))
            return LegacyShapes.WritesItself;
        if (RecordMember.HasAttribute(type, BaseLibrary.InlineArrayAttribute) || RecordMember.HasAttribute(type, BaseLibrary.FixedBufferAttribute))
            return BaseLibrary.WhyInlineArray;
        for (Type? level = type; level is not null; level = level.BaseType)
        {
            if (IsOfRuntime(level) && !OpenBaseTypes.Contains(level) && !IsOpenAsBase(level))
                return $"the fields of {level.Name} cannot be set from outside";
        }

        return null;
    }

    private static bool IsOpen(Type type) => type.IsGenericType && OpenDefinitions.Contains(type.GetGenericTypeDefinition());

    /// <summary>Determines whether the fields of a runtime class are serialized with those of a derived class.</summary>
    private static bool IsOpenAsBase(Type type) => IsOpen(type) || ListOf(type) is not null
        || type.IsGenericType && type.GetGenericTypeDefinition() is Type definition
        && (definition == typeof(System.Collections.ObjectModel.Collection<>)
            || definition == typeof(System.Collections.ObjectModel.ReadOnlyCollection<>));

    /// <summary>Returns the type of a list's array, or null.</summary>
    private static Type? ListOf(Type type) => type == typeof(ArrayList)
        ? typeof(object[])
        : type.IsGenericType && type.GetGenericTypeDefinition() == typeof(List<>)
        ? type.GetGenericArguments()[0].MakeArrayType()
        : null;

    private static bool IsOfRuntime(Type type)
    {
        if (type.Assembly == typeof(object).Assembly)
            return true;
        byte[]? key = type.Assembly.GetName().GetPublicKeyToken();
        return BaseLibrary.HasToken(key);
    }

    private static LegacyShape Make(Type definition, params Type[] arguments) =>
        (LegacyShape)Activator.CreateInstance(definition.MakeGenericType(arguments), nonPublic: true)!;

    private static LegacyShape Invoke(string method, Type[] arguments, params object?[] values) =>
        (LegacyShape)typeof(LegacyShapes).GetMethod(method, BindingFlags.Static | BindingFlags.NonPublic)!.MakeGenericMethod(arguments)
        .Invoke(null, values)!;

    private static LegacyRecordContract CreateRecord(LegacyType type, LegacyTypeMapBuilder types)
    {
        var allocate = (Func<object>)typeof(LegacyObjects).GetMethod(nameof(LegacyObjects.Allocator), BindingFlags.Static | BindingFlags.NonPublic)!
            .MakeGenericMethod(type.Type).Invoke(null, null)!;
        LegacyRecordContract contract = new(type, allocate);
        for (Type? level = type.Type.BaseType; level is not null; level = level.BaseType)
        {
            if (ListOf(level) is Type itemsType)
                contract = new LegacyCheckedContract(type, allocate, LegacyChecks.OfList(level, itemsType));
        }

        LegacyFields.AddTo(contract, types, type.Type.GetFields(AllInstance), InheritedFields(type.Type));
        return contract;
    }

    /// <summary>
    /// Returns the serialized fields of base classes, as FormatterServices.GetSerializableMembers does: all non-public ones prefixed with the class's
    /// name, even those visible to the class itself. A protected field of a base class is therefore serialized twice.
    /// </summary>
    private static IEnumerable<(FieldInfo Field, string Prefix)> InheritedFields(Type type)
    {
        var baseNames = new HashSet<string>(StringComparer.Ordinal);
        bool areUnique = true;
        for (Type? level = type.BaseType; level is not null && level != typeof(object); level = level.BaseType)
            areUnique &= baseNames.Add(level.Name);
        for (Type? level = type.BaseType; level is not null && level != typeof(object); level = level.BaseType)
        {
            foreach (FieldInfo field in level.GetFields(NonPublicInstance))
                yield return (field, (areUnique ? level.Name : level.FullName) + "+");
        }
    }
}
