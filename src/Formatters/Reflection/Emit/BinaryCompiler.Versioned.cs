#if NET
using Formatters.Binary;

using System;
using System.Buffers.Binary;
using System.Linq;
using System.Reflection;
using System.Reflection.Emit;
using Formatters.Generated;

namespace Formatters;

// Versioned records: docs/wire/versioned.md. A record with exactly the members of its type is read as a binary one; another by a separate method,
// member by member of its table.
internal sealed partial class BinaryCompiler
{
    private const int MaxConstantTableByteCount = sizeof(ulong);

    private Action<ILGenerator>? _emitPresence;

    private void EmitWriteFramed(ILGenerator il, FramedContract framed, Action load, int following, bool isInlined)
    {
        if (framed.IsShort)
        {
            LocalBuilder position = il.DeclareLocal(Position);
            il.Emit(OpCodes.Ldarg_3);
            EmitCall(il, typeof(ContractCode), nameof(ContractCode.BeginShort), Position);
            il.Emit(OpCodes.Dup);
            EmitSetPosition(il);
            il.Emit(OpCodes.Stloc, position);
            EmitWriteReserved(il, framed.Inner, load, following, isInlined);
            il.Emit(OpCodes.Ldloc, position);
            il.Emit(OpCodes.Ldarg_3);
            EmitCall(il, typeof(ContractCode), nameof(ContractCode.EndShort), Position, Position);
            return;
        }

        LocalBuilder start = il.DeclareLocal(typeof(long));
        EmitPlace(il);
        EmitCall(il, typeof(ContractCode), nameof(ContractCode.BeginLong), Writer, Position);
        EmitSetPosition(il);
        EmitPlace(il);
        EmitCall(il, typeof(ContractCode), nameof(ContractCode.OffsetAt), Writer, Position);
        il.Emit(OpCodes.Stloc, start);
        EmitWriteReserved(il, framed.Inner, load, 0, isInlined);
        EmitEndLong(il, start);
        EmitReserve(il, following);
    }

    private void EmitEndLong(ILGenerator il, LocalBuilder start)
    {
        EmitPlace(il);
        il.Emit(OpCodes.Ldloc, start);
        EmitCall(il, typeof(ContractCode), nameof(ContractCode.EndLong), Writer, Position, typeof(long));
    }

    /// <summary>Emits writing a record after its callbacks; those with stored unknown members are written by the plain engine.</summary>
    private void EmitWriteVersioned(ILGenerator il, VersionedRecordContract record)
    {
        Label written = il.DefineLabel();
        if (record.Unknown is not null)
            EmitWriteWith(il, record, written);
        EmitReserve(il, sizeof(int) + record.Table.Length + RunFrom(record, 0));
        EmitWriteContent(il, record, () => EmitOwner(il, record.Type));
        il.MarkLabel(written);
    }

    /// <summary>Emits writing the byte count, the table and the members, for the first run of which space is reserved.</summary>
    private void EmitWriteContent(ILGenerator il, VersionedRecordContract record, Action loadOwner)
    {
        LocalBuilder start = il.DeclareLocal(typeof(long));
        EmitPlace(il);
        EmitTable(il, record);
        il.Emit(OpCodes.Ldloca, start);
        if (record.Table.Length > MaxConstantTableByteCount)
            il.Emit(OpCodes.Call, Own(typeof(EmittedCalls), nameof(EmittedCalls.BeginRecord)));
        else
            il.Emit(OpCodes.Call, typeof(ContractCode).GetMethod(nameof(ContractCode.BeginRecord))!);
        EmitSetPosition(il);
        EmitWriteMembers(il, record, loadOwner);
        EmitEndLong(il, start);
    }

