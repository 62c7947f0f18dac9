using System;
using System.Diagnostics.CodeAnalysis;
using System.Reflection;
#if NET
using System.Reflection.Emit;
using System.Runtime.CompilerServices;
#else
using System.Linq.Expressions;
#endif

namespace Formatters;

/// <summary>Gets and sets a field of any visibility, even a read-only one, as BinaryFormatter does; for a struct, in its box.</summary>
/// <remarks>
/// Emits code if the runtime supports it; otherwise uses reflection. <c>T</c> is the field's own type, or <see cref="object"/>: then a value is
/// boxed.
/// </remarks>
internal static class FieldAccess
{
    /// <summary>Finds the getter for a field of a runtime class that has one of two names; null if it has neither.</summary>
    internal static Func<object, T>? FindGetter<T>([DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.NonPublicFields)]
    Type type, string name, string olderName) =>
        Find(type, name, olderName) is FieldInfo field ? Getter<T>(field) : null;

    /// <inheritdoc cref="FindGetter"/>
    internal static Action<object, T>? FindSetter<T>([DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.NonPublicFields)]
    Type type, string name, string olderName) =>
        Find(type, name, olderName) is FieldInfo field ? Setter<T>(field) : null;

    private static FieldInfo? Find([DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.NonPublicFields)]
    Type type, string name, string olderName) =>
        type.GetField(name, BindingFlags.Instance | BindingFlags.NonPublic)
        ?? type.GetField(olderName, BindingFlags.Instance | BindingFlags.NonPublic);

#if NET
    internal static Func<object, T> Getter<T>(FieldInfo field)
    {
        if (!RuntimeFeature.IsDynamicCodeCompiled)
            return target => (T)field.GetValue(target)!;
#pragma warning disable IL3050 // Checked above, which the analyzer knows from .NET 9 on.
        var method = new DynamicMethod(field.Name, typeof(T), [typeof(object)], typeof(FieldAccess).Module, skipVisibility: true);
#pragma warning restore IL3050
        ILGenerator il = method.GetILGenerator();
        EmitTarget(il, field);
        il.Emit(OpCodes.Ldfld, field);
        if (typeof(T) != field.FieldType && field.FieldType.IsValueType)
            il.Emit(OpCodes.Box, field.FieldType);
        il.Emit(OpCodes.Ret);
        return method.CreateDelegate<Func<object, T>>();
    }

    internal static Action<object, T> Setter<T>(FieldInfo field)
    {
        if (!RuntimeFeature.IsDynamicCodeCompiled)
            return (target, value) => field.SetValue(target, value);
#pragma warning disable IL3050 // Checked above, which the analyzer knows from .NET 9 on.
        var method = new DynamicMethod(field.Name, null, [typeof(object), typeof(T)], typeof(FieldAccess).Module, skipVisibility: true);
#pragma warning restore IL3050
        ILGenerator il = method.GetILGenerator();
        EmitTarget(il, field);
        il.Emit(OpCodes.Ldarg_1);
        if (typeof(T) != field.FieldType)
            il.Emit(OpCodes.Unbox_Any, field.FieldType);
        il.Emit(OpCodes.Stfld, field);
        il.Emit(OpCodes.Ret);
        return method.CreateDelegate<Action<object, T>>();
    }

    private static void EmitTarget(ILGenerator il, FieldInfo field)
    {
        il.Emit(OpCodes.Ldarg_0);
        il.Emit(field.DeclaringType!.IsValueType ? OpCodes.Unbox : OpCodes.Castclass, field.DeclaringType);
    }
#else
    internal static Func<object, T> Getter<T>(FieldInfo field)
    {
        ParameterExpression target = Expression.Parameter(typeof(object));
        return Expression.Lambda<Func<object, T>>(Expression.Convert(Field(target, field), typeof(T)), target).Compile();
    }

    internal static Action<object, T> Setter<T>(FieldInfo field)
    {
        if (field.IsInitOnly)
            return (target, value) => field.SetValue(target, value);
        ParameterExpression target = Expression.Parameter(typeof(object));
        ParameterExpression value = Expression.Parameter(typeof(T));
        Expression assignment = Expression.Assign(Field(target, field), Expression.Convert(value, field.FieldType));
        return Expression.Lambda<Action<object, T>>(assignment, target, value).Compile();
    }

    private static MemberExpression Field(Expression target, FieldInfo field) => Expression.Field(
        field.DeclaringType!.IsValueType ? Expression.Unbox(target, field.DeclaringType) : Expression.Convert(target, field.DeclaringType), field);
#endif
}
