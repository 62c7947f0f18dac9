#if NET
using System;
using System.Collections.Generic;
using System.Reflection;
using System.Reflection.Emit;
using System.Runtime.Serialization;
using Formatters.Generated;

namespace Formatters;

internal sealed partial class ContractCompiler
{
    private void EmitWriteRecord(ILGenerator il, RecordContract record)
    {
        if (record.ChecksDerived)
            EmitTypeCheck(il, record.Type);
        else if (!record.Type.IsValueType)
            EmitNullCheck(il);
        il.Emit(OpCodes.Ldarg_0);
        il.Emit(OpCodes.Call, typeof(BinaryBodyWriter).GetMethod(nameof(BinaryBodyWriter.EnterRecord))!);
        EmitCallbacks(il, record.OnSerializing, LoadOwner);
        foreach (RecordMember member in record.Members)
            EmitWrite(il, member.Contract, () => EmitGet(il, record, member));
        EmitCallbacks(il, record.OnSerialized, LoadOwner);
        il.Emit(OpCodes.Ldarg_0);
        il.Emit(OpCodes.Call, typeof(BinaryBodyWriter).GetMethod(nameof(BinaryBodyWriter.LeaveRecord))!);
        il.Emit(OpCodes.Ret);

        void LoadOwner()
        {
            if (record.Type.IsValueType)
                il.Emit(OpCodes.Ldarga_S, (byte)1);
            else
                il.Emit(OpCodes.Ldarg_1);
        }
    }

    private static void EmitCallbacks(ILGenerator il, RecordCallbacks? callbacks, Action loadOwner)
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

    private void EmitReadRecord(ILGenerator il, RecordContract record, bool overwrite)
    {
        if (overwrite && !record.Type.IsValueType)
        {
            // Nothing to reuse, or an object of a derived class: read a new one.
            Label reuse = il.DefineLabel();
            Label anew = il.DefineLabel();
            il.Emit(OpCodes.Ldarg_1);
            il.Emit(OpCodes.Brfalse, anew);
            il.Emit(OpCodes.Ldarg_1);
            il.Emit(OpCodes.Call, ObjectGetType);
            il.Emit(OpCodes.Ldtoken, record.Type);
            il.Emit(OpCodes.Call, GetTypeFromHandle);
            il.Emit(OpCodes.Beq, reuse);
            il.MarkLabel(anew);
            il.Emit(OpCodes.Ldarg_0);
            il.Emit(OpCodes.Call, MethodOf(record, Mode.Read));
            il.Emit(OpCodes.Ret);
            il.MarkLabel(reuse);
        }

        il.Emit(OpCodes.Ldarg_0);
        il.Emit(OpCodes.Call, typeof(BinaryBodyReader).GetMethod(nameof(BinaryBodyReader.EnterRecord))!);
        LocalBuilder result = il.DeclareLocal(record.Type);
        if (record.Maker.MemberIndexes.Count > 0)
            EmitReadThenMake(il, record, result, overwrite);
        else
            EmitFill(il, record, result, overwrite);
        EmitCallbacks(il, record.OnDeserialized, () => il.Emit(record.Type.IsValueType ? OpCodes.Ldloca : OpCodes.Ldloc, result));
        il.Emit(OpCodes.Ldarg_0);
        il.Emit(OpCodes.Call, typeof(BinaryBodyReader).GetMethod(nameof(BinaryBodyReader.LeaveRecord))!);
        il.Emit(OpCodes.Ldloc, result);
        il.Emit(OpCodes.Ret);
    }

    private void EmitFill(ILGenerator il, RecordContract record, LocalBuilder result, bool overwrite)
    {
        if (overwrite && !record.Type.IsValueType)
        {
            il.Emit(OpCodes.Ldarg_1);
            il.Emit(OpCodes.Stloc, result);
        }
        else
        {
            EmitNew(il, record.Type, record.Maker);
            il.Emit(OpCodes.Stloc, result);
        }

        EmitCallbacks(il, record.OnDeserializing, () => il.Emit(record.Type.IsValueType ? OpCodes.Ldloca : OpCodes.Ldloc, result));
        foreach (RecordMember member in record.Members)
        {
            il.Emit(record.Type.IsValueType ? OpCodes.Ldloca : OpCodes.Ldloc, result);
            EmitRead(il, member.Contract, overwrite ? () => EmitGet(il, record, member) : null);
            EmitSet(il, record, member);
        }
    }

