using System;
using System.Collections;
using System.Collections.Generic;
using System.Diagnostics.CodeAnalysis;
using System.Linq;
using System.Linq.Expressions;
using System.Reflection;
using Formatters.Generated;

namespace Formatters;

/// <summary>Converts a collection to the array or dictionary that is written, and back from what was read. Determined by the two types.</summary>
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

/// <summary>
/// Creates the expressions that convert collections. Collections of other packages are found by name, so that the library needs no reference to them.
/// </summary>
[RequiresUnreferencedCode(ReflectionMessages.Trimming)]
[RequiresDynamicCode(ReflectionMessages.DynamicCode)]
internal static class Conversion
{
    /// <summary>Finds the conversion of a value.</summary>
    internal static Expression Find(Expression value, Type to)
    {
        if (to.IsArray && ContractBuilder.FindCollection(value.Type)?.Kind == CollectionKind.Set)
            return Expression.Call(typeof(ContractCode), nameof(ContractCode.ToDistinctArray), [to.GetElementType()!],
                Expression.Convert(value, typeof(IEnumerable<>).MakeGenericType(to.GetElementType()!)));
        // A queue or a stack copies itself faster than it is enumerated.
        if (to.IsArray && value.Type.GetMethod("ToArray", Type.EmptyTypes) is MethodInfo toArray && toArray.ReturnType == to)
            return Expression.Call(value, toArray);
        if (to.IsArray)
            return Expression.Call(typeof(Enumerable), nameof(Enumerable.ToArray), [to.GetElementType()!],
                Expression.Convert(value, typeof(IEnumerable<>).MakeGenericType(to.GetElementType()!)));
        if (to.IsGenericType && to.GetGenericTypeDefinition() == typeof(Dictionary<,>))
        {
            Type[] arguments = to.GetGenericArguments();
            return value.Type.IsGenericType
                ? Expression.Call(typeof(ContractCode), nameof(ContractCode.ToDictionary), arguments,
                    Expression.Convert(value, typeof(IEnumerable<>).MakeGenericType(typeof(KeyValuePair<,>).MakeGenericType(arguments))))
                : Expression.Call(typeof(ContractCode), nameof(ContractCode.FromHashtable), arguments,
                    Expression.Convert(value, typeof(IDictionary)));
        }

        return FindMake(to, value);
    }

    /// <summary>Finds the conversion from an array, a set or a dictionary.</summary>
    private static Expression FindMake(Type type, Expression value)
    {
        Type[] arguments = value.Type.IsArray ? [value.Type.GetElementType()!] : value.Type.GetGenericArguments();
        if (!type.IsGenericType)
            return Expression.Call(typeof(ContractCode), nameof(ContractCode.ToHashtable), arguments, value);
        KnownCollection collection = KnownCollections.Find(type.GetGenericTypeDefinition().FullName!)!;
        if (collection.IsReadAsIs)
            return value;
        if (collection.Source == CollectionSource.Reversed)
            value = Expression.Call(typeof(ContractCode), nameof(ContractCode.Reverse), arguments, value);
        if (collection.Source == CollectionSource.List)
            value = Expression.Call(typeof(Enumerable), nameof(Enumerable.ToList), arguments, value);
        Expression? comparer = collection.Keys == CollectionKeys.None
            ? null
            : Expression.Call(typeof(ContractCode), collection.Keys switch
            {
                CollectionKeys.Ordered => nameof(ContractCode.Order),
                CollectionKeys.Frozen => nameof(ContractCode.FrozenComparer),
                _ => nameof(ContractCode.Comparer),
            }, [arguments[0]]);
        if (collection.Maker.Length == 0)
        {
            ConstructorInfo constructor = FindConstructor(type, value.Type, comparer?.Type);
            return comparer is null ? Expression.New(constructor, value) : Expression.New(constructor, value, comparer);
        }

        MethodInfo method = FindMethod(type, collection.Maker, arguments, value.Type, comparer?.Type);
        return comparer is null
            ? Expression.Call(method, value)
            : Expression.Call(method, collection.IsComparerLast ? [value, comparer] : [comparer, value]);
    }

    /// <summary>Finds the constructor that takes an interface of the source, with the key comparer if there is one.</summary>
    private static ConstructorInfo FindConstructor(Type type, Type source, Type? comparer) => type.GetConstructors()
        .First(c => c.GetParameters() is { Length: 1 or 2 } parameters && parameters[0].ParameterType is { IsInterface: true } first
            && first.IsAssignableFrom(source)
            && (parameters.Length == 1 ? comparer is null : parameters[1].ParameterType == comparer));

    /// <summary>
    /// Finds the method that creates a collection from an array or an interface of its elements, with the key comparer if there is one.
    /// </summary>
    private static MethodInfo FindMethod(Type type, string maker, Type[] arguments, Type source, Type? comparer)
    {
        string[] names = maker.Split('.');
        Type items = typeof(IEnumerable<>).MakeGenericType(arguments.Length == 1 ? arguments[0] : typeof(KeyValuePair<,>).MakeGenericType(arguments));
        return type.Assembly.GetType(type.Namespace + "." + names[0], throwOnError: true)!.GetMethods(BindingFlags.Public | BindingFlags.Static)
            .Where(m => m.Name == names[1] && m.GetGenericArguments().Length == arguments.Length).Select(m => m.MakeGenericMethod(arguments))
            .Single(m => IsCalled(m.GetParameters()));

        bool IsCalled(ParameterInfo[] parameters) =>
            parameters.Length == (comparer is null ? 1 : 2)
            && parameters.All(p => p.ParameterType == items || p.ParameterType == comparer || p.ParameterType == source && source.IsArray);
    }
}
