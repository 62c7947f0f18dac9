using System;
using System.Collections;
using System.Collections.Generic;
using System.Diagnostics.CodeAnalysis;
using System.Reflection;
using System.Runtime.CompilerServices;
using Formatters.Generated;

namespace Formatters;

/// <summary>Determines how a member is set after reading. The rules: docs/contracts.md, "Setters with code" and "Comparers".</summary>
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
        IsAutomatic = !HasCode(member);
        IsReplaced = type != typeof(string) && !IsAutomatic && (hasFormatter || !IsScalar(Nullable.GetUnderlyingType(type) ?? type));
        if (hasFormatter || ContractBuilder.FindCollection(type) is not KnownCollection collection)
            return;
        IsCollection = true;
        bool hasKeys = collection.Kind is CollectionKind.Set or CollectionKind.Dictionary or CollectionKind.MadeDictionary;
        // A required member is always given, so its initializer has no meaning.
        KeyTypes = hasKeys && !RecordMember.IsRequired(member) ? type.GetGenericArguments() : [];
        if (KeyTypes.Length == 0)
            return;
        _type = type;
        string method = KeyTypes.Length == 1 ? nameof(ContractCode.KeptElements) : nameof(ContractCode.KeptEntries);
        MethodInfo keep = typeof(ContractCode).GetMethod(method, BindingFlags.NonPublic | BindingFlags.Static)!.MakeGenericMethod(KeyTypes);
        _keepComparer = (Func<object?, object?, int, object?>)keep.CreateDelegate(typeof(Func<object?, object?, int, object?>));
    }

    /// <summary>Gets whether setting it runs no code of the type.</summary>
    internal bool IsAutomatic { get; }

    /// <summary>
    /// Gets whether it gets a new value each time: its setter may copy it, and would lose the content if it got back the getter's object.
    /// </summary>
    internal bool IsReplaced { get; }

    /// <summary>Gets whether it holds a collection of the base library.</summary>
    internal bool IsCollection { get; }

    /// <summary>Gets whether a collection that was read gets the comparer of the member's current one.</summary>
    internal bool KeepsComparer => _keepComparer is not null;

    /// <summary>Gets whether it is set to the value that was read, unchanged.</summary>
    internal bool IsPlain => !IsReplaced && !KeepsComparer;

    /// <summary>Gets the type arguments of a collection with a comparer.</summary>
    private Type[] KeyTypes { get; } = [];

    /// <summary>Gets the method that gives a value the comparer of the current one, for the types of the member.</summary>
    internal MethodInfo KeepMethod => typeof(ContractCode)
        .GetMethod(KeyTypes.Length == 1 ? nameof(ContractCode.KeepSetComparer) : nameof(ContractCode.KeepComparer))!.MakeGenericMethod(
            [_type!, .. KeyTypes]);

    internal static MemberSetting Of(MemberInfo member, bool hasFormatter) => new(member, hasFormatter);

    /// <summary>Prepares the value for the member.</summary>
    /// <param name="read">The value that was read.</param>
    /// <param name="current">The member's current value.</param>
    /// <param name="isReused">Whether its object existed before.</param>
    /// <param name="byteOffset">The offset of the value's end.</param>
    /// <returns>The value to set.</returns>
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

    /// <summary>Determines whether setting it runs code of the type: not for a field, nor for an automatic property.</summary>
    private static bool HasCode(MemberInfo member) =>
        member is PropertyInfo property && property.GetSetMethod(nonPublic: true) is MethodInfo setter
        && (setter.IsVirtual && !setter.IsFinal || !setter.IsDefined(typeof(CompilerGeneratedAttribute), inherit: false));

    private static bool IsScalar(Type type) => type.IsEnum || Scalar.Find(type) is not null;
}
