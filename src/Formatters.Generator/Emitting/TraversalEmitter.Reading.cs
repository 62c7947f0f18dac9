using System.Linq;

namespace Formatters.Generator;

// A record: its members in order as far as the array goes; or, in the map form, in any order, with the expected one compared first.
internal sealed partial class TraversalEmitter
{
    private bool _hasPosition;
    private bool _hasAll;

    private protected override void EmitReadRecord(RecordShape record)
    {
        bool isTuple = record.Form == RecordForm.Tuple;
        bool hasParts = record.Form == RecordForm.Array && record.Members.Count > 0;
        EmitReadHeader(record);
        if (!record.IsMadeAtOnce && !record.IsValueType)
            EmitExistingCheck(record, isFilled: true, "F, " + Anew);
        if (hasParts)
        {
            Out.Line($"ref byte p = ref {Code}.Begin(ref r);");
            Out.Line(
                $"if (!{Wire}.IsArrayOf<F>(ref r, ref p, {Number(record.Members[record.Members.Count - 1].Number)}, out int "
                + "headerByteCount))");
            Out.Nested($"return ReadPartOf{record.Name}<F, M>(ref r, existing);");
            Out.Line($"p = ref {Code}.Move(ref p, headerByteCount);");
            EmitEnter(record, "r");
            EmitReadMembers(record, hasAll: true);
            // A body of an older or newer contract: each member may be missing, and there may be elements after the last.
            Out.Line();
            EmitInlining(isInlined: false);
            Out.Open($"private static {record.Type} ReadPartOf{record.Name}{TypeArguments}({Reader}, {record.Type} existing) {Constraints}");
        }

        if (isTuple)
            Out.Line("int byteOffset = r.ByteOffset;");
        // Before the header: the error of a record that is nested too deeply is at its start.
        EmitEnter(record, "r");
        Out.Line($"int count = default(F).Read{(record.Form == RecordForm.Map ? "Map" : "Array")}Header(ref r, 0);");
        if (isTuple)
        {
            Out.Line($"if (count != {Number(record.Members.Count)})");
            Out.Nested($"{Code}.ThrowBadValue(byteOffset, typeof({record.Type}));");
        }

        EmitReadMembers(record, hasAll: isTuple);
    }

    private void EmitReadMembers(RecordShape record, bool hasAll)
    {
        _hasAll = hasAll;
        _hasPosition = hasAll && record.Form == RecordForm.Array;
        Out.Line($"int level = {Traces} ? {Code}.Level(ref r) : -1;");
        if (record.IsMadeAtOnce)
        {
            for (int i = 0; i < record.Members.Count; i++)
                Out.Line($"{record.Members[i].Value.Type} member{Number(i)} = default({record.Members[i].Value.Type});");
        }
        else
        {
            EmitTarget(record);
            EmitCallbacks(record, CallbackKind.Deserializing);
        }

        if (record.UnknownAccess.Length > 0)
            Out.Line("global::Formatters.UnknownMembers unknown = null;");
        if (record.Form == RecordForm.Map)
            EmitReadEntries(record);
        else
            EmitReadElements(record);
        if (record.IsMadeAtOnce)
            EmitMake(record);
        else if (!hasAll && !record.IsValueType)
            EmitRenew(record);
        if (record.UnknownAccess.Length > 0 && !record.IsUnknownInitOnly)
            Out.Line($"value.{record.UnknownAccess} = unknown;");
        EmitLeave(record, "r");
        if (record.Callbacks.Count > 0)
            Out.Line($"if ({IsTraced}) {Code}.At(ref r, level);");
        EmitCallbacks(record, CallbackKind.Deserialized);
        Out.Line("return value;");
        Out.Close();
    }

    /// <summary>Returns an expression for whether the body has a member; null if it has all.</summary>
    private string? Has(RecordShape record, int index) =>
        _hasAll ? null : record.Form == RecordForm.Map ? "has" + Number(index) : $"count >= {Number(record.Members[index].Number)}";

    private void OpenIf(string? condition)
    {
        if (condition is not null)
            Out.Open($"if ({condition})");
    }

    private void CloseIf(string? condition)
    {
        if (condition is not null)
            Out.Close();
    }

