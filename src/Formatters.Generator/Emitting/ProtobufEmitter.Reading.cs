using System.Collections.Generic;
using System.Globalization;
using System.Linq;

namespace Formatters.Generator;

// Reading: the fields are compared in the order of their numbers, in which they are written, with one comparison each; any other tag goes to a
// switch.
internal sealed partial class ProtobufEmitter
{
    private const int MemberBitCount = 64;

    /// <summary>Determines whether a bit records that a field of the member has been read; other members record it differently.</summary>
    private bool HasBit(MemberModel member) => ListOfRecords(member.Value) is null && (IsInline(member.Value) || !HasDefault(member.Value));

    /// <summary>Determines whether a member without a field has the default value of its type; otherwise that of a new object.</summary>
    private bool HasDefault(ValueModel value) => value.IsNullable || IsRepeated(value) || !IsMessage(value) && FieldTypes.HasDefault(value.Name);

    private static string Word(int index) => "seen" + Number(index / MemberBitCount);

    private static string Bit(int index) => $"0x{(1UL << (index % MemberBitCount)).ToString("X", CultureInfo.InvariantCulture)}UL";

    private static string IsUnseen(int index) => $"({Word(index)} & {Bit(index)}) == 0";

    private string Target(RecordShape record, int index) => LocalOf(record, index) ?? Get(record.Members[index], "value");

    private string Assign(RecordShape record, int index, string value) =>
        LocalOf(record, index) is string local ? $"{local} = {value};" : Set(record.Members[index], "value", value);

    private string? LocalOf(RecordShape record, int index) =>
        record.IsMadeAtOnce ? "member" + Number(index) : IsHeld(record, record.Members[index]) ? "held" + Number(index) : null;

    /// <summary>Determines whether the value of a member stays in a local until the end of the message, and then is set once.</summary>
    private bool IsHeld(RecordShape record, MemberModel member) => IsReplaced(record, member) || KeepsComparer(record, member);

    /// <summary>Returns an expression for whether the body has a field of a held member.</summary>
    private string IsSeen(MemberModel member, int index) =>
        ListOfRecords(member.Value) is not null ? $"count{Number(index)} >= 0" : HasBit(member)
        ? $"!({IsUnseen(index)})"
        : $"state{Number(index)}.HasFields";

    /// <summary>Returns the value of a held member before its first field.</summary>
    private string HeldAtFirst(RecordShape record, MemberModel member)
    {
        string current = Get(member, "value");
        if (!IsReplaced(record, member))
            return $"mode == 0 ? default({member.Value.Type}) : {current}";
        string copy = ShapeOf(member.Value) switch
        {
            ListShape { Kind: not ListKind.Array } list => $"({member.Value.Type}){Code}.CopyList<{list.Element.Type}>({current})",
            DictionaryShape { Recipe: null } dictionary =>
                $"({member.Value.Type}){Code}.CopyDictionary<{dictionary.Key.Type}, {dictionary.Value.Type}>({current})",
            _ => current,
        };
        return $"mode == 2 ? {copy} : default({member.Value.Type})";
    }

    /// <summary>Determines whether a member is set by code of its type, which may fail, and then needs the reader's position.</summary>
    private static bool IsSetByCode(RecordShape record, MemberModel member) => !record.IsMadeAtOnce && member.Setter == MemberSetter.Code;

    /// <summary>Determines whether the fields of a member are skipped because it cannot be set.</summary>
    private static bool IsSkipped(RecordShape record, MemberModel member) => !record.IsMadeAtOnce && member.Setter == MemberSetter.None;

