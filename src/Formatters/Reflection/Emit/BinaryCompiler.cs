#if NET
using Formatters.Binary;

using System;
using System.Collections.Generic;
using System.Diagnostics.CodeAnalysis;
using System.Linq;
using System.Reflection;
using System.Reflection.Emit;
using Formatters.Generated;

namespace Formatters;

/// <summary>Emits the code of a contract in the binary wire format, or the versioned one.</summary>
/// <remarks>A presence byte before a nullable value, an Int32 count before elements; records have no header in the binary format.</remarks>
[RequiresUnreferencedCode(ReflectionMessages.Trimming)]
[RequiresDynamicCode(ReflectionMessages.DynamicCode)]
internal sealed partial class BinaryCompiler(bool isVersioned) : ContractCompiler
{
    private const BindingFlags AnyStatic = BindingFlags.Static | BindingFlags.Public | BindingFlags.NonPublic;

    private protected override Type Writer { get; } = typeof(BinaryBodyWriter).MakeByRefType();

    private static readonly Type ReaderType = typeof(BinaryBodyReader).MakeByRefType();

    private protected override Type Reader => ReaderType;

    /// <summary>Gets the format, as a type argument of <see cref="ContractCode"/>.</summary>
    private Type Format { get; } = isVersioned ? typeof(Versioned) : typeof(Generated.Binary);

    /// <summary>The methods that write a value of fixed size at a position, by the type of the value.</summary>
    private static readonly Dictionary<Type, MethodInfo> Writes = new[] { typeof(ContractCode), typeof(EmittedCalls) }
        .SelectMany(static type => type.GetMethods(BindingFlags.Static | BindingFlags.Public | BindingFlags.NonPublic))
        .Where(static m => m.Name == nameof(ContractCode.Write) && m.GetParameters() is [{ ParameterType: var first }, _] && first == Position)
        .ToDictionary(static m => m.GetParameters()[1].ParameterType);

    private protected override bool IsReused(ValueContract contract) => contract is not MultidimensionalArrayContract;

    private protected override int Bound(ValueContract contract) => contract switch
    {
        ScalarContract scalar => scalar.Scalar.Row.MaxByteCount,
        PresenceContract presence => Bound(presence.Inner) is int bound and >= 0 ? bound + 1 : -1,
        FramedContract { IsShort: true } framed => Bound(framed.Inner) + 1,
        _ => -1,
    };

    private protected override void EmitWriteReserved(ILGenerator il, ValueContract contract, Action load, int following, bool isInlined)
    {
        switch (contract)
        {
            case PresenceContract presence:
                EmitWriteNullable(
                    il, presence, load,
                    loadPresent =>
                    {
                        EmitWritePresence(il, true);
                        EmitWriteReserved(il, presence.Inner, loadPresent, following, isInlined);
                    },
                    () =>
                    {
                        EmitWritePresence(il, false);
                        if (Bound(contract) < 0)
                            EmitReserve(il, following);
                    });
                return;
            case ConvertedContract converted:
                EmitWriteReserved(il, converted.Written, () => EmitConverted(il, converted, load), following, isInlined);
                return;
            case FramedContract framed:
                EmitWriteFramed(il, framed, load, following, isInlined);
                return;
            case ScalarContract scalar:
                il.Emit(OpCodes.Ldarg_3);
                load();
                il.Emit(OpCodes.Call, Writes[scalar.Scalar.Type]);
                EmitSetPosition(il);
                return;
            case StringContract or BytesContract:
                EmitPlace(il);
                load();
                il.Emit(OpCodes.Ldc_I4, following);
                EmitCall(
                    il, typeof(ContractCode),
                    contract is BytesContract ? nameof(ContractCode.WriteBytes)
                        : isInlined ? nameof(ContractCode.WriteTextInline) : nameof(ContractCode.WriteText),
                    Writer, Position, contract.Type, typeof(int));
                EmitSetPosition(il);
                return;
            case RecordContract record when TryInline(il, record):
                EmitWriteInline(il, record, load, following);
                return;
            case RecordContract or ListContract or DictionaryContract or MultidimensionalArrayContract or UnionContract:
                il.Emit(OpCodes.Ldarg_0);
                il.Emit(OpCodes.Ldarg_1);
                load();
                il.Emit(OpCodes.Ldarg_3);
                il.Emit(OpCodes.Call, MethodOf(contract, Mode.Write));
                break;
            default:
                EmitPlace(il);
                load();
                il.Emit(OpCodes.Call, contract switch
                {
                    KnownContract known => typeof(ContractCode).GetMethod("Write" + known.Row.Name, AnyStatic, [Writer, Position, known.Type])!,
                    OwnBodyContract { ChecksDerived: true } => Own(typeof(EmittedCalls), nameof(EmittedCalls.WriteOwnBodyExactly), contract.Type),
                    OwnBodyContract => typeof(ContractCode).GetMethod(nameof(ContractCode.WriteOwnBody))!.MakeGenericMethod(contract.Type),
                    MemberCodecContract formatted =>
                        Own(typeof(EmittedCalls), nameof(EmittedCalls.WriteFormatted), formatted.FormatterType, contract.Type),
                    _ => throw new InvalidOperationException($"{contract.GetType()} has no method."),
                });
                break;
        }

        EmitSetPosition(il);
        EmitReserve(il, following);
    }

