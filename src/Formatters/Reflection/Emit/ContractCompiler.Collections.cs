#if NET
using System;
using System.Collections;
using System.Collections.Generic;
using System.Reflection;
using System.Reflection.Emit;
using Formatters.Generated;

namespace Formatters;

internal sealed partial class ContractCompiler
{
    private void EmitWriteList(ILGenerator il, ListContract contract)
    {
        Type elementType = contract.Element.Type;
        LocalBuilder list = il.DeclareLocal(contract.ConcreteType);
        LocalBuilder count = il.DeclareLocal(typeof(int));
        if (contract.Type == contract.ConcreteType)
        {
            EmitNullCheck(il);
            il.Emit(OpCodes.Ldarg_1);
        }
        else
        {
            il.Emit(OpCodes.Ldarg_1);
            il.Emit(OpCodes.Call, contract.ConcreteType == typeof(ArrayList)
                ? typeof(ContractCode).GetMethod(nameof(ContractCode.ToArrayList))!
                : typeof(ContractCode).GetMethod(nameof(ContractCode.ToList))!.MakeGenericMethod(elementType));
        }

        il.Emit(OpCodes.Stloc, list);
        il.Emit(OpCodes.Ldloc, list);
        EmitCount(il, contract.ConcreteType);
        il.Emit(OpCodes.Stloc, count);
        il.Emit(OpCodes.Ldarg_0);
        il.Emit(OpCodes.Ldloc, count);
        il.Emit(OpCodes.Call, typeof(BinaryBodyWriter).GetMethod(nameof(BinaryBodyWriter.WriteCount))!);
        EmitLoop(il, 0, count, index => EmitWrite(il, contract.Element, () => EmitElement(il, contract, list, index)));
        il.Emit(OpCodes.Ret);
    }

    private void EmitReadList(ILGenerator il, ListContract contract, bool overwrite)
    {
        Type elementType = contract.Element.Type;
        LocalBuilder list = il.DeclareLocal(contract.ConcreteType);
        LocalBuilder count = EmitReadCount(il, contract.Element.MinByteCount, contract.ElementAllocation);
        LocalBuilder existingCount = il.DeclareLocal(typeof(int));
        if (overwrite)
        {
            il.Emit(OpCodes.Ldarg_1);
            il.Emit(OpCodes.Ldloc, count);
            il.Emit(OpCodes.Call, contract.ConcreteType == typeof(ArrayList)
                ? typeof(ContractCode).GetMethod(nameof(ContractCode.ReuseArrayList))!
                : typeof(ContractCode).GetMethod(contract.ConcreteType.IsArray ? nameof(ContractCode.ReuseArray) : nameof(ContractCode.ReuseList))!.MakeGenericMethod(elementType));
        }
        else
        {
            il.Emit(OpCodes.Ldloc, count);
            if (contract.ConcreteType.IsArray)
                il.Emit(OpCodes.Newarr, elementType);
            else
                il.Emit(OpCodes.Newobj, contract.ConcreteType.GetConstructor([typeof(int)])!);
        }

        il.Emit(OpCodes.Stloc, list);
        if (contract.ConcreteType.IsArray)
        {
            EmitLoop(il, 0, count, index =>
            {
                il.Emit(OpCodes.Ldloc, list);
                il.Emit(OpCodes.Ldloc, index);
                EmitRead(il, contract.Element, overwrite ? () => EmitElement(il, contract, list, index) : null);
                il.Emit(OpCodes.Stelem, elementType);
            });
        }
        else
        {
            if (overwrite)
            {
                il.Emit(OpCodes.Ldloc, list);
                EmitCount(il, contract.ConcreteType);
                il.Emit(OpCodes.Stloc, existingCount);
                EmitLoop(il, 0, existingCount, index => EmitOverwriteElement(il, contract, list, index));
            }

            EmitLoop(il, existingCount, count, _ =>
            {
                il.Emit(OpCodes.Ldloc, list);
                EmitRead(il, contract.Element, null);
                EmitBox(il, contract);
                il.Emit(OpCodes.Callvirt, contract.ConcreteType.GetMethod("Add")!);
                if (contract.ConcreteType == typeof(ArrayList))
                    il.Emit(OpCodes.Pop);
            });
        }

        il.Emit(OpCodes.Ldloc, list);
        il.Emit(OpCodes.Ret);
    }