    private void EmitReadElements(RecordShape record)
    {
        int next = 1;
        bool isPositioned = _hasPosition;
        for (int i = 0; i < record.Members.Count; i++)
        {
            bool hasGap = next < record.Members[i].Number;
            if (isPositioned && (hasGap || !IsPositioned(record, i)))
                Out.Line($"{Code}.End(ref r, ref p);");
            isPositioned &= !hasGap && IsPositioned(record, i);
            for (; next < record.Members[i].Number; next++)
            {
                string? has = _hasAll ? null : "count >= " + Number(next);
                OpenIf(has);
                Out.Line($"if ({IsTraced}) {Code}.At(ref r, level);");
                Out.Line(record.UnknownAccess.Length > 0
                    ? $"{Wire}.KeepElement<F>(ref r, ref unknown, {Number(next - 1)}, true);"
                    : "default(F).Skip(ref r);");
                CloseIf(has);
            }

            next++;
            if (!isPositioned && IsPositioned(record, i))
                EmitBegin();
            isPositioned = IsPositioned(record, i);
            if (isPositioned)
                EmitReadAtPosition(record, i);
            else
                EmitReadMember(record, i, Has(record, i));
        }

        if (isPositioned)
            Out.Line($"{Code}.End(ref r, ref p);");
        if (_hasAll)
            return;
        if (record.UnknownAccess.Length == 0)
        {
            Out.Line($"if (count > {Number(next - 1)})");
            Out.Nested($"{Wire}.SkipElements<F, M>(ref r, level, count - {Number(next - 1)});");
            return;
        }

        Out.Open($"for (int i = {Number(next - 1)}; i < count; i++)");
        Out.Line($"if ({IsTraced}) {Code}.At(ref r, level);");
        Out.Line($"{Wire}.KeepElement<F>(ref r, ref unknown, i, false);");
        Out.Close();
    }

    /// <summary>Determines whether a member is read at a position in a local, which is returned to the reader after a run of such members.</summary>
    private bool IsPositioned(RecordShape record, int index)
    {
        MemberModel member = record.Members[index];
        return _hasAll && (record.IsMadeAtOnce || member.Setter == MemberSetter.Plain && !member.IsSetByAccessor)
            && member.Setter != MemberSetter.None && !member.Value.IsNullable
            && (member.Value.Kind == ValueKind.Text || member.Value is { Kind: ValueKind.Scalar, Name: "Int32" or "Single" or "Double" });
    }

    private void EmitBegin()
    {
        Out.Line($"{(_hasPosition ? "" : "ref byte ")}p = ref {Code}.Begin(ref r);");
        _hasPosition = true;
    }

    private void EmitReadAtPosition(RecordShape record, int index)
    {
        MemberModel member = record.Members[index];
        string target = record.IsMadeAtOnce ? "member" + Number(index) : Get(member, "value");
        string cast = member.Value.CastType.Length > 0 ? $"({member.Value.Type})" : "";
        string byteCount = Local("byteCount");
        Out.Line($"if ({IsTraced}) {Code}.At(ref r, level, {Quote(member.Name)});");
        if (member.Value.Kind == ValueKind.Text)
        {
            string existing = record.IsMadeAtOnce || record.IsValueType ? "null" : $"{Reuses} ? {target} : null";
            string read = InlinesTexts(record.Members) ? "ReadTextInline" : "ReadText";
            Out.Line($"{target} = {Wire}.{read}<F>(ref r, ref p, {existing}, out int {byteCount});");
        }
        else
        {
            Out.Line($"{target} = {cast}{Wire}.Read{member.Value.Name}<F>(ref r, ref p, out int {byteCount});");
        }

        Out.Line($"p = ref {Code}.Move<M>(ref r, ref p, {byteCount});");
    }

