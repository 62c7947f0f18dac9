using System;
using System.Collections.Generic;
using System.Diagnostics.CodeAnalysis;
using System.Linq;
using System.Reflection;
using System.Runtime.Serialization;
#if !NET
using System.Linq.Expressions;
#endif

namespace Formatters;

/// <summary>
/// The methods of a record that are called before or after its members, those of base classes first: <c>[OnSerializing]</c> and so on.
/// </summary>
internal sealed class RecordCallbacks
{
#if !NET
    private readonly Action<object>[] _calls;
#endif

    [RequiresUnreferencedCode(ReflectionMessages.Trimming)]
    private RecordCallbacks(MethodInfo[] methods)
    {
        Methods = methods;
#if !NET
        _calls = [.. methods.Select(Compile)];
#endif
    }

    internal IReadOnlyList<MethodInfo> Methods { get; }

    /// <exception cref="ArgumentException">A method cannot be called.</exception>
    [RequiresUnreferencedCode(ReflectionMessages.Trimming)]
    internal static RecordCallbacks Find<TAttribute>(Type type, string path)
        where TAttribute : Attribute
    {
        var methods = new List<MethodInfo>();
        for (Type? level = type; level is not null && level != typeof(object) && level != typeof(ValueType); level = level.BaseType)
        {
            const BindingFlags Declared = BindingFlags.Instance | BindingFlags.Static | BindingFlags.Public | BindingFlags.NonPublic
                | BindingFlags.DeclaredOnly;
            MethodInfo[] found = Array.FindAll(level.GetMethods(Declared), m => m.IsDefined(typeof(TAttribute), false));
            ReflectedMembers.SortByDeclaration(found);
            MethodInfo? bad = Array.Find(found, m => !IsCallback(m));
            if (bad is not null)
                throw new ArgumentException(
                    $"{path}.{bad.Name} is a callback, but it is static, virtual, generic or async, implements an interface explicitly, returns "
                    + "something, or takes something other than a StreamingContext.");
            methods.InsertRange(0, found);
        }

        return new RecordCallbacks([.. methods]);
    }

    /// <summary>Does what <see cref="Find"/> does; null if there are none.</summary>
    [RequiresUnreferencedCode(ReflectionMessages.Trimming)]
    internal static RecordCallbacks? FindAny<TAttribute>(Type type, string path)
        where TAttribute : Attribute =>
        Find<TAttribute>(type, path) is { Methods.Count: > 0 } callbacks ? callbacks : null;

    private static bool IsCallback(MethodInfo method)
    {
        ParameterInfo[] parameters = method.GetParameters();
        // Public methods that implement an interface are virtual to the runtime, and final; private ones implement it explicitly, which generated
        // code cannot call.
        return !method.IsStatic && (!method.IsVirtual || method.IsFinal && !method.IsPrivate && method.GetBaseDefinition() == method)
            && !method.IsGenericMethod && method.ReturnType == typeof(void)
            && !method.IsDefined(typeof(System.Runtime.CompilerServices.AsyncStateMachineAttribute), false)
            && (parameters.Length == 0 || parameters.Length == 1 && parameters[0].ParameterType == typeof(StreamingContext));
    }

    /// <summary>Calls them on an object, or on a boxed struct. Their exceptions are not wrapped.</summary>
    internal void Call(object owner)
    {
#if NET
        foreach (MethodInfo method in Methods)
            method.Invoke(owner, BindingFlags.DoNotWrapExceptions, null, method.GetParameters().Length == 0 ? null : [default(StreamingContext)],
                null);
#else
        foreach (Action<object> call in _calls)
            call(owner);
#endif
    }

#if !NET
    private static Action<object> Compile(MethodInfo method)
    {
        ParameterExpression owner = Expression.Parameter(typeof(object));
        Type type = method.DeclaringType!;
        Expression typedOwner = type.IsValueType ? Expression.Unbox(owner, type) : Expression.Convert(owner, type);
        Expression[] arguments = method.GetParameters().Length == 0 ? [] : [Expression.Default(typeof(StreamingContext))];
        return Expression.Lambda<Action<object>>(Expression.Call(typedOwner, method, arguments), owner).Compile();
    }
#endif
}
