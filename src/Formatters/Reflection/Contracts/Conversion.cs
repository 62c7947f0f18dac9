using System;
using System.Collections;
using System.Collections.Generic;
using System.Diagnostics.CodeAnalysis;
using System.Linq;
using System.Linq.Expressions;
using System.Reflection;
using Formatters.Generated;

namespace Formatters;

/// <summary>How a collection becomes the array or dictionary that is written, or is made of what was read. A function of the two types alone.</summary>
[RequiresUnreferencedCode(ReflectionMessages.Trimming)]
[RequiresDynamicCode(ReflectionMessages.DynamicCode)]
internal static class Conversion<TFrom, TTo>
{
    private static readonly Func<TFrom, TTo> Compiled = Compile();

    internal static TTo Convert(TFrom value)
    {
        // The default of a struct, an ImmutableArray<T>, has no elements.
        if (value is null || typeof(TFrom).IsValueType && EqualityComparer<TFrom>.Default.Equals(value, default!))
            ContractMethods.ThrowUnexpectedNull();
        return Compiled(value);
    }

    private static Func<TFrom, TTo> Compile()
    {
        ParameterExpression value = Expression.Parameter(typeof(TFrom));
        return Expression.Lambda<Func<TFrom, TTo>>(Expression.Convert(Conversion.Find(value, typeof(TTo)), typeof(TTo)), value).Compile();
    }
}

/// <summary>The expressions that convert collections. Those of other packages are found by name, so that the library needs no reference to them.</summary>
[RequiresUnreferencedCode(ReflectionMessages.Trimming)]
[RequiresDynamicCode(ReflectionMessages.DynamicCode)]
internal static class Conversion
{
    private const string Immutable = "System.Collections.Immutable.";

    /// <summary>The static class that makes a collection: null where it is a constructor.</summary>
    private static readonly Dictionary<string, string?> Sequences = new()
    {
        ["System.Collections.Generic.Queue`1"] = null,
        ["System.Collections.Generic.Stack`1"] = null,
        ["System.Collections.Generic.LinkedList`1"] = null,
        ["System.Collections.ObjectModel.Collection`1"] = null,
        ["System.Collections.ObjectModel.ObservableCollection`1"] = null,
        ["System.Collections.ObjectModel.ReadOnlyCollection`1"] = null,
        ["System.Collections.Concurrent.ConcurrentQueue`1"] = null,
        ["System.Collections.Concurrent.ConcurrentStack`1"] = null,
        ["System.Collections.Concurrent.ConcurrentBag`1"] = null,
        [Immutable + "ImmutableArray`1"] = "ImmutableArray",
        [Immutable + "ImmutableList`1"] = "ImmutableList",
        [Immutable + "IImmutableList`1"] = "ImmutableList",
        [Immutable + "ImmutableQueue`1"] = "ImmutableQueue",
        [Immutable + "IImmutableQueue`1"] = "ImmutableQueue",
        [Immutable + "ImmutableStack`1"] = "ImmutableStack",
        [Immutable + "IImmutableStack`1"] = "ImmutableStack",
    };

    private static readonly Dictionary<string, string?> Sets = new()
    {
        ["System.Collections.Generic.HashSet`1"] = null,
        ["System.Collections.Generic.SortedSet`1"] = null,
        ["System.Collections.Generic.ISet`1"] = null,
        ["System.Collections.Generic.IReadOnlySet`1"] = null,
        ["System.Collections.ObjectModel.ReadOnlySet`1"] = null,
        [Immutable + "ImmutableHashSet`1"] = "ImmutableHashSet",
        [Immutable + "IImmutableSet`1"] = "ImmutableHashSet",
        [Immutable + "ImmutableSortedSet`1"] = "ImmutableSortedSet",
        ["System.Collections.Frozen.FrozenSet`1"] = "FrozenSet",
    };

    private static readonly Dictionary<string, string?> Dictionaries = new()
    {
        ["System.Collections.Generic.SortedDictionary`2"] = null,
        ["System.Collections.Generic.SortedList`2"] = null,
        ["System.Collections.ObjectModel.ReadOnlyDictionary`2"] = null,
        ["System.Collections.Generic.OrderedDictionary`2"] = null,
        ["System.Collections.Concurrent.ConcurrentDictionary`2"] = null,
        [Immutable + "ImmutableDictionary`2"] = "ImmutableDictionary",
        [Immutable + "IImmutableDictionary`2"] = "ImmutableDictionary",
        [Immutable + "ImmutableSortedDictionary`2"] = "ImmutableSortedDictionary",
        ["System.Collections.Frozen.FrozenDictionary`2"] = "FrozenDictionary",
    };

    internal static bool IsSequence(Type definition) => Sequences.ContainsKey(definition.FullName!);

    internal static bool IsSet(Type definition) => Sets.ContainsKey(definition.FullName!);

