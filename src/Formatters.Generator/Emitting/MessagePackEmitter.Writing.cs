using System.Collections.Generic;
using System.Linq;

namespace Formatters.Generator;

internal sealed partial class MessagePackEmitter
{
    private void EmitWriteRecord(RecordShape record)
    {
        bool isMap = record.Form == RecordForm.Map;
        bool isFilledAside = isMap && record.Members.Count + record.UnknownAccess.Length > 1;
        EmitWriteHeader("Write", record);
        EmitObjectCheck(record);
        EmitCallbacks(record, CallbackKind.Serializing);
        if (isFilledAside)
            EmitSortedAside("Fill" + record.Name, () => EmitCallbacks(record, CallbackKind.Serialized));
        if (isFilledAside)
        {
            Out.Line($"position = ref {ClassName}.Fill{record.Name}<TMode>(ref writer, ref position, value);");
            EmitWriteEnd(record);
            Out.Line();
            EmitWriteHeader("Fill", record);
        }

        if (record.UnknownAccess.Length > 0)
        {
            Out.Line($"global::Formatters.UnknownMembers unknown = value.{record.UnknownAccess};");
            Out.Line("if (!(unknown is null) && unknown.Count > 0)");
            Out.Nested($"return ref {ClassName}.Relay{record.Name}<TMode>(ref writer, ref position, value, unknown);");
        }

        EmitWriteLevel(record);
        EmitEnter(record, "writer");
        EmitWriteSteps(Steps(record), InlinesTexts(record));
        EmitLeave(record, "writer");
        if (isFilledAside)
        {
            Out.Line("return ref position;");
            Out.Close();
        }
        else
        {
            EmitWriteEnd(record);
        }

        if (record.UnknownAccess.Length > 0)
            EmitRelay(record, isFilledAside);
        if (isMap)
        {
            Out.Line();
            Out.Line($"private static global::System.ReadOnlySpan<byte> KeysOf{record.Name} => {Literal(record.Members.SelectMany(Key))};");
        }
    }

    private void EmitWriteEnd(RecordShape record)
    {
        EmitCallbacks(record, CallbackKind.Serialized);
        Out.Line("return ref position;");
        Out.Close();
    }

    private void EmitWriteLevel(RecordShape record)
    {
        if (record.Members.Any(m => CanFail(m.Value)))
            Out.Line($"int level = {Traces} ? {Code}.Level(ref writer) : 0;");
    }

    /// <summary>In canonical form writes a map or a set aside, and puts it into order.</summary>
    private void EmitSortedAside(string fill, System.Action? emitBehind = null)
    {
        Out.Open("if (writer.IsCanonical)");
        Out.Line($"global::Formatters.MessagePackBodyWriter aside = {Code}.BeginAside(ref writer, out global::Formatters.PooledBufferWriter buffer);");
        Out.Line($"{Code}.End(ref aside, ref {ClassName}.{fill}<TMode>(ref aside, ref {Code}.Begin(ref aside), value));");
        Out.Line("aside.Flush();");
        Out.Line($"position = ref {Code}.PackSorted(ref writer, ref position, buffer);");
        emitBehind?.Invoke();
        Out.Line("return ref position;");
        Out.Close();
        Out.Line();
    }

    /// <summary>Constant bytes, and the member behind them; none behind the last.</summary>
    private static List<(byte[] Constant, MemberModel? Member)> Steps(RecordShape record)
    {
        bool isMap = record.Form == RecordForm.Map;
        int count = isMap ? record.Members.Count : record.Members.Count == 0 ? 0 : record.Members[record.Members.Count - 1].Number;
        var steps = new List<(byte[], MemberModel?)>();
        var constant = new List<byte>(Header(count, isMap));
        int next = 1;
        foreach (MemberModel member in record.Members)
        {
            constant.AddRange(isMap ? Key(member) : Enumerable.Repeat((byte)0xC0, member.Number - next));
            next = member.Number + 1;
            steps.Add(([.. constant], member));
            constant.Clear();
        }

        if (record.Members.Count == 0)
            steps.Add(([.. constant], null));
        return steps;
    }

    /// <summary>The room for the steps from an index up to the next member without a greatest size.</summary>
    private static int RunFrom(List<(byte[] Constant, MemberModel? Member)> steps, int index)
    {
        int byteCount = 0;
        for (; index < steps.Count; index++)
        {
            byteCount += steps[index].Constant.Length;
            if (steps[index].Member is not MemberModel member)
                continue;
            byteCount += Lead(member.Value);
            if (Bound(member.Value) < 0)
                break;
        }

        return byteCount;
    }

    private void EmitWriteSteps(List<(byte[] Constant, MemberModel? Member)> steps, bool isInlined)
    {
        EmitReserve(RunFrom(steps, 0));
        for (int i = 0; i < steps.Count; i++)
        {
            EmitWriteConstant(steps[i].Constant);
            if (steps[i].Member is MemberModel member)
                EmitWriteMember(member, RunFrom(steps, i + 1), isInlined);
        }
    }

