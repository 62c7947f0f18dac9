using System.Linq;

namespace Formatters.Generator;

// A record: an array in which members stand at their numbers, or a map of their names.
internal sealed partial class TraversalEmitter
{
    private void EmitWriteRecord(RecordShape record)
    {
        bool isMap = record.Form == RecordForm.Map;
        bool keepsUnknown = record.UnknownAccess.Length > 0;
        EmitWriteHeader("Write", record);
        EmitObjectCheck(record);
        EmitCallbacks(record, CallbackKind.Serializing);
        if (keepsUnknown)
            Out.Line($"global::Formatters.UnknownMembers unknown = value.{record.UnknownAccess};");
        EmitEnter(record, "writer");
        if (!isMap || !keepsUnknown)
        {
            EmitMembers(record);
        }
        else
        {
            // Kept entries are put into order among the members.
            Out.Open($"if ({Wire}.EntryCount<TFormat>(unknown, KeysOf{record.Name}) > 0)");
            EmitAside($"{ClassName}.Fill{record.Name}<TFormat, TMode>(ref aside, ref {Code}.Begin(ref aside), value, unknown)", isMap: true);
            Out.Close();
            Out.Open("else");
            Out.Line($"position = ref {ClassName}.Fill{record.Name}<TFormat, TMode>(ref writer, ref position, value, unknown);");
            Out.Close();
        }

        EmitLeave(record, "writer");
        EmitCallbacks(record, CallbackKind.Serialized);
        Out.Line("return ref position;");
        Out.Close();
        if (isMap && keepsUnknown)
        {
            Out.Line();
            Out.Open($"private static ref byte Fill{record.Name}<TFormat, TMode>({Writer}, ref byte position, {record.Type} value, global::Formatters.UnknownMembers unknown) {Format}");
            EmitMembers(record);
            Out.Line("return ref position;");
            Out.Close();
        }

        if (!isMap)
            return;
        Out.Line();
        Out.Line($"private static readonly global::Formatters.Generated.WireKeys KeysOf{record.Name} = new global::Formatters.Generated.WireKeys({string.Join(", ", record.Members.Select(m => Quote(m.WireName)))});");
    }

    /// <summary>Writes the header and the members, and in a record that keeps them what is in <c>unknown</c>.</summary>
    private void EmitMembers(RecordShape record)
    {
        if (record.Members.Any(m => CanFail(m.Value)))
            Out.Line($"int level = {Traces} ? {Code}.Level(ref writer) : 0;");
        if (record.Form == RecordForm.Map)
            EmitEntries(record);
        else
            EmitElements(record);
    }

    private void EmitEntries(RecordShape record)
    {
        string keys = "KeysOf" + record.Name;
        if (record.UnknownAccess.Length > 0)
        {
            Out.Line($"position = ref {Wire}.WriteMapHeader<TFormat>(ref writer, ref position, {Number(record.Members.Count)} + {Wire}.EntryCount<TFormat>(unknown, {keys}));");
        }
        else
        {
            EmitReserve(MaxHeaderByteCount);
            Out.Line($"position = ref default(TFormat).WriteMapHeader(ref position, {Number(record.Members.Count)});");
        }

        for (int i = 0; i < record.Members.Count; i++)
        {
            Out.Line($"position = ref {Wire}.WriteKey<TFormat>(ref writer, ref position, {Utf8(record.Members[i])}, {Number(Lead(record.Members[i].Value))});");
            EmitWriteMember(record.Members[i], 0, isInlined: false);
        }

        if (record.UnknownAccess.Length > 0)
        {
            Out.Line("if (!(unknown is null))");
            Out.Nested($"position = ref {Wire}.WriteEntries<TFormat>(ref writer, ref position, unknown, {keys});");
        }
    }

    private void EmitElements(RecordShape record)
    {
        bool keepsUnknown = record.UnknownAccess.Length > 0;
        int count = record.Members.Count == 0 ? 0 : record.Members[record.Members.Count - 1].Number;
        if (keepsUnknown)
        {
            Out.Line($"int count = {Wire}.ElementCount<TFormat>(unknown, {Number(count)});");
            Out.Line($"position = ref {Wire}.WriteArrayHeader<TFormat>(ref writer, ref position, count);");
            EmitReserve(RunFrom(record, 0));
        }
        else
        {
            EmitReserve(MaxHeaderByteCount + RunFrom(record, 0));
            Out.Line($"position = ref default(TFormat).WriteArrayHeader(ref position, {Number(count)});");
        }

        int next = 1;
        for (int i = 0; i < record.Members.Count; i++)
        {
            MemberModel member = record.Members[i];
            if (member.Number > next)
            {
                Out.Line($"position = ref {Wire}.WriteElements<TFormat>(ref writer, ref position, {(keepsUnknown ? "unknown" : "null")}, {Number(next - 1)}, {Number(member.Number - 1)});");
                EmitReserve(RunFrom(record, i));
            }

            next = member.Number + 1;
            EmitWriteMember(member, RunFrom(record, i + 1), InlinesTexts(record));
        }

        if (keepsUnknown)
            Out.Line($"position = ref {Wire}.WriteElements<TFormat>(ref writer, ref position, unknown, {Number(count)}, count);");
    }

    /// <summary>The bytes to reserve for the members from an index up to the next one without a greatest size.</summary>
    private static int RunFrom(RecordShape record, int index)
    {
        int byteCount = 0;
        for (; index < record.Members.Count; index++)
        {
            byteCount += Lead(record.Members[index].Value);
            if (Bound(record.Members[index].Value) < 0)
                break;
        }

        return byteCount;
    }

    private void EmitWriteMember(MemberModel member, int following, bool isInlined)
    {
        if (CanFail(member.Value))
            Out.Line($"if ({Traces}) {Code}.At(ref writer, level, {Quote(member.Name)});");
        EmitWrite(member.Value, Get(member, "value"), following, isInlined);
    }

    /// <summary>Writes a value for which its <see cref="Lead"/> is reserved; after it, the bytes for the run that follows are.</summary>
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
        Out.Line("position = ref default(TFormat).WriteNull(ref position);");
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
                Out.Line($"position = ref {Wire}.Write<TFormat>(ref writer, ref position, {cast}{expression});");
                if (Bound(value) >= 0)
                    return;
                break;
            case ValueKind.Text:
                Out.Line($"position = ref {Wire}.{(isInlined ? "WriteTextInline" : "WriteText")}<TFormat>(ref writer, ref position, {expression}, {Number(following)});");
                return;
            case ValueKind.Bytes:
            case ValueKind.Known:
                Out.Line($"position = ref {Wire}.Write<TFormat>(ref writer, ref position, {expression});");
                break;
            case ValueKind.Formatted:
                Out.Line($"position = ref {Wire}.WriteFormatted<TFormat, {value.Name}, {type}>(ref writer, ref position, {expression});");
                break;
            case ValueKind.ForeignContract:
                Out.Line($"position = ref {Wire}.WriteContract<TMode, {type}>(ref writer, ref position, {Foreign(value)}, {expression});");
                break;
            default:
                string method = value.Kind == ValueKind.Contract ? $"{value.Name}.{Model.Format.ClassName()}.WriteSelf" : $"{ClassName}.Write{Model.Shapes[value.Shape].Name}";
                Out.Line($"position = ref {method}<TFormat, TMode>(ref writer, ref position, {expression});");
                break;
        }

        EmitReserve(following);
    }
}
