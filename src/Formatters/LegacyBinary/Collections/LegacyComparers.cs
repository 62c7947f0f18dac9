using System;
using System.Collections.Generic;
using System.Diagnostics.CodeAnalysis;

namespace Formatters;

/// <summary>
/// The comparers of collections: classes whose names differ from those of this runtime, and of which several exist for one comparer.
/// </summary>
internal static class LegacyComparers
{
    /// <summary>Adds the comparers of hashed collections with a key type.</summary>
    internal static void AddEquality<TKey>(LegacyTypeMapBuilder types)
    {
        if (typeof(TKey) == typeof(string))
            AddStrings(types);
        // One for all collections of the key.
        Type comparer = EqualityComparer<TKey>.Default.GetType();
        if (types.Has(comparer))
            return;
        string argument = Argument(typeof(TKey), types);
        Type? underlying = Nullable.GetUnderlyingType(typeof(TKey));
        string? nullable = underlying is null ? null : NameOfEquality("Nullable", Argument(underlying, types));
        string kind = typeof(TKey).IsEnum && Enum.GetUnderlyingType(typeof(TKey)) == typeof(int)
            ? "Enum"
            : typeof(IEquatable<TKey>).IsAssignableFrom(typeof(TKey))
            ? "Generic"
            : "Object";
        string name = nullable is not null && IsComparable(underlying!, typeof(IEquatable<>)) ? nullable : NameOfEquality(kind, argument);
        var type = new LegacyType(comparer, name, null);
        types.AddContract(type, new LegacyDefaultComparerContract<TKey>(type));
        // For strings .NET uses another class than .NET Framework, whose class BinaryFormatter creates nevertheless.
        if (typeof(TKey) == typeof(string) && Type.GetType("System.Collections.Generic.GenericEqualityComparer`1[System.String]") is Type older
            && !types.Has(older))
            types.AddAlias(older, type);
        foreach (string other in new[] { "Generic", "Object", "Enum" })
            types.AddName(NameOfEquality(other, argument), null, type);
        if (nullable is not null)
            types.AddName(nullable, null, type);
        // .NET Framework's for bytes, which .NET no longer writes; both read both.
        if (typeof(TKey) == typeof(byte))
            types.AddName("System.Collections.Generic.ByteEqualityComparer", null, type);
    }

    /// <summary>Adds the comparers of sorted collections with a key type.</summary>
    internal static void AddOrder<TKey>(LegacyTypeMapBuilder types)
    {
        if (typeof(TKey) == typeof(string))
            AddStrings(types);
        Type comparer = Comparer<TKey>.Default.GetType();
        if (types.Has(comparer))
            return;
        string argument = Argument(typeof(TKey), types);
        Type? underlying = Nullable.GetUnderlyingType(typeof(TKey));
        string? nullable = underlying is null ? null : NameOfOrder("Nullable", Argument(underlying, types));
        string kind = typeof(IComparable<TKey>).IsAssignableFrom(typeof(TKey)) ? "Generic" : "Object";
        string name = nullable is not null && IsComparable(underlying!, typeof(IComparable<>)) ? nullable : NameOfOrder(kind, argument);
        var type = new LegacyType(comparer, name, null);
        types.AddContract(type, new LegacyDefaultOrderContract<TKey>(type));
        foreach (string other in new[] { "Generic", "Object", "Enum" })
            types.AddName(NameOfOrder(other, argument), null, type);
        if (nullable is not null)
            types.AddName(nullable, null, type);
    }

    /// <summary>Adds the ordinal comparers of strings.</summary>
    [UnconditionalSuppressMessage("Trimming", "IL2026", Justification = "A class that was trimmed is not there to be written.")]
    internal static void AddStrings(LegacyTypeMapBuilder types)
    {
        if (types.Has(StringComparer.Ordinal.GetType()))
            return;
        var type = new LegacyType(StringComparer.Ordinal.GetType(), LegacyOrdinalComparerContract.RecordName, null);
        types.AddName(LegacyOrdinalComparerContract.RecordName, null, type);
        types.AddContract(type, LegacyBagContract.WithMembers(new LegacyOrdinalComparerContract(type), ("_ignoreCase", types.Get(typeof(bool)))));
        // The two may have one class or two, and BinaryFormatter may have created an instance of a third; in bodies they are one.
        foreach (Type? other in new[] { StringComparer.OrdinalIgnoreCase.GetType(), Type.GetType(LegacyOrdinalComparerContract.RecordName) })
        {
            if (other is not null && !types.Has(other))
                types.AddAlias(other, type);
        }
    }

    /// <summary>
    /// Determines whether a structure implements comparison with itself; otherwise its <c>Nullable&lt;T&gt;</c> has the general object comparer.
    /// </summary>
    [UnconditionalSuppressMessage("Trimming", "IL2070", Justification = "An interface that was trimmed is one that the comparer does not call.")]
    private static bool IsComparable(Type type, Type definition)
    {
        foreach (Type candidate in type.GetInterfaces())
        {
            if (candidate.IsGenericType && candidate.GetGenericTypeDefinition() == definition && candidate.GetGenericArguments()[0] == type)
                return true;
        }

        return false;
    }

    private static string Argument(Type key, LegacyTypeMapBuilder types) =>
        $"[[{LegacyName.Of(key, types.Options)}, {LegacyName.AssemblyOf(key, types.Options) ?? LegacyName.CoreAssembly}]]";

    private static string NameOfEquality(string kind, string argument) => "System.Collections.Generic." + kind + "EqualityComparer`1" + argument;

    private static string NameOfOrder(string kind, string argument) => "System.Collections.Generic." + kind + "Comparer`1" + argument;
}

/// <summary>The contract of the default comparer of keys: a class without members, which has up to six names.</summary>
internal sealed class LegacyDefaultComparerContract<TKey>(LegacyType type) : LegacyClassContract(type)
{
    /// <summary>Gets whether it writes itself: that of enums does, although it has no members.</summary>
    internal override bool WritesItself => typeof(TKey).IsEnum;

    internal override object Begin(LegacyMember[] members) => EqualityComparer<TKey>.Default;
}

/// <summary>The contract of the default order of keys: a class without members.</summary>
internal sealed class LegacyDefaultOrderContract<TKey>(LegacyType type) : LegacyClassContract(type)
{
    internal override object Begin(LegacyMember[] members) => Comparer<TKey>.Default;
}

/// <summary>The contract of StringComparer.Ordinal and OrdinalIgnoreCase.</summary>
internal sealed class LegacyOrdinalComparerContract(LegacyType type) : LegacyBagContract(type)
{
    internal const string RecordName = "System.OrdinalComparer";

    /// <summary>Gets false, because on .NET Framework it is a plain class.</summary>
    internal override bool WritesItself => false;

    internal override object Make(object?[] bag, int byteOffset) =>
        Require<bool>(bag, 0, byteOffset) ? StringComparer.OrdinalIgnoreCase : StringComparer.Ordinal;

    protected override void Fill(object?[] bag, object value) => bag[0] = ((StringComparer)value).Equals("a", "A");
}