    private protected override void EmitReadSingle(ILGenerator il, ValueContract contract, Action? loadExisting)
    {
        switch (contract)
        {
            case FramedContract framed:
                EmitReadFramed(il, framed, loadExisting);
                break;
            case ScalarContract { Scalar.Type: Type type } when type == typeof(decimal):
                il.Emit(OpCodes.Call, Own(typeof(EmittedCalls), nameof(EmittedCalls.ReadDecimal)));
                break;
            case ScalarContract scalar:
                il.Emit(OpCodes.Call, typeof(BinaryBodyReader).GetMethod(scalar.Scalar.ReaderMethod, Type.EmptyTypes)!);
                break;
            case StringContract when loadExisting is null:
                il.Emit(OpCodes.Call, typeof(BinaryBodyReader).GetMethod(nameof(BinaryBodyReader.ReadString), Type.EmptyTypes)!);
                break;
            case StringContract:
                loadExisting();
                il.Emit(OpCodes.Call, typeof(BinaryBodyReader).GetMethod(nameof(BinaryBodyReader.ReadString), [typeof(string)])!);
                break;
            case BytesContract:
                EmitExistingOrDefault(il, contract.Type, loadExisting);
                il.Emit(OpCodes.Call, typeof(BinaryBodyReader).GetMethod(nameof(BinaryBodyReader.ReadBytes), [typeof(byte[])])!);
                break;
            case OwnBodyContract:
                EmitExistingOrDefault(il, contract.Type, loadExisting);
                il.Emit(OpCodes.Call, Own(typeof(EmittedCalls), nameof(EmittedCalls.ReadOwnBody), contract.Type));
                break;
            case KnownContract known:
                il.Emit(OpCodes.Call, typeof(ContractCode).GetMethod("Read" + known.Row.Name, AnyStatic)!);
                break;
            case MemberCodecContract formatted:
                EmitExistingOrDefault(il, contract.Type, loadExisting);
                il.Emit(OpCodes.Call, Own(typeof(EmittedCalls), nameof(EmittedCalls.ReadFormatted), formatted.FormatterType, contract.Type));
                break;
            default:
                throw new InvalidOperationException($"{contract.GetType()} has no method.");
        }
    }

    private protected override void EmitReadPresence(ILGenerator il)
    {
        Action<ILGenerator> emit = _emitPresence ?? (static il => EmitReaderCall(il, nameof(BinaryBodyReader.ReadBoolean)));
        _emitPresence = null;
        emit(il);
    }

    private protected override void EmitWriteRecord(ILGenerator il, RecordContract record)
    {
        EmitTypeCheck(il, record.Type, record.ChecksDerived);
        EmitWriterCall(il, nameof(BinaryBodyWriter.EnterRecord));
        EmitCallbacks(il, record.OnSerializing, () => EmitOwner(il, record.Type));
        if (record is VersionedRecordContract versioned)
            EmitWriteVersioned(il, versioned);
        else
            EmitWritePlain(il, record);
        EmitCallbacks(il, record.OnSerialized, () => EmitOwner(il, record.Type));
        EmitWriterCall(il, nameof(BinaryBodyWriter.LeaveRecord));
        EmitReturnPosition(il);
    }