    private void EmitReadEntries(RecordShape record)
    {
        if (record.Members.Count > 0)
            Out.Line($"bool {string.Join(", ", Enumerable.Range(0, record.Members.Count).Select(i => $"has{Number(i)} = false"))};");
        Out.Open("for (int left = count; left > 0; left--)");
        Out.Line($"if ({IsTraced}) {Code}.At(ref r, level);");
        if (record.Members.Count > 0)
        {
            Out.Line($"if (!has0 && {TryReadKey(record, 0)})");
            Out.Nested("goto Member0;");
        }

        Out.Open($"switch (KeysOf{record.Name}.Read<F>(ref r, out int byteOffset))");
        for (int i = 0; i < record.Members.Count; i++)
        {
            Out.Line($"case {Number(i)}:");
            Out.Nested($"if (has{Number(i)})");
            Out.Nested($"\t{Code}.ThrowDuplicateMember<M>(ref r, level, {Quote(record.Members[i].Name)}, byteOffset);");
            Out.Nested($"goto Member{Number(i)};");
        }

        Out.Line("default:");
        Out.Nested(record.UnknownAccess.Length > 0
            ? $"{Wire}.KeepEntry<F>(ref r, ref unknown, byteOffset);"
            : "default(F).Skip(ref r);");
        Out.Nested("continue;");
        Out.Close();
        Out.Line();
        for (int i = 0; i < record.Members.Count; i++)
        {
            Out.Line($"Member{Number(i)}:");
            Out.Line($"has{Number(i)} = true;");
            EmitReadMember(record, i);
            if (i + 1 == record.Members.Count)
                continue;
            Out.Line($"if (left == 1 || has{Number(i + 1)} || !{TryReadKey(record, i + 1)})");
            Out.Nested("continue;");
            Out.Line("left--;");
            Out.Line();
        }

        Out.Close();
    }

    private static string TryReadKey(RecordShape record, int index) => $"{Wire}.TryReadKey<F>(ref r, {Utf8(record.Members[index])})";

    /// <summary>Emits reading a member if the body has it.</summary>
    private void EmitReadMember(RecordShape record, int index, string? has = null)
    {
        MemberModel member = record.Members[index];
        if (has is null)
            Out.Line($"if ({IsTraced}) {Code}.At(ref r, level, {Quote(member.Name)});");
        else
            Out.Open($"if ({has} && {Code}.IsAt<M>(ref r, level, {Quote(member.Name)}))");
        if (member.Setter == MemberSetter.None)
        {
            Out.Line("default(F).Skip(ref r);");
        }
        else if (!record.IsMadeAtOnce && (member.IsSetByAccessor || IsReplaced(record, member) || KeepsComparer(record, member)))
        {
            string item = Local("item");
            Out.Open();
            Out.Line($"{member.Value.Type} {item};");
            EmitRead(member.Value, item, ExistingOf(record, member));
            EmitSet(record, member, item, Reuses, "r.ByteOffset");
            Out.Close();
        }
        else
        {
            EmitRead(member.Value, record.IsMadeAtOnce ? "member" + Number(index) : Get(member, "value"), ExistingOf(record, member));
        }

        CloseIf(has);
    }

    private string? ExistingOf(RecordShape record, MemberModel member) =>
        !record.IsMadeAtOnce && !record.IsValueType && !IsReplaced(record, member) && IsReusable(member.Value) ? Get(member, "value") : null;

    /// <summary>Emits assigning the values of a new object to members of an existing one that the body lacks.</summary>
    private void EmitRenew(RecordShape record)
    {
        if (record.Members.All(m => m.Setter == MemberSetter.None))
            return;
        Out.Open(record.Form == RecordForm.Map
            ? $"if ({Reuses} && !({string.Join(" && ", Enumerable.Range(0, record.Members.Count).Select(i => "has" + Number(i)))}))"
            : $"if ({Reuses} && count < {Number(record.Members[record.Members.Count - 1].Number)})");
        Out.Line($"{record.Type} initial = {NewExpression(record)};");
        EmitCallbacks(record, CallbackKind.Deserializing, "initial");
        for (int i = 0; i < record.Members.Count; i++)
        {
            MemberModel member = record.Members[i];
            if (member.Setter == MemberSetter.None)
                continue;
            Out.Line(record.Form == RecordForm.Map ? $"if (!{Has(record, i)})" : $"if (count < {Number(member.Number)})");
            Out.Nested(Renew(record, member, Get(member, "initial"), "true"));
        }

        Out.Close();
    }

