using System;

namespace Formatters;

/// <summary>A type as code that is generic over it knows it: makes its entry's parts, for generated contracts and for reflection alike.</summary>
internal abstract class LegacyShape
{
    internal abstract Type Type { get; }

    /// <summary>Why values of the type are neither read nor written; null if they are, or are of other types that are.</summary>
    internal string? WhyNot { get; init; }

    /// <summary>The arrays of the type.</summary>
    internal abstract LegacyElements CreateElements(LegacyType type);

    /// <summary>How objects of exactly this type travel; null for types that are only declared, strings and arrays.</summary>
    internal virtual LegacyClassContract? CreateContract(LegacyType type, LegacyTypeMapBuilder types) => null;
}

/// <summary>A type that is only declared: an interface, <see cref="object"/>, a string, an array.</summary>
internal class LegacyShape<T> : LegacyShape
{
    internal override Type Type => typeof(T);

    internal override LegacyElements CreateElements(LegacyType type) => type.Primitive?.CreateElements(type) ?? new LegacyObjectElements<T>(type);
}

/// <summary>The vectors of a type.</summary>
internal sealed class LegacyArrayShape<TElement> : LegacyShape<TElement[]>;

/// <summary>A type with a contract.</summary>
internal sealed class LegacyClassShape<T>(Func<LegacyType, LegacyTypeMapBuilder, LegacyClassContract> create) : LegacyShape<T>
{
    internal override LegacyClassContract CreateContract(LegacyType type, LegacyTypeMapBuilder types) => create(type, types);
}

/// <summary>A primitive type: outside of a member a class with one.</summary>
internal sealed class LegacyPrimitiveShape<T> : LegacyShape<T>
    where T : struct
{
    internal override LegacyClassContract CreateContract(LegacyType type, LegacyTypeMapBuilder types) =>
        typeof(T) == typeof(DateTime)
            ? LegacyBagContract.WithMembers(new LegacyDateTimeContract(type), ("ticks", types.Get(typeof(long))), ("dateData", types.Get(typeof(ulong))))
        : typeof(T) == typeof(decimal)
            ? LegacyBagContract.WithMembers(
                new LegacyDecimalContract(type),
                ("flags", types.Get(typeof(int))), ("hi", types.Get(typeof(int))), ("lo", types.Get(typeof(int))), ("mid", types.Get(typeof(int))))
        : typeof(T) == typeof(TimeSpan) ? LegacyBox.Create<T, long>(type, types, "_ticks")
        : LegacyBox.Create<T, T>(type, types, "m_value");
}

/// <summary>An enum: a class with its number.</summary>
internal sealed class LegacyEnumShape<TEnum, TNumber> : LegacyShape<TEnum>
    where TEnum : struct
    where TNumber : struct
{
    internal override LegacyClassContract CreateContract(LegacyType type, LegacyTypeMapBuilder types) => LegacyBox.Create<TEnum, TNumber>(type, types, "value__");
}

/// <summary>Classes with a value as their only member.</summary>
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
