#if NET
using System;
using System.Collections;
using System.Collections.Generic;
using System.Reflection;
using System.Reflection.Emit;
using System.Runtime.InteropServices;
using Formatters.Generated;

namespace Formatters;

// Collections and unions. The format determines how counts are read and written, and where a case begins and ends.
internal abstract partial class ContractCompiler
{
    /// <summary>Emits reading the number of elements or entries.</summary>
    private protected abstract LocalBuilder EmitReadCount(ILGenerator il, ValueContract contract);

    /// <summary>Emits writing the number of elements or entries.</summary>
    private protected abstract void EmitWriteCount(ILGenerator il, LocalBuilder count, bool isMap);

    /// <summary>Emits the end of writing a collection, and of the method.</summary>
    private protected abstract void EmitEndWriting(ILGenerator il, bool isMultidimensional);

    /// <summary>Emits the end of reading a collection.</summary>
    private protected abstract void EmitEndReading(ILGenerator il, bool isMultidimensional);

    /// <summary>Emits writing the number of elements, and all elements at once, and the end of the method, if the format can.</summary>
    private protected virtual bool TryEmitWriteBlock(ILGenerator il, ListContract contract, LocalBuilder list) => false;

    /// <summary>Emits reading all elements at once, and the end of the method, if the format can.</summary>
    private protected virtual bool TryEmitReadBlock(ILGenerator il, ListContract contract, bool overwrite) => false;

    /// <summary>Emits reading all records at once, after their number, and the end of the method, if the format can.</summary>
    private protected virtual void EmitReadRecords(ILGenerator il, ListContract contract, LocalBuilder count, bool overwrite)
    {
    }

    /// <summary>Emits writing the lengths of the multidimensional array in argument 2, which may be null.</summary>
    private protected abstract void EmitWriteLengths(ILGenerator il);

    /// <summary>Emits writing the number of elements after the lengths, in a format that has it there.</summary>
    private protected abstract void EmitWriteElementCount(ILGenerator il, LocalBuilder count);

    /// <summary>Emits code that puts the lengths on the stack, and their product into a local.</summary>
    private protected abstract void EmitReadLengths(ILGenerator il, MultidimensionalArrayContract contract, LocalBuilder count);

    /// <summary>Emits writing a case of a union, and the end of the method.</summary>
    private protected abstract void EmitWriteCase(ILGenerator il, int tag, Action emitWrite);

    /// <summary>Emits writing the case with an unknown tag in argument 2, and the end of the method.</summary>
    private protected abstract void EmitWriteUnknownCase(ILGenerator il);

    /// <summary>Emits throwing for the object in argument 2, and the end of the method.</summary>
    private protected abstract void EmitUnlistedCase(ILGenerator il, UnionContract union);

    /// <summary>Emits code that puts the tag on the stack, and into a local what the format needs later.</summary>
    private protected abstract void EmitReadTag(ILGenerator il, UnionContract union, LocalBuilder place);

    private protected abstract void EmitEndReadCase(ILGenerator il, LocalBuilder place);

    /// <summary>Emits code that puts the object that stores the case on the stack, or throws.</summary>
    private protected abstract void EmitReadUnknownCase(ILGenerator il, UnionContract union, LocalBuilder tag, LocalBuilder place);