    private void EmitWriteWith(ILGenerator il, VersionedRecordContract record, Label written)
    {
        LocalBuilder unknown = il.DeclareLocal(typeof(UnknownMembers));
        Label none = il.DefineLabel();
        il.Emit(OpCodes.Ldarg_1);
        EmitGet(il, record, record.Unknown!);
        EmitFormatCall(il, nameof(ContractCode.TakeUnknown));
        il.Emit(OpCodes.Stloc, unknown);
        il.Emit(OpCodes.Ldloc, unknown);
        il.Emit(OpCodes.Brfalse, none);
        EmitPlace(il);
        il.Emit(OpCodes.Ldarg_2);
        if (record.Type.IsValueType)
            il.Emit(OpCodes.Box, record.Type);
        il.Emit(OpCodes.Ldloc, unknown);
        EmitConstant(il, record);
        il.Emit(OpCodes.Call, Own(typeof(EmittedCalls), nameof(EmittedCalls.WriteWith)));
        EmitSetPosition(il);
        il.Emit(OpCodes.Br, written);
        il.MarkLabel(none);
    }

    /// <summary>Emits code that puts the member table on the stack: a number and its size, or a span.</summary>
    private void EmitTable(ILGenerator il, VersionedRecordContract record)
    {
        if (record.Table.Length > MaxConstantTableByteCount)
        {
            EmitBytes(il, record.Table);
            return;
        }

        byte[] table = new byte[sizeof(ulong)];
        record.Table.CopyTo(table, 0);
        il.Emit(OpCodes.Ldc_I8, BinaryPrimitives.ReadInt64LittleEndian(table));
        il.Emit(OpCodes.Ldc_I4, record.Table.Length);
    }

    private void EmitReadFramed(ILGenerator il, FramedContract framed, Action? loadExisting)
    {
        LocalBuilder bytesBehind = il.DeclareLocal(typeof(int));
        il.Emit(OpCodes.Call, OfReader(framed.IsShort ? nameof(BinaryBodyReader.BeginShort) : nameof(BinaryBodyReader.BeginLong)));
        il.Emit(OpCodes.Stloc, bytesBehind);
        EmitRead(il, framed.Inner, loadExisting);
        EmitEnd(il, bytesBehind);
    }

    private static void EmitEnd(ILGenerator il, LocalBuilder bytesBehind)
    {
        il.Emit(OpCodes.Ldarg_1);
        il.Emit(OpCodes.Ldloc, bytesBehind);
        il.Emit(OpCodes.Call, OfReader(nameof(BinaryBodyReader.End)));
    }

    private static MethodInfo OfReader(string method) =>
        typeof(BinaryBodyReader).GetMethod(method, BindingFlags.Instance | BindingFlags.NonPublic)!;

    private void EmitReadVersioned(ILGenerator il, VersionedRecordContract record, Mode mode)
    {
        bool overwrite = mode is Mode.Overwrite or Mode.OverwritePart;
        bool isReused = overwrite && !record.Type.IsValueType;
        LocalBuilder result = il.DeclareLocal(record.Type);
        Label end = il.DefineLabel();
        Label createNew = il.DefineLabel();
        Label part = il.DefineLabel();
        if (mode is Mode.ReadPart or Mode.OverwritePart)
        {
            EmitReadPart(il, record, result, overwrite);
        }
        else
        {
            if (isReused)
                EmitReuseCheck(il, record.Type, createNew);
            EmitReaderCall(il, nameof(BinaryBodyReader.EnterRecord));
            LocalBuilder bytesBehind = EmitTryBegin(il, record, part);
            EmitReadWhole(il, record, result, bytesBehind, overwrite, end);
        }

        if (record.Unknown is not null && mode is Mode.Read or Mode.Overwrite)
        {
            EmitOwner(il, result);
            il.Emit(OpCodes.Ldnull);
            EmitSet(il, record.Unknown.Info);
        }

        EmitCallbacks(il, record.OnDeserialized, () => EmitOwner(il, result));
        il.MarkLabel(end);
        EmitReaderCall(il, nameof(BinaryBodyReader.LeaveRecord));
        il.Emit(OpCodes.Ldloc, result);
        il.Emit(OpCodes.Ret);
        EmitInstead(il, createNew, isReused && mode == Mode.Overwrite, record, Mode.Read);
        EmitInstead(il, part, mode is Mode.Read or Mode.Overwrite, record, overwrite ? Mode.OverwritePart : Mode.ReadPart);
    }

