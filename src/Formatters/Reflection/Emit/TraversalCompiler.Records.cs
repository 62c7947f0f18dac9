#if NET
using Formatters.Custom;

using System;
using System.Collections.Generic;
using System.Linq;
using System.Reflection;
using System.Reflection.Emit;
using Formatters.Generated;

namespace Formatters;

// A record: its members in order as far as the array goes; or, in the map form, in any order, with the expected one compared first.
internal sealed partial class TraversalCompiler<TFormat>
{
    private const int MaxHeaderByteCount = 5;

    private protected override void EmitWriteRecord(ILGenerator il, RecordContract contract)
    {
        var record = (TraversedRecord)contract;
        EmitTypeCheck(il, record.Type, record.ChecksDerived);
        EmitCallbacks(il, record.OnSerializing, () => EmitOwner(il, record.Type));
        LocalBuilder unknown = il.DeclareLocal(typeof(UnknownMembers));
        if (record.Unknown is not null)
        {
            il.Emit(OpCodes.Ldarg_1);
            EmitGet(il, record, record.Unknown);
            il.Emit(record.IsMap ? OpCodes.Ldc_I4_1 : OpCodes.Ldc_I4_0);
            EmitWireCall(il, nameof(WireCode.TakeUnknown));
            il.Emit(OpCodes.Stloc, unknown);
        }

        EmitNesting(il, Writer, record.IsLeaf ? nameof(WireWriter.Touch) : nameof(WireWriter.Enter));
        Label written = il.DefineLabel();
        if (record.Unknown is not null)
            EmitWriteWith(il, record, unknown, written);
        if (record.IsMap)
            EmitEntries(il, record);
        else
            EmitElements(il, record, () => EmitOwner(il, record.Type));
        il.MarkLabel(written);
        if (!record.IsLeaf)
            EmitNesting(il, Writer, nameof(WireWriter.Leave));
        EmitCallbacks(il, record.OnSerialized, () => EmitOwner(il, record.Type));
        EmitReturnPosition(il);
    }

    private void EmitWriteInline(ILGenerator il, TraversedRecord record, Action load)
    {
        LocalBuilder item = il.DeclareLocal(record.Type);
        load();
        il.Emit(OpCodes.Stloc, item);
        EmitNesting(il, Writer, record.IsLeaf ? nameof(WireWriter.Touch) : nameof(WireWriter.Enter));
        EmitElements(il, record, () => EmitOwner(il, item));
        if (!record.IsLeaf)
            EmitNesting(il, Writer, nameof(WireWriter.Leave));
    }

    /// <summary>Emits writing by the plain engine if there are stored unknown members.</summary>
    private void EmitWriteWith(ILGenerator il, TraversedRecord record, LocalBuilder unknown, Label written)
    {
        Label none = il.DefineLabel();
        il.Emit(OpCodes.Ldloc, unknown);
        il.Emit(OpCodes.Brfalse, none);
        EmitPlace(il);
        il.Emit(OpCodes.Ldarg_2);
        if (record.Type.IsValueType)
            il.Emit(OpCodes.Box, record.Type);
        il.Emit(OpCodes.Ldloc, unknown);
        EmitConstant(il, record);
        EmitOwnCall(il, nameof(EmittedWire.WriteWith));
        EmitSetPosition(il);
        il.Emit(OpCodes.Br, written);
        il.MarkLabel(none);
    }

    private void EmitEntries(ILGenerator il, TraversedRecord record)
    {
        EmitHeader(il, nameof(EmittedWire.WriteMapHeader), record.Members.Count, 0);
        for (int i = 0; i < record.Members.Count; i++)
        {
            RecordMember member = record.Members[i];
            EmitReserve(il, MaxHeaderByteCount + record.Keys[i].Length + Lead(member.Contract));
            EmitPlace(il);
            EmitBytes(il, record.Keys[i]);
            EmitWireCall(il, nameof(WireCode.WriteKey));
            EmitSetPosition(il);
            EmitWriteReserved(il, member.Contract, () => EmitGet(il, record, member), 0, isInlined: false);
        }
    }