    private void EmitWriteList(ILGenerator il, ListContract contract)
    {
        Type elementType = contract.Element.Type;
        LocalBuilder list = il.DeclareLocal(contract.ConcreteType);
        LocalBuilder count = il.DeclareLocal(typeof(int));
        if (contract.Type == contract.ConcreteType)
        {
            EmitNullCheck(il);
            il.Emit(OpCodes.Ldarg_2);
        }
        else
        {
            il.Emit(OpCodes.Ldarg_2);
            il.Emit(OpCodes.Call, contract.ConcreteType == typeof(ArrayList)
                ? typeof(ContractCode).GetMethod(nameof(ContractCode.ToArrayList))!
                : typeof(ContractCode).GetMethod(nameof(ContractCode.ToList))!.MakeGenericMethod(elementType));
        }

        il.Emit(OpCodes.Stloc, list);
        if (TryEmitWriteBlock(il, contract, list))
            return;
        bool isSpan = !contract.ConcreteType.IsArray && contract.ConcreteType != typeof(ArrayList);
        LocalBuilder span = il.DeclareLocal(typeof(Span<>).MakeGenericType(elementType));
        il.Emit(OpCodes.Ldloc, list);
        if (isSpan)
        {
            il.Emit(OpCodes.Call, typeof(CollectionsMarshal).GetMethod(nameof(CollectionsMarshal.AsSpan), 1, [typeof(List<>).MakeGenericType(
                Type.MakeGenericMethodParameter(0))])!.MakeGenericMethod(elementType));
            il.Emit(OpCodes.Stloc, span);
            il.Emit(OpCodes.Ldloca, span);
            il.Emit(OpCodes.Call, span.LocalType.GetMethod("get_Length")!);
        }
        else
        {
            EmitCount(il, contract.ConcreteType);
        }

        il.Emit(OpCodes.Stloc, count);
        EmitWriteCount(il, count, isMap: false);
        EmitLoop(il, 0, count, index => EmitWrite(il, contract.Element, isSpan
            ? () =>
            {
                il.Emit(OpCodes.Ldloca, span);
                il.Emit(OpCodes.Ldloc, index);
                il.Emit(OpCodes.Call, span.LocalType.GetMethod("get_Item")!);
                il.Emit(OpCodes.Ldobj, elementType);
            }
            : () => EmitElement(il, contract, list, index)));
        EmitEndWriting(il, isMultidimensional: false);
    }

    private void EmitReadList(ILGenerator il, ListContract contract, bool overwrite)
    {
        if (TryEmitReadBlock(il, contract, overwrite))
            return;
        Type elementType = contract.Element.Type;
        LocalBuilder list = il.DeclareLocal(contract.ConcreteType);
        LocalBuilder count = EmitReadCount(il, contract);
        EmitReadRecords(il, contract, count, overwrite);
        LocalBuilder existingCount = il.DeclareLocal(typeof(int));
        if (overwrite)
        {
            il.Emit(OpCodes.Ldarg_2);
            il.Emit(OpCodes.Ldloc, count);
            il.Emit(OpCodes.Call, contract.ConcreteType == typeof(ArrayList)
                ? typeof(ContractCode).GetMethod(nameof(ContractCode.ReuseArrayList))!
                : typeof(ContractCode).GetMethod(contract.ConcreteType.IsArray
                    ? nameof(ContractCode.ReuseArray)
                    : nameof(ContractCode.ReuseList))!.MakeGenericMethod(elementType));
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

        EmitEndReading(il, isMultidimensional: false);
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

        il.Emit(OpCodes.Ldarg_2);
        il.Emit(OpCodes.Call, typeof(ContractCode).GetMethod(nameof(ContractCode.ToDictionary))!.MakeGenericMethod(arguments));
        il.Emit(OpCodes.Stloc, dictionary);
        LocalBuilder count = il.DeclareLocal(typeof(int));
        il.Emit(OpCodes.Ldloc, dictionary);
        EmitCount(il, concrete);
        il.Emit(OpCodes.Stloc, count);
        EmitWriteCount(il, count, isMap: true);
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
        EmitReserve(il, Lead(contract.Key) + (Bound(contract.Key) < 0 ? 0 : Lead(contract.Value)));
        EmitWriteReserved(il, contract.Key, () => Load("get_Key"), Lead(contract.Value), isInlined: true);
        EmitWriteReserved(il, contract.Value, () => Load("get_Value"), 0, isInlined: true);
        il.Emit(OpCodes.Br, next);
        il.MarkLabel(end);
        EmitEndWriting(il, isMultidimensional: false);

        void Load(string getter)
        {
            il.Emit(OpCodes.Ldloca, entry);
            il.Emit(OpCodes.Call, getCurrent.ReturnType.GetMethod(getter)!);
        }
    }

    private void EmitWriteMultidimensional(ILGenerator il, MultidimensionalArrayContract contract)
    {
        Type elementType = contract.Element.Type;
        LocalBuilder items = il.DeclareLocal(elementType.MakeArrayType());
        LocalBuilder count = il.DeclareLocal(typeof(int));
        EmitWriteLengths(il);
        il.Emit(OpCodes.Ldarg_2);
        il.Emit(OpCodes.Call, Own(typeof(MultidimensionalArrayMethods), nameof(MultidimensionalArrayMethods.Flatten), elementType));
        il.Emit(OpCodes.Stloc, items);
        il.Emit(OpCodes.Ldloc, items);
        EmitCount(il, items.LocalType);
        il.Emit(OpCodes.Stloc, count);
        EmitWriteElementCount(il, count);
        EmitLoop(il, 0, count, index => EmitWrite(il, contract.Element, () =>
        {
            il.Emit(OpCodes.Ldloc, items);
            il.Emit(OpCodes.Ldloc, index);
            il.Emit(OpCodes.Ldelem, elementType);
        }));
        EmitEndWriting(il, isMultidimensional: true);
    }

    private void EmitReadMultidimensional(ILGenerator il, MultidimensionalArrayContract contract)
    {
        Type elementType = contract.Element.Type;
        LocalBuilder lengths = il.DeclareLocal(typeof(int[]));
        LocalBuilder count = il.DeclareLocal(typeof(int));
        LocalBuilder items = il.DeclareLocal(elementType.MakeArrayType());
        EmitReadLengths(il, contract, count);
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
        EmitEndReading(il, isMultidimensional: true);
        il.Emit(OpCodes.Ldloc, items);
        il.Emit(OpCodes.Ldloc, lengths);
        il.Emit(OpCodes.Call, Own(typeof(MultidimensionalArrayMethods), nameof(MultidimensionalArrayMethods.ToMultidimensionalArray)));
        il.Emit(OpCodes.Castclass, contract.Type);
        il.Emit(OpCodes.Ret);
    }

    private void EmitWriteUnion(ILGenerator il, UnionContract union)
    {
        EmitNullCheck(il);
        foreach ((int tag, ValueContract contract) in union.Cases)
        {
            Label other = EmitIsType(il, contract.Type);
            EmitWriteCase(il, tag, () => EmitWrite(il, contract, () =>
            {
                il.Emit(OpCodes.Ldarg_2);
                il.Emit(OpCodes.Unbox_Any, contract.Type);
            }));
            il.MarkLabel(other);
        }

        if (union.UnknownType is not null)
        {
            Label other = EmitIsType(il, union.UnknownType);
            EmitWriteUnknownCase(il);
            il.MarkLabel(other);
        }

        EmitUnlistedCase(il, union);
    }

    private void EmitReadUnion(ILGenerator il, UnionContract union, bool overwrite)
    {
        LocalBuilder place = il.DeclareLocal(typeof(int));
        LocalBuilder readTag = il.DeclareLocal(typeof(int));
        EmitReadTag(il, union, place);
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
            EmitEndReadCase(il, place);
            il.Emit(OpCodes.Ret);
            il.MarkLabel(other);

            void LoadExisting()
            {
                il.Emit(OpCodes.Ldarg_2);
                il.Emit(OpCodes.Isinst, contract.Type);
            }
        }

        EmitReadUnknownCase(il, union, readTag, place);
        il.Emit(OpCodes.Ret);
    }

