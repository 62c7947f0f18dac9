#if NET
using Formatters.Binary;

using System;
using System.Reflection;
using System.Reflection.Emit;
using System.Runtime.Serialization;

namespace Formatters;

// The format-independent parts of records: getting and setting members, constructors, callbacks.
internal abstract partial class ContractCompiler
{
    private const int MaxInlinedMemberCount = 8;

    // Each takes as much of the frame as its members do.
    private const int MaxInlinedRecordCount = 4;

    private ILGenerator? _inlinedIn;
    private int _inlinedCount;

    internal static void EmitCallbacks(ILGenerator il, RecordCallbacks? callbacks, Action loadOwner)
    {
        foreach (MethodInfo method in callbacks?.Methods ?? [])
        {
            loadOwner();
            if (method.GetParameters().Length > 0)
            {
                LocalBuilder context = il.DeclareLocal(typeof(StreamingContext));
                EmitDefault(il, context);
                il.Emit(OpCodes.Ldloc, context);
            }

            il.Emit(OpCodes.Call, method);
        }
    }

    /// <summary>Emits code that puts argument 2, or its address if it is a struct, on the stack.</summary>
    internal static void EmitOwner(ILGenerator il, Type type)
    {
        if (type.IsValueType)
            il.Emit(OpCodes.Ldarga_S, (byte)2);
        else
            il.Emit(OpCodes.Ldarg_2);
    }

    /// <summary>Emits code that puts a local, or its address if it is a struct, on the stack.</summary>
    internal static void EmitOwner(ILGenerator il, LocalBuilder local) =>
        il.Emit(local.LocalType.IsValueType ? OpCodes.Ldloca : OpCodes.Ldloc, local);

    /// <summary>Emits code that puts a new object on the stack, or a struct's default value.</summary>
    internal static void EmitNew(ILGenerator il, Type type, ObjectMaker maker)
    {
        if (maker.Constructor is ConstructorInfo constructor)
            il.Emit(OpCodes.Newobj, constructor);
        else
            EmitExistingOrDefault(il, type, null);
    }

    /// <summary>Emits creating an object from members that have been read, and setting those that its constructor does not take.</summary>
    /// <param name="il">The method.</param>
    /// <param name="record">The record.</param>
    /// <param name="values">The members.</param>
    /// <param name="result">Receives the object.</param>
    /// <param name="emitHas">Emits code that puts on the stack whether the body has a member; null if it has all.</param>
    private protected void EmitMake(ILGenerator il, RecordContract record, LocalBuilder[] values, LocalBuilder result, Action<int>? emitHas)
    {
        ParameterInfo[] parameters = record.Maker.Constructor!.GetParameters();
        for (int i = 0; i < parameters.Length; i++)
            il.Emit(parameters[i].ParameterType.IsByRef ? OpCodes.Ldloca : OpCodes.Ldloc, values[record.Maker.MemberIndexes[i]]);
        il.Emit(OpCodes.Newobj, record.Maker.Constructor!);
        il.Emit(OpCodes.Stloc, result);
        EmitCallbacks(il, record.OnDeserializing, () => EmitOwner(il, result));
        for (int i = 0; i < values.Length; i++)
        {
            if (record.Maker.TakesMember(i) || !RecordMember.CanSet(record.Members[i].Info))
                continue;
            Label absent = il.DefineLabel();
            if (emitHas is not null)
            {
                emitHas(i);
                il.Emit(OpCodes.Brfalse, absent);
            }

            EmitKeepComparer(il, record, record.Members[i], result, values[i]);
            EmitOwner(il, result);
            il.Emit(OpCodes.Ldloc, values[i]);
            EmitSet(il, record.Members[i].Info);
            il.MarkLabel(absent);
        }
    }

    /// <summary>Emits code that puts a member of argument 2 on the stack.</summary>
    private protected static void EmitGet(ILGenerator il, RecordContract record, RecordMember member)
    {
        EmitOwner(il, record.Type);
        EmitGetOf(il, member.Info);
    }

    /// <summary>Emits code that puts a member on the stack; the object (a struct's address) is already there.</summary>
    internal static void EmitGetOf(ILGenerator il, MemberInfo member)
    {
        if (member is FieldInfo field)
            il.Emit(OpCodes.Ldfld, field);
        else
            EmitAccessor(il, ((PropertyInfo)member).GetGetMethod(nonPublic: true)!);
    }

