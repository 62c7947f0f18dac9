using System;
using System.Collections.Generic;
using System.Diagnostics.CodeAnalysis;
using System.Reflection;
#if !NET
using System.Linq.Expressions;
#endif

namespace Formatters;

/// <summary>Creates the objects of one type: with a parameterless constructor, one whose parameters are members, or a struct's default.</summary>
[RequiresUnreferencedCode(ReflectionMessages.Trimming)]
internal sealed class ObjectMaker
{
    private readonly Type _type;
#if !NET
    private readonly Func<object?[]?, object> _make;
#endif

    internal ObjectMaker(Type type, ConstructorInfo? constructor, int[] memberIndexes)
    {
        _type = type;
        Constructor = constructor;
        MemberIndexes = memberIndexes;
#if !NET
        _make = Compile();
#endif
    }

    /// <summary>Gets the constructor; null for a struct's default value.</summary>
    internal ConstructorInfo? Constructor { get; }

    /// <summary>Gets the index of the member for every parameter of the constructor.</summary>
    internal IReadOnlyList<int> MemberIndexes { get; }

    internal bool TakesMember(int memberIndex)
    {
        foreach (int index in MemberIndexes)
        {
            if (index == memberIndex)
                return true;
        }

        return false;
    }

#if NET
    internal object Make(object?[]? arguments) =>
        Constructor is null ? Activator.CreateInstance(_type)! : Constructor.Invoke(BindingFlags.DoNotWrapExceptions, null, arguments, null);
#else
    internal object Make(object?[]? arguments) => _make(arguments);

    private Func<object?[]?, object> Compile()
    {
        ParameterExpression arguments = Expression.Parameter(typeof(object[]));
        ParameterInfo[] parameters = Constructor?.GetParameters() ?? [];
        var values = new Expression[parameters.Length];
        for (int i = 0; i < values.Length; i++)
            values[i] = Expression.Convert(Expression.ArrayIndex(arguments, Expression.Constant(i)), ReflectedParameter.TypeOf(parameters[i]));
        Expression value = Constructor is null ? Expression.Default(_type) : Expression.New(Constructor, values);
        return Expression.Lambda<Func<object?[]?, object>>(Expression.Convert(value, typeof(object)), arguments).Compile();
    }
#endif
}
