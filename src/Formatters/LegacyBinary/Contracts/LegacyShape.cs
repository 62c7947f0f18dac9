using System;

namespace Formatters;

/// <summary>The generic knowledge of a type, from which the parts of its entry are created for generated contracts and for reflection.</summary>
internal abstract class LegacyShape
{
    internal abstract Type Type { get; }

    /// <summary>Gets why values of the type are neither read nor written; null if they are, or have other types that are.</summary>
    internal string? WhyNot { get; init; }

    /// <summary>Creates the reader and writer of the type's arrays.</summary>
    internal abstract LegacyElements CreateElements(LegacyType type);

    /// <summary>Creates the contract for objects of exactly this type; null for types that are only declared, strings and arrays.</summary>
    internal virtual LegacyClassContract? CreateContract(LegacyType type, LegacyTypeMapBuilder types) => null;
}

/// <summary>The shape of a type that is only declared: an interface, <see cref="object"/>, a string, an array.</summary>
internal class LegacyShape<T> : LegacyShape
{
    internal override Type Type => typeof(T);

    internal override LegacyElements CreateElements(LegacyType type) => type.Primitive?.CreateElements(type) ?? new LegacyObjectElements<T>(type);
}

/// <summary>The shape of an array with one dimension.</summary>
internal sealed class LegacyArrayShape<TElement> : LegacyShape<TElement[]>;

/// <summary>The shape of a type with a contract.</summary>
internal sealed class LegacyClassShape<T>(Func<LegacyType, LegacyTypeMapBuilder, LegacyClassContract> create) : LegacyShape<T>
{
    internal override LegacyClassContract CreateContract(LegacyType type, LegacyTypeMapBuilder types) => create(type, types);
}

/// <summary>The shape of a primitive type: outside a member a class with one field.</summary>
internal sealed class LegacyPrimitiveShape<T> : LegacyShape<T>
    where T : struct
{
    internal override LegacyClassContract CreateContract(LegacyType type, LegacyTypeMapBuilder types) =>
        typeof(T) == typeof(DateTime)
            ? LegacyBagContract.WithMembers(new LegacyDateTimeContract(type), ("ticks", types.Get(typeof(long))),
                ("dateData", types.Get(typeof(ulong))))
        : typeof(T) == typeof(decimal)
            ? LegacyBagContract.WithMembers(
                new LegacyDecimalContract(type),
                ("flags", types.Get(typeof(int))), ("hi", types.Get(typeof(int))), ("lo", types.Get(typeof(int))), ("mid", types.Get(typeof(int))))
        : typeof(T) == typeof(TimeSpan)
        ? LegacyBox.Create<T, long>(type, types, "_ticks")
        : LegacyBox.Create<T, T>(type, types, "m_value");
}

/// <summary>The shape of an enum: a class with its number.</summary>
internal sealed class LegacyEnumShape<TEnum, TNumber> : LegacyShape<TEnum>
    where TEnum : struct
    where TNumber : struct
{
    internal override LegacyClassContract CreateContract(LegacyType type, LegacyTypeMapBuilder types) =>
        LegacyBox.Create<TEnum, TNumber>(type, types, "value__");
}

/// <summary>Creates contracts of classes with a value as their only member.</summary>
internal static class LegacyBox
{
    internal static LegacyRecordContract Create<TBox, TField>(LegacyType type, LegacyTypeMapBuilder types, string memberName)
        where TBox : struct
        where TField : struct
    {
        var contract = new LegacyRecordContract(type, static () => default(TBox));
        contract.SetMembers([new LegacyBoxField<TBox, TField>(TypeNames.Of(type.Type), memberName, types.Get(typeof(TField)))]);
        return contract;
    }
}