    internal static bool IsDictionary(Type definition) => Dictionaries.ContainsKey(definition.FullName!);

    /// <summary>What a value is converted by.</summary>
    internal static Expression Find(Expression value, Type to)
    {
        if (to.IsArray)
            return Expression.Call(typeof(Enumerable), nameof(Enumerable.ToArray), [to.GetElementType()!], Expression.Convert(value, typeof(IEnumerable<>).MakeGenericType(to.GetElementType()!)));
        if (to.IsGenericType && to.GetGenericTypeDefinition() == typeof(Dictionary<,>))
        {
            Type[] arguments = to.GetGenericArguments();
            return value.Type.IsGenericType
                ? Expression.Call(typeof(ContractCode), nameof(ContractCode.ToDictionary), arguments, Expression.Convert(value, typeof(IEnumerable<>).MakeGenericType(typeof(KeyValuePair<,>).MakeGenericType(arguments))))
                : Expression.Call(typeof(ContractCode), nameof(ContractCode.FromHashtable), arguments, Expression.Convert(value, typeof(IDictionary)));
        }

        return FindMake(to, value);
    }

    /// <summary>From an array, a set or a dictionary.</summary>
    private static Expression FindMake(Type type, Expression value)
    {
        Type[] arguments = value.Type.IsArray ? [value.Type.GetElementType()!] : value.Type.GetGenericArguments();
        if (!type.IsGenericType)
            return Expression.Call(typeof(ContractCode), nameof(ContractCode.ToHashtable), arguments, value);
        string name = type.GetGenericTypeDefinition().FullName!;
        if (name.EndsWith("Stack`1", StringComparison.Ordinal) || name.EndsWith("Bag`1", StringComparison.Ordinal))
            value = Expression.Call(typeof(ContractCode), nameof(ContractCode.Reverse), arguments, value);
        if (name == "System.Collections.ObjectModel.Collection`1")
            value = Expression.Call(typeof(Enumerable), nameof(Enumerable.ToList), arguments, value);
        string? maker = Sequences.TryGetValue(name, out string? sequence) ? sequence : Sets.TryGetValue(name, out string? set) ? set : Dictionaries[name];
        if (maker is null && type.IsAssignableFrom(value.Type))
            return value;
        Expression comparer = Expression.Call(typeof(ContractCode), name.Contains("Sorted") ? nameof(ContractCode.Order) : nameof(ContractCode.Comparer), [arguments[0]]);
        if (maker is null)
        {
            ConstructorInfo constructor = FindConstructor(type, value.Type, comparer.Type);
            return constructor.GetParameters().Length == 1 ? Expression.New(constructor, value) : Expression.New(constructor, value, comparer);
        }

        MethodInfo method = FindMethod(type, maker, arguments, comparer.Type);
        return Expression.Call(method, method.GetParameters().Select(p => p.ParameterType.IsAssignableFrom(value.Type) ? value : comparer));
    }

    /// <summary>The constructor that takes an interface of the source; with a comparer of keys where there is one.</summary>
    private static ConstructorInfo FindConstructor(Type type, Type source, Type comparer) => type.GetConstructors()
        .Where(c => c.GetParameters() is { Length: 1 or 2 } parameters && parameters[0].ParameterType is { IsInterface: true } first && first.IsAssignableFrom(source)
            && (parameters.Length == 1 || parameters[1].ParameterType == comparer))
        .OrderByDescending(c => c.GetParameters().Length).First();

    /// <summary><c>CreateRange</c>, or for frozen collections <c>ToFrozenSet</c>; with a comparer of keys where there is one.</summary>
    private static MethodInfo FindMethod(Type type, string maker, Type[] arguments, Type comparer)
    {
        bool isFrozen = maker.StartsWith("Frozen", StringComparison.Ordinal);
        bool hasComparer = isFrozen || maker is "ImmutableHashSet" or "ImmutableDictionary" or "ImmutableSortedSet" or "ImmutableSortedDictionary";
        string name = isFrozen ? "To" + maker : "CreateRange";
        Type items = typeof(IEnumerable<>).MakeGenericType(arguments.Length == 1 ? arguments[0] : typeof(KeyValuePair<,>).MakeGenericType(arguments));
        return type.Assembly.GetType(type.Namespace + "." + maker, throwOnError: true)!.GetMethods(BindingFlags.Public | BindingFlags.Static)
            .Where(m => m.Name == name && m.GetGenericArguments().Length == arguments.Length).Select(m => m.MakeGenericMethod(arguments))
            .Single(m => IsCalled(m.GetParameters()));

        bool IsCalled(ParameterInfo[] parameters) =>
            parameters.Length == (hasComparer ? 2 : 1) && parameters.All(p => p.ParameterType == items || p.ParameterType == comparer);
    }
}
