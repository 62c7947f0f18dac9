using System.Linq;

namespace Formatters.Generator;

// A record: an array in which members are at their numbers, or a map of their names.
internal sealed partial class TraversalEmitter
{
    // Longer gaps are written in a loop.
    private const int MaxInlinedGap = 8;

    private protected override void EmitWriteRecord(RecordShape record)
    {
        bool isMap = record.Form == RecordForm.Map;
        bool keepsUnknown = record.UnknownAccess.Length > 0;
        EmitWriteHeader(record);
        EmitObjectCheck(record);
        EmitCallbacks(record, CallbackKind.Serializing);
        if (keepsUnknown)
        {
            Out.Line(
                $"global::Formatters.UnknownMembers unknown = {Wire}.TakeUnknown<F>(ref w, value.{record.UnknownAccess}, "
                    + $"{(isMap ? "true" : "false")});");
        }

        EmitEnter(record, "w");
        bool isInOrder = !isMap || !IsForMessagePack || IsInOrder(record);
        bool isFilled = isMap && (keepsUnknown || !isInOrder);
        string unknown = keepsUnknown ? ", unknown" : "";
        if (isFilled)
        {
            // Stored unknown members are sorted among the members; and in MessagePack's canonical form the members themselves are.
            Out.Open($"if ({Wire}.SortsKeys<F>(){(isInOrder ? $" && {Wire}.EntryCount<F>(unknown, KeysOf{record.Name}) > 0" : "")})");
            EmitSorting($"Fill{record.Name}<F, M>(ref w, ref p, value{unknown})", isMap: true);
            Out.Close();
            Out.Open("else");
            Out.Line($"p = ref Fill{record.Name}<F, M>(ref w, ref p, value{unknown});");
            Out.Close();
        }
        else
        {
            EmitMembers(record);
        }

        EmitLeave(record, "w");
        EmitCallbacks(record, CallbackKind.Serialized);
        Out.Line("return ref p;");
        Out.Close();
        if (isFilled)
        {
            Out.Line();
            EmitInlining(isInlined: false);
            string parameter = keepsUnknown ? ", global::Formatters.UnknownMembers unknown" : "";
            Out.Open(
                $"private static ref byte Fill{record.Name}{TypeArguments}({Writer}, ref byte p, {record.Type} value{parameter}) "
                + $"{Constraints}");
            EmitMembers(record);
            Out.Line("return ref p;");
            Out.Close();
        }

        if (!isMap)
            return;
        Out.Line();
        Out.Line(
            $"private static readonly __F::WireKeys KeysOf{record.Name} = new "
            + $"__F::WireKeys({string.Join(", ", record.Members.Select(m => Quote(m.WireName)))});");
    }

    /// <summary>Emits writing the header and the members and, in a record that stores unknown members, those in <c>unknown</c>.</summary>
    private void EmitMembers(RecordShape record)
    {
        EmitWriteLevel(record.Members);
        if (record.Form == RecordForm.Map)
            EmitEntries(record);
        else
            EmitElements(record);
        if (record.Form == RecordForm.Map && record.UnknownAccess.Length > 0)
        {
            Out.Line("if (!(unknown is null))");
            Out.Nested($"p = ref {Wire}.WriteEntries<F>(ref w, ref p, unknown, KeysOf{record.Name});");
        }
    }

    private void EmitEntries(RecordShape record)
    {
        EquatableArray<MemberModel> members = record.Members;
        int header = 0;
        if (record.UnknownAccess.Length > 0)
            Out.Line(
                $"p = ref {Wire}.WriteMapHeader<F>(ref w, ref p, {Number(members.Count)} + "
                + $"{Wire}.EntryCount<F>(unknown, KeysOf{record.Name}));");
        else
            header = HeaderRoom(members.Count);
        EmitReserve(header + EntriesFrom(members, 0));
        if (record.UnknownAccess.Length == 0)
            Out.Line($"p = ref default(F).WriteMapHeader(ref w, ref p, {Number(members.Count)});");
        for (int i = 0; i < members.Count; i++)
        {
            Out.Line($"p = ref {Wire}.WriteKey<F>(ref w, ref p, {Utf8(members[i])});");
            EmitWriteMember(members[i], EntriesFrom(members, i + 1), InlinesTexts(members));
        }
    }

    /// <summary>Returns the bytes to reserve for the entries from an index up to the next value of unbounded size, including its name.</summary>
    private int EntriesFrom(EquatableArray<MemberModel> members, int index) => RunFrom(members, index, KeyRoom);