    /// <summary>Puts a new object on the stack, or a struct's default value.</summary>
    private static void EmitNew(ILGenerator il, Type type, ObjectMaker maker)
    {
        if (maker.Constructor is ConstructorInfo constructor)
        {
            il.Emit(OpCodes.Newobj, constructor);
            return;
        }

        LocalBuilder none = il.DeclareLocal(type);
        EmitDefault(il, none);
        il.Emit(OpCodes.Ldloc, none);
    }

    private void EmitReadThenMake(ILGenerator il, RecordContract record, LocalBuilder result, bool overwrite)
    {
        IReadOnlyList<RecordMember> members = record.Members;
        var values = new LocalBuilder[members.Count];
        for (int i = 0; i < values.Length; i++)
        {
            RecordMember member = members[i];
            values[i] = il.DeclareLocal(member.Contract.Type);
            EmitRead(il, member.Contract, overwrite ? () => EmitGet(il, record, member) : null);
            il.Emit(OpCodes.Stloc, values[i]);
        }

        Label kept = il.DefineLabel();
        if (overwrite && !record.Type.IsValueType && record.OnDeserializing is null && record.OnDeserialized is null)
            EmitKeep(il, record, values, result, kept);
        ParameterInfo[] parameters = record.Maker.Constructor!.GetParameters();
        for (int i = 0; i < parameters.Length; i++)
            il.Emit(parameters[i].ParameterType.IsByRef ? OpCodes.Ldloca : OpCodes.Ldloc, values[record.Maker.MemberIndexes[i]]);
        il.Emit(OpCodes.Newobj, record.Maker.Constructor!);
        il.Emit(OpCodes.Stloc, result);
        EmitCallbacks(il, record.OnDeserializing, () => il.Emit(record.Type.IsValueType ? OpCodes.Ldloca : OpCodes.Ldloc, result));
        for (int i = 0; i < values.Length; i++)
        {
            if (record.Maker.TakesMember(i))
                continue;
            il.Emit(record.Type.IsValueType ? OpCodes.Ldloca : OpCodes.Ldloc, result);
            il.Emit(OpCodes.Ldloc, values[i]);
            EmitSet(il, record, members[i]);
        }

        il.MarkLabel(kept);
    }

    /// <summary>Takes the existing object if all its members are what has been read.</summary>
    private static void EmitKeep(ILGenerator il, RecordContract record, LocalBuilder[] values, LocalBuilder result, Label kept)
    {
        Label anew = il.DefineLabel();
        for (int i = 0; i < values.Length; i++)
        {
            il.Emit(OpCodes.Ldloc, values[i]);
            EmitGet(il, record, record.Members[i]);
            il.Emit(OpCodes.Call, typeof(ContractCode).GetMethod(nameof(ContractCode.IsSame))!.MakeGenericMethod(values[i].LocalType));
            il.Emit(OpCodes.Brfalse, anew);
        }

        il.Emit(OpCodes.Ldarg_1);
        il.Emit(OpCodes.Stloc, result);
        il.Emit(OpCodes.Br, kept);
        il.MarkLabel(anew);
    }

    /// <summary>Puts a member of argument 1 on the stack.</summary>
    private static void EmitGet(ILGenerator il, RecordContract record, RecordMember member)
    {
        if (record.Type.IsValueType)
            il.Emit(OpCodes.Ldarga_S, (byte)1);
        else
            il.Emit(OpCodes.Ldarg_1);
        if (member.Field is not null)
            il.Emit(OpCodes.Ldfld, member.Field);
        else
            il.Emit(record.Type.IsValueType ? OpCodes.Call : OpCodes.Callvirt, member.Property!.GetGetMethod(nonPublic: true)!);
    }

    /// <summary>Sets a member; the object (a struct's address) and the value are on the stack.</summary>
    private static void EmitSet(ILGenerator il, RecordContract record, RecordMember member)
    {
        if (member.Field is not null)
            il.Emit(OpCodes.Stfld, member.Field);
        else
            il.Emit(record.Type.IsValueType ? OpCodes.Call : OpCodes.Callvirt, member.Property!.GetSetMethod(nonPublic: true)!);
    }
}
#endif