    private void EmitWritePlain(ILGenerator il, RecordContract record)
    {
        if (record.Unknown is not null)
        {
            il.Emit(OpCodes.Ldarg_1);
            EmitGet(il, record, record.Unknown);
            il.Emit(OpCodes.Call, Own(typeof(ContractMethods), nameof(ContractMethods.RefuseUnknown)));
        }

        EmitReserve(il, RunFrom(record, 0));
        EmitWriteMembers(il, record, () => EmitOwner(il, record.Type));
    }

    /// <summary>Emits writing members, for the first run of which space is reserved.</summary>
    private void EmitWriteMembers(ILGenerator il, RecordContract record, Action loadOwner)
    {
        bool isInlined = InlinesTexts(record);
        for (int i = 0; i < record.Members.Count; i++)
        {
            RecordMember member = record.Members[i];
            EmitWriteReserved(il, member.Contract, Load, RunFrom(record, i + 1), isInlined);

            void Load()
            {
                loadOwner();
                EmitGetOf(il, member.Info);
            }
        }
    }

    private protected override void EmitReadRecord(ILGenerator il, RecordContract record, Mode mode)
    {
        if (record is VersionedRecordContract versioned)
        {
            EmitReadVersioned(il, versioned, mode);
            return;
        }

        bool overwrite = mode == Mode.Overwrite;
        Label createNew = il.DefineLabel();
        if (overwrite && !record.Type.IsValueType)
            EmitReuseCheck(il, record.Type, createNew);
        EmitReaderCall(il, nameof(BinaryBodyReader.EnterRecord));
        LocalBuilder result = il.DeclareLocal(record.Type);
        if (record.Maker.MemberIndexes.Count > 0)
            EmitReadThenMake(il, record, result, overwrite);
        else
            EmitFill(il, record, result, overwrite);
        EmitCallbacks(il, record.OnDeserialized, () => EmitOwner(il, result));
        EmitReaderCall(il, nameof(BinaryBodyReader.LeaveRecord));
        il.Emit(OpCodes.Ldloc, result);
        il.Emit(OpCodes.Ret);
        EmitInstead(il, createNew, overwrite && !record.Type.IsValueType, record, Mode.Read);
    }

