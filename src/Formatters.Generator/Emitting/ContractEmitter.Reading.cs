using System.Linq;

namespace Formatters.Generator;

// A run is a sequence of members in which every bit pattern is valid and that are set without code of the type: one bounds check serves the run, or
// the run and an adjacent string.
internal partial class ContractEmitter
{
    private protected override void EmitReadRecord(RecordShape record)
    {
        EmitReadHeader(record);
        bool isFilled = !record.IsMadeAtOnce && !record.IsValueType;
        if (isFilled || (!record.IsValueType && HoldsReusable(record)))
            EmitExistingCheck(record, isFilled, "F, " + Anew);
        EmitBeginRecord(record);
        if (record.IsMadeAtOnce)
            EmitReadThenMake(record);
        else
            EmitFill(record);
        EmitComplete(record);
        if (record.Callbacks.Count > 0)
            _out.Line($"if ({IsTraced}) {Code}.At(ref r, level);");
        EmitCallbacks(record, CallbackKind.Deserialized);
        _out.Line("return value;");
        _out.Close();
    }

    /// <summary>Emits reading what precedes the members.</summary>
    private protected virtual void EmitBeginRecord(RecordShape record)
    {
        if (record.Members.Count > 0 || record.Callbacks.Count > 0)
            _out.Line($"int level = {Traces} ? {Code}.Level(ref r) : -1;");
    }

    /// <summary>Emits reading what follows the members; they are set, or in locals.</summary>
    private protected virtual void EmitEndRecord(RecordShape record)
    {
    }

    /// <summary>Emits completing the object after its members were set.</summary>
    private protected virtual void EmitComplete(RecordShape record)
    {
    }

    private void EmitFill(RecordShape record)
    {
        EmitTarget(record);
        EmitCallbacks(record, CallbackKind.Deserializing);
        EmitReadMembers(record, i => Get(record.Members[i], "value"), record.IsValueType ? "existing" : "value");
        EmitEndRecord(record);
    }

    private void EmitReadThenMake(RecordShape record)
    {
        for (int i = 0; i < record.Members.Count; i++)
            _out.Line($"{record.Members[i].Value.Type} member{Number(i)};");
        EmitReadMembers(record, i => "member" + Number(i), "existing");
        EmitEndRecord(record);
        if (record.Members.Count > 0)
            _out.Line($"if ({IsTraced}) {Code}.At(ref r, level);");
        EmitKeep(record);
        EmitKeepInitialComparers(record);
        _out.Line($"{record.Type} value = {MakeExpression(record, isRequiredOnly: false)};");
        EmitCallbacks(record, CallbackKind.Deserializing);
        for (int i = 0; i < record.Members.Count; i++)
            EmitSetAfterwards(record.Members[i], i);
    }

    /// <summary>Emits returning the existing object if all its members equal those that were read.</summary>
    private void EmitKeep(RecordShape record)
    {
        if (record.IsValueType || !HoldsReusable(record) || record.Callbacks.Count > 0 || record.UnknownAccess.Length > 0)
            return;
        string isOfType = record.IsSealed ? "" : $" && existing.GetType() == typeof({record.Type})";
        string areSame = string.Concat(Enumerable.Range(0, record.Members.Count)
            .Select(i => $" && {Code}.IsSame<{record.Members[i].Value.Type}>(member{Number(i)}, {Get(record.Members[i], "existing")})"));
        _out.Line($"if ({Reuses}{isOfType}{areSame})");
        _out.Nested("return existing;");
    }

    /// <summary>Emits reading the members.</summary>
    /// <param name="record">The record.</param>
    /// <param name="target">Returns the assignment target of a member.</param>
    /// <param name="owner">The object whose members are reused.</param>
    private void EmitReadMembers(RecordShape record, System.Func<int, string> target, string owner)
    {
        for (int i = 0; i < record.Members.Count;)
        {
            int text = EndOfRun(record, i);
            if (text < record.Members.Count && IsPlain(record, record.Members[text])
                && record.Members[text].Value is { Kind: ValueKind.Text, IsNullable: false })
            {
                int end = EndOfRun(record, text + 1);
                EmitReadRun(record, i, text, target, "Peek");
                EmitReadMember(record, text, target, owner, ByteCount(record, i, text), ByteCount(record, text + 1, end));
                EmitReadRun(record, text + 1, end, target, "Behind");
                i = end;
            }
            else if (text - i >= 2)
            {
                EmitReadRun(record, i, text, target, "Take");
                i = text;
            }
            else
            {
                EmitReadMember(record, i++, target, owner, 0, 0);
            }
        }
    }

    private void EmitReadRun(RecordShape record, int start, int end, System.Func<int, string> target, string method)
    {
        if (start == end)
            return;
        string run = Local("run");
        _out.Line($"ref byte {run} = ref {Code}.{method}<M>(ref r, {Number(ByteCount(record, start, end))});");
        for (int i = start; i < end; i++)
        {
            ValueModel value = record.Members[i].Value;
            // Signed and unsigned integers share a method.
            string name = value.Name == "SByte" ? "Byte" : value.Name.TrimStart('U');
            string read = $"{Code}.{name}<M>(ref r, ref {run}, {Number(ByteCount(record, start, i))})";
            _out.Line($"if ({IsTraced}) {Code}.At(ref r, level, {Quote(record.Members[i].Name)});");
            _out.Line($"{target(i)} = {(name != value.Name || value.CastType.Length > 0 ? $"unchecked(({value.Type}){read})" : read)};");
        }
    }