    /// <summary>Emits reading the byte count and the table, and a jump if the table is another than that of the type.</summary>
    private LocalBuilder EmitTryBegin(ILGenerator il, VersionedRecordContract record, Label part)
    {
        LocalBuilder bytesBehind = il.DeclareLocal(typeof(int));
        il.Emit(OpCodes.Ldarg_1);
        EmitTable(il, record);
        il.Emit(OpCodes.Ldloca, bytesBehind);
        il.Emit(OpCodes.Call, typeof(ContractCode).GetMethods().Single(m => m.Name == nameof(ContractCode.TryBeginRecord)
            && m.GetParameters().Length == (record.Table.Length > MaxConstantTableByteCount ? 3 : 4)));
        il.Emit(OpCodes.Brfalse, part);
        return bytesBehind;
    }

    /// <summary>Emits reading a record with exactly the members of the type.</summary>
    private void EmitReadWhole(
        ILGenerator il, VersionedRecordContract record, LocalBuilder result, LocalBuilder bytesBehind, bool overwrite, Label kept)
    {
        if (!record.IsMadeAtOnce)
        {
            EmitFill(il, record, result, overwrite);
            EmitEnd(il, bytesBehind);
            return;
        }

        LocalBuilder[] values = EmitReadValues(il, record, overwrite);
        EmitEnd(il, bytesBehind);
        if (overwrite && !record.Type.IsValueType && record is { OnDeserializing: null, OnDeserialized: null, Unknown: null })
            EmitKeep(il, record, values, result, kept);
        EmitMakeVersioned(il, record, values, result, null);
    }

    /// <summary>Emits reading a record written by another version of the type.</summary>
    private void EmitReadPart(ILGenerator il, VersionedRecordContract record, LocalBuilder result, bool overwrite)
    {
        bool isReused = overwrite && !record.Type.IsValueType;
        LocalBuilder table = il.DeclareLocal(typeof(MemberTable));
        LocalBuilder unknown = il.DeclareLocal(typeof(UnknownMembers));
        LocalBuilder[] has = [.. record.Members.Select(_ => il.DeclareLocal(typeof(bool)))];
        LocalBuilder[] values = record.IsMadeAtOnce ? [.. record.Members.Select(member => il.DeclareLocal(member.Contract.Type))] : [];
        il.Emit(OpCodes.Ldloca, table);
        il.Emit(OpCodes.Ldarg_1);
        il.Emit(OpCodes.Call, typeof(MemberTable).GetConstructor([Reader])!);
        if (!record.IsMadeAtOnce)
            EmitTarget(il, record, result, overwrite);
        EmitReadTable(il, record, table, unknown, i =>
        {
            RecordMember member = record.Members[i];
            il.Emit(OpCodes.Ldc_I4_1);
            il.Emit(OpCodes.Stloc, has[i]);
            EmitReadPresenceOf(il, record.Numbered[i], table);
            if (record.IsMadeAtOnce)
            {
                EmitRead(il, member.Contract, overwrite ? () => EmitGet(il, record, member) : null);
                il.Emit(OpCodes.Stloc, values[i]);
            }
            else
            {
                EmitReadMember(il, record, member, result, overwrite);
            }
        });
        il.Emit(OpCodes.Ldloca, table);
        il.Emit(OpCodes.Ldarg_1);
        il.Emit(OpCodes.Call, typeof(MemberTable).GetMethod(nameof(MemberTable.End))!);
        if (record.IsMadeAtOnce)
        {
            EmitMakeVersioned(il, record, values, result, has);
        }
        else
        {
            if (isReused && has.Length > 0)
                EmitRenew(il, record, result, has);
            for (int i = 0; i < has.Length; i++)
                EmitIfMissing(il, has[i], () => EmitFillNull(il, record, i, result));
        }

        if (record.Unknown is null)
            return;
        EmitOwner(il, result);
        il.Emit(OpCodes.Ldloc, unknown);
        EmitSet(il, record.Unknown.Info);
    }