    private void EmitElements(ILGenerator il, TraversedRecord record, Action loadOwner)
    {
        EmitHeader(il, nameof(EmittedWire.WriteArrayHeader), record.MemberAt.Length, RunFrom(record, 0));
        bool isInlined = InlinesTexts(record);
        int next = 0;
        for (int i = 0; i < record.Members.Count; i++)
        {
            RecordMember member = record.Members[i];
            int index = record.Places[i].Index;
            if (index > next)
            {
                EmitPlace(il);
                il.Emit(OpCodes.Ldnull);
                il.Emit(OpCodes.Ldc_I4, next);
                il.Emit(OpCodes.Ldc_I4, index);
                EmitWireCall(il, nameof(WireCode.WriteElements));
                EmitSetPosition(il);
                EmitReserve(il, RunFrom(record, i));
            }

            next = index + 1;
            EmitWriteReserved(il, member.Contract, Load, RunFrom(record, i + 1), isInlined);

            void Load()
            {
                loadOwner();
                EmitGetOf(il, member.Info);
            }
        }
    }

    private void EmitHeader(ILGenerator il, string method, int count, int following)
    {
        EmitReserve(il, MaxHeaderByteCount + following);
        EmitPlace(il);
        il.Emit(OpCodes.Ldc_I4, count);
        EmitOwnCall(il, method);
        EmitSetPosition(il);
    }

    private protected override void EmitReadRecord(ILGenerator il, RecordContract contract, Mode mode)
    {
        var record = (TraversedRecord)contract;
        bool overwrite = mode is Mode.Overwrite or Mode.OverwritePart;
        bool isPart = mode is Mode.ReadPart or Mode.OverwritePart;
        var reading = new Reading(il, record, overwrite, HasAll: !isPart && !record.IsMap && record.Members.Count > 0 || record.IsExact);
        Label createNew = il.DefineLabel();
        Label part = il.DefineLabel();
        if (overwrite && !isPart)
            EmitReuseCheck(il, record.Type, createNew);
        EmitReadHeader(reading, part);
        EmitReadMembers(reading);
        il.Emit(OpCodes.Ldloc, reading.Result);
        il.Emit(OpCodes.Ret);
        EmitInstead(il, createNew, overwrite && !isPart, record, Mode.Read);
        EmitInstead(il, part, reading.HasAll && !record.IsExact, record, overwrite ? Mode.OverwritePart : Mode.ReadPart);
    }

    private protected override bool TryEmitReadInline(ILGenerator il, RecordContract contract)
    {
        // A format of the application has no header that can be compared.
        if (WireCode.IsCustom<TFormat>() || contract is not TraversedRecord { IsMap: false } record || !TryInline(il, record))
            return false;
        var reading = new Reading(il, record, Overwrites: false, HasAll: true);
        Label part = il.DefineLabel();
        Label end = il.DefineLabel();
        EmitReadHeader(reading, part);
        EmitReadMembers(reading);
        il.Emit(OpCodes.Br, end);
        il.MarkLabel(part);
        if (!record.IsExact)
        {
            il.Emit(OpCodes.Ldarg_0);
            il.Emit(OpCodes.Ldarg_1);
            il.Emit(OpCodes.Call, MethodOf(record, Mode.ReadPart));
            il.Emit(OpCodes.Stloc, reading.Result);
        }

        il.MarkLabel(end);
        il.Emit(OpCodes.Ldloc, reading.Result);
        return true;
    }

    /// <summary>Emits reading the header of a record and entering it; or a jump to a label if every member must be there, and is not.</summary>
    private void EmitReadHeader(Reading reading, Label part)
    {
        (ILGenerator il, TraversedRecord record, _, bool hasAll) = reading;
        if (hasAll && !record.IsExact)
        {
            LocalBuilder headerByteCount = il.DeclareLocal(typeof(int));
            EmitBeginReading(reading);
            il.Emit(OpCodes.Ldarg_1);
            il.Emit(OpCodes.Ldloc, reading.Position);
            il.Emit(OpCodes.Ldc_I4, record.MemberAt.Length);
            il.Emit(OpCodes.Ldloca, headerByteCount);
            EmitWireCall(il, nameof(WireCode.IsArrayOf));
            il.Emit(OpCodes.Brfalse, part);
            EmitMove(reading, headerByteCount);
            EmitEnter(reading);
            return;
        }

        LocalBuilder byteOffset = il.DeclareLocal(typeof(int));
        EmitByteOffset(il, byteOffset);
        EmitEnter(reading);
        il.Emit(OpCodes.Ldarg_1);
        EmitOwnCall(il, record.IsMap ? nameof(EmittedWire.ReadMapHeader) : nameof(EmittedWire.ReadArrayHeader));
        il.Emit(OpCodes.Stloc, reading.Count);
        if (!record.IsExact)
            return;
        Label isExact = il.DefineLabel();
        il.Emit(OpCodes.Ldloc, reading.Count);
        il.Emit(OpCodes.Ldc_I4, record.Members.Count);
        il.Emit(OpCodes.Beq, isExact);
        il.Emit(OpCodes.Ldloc, byteOffset);
        EmitTypeOf(il, record.Type);
        EmitCall(il, typeof(ContractCode), nameof(ContractCode.ThrowBadValue), typeof(int), typeof(Type));
        il.MarkLabel(isExact);
    }