    private void EmitElements(RecordShape record)
    {
        bool keepsUnknown = record.UnknownAccess.Length > 0;
        int count = record.Members.Count == 0 ? 0 : record.Members[record.Members.Count - 1].Number;
        if (keepsUnknown)
        {
            Out.Line($"int count = {Wire}.ElementCount<F>(unknown, {Number(count)});");
            Out.Line($"p = ref {Wire}.WriteArrayHeader<F>(ref w, ref p, count);");
            EmitReserve(RunFrom(record, 0));
        }
        else
        {
            EmitReserve(HeaderRoom(count) + RunFrom(record, 0));
            Out.Line($"p = ref default(F).WriteArrayHeader(ref w, ref p, {Number(count)});");
        }

        int next = 1;
        for (int i = 0; i < record.Members.Count; i++)
        {
            MemberModel member = record.Members[i];
            if (member.Number > next && GapRoom(record, i) == 0)
            {
                Out.Line(
                    $"p = ref {Wire}.WriteElements<F>(ref w, ref p, {(keepsUnknown ? "unknown" : "null")}, "
                    + $"{Number(next - 1)}, {Number(member.Number - 1)});");
                EmitReserve(RunFrom(record, i));
                next = member.Number;
            }

            for (; next < member.Number; next++)
                Out.Line("p = ref default(F).WriteNull(ref w, ref p);");
            next = member.Number + 1;
            EmitWriteMember(member, RunFrom(record, i + 1), InlinesTexts(record.Members));
        }

        if (!keepsUnknown)
            return;
        Out.Line($"if (count > {Number(count)})");
        Out.Nested($"p = ref {Wire}.WriteElements<F>(ref w, ref p, unknown, {Number(count)}, count);");
    }

    /// <summary>Returns the bytes of the nulls before a member, if they are few and no stored element can replace them.</summary>
    private static int GapRoom(RecordShape record, int index)
    {
        int gap = record.Members[index].Number - (index == 0 ? 0 : record.Members[index - 1].Number) - 1;
        return gap <= MaxInlinedGap && record.UnknownAccess.Length == 0 ? gap : 0;
    }

    /// <summary>Returns the bytes to reserve for the members from an index up to the next one of unbounded size, or to the next long gap.</summary>
    private int RunFrom(RecordShape record, int index)
    {
        int room = 0;
        for (int i = index; i < record.Members.Count; i++)
        {
            bool hasGap = record.Members[i].Number > (i == 0 ? 1 : record.Members[i - 1].Number + 1);
            if (hasGap && GapRoom(record, i) == 0 && i > index)
                break;
            room += GapRoom(record, i) + Lead(record.Members[i].Value);
            if (Bound(record.Members[i].Value) is null)
                break;
        }

        return room;
    }

    private protected override void EmitPresence(bool isPresent)
    {
        if (!isPresent)
            Out.Line("p = ref default(F).WriteNull(ref w, ref p);");
    }

    private protected override void EmitWriteNonNull(ValueModel value, string expression, int following, bool isInlined, bool isInRecord)
    {
        string type = NonNullType(value);
        switch (value.Kind)
        {
            case ValueKind.Scalar:
                // Without the cast of small integers the call would be ambiguous: other numbers have conversions from them as well.
                string cast = value.Name is "Byte" or "SByte" or "Int16" or "UInt16" or "Char" ? "(int)" : value.Name == "UInt32"
                    ? "(long)"
                    : value.CastType.Length > 0 ? $"({value.CastType})" : "";
                if (value.Name is "TimeSpan" or "TimeOnly")
                    expression += ".Ticks";
                Out.Line($"p = ref {Wire}.Write<F>(ref w, ref p, {cast}{expression});");
                if (Bound(value) is not null)
                    return;
                break;
            case ValueKind.Text:
                Out.Line(
                    $"p = ref {Wire}.{(isInlined ? "WriteTextInline" : "WriteText")}<F>(ref w, ref p, {expression}, "
                    + $"{Number(following)});");
                return;
            case ValueKind.Bytes:
            case ValueKind.Known:
                Out.Line($"p = ref {Wire}.Write<F>(ref w, ref p, {expression});");
                break;
            case ValueKind.Formatted:
                Out.Line(
                    $"p = ref {(value.IsCodec ? Parts + ".WriteByCodec" : Wire + ".WriteFormatted")}"
                    + $"<F, {value.Name}, {type}>(ref w, ref "
                    + $"p, {expression});");
                break;
            case ValueKind.ForeignContract:
                Out.Line(
                    $"p = ref {Parts}.WriteContract<F, M, {type}>(ref w, ref p, {type}.{WireFormats.PropertyName}, "
                    + $"{expression});");
                break;
            default:
                Out.Line($"p = ref {MethodOf("Write", value)}(ref w, ref p, {expression});");
                break;
        }

        EmitReserve(following);
    }
}