    /// <summary>Emits the loop over the members of a table.</summary>
    private static void EmitReadTable(ILGenerator il, VersionedRecordContract record, LocalBuilder table, LocalBuilder unknown, Action<int> emitRead)
    {
        Label next = il.DefineLabel();
        Label end = il.DefineLabel();
        Label other = il.DefineLabel();
        Label[] members = [.. record.Members.Select(_ => il.DefineLabel())];
        var byNumber = new Label[record.Table[0]];
        Array.Fill(byNumber, other);
        for (int i = 0; i < members.Length; i++)
            byNumber[record.Numbered[i].Number - 1] = members[i];
        il.MarkLabel(next);
        il.Emit(OpCodes.Ldloca, table);
        il.Emit(OpCodes.Ldarg_1);
        il.Emit(OpCodes.Call, typeof(MemberTable).GetMethod(nameof(MemberTable.Next))!);
        il.Emit(OpCodes.Brfalse, end);
        il.Emit(OpCodes.Ldloca, table);
        il.Emit(OpCodes.Call, typeof(MemberTable).GetMethod("get_" + nameof(MemberTable.Number))!);
        il.Emit(OpCodes.Ldc_I4_1);
        il.Emit(OpCodes.Sub);
        il.Emit(OpCodes.Switch, byNumber);
        il.MarkLabel(other);
        il.Emit(OpCodes.Ldloca, table);
        il.Emit(OpCodes.Ldarg_1);
        if (record.Unknown is not null)
            il.Emit(OpCodes.Ldloca, unknown);
        il.Emit(OpCodes.Call, typeof(MemberTable).GetMethod(record.Unknown is null ? nameof(MemberTable.Skip) : nameof(MemberTable.Keep))!);
        il.Emit(OpCodes.Br, next);
        for (int i = 0; i < members.Length; i++)
        {
            il.MarkLabel(members[i]);
            emitRead(i);
            il.Emit(OpCodes.Br, next);
        }

        il.MarkLabel(end);
    }

    /// <summary>Emits checking the kind of a member: before a member that is not nullable, or instead of reading its presence byte.</summary>
    private void EmitReadPresenceOf(ILGenerator il, VersionedMember member, LocalBuilder table)
    {
        if (member.IsNullable)
        {
            _emitPresence = Emit;
            return;
        }

        Emit(il);
        il.Emit(OpCodes.Pop);

        void Emit(ILGenerator il)
        {
            il.Emit(OpCodes.Ldloca, table);
            il.Emit(OpCodes.Ldarg_1);
            il.Emit(OpCodes.Ldc_I4, member.Kind);
            il.Emit(OpCodes.Call, typeof(MemberTable).GetMethod(
                nameof(MemberTable.IsPresent), BindingFlags.Instance | BindingFlags.NonPublic)!);
        }
    }

    private static void EmitIfMissing(ILGenerator il, LocalBuilder has, Action emit)
    {
        Label isThere = il.DefineLabel();
        il.Emit(OpCodes.Ldloc, has);
        il.Emit(OpCodes.Brtrue, isThere);
        emit();
        il.MarkLabel(isThere);
    }

    /// <summary>Emits assigning the values of a new object to members of an existing one that the body lacks.</summary>
    private void EmitRenew(ILGenerator il, VersionedRecordContract record, LocalBuilder result, LocalBuilder[] has)
    {
        LocalBuilder initial = il.DeclareLocal(record.Type);
        Label renew = il.DefineLabel();
        Label end = il.DefineLabel();
        foreach (LocalBuilder local in has)
        {
            il.Emit(OpCodes.Ldloc, local);
            il.Emit(OpCodes.Brfalse, renew);
        }

        il.Emit(OpCodes.Br, end);
        il.MarkLabel(renew);
        EmitTarget(il, record, initial, overwrite: false);
        for (int i = 0; i < has.Length; i++)
        {
            RecordMember member = record.Members[i];
            EmitIfMissing(il, has[i], () =>
            {
                LocalBuilder item = il.DeclareLocal(member.Contract.Type);
                EmitEmpty(il, record, member, result);
                EmitOwner(il, initial);
                EmitGetOf(il, member.Info);
                il.Emit(OpCodes.Stloc, item);
                EmitSetRead(il, record, member, result, item);
            });
        }

        il.MarkLabel(end);
    }