    /// <summary>Emits reading the members, creating the object, and leaving the record.</summary>
    private void EmitReadMembers(Reading reading)
    {
        (ILGenerator il, TraversedRecord record, _, bool hasAll) = reading;
        if (!reading.IsMade)
        {
            if (reading.Overwrites)
                il.Emit(OpCodes.Ldarg_2);
            else
                EmitNew(il, record.Type, record.Maker);
            il.Emit(OpCodes.Stloc, reading.Result);
            EmitCallbacks(il, record.OnDeserializing, () => EmitOwner(il, reading.Result));
        }

        if (record.IsMap)
            EmitReadEntries(reading);
        else
            EmitReadElements(reading);
        for (int i = 0; i < record.Members.Count && !hasAll; i++)
        {
            if (record.IsNeeded(i))
                EmitNeeded(reading, i);
        }

        if (reading.IsMade)
        {
            EmitDefaults(reading);
            EmitMake(il, record, reading.Members, reading.Result, hasAll ? null : i => EmitHas(reading, i));
        }
        else if (!hasAll && reading.Overwrites && record.Members.Count > 0)
        {
            EmitRenew(reading);
        }

        if (record.Unknown is not null)
        {
            EmitOwner(il, reading.Result);
            il.Emit(OpCodes.Ldloc, reading.Unknown);
            EmitSet(il, record.Unknown.Info);
        }

        if (!record.IsLeaf)
            EmitNesting(il, Reader, nameof(WireReader.Leave));
        EmitCallbacks(il, record.OnDeserialized, () => EmitOwner(il, reading.Result));
    }

    private void EmitEnter(Reading reading) => EmitNesting(
        reading.IL, Reader, reading.Record.IsLeaf ? nameof(WireReader.Touch) : nameof(WireReader.Enter));

    /// <summary>Emits code that puts on the stack whether the body has a member.</summary>
    private static void EmitHas(Reading reading, int index)
    {
        if (reading.Record.IsMap)
        {
            reading.IL.Emit(OpCodes.Ldloc, reading.Has[index]);
            return;
        }

        reading.IL.Emit(OpCodes.Ldloc, reading.Count);
        reading.IL.Emit(OpCodes.Ldc_I4, reading.Record.Places[index].Index);
        reading.IL.Emit(OpCodes.Cgt);
    }

    private static void EmitNeeded(Reading reading, int index)
    {
        Label isThere = reading.IL.DefineLabel();
        EmitHas(reading, index);
        reading.IL.Emit(OpCodes.Brtrue, isThere);
        reading.IL.Emit(OpCodes.Ldarg_1);
        EmitCall(reading.IL, typeof(ContractCode), nameof(ContractCode.ThrowMissingMember), WireMethods.Reader);
        reading.IL.MarkLabel(isThere);
    }

    /// <summary>Emits assigning parameter defaults to members that the constructor takes and the body lacks.</summary>
    private void EmitDefaults(Reading reading)
    {
        (ILGenerator il, TraversedRecord record, _, bool hasAll) = reading;
        for (int k = 0; k < record.Maker.MemberIndexes.Count && !hasAll; k++)
        {
            int index = record.Maker.MemberIndexes[k];
            if (record.IsNeeded(index) || record.MissingArguments[k] is not object value)
                continue;
            Label isThere = il.DefineLabel();
            EmitHas(reading, index);
            il.Emit(OpCodes.Brtrue, isThere);
            EmitConstantOf(il, value, reading.Members[index].LocalType);
            il.Emit(OpCodes.Stloc, reading.Members[index]);
            il.MarkLabel(isThere);
        }
    }

