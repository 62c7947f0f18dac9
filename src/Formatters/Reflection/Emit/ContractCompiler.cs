#if NET
using System;
using System.Collections;
using System.Collections.Generic;
using System.Diagnostics.CodeAnalysis;
using System.Reflection;
using System.Reflection.Emit;
using Formatters.Generated;

namespace Formatters;

/// <summary>
/// Emits the code of a contract: three methods for every record and every collection in it (write; read anew; read over an existing
/// value), which call each other directly. Single values are calls of the writer and the reader in between, which the JIT inlines.
/// </summary>
/// <remarks>
/// Argument 0 of every method is the writer or reader by reference, argument 1 the value or the existing value. DynamicMethod, since expression
/// trees cannot pass a ref struct, and a type of its own could not be collected with the type that it is for.
/// </remarks>
[RequiresUnreferencedCode(ReflectionMessages.Trimming)]
[RequiresDynamicCode(ReflectionMessages.DynamicCode)]
internal sealed partial class ContractCompiler
{
    private static readonly Type Writer = typeof(BinaryBodyWriter).MakeByRefType();
    private static readonly Type Reader = typeof(BinaryBodyReader).MakeByRefType();
    private static readonly MethodInfo ObjectGetType = typeof(object).GetMethod(nameof(GetType))!;
    private static readonly MethodInfo GetTypeFromHandle = typeof(Type).GetMethod(nameof(Type.GetTypeFromHandle))!;
    private static readonly MethodInfo ThrowUnexpectedNull = Own(typeof(ContractMethods), nameof(ContractMethods.ThrowUnexpectedNull));

    private readonly Dictionary<(ValueContract Contract, Mode Mode), DynamicMethod> _methods = [];
    private readonly Queue<Action> _bodies = new();

    private enum Mode
    {
        Write,
        Read,
        Overwrite,
    }

    internal TDelegate CompileWrite<TDelegate>(ValueContract contract)
        where TDelegate : Delegate
    {
        DynamicMethod method = Define("Write", typeof(void), [Writer, contract.Type]);
        ILGenerator il = method.GetILGenerator();
        EmitWrite(il, contract, () => il.Emit(OpCodes.Ldarg_1));
        il.Emit(OpCodes.Ret);
        return Finish<TDelegate>(method);
    }

    internal TDelegate CompileRead<TDelegate>(ValueContract contract)
        where TDelegate : Delegate
    {
        DynamicMethod method = Define("Read", contract.Type, [Reader]);
        ILGenerator il = method.GetILGenerator();
        EmitRead(il, contract, null);
        il.Emit(OpCodes.Ret);
        return Finish<TDelegate>(method);
    }

    internal TDelegate CompileOverwrite<TDelegate>(ValueContract contract)
        where TDelegate : Delegate
    {
        DynamicMethod method = Define("Overwrite", contract.Type, [Reader, contract.Type]);
        ILGenerator il = method.GetILGenerator();
        EmitRead(il, contract, () => il.Emit(OpCodes.Ldarg_1));
        il.Emit(OpCodes.Ret);
        return Finish<TDelegate>(method);
    }

    private static DynamicMethod Define(string name, Type returnType, Type[] parameterTypes) =>
        new(name, returnType, parameterTypes, typeof(ContractCompiler).Module, skipVisibility: true);

    private static MethodInfo Own(Type type, string name, params Type[] typeArguments)
    {
        MethodInfo method = type.GetMethod(name, BindingFlags.Static | BindingFlags.NonPublic)!;
        return typeArguments.Length == 0 ? method : method.MakeGenericMethod(typeArguments);
    }

    // A method is compiled when it is first called: all that it may call must have a body by then.
    private TDelegate Finish<TDelegate>(DynamicMethod method)
        where TDelegate : Delegate
    {
        while (_bodies.Count > 0)
            _bodies.Dequeue()();
        return method.CreateDelegate<TDelegate>();
    }

