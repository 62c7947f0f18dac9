#if NET
using System;
using System.Reflection.Emit;

namespace Formatters;

internal sealed partial class ContractCompiler
{
    private void EmitWriteUnion(ILGenerator il, UnionContract union)
    {
        EmitNullCheck(il);
        LocalBuilder start = il.DeclareLocal(typeof(long));
        foreach ((int tag, ValueContract contract) in union.Cases)
        {
            Label other = EmitIsType(il, contract.Type);
            il.Emit(OpCodes.Ldarg_0);
            il.Emit(OpCodes.Ldc_I4, tag);
            il.Emit(OpCodes.Call, Own(typeof(ContractMethods), nameof(ContractMethods.BeginWriteCase)));
            il.Emit(OpCodes.Stloc, start);
            EmitWrite(il, contract, () =>
            {
                il.Emit(OpCodes.Ldarg_1);
                il.Emit(OpCodes.Unbox_Any, contract.Type);
            });
            il.Emit(OpCodes.Ldarg_0);
            il.Emit(OpCodes.Ldloc, start);
            il.Emit(OpCodes.Call, Own(typeof(ContractMethods), nameof(ContractMethods.EndWriteCase)));
            il.Emit(OpCodes.Ret);
            il.MarkLabel(other);
        }

        if (union.UnknownType is not null)
        {
            Label other = EmitIsType(il, union.UnknownType);
            il.Emit(OpCodes.Ldarg_0);
            il.Emit(OpCodes.Ldarg_1);
            il.Emit(OpCodes.Castclass, typeof(IUnknownCase));
            il.Emit(OpCodes.Call, Own(typeof(ContractMethods), nameof(ContractMethods.WriteUnknownCase)));
            il.Emit(OpCodes.Ret);
            il.MarkLabel(other);
        }

        il.Emit(OpCodes.Ldarg_1);
        il.Emit(OpCodes.Call, Own(typeof(ContractMethods), nameof(ContractMethods.ThrowUnlisted)));
        il.Emit(OpCodes.Ret);
    }

    private void EmitReadUnion(ILGenerator il, UnionContract union, bool overwrite)
    {
        LocalBuilder end = il.DeclareLocal(typeof(int));
        LocalBuilder readTag = il.DeclareLocal(typeof(int));
        il.Emit(OpCodes.Ldarg_0);
        il.Emit(OpCodes.Ldloca, end);
        il.Emit(OpCodes.Call, Own(typeof(ContractMethods), nameof(ContractMethods.BeginReadCase)));
        il.Emit(OpCodes.Stloc, readTag);
        foreach ((int tag, ValueContract contract) in union.Cases)
        {
            Label other = il.DefineLabel();
            il.Emit(OpCodes.Ldloc, readTag);
            il.Emit(OpCodes.Ldc_I4, tag);
            il.Emit(OpCodes.Bne_Un, other);
            EmitRead(il, contract, overwrite && !contract.Type.IsValueType ? LoadExisting : null);
            if (contract.Type.IsValueType)
                il.Emit(OpCodes.Box, contract.Type);
            il.Emit(OpCodes.Ldarg_0);
            il.Emit(OpCodes.Ldloc, end);
            il.Emit(OpCodes.Call, Own(typeof(ContractMethods), nameof(ContractMethods.EndReadCase)));
            il.Emit(OpCodes.Ret);
            il.MarkLabel(other);

            void LoadExisting()
            {
                il.Emit(OpCodes.Ldarg_1);
                il.Emit(OpCodes.Isinst, contract.Type);
            }
        }

        il.Emit(OpCodes.Ldarg_0);
        if (union.UnknownType is not null)
        {
            EmitNew(il, union.UnknownType, union.UnknownMaker!);
            il.Emit(OpCodes.Ldloc, readTag);
            il.Emit(OpCodes.Ldloc, end);
            il.Emit(OpCodes.Call, Own(typeof(ContractMethods), nameof(ContractMethods.FillUnknownCase)));
            il.Emit(OpCodes.Castclass, union.Type);
        }
        else
        {
            il.Emit(OpCodes.Ldloc, readTag);
            il.Emit(OpCodes.Call, Own(typeof(ContractMethods), nameof(ContractMethods.ThrowUnknownTag)));
            il.Emit(OpCodes.Ldnull);
        }

        il.Emit(OpCodes.Ret);
    }

    /// <summary>Compares the type of argument 1.</summary>
    /// <returns>Where to go on if it is another, to be marked by the caller.</returns>
    private static Label EmitIsType(ILGenerator il, Type type)
    {
        Label other = il.DefineLabel();
        il.Emit(OpCodes.Ldarg_1);
        il.Emit(OpCodes.Callvirt, ObjectGetType);
        il.Emit(OpCodes.Ldtoken, type);
        il.Emit(OpCodes.Call, GetTypeFromHandle);
        il.Emit(OpCodes.Bne_Un, other);
        return other;
    }
}
#endif