    /// <summary>Emits assigning the values of a new object to members of an existing one that the body lacks.</summary>
    private static void EmitRenew(Reading reading)
    {
        (ILGenerator il, TraversedRecord record, _, _) = reading;
        Label end = il.DefineLabel();
        Label renew = il.DefineLabel();
        for (int i = record.IsMap ? 0 : record.Members.Count - 1; i < record.Members.Count; i++)
        {
            EmitHas(reading, i);
            il.Emit(OpCodes.Brfalse, renew);
        }

        il.Emit(OpCodes.Br, end);
        il.MarkLabel(renew);
        LocalBuilder initial = il.DeclareLocal(record.Type);
        EmitNew(il, record.Type, record.Maker);
        il.Emit(OpCodes.Stloc, initial);
        EmitCallbacks(il, record.OnDeserializing, () => EmitOwner(il, initial));
        for (int i = 0; i < record.Members.Count; i++)
        {
            if (!record.Places[i].CanSet)
                continue;
            Label isThere = il.DefineLabel();
            EmitHas(reading, i);
            il.Emit(OpCodes.Brtrue, isThere);
            EmitEmpty(il, record, record.Members[i], reading.Result);
            EmitOwner(il, reading.Result);
            EmitOwner(il, initial);
            EmitGetOf(il, record.Members[i].Info);
            EmitSet(il, record.Members[i].Info);
            il.MarkLabel(isThere);
        }

        il.MarkLabel(end);
    }

    private void EmitReadElements(Reading reading)
    {
        (ILGenerator il, TraversedRecord record, _, bool hasAll) = reading;
        int next = 0;
        bool isPositioned = hasAll && !record.IsExact;
        for (int i = 0; i < record.Members.Count; i++)
        {
            int index = record.Places[i].Index;
            bool isNextPositioned = IsPositioned(reading, i);
            if (isPositioned && (next < index || !isNextPositioned))
                EmitEndReading(reading);
            isPositioned &= next == index && isNextPositioned;
            for (; next < index; next++)
                EmitGap(reading, next);
            next++;
            Label isAbsent = il.DefineLabel();
            if (!hasAll)
            {
                EmitHas(reading, i);
                il.Emit(OpCodes.Brfalse, isAbsent);
            }

            // In a part of a record each member is read separately.
            if (!isPositioned && isNextPositioned)
                EmitBeginReading(reading);
            isPositioned = isNextPositioned;
            if (isPositioned)
                EmitReadAtPosition(reading, i);
            else
                EmitReadMember(reading, i);
            if (!hasAll && isPositioned)
            {
                EmitEndReading(reading);
                isPositioned = false;
            }

            il.MarkLabel(isAbsent);
        }

        if (isPositioned)
            EmitEndReading(reading);
        if (!hasAll)
            EmitRest(reading, next);
    }

    /// <summary>Emits skipping an element without a member.</summary>
    private static void EmitGap(Reading reading, int index)
    {
        ILGenerator il = reading.IL;
        Label isAbsent = il.DefineLabel();
        if (!reading.HasAll)
        {
            il.Emit(OpCodes.Ldloc, reading.Count);
            il.Emit(OpCodes.Ldc_I4, index);
            il.Emit(OpCodes.Ble, isAbsent);
        }

        il.Emit(OpCodes.Ldarg_1);
        if (reading.Record.Unknown is null)
        {
            EmitOwnCall(il, nameof(EmittedWire.Skip));
        }
        else
        {
            il.Emit(OpCodes.Ldloca, reading.Unknown);
            il.Emit(OpCodes.Ldc_I4, index);
            il.Emit(OpCodes.Ldc_I4_1);
            EmitWireCall(il, nameof(WireCode.KeepElement));
        }

        il.MarkLabel(isAbsent);
    }

    private static void EmitRest(Reading reading, int next)
    {
        ILGenerator il = reading.IL;
        il.Emit(OpCodes.Ldarg_1);
        if (reading.Record.Unknown is null)
        {
            il.Emit(OpCodes.Ldloc, reading.Count);
            il.Emit(OpCodes.Ldc_I4, next);
            il.Emit(OpCodes.Sub);
            EmitOwnCall(il, nameof(EmittedWire.SkipElements));
            return;
        }

        il.Emit(OpCodes.Ldloca, reading.Unknown);
        il.Emit(OpCodes.Ldc_I4, next);
        il.Emit(OpCodes.Ldloc, reading.Count);
        EmitOwnCall(il, nameof(EmittedWire.KeepElements));
    }

    /// <summary>Determines whether a member is read at a position in a local, which is returned to the reader after a run of such members.</summary>
    private static bool IsPositioned(Reading reading, int index) =>
        (reading.IsMade ? reading.IsTaken(index) : reading.Record.Places[index].CanSet)
        && reading.Record.Members[index].Contract is StringContract
            or ScalarContract { Scalar.Type.Name: nameof(Int32) or nameof(Single) or nameof(Double) };

