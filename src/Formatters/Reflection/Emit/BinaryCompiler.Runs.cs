#if NET
using Formatters.Binary;

using System;
using System.Collections.Generic;
using System.Linq;
using System.Reflection;
using System.Reflection.Emit;
using System.Runtime.CompilerServices;
using Formatters.Generated;

namespace Formatters;

// What is read or copied at once, as in generated code: runs of members in which every bit pattern is valid, with one bounds check for the run, or
// for the run and an adjacent string; lists of numbers, of strings, and of structs that memory holds as the body does.
internal sealed partial class BinaryCompiler
{
    /// <summary>Emits reading all members: of an object, or into locals.</summary>
    private void EmitReadMembers(ILGenerator il, RecordContract record, LocalBuilder? result, LocalBuilder[]? values, bool overwrite)
    {
        IReadOnlyList<RecordMember> members = record.Members;
        for (int i = 0; i < members.Count;)
        {
            int text = EndOfRun(i);
            if (text < members.Count && members[text].Contract is StringContract && IsAutomatic(text))
            {
                int end = EndOfRun(text + 1);
                EmitRun(i, text, nameof(ContractCode.Peek));
                EmitText(text, ByteCount(i, text), ByteCount(text + 1, end));
                EmitRun(text + 1, end, nameof(ContractCode.Behind));
                i = end;
            }
            else if (text - i >= 2)
            {
                EmitRun(i, text, nameof(ContractCode.Take));
                i = text;
            }
            else
            {
                EmitMember(i++);
            }
        }

        bool IsAutomatic(int index) => values is not null || members[index].Setting.IsAutomatic;

        int EndOfRun(int start)
        {
            while (start < members.Count && RowOf(members[start].Contract) is ScalarType row && row.Is(ScalarTraits.InRuns) && IsAutomatic(start))
                start++;
            return start;
        }

        int ByteCount(int start, int end)
        {
            int byteCount = 0;
            for (; start < end; start++)
                byteCount += RowOf(members[start].Contract)!.MinByteCount;
            return byteCount;
        }

        void EmitMember(int index)
        {
            RecordMember member = members[index];
            if (values is null)
            {
                EmitReadMember(il, record, member, result!, overwrite);
                return;
            }

            EmitRead(il, member.Contract, overwrite ? () => EmitGet(il, record, member) : null);
            il.Emit(OpCodes.Stloc, values[index]);
        }

        void EmitRun(int start, int end, string method)
        {
            if (start == end)
                return;
            LocalBuilder run = il.DeclareLocal(Position);
            il.Emit(OpCodes.Ldarg_1);
            il.Emit(OpCodes.Ldc_I4, ByteCount(start, end));
            EmitRunCall(il, method);
            il.Emit(OpCodes.Stloc, run);
            for (int i = start; i < end; i++)
            {
                int offset = ByteCount(start, i);
                EmitValue(i, () =>
                {
                    il.Emit(OpCodes.Ldarg_1);
                    il.Emit(OpCodes.Ldloc, run);
                    il.Emit(OpCodes.Ldc_I4, offset);
                    // Signed and unsigned integers share a method.
                    string name = RowOf(members[i].Contract)!.Name;
                    EmitRunCall(il, name == nameof(SByte) ? nameof(ContractCode.Byte) : name.TrimStart('U'));
                    if (name == nameof(SByte))
                        il.Emit(OpCodes.Conv_I1);
                    else if (name == nameof(UInt16))
                        il.Emit(OpCodes.Conv_U2);
                });
            }
        }

        void EmitText(int index, int before, int behind) => EmitValue(index, () =>
        {
            il.Emit(OpCodes.Ldarg_1);
            il.Emit(OpCodes.Ldc_I4, before);
            il.Emit(OpCodes.Ldc_I4, behind);
            if (overwrite)
                EmitGet(il, record, members[index]);
            else
                il.Emit(OpCodes.Ldnull);
            EmitRunCall(il, InlinesTexts(record) ? nameof(ContractCode.ReadTextInline) : nameof(ContractCode.ReadText));
        });

        void EmitValue(int index, Action emit)
        {
            if (values is null)
                EmitOwner(il, result!);
            emit();
            if (values is null)
                EmitSet(il, members[index].Info);
            else
                il.Emit(OpCodes.Stloc, values[index]);
        }
    }

    private static ScalarType? RowOf(ValueContract contract) => (contract as ScalarContract)?.Scalar.Row;

    private static void EmitRunCall(ILGenerator il, string method) =>
        il.Emit(OpCodes.Call, typeof(ContractCode).GetMethod(method, 1, [ReaderType, .. method switch
        {
            nameof(ContractCode.Take) or nameof(ContractCode.Peek) or nameof(ContractCode.Behind) => new[] { typeof(int) },
            nameof(ContractCode.ReadText) or nameof(ContractCode.ReadTextInline) => [typeof(int), typeof(int), typeof(string)],
            _ => [Position, typeof(int)],
        }])!.MakeGenericMethod(typeof(Anew)));