    private void EmitReadRecord(RecordShape record)
    {
        for (int i = 0; i < record.Members.Count; i++)
        {
            if (ListOfRecords(record.Members[i].Value) is ListShape list && !IsSkipped(record, record.Members[i]))
                EmitReadElements(record, i, list);
        }

        EmitInlining(isInlined: false);
        Out.Open(
            $"{Scope(record)} static {record.Type} Read{record.Name}<M>({Reader}, ref byte p, {record.Type} existing, bool merges) "
            + $"{Mode}");
        EmitBeginning(record);
        for (int word = 0; word * MemberBitCount < record.Members.Count; word++)
            Out.Line($"ulong seen{Number(word)} = 0;");
        for (int i = 0; i < record.Members.Count; i++)
        {
            ValueModel value = record.Members[i].Value;
            if (ListOfRecords(value) is ListShape elements)
                Out.Line($"{elements.Type} list{Number(i)} = null; int count{Number(i)} = -1;");
            else if (!IsInline(value))
                Out.Line($"{Generated}FieldState state{Number(i)} = default({Generated}FieldState);");
        }

        for (int i = 0; i < record.Members.Count; i++)
        {
            if (IsHeld(record, record.Members[i]))
                Out.Line($"{record.Members[i].Value.Type} held{Number(i)} = default({record.Members[i].Value.Type});");
        }

        if (record.UnknownAccess.Length > 0)
            Out.Line("global::Formatters.UnknownMembers unknown = null;");
        Out.Line($"int level = {Traces} ? {Proto}.Level(ref r) : -1;");
        if (!record.IsMadeAtOnce)
            EmitCallbacks(record, CallbackKind.Deserializing);
        EmitReadFields(record);
        EmitFinish(record);
        if (record.IsMadeAtOnce)
            EmitMake(record);
        if (record.UnknownAccess.Length > 0 && !record.IsUnknownInitOnly)
            Out.Line($"value.{record.UnknownAccess} = {UnknownExpression(record)};");
        if (record.Callbacks.Count > 0)
            Out.Line($"if ({IsTraced}) {Proto}.At(ref r, level);");
        EmitCallbacks(record, CallbackKind.Deserialized);
        Out.Line("return value;");
        Out.Close();
    }

    private static string UnknownExpression(RecordShape record) =>
        $"mode == 2 ? {Proto}.JoinUnknown(existing.{record.UnknownAccess}, unknown) : unknown";

    /// <summary>Emits choosing whether a new object is created, an existing one filled or one merged with: mode 0, 1 and 2.</summary>
    private void EmitBeginning(RecordShape record)
    {
        string isOther = record.IsValueType ? "" : record.IsSealed
            ? "existing is null"
            : $"existing is null || existing.GetType() != typeof({record.Type})";
        if (record.IsMadeAtOnce)
        {
            Out.Line($"int mode = merges{(isOther.Length > 0 ? $" && !({isOther})" : "")} ? 2 : 0;");
            for (int i = 0; i < record.Members.Count; i++)
                Out.Line(
                    $"{record.Members[i].Value.Type} member{Number(i)} = mode == 2 ? {Get(record.Members[i], "existing")} : "
                    + $"default({record.Members[i].Value.Type});");
            return;
        }

        Out.Line(record.IsValueType ? "int mode = merges ? 2 : 0;" : $"int mode = {isOther} ? 0 : merges ? 2 : 1;");
        Out.Line($"{record.Type} value = mode == 0 ? {NewExpression(record)} : existing;");
    }

    private void EmitReadFields(RecordShape record)
    {
        List<FieldPlace> fields = Fields(record);
        Out.Open("while (true)");
        Out.Line("uint tag;");
        string label = "";
        foreach (FieldPlace field in fields)
        {
            uint tag = Tags(field.Member)[0];
            string test = FieldTypes.ByteCount(tag) <= 2 ? $"if (!{Proto}.IsTag(ref r, ref p, {TagArguments(field.Member)})) " : "";
            Out.Line($"{label}{test}goto Behind{field.Label};");
            Out.Line($"p = ref {Code}.Move(ref p, {Number(FieldTypes.ByteCount(tag))});");
            if (!IsInline(field.Member.Value) || IsSkipped(record, field.Member))
                Out.Line($"tag = {tag.ToString(CultureInfo.InvariantCulture)}U;");
            EmitReadMember(record, field);
            label = $"Behind{field.Label}: ";
        }

        Out.Line($"{label}if ({IsTraced}) {Proto}.At(ref r, level);");
        Out.Line($"if ({Proto}.IsEnd(ref r, ref p))");
        Out.Nested("break;");
        bool isKeeping = record.UnknownAccess.Length > 0;
        if (isKeeping)
            Out.Line("int tagOffset = r.ByteOffset;");
        Out.Line($"p = ref {Proto}.GetTag(ref r, out tag);");
        if (fields.Count > 0)
        {
            Out.Open("switch (tag)");
            foreach (FieldPlace field in fields)
            {
                string cases = string.Join(" ", Tags(field.Member).Select(t => $"case {t.ToString(CultureInfo.InvariantCulture)}U:"));
                Out.Line($"{cases} goto Member{field.Label};");
            }

            Out.Close();
        }

        if (isKeeping)
            Out.Line($"{Proto}.KeepField(ref r, tag, tagOffset, ref unknown);");
        Out.Line(isKeeping ? $"p = ref {Proto}.Begin(ref r);" : $"p = ref {Proto}.SkipField(ref r, tag);");
        Out.Close();
    }

