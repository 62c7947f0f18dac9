#if NET
using System;
using System.Collections.Generic;
using System.Diagnostics.CodeAnalysis;
using System.Reflection;
using System.Reflection.Emit;
using Formatters.Generated;

namespace Formatters;

/// <summary>
/// Emits the code of a contract: a method for every record (except small structs, which are in place) and every collection in it and for each mode
/// (write; read new values; read into existing values), which call each other directly. Single values are calls of the writer and the reader in
/// between, which the JIT inlines. The two derived classes emit what is specific to a wire format.
/// </summary>
/// <remarks>
/// Argument 0 of every method is the constants, argument 1 the writer or reader by reference, argument 2 the value or the existing value, argument 3
/// of those that write the position.
/// DynamicMethod, because expression trees cannot pass a ref struct, and a dynamic type could not be collected with the type for which it is made.
/// </remarks>
[RequiresUnreferencedCode(ReflectionMessages.Trimming)]
[RequiresDynamicCode(ReflectionMessages.DynamicCode)]
internal abstract partial class ContractCompiler
{
    private protected static readonly MethodInfo ObjectGetType = typeof(object).GetMethod(nameof(GetType))!;
    private protected static readonly MethodInfo GetTypeFromHandle = typeof(Type).GetMethod(nameof(Type.GetTypeFromHandle))!;
    private static readonly MethodInfo ThrowUnexpectedNull = Own(typeof(ContractMethods), nameof(ContractMethods.ThrowUnexpectedNull));

    private readonly Dictionary<(ValueContract Contract, Mode Mode), DynamicMethod> _methods = [];
    private readonly Queue<Action> _bodies = new();

    private protected enum Mode
    {
        Write,
        Read,
        Overwrite,

        /// <summary>Reads a record that may lack members, or have additional ones.</summary>
        ReadPart,
        OverwritePart,
    }

    /// <summary>Gets the objects to which emitted code refers.</summary>
    private List<object> Constants { get; } = [];

    private protected abstract Type Writer { get; }

    private protected abstract Type Reader { get; }

    internal TDelegate CompileRead<TDelegate>(ValueContract contract)
        where TDelegate : Delegate
    {
        DynamicMethod method = Define("Read", contract.Type, Reader);
        ILGenerator il = method.GetILGenerator();
        EmitRead(il, contract, null);
        il.Emit(OpCodes.Ret);
        return Finish<TDelegate>(method);
    }

    internal TDelegate CompileOverwrite<TDelegate>(ValueContract contract)
        where TDelegate : Delegate
    {
        DynamicMethod method = Define("Overwrite", contract.Type, Reader, contract.Type);
        ILGenerator il = method.GetILGenerator();
        EmitRead(il, contract, () => il.Emit(OpCodes.Ldarg_2));
        il.Emit(OpCodes.Ret);
        return Finish<TDelegate>(method);
    }

    private protected static DynamicMethod Define(string name, Type returnType, params Type[] parameterTypes) =>
        new(name, returnType, [typeof(List<object>), .. parameterTypes], typeof(ContractCompiler).Module, skipVisibility: true);

    private protected static MethodInfo Own(Type type, string name, params Type[] typeArguments)
    {
        MethodInfo method = type.GetMethod(name, BindingFlags.Static | BindingFlags.NonPublic)!;
        return typeArguments.Length == 0 ? method : method.MakeGenericMethod(typeArguments);
    }

    // A method is compiled when it is first called: all that it may call must have a body by then.
    private protected TDelegate Finish<TDelegate>(DynamicMethod method)
        where TDelegate : Delegate
    {
        while (_bodies.Count > 0)
            _bodies.Dequeue()();
        return (TDelegate)method.CreateDelegate(typeof(TDelegate), Constants);
    }

    /// <summary>Returns the method of a record or collection; its body is emitted later, because records may contain themselves.</summary>
    private protected DynamicMethod MethodOf(ValueContract contract, Mode mode)
    {
        if (_methods.TryGetValue((contract, mode), out DynamicMethod? known))
            return known;
        string name = mode + contract.Type.Name;
        DynamicMethod method = mode switch
        {
            Mode.Write => DefineWrite(name, contract.Type),
            Mode.Read or Mode.ReadPart => Define(name, contract.Type, Reader),
            _ => Define(name, contract.Type, Reader, contract.Type),
        };
        _methods.Add((contract, mode), method);
        _bodies.Enqueue(() =>
        {
            ILGenerator il = method.GetILGenerator();
            switch (contract)
            {
                case RecordContract record when mode == Mode.Write:
                    EmitWriteRecord(il, record);
                    break;
                case RecordContract record:
                    EmitReadRecord(il, record, mode);
                    break;
                case ListContract list when mode == Mode.Write:
                    EmitWriteList(il, list);
                    break;
                case ListContract list:
                    EmitReadList(il, list, mode == Mode.Overwrite);
                    break;
                case DictionaryContract dictionary when mode == Mode.Write:
                    EmitWriteDictionary(il, dictionary);
                    break;
                case DictionaryContract dictionary:
                    EmitReadDictionary(il, dictionary, mode == Mode.Overwrite);
                    break;
                case SetContract set:
                    EmitReadSet(il, set, mode == Mode.Overwrite);
                    break;
                case MultidimensionalArrayContract grid when mode == Mode.Write:
                    EmitWriteMultidimensional(il, grid);
                    break;
                case MultidimensionalArrayContract grid:
                    EmitReadMultidimensional(il, grid);
                    break;
                case UnionContract union when mode == Mode.Write:
                    EmitWriteUnion(il, union);
                    break;
                case UnionContract union:
                    EmitReadUnion(il, union, mode == Mode.Overwrite);
                    break;
                default:
                    throw new InvalidOperationException($"{contract.GetType()} has no method.");
            }
        });
        return method;
    }