    private void EmitWriteDictionary(ILGenerator il, DictionaryContract contract)
    {
        Type concrete = contract.ConcreteType;
        Type[] arguments = concrete.GetGenericArguments();
        LocalBuilder dictionary = il.DeclareLocal(concrete);
        MethodInfo getEnumerator = concrete.GetMethod(nameof(Dictionary<,>.GetEnumerator))!;
        Type enumeratorType = getEnumerator.ReturnType;
        LocalBuilder enumerator = il.DeclareLocal(enumeratorType);
        MethodInfo getCurrent = enumeratorType.GetMethod("get_Current")!;
        LocalBuilder entry = il.DeclareLocal(getCurrent.ReturnType);
        Label next = il.DefineLabel();
        Label end = il.DefineLabel();

        il.Emit(OpCodes.Ldarg_1);
        il.Emit(OpCodes.Call, typeof(ContractCode).GetMethod(nameof(ContractCode.ToDictionary))!.MakeGenericMethod(arguments));
        il.Emit(OpCodes.Stloc, dictionary);
        il.Emit(OpCodes.Ldarg_0);
        il.Emit(OpCodes.Ldloc, dictionary);
        EmitCount(il, concrete);
        il.Emit(OpCodes.Call, typeof(BinaryBodyWriter).GetMethod(nameof(BinaryBodyWriter.WriteCount))!);
        il.Emit(OpCodes.Ldloc, dictionary);
        il.Emit(OpCodes.Callvirt, getEnumerator);
        il.Emit(OpCodes.Stloc, enumerator);
        il.MarkLabel(next);
        il.Emit(OpCodes.Ldloca, enumerator);
        il.Emit(OpCodes.Call, enumeratorType.GetMethod("MoveNext")!);
        il.Emit(OpCodes.Brfalse, end);
        il.Emit(OpCodes.Ldloca, enumerator);
        il.Emit(OpCodes.Call, getCurrent);
        il.Emit(OpCodes.Stloc, entry);
        EmitWrite(il, contract.Key, () => Load("get_Key"));
        EmitWrite(il, contract.Value, () => Load("get_Value"));
        il.Emit(OpCodes.Br, next);
        il.MarkLabel(end);
        il.Emit(OpCodes.Ret);

        void Load(string getter)
        {
            il.Emit(OpCodes.Ldloca, entry);
            il.Emit(OpCodes.Call, getCurrent.ReturnType.GetMethod(getter)!);
        }
    }

    private void EmitReadDictionary(ILGenerator il, DictionaryContract contract, bool overwrite)
    {
        Type[] arguments = contract.ConcreteType.GetGenericArguments();
        Type fill = typeof(DictionaryFill<,>).MakeGenericType(arguments);
        LocalBuilder entries = il.DeclareLocal(fill);
        LocalBuilder key = il.DeclareLocal(contract.Key.Type);
        LocalBuilder count = EmitReadCount(il, contract.Key.MinByteCount + contract.Value.MinByteCount, contract.EntryAllocation);
        LocalBuilder byteOffset = il.DeclareLocal(typeof(int));
        il.Emit(OpCodes.Ldloca, entries);
        il.Emit(overwrite ? OpCodes.Ldarg_1 : OpCodes.Ldnull);
        il.Emit(OpCodes.Ldloc, count);
        il.Emit(OpCodes.Call, fill.GetConstructor([typeof(object), typeof(int)])!);
        EmitLoop(il, 0, count, _ =>
        {
            il.Emit(OpCodes.Ldarg_0);
            il.Emit(OpCodes.Call, typeof(BinaryBodyReader).GetMethod("get_ByteOffset")!);
            il.Emit(OpCodes.Stloc, byteOffset);
            EmitRead(il, contract.Key, overwrite ? LoadOldKey : null);
            il.Emit(OpCodes.Stloc, key);
            il.Emit(OpCodes.Ldloca, entries);
            il.Emit(OpCodes.Ldloc, key);
            EmitRead(il, contract.Value, overwrite ? LoadOldValue : null);
            il.Emit(OpCodes.Ldloc, byteOffset);
            il.Emit(OpCodes.Call, fill.GetMethod(nameof(DictionaryFill<,>.Add))!);
        });
        il.Emit(OpCodes.Ldloca, entries);
        il.Emit(OpCodes.Call, fill.GetProperty(nameof(DictionaryFill<,>.Result))!.GetMethod!);
        il.Emit(OpCodes.Ret);

        void LoadOldKey()
        {
            il.Emit(OpCodes.Ldloca, entries);
            il.Emit(OpCodes.Call, fill.GetProperty(nameof(DictionaryFill<,>.OldKey))!.GetMethod!);
        }

        void LoadOldValue()
        {
            il.Emit(OpCodes.Ldloca, entries);
            il.Emit(OpCodes.Ldloc, key);
            il.Emit(OpCodes.Call, fill.GetMethod(nameof(DictionaryFill<,>.OldValue))!);
        }
    }

    private static LocalBuilder EmitReadCount(ILGenerator il, int minElementByteCount, int elementAllocation)
    {
        LocalBuilder count = il.DeclareLocal(typeof(int));
        il.Emit(OpCodes.Ldarg_0);
        il.Emit(OpCodes.Ldc_I4, minElementByteCount);
        il.Emit(OpCodes.Ldc_I4, elementAllocation);
        il.Emit(OpCodes.Call, typeof(BinaryBodyReader).GetMethod(nameof(BinaryBodyReader.ReadCount), [typeof(int), typeof(int)])!);
        il.Emit(OpCodes.Stloc, count);
        return count;
    }

    private static void EmitLoop(ILGenerator il, int start, LocalBuilder count, Action<LocalBuilder> emitBody)
    {
        LocalBuilder index = il.DeclareLocal(typeof(int));
        il.Emit(OpCodes.Ldc_I4, start);
        il.Emit(OpCodes.Stloc, index);
        EmitLoop(il, index, count, emitBody);
    }