    private static void EmitBeginReading(Reading reading)
    {
        reading.IL.Emit(OpCodes.Ldarg_1);
        EmitCall(reading.IL, typeof(ContractCode), nameof(ContractCode.Begin), WireMethods.Reader);
        reading.IL.Emit(OpCodes.Stloc, reading.Position);
    }

    private static void EmitEndReading(Reading reading)
    {
        reading.IL.Emit(OpCodes.Ldarg_1);
        reading.IL.Emit(OpCodes.Ldloc, reading.Position);
        EmitCall(reading.IL, typeof(ContractCode), nameof(ContractCode.End), WireMethods.Reader, Position);
    }

    private static void EmitMove(Reading reading, LocalBuilder byteCount)
    {
        reading.IL.Emit(OpCodes.Ldloc, reading.Position);
        reading.IL.Emit(OpCodes.Ldloc, byteCount);
        EmitCall(reading.IL, typeof(ContractCode), nameof(ContractCode.Move), Position, typeof(int));
        reading.IL.Emit(OpCodes.Stloc, reading.Position);
    }

    private static void EmitReadAtPosition(Reading reading, int index)
    {
        (ILGenerator il, TraversedRecord record, _, _) = reading;
        RecordMember member = record.Members[index];
        LocalBuilder byteCount = il.DeclareLocal(typeof(int));
        LocalBuilder item = reading.IsMade ? reading.Members[index] : il.DeclareLocal(member.Contract.Type);
        il.Emit(OpCodes.Ldarg_1);
        il.Emit(OpCodes.Ldloc, reading.Position);
        if (member.Contract is StringContract)
        {
            if (reading.Overwrites)
                EmitGet(il, record, member);
            else
                il.Emit(OpCodes.Ldnull);
        }

        il.Emit(OpCodes.Ldloca, byteCount);
        string method = member.Contract is ScalarContract scalar
            ? "Read" + scalar.Scalar.Type.Name
            : InlinesTexts(record) ? nameof(WireCode.ReadTextInline) : nameof(WireCode.ReadText);
        il.Emit(OpCodes.Call, WireMethods.FindAtPosition(method).MakeGenericMethod(typeof(TFormat)));
        il.Emit(OpCodes.Stloc, item);
        EmitMove(reading, byteCount);
        if (reading.IsMade)
            return;
        EmitOwner(il, reading.Result);
        il.Emit(OpCodes.Ldloc, item);
        EmitSet(il, member.Info);
    }

    private void EmitReadMember(Reading reading, int index)
    {
        (ILGenerator il, TraversedRecord record, _, _) = reading;
        RecordMember member = record.Members[index];
        if (reading.IsMade ? !reading.IsTaken(index) : !record.Places[index].CanSet)
        {
            il.Emit(OpCodes.Ldarg_1);
            EmitOwnCall(il, nameof(EmittedWire.Skip));
            return;
        }

        if (reading.IsMade)
        {
            EmitRead(il, member.Contract, null);
            il.Emit(OpCodes.Stloc, reading.Members[index]);
            return;
        }

        EmitReadMember(il, record, member, reading.Result, reading.Overwrites);
    }