    /// <summary>Emits reading a value without nested values: the reader is on the stack.</summary>
    private protected abstract void EmitReadSingle(ILGenerator il, ValueContract contract, Action? loadExisting);

    /// <summary>Emits reading a record in place, without a separate method, if <see cref="TryInline"/> allows it.</summary>
    private protected abstract bool TryEmitReadInline(ILGenerator il, RecordContract record);

    /// <summary>Emits code that puts on the stack whether a non-null value follows.</summary>
    private protected abstract void EmitReadPresence(ILGenerator il);

    private protected abstract void EmitWriteRecord(ILGenerator il, RecordContract contract);

    private protected abstract void EmitReadRecord(ILGenerator il, RecordContract contract, Mode mode);

    private protected abstract void EmitReadDictionary(ILGenerator il, DictionaryContract contract, bool overwrite);

    private protected abstract void EmitReadSet(ILGenerator il, SetContract contract, bool overwrite);

    /// <summary>Determines whether a value is read into the existing one.</summary>
    private protected abstract bool IsReused(ValueContract contract);

    /// <summary>Emits writing a value or a null.</summary>
    private protected static void EmitWriteNullable(ILGenerator il, PresenceContract contract, Action load, Action<Action> emitPresent,
        Action emitAbsent)
    {
        LocalBuilder value = il.DeclareLocal(contract.Type);
        Label absent = il.DefineLabel();
        Label end = il.DefineLabel();
        load();
        il.Emit(OpCodes.Stloc, value);
        if (contract.Type.IsValueType)
        {
            il.Emit(OpCodes.Ldloca, value);
            il.Emit(OpCodes.Call, contract.Type.GetMethod("get_HasValue")!);
        }
        else
        {
            il.Emit(OpCodes.Ldloc, value);
        }

        il.Emit(OpCodes.Brfalse, absent);
        emitPresent(() =>
        {
            if (contract.Type.IsValueType)
            {
                il.Emit(OpCodes.Ldloca, value);
                il.Emit(OpCodes.Call, contract.Type.GetMethod("GetValueOrDefault", Type.EmptyTypes)!);
            }
            else
            {
                il.Emit(OpCodes.Ldloc, value);
            }
        });
        il.Emit(OpCodes.Br, end);
        il.MarkLabel(absent);
        emitAbsent();
        il.MarkLabel(end);
    }

    /// <summary>Emits code that puts the converted value on the stack.</summary>
    private protected static void EmitConverted(ILGenerator il, ConvertedContract converted, Action load)
    {
        load();
        il.Emit(OpCodes.Call, Own(typeof(EmittedCalls), nameof(EmittedCalls.Convert), converted.Type, converted.Written.Type));
    }

    /// <summary>Emits reading one value, which it leaves on the stack.</summary>
    /// <param name="il">The method.</param>
    /// <param name="contract">The contract of the value.</param>
    /// <param name="loadExisting">Emits the code that puts the existing value on the stack; null if there is none.</param>
    private protected void EmitRead(ILGenerator il, ValueContract contract, Action? loadExisting)
    {
        switch (contract)
        {
            case PresenceContract presence:
                EmitReadNullable(il, presence, loadExisting);
                break;
            case ConvertedContract converted:
                // A set in a member of its own type, or of an interface, needs no conversion.
                bool isSame = loadExisting is not null && converted.ReadAs is SetContract && converted.Type.IsAssignableFrom(converted.ReadAs.Type);
                EmitRead(il, converted.ReadAs, !isSame ? null : () =>
                {
                    loadExisting!();
                    il.Emit(OpCodes.Isinst, converted.ReadAs.Type);
                });
                il.Emit(OpCodes.Call, Own(typeof(EmittedCalls), nameof(EmittedCalls.Convert), converted.ReadAs.Type, converted.Type));
                break;
            case RecordContract record when TryEmitReadInline(il, record):
                break;
            case RecordContract or ListContract or DictionaryContract or SetContract or MultidimensionalArrayContract or UnionContract:
                bool isReused = loadExisting is not null && IsReused(contract);
                il.Emit(OpCodes.Ldarg_0);
                il.Emit(OpCodes.Ldarg_1);
                if (isReused)
                    loadExisting!();
                il.Emit(OpCodes.Call, MethodOf(contract, isReused ? Mode.Overwrite : Mode.Read));
                break;
            default:
                il.Emit(OpCodes.Ldarg_1);
                EmitReadSingle(il, contract, loadExisting);
                break;
        }
    }

