using System;
using System.Collections;
using System.Collections.Generic;
using System.Diagnostics.CodeAnalysis;
using System.Reflection;
using System.Runtime.CompilerServices;
using Formatters.Generated;

namespace Formatters;

/// <summary>How a member takes what was read. The rules: docs/contracts.md, "Setters with code" and "Comparers".</summary>
[UnconditionalSuppressMessage("Trimming", "IL2026", Justification = BuiltByReflection)]
[UnconditionalSuppressMessage("Trimming", "IL2060", Justification = BuiltByReflection)]
[UnconditionalSuppressMessage("Trimming", "IL2070", Justification = BuiltByReflection)]
[UnconditionalSuppressMessage("Trimming", "IL2075", Justification = BuiltByReflection)]
[UnconditionalSuppressMessage("AOT", "IL3050", Justification = BuiltByReflection)]
internal sealed class MemberSetting
{
    private const string BuiltByReflection = "Only contracts by reflection have it, and what builds those has the attributes for users.";

    private readonly Func<object?, object?, int, object?>? _keepComparer;
    private readonly Type? _type;

    private MemberSetting(MemberInfo member, bool hasFormatter)
    {
        Type type = ReflectedMember.TypeOf(member);
        IsReplaced = type != typeof(string) && HasCode(member) && (hasFormatter || !IsScalar(Nullable.GetUnderlyingType(type) ?? type));
        if (hasFormatter || ContractBuilder.FindCollection(type) is not KnownCollection collection)
            return;
        IsCollection = true;
        bool hasKeys = collection.Kind is CollectionKind.Set or CollectionKind.Dictionary or CollectionKind.MadeDictionary;
        KeyTypes = hasKeys ? type.GetGenericArguments() : [];
        if (KeyTypes.Length == 0)
            return;
        _type = type;
        string method = KeyTypes.Length == 1 ? nameof(ContractCode.KeptElements) : nameof(ContractCode.KeptEntries);
        MethodInfo keep = typeof(ContractCode).GetMethod(method, BindingFlags.NonPublic | BindingFlags.Static)!.MakeGenericMethod(KeyTypes);
        _keepComparer = (Func<object?, object?, int, object?>)keep.CreateDelegate(typeof(Func<object?, object?, int, object?>));
    }

    /// <summary>Whether it gets a new value each time: its setter may copy it, and would lose what it copies if it got back what the getter gave.</summary>
    internal bool IsReplaced { get; }

    /// <summary>Whether it holds a collection of the base library.</summary>
    internal bool IsCollection { get; }

    /// <summary>Whether a collection that was read gets the comparer of the one that is in the member.</summary>
    internal bool KeepsComparer => _keepComparer is not null;

    /// <summary>Whether it is set to what was read, as it is.</summary>
    internal bool IsPlain => !IsReplaced && !KeepsComparer;

    /// <summary>The type arguments of a collection with a comparer.</summary>
    private Type[] KeyTypes { get; } = [];

    /// <summary>The method that gives a value the comparer of the current one, by the types of the member.</summary>
    internal MethodInfo KeepMethod => typeof(ContractCode)
        .GetMethod(KeyTypes.Length == 1 ? nameof(ContractCode.KeepSetComparer) : nameof(ContractCode.KeepComparer))!.MakeGenericMethod([_type!, .. KeyTypes]);

    internal static MemberSetting Of(MemberInfo member, bool hasFormatter) => new(member, hasFormatter);

    /// <summary>Prepares the member for what was read.</summary>
    /// <param name="read">What was read.</param>
    /// <param name="current">What the member holds.</param>
    /// <param name="isReused">Whether its object existed before.</param>
    /// <param name="byteOffset">Where the value ends.</param>
    /// <returns>What to set it to.</returns>
    internal object? Prepare(object? read, object? current, bool isReused, int byteOffset)
    {
        object? value = _keepComparer is null ? read : _keepComparer(read, current, byteOffset);
        if (isReused && IsReplaced && IsCollection)
            Empty(current);
        return value;
    }

    /// <inheritdoc cref="ContractCode.Empty{T}"/>
    internal static void Empty(object? existing)
    {
        switch (existing)
        {
            case null:
                return;
            case IList list:
                if (!list.IsReadOnly && !list.IsFixedSize)
                    list.Clear();
                return;
            case IDictionary dictionary:
                if (!dictionary.IsReadOnly && !dictionary.IsFixedSize)
                    dictionary.Clear();
                return;
        }

        Type type = existing.GetType();
        foreach (Type implemented in type.GetInterfaces())
        {
            if (!implemented.IsGenericType || implemented.GetGenericTypeDefinition() != typeof(ICollection<>))
                continue;
            if (implemented.GetProperty(nameof(ICollection<>.IsReadOnly))!.GetValue(existing) is false)
                implemented.GetMethod(nameof(ICollection<>.Clear))!.Invoke(existing, null);
            return;
        }

        if (type.IsGenericType && ContractBuilder.FindCollection(type) is { Maker.Length: 0 })
            type.GetMethod("Clear", Type.EmptyTypes)?.Invoke(existing, null);
    }

    /// <summary>Whether setting it runs code of the type: not a field, nor a property whose setter the compiler has made.</summary>
    private static bool HasCode(MemberInfo member) =>
        member is PropertyInfo property && property.GetSetMethod(nonPublic: true) is MethodInfo setter
        && (setter.IsVirtual && !setter.IsFinal || !setter.IsDefined(typeof(CompilerGeneratedAttribute), inherit: false));

    private static bool IsScalar(Type type) => type.IsEnum || Scalar.Find(type) is not null;
}
