#if NET
using System;
using System.Collections.Generic;
using System.Linq;
using System.Reflection.Emit;
using Formatters.Generated;

namespace Formatters;

// Writing, as generated code does it: argument 3 is the position, a ref byte, which every method returns; space for a run of members is reserved
// once.
internal abstract partial class ContractCompiler
{
    private protected static readonly Type Position = typeof(byte).MakeByRefType();

    private const int MaxInlinedTextCount = 8;

    internal TDelegate CompileWrite<TDelegate>(ValueContract contract)
        where TDelegate : Delegate
    {
        DynamicMethod inner = DefineWrite("WriteValue", contract.Type);
        ILGenerator il = inner.GetILGenerator();
        EmitWrite(il, contract, () => il.Emit(OpCodes.Ldarg_2));
        EmitReturnPosition(il);
        DynamicMethod method = Define("Write", typeof(void), Writer, contract.Type);
        il = method.GetILGenerator();
        il.Emit(OpCodes.Ldarg_1);
        il.Emit(OpCodes.Ldarg_0);
        il.Emit(OpCodes.Ldarg_1);
        il.Emit(OpCodes.Ldarg_2);
        il.Emit(OpCodes.Ldarg_1);
        EmitCall(il, typeof(ContractCode), nameof(ContractCode.Begin), Writer);
        il.Emit(OpCodes.Call, inner);
        EmitCall(il, typeof(ContractCode), nameof(ContractCode.End), Writer, Position);
        il.Emit(OpCodes.Ret);
        return Finish<TDelegate>(method);
    }

    private DynamicMethod DefineWrite(string name, Type type) => Define(name, Position, Writer, type, Position);

    /// <summary>Emits writing one value.</summary>
    /// <param name="il">The method.</param>
    /// <param name="contract">The contract of the value.</param>
    /// <param name="load">Emits the code that puts the value on the stack; called once.</param>
    private protected void EmitWrite(ILGenerator il, ValueContract contract, Action load)
    {
        EmitReserve(il, Lead(contract));
        EmitWriteReserved(il, contract, load, 0, isInlined: true);
    }

    /// <summary>Emits writing a value for which its <see cref="Lead"/> is reserved; afterwards, the bytes for the following run are.</summary>
    private protected abstract void EmitWriteReserved(ILGenerator il, ValueContract contract, Action load, int following, bool isInlined);

    /// <summary>Returns the maximum size of a value, or -1 if it has none.</summary>
    private protected abstract int Bound(ValueContract contract);

    /// <summary>Returns the bytes that must be reserved before a value is written: for one of unbounded size those of a null.</summary>
    private protected int Lead(ValueContract contract) => Bound(contract) is int bound and >= 0 ? bound : contract is PresenceContract ? 1 : 0;

    /// <summary>Returns the bytes to reserve for the members from an index up to the next one of unbounded size.</summary>
    private protected int RunFrom(RecordContract record, int index)
    {
        int byteCount = 0;
        for (; index < record.Members.Count; index++)
        {
            byteCount += Lead(record.Members[index].Contract);
            if (Bound(record.Members[index].Contract) < 0)
                break;
        }

        return byteCount;
    }

    private protected static bool InlinesTexts(RecordContract record) =>
        record.Members.Count(static member => IsText(member.Contract)) <= MaxInlinedTextCount;

    private static bool IsText(ValueContract contract) => contract is StringContract or PresenceContract { Inner: StringContract };

    private protected void EmitReserve(ILGenerator il, int byteCount)
    {
        if (byteCount == 0)
            return;
        EmitPlace(il);
        il.Emit(OpCodes.Ldc_I4, byteCount);
        EmitCall(il, typeof(ContractCode), nameof(ContractCode.Reserve), Writer, Position, typeof(int));
        EmitSetPosition(il);
    }

    /// <summary>Emits code that puts the writer and the position on the stack.</summary>
    internal static void EmitPlace(ILGenerator il)
    {
        il.Emit(OpCodes.Ldarg_1);
        il.Emit(OpCodes.Ldarg_3);
    }

    internal static void EmitSetPosition(ILGenerator il) => il.Emit(OpCodes.Starg_S, (byte)3);

    internal static void EmitReturnPosition(ILGenerator il)
    {
        il.Emit(OpCodes.Ldarg_3);
        il.Emit(OpCodes.Ret);
    }

    private protected static void EmitCall(ILGenerator il, Type type, string method, params Type[] parameters) =>
        il.Emit(OpCodes.Call, type.GetMethod(method, parameters)!);

    /// <summary>Emits code that puts the constants and an index in them on the stack.</summary>
    private protected void EmitConstant(ILGenerator il, object value)
    {
        il.Emit(OpCodes.Ldarg_0);
        il.Emit(OpCodes.Ldc_I4, AddConstant(value));
    }

    private protected int AddConstant(object value)
    {
        Constants.Add(value);
        return Constants.Count - 1;
    }

    /// <summary>
    /// Emits code that puts bytes on the stack as a span, with constant address and length: in a pinned array that the constants keep alive.
    /// </summary>
    private protected unsafe void EmitBytes(ILGenerator il, byte[] bytes)
    {
        byte[] pinned = GC.AllocateUninitializedArray<byte>(Math.Max(bytes.Length, 1), pinned: true);
        bytes.CopyTo(pinned, 0);
        Constants.Add(pinned);
        fixed (byte* address = pinned)
            il.Emit(OpCodes.Ldc_I8, (long)address);
        il.Emit(OpCodes.Conv_I);
        il.Emit(OpCodes.Ldc_I4, bytes.Length);
        il.Emit(OpCodes.Newobj, typeof(ReadOnlySpan<byte>).GetConstructor([typeof(void*), typeof(int)])!);
    }
}
#endif
