#if NET
using Formatters.Custom;

using System;
using System.Collections.Generic;
using System.Diagnostics.CodeAnalysis;
using System.Linq;
using System.Reflection;
using System.Reflection.Emit;
using Formatters.Generated;

namespace Formatters;

/// <summary>Emits the code of a contract in a traversal format: the calls that the generator's TraversalEmitter prints.</summary>
/// <remarks>Writing passes the position as argument 3, a <c>ref byte</c>, and returns it: docs/decisions/0005-one-traversal.md.</remarks>
[RequiresUnreferencedCode(ReflectionMessages.Trimming)]
[RequiresDynamicCode(ReflectionMessages.DynamicCode)]
internal sealed partial class TraversalCompiler<TFormat> : ContractCompiler
    where TFormat : struct, IWireFormat
{
    private protected override Type Writer => WireMethods.Writer;

    private protected override Type Reader => WireMethods.Reader;

    private protected override bool IsReused(ValueContract contract) => contract switch
    {
        RecordContract record => !record.Type.IsValueType && record.Maker.MemberIndexes.Count == 0,
        MultidimensionalArrayContract or SetContract => false,
        _ => true,
    };

    private protected override void EmitWriteReserved(ILGenerator il, ValueContract contract, Action load, int following, bool isInlined)
    {
        switch (contract)
        {
            case PresenceContract presence:
                EmitWriteNullable(il, presence, load, loadPresent => EmitWriteReserved(il, presence.Inner, loadPresent, following, isInlined), () =>
                {
                    EmitPlace(il);
                    EmitOwnCall(il, nameof(EmittedWire.WriteNull));
                    EmitSetPosition(il);
                    if (Bound(contract) < 0)
                        EmitReserve(il, following);
                });
                return;
            case ConvertedContract { ReadAs: SetContract } set when default(TFormat).IsSorted:
                EmitWriteSorted(il, set.Written, () => EmitConverted(il, set, load), isMap: false);
                break;
            case ConvertedContract converted:
                EmitWriteReserved(il, converted.Written, () => EmitConverted(il, converted, load), following, isInlined);
                return;
            case DictionaryContract when default(TFormat).IsSorted:
                EmitWriteSorted(il, contract, load, isMap: true);
                break;
            case TraversedRecord { IsMap: false } record when TryInline(il, record):
                EmitWriteInline(il, record, load);
                break;
            case RecordContract or ListContract or DictionaryContract or MultidimensionalArrayContract or UnionContract:
                il.Emit(OpCodes.Ldarg_0);
                il.Emit(OpCodes.Ldarg_1);
                load();
                il.Emit(OpCodes.Ldarg_3);
                il.Emit(OpCodes.Call, MethodOf(contract, Mode.Write));
                EmitSetPosition(il);
                break;
            case StringContract:
                EmitPlace(il);
                load();
                il.Emit(OpCodes.Ldc_I4, following);
                EmitWireCall(il, isInlined ? nameof(WireCode.WriteTextInline) : nameof(WireCode.WriteText));
                EmitSetPosition(il);
                return;
            case MemberCodecContract formatted:
                EmitPlace(il);
                load();
                EmitWireCall(il, nameof(WireCode.WriteFormatted), formatted.FormatterType, contract.Type);
                EmitSetPosition(il);
                break;
            case CodecContract { Own: object own }:
                il.Emit(OpCodes.Ldarg_0);
                il.Emit(OpCodes.Ldc_I4, AddConstant(own));
                EmitPlace(il);
                load();
                EmitOwnCall(il, nameof(EmittedWire.WriteCodec), contract.Type);
                EmitSetPosition(il);
                break;
            default:
                EmitPlace(il);
                load();
                Type written = WireMethods.Widened(ScalarOf(contract));
                if (ScalarOf(contract) == typeof(uint))
                    il.Emit(OpCodes.Conv_U8);
                il.Emit(OpCodes.Call, WireMethods.Writes[written].MakeGenericMethod(typeof(TFormat)));
                EmitSetPosition(il);
                if (Bound(contract) >= 0)
                    return;
                break;
        }

        EmitReserve(il, following);
    }

    /// <summary>Emits writing a map or a set, and sorting it.</summary>
    private void EmitWriteSorted(ILGenerator il, ValueContract contract, Action load, bool isMap)
    {
        LocalBuilder start = il.DeclareLocal(typeof(long));
        EmitPlace(il);
        EmitCall(il, typeof(WireCode), nameof(WireCode.BeginSorted), Writer, Position);
        il.Emit(OpCodes.Stloc, start);
        il.Emit(OpCodes.Ldarg_0);
        il.Emit(OpCodes.Ldarg_1);
        load();
        il.Emit(OpCodes.Ldarg_3);
        il.Emit(OpCodes.Call, MethodOf(contract, Mode.Write));
        EmitSetPosition(il);
        EmitPlace(il);
        il.Emit(OpCodes.Ldloc, start);
        il.Emit(isMap ? OpCodes.Ldc_I4_1 : OpCodes.Ldc_I4_0);
        EmitWireCall(il, nameof(WireCode.EndSorted));
    }

    private protected override void EmitReadSingle(ILGenerator il, ValueContract contract, Action? loadExisting)
    {
        switch (contract)
        {
            case StringContract:
                EmitExistingOrDefault(il, contract.Type, loadExisting);
                EmitWireCall(il, nameof(WireCode.ReadString));
                break;
            case BytesContract:
                EmitExistingOrDefault(il, contract.Type, loadExisting);
                EmitWireCall(il, nameof(WireCode.ReadBytes));
                break;
            case MemberCodecContract formatted:
                EmitExistingOrDefault(il, contract.Type, loadExisting);
                EmitWireCall(il, nameof(WireCode.ReadFormatted), formatted.FormatterType, contract.Type);
                break;
            case CodecContract { Own: object own }:
                EmitExistingOrDefault(il, contract.Type, loadExisting);
                il.Emit(OpCodes.Ldarg_0);
                il.Emit(OpCodes.Ldc_I4, AddConstant(own));
                EmitOwnCall(il, nameof(EmittedWire.ReadCodec), contract.Type);
                break;
            default:
                il.Emit(OpCodes.Call, WireMethods.Reads[ScalarOf(contract)].MakeGenericMethod(typeof(TFormat)));
                break;
        }
    }

    private protected override void EmitReadPresence(ILGenerator il)
    {
        il.Emit(OpCodes.Ldarg_1);
        EmitOwnCall(il, nameof(EmittedWire.IsPresent));
    }

    private protected override LocalBuilder EmitReadCount(ILGenerator il, ValueContract contract)
    {
        LocalBuilder count = il.DeclareLocal(typeof(int));
        il.Emit(OpCodes.Ldarg_1);
        il.Emit(OpCodes.Ldc_I4, contract is DictionaryContract dictionary ? dictionary.EntryAllocation : ((ListContract)contract).ElementAllocation);
        EmitOwnCall(il, contract is DictionaryContract ? nameof(EmittedWire.BeginMap) : nameof(EmittedWire.BeginArray));
        il.Emit(OpCodes.Stloc, count);
        return count;
    }

    private protected override void EmitWriteCount(ILGenerator il, LocalBuilder count, bool isMap)
    {
        EmitNesting(il, Writer, nameof(WireWriter.Enter));
        EmitPlace(il);
        il.Emit(OpCodes.Ldloc, count);
        EmitWireCall(il, isMap ? nameof(WireCode.WriteMapHeader) : nameof(WireCode.WriteArrayHeader));
        EmitSetPosition(il);
    }

    private protected override bool TryEmitWriteBlock(ILGenerator il, ListContract contract, LocalBuilder list)
    {
        if (!contract.IsSeries)
            return false;
        EmitPlace(il);
        il.Emit(OpCodes.Ldloc, list);
        EmitOwnCall(
            il, contract.ConcreteType.IsArray ? nameof(EmittedWire.WriteNumberArray) : nameof(EmittedWire.WriteNumberList), contract.Element.Type);
        il.Emit(OpCodes.Ret);
        return true;
    }

    private protected override bool TryEmitReadBlock(ILGenerator il, ListContract contract, bool overwrite)
    {
        if (!contract.IsSeries)
            return false;
        il.Emit(OpCodes.Ldarg_1);
        il.Emit(overwrite ? OpCodes.Ldarg_2 : OpCodes.Ldnull);
        EmitWireCall(
            il, contract.ConcreteType.IsArray ? nameof(WireCode.ReadNumberArray) : nameof(WireCode.ReadNumberList), typeof(Over),
            contract.Element.Type);
        il.Emit(OpCodes.Ret);
        return true;
    }

    private protected override void EmitEndWriting(ILGenerator il, bool isMultidimensional)
    {
        EmitNesting(il, Writer, nameof(WireWriter.Leave));
        if (isMultidimensional)
            EmitNesting(il, Writer, nameof(WireWriter.Leave));
        EmitReturnPosition(il);
    }

    private protected override void EmitEndReading(ILGenerator il, bool isMultidimensional)
    {
        EmitNesting(il, Reader, nameof(WireReader.Leave));
        if (isMultidimensional)
            EmitNesting(il, Reader, nameof(WireReader.Leave));
    }

    private protected override void EmitReadDictionary(ILGenerator il, DictionaryContract contract, bool overwrite)
    {
        Type type = contract.ConcreteType;
        LocalBuilder dictionary = il.DeclareLocal(type);
        LocalBuilder key = il.DeclareLocal(contract.Key.Type);
        LocalBuilder byteOffset = il.DeclareLocal(typeof(int));
        LocalBuilder count = EmitReadCount(il, contract);
        il.Emit(overwrite ? OpCodes.Ldarg_2 : OpCodes.Ldnull);
        il.Emit(OpCodes.Ldloc, count);
        il.Emit(OpCodes.Call, typeof(ContractCode).GetMethod(nameof(ContractCode.ReuseDictionary))!.MakeGenericMethod(type.GetGenericArguments()));
        il.Emit(OpCodes.Stloc, dictionary);
        EmitLoop(il, 0, count, _ =>
        {
            EmitByteOffset(il, byteOffset);
            EmitRead(il, contract.Key, null);
            il.Emit(OpCodes.Stloc, key);
            il.Emit(OpCodes.Ldloc, dictionary);
            il.Emit(OpCodes.Ldloc, key);
            EmitRead(il, contract.Value, null);
            il.Emit(OpCodes.Ldloc, byteOffset);
            il.Emit(OpCodes.Call, typeof(ContractCode).GetMethod(nameof(ContractCode.AddEntry))!.MakeGenericMethod(type.GetGenericArguments()));
        });
        EmitEndReading(il, isMultidimensional: false);
        il.Emit(OpCodes.Ldloc, dictionary);
        il.Emit(OpCodes.Ret);
    }

    private protected override void EmitReadSet(ILGenerator il, SetContract contract, bool overwrite)
    {
        LocalBuilder byteOffset = il.DeclareLocal(typeof(int));
        EmitByteOffset(il, byteOffset);
        EmitRead(il, contract.Items, null);
        il.Emit(OpCodes.Ldloc, byteOffset);
        il.Emit(OpCodes.Call, Own(typeof(SetContract<>).MakeGenericType(contract.Items.Element.Type), nameof(SetContract<>.MakeSet)));
        il.Emit(OpCodes.Ret);
    }

    private protected override void EmitWriteLengths(ILGenerator il)
    {
        EmitNullCheck(il);
        EmitNesting(il, Writer, nameof(WireWriter.Enter));
        EmitPlace(il);
        il.Emit(OpCodes.Ldarg_2);
        EmitWireCall(il, nameof(WireCode.WriteLengths));
        EmitSetPosition(il);
    }

    private protected override void EmitWriteElementCount(ILGenerator il, LocalBuilder count) => EmitWriteCount(il, count, isMap: false);

    private protected override void EmitReadLengths(ILGenerator il, MultidimensionalArrayContract contract, LocalBuilder count)
    {
        il.Emit(OpCodes.Ldarg_1);
        il.Emit(OpCodes.Ldc_I4, contract.Type.GetArrayRank());
        il.Emit(OpCodes.Ldc_I4, contract.ElementAllocation);
        il.Emit(OpCodes.Ldloca, count);
        EmitWireCall(il, nameof(WireCode.ReadLengths));
        EmitNesting(il, Reader, nameof(WireReader.Enter));
    }

    private protected override void EmitWriteCase(ILGenerator il, int tag, Action emitWrite)
    {
        EmitPlace(il);
        il.Emit(OpCodes.Ldc_I4, tag);
        EmitOwnCall(il, nameof(EmittedWire.BeginCase));
        EmitSetPosition(il);
        emitWrite();
        EmitEndWriting(il, isMultidimensional: false);
    }

    private protected override void EmitWriteUnknownCase(ILGenerator il)
    {
        EmitPlace(il);
        il.Emit(OpCodes.Ldarg_2);
        il.Emit(OpCodes.Castclass, typeof(IUnknownCase));
        EmitWireCall(il, nameof(WireCode.WriteUnknownCase));
        il.Emit(OpCodes.Ret);
    }

    private protected override void EmitUnlistedCase(ILGenerator il, UnionContract union)
    {
        il.Emit(OpCodes.Ldarg_2);
        EmitTypeOf(il, union.Type);
        il.Emit(OpCodes.Call, typeof(WireCode).GetMethod(nameof(WireCode.ThrowUnlistedCase))!);
        EmitReturnPosition(il);
    }

    private protected override void EmitReadTag(ILGenerator il, UnionContract union, LocalBuilder place)
    {
        il.Emit(OpCodes.Ldarg_1);
        EmitTypeOf(il, union.Type);
        il.Emit(OpCodes.Ldloca, place);
        EmitWireCall(il, nameof(WireCode.ReadTag));
    }

    private protected override void EmitEndReadCase(ILGenerator il, LocalBuilder place) => EmitNesting(il, Reader, nameof(WireReader.Leave));

    private protected override void EmitReadUnknownCase(ILGenerator il, UnionContract union, LocalBuilder tag, LocalBuilder place)
    {
        if (union.UnknownType is null)
        {
            il.Emit(OpCodes.Ldloc, tag);
            il.Emit(OpCodes.Ldloc, place);
            EmitTypeOf(il, union.Type);
            il.Emit(OpCodes.Call, typeof(WireCode).GetMethod(nameof(WireCode.ThrowUnknownCase))!);
            il.Emit(OpCodes.Ldnull);
            return;
        }

        il.Emit(OpCodes.Ldarg_1);
        EmitNew(il, union.UnknownType, union.UnknownMaker!);
        il.Emit(OpCodes.Ldloc, tag);
        il.Emit(OpCodes.Ldloc, place);
        EmitWireCall(il, nameof(WireCode.ReadUnknownCase), union.UnknownType);
        EmitNesting(il, Reader, nameof(WireReader.Leave));
    }

    /// <summary>Returns the maximum size of a value in any traversal format, or -1 if it has none.</summary>
    private protected override int Bound(ValueContract contract) => contract switch
    {
        PresenceContract presence => Bound(presence.Inner),
        ScalarContract scalar => ScalarTypes.FindByName(scalar.Scalar.Type.Name)?.MaxTraversedByteCount ?? -1,
        _ => -1,
    };

    private static Type ScalarOf(ValueContract contract) => contract is ScalarContract scalar ? scalar.Scalar.Type : contract.Type;

    private static void EmitByteOffset(ILGenerator il, LocalBuilder byteOffset)
    {
        EmitNesting(il, WireMethods.Reader, "get_" + nameof(WireReader.ByteOffset));
        il.Emit(OpCodes.Stloc, byteOffset);
    }

    private static void EmitDuplicateKey(ILGenerator il, LocalBuilder byteOffset)
    {
        il.Emit(OpCodes.Ldloc, byteOffset);
        il.Emit(OpCodes.Call, Own(typeof(ContractMethods), nameof(ContractMethods.ThrowDuplicateKey)));
    }

    /// <summary>Emits calling a method of the writer or reader without arguments.</summary>
    private static void EmitNesting(ILGenerator il, Type owner, string method)
    {
        il.Emit(OpCodes.Ldarg_1);
        il.Emit(OpCodes.Call, owner.GetElementType()!.GetMethod(method)!);
    }

    /// <summary>Emits calling a method of <see cref="WireCode"/>, whose first type argument is the format.</summary>
    private static void EmitWireCall(ILGenerator il, string method, params Type[] typeArguments) =>
        il.Emit(OpCodes.Call, WireMethods.Find(typeof(WireCode), method).MakeGenericMethod([typeof(TFormat), .. typeArguments]));

    private static void EmitOwnCall(ILGenerator il, string method, params Type[] typeArguments) =>
        il.Emit(OpCodes.Call, WireMethods.Find(typeof(EmittedWire), method).MakeGenericMethod([typeof(TFormat), .. typeArguments]));
}