    private void EmitWriteMember(MemberModel member, int following, bool isInlined)
    {
        if (CanFail(member.Value))
            Out.Line($"if ({Traces}) {Code}.At(ref writer, level, {Quote(member.Name)});");
        EmitWrite(member.Value, Get(member, "value"), following, isInlined);
    }

    /// <summary>Writes a record together with the members that its reader did not know.</summary>
    private void EmitRelay(RecordShape record, bool isFilled)
    {
        bool isMap = record.Form == RecordForm.Map;
        Out.Line();
        Out.Open($"private static ref byte Relay{record.Name}<TMode>({Writer}, ref byte position, {record.Type} value, global::Formatters.UnknownMembers unknown) {Mode}");
        EmitWriteLevel(record);
        Out.Line("writer.Enter();");
        int next = 1;
        string count = isMap ? Number(record.Members.Count) : Number(record.Members.Count == 0 ? 0 : record.Members[record.Members.Count - 1].Number);
        Out.Line(isMap
            ? $"position = ref {Code}.PackMapHeader(ref writer, ref position, {Code}.EntryCount(unknown, {count}, KeysOf{record.Name}));"
            : $"position = ref {Code}.PackArrayHeader(ref writer, ref position, {Code}.ElementCount(unknown, {count}));");
        foreach (MemberModel member in record.Members)
        {
            if (!isMap && member.Number > next)
                Out.Line($"position = ref {Code}.PackElements(ref writer, ref position, unknown, {Number(next - 1)}, {Number(member.Number - 1)});");
            next = member.Number + 1;
            byte[] key = isMap ? Key(member) : [];
            EmitReserve(key.Length + Lead(member.Value));
            EmitWriteConstant(key);
            EmitWriteMember(member, 0, isInlined: false);
        }

        Out.Line(isMap
            ? $"position = ref {Code}.PackEntries(ref writer, ref position, unknown, KeysOf{record.Name});"
            : $"position = ref {Code}.PackElements(ref writer, ref position, unknown, {count}, {Code}.ElementCount(unknown, {count}));");
        Out.Line("writer.Leave();");
        if (isFilled)
        {
            Out.Line("return ref position;");
            Out.Close();
        }
        else
        {
            EmitWriteEnd(record);
        }
    }

    /// <summary>Writes a value where room for its <see cref="Lead"/> is; behind it, room for the run that follows is made.</summary>
    private void EmitWrite(ValueModel value, string expression, int following, bool isInlined = true)
    {
        if (!value.IsNullable)
        {
            EmitWriteNonNull(value, expression, following, isInlined);
            return;
        }

        string local = Local("item");
        Out.Line($"{value.Type} {local} = {expression};");
        Out.Open(value.IsValueType ? $"if ({local}.HasValue)" : $"if (!({local} is null))");
        EmitWriteNonNull(value, value.IsValueType ? local + ".GetValueOrDefault()" : local, following, isInlined);
        Out.Close();
        Out.Open("else");
        Out.Line($"position = ref {Code}.PackNil(ref position);");
        if (Bound(value) < 0)
            EmitReserve(following);
        Out.Close();
    }

    private void EmitWriteNonNull(ValueModel value, string expression, int following, bool isInlined)
    {
        string type = NonNullType(value);
        switch (value.Kind)
        {
            case ValueKind.Scalar:
                string cast = value.CastType.Length > 0 ? $"({value.CastType})" : "";
                string writer = value.Name is "Single" or "Double" or "Half" or "DateTimeOffset" ? "ref writer, " : "";
                Out.Line($"position = ref {Code}.Pack({writer}ref position, {cast}{expression});");
                return;
            case ValueKind.Text:
                Out.Line($"position = ref {Code}.{(isInlined ? "PackTextInline" : "PackText")}(ref writer, ref position, {expression}, {Number(following)});");
                return;
            case ValueKind.Bytes:
                Out.Line($"position = ref {Code}.PackBytes(ref writer, ref position, {expression});");
                break;
            case ValueKind.Known:
                Out.Line($"position = ref {Code}.PackKnown(ref writer, ref position, {expression});");
                break;
            case ValueKind.Formatted:
                Out.Line($"position = ref {Code}.{(value.IsCodec ? "PackByCodec" : "PackFormatted")}<{value.Name}, {type}>(ref writer, ref position, {expression});");
                break;
            case ValueKind.ForeignContract:
                Out.Line($"position = ref {Code}.WriteContract<TMode, {type}>(ref writer, ref position, {type}.{Model.Format.ContractName()}, {expression});");
                break;
            default:
                string method = value.Kind == ValueKind.Contract ? $"{value.Name}.{ClassName}.WriteSelf" : $"{ClassName}.Write{Model.Shapes[value.Shape].Name}";
                Out.Line($"position = ref {method}<TMode>(ref writer, ref position, {expression});");
                break;
        }

        EmitReserve(following);
    }
}