    /// <summary>Emits comparing the type of argument 2.</summary>
    /// <returns>The label for another type, to be marked by the caller.</returns>
    private static Label EmitIsType(ILGenerator il, Type type)
    {
        Label other = il.DefineLabel();
        il.Emit(OpCodes.Ldarg_2);
        il.Emit(OpCodes.Callvirt, ObjectGetType);
        EmitTypeOf(il, type);
        il.Emit(OpCodes.Bne_Un, other);
        return other;
    }

    private protected static void EmitLoop(ILGenerator il, int start, LocalBuilder count, Action<LocalBuilder> emitBody)
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

    /// <summary>Emits code that puts an element on the stack, as its declared type.</summary>
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

        // Not a generic method: a cast to a type argument that is a class needs a run-time lookup.
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

    /// <summary>Emits code that puts an element on the stack as the list holds it.</summary>
    private static void EmitRawElement(ILGenerator il, ListContract contract, LocalBuilder list, LocalBuilder index)
    {
        il.Emit(OpCodes.Ldloc, list);
        il.Emit(OpCodes.Ldloc, index);
        if (contract.ConcreteType.IsArray)
            il.Emit(OpCodes.Ldelem, contract.Element.Type);
        else
            il.Emit(OpCodes.Callvirt, contract.ConcreteType.GetMethod("get_Item")!);
    }

    /// <summary>Emits reading into an element of a list, and storing it only if it is another object afterwards.</summary>
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