    private protected static void EmitExistingOrDefault(ILGenerator il, Type type, Action? loadExisting)
    {
        if (loadExisting is not null && !type.IsValueType)
        {
            loadExisting();
        }
        else
        {
            LocalBuilder none = il.DeclareLocal(type);
            EmitDefault(il, none);
            il.Emit(OpCodes.Ldloc, none);
        }
    }

    private void EmitReadNullable(ILGenerator il, PresenceContract contract, Action? loadExisting)
    {
        LocalBuilder value = il.DeclareLocal(contract.Type);
        Label absent = il.DefineLabel();
        Label end = il.DefineLabel();
        EmitReadPresence(il);
        il.Emit(OpCodes.Brfalse, absent);
        if (contract.Type.IsValueType)
        {
            EmitRead(il, contract.Inner, loadExisting is null ? null : LoadInner);
            il.Emit(OpCodes.Newobj, contract.Type.GetConstructor([contract.Inner.Type])!);
        }
        else
        {
            EmitRead(il, contract.Inner, loadExisting);
        }

        il.Emit(OpCodes.Stloc, value);
        il.Emit(OpCodes.Br, end);
        il.MarkLabel(absent);
        EmitDefault(il, value);
        il.MarkLabel(end);
        il.Emit(OpCodes.Ldloc, value);

        void LoadInner()
        {
            loadExisting();
            il.Emit(OpCodes.Stloc, value);
            il.Emit(OpCodes.Ldloca, value);
            il.Emit(OpCodes.Call, contract.Type.GetMethod("GetValueOrDefault", Type.EmptyTypes)!);
        }
    }

    internal static void EmitDefault(ILGenerator il, LocalBuilder local)
    {
        if (local.LocalType.IsValueType)
        {
            il.Emit(OpCodes.Ldloca, local);
            il.Emit(OpCodes.Initobj, local.LocalType);
        }
        else
        {
            il.Emit(OpCodes.Ldnull);
            il.Emit(OpCodes.Stloc, local);
        }
    }

    internal static void EmitTypeOf(ILGenerator il, Type type)
    {
        il.Emit(OpCodes.Ldtoken, type);
        il.Emit(OpCodes.Call, GetTypeFromHandle);
    }

    /// <summary>Emits throwing for a null in argument 2, and for an object of a derived class.</summary>
    internal static void EmitTypeCheck(ILGenerator il, Type type, bool checksDerived)
    {
        if (!checksDerived)
        {
            if (!type.IsValueType)
                EmitNullCheck(il);
            return;
        }

        Label refused = il.DefineLabel();
        Label good = il.DefineLabel();
        il.Emit(OpCodes.Ldarg_2);
        il.Emit(OpCodes.Brfalse, refused);
        il.Emit(OpCodes.Ldarg_2);
        il.Emit(OpCodes.Call, ObjectGetType);
        EmitTypeOf(il, type);
        il.Emit(OpCodes.Beq, good);
        il.MarkLabel(refused);
        il.Emit(OpCodes.Ldarg_2);
        EmitTypeOf(il, type);
        il.Emit(OpCodes.Call, Own(typeof(DerivedObjects), nameof(DerivedObjects.Throw)));
        il.MarkLabel(good);
    }

    /// <summary>Emits a jump to a label if argument 2 has nothing to reuse, or is an object of a derived class.</summary>
    internal static void EmitReuseCheck(ILGenerator il, Type type, Label createNew)
    {
        il.Emit(OpCodes.Ldarg_2);
        il.Emit(OpCodes.Brfalse, createNew);
        il.Emit(OpCodes.Ldarg_2);
        il.Emit(OpCodes.Call, ObjectGetType);
        EmitTypeOf(il, type);
        il.Emit(OpCodes.Bne_Un, createNew);
    }

    private protected static void EmitNullCheck(ILGenerator il)
    {
        Label present = il.DefineLabel();
        il.Emit(OpCodes.Ldarg_2);
        il.Emit(OpCodes.Brtrue, present);
        il.Emit(OpCodes.Call, ThrowUnexpectedNull);
        il.MarkLabel(present);
    }
}
#endif