/// <summary>The methods that emitted code of the traversal calls.</summary>
[RequiresUnreferencedCode(ReflectionMessages.Trimming)]
internal static class WireMethods
{
    internal static readonly Type Writer = typeof(WireWriter).MakeByRefType();
    internal static readonly Type Reader = typeof(WireReader).MakeByRefType();

    private static readonly MethodInfo[] All = [.. Declared(typeof(WireCode)), .. Declared(typeof(EmittedWire))];

    /// <summary>The overloads of <see cref="WireCode"/><c>.Write</c>, by the type of the value.</summary>
    internal static readonly Dictionary<Type, MethodInfo> Writes =
        All.Where(static m => m.Name == nameof(WireCode.Write)).ToDictionary(static m => m.GetParameters()[2].ParameterType);

    /// <summary>Returns the type as which a value is written: a small integer is an <see cref="int"/> on the stack.</summary>
    internal static Type Widened(Type type) =>
        type == typeof(byte) || type == typeof(sbyte) || type == typeof(short) || type == typeof(ushort) || type == typeof(char)
        ? typeof(int)
        : type == typeof(uint)
        ? typeof(long)
        : type;

    /// <summary>The methods of <see cref="WireCode"/> that read values without nested values, by type.</summary>
    internal static readonly Dictionary<Type, MethodInfo> Reads = All
        .Where(static m => m.DeclaringType == typeof(WireCode) && m.Name.StartsWith("Read", StringComparison.Ordinal)
            && m.GetGenericArguments().Length == 1 && m.GetParameters() is [{ ParameterType: var reader }] && reader == Reader)
        .ToDictionary(static m => m.ReturnType);

    /// <summary>Finds a method with a unique name.</summary>
    internal static MethodInfo Find(Type type, string name) => All.First(m => m.DeclaringType == type && m.Name == name);

    /// <summary>Finds the method that reads at a position.</summary>
    internal static MethodInfo FindAtPosition(string name) =>
        All.First(m => m.DeclaringType == typeof(WireCode) && m.Name == name
            && m.GetParameters() is { Length: > 1 } parameters && parameters[1].ParameterType == typeof(byte).MakeByRefType());

    private static MethodInfo[] Declared(Type type) =>
        type.GetMethods(BindingFlags.Static | BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.DeclaredOnly);
}
#endif
