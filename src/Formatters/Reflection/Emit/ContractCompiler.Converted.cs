#if NET
using System;
using System.Collections.Generic;
using System.Reflection.Emit;
using Formatters.Generated;

namespace Formatters;

internal sealed partial class ContractCompiler
{
    private void EmitReadSet(ILGenerator il, SetContract contract, bool overwrite)
    {
        Type elementType = contract.Items.Element.Type;
        LocalBuilder count = EmitReadCount(il, contract.Items.Element.MinByteCount, contract.Items.ElementAllocation);
        Type fill = typeof(SetFill<>).MakeGenericType(elementType);
        LocalBuilder set = il.DeclareLocal(fill);
        LocalBuilder byteOffset = il.DeclareLocal(typeof(int));
        il.Emit(OpCodes.Ldloca, set);
        il.Emit(overwrite ? OpCodes.Ldarg_1 : OpCodes.Ldnull);
        il.Emit(OpCodes.Ldloc, count);
        il.Emit(OpCodes.Call, fill.GetConstructor([typeof(object), typeof(int)])!);
        EmitLoop(il, 0, count, _ =>
        {
            il.Emit(OpCodes.Ldarg_0);
            il.Emit(OpCodes.Call, typeof(BinaryBodyReader).GetMethod("get_ByteOffset")!);
            il.Emit(OpCodes.Stloc, byteOffset);
            il.Emit(OpCodes.Ldloca, set);
            EmitRead(il, contract.Items.Element, !overwrite ? null : () =>
            {
                il.Emit(OpCodes.Ldloca, set);
                il.Emit(OpCodes.Call, fill.GetProperty(nameof(SetFill<>.OldElement))!.GetMethod!);
            });
            il.Emit(OpCodes.Ldloc, byteOffset);
            il.Emit(OpCodes.Call, fill.GetMethod(nameof(SetFill<>.Add))!);
        });
        il.Emit(OpCodes.Ldloca, set);
        il.Emit(OpCodes.Call, fill.GetProperty(nameof(SetFill<>.Result))!.GetMethod!);
        il.Emit(OpCodes.Ret);
    }

    private void EmitWriteGrid(ILGenerator il, GridContract contract)
    {
        Type elementType = contract.Element.Type;
        LocalBuilder items = il.DeclareLocal(elementType.MakeArrayType());
        LocalBuilder count = il.DeclareLocal(typeof(int));
        il.Emit(OpCodes.Ldarg_0);
        il.Emit(OpCodes.Ldarg_1);
        il.Emit(OpCodes.Call, Own(typeof(GridMethods), nameof(GridMethods.WriteLengths)));
        il.Emit(OpCodes.Ldarg_1);
        il.Emit(OpCodes.Call, Own(typeof(GridMethods), nameof(GridMethods.Flatten), elementType));
        il.Emit(OpCodes.Stloc, items);
        il.Emit(OpCodes.Ldloc, items);
        EmitCount(il, items.LocalType);
        il.Emit(OpCodes.Stloc, count);
        EmitLoop(il, 0, count, index => EmitWrite(il, contract.Element, () =>
        {
            il.Emit(OpCodes.Ldloc, items);
            il.Emit(OpCodes.Ldloc, index);
            il.Emit(OpCodes.Ldelem, elementType);
        }));
        il.Emit(OpCodes.Ret);
    }

    private void EmitReadGrid(ILGenerator il, GridContract contract)
    {
        Type elementType = contract.Element.Type;
        LocalBuilder lengths = il.DeclareLocal(typeof(int[]));
        LocalBuilder count = il.DeclareLocal(typeof(int));
        LocalBuilder items = il.DeclareLocal(elementType.MakeArrayType());
        il.Emit(OpCodes.Ldarg_0);
        il.Emit(OpCodes.Ldc_I4, contract.Type.GetArrayRank());
        il.Emit(OpCodes.Ldc_I4, contract.Element.MinByteCount);
        il.Emit(OpCodes.Ldc_I4, contract.ElementAllocation);
        il.Emit(OpCodes.Ldloca, count);
        il.Emit(OpCodes.Call, typeof(ContractCode).GetMethod(nameof(ContractCode.ReadLengths))!);
        il.Emit(OpCodes.Stloc, lengths);
        il.Emit(OpCodes.Ldloc, count);
        il.Emit(OpCodes.Newarr, elementType);
        il.Emit(OpCodes.Stloc, items);
        EmitLoop(il, 0, count, index =>
        {
            il.Emit(OpCodes.Ldloc, items);
            il.Emit(OpCodes.Ldloc, index);
            EmitRead(il, contract.Element, null);
            il.Emit(OpCodes.Stelem, elementType);
        });
        il.Emit(OpCodes.Ldloc, items);
        il.Emit(OpCodes.Ldloc, lengths);
        il.Emit(OpCodes.Call, Own(typeof(GridMethods), nameof(GridMethods.ToGrid)));
        il.Emit(OpCodes.Castclass, contract.Type);
        il.Emit(OpCodes.Ret);
    }
}
#endif