    private static void EmitLoop(ILGenerator il, LocalBuilder index, LocalBuilder count, Action<LocalBuilder> emitBody)
    {
        Label body = il.DefineLabel();
        Label condition = il.DefineLabel();
        il.Emit(OpCodes.Br, condition);
        il.MarkLabel(body);
        emitBody(index);
        il.Emit(OpCodes.Ldloc, index);
        il.Emit(OpCodes.Ldc_I4_1);
        il.Emit(OpCodes.Add);
        il.Emit(OpCodes.Stloc, index);
        il.MarkLabel(condition);
        il.Emit(OpCodes.Ldloc, index);
        il.Emit(OpCodes.Ldloc, count);
        il.Emit(OpCodes.Blt, body);
    }

    private static void EmitCount(ILGenerator il, Type collectionType)
    {
        if (collectionType.IsArray)
        {
            il.Emit(OpCodes.Ldlen);
            il.Emit(OpCodes.Conv_I4);
        }
        else
        {
            il.Emit(OpCodes.Callvirt, collectionType.GetMethod("get_Count")!);
        }
    }

    /// <summary>Puts an element on the stack, as its declared type.</summary>
    private static void EmitElement(ILGenerator il, ListContract contract, LocalBuilder list, LocalBuilder index)
    {
        EmitRawElement(il, contract, list, index);
        if (contract.ConcreteType != typeof(ArrayList))
            return;
        if (contract.Element.Type.IsValueType)
        {
            il.Emit(OpCodes.Call, Own(typeof(EmittedCalls), nameof(EmittedCalls.UnboxElement), contract.Element.Type));
            return;
        }

        // Not a generic method: a cast to a type argument that is a class needs a look-up at run time.
        Label isOfType = il.DefineLabel();
        LocalBuilder element = il.DeclareLocal(typeof(object));
        il.Emit(OpCodes.Stloc, element);
        il.Emit(OpCodes.Ldloc, element);
        il.Emit(OpCodes.Isinst, contract.Element.Type);
        il.Emit(OpCodes.Brtrue, isOfType);
        il.Emit(OpCodes.Ldloc, element);
        il.Emit(OpCodes.Call, Own(typeof(ContractMethods), nameof(ContractMethods.ThrowNotOfType)));
        il.MarkLabel(isOfType);
        il.Emit(OpCodes.Ldloc, element);
    }

    /// <summary>Puts an element on the stack as the list holds it.</summary>
    private static void EmitRawElement(ILGenerator il, ListContract contract, LocalBuilder list, LocalBuilder index)
    {
        il.Emit(OpCodes.Ldloc, list);
        il.Emit(OpCodes.Ldloc, index);
        if (contract.ConcreteType.IsArray)
            il.Emit(OpCodes.Ldelem, contract.Element.Type);
        else
            il.Emit(OpCodes.Callvirt, contract.ConcreteType.GetMethod("get_Item")!);
    }

    /// <summary>Reads over an element of a list, and puts it back only if it is another object now.</summary>
    private void EmitOverwriteElement(ILGenerator il, ListContract contract, LocalBuilder list, LocalBuilder index)
    {
        Type elementType = contract.Element.Type;
        if (elementType.IsValueType)
        {
            il.Emit(OpCodes.Ldloc, list);
            il.Emit(OpCodes.Ldloc, index);
            EmitRead(il, contract.Element, contract.ConcreteType == typeof(ArrayList) ? null : () => EmitRawElement(il, contract, list, index));
            EmitBox(il, contract);
            il.Emit(OpCodes.Callvirt, contract.ConcreteType.GetMethod("set_Item")!);
            return;
        }

        LocalBuilder existing = il.DeclareLocal(elementType);
        LocalBuilder value = il.DeclareLocal(elementType);
        Label isSame = il.DefineLabel();
        EmitRawElement(il, contract, list, index);
        if (contract.ConcreteType == typeof(ArrayList))
            il.Emit(OpCodes.Isinst, elementType);
        il.Emit(OpCodes.Stloc, existing);
        EmitRead(il, contract.Element, () => il.Emit(OpCodes.Ldloc, existing));
        il.Emit(OpCodes.Stloc, value);
        il.Emit(OpCodes.Ldloc, value);
        il.Emit(OpCodes.Ldloc, existing);
        il.Emit(OpCodes.Beq, isSame);
        il.Emit(OpCodes.Ldloc, list);
        il.Emit(OpCodes.Ldloc, index);
        il.Emit(OpCodes.Ldloc, value);
        il.Emit(OpCodes.Callvirt, contract.ConcreteType.GetMethod("set_Item")!);
        il.MarkLabel(isSame);
    }

    private static void EmitBox(ILGenerator il, ListContract contract)
    {
        if (contract.ConcreteType == typeof(ArrayList) && contract.Element.Type.IsValueType)
            il.Emit(OpCodes.Box, contract.Element.Type);
    }
}
#endif