    /// <summary>Emits creating the object from what was read, with the values of a new object, or parameter defaults, for missing members.</summary>
    private void EmitMake(RecordShape record)
    {
        for (int i = 0; i < record.Members.Count; i++)
        {
            MemberModel member = record.Members[i];
            if (Has(record, i) is not string has)
                continue;
            if (member.IsNeeded)
            {
                Out.Open($"if (!({has}))");
                Out.Line($"if ({IsTraced}) {Code}.At(ref r, level, {Quote(member.Name)});");
                Out.Line($"{Code}.ThrowMissingMember(ref r);");
                Out.Close();
            }
            else if (member.Default.Length > 0)
            {
                Out.Line($"if (!({has}))");
                Out.Nested($"member{Number(i)} = {member.Default};");
            }
        }

        Out.Line($"if ({IsTraced}) {Code}.At(ref r, level);");
        var kept = Enumerable.Range(0, record.Members.Count)
            .Where(i => record.Members[i] is { Setter: MemberSetter.Initializer, IsRequired: false } && Has(record, i) is not null).ToList();
        if (kept.Count > 0)
        {
            Out.Open($"if (!({string.Join(" && ", kept.Select(i => $"({Has(record, i)})"))}))");
            Out.Line($"{record.Type} initial = {MakeExpression(record, isRequiredOnly: true)};");
            foreach (int i in kept)
            {
                Out.Line($"if (!({Has(record, i)}))");
                Out.Nested($"member{Number(i)} = {Get(record.Members[i], "initial")};");
            }

            Out.Close();
        }

        EmitKeepInitialComparers(record);
        Out.Line(
            $"{record.Type} value = "
            + $"{MakeExpression(record, isRequiredOnly: false, record.IsUnknownInitOnly ? record.UnknownAccess + " = unknown" : null)};");
        EmitCallbacks(record, CallbackKind.Deserializing);
        for (int i = 0; i < record.Members.Count; i++)
        {
            if (record.Members[i].Setter is not (MemberSetter.Plain or MemberSetter.Code))
                continue;
            OpenIf(Has(record, i));
            EmitSetAfterwards(record.Members[i], i);
            CloseIf(Has(record, i));
        }
    }

    /// <summary>Emits reading a value into a target.</summary>
    private void EmitRead(ValueModel value, string target, string? existing)
    {
        if (!value.IsNullable)
        {
            EmitReadNonNull(value, target, existing);
            return;
        }

        Out.Open("if (default(F).TryReadNull(ref r))");
        Out.Line($"{target} = null;");
        Out.Close();
        Out.Open("else");
        EmitReadNonNull(value, target, existing);
        Out.Close();
    }

    private void EmitReadNonNull(ValueModel value, string target, string? existing)
    {
        string type = NonNullType(value);
        string none = value.IsValueType ? $"default({type})" : "null";
        string reused = existing is null ? none : $"{Reuses} ? {existing} : null";
        switch (value.Kind)
        {
            case ValueKind.Scalar:
                string cast = value.CastType.Length > 0 ? $"({type})" : "";
                Out.Line($"{target} = {cast}{Wire}.Read{value.Name}<F>(ref r);");
                break;
            case ValueKind.Text:
                Out.Line($"{target} = {Wire}.ReadString<F>(ref r, {reused});");
                break;
            case ValueKind.Bytes:
                Out.Line($"{target} = {Wire}.ReadBytes<F>(ref r, {reused});");
                break;
            case ValueKind.Known:
                string bytes = $"{Wire}.ReadBytes<F>(ref r, null)";
                Out.Line(value.Name == "ArraySegment"
                    ? $"{target} = new {type}({bytes});" // netstandard2.0 has no conversion
                    : IsMemory(value) ? $"{target} = {bytes};" : $"{target} = {Wire}.Read{value.Name}<F>(ref r);");
                break;
            case ValueKind.Formatted:
                Out.Line(
                    $"{target} = {(value.IsCodec ? Parts + ".ReadByCodec" : Wire + ".ReadFormatted")}<F, {value.Name}, {type}>(ref "
                    + $"r, {reused});");
                break;
            case ValueKind.ForeignContract:
                Out.Line($"{target} = {Parts}.ReadContract<F, M, {type}>(ref r, {type}.{WireFormats.PropertyName}, {reused});");
                break;
            default:
                Out.Line($"{target} = {MethodOf("Read", value)}(ref r, {reused});");
                break;
        }
    }
}