    private protected override bool TryEmitWriteBlock(ILGenerator il, ListContract contract, LocalBuilder list)
    {
        bool isArray = contract.ConcreteType.IsArray;
        var versioned = contract.Element as VersionedRecordContract;
        MethodInfo? method = IsTexts(contract)
            ? typeof(ContractCode).GetMethod(isArray ? nameof(ContractCode.WriteTextArray) : nameof(ContractCode.WriteTextList), 2,
                [Writer, Position, contract.ConcreteType])!.MakeGenericMethod(typeof(Generated.Binary), typeof(Anew))
            : contract.IsBlock
            ? OfBlocks(contract, isArray ? nameof(ElementBlocks<>.WriteArray) : nameof(ElementBlocks<>.WriteList))
            : IsRecordBlock(contract)
            ? OfBlocks(contract, versioned is not null
                ? isArray ? nameof(ElementBlocks<>.WriteVersionedArray) : nameof(ElementBlocks<>.WriteVersionedList)
                : isArray ? nameof(ElementBlocks<>.WriteRecordArray) : nameof(ElementBlocks<>.WriteRecordList))
            : null;
        if (method is null)
            return false;
        EmitPlace(il);
        il.Emit(OpCodes.Ldloc, list);
        if (versioned is not null)
            EmitTable(il, versioned);
        il.Emit(OpCodes.Call, method);
        il.Emit(OpCodes.Ret);
        return true;
    }

    private protected override bool TryEmitReadBlock(ILGenerator il, ListContract contract, bool overwrite)
    {
        bool isArray = contract.ConcreteType.IsArray;
        if (IsTexts(contract))
        {
            il.Emit(OpCodes.Ldarg_1);
            il.Emit(overwrite ? OpCodes.Ldarg_2 : OpCodes.Ldnull);
            if (overwrite && contract.Type != contract.ConcreteType)
                il.Emit(OpCodes.Isinst, contract.ConcreteType);
            il.Emit(OpCodes.Call, typeof(ContractCode).GetMethod(isArray ? nameof(ContractCode.ReadTextArray) : nameof(ContractCode.ReadTextList), 2,
                [ReaderType, contract.ConcreteType])!.MakeGenericMethod(typeof(Generated.Binary), overwrite ? typeof(Over) : typeof(Anew)));
            il.Emit(OpCodes.Ret);
            return true;
        }

        MethodInfo? method = contract.IsBlock
            ? OfBlocks(contract, isArray ? nameof(ElementBlocks<>.ReadArray) : nameof(ElementBlocks<>.ReadList))
            : contract.Element is not VersionedRecordContract && IsRecordBlock(contract)
            ? OfBlocks(contract, isArray ? nameof(ElementBlocks<>.ReadRecordArray) : nameof(ElementBlocks<>.ReadRecordList))
            : null;
        if (method is null)
            return false;
        LocalBuilder count = EmitReadCount(il, contract);
        il.Emit(OpCodes.Ldarg_1);
        il.Emit(overwrite ? OpCodes.Ldarg_2 : OpCodes.Ldnull);
        il.Emit(OpCodes.Ldloc, count);
        il.Emit(OpCodes.Call, method);
        il.Emit(OpCodes.Ret);
        return true;
    }

    private protected override void EmitReadRecords(ILGenerator il, ListContract contract, LocalBuilder count, bool overwrite)
    {
        if (contract.Element is not VersionedRecordContract record || !IsRecordBlock(contract))
            return;
        LocalBuilder block = il.DeclareLocal(contract.ConcreteType);
        Label other = il.DefineLabel();
        il.Emit(OpCodes.Ldarg_1);
        il.Emit(overwrite ? OpCodes.Ldarg_2 : OpCodes.Ldnull);
        il.Emit(OpCodes.Ldloc, count);
        EmitTable(il, record);
        il.Emit(OpCodes.Call, OfBlocks(contract, contract.ConcreteType.IsArray
            ? nameof(ElementBlocks<>.ReadVersionedArray) : nameof(ElementBlocks<>.ReadVersionedList)));
        il.Emit(OpCodes.Stloc, block);
        il.Emit(OpCodes.Ldloc, block);
        il.Emit(OpCodes.Brfalse, other);
        il.Emit(OpCodes.Ldloc, block);
        il.Emit(OpCodes.Ret);
        il.MarkLabel(other);
    }

    private static MethodInfo OfBlocks(ListContract contract, string method) =>
        Own(typeof(ElementBlocks<>).MakeGenericType(contract.Element.Type), method);