    /// <summary>Emits reading and setting a member.</summary>
    /// <param name="il">The method.</param>
    /// <param name="record">The record.</param>
    /// <param name="member">The member.</param>
    /// <param name="result">The object.</param>
    /// <param name="isReused">Whether the object existed before.</param>
    private protected void EmitReadMember(ILGenerator il, RecordContract record, RecordMember member, LocalBuilder result, bool isReused)
    {
        MemberSetting setting = member.Setting;
        Action? loadExisting = isReused && !setting.IsReplaced ? () => EmitGet(il, record, member) : null;
        if (setting.IsPlain)
        {
            EmitOwner(il, result);
            EmitRead(il, member.Contract, loadExisting);
            EmitSet(il, member.Info);
            return;
        }

        LocalBuilder item = il.DeclareLocal(member.Contract.Type);
        EmitRead(il, member.Contract, loadExisting);
        il.Emit(OpCodes.Stloc, item);
        EmitKeepComparer(il, record, member, result, item);
        if (isReused)
            EmitEmpty(il, record, member, result);
        EmitOwner(il, result);
        il.Emit(OpCodes.Ldloc, item);
        EmitSet(il, member.Info);
    }

    /// <summary>Emits giving a collection that was read the comparer of the member's current one.</summary>
    private protected void EmitKeepComparer(ILGenerator il, RecordContract record, RecordMember member, LocalBuilder result, LocalBuilder item)
    {
        if (!member.Setting.KeepsComparer)
            return;
        il.Emit(OpCodes.Ldloc, item);
        EmitOwner(il, result);
        EmitGetOf(il, member.Info);
        il.Emit(OpCodes.Ldarg_1);
        il.Emit(OpCodes.Call, Reader.GetElementType()!.GetProperty(nameof(BinaryBodyReader.ByteOffset),
            BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.Instance)!.GetGetMethod(nonPublic: true)!);
        il.Emit(OpCodes.Call, member.Setting.KeepMethod);
        il.Emit(OpCodes.Stloc, item);
    }

    /// <summary>Emits clearing the collection of an existing object before a setter with code gets the new one.</summary>
    private protected static void EmitEmpty(ILGenerator il, RecordContract record, RecordMember member, LocalBuilder result)
    {
        if (member.Setting is not { IsReplaced: true, IsCollection: true })
            return;
        EmitOwner(il, result);
        EmitGetOf(il, member.Info);
        if (member.Contract.Type.IsValueType)
            il.Emit(OpCodes.Box, member.Contract.Type);
        il.Emit(OpCodes.Call, Own(typeof(MemberSetting), nameof(MemberSetting.Empty)));
    }

    /// <summary>Emits setting a member; the object (a struct's address) and the value are on the stack.</summary>
    internal static void EmitSet(ILGenerator il, MemberInfo member)
    {
        if (member is FieldInfo field)
            il.Emit(OpCodes.Stfld, field);
        else
            EmitAccessor(il, ((PropertyInfo)member).GetSetMethod(nonPublic: true)!);
    }

    private static void EmitAccessor(ILGenerator il, MethodInfo accessor) =>
        il.Emit(accessor.DeclaringType!.IsValueType ? OpCodes.Call : OpCodes.Callvirt, accessor);

    /// <summary>Determines whether a record is written or read in place: a small struct of bounded values, one of a few in its method.</summary>
    private protected bool TryInline(ILGenerator il, RecordContract record)
    {
        if (!record.Type.IsValueType || record.Members.Count is 0 or > MaxInlinedMemberCount
            || record is not { OnSerializing: null, OnSerialized: null, OnDeserializing: null, OnDeserialized: null, Unknown: null })
            return false;
        foreach (RecordMember member in record.Members)
        {
            if (Bound(member.Contract) < 0)
                return false;
        }

        if (_inlinedIn != il)
            (_inlinedIn, _inlinedCount) = (il, 0);
        return _inlinedCount++ < MaxInlinedRecordCount;
    }

    /// <summary>Emits reading with another method.</summary>
    private protected void EmitInstead(ILGenerator il, Label label, bool isNeeded, RecordContract record, Mode mode)
    {
        il.MarkLabel(label);
        if (!isNeeded)
            return;
        il.Emit(OpCodes.Ldarg_0);
        il.Emit(OpCodes.Ldarg_1);
        if (mode == Mode.OverwritePart)
            il.Emit(OpCodes.Ldarg_2);
        il.Emit(OpCodes.Call, MethodOf(record, mode));
        il.Emit(OpCodes.Ret);
    }
}
#endif