    private void EmitReadMember(RecordShape record, FieldPlace field)
    {
        int index = field.Index;
        MemberModel member = field.Member;
        ValueModel value = member.Value;
        string item = "item" + field.Label;
        Out.Line($"Member{field.Label}: if ({IsTraced}) {Proto}.At(ref r, level, {Quote(member.Name)});");
        if (IsSkipped(record, member))
        {
            Out.Line($"{Proto}.End(ref r, ref p);");
            Out.Line($"p = ref {Proto}.SkipField(ref r, tag);");
            return;
        }

        if (IsScalar(value) || value.Kind == ValueKind.Text)
        {
            EmitReadInline(record, index, item);
        }
        else
        {
            Out.Line($"{Proto}.End(ref r, ref p);");
            if (ListOfRecords(value) is ListShape list)
                EmitReadList(record, index, list);
            else if (IsRecord(value))
                EmitReadMessage(record, index, item);
            else
                EmitField(record, index, current =>
                    $"{Proto}.GetField(ref r, FieldsOf{record.Name}<M>.{field.Instance}, tag, {current}, ref state{Number(index)}, mode)");
            Out.Line($"p = ref {Proto}.Begin(ref r);");
        }

        if (HasBit(member))
            Out.Line($"{Word(index)} |= {Bit(index)};");
        if (member.Oneof.Length > 0)
            EmitClearOtherCases(record, index);
    }

    /// <summary>Emits removing what has been read of the other cases of a oneof.</summary>
    private void EmitClearOtherCases(RecordShape record, int index)
    {
        for (int i = 0; i < record.Members.Count; i++)
        {
            MemberModel other = record.Members[i];
            if (i == index || other.Oneof != record.Members[index].Oneof || IsSkipped(record, other))
                continue;
            Out.Line(HasBit(other) ? $"{Word(i)} &= ~{Bit(i)};" : $"state{Number(i)} = default({Generated}FieldState);");
            if (!record.IsMadeAtOnce)
                Out.Line("if (mode == 2)");
            string clear = record.IsMadeAtOnce ? Assign(record, i, "null") : Set(other, "value", "null");
            if (record.IsMadeAtOnce)
                Out.Line(clear);
            else
                Out.Nested(clear);
        }
    }

    private void EmitReadInline(RecordShape record, int index, string item)
    {
        MemberModel member = record.Members[index];
        ValueModel value = member.Value;
        string read = item;
        if (value.Kind == ValueKind.Text)
        {
            string existing = record.IsMadeAtOnce ? "null" : Target(record, index);
            string get = Enumerable.Count(record.Members, m => m.Value.Kind == ValueKind.Text) <= 8 ? "Get" : "GetOther";
            Out.Line($"p = ref {Proto}.{get}(ref r, ref p, {existing}, out string {item});");
        }
        else
        {
            string type = value.CastType.Length > 0 ? value.CastType : NonNullType(value);
            Out.Line(FieldTypes.HasOwnMethods(value.Name)
                ? $"p = ref {Proto}.Get{Suffix(member)}(ref r, ref p, out {type} {item});"
                : $"p = ref {Proto}.GetScalar(ref r, ref p, {Encoding(member)}, out {type} {item});");
            if (value.CastType.Length > 0)
                read = $"({NonNullType(value)}){item}";
        }

        if (IsSetByCode(record, member))
            Out.Line($"{Proto}.End(ref r, ref p);");
        Out.Line(Assign(record, index, read));
    }

    private void EmitReadMessage(RecordShape record, int index, string item)
    {
        ValueModel value = record.Members[index].Value;
        Out.Line(IsHeld(record, record.Members[index])
            ? $"{value.Type} {item} = {IsUnseen(index)} ? ({HeldAtFirst(record, record.Members[index])}) : {Target(record, index)};"
            : $"{value.Type} {item} = mode == 0 && {IsUnseen(index)} ? default({value.Type}) : {Target(record, index)};");
        string merges = $"(mode == 2 || !({IsUnseen(index)})){(value.IsNullable ? $" && !({item} is null)" : "")}";
        string tag = Tags(record.Members[index])[0].ToString(CultureInfo.InvariantCulture);
        Out.Line($"{item} = {Unwrap(value)}(ref r, ref p, {item}, {merges} ? {tag}U : 0U);");
        Out.Line(Assign(record, index, item));
    }

    /// <summary>Returns the method that reads a nested message.</summary>
    private string Unwrap(ValueModel value) => $"{Proto}.Unwrap<M, {NonNullType(value)}, {CodeOf(value)}>";