    private static bool IsTexts(ListContract contract) =>
        contract.Element is StringContract && (contract.ConcreteType == typeof(string[]) || contract.ConcreteType == typeof(List<string>));

    private void EmitWriteInline(ILGenerator il, RecordContract record, Action load, int following)
    {
        LocalBuilder item = il.DeclareLocal(record.Type);
        load();
        il.Emit(OpCodes.Stloc, item);
        EmitWriterCall(il, nameof(BinaryBodyWriter.EnterRecord));
        var versioned = record as VersionedRecordContract;
        EmitReserve(il, (versioned is null ? 0 : sizeof(int) + versioned.Table.Length) + RunFrom(record, 0) + following);
        if (versioned is null)
            EmitWriteMembers(il, record, () => il.Emit(OpCodes.Ldloca, item));
        else
            EmitWriteContent(il, versioned, () => il.Emit(OpCodes.Ldloca, item));
        EmitWriterCall(il, nameof(BinaryBodyWriter.LeaveRecord));
    }

    private protected override bool TryEmitReadInline(ILGenerator il, RecordContract record)
    {
        if (!TryInline(il, record))
            return false;
        LocalBuilder result = il.DeclareLocal(record.Type);
        Label part = il.DefineLabel();
        Label end = il.DefineLabel();
        EmitReaderCall(il, nameof(BinaryBodyReader.EnterRecord));
        if (record is VersionedRecordContract versioned)
            EmitReadWhole(il, versioned, result, EmitTryBegin(il, versioned, part), overwrite: false, end);
        else if (record.Maker.MemberIndexes.Count > 0)
            EmitReadThenMake(il, record, result, overwrite: false);
        else
            EmitFill(il, record, result, overwrite: false);
        EmitReaderCall(il, nameof(BinaryBodyReader.LeaveRecord));
        il.Emit(OpCodes.Br, end);
        il.MarkLabel(part);
        if (record is VersionedRecordContract)
        {
            il.Emit(OpCodes.Ldarg_0);
            il.Emit(OpCodes.Ldarg_1);
            il.Emit(OpCodes.Call, MethodOf(record, Mode.ReadPart));
            il.Emit(OpCodes.Stloc, result);
        }

        il.MarkLabel(end);
        il.Emit(OpCodes.Ldloc, result);
        return true;
    }

    /// <summary>Determines whether memory holds the elements, structs, as the body does, where each may follow its byte count and table.</summary>
    private static bool IsRecordBlock(ListContract list)
    {
        if (list.Element is not RecordContract record || !record.Type.IsValueType
            || list.ConcreteType != record.Type.MakeArrayType() && list.ConcreteType != typeof(List<>).MakeGenericType(record.Type)
            || record.Maker.MemberIndexes.Count > 0 && !ContractBuilder.IsOfBaseLibrary(record.Type) || record.Members.Count == 0
            || record is not { OnSerializing: null, OnSerialized: null, OnDeserializing: null, OnDeserialized: null, Unknown: null })
            return false;
        foreach (RecordMember member in record.Members)
        {
            if (RowOf(member.Contract) is not ScalarType row || !row.Is(ScalarTraits.InRuns) || !IsStored(member))
                return false;
        }

        return (record is not VersionedRecordContract { Table: byte[] table }
                || MemberKind.CanBeReadAtOnce(table.Length, record.Members.Sum(static member => member.Contract.MinByteCount)))
            && Own(typeof(BinaryCompiler), nameof(HoldsAsBody), record.Type).Invoke(null, [record]) is true;
    }

    private static bool IsStored(RecordMember member) => member.Field is not null
        || member.Setting.IsAutomatic
            && member.Property!.GetGetMethod(nonPublic: true)!.IsDefined(typeof(CompilerGeneratedAttribute), inherit: false);

    /// <summary>Checks whether each member returns the bytes at its own place: the runtime decides on the layout.</summary>
    private static bool HoldsAsBody<T>(RecordContract record)
        where T : struct
    {
        int byteCount = Unsafe.SizeOf<T>();
        if (!BitConverter.IsLittleEndian || RuntimeHelpers.IsReferenceOrContainsReferences<T>() || byteCount > byte.MaxValue)
            return false;
        byte[] bytes = new byte[byteCount];
        for (int i = 0; i < byteCount; i++)
            bytes[i] = (byte)(i + 1);
        object value = Unsafe.ReadUnaligned<T>(ref bytes[0]);
        var reader = new BinaryBodyReader(bytes);
        foreach (RecordMember member in record.Members)
        {
            if (byteCount - reader.ByteOffset < member.Contract.MinByteCount || !Equals(member.Get(value), member.Contract.Read(ref reader, null)))
                return false;
        }

        return reader.ByteOffset == byteCount;
    }
}
#endif