    private void EmitReadEntries(Reading reading)
    {
        (ILGenerator il, TraversedRecord record, _, _) = reading;
        int count = record.Members.Count;
        LocalBuilder left = il.DeclareLocal(typeof(int));
        LocalBuilder byteOffset = il.DeclareLocal(typeof(int));
        LocalBuilder key = il.DeclareLocal(typeof(int));
        Label[] found = [.. record.Members.Select(_ => il.DefineLabel())];
        Label[] members = [.. record.Members.Select(_ => il.DefineLabel())];
        Label next = il.DefineLabel();
        Label condition = il.DefineLabel();
        Label body = il.DefineLabel();
        Label search = il.DefineLabel();
        il.Emit(OpCodes.Ldloc, reading.Count);
        il.Emit(OpCodes.Stloc, left);
        il.Emit(OpCodes.Br, condition);
        il.MarkLabel(body);
        if (count > 0)
        {
            il.Emit(OpCodes.Ldloc, reading.Has[0]);
            il.Emit(OpCodes.Brtrue, search);
            EmitTryReadKey(reading, 0);
            il.Emit(OpCodes.Brtrue, members[0]);
        }

        il.MarkLabel(search);
        il.Emit(OpCodes.Ldarg_1);
        il.Emit(OpCodes.Ldloca, byteOffset);
        EmitConstant(il, record.Keys);
        EmitOwnCall(il, nameof(EmittedWire.ReadKey));
        il.Emit(OpCodes.Stloc, key);
        il.Emit(OpCodes.Ldloc, key);
        il.Emit(OpCodes.Switch, found);
        il.Emit(OpCodes.Ldarg_1);
        if (record.Unknown is null)
        {
            EmitOwnCall(il, nameof(EmittedWire.Skip));
        }
        else
        {
            il.Emit(OpCodes.Ldloca, reading.Unknown);
            il.Emit(OpCodes.Ldloc, byteOffset);
            EmitWireCall(il, nameof(WireCode.KeepEntry));
        }

        il.Emit(OpCodes.Br, next);
        for (int i = 0; i < count; i++)
        {
            il.MarkLabel(found[i]);
            il.Emit(OpCodes.Ldloc, reading.Has[i]);
            il.Emit(OpCodes.Brfalse, members[i]);
            EmitDuplicateKey(il, byteOffset);
        }

        for (int i = 0; i < count; i++)
        {
            il.MarkLabel(members[i]);
            il.Emit(OpCodes.Ldc_I4_1);
            il.Emit(OpCodes.Stloc, reading.Has[i]);
            EmitReadMember(reading, i);
            if (i + 1 == count)
                break;
            il.Emit(OpCodes.Ldloc, left);
            il.Emit(OpCodes.Ldc_I4_1);
            il.Emit(OpCodes.Beq, next);
            il.Emit(OpCodes.Ldloc, reading.Has[i + 1]);
            il.Emit(OpCodes.Brtrue, next);
            EmitTryReadKey(reading, i + 1);
            il.Emit(OpCodes.Brfalse, next);
            EmitDecrement(il, left);
        }

        il.MarkLabel(next);
        EmitDecrement(il, left);
        il.MarkLabel(condition);
        il.Emit(OpCodes.Ldloc, left);
        il.Emit(OpCodes.Ldc_I4_0);
        il.Emit(OpCodes.Bgt, body);
    }

    private static void EmitDecrement(ILGenerator il, LocalBuilder local)
    {
        il.Emit(OpCodes.Ldloc, local);
        il.Emit(OpCodes.Ldc_I4_1);
        il.Emit(OpCodes.Sub);
        il.Emit(OpCodes.Stloc, local);
    }

    private void EmitTryReadKey(Reading reading, int index)
    {
        reading.IL.Emit(OpCodes.Ldarg_1);
        EmitBytes(reading.IL, reading.Record.Keys[index]);
        EmitWireCall(reading.IL, nameof(WireCode.TryReadKey));
    }

    private void EmitConstantOf(ILGenerator il, object value, Type type)
    {
        EmitConstant(il, value);
        EmitOwnCall(il, nameof(EmittedWire.Constant), type);
    }

    /// <summary>The state of emitting code that reads a record.</summary>
    /// <param name="IL">The method that it is in.</param>
    /// <param name="Record">The record.</param>
    /// <param name="Overwrites">Whether the object in argument 2 is read over.</param>
    /// <param name="HasAll">Whether the body is known to have every member.</param>
    private sealed record Reading(ILGenerator IL, TraversedRecord Record, bool Overwrites, bool HasAll)
    {
        /// <summary>Gets whether the object is created from members that have been read.</summary>
        internal bool IsMade { get; } = Record.Maker.MemberIndexes.Count > 0;

        internal LocalBuilder Result { get; } = IL.DeclareLocal(Record.Type);

        internal LocalBuilder Count { get; } = IL.DeclareLocal(typeof(int));

        internal LocalBuilder Position { get; } = IL.DeclareLocal(typeof(byte).MakeByRefType());

        internal LocalBuilder Unknown { get; } = IL.DeclareLocal(typeof(UnknownMembers));

        /// <summary>Gets, in the map form, the locals for which members have been read.</summary>
        internal LocalBuilder[] Has { get; } = Record.IsMap ? [.. Record.Members.Select(_ => IL.DeclareLocal(typeof(int)))] : [];

        /// <summary>Gets the locals for the members of an object that is created from them.</summary>
        internal LocalBuilder[] Members { get; } =
            Record.Maker.MemberIndexes.Count > 0 ? [.. Record.Members.Select(member => IL.DeclareLocal(member.Contract.Type))] : [];

        /// <summary>Determines whether a member of an object that is created from them is used.</summary>
        internal bool IsTaken(int index) => Record.Places[index].CanSet || Record.Maker.TakesMember(index);
    }
}
#endif