    private void EmitReadList(RecordShape record, int index, ListShape list)
    {
        string element = list.Element.Type;
        string name = "list" + Number(index), count = "count" + Number(index);
        Out.Open($"if ({count} < 0)");
        if (IsHeld(record, record.Members[index]))
            Out.Line($"{Target(record, index)} = {HeldAtFirst(record, record.Members[index])};");
        Out.Line(
            $"{name} = {Proto}.BeginList<{element}>(ref r, ref p, {TagArguments(record.Members[index])}, {Target(record, index)}, "
            + "mode);");
        Out.Line($"{count} = {Proto}.CountMerged<{element}>({name}, mode);");
        Out.Line(Assign(record, index, name));
        Out.Close();
        Out.Line($"{count} = ReadList{Number(index)}Of{record.Name}<M>(ref r, ref p, {name}, {count}, level);");
    }

    /// <summary>
    /// Emits reading consecutive elements. In a method of its own: with all members in one method the loop would run out of registers.
    /// </summary>
    private void EmitReadElements(RecordShape record, int index, ListShape list)
    {
        string element = list.Element.Type;
        int tagByteCount = FieldTypes.ByteCount(Tags(record.Members[index])[0]);
        EmitInlining(isInlined: false);
        Out.Open(
            $"private static int ReadList{Number(index)}Of{record.Name}<M>({Reader}, ref byte p, {list.Type} list, int count, int level) "
            + $"{Mode}");
        Out.Open("while (true)");
        Out.Line($"if ({Traces}) {Proto}.At(ref r, level + 1, null, count);");
        Out.Line($"{element} item = {Proto}.NextElement<{element}>(ref r, list, count, {list.Element.Allocation});");
        Out.Line($"item = {Unwrap(list.Element)}(ref r, ref p, item, 0U);");
        Out.Line($"p = ref {Proto}.Begin(ref r);");
        Out.Line($"{Proto}.SetElement<{element}>(list, count++, item);");
        if (tagByteCount <= 2)
            Out.Line($"if (!{Proto}.IsTag(ref r, ref p, {TagArguments(record.Members[index])}))");
        Out.Nested("return count;");
        if (tagByteCount <= 2)
        {
            Out.Line($"p = ref {Code}.Move(ref p, {Number(tagByteCount)});");
            Out.Line($"{Proto}.End(ref r, ref p);");
        }

        Out.Close();
        Out.Close();
        Out.Line();
    }

    /// <summary>Emits setting a member to the result of a call that gets its current value.</summary>
    private void EmitField(RecordShape record, int index, System.Func<string, string> call)
    {
        MemberModel member = record.Members[index];
        if (IsHeld(record, member))
        {
            Out.Line($"if (!({IsSeen(member, index)}))");
            Out.Nested($"{Target(record, index)} = {HeldAtFirst(record, member)};");
        }

        Out.Line(Assign(record, index, call(Target(record, index))));
    }

    /// <summary>Emits completing the members at the end of the message, in the order of their numbers.</summary>
    private void EmitFinish(RecordShape record)
    {
        bool isOpen = false;
        for (int i = 0; i < record.Members.Count; i++)
        {
            MemberModel member = record.Members[i];
            if (IsSkipped(record, member))
                continue;
            bool isHeld = IsHeld(record, member);
            bool hasBit = HasBit(member) && !isHeld;
            if (hasBit && !isOpen)
                Out.Open($"if (mode != 2 && !({AllSeen(record, i)}))");
            else if (!hasBit && isOpen)
                Out.Close();
            isOpen = hasBit;
            if (isHeld)
                EmitFinishHeld(record, i);
            else if (hasBit)
                EmitFinishUnseen(record, i);
            else
                EmitFinishRepeated(record, i);
        }

        if (isOpen)
            Out.Close();
    }

    /// <summary>Returns an expression for whether all members with a bit have been read, from an index up to the next one without.</summary>
    private string AllSeen(RecordShape record, int first)
    {
        var masks = new SortedDictionary<int, ulong>();
        for (int i = first; i < record.Members.Count
            && (IsSkipped(record, record.Members[i]) || HasBit(record.Members[i]) && !IsHeld(record, record.Members[i])); i++)
        {
            if (IsSkipped(record, record.Members[i]))
                continue;
            masks.TryGetValue(i / MemberBitCount, out ulong mask);
            masks[i / MemberBitCount] = mask | (1UL << (i % MemberBitCount));
        }

        return string.Join(" && ", masks.Select(m =>
            $"(seen{Number(m.Key)} & 0x{m.Value.ToString("X", CultureInfo.InvariantCulture)}UL) == "
            + $"0x{m.Value.ToString("X", CultureInfo.InvariantCulture)}UL"));
    }