    /// <summary>Emits setting an empty value if a new object has a null that its contract does not declare.</summary>
    private void EmitFillNull(ILGenerator il, VersionedRecordContract record, int index, LocalBuilder result)
    {
        VersionedMember member = record.Numbered[index];
        if (!member.CanBeBadNull)
            return;
        Label end = il.DefineLabel();
        Type type = member.Member.Contract.Type;
        EmitOwner(il, result);
        EmitGetOf(il, member.Member.Info);
        EmitConstant(il, member);
        il.Emit(OpCodes.Call, Own(typeof(EmittedCalls), nameof(EmittedCalls.IsBadNull), type));
        il.Emit(OpCodes.Brfalse, end);
        EmitOwner(il, result);
        EmitMissing(il, member, nameof(EmittedCalls.EmptyMember));
        EmitSet(il, member.Member.Info);
        il.MarkLabel(end);
    }

    private void EmitMissing(ILGenerator il, VersionedMember member, string method)
    {
        il.Emit(OpCodes.Ldarg_1);
        EmitConstant(il, member);
        il.Emit(OpCodes.Call, Own(typeof(EmittedCalls), method, member.Member.Contract.Type));
    }

    /// <summary>Emits creating an object from members that have been read: the order is that of generated code.</summary>
    private void EmitMakeVersioned(
        ILGenerator il, VersionedRecordContract record, LocalBuilder[] values, LocalBuilder result, LocalBuilder[]? has)
    {
        for (int i = 0; i < values.Length && has is not null; i++)
        {
            VersionedMember member = record.Numbered[i];
            if (!member.IsRequired && !member.IsTaken)
                continue;
            EmitIfMissing(il, has[i], () =>
            {
                if (member.IsRequired)
                {
                    il.Emit(OpCodes.Ldarg_1);
                    EmitCall(il, typeof(ContractCode), nameof(ContractCode.ThrowMissingMember), Reader);
                    return;
                }

                EmitMissing(il, member, nameof(EmittedCalls.DefaultMember));
                il.Emit(OpCodes.Stloc, values[i]);
            });
        }

        ParameterInfo[] parameters = record.Maker.Constructor?.GetParameters() ?? [];
        for (int i = 0; i < parameters.Length; i++)
            il.Emit(parameters[i].ParameterType.IsByRef ? OpCodes.Ldloca : OpCodes.Ldloc, values[record.Maker.MemberIndexes[i]]);
        EmitNew(il, record.Type, record.Maker);
        il.Emit(OpCodes.Stloc, result);
        EmitSetOthers(il, record, values, result, has, isInitOnly: true);
        EmitCallbacks(il, record.OnDeserializing, () => EmitOwner(il, result));
        EmitSetOthers(il, record, values, result, has, isInitOnly: false);
    }

    private void EmitSetOthers(
        ILGenerator il, VersionedRecordContract record, LocalBuilder[] values, LocalBuilder result, LocalBuilder[]? has, bool isInitOnly)
    {
        for (int i = 0; i < values.Length; i++)
        {
            VersionedMember member = record.Numbered[i];
            if (!member.IsSetAfterwards(isInitOnly))
                continue;
            Label isMissing = il.DefineLabel();
            Label end = il.DefineLabel();
            if (has is not null)
            {
                il.Emit(OpCodes.Ldloc, has[i]);
                il.Emit(OpCodes.Brfalse, isMissing);
            }

            EmitSetRead(il, record, member.Member, result, values[i]);
            if (has is not null)
            {
                il.Emit(OpCodes.Br, end);
                il.MarkLabel(isMissing);
                EmitFillNull(il, record, i, result);
                il.MarkLabel(end);
            }
        }
    }

    /// <summary>Emits setting a member of a new object to a value that was read.</summary>
    private void EmitSetRead(ILGenerator il, RecordContract record, RecordMember member, LocalBuilder result, LocalBuilder value)
    {
        EmitKeepComparer(il, record, member, result, value);
        EmitOwner(il, result);
        il.Emit(OpCodes.Ldloc, value);
        EmitSet(il, member.Info);
    }
}
#endif