    /// <summary>The method of a record or collection; its body is emitted later, since records may lie in themselves.</summary>
    private DynamicMethod MethodOf(ValueContract contract, Mode mode)
    {
        if (_methods.TryGetValue((contract, mode), out DynamicMethod? known))
            return known;
        DynamicMethod method = mode switch
        {
            Mode.Write => Define("Write" + contract.Type.Name, typeof(void), [Writer, contract.Type]),
            Mode.Read => Define("Read" + contract.Type.Name, contract.Type, [Reader]),
            _ => Define("Overwrite" + contract.Type.Name, contract.Type, [Reader, contract.Type]),
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
                    EmitReadRecord(il, record, mode == Mode.Overwrite);
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
                case GridContract grid when mode == Mode.Write:
                    EmitWriteGrid(il, grid);
                    break;
                case GridContract grid:
                    EmitReadGrid(il, grid);
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

    /// <summary>Emits the writing of one value.</summary>
    /// <param name="il">The method.</param>
    /// <param name="contract">The contract of the value.</param>
    /// <param name="load">Emits the code that puts the value on the stack; called once.</param>
    private void EmitWrite(ILGenerator il, ValueContract contract, Action load)
    {
        if (contract is PresenceContract presence)
        {
            EmitWritePresence(il, presence, load);
            return;
        }

        if (contract is ConvertedContract converted)
        {
            EmitWrite(il, converted.Written, () =>
            {
                load();
                il.Emit(OpCodes.Call, Own(typeof(EmittedCalls), nameof(EmittedCalls.Convert), converted.Type, converted.Written.Type));
            });
            return;
        }

        il.Emit(OpCodes.Ldarg_0);
        load();
        il.Emit(OpCodes.Call, contract switch
        {
            ScalarContract { Scalar.Type: Type type } when type == typeof(char) => Own(typeof(ContractMethods), nameof(ContractMethods.WriteChar)),
            ScalarContract { Scalar.Type: Type type } => typeof(BinaryBodyWriter).GetMethod(nameof(BinaryBodyWriter.Write), [type])!,
            TextContract => Own(typeof(ContractMethods), nameof(ContractMethods.WriteText)),
            BytesContract => Own(typeof(ContractMethods), nameof(ContractMethods.WriteBytes)),
            KnownContract known => known.GetWriteMethod(),
            OwnBodyContract { ChecksDerived: true } => Own(typeof(EmittedCalls), nameof(EmittedCalls.WriteOwnBodyExactly), contract.Type),
            OwnBodyContract => Own(typeof(EmittedCalls), nameof(EmittedCalls.WriteOwnBody), contract.Type),
            FormattedContract formatted => Own(typeof(EmittedCalls), nameof(EmittedCalls.WriteFormatted), formatted.FormatterType, contract.Type),
            _ => MethodOf(contract, Mode.Write),
        });
    }

    private void EmitWritePresence(ILGenerator il, PresenceContract contract, Action load)
    {
        MethodInfo writeBool = typeof(BinaryBodyWriter).GetMethod(nameof(BinaryBodyWriter.Write), [typeof(bool)])!;
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
        il.Emit(OpCodes.Ldarg_0);
        il.Emit(OpCodes.Ldc_I4_1);
        il.Emit(OpCodes.Call, writeBool);
        EmitWrite(il, contract.Inner, () =>
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
        il.Emit(OpCodes.Ldarg_0);
        il.Emit(OpCodes.Ldc_I4_0);
        il.Emit(OpCodes.Call, writeBool);
        il.MarkLabel(end);
    }

    /// <summary>Emits the reading of one value, which it leaves on the stack.</summary>
    /// <param name="il">The method.</param>
    /// <param name="contract">The contract of the value.</param>
    /// <param name="loadExisting">Emits the code that puts the existing value on the stack; null where there is none.</param>
    private void EmitRead(ILGenerator il, ValueContract contract, Action? loadExisting)
    {
        if (contract is PresenceContract presence)
        {
            EmitReadPresence(il, presence, loadExisting);
            return;
        }

        if (contract is ConvertedContract converted)
        {
            // A set in a member of its own type, or of an interface, stays what is read.
            bool isSame = loadExisting is not null && converted.ReadAs is SetContract && converted.Type.IsAssignableFrom(converted.ReadAs.Type);
            EmitRead(il, converted.ReadAs, !isSame ? null : () =>
            {
                loadExisting!();
                il.Emit(OpCodes.Isinst, converted.ReadAs.Type);
            });
            il.Emit(OpCodes.Call, Own(typeof(EmittedCalls), nameof(EmittedCalls.Convert), converted.ReadAs.Type, converted.Type));
            return;
        }

        il.Emit(OpCodes.Ldarg_0);
        switch (contract)
        {
            case ScalarContract scalar:
                il.Emit(OpCodes.Call, typeof(BinaryBodyReader).GetMethod(scalar.Scalar.ReaderMethod, Type.EmptyTypes)!);
                break;
            case TextContract when loadExisting is null:
                il.Emit(OpCodes.Call, typeof(BinaryBodyReader).GetMethod(nameof(BinaryBodyReader.ReadString), Type.EmptyTypes)!);
                break;
            case TextContract:
                loadExisting();
                il.Emit(OpCodes.Call, typeof(BinaryBodyReader).GetMethod(nameof(BinaryBodyReader.ReadString), [typeof(string)])!);
                break;
            case BytesContract:
                LoadExistingOrDefault();
                il.Emit(OpCodes.Call, typeof(BinaryBodyReader).GetMethod(nameof(BinaryBodyReader.ReadBytes), [typeof(byte[])])!);
                break;
            case OwnBodyContract:
                LoadExistingOrDefault();
                il.Emit(OpCodes.Call, Own(typeof(EmittedCalls), nameof(EmittedCalls.ReadOwnBody), contract.Type));
                break;
            case KnownContract known:
                il.Emit(OpCodes.Call, typeof(ContractCode).GetMethod("Read" + known.Row.Name)!);
                break;
            case FormattedContract formatted:
                LoadExistingOrDefault();
                il.Emit(OpCodes.Call, Own(typeof(EmittedCalls), nameof(EmittedCalls.ReadFormatted), formatted.FormatterType, contract.Type));
                break;
            default:
                bool isReusable = loadExisting is not null && contract is not GridContract;
                if (isReusable)
                    loadExisting!();
                il.Emit(OpCodes.Call, MethodOf(contract, isReusable ? Mode.Overwrite : Mode.Read));
                break;
        }

        void LoadExistingOrDefault()
        {
            if (loadExisting is not null && !contract.Type.IsValueType)
            {
                loadExisting();
            }
            else if (contract.Type.IsValueType)
            {
                LocalBuilder none = il.DeclareLocal(contract.Type);
                il.Emit(OpCodes.Ldloca, none);
                il.Emit(OpCodes.Initobj, contract.Type);
                il.Emit(OpCodes.Ldloc, none);
            }
            else
            {
                il.Emit(OpCodes.Ldnull);
            }
        }
    }

    private void EmitReadPresence(ILGenerator il, PresenceContract contract, Action? loadExisting)
    {
        LocalBuilder value = il.DeclareLocal(contract.Type);
        Label absent = il.DefineLabel();
        Label end = il.DefineLabel();
        il.Emit(OpCodes.Ldarg_0);
        il.Emit(OpCodes.Call, typeof(BinaryBodyReader).GetMethod(nameof(BinaryBodyReader.ReadBoolean))!);
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

    private static void EmitDefault(ILGenerator il, LocalBuilder local)
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

    /// <summary>Refuses a null in argument 1, and an object of a derived class.</summary>
    private static void EmitTypeCheck(ILGenerator il, Type type)
    {
        Label refused = il.DefineLabel();
        Label good = il.DefineLabel();
        il.Emit(OpCodes.Ldarg_1);
        il.Emit(OpCodes.Brfalse, refused);
        il.Emit(OpCodes.Ldarg_1);
        il.Emit(OpCodes.Call, ObjectGetType);
        il.Emit(OpCodes.Ldtoken, type);
        il.Emit(OpCodes.Call, GetTypeFromHandle);
        il.Emit(OpCodes.Beq, good);
        il.MarkLabel(refused);
        il.Emit(OpCodes.Ldarg_1);
        il.Emit(OpCodes.Ldtoken, type);
        il.Emit(OpCodes.Call, GetTypeFromHandle);
        il.Emit(OpCodes.Call, Own(typeof(DerivedObjects), nameof(DerivedObjects.Throw)));
        il.MarkLabel(good);
    }

    private static void EmitNullCheck(ILGenerator il)
    {
        Label present = il.DefineLabel();
        il.Emit(OpCodes.Ldarg_1);
        il.Emit(OpCodes.Brtrue, present);
        il.Emit(OpCodes.Call, ThrowUnexpectedNull);
        il.MarkLabel(present);
    }
}
#endif