    private void EmitReadMember(RecordShape record, int index, System.Func<int, string> target, string owner, int before, int behind)
    {
        MemberModel member = record.Members[index];
        string? existing = CanReuse(member.Value) && !IsReplaced(record, member) ? Get(member, owner) : null;
        bool isInLocal = !record.IsMadeAtOnce && (member.IsSetByAccessor || IsReplaced(record, member) || KeepsComparer(record, member));
        string read = isInLocal ? Local("item") : target(index);
        _out.Line($"if ({IsTraced}) {Code}.At(ref r, level, {Quote(member.Name)});");
        if (isInLocal)
            _out.Line($"{member.Value.Type} {read};");
        if (member.Value is { Kind: ValueKind.Text, IsNullable: false })
            EmitReadText(read, existing, before, behind, isInlined: InlinesTexts(record.Members));
        else
            EmitRead(member.Value, read, existing, isInlined: InlinesTexts(record.Members));
        if (isInLocal)
            EmitSet(record, member, read, Reuses, "r.ByteOffset");
    }

    /// <summary>Emits reading a string and advancing past the following run, with one bounds check.</summary>
    private void EmitReadText(string target, string? existing, int before, int behind, bool isInlined)
    {
        string reused = existing is null ? "null" : $"{Reuses} ? {existing} : null";
        _out.Line(isInlined || before + behind > 0
            ? $"{target} = {Code}.{(isInlined ? "ReadTextInline" : "ReadText")}<M>(ref r, {Number(before)}, {Number(behind)}, {reused});"
            : $"{target} = r.ReadString({reused});");
    }

    private static int EndOfRun(RecordShape record, int start)
    {
        while (start < record.Members.Count && IsInRun(record, record.Members[start]))
            start++;
        return start;
    }

    private static int ByteCount(RecordShape record, int start, int end) =>
        Enumerable.Range(start, end - start).Sum(i => ScalarTypes.Get(record.Members[i].Value.Name).MinByteCount);

    private static bool IsInRun(RecordShape record, MemberModel member) =>
        member.Value is { Kind: ValueKind.Scalar, IsNullable: false } && ScalarTypes.Get(member.Value.Name).Is(ScalarTraits.InRuns)
        && IsPlain(record, member);

    /// <summary>Determines whether a member is set without code of the type.</summary>
    private static bool IsPlain(RecordShape record, MemberModel member) =>
        record.IsMadeAtOnce || member.Setter == MemberSetter.Plain && !member.IsSetByAccessor;

    /// <summary>Emits reading a value into a target.</summary>
    /// <param name="value">The value.</param>
    /// <param name="target">The assignment target.</param>
    /// <param name="existing">The value to reuse; null if there is none.</param>
    /// <param name="isInRecord">Whether the depth has been counted.</param>
    /// <param name="isInlined">Whether a string is read inline.</param>
    private void EmitRead(ValueModel value, string target, string? existing, bool isInRecord = false, bool isInlined = true)
    {
        if (!value.IsNullable)
        {
            EmitReadNonNull(value, target, existing, isInRecord, isInlined);
            return;
        }

        _out.Open("if (r.ReadBoolean())");
        EmitReadNonNull(value, target, existing, isInRecord, isInlined);
        _out.Close();
        _out.Open("else");
        _out.Line($"{target} = null;");
        _out.Close();
    }

    private protected virtual void EmitReadNonNull(ValueModel value, string target, string? existing, bool isInRecord, bool isInlined)
    {
        string type = NonNullType(value);
        string none = value.IsValueType ? $"default({type})" : "null";
        string reused = existing is null
            ? none
            : $"{Reuses} ? {existing}{(value.IsNullable && value.IsValueType ? ".GetValueOrDefault()" : "")} : {none}";
        switch (value.Kind)
        {
            case ValueKind.Scalar:
                string cast = value.CastType.Length > 0 ? $"({type})" : "";
                _out.Line($"{target} = {cast}r.Read{value.Name}();");
                break;
            case ValueKind.Text:
                EmitReadText(target, existing, 0, 0, isInlined);
                break;
            case ValueKind.Bytes:
                _out.Line($"{target} = r.ReadBytes({reused});");
                break;
            case ValueKind.Known:
                _out.Line(IsMemory(value) ? $"{target} = r.ReadBytes(null);" : $"{target} = {Code}.Read{value.Name}(ref r);");
                break;
            case ValueKind.OwnBody:
                string isUsable = value.Name == "sealed"
                    ? $"!({existing} is null)"
                    : $"!({existing} is null) && {existing}.GetType() == typeof({type})";
                string owner = existing is null ? $"new {type}()" : $"{Reuses} && {isUsable} ? {existing} : new {type}()";
                _out.Line($"{target} = {Code}.ReadOwnBody<{type}>(ref r, {owner});");
                break;
            case ValueKind.Formatted:
                _out.Line($"{target} = {Code}.ReadFormatted<{value.Name}, {type}>(ref r, {reused});");
                break;
            case ValueKind.ForeignContract:
                _out.Line($"{target} = {Code}.ReadContract<M, {type}>(ref r, {Foreign(value)}, {reused});");
                break;
            default:
                bool isCounted = IsRecord(value) && !isInRecord;
                if (isCounted)
                    _out.Line("r.EnterRecord();");
                _out.Line($"{target} = {MethodOf("Read", value)}(ref r, {reused});");
                if (isCounted)
                    _out.Line("r.LeaveRecord();");
                break;
        }
    }
}