    private void EmitFinishUnseen(RecordShape record, int index)
    {
        MemberModel member = record.Members[index];
        ValueModel value = member.Value;
        bool canBeNull = !value.IsValueType;
        if (!HasDefault(value) && record.IsMadeAtOnce && !canBeNull)
            return;
        Out.Open($"if ({IsUnseen(index)})");
        if (!HasDefault(value) || IsSetByCode(record, member))
            Out.Line($"if ({IsTraced}) {Proto}.At(ref r, level, {Quote(member.Name)});");
        if (HasDefault(value))
        {
            Out.Line(Assign(record, index, value.IsNullable ? "null" : value.Kind == ValueKind.Text ? "\"\"" : $"default({value.Type})"));
        }
        else
        {
            if (!record.IsMadeAtOnce && !record.IsValueType)
            {
                Out.Line("if (mode == 1)");
                Out.Nested(Assign(record, index, Get(member, NewExpression(record))));
            }

            if (canBeNull)
            {
                Out.Line($"if ({Target(record, index)} is null)");
                Out.Nested($"{Proto}.ThrowMissingMember(ref r);");
            }
        }

        Out.Close();
    }

    /// <summary>Emits setting a held member, or completing it if the body has no field.</summary>
    private void EmitFinishHeld(RecordShape record, int index)
    {
        MemberModel member = record.Members[index];
        string held = Target(record, index);
        string current = Get(member, "value");
        Out.Line($"if ({IsTraced}) {Proto}.At(ref r, level, {Quote(member.Name)});");
        if (HasBit(member))
        {
            Out.Open($"if ({IsSeen(member, index)})");
            EmitSetHeld();
            Out.Close();
            Out.Open("else if (mode != 2)");
            if (HasDefault(member.Value))
            {
                Out.Line(Set(member, "value", $"default({member.Value.Type})"));
            }
            else
            {
                if (!record.IsValueType)
                {
                    Out.Line("if (mode == 1)");
                    Out.Nested(Set(member, "value", Get(member, NewExpression(record))));
                }

                if (!member.Value.IsValueType)
                {
                    Out.Line($"if ({current} is null)");
                    Out.Nested($"{Proto}.ThrowMissingMember(ref r);");
                }
            }

            Out.Close();
            return;
        }

        Out.Open($"if (mode != 2 || {IsSeen(member, index)})");
        if (ListOfRecords(member.Value) is ListShape list)
            Out.Line(
                $"{held} = {Proto}.FinishList<{list.Element.Type}>({held}, count{Number(index)}, mode, "
                + $"{(member.Value.IsNullable ? "true" : "false")});");
        else
            EmitFinishField(record, index);
        EmitSetHeld();
        Out.Close();

        // A value merged in place is already set.
        void EmitSetHeld()
        {
            if (IsReplaced(record, member))
                Out.Open($"if (mode != 2 || !object.ReferenceEquals({held}, {current}))");
            EmitSet(record, member, held, "mode != 0", "r.ByteOffset");
            if (IsReplaced(record, member))
                Out.Close();
        }
    }

    private void EmitFinishRepeated(RecordShape record, int index)
    {
        MemberModel member = record.Members[index];
        Out.Line($"if ({IsTraced}) {Proto}.At(ref r, level, {Quote(member.Name)});");
        if (ListOfRecords(member.Value) is ListShape list)
        {
            string finish =
                $"{Proto}.FinishList<{list.Element.Type}>({Target(record, index)}, count{Number(index)}, mode, "
                + $"{(member.Value.IsNullable ? "true" : "false")})";
            Out.Line(Assign(record, index, finish));
            return;
        }

        EmitFinishField(record, index);
    }

    private void EmitFinishField(RecordShape record, int index) => EmitField(record, index, current =>
        $"{Proto}.FinishField(ref r, FieldsOf{record.Name}<M>.{FieldsOf(record.Members[index], index).First().Instance}, {current}, "
        + $"state{Number(index)}, mode)");

    private void EmitMake(RecordShape record)
    {
        Out.Line($"if ({IsTraced}) {Proto}.At(ref r, level);");
        EmitKeepInitialComparers(record);
        string? unknown = record.IsUnknownInitOnly ? $"{record.UnknownAccess} = {UnknownExpression(record)}" : null;
        Out.Line($"{record.Type} value = {MakeExpression(record, isRequiredOnly: false, unknown)};");
        EmitCallbacks(record, CallbackKind.Deserializing);
        for (int i = 0; i < record.Members.Count; i++)
            EmitSetAfterwards(record.Members[i], i);
    }
}