    private protected override void EmitReadDictionary(ILGenerator il, DictionaryContract contract, bool overwrite)
    {
        Type fill = typeof(DictionaryFill<,>).MakeGenericType(contract.Key.Type, contract.Value.Type);
        LocalBuilder entries = il.DeclareLocal(fill);
        LocalBuilder key = il.DeclareLocal(contract.Key.Type);
        LocalBuilder count = EmitReadCount(il, contract);
        il.Emit(OpCodes.Ldloca, entries);
        il.Emit(overwrite ? OpCodes.Ldarg_2 : OpCodes.Ldnull);
        il.Emit(OpCodes.Ldloc, count);
        il.Emit(OpCodes.Call, fill.GetConstructor([typeof(object), typeof(int)])!);
        EmitLoop(il, 0, count, _ =>
        {
            LocalBuilder byteOffset = EmitByteOffset(il);
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

    private protected override void EmitReadSet(ILGenerator il, SetContract contract, bool overwrite)
    {
        LocalBuilder count = EmitReadCount(il, contract.Items);
        Type fill = typeof(SetFill<>).MakeGenericType(contract.Items.Element.Type);
        LocalBuilder set = il.DeclareLocal(fill);
        il.Emit(OpCodes.Ldloca, set);
        il.Emit(overwrite ? OpCodes.Ldarg_2 : OpCodes.Ldnull);
        il.Emit(OpCodes.Ldloc, count);
        il.Emit(OpCodes.Call, fill.GetConstructor([typeof(object), typeof(int)])!);
        EmitLoop(il, 0, count, _ =>
        {
            LocalBuilder byteOffset = EmitByteOffset(il);
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

    private protected override LocalBuilder EmitReadCount(ILGenerator il, ValueContract contract)
    {
        (int minByteCount, int allocation) = contract switch
        {
            ListContract list => (list.Element.MinByteCount, list.ElementAllocation),
            DictionaryContract dictionary => (dictionary.Key.MinByteCount + dictionary.Value.MinByteCount, dictionary.EntryAllocation),
            _ => throw new InvalidOperationException($"{contract.GetType()} has no count."),
        };
        LocalBuilder count = il.DeclareLocal(typeof(int));
        il.Emit(OpCodes.Ldarg_1);
        il.Emit(OpCodes.Ldc_I4, minByteCount);
        il.Emit(OpCodes.Ldc_I4, allocation);
        il.Emit(OpCodes.Call, typeof(BinaryBodyReader).GetMethod(nameof(BinaryBodyReader.ReadCount), [typeof(int), typeof(int)])!);
        il.Emit(OpCodes.Stloc, count);
        return count;
    }

    private protected override void EmitWriteCount(ILGenerator il, LocalBuilder count, bool isMap)
    {
        EmitPlace(il);
        il.Emit(OpCodes.Ldloc, count);
        EmitCall(il, typeof(ContractCode), nameof(ContractCode.WriteCount), Writer, Position, typeof(int));
        EmitSetPosition(il);
    }

    private protected override void EmitEndWriting(ILGenerator il, bool isMultidimensional) => EmitReturnPosition(il);

    private protected override void EmitEndReading(ILGenerator il, bool isMultidimensional)
    {
    }

    private protected override void EmitWriteLengths(ILGenerator il)
    {
        EmitPlace(il);
        il.Emit(OpCodes.Ldarg_2);
        il.Emit(OpCodes.Call, Own(typeof(EmittedCalls), nameof(EmittedCalls.WriteLengths)));
        EmitSetPosition(il);
    }

    private protected override void EmitWriteElementCount(ILGenerator il, LocalBuilder count)
    {
    }

    private protected override void EmitReadLengths(ILGenerator il, MultidimensionalArrayContract contract, LocalBuilder count)
    {
        il.Emit(OpCodes.Ldarg_1);
        il.Emit(OpCodes.Ldc_I4, contract.Type.GetArrayRank());
        il.Emit(OpCodes.Ldc_I4, contract.Element.MinByteCount);
        il.Emit(OpCodes.Ldc_I4, contract.ElementAllocation);
        il.Emit(OpCodes.Ldloca, count);
        il.Emit(OpCodes.Call, typeof(ContractCode).GetMethod(nameof(ContractCode.ReadLengths))!);
    }

    private protected override void EmitWriteCase(ILGenerator il, int tag, Action emitWrite)
    {
        LocalBuilder start = il.DeclareLocal(typeof(long));
        EmitPlace(il);
        il.Emit(OpCodes.Ldc_I4, tag);
        il.Emit(OpCodes.Ldloca, start);
        EmitFormatCall(il, nameof(ContractCode.BeginCase));
        EmitSetPosition(il);
        emitWrite();
        EmitPlace(il);
        il.Emit(OpCodes.Ldloc, start);
        EmitCall(il, typeof(ContractCode), nameof(ContractCode.EndCase), Writer, Position, typeof(long));
        il.Emit(OpCodes.Ret);
    }

    private protected override void EmitWriteUnknownCase(ILGenerator il)
    {
        EmitPlace(il);
        il.Emit(OpCodes.Ldarg_2);
        il.Emit(OpCodes.Castclass, typeof(IUnknownCase));
        EmitFormatCall(il, nameof(ContractCode.WriteUnknownCase));
        il.Emit(OpCodes.Ret);
    }

    private protected override void EmitUnlistedCase(ILGenerator il, UnionContract union)
    {
        il.Emit(OpCodes.Ldarg_2);
        EmitCall(il, typeof(ContractCode), nameof(ContractCode.ThrowUnlisted), typeof(object));
        EmitReturnPosition(il);
    }

    private protected override void EmitReadTag(ILGenerator il, UnionContract union, LocalBuilder place)
    {
        il.Emit(OpCodes.Ldarg_1);
        il.Emit(OpCodes.Ldloca, place);
        EmitFormatCall(il, nameof(ContractCode.ReadCase));
    }

    private protected override void EmitEndReadCase(ILGenerator il, LocalBuilder place)
    {
        il.Emit(OpCodes.Ldarg_1);
        il.Emit(OpCodes.Ldloc, place);
        EmitCall(il, typeof(ContractCode), nameof(ContractCode.EndCase), Reader, typeof(int));
    }

    private protected override void EmitReadUnknownCase(ILGenerator il, UnionContract union, LocalBuilder tag, LocalBuilder place)
    {
        il.Emit(OpCodes.Ldarg_1);
        if (union.UnknownType is null)
        {
            il.Emit(OpCodes.Ldloc, tag);
            EmitFormatCall(il, nameof(ContractCode.ThrowUnknownTag));
            il.Emit(OpCodes.Ldnull);
            return;
        }

        EmitNew(il, union.UnknownType, union.UnknownMaker!);
        il.Emit(OpCodes.Ldloc, tag);
        il.Emit(OpCodes.Ldloc, place);
        il.Emit(OpCodes.Ldc_I4, isVersioned ? BodyTypes.Versioned : BodyTypes.Binary);
        il.Emit(OpCodes.Call, Own(typeof(ContractMethods), nameof(ContractMethods.FillUnknownCase)));
        il.Emit(OpCodes.Castclass, union.Type);
    }

    private static void EmitWriterCall(ILGenerator il, string method)
    {
        il.Emit(OpCodes.Ldarg_1);
        il.Emit(OpCodes.Call, typeof(BinaryBodyWriter).GetMethod(method)!);
    }

    private static void EmitReaderCall(ILGenerator il, string method)
    {
        il.Emit(OpCodes.Ldarg_1);
        il.Emit(OpCodes.Call, typeof(BinaryBodyReader).GetMethod(method)!);
    }

    private static void EmitWritePresence(ILGenerator il, bool isPresent)
    {
        il.Emit(OpCodes.Ldarg_3);
        il.Emit(isPresent ? OpCodes.Ldc_I4_1 : OpCodes.Ldc_I4_0);
        il.Emit(OpCodes.Call, Writes[typeof(bool)]);
        EmitSetPosition(il);
    }

    /// <summary>Emits calling a method of <see cref="ContractCode"/> whose only type argument is the format.</summary>
    private void EmitFormatCall(ILGenerator il, string method) =>
        il.Emit(OpCodes.Call, typeof(ContractCode).GetMethod(method)!.MakeGenericMethod(Format));

    private static LocalBuilder EmitByteOffset(ILGenerator il)
    {
        LocalBuilder byteOffset = il.DeclareLocal(typeof(int));
        EmitReaderCall(il, "get_ByteOffset");
        il.Emit(OpCodes.Stloc, byteOffset);
        return byteOffset;
    }

    private void EmitFill(ILGenerator il, RecordContract record, LocalBuilder result, bool overwrite)
    {
        EmitTarget(il, record, result, overwrite);
        EmitReadMembers(il, record, result, null, overwrite);
    }

    /// <summary>Emits creating the object, or taking the existing one.</summary>
    private static void EmitTarget(ILGenerator il, RecordContract record, LocalBuilder target, bool overwrite)
    {
        if (overwrite && !record.Type.IsValueType)
            il.Emit(OpCodes.Ldarg_2);
        else
            EmitNew(il, record.Type, record.Maker);
        il.Emit(OpCodes.Stloc, target);
        EmitCallbacks(il, record.OnDeserializing, () => EmitOwner(il, target));
    }

    private void EmitReadThenMake(ILGenerator il, RecordContract record, LocalBuilder result, bool overwrite)
    {
        LocalBuilder[] values = EmitReadValues(il, record, overwrite);
        Label kept = il.DefineLabel();
        if (overwrite && !record.Type.IsValueType && record.OnDeserializing is null && record.OnDeserialized is null)
            EmitKeep(il, record, values, result, kept);
        EmitMake(il, record, values, result, null);
        il.MarkLabel(kept);
    }

    /// <summary>Emits reading all members into locals.</summary>
    private LocalBuilder[] EmitReadValues(ILGenerator il, RecordContract record, bool overwrite)
    {
        var values = new LocalBuilder[record.Members.Count];
        for (int i = 0; i < values.Length; i++)
            values[i] = il.DeclareLocal(record.Members[i].Contract.Type);
        EmitReadMembers(il, record, null, values, overwrite);
        return values;
    }

    /// <summary>Emits code that keeps the existing object if all its members equal those that were read.</summary>
    private static void EmitKeep(ILGenerator il, RecordContract record, LocalBuilder[] values, LocalBuilder result, Label kept)
    {
        Label createNew = il.DefineLabel();
        for (int i = 0; i < values.Length; i++)
        {
            il.Emit(OpCodes.Ldloc, values[i]);
            EmitGet(il, record, record.Members[i]);
            il.Emit(OpCodes.Call, typeof(ContractCode).GetMethod(nameof(ContractCode.IsSame))!.MakeGenericMethod(values[i].LocalType));
            il.Emit(OpCodes.Brfalse, createNew);
        }

        il.Emit(OpCodes.Ldarg_2);
        il.Emit(OpCodes.Stloc, result);
        il.Emit(OpCodes.Br, kept);
        il.MarkLabel(createNew);
    }
}
#endif
