using System;
using System.Globalization;
using System.Linq;

namespace Formatters.Generator;

internal sealed partial class VersionedEmitter
{
    private protected override void EmitBeginRecord(RecordShape record)
    {
        if (!record.IsNumbered)
        {
            base.EmitBeginRecord(record);
            return;
        }

        byte[] table = TableOf(record)!;
        string expected = table.Length > 8 ? $"TableOf{record.Name}" : $"{Constant(table, 0, table.Length)}, {Number(table.Length)}";
        Out.Line($"int level = {Traces} ? {Code}.Level(ref r) : -1;");
        if (HasBinary)
            Out.Line("int bytesBehind = 0;");
        Out.Line(
            $"if ({(HasBinary ? IsFormat(ContractFormats.Versioned) + " && " : "")}!{Code}.TryBeginRecord(ref r, {expected}, out "
            + $"{(HasBinary ? "" : "int ")}bytesBehind))");
        Out.Nested($"return EvolvedRead{record.Name}{TypeArguments}(ref r, existing);");
    }

    private protected override void EmitEndRecord(RecordShape record)
    {
        if (!record.IsNumbered)
            return;
        Out.Line($"if ({IsTraced}) {Code}.At(ref r, level);");
        Out.Line($"{If}{Code}.End(ref r, bytesBehind);");
    }

    private protected override void EmitComplete(RecordShape record)
    {
        if (record.UnknownAccess.Length > 0 && !record.IsUnknownInitOnly)
            Out.Line($"value.{record.UnknownAccess} = null;");
    }

    private protected override void EmitReadRecord(RecordShape record)
    {
        base.EmitReadRecord(record);
        if (record.IsNumbered)
            EmitEvolvedRead(record);
    }

    private protected override void EmitReadNonNull(ValueModel value, string target, string? existing, bool isInRecord, bool isInlined)
    {
        if (HasOwnFrame(value))
        {
            base.EmitReadNonNull(value, target, existing, isInRecord, isInlined);
            return;
        }

        string behind = Local("behind");
        Out.Line($"int {behind} = {ByFormat("0", $"{Code}.{(value.Frame == Frame.Short ? "BeginShort" : "BeginLong")}(ref r)")};");
        base.EmitReadNonNull(value with { Frame = Frame.None }, target, existing, isInRecord, isInlined);
        Out.Line($"if ({IsTraced}) {Code}.At(ref r, level + 1);");
        Out.Line($"{If}{Code}.End(ref r, {behind});");
    }

    /// <summary>Emits reading a record written by another version of the type, member by member of its table.</summary>
    private void EmitEvolvedRead(RecordShape record)
    {
        Out.Line();
        EmitInlining(isInlined: false);
        Out.Open($"private static {record.Type} EvolvedRead{record.Name}{TypeArguments}({Reader}, {record.Type} existing) {Constraints}");
        Out.Line($"int level = {Traces} ? {Code}.Level(ref r) : -1;");
        Out.Line("var table = new __F::MemberTable(ref r);");
        bool keepsUnknown = record.UnknownAccess.Length > 0;
        if (keepsUnknown)
            Out.Line("global::Formatters.UnknownMembers unknown = null;");
        if (!record.IsMadeAtOnce)
            EmitTarget(record);
        if (!record.IsMadeAtOnce)
            EmitCallbacks(record, CallbackKind.Deserializing);
        if (record.Members.Count > 0)
            Out.Line($"bool {string.Join(", ", Enumerable.Range(0, record.Members.Count).Select(i => $"has{Number(i)} = false"))};");
        for (int i = 0; record.IsMadeAtOnce && i < record.Members.Count; i++)
            Out.Line($"{record.Members[i].Value.Type} member{Number(i)} = default({record.Members[i].Value.Type});");

        Out.Open("while (table.Next(ref r))");
        Out.Open("switch (table.Number)");
        for (int i = 0; i < record.Members.Count; i++)
            EmitCase(record, i);
        Out.Line("default:");
        Out.Nested($"if ({IsTraced}) {Code}.At(ref r, level);");
        Out.Nested(keepsUnknown ? "table.Keep(ref r, ref unknown);" : "table.Skip(ref r);");
        Out.Nested("break;");
        Out.Close();
        Out.Close();
        Out.Line($"if ({IsTraced}) {Code}.At(ref r, level);");
        Out.Line("table.End(ref r);");
        if (record.IsMadeAtOnce)
            EmitMakeEvolved(record);
        else
            EmitDefaults(record);
        if (keepsUnknown && !record.IsUnknownInitOnly)
            Out.Line($"value.{record.UnknownAccess} = unknown;");
        if (record.Callbacks.Count > 0)
            Out.Line($"if ({IsTraced}) {Code}.At(ref r, level);");
        EmitCallbacks(record, CallbackKind.Deserialized);
        Out.Line("return value;");
        Out.Close();
    }

    private void EmitCase(RecordShape record, int index)
    {
        MemberModel member = record.Members[index];
        bool isInLocal = !record.IsMadeAtOnce && (member.IsSetByAccessor || IsReplaced(record, member) || KeepsComparer(record, member));
        string target = record.IsMadeAtOnce ? "member" + Number(index) : isInLocal ? Local("item") : Get(member, "value");
        string? existing = CanReuse(member.Value) && !IsReplaced(record, member)
            ? Get(member, record.IsMadeAtOnce || record.IsValueType ? "existing" : "value") : null;
        Out.Open(
            $"case {Number(member.Number)}: if (table.IsPresent<M>(ref r, {Number(KindOf(member.Value))}, level, {Quote(member.Name)}, out "
            + $"has{Number(index)}))");
        if (isInLocal)
            Out.Line($"{member.Value.Type} {target};");
        EmitReadNonNull(member.Value, target, existing, isInRecord: false, isInlined: false);
        if (isInLocal)
            EmitSet(record, member, target, Reuses, "r.ByteOffset");
        Out.Close();
        if (member.Value.IsNullable)
        {
            Out.Line("else");
            Out.Nested(isInLocal ? Renew(record, member, "null", Reuses) : $"{target} = null;");
        }

        Out.Nested("break;");
    }

    /// <summary>
    /// Emits assigning the values of a new object to members of an existing one that the body lacks, and empty values in place of nulls.
    /// </summary>
    private void EmitDefaults(RecordShape record)
    {
        if (!record.IsValueType && record.Members.Count > 0)
        {
            Out.Open($"if ({Reuses} && !({string.Join(" && ", Enumerable.Range(0, record.Members.Count).Select(i => "has" + Number(i)))}))");
            Out.Line($"{record.Type} initial = {NewExpression(record)};");
            EmitCallbacks(record, CallbackKind.Deserializing, "initial");
            for (int i = 0; i < record.Members.Count; i++)
            {
                Out.Line($"if (!has{Number(i)})");
                Out.Nested(Renew(record, record.Members[i], Get(record.Members[i], "initial"), "true"));
            }

            Out.Close();
        }

        for (int i = 0; i < record.Members.Count; i++)
        {
            MemberModel member = record.Members[i];
            if (!NeedsValue(member.Value))
                continue;
            if (member is { Setter: MemberSetter.Plain, IsSetByAccessor: false } && EmptyExpression(member.Value) is string empty)
            {
                Out.Line($"if (!has{Number(i)} && {IsNull(member.Value, Get(member, "value"))})");
                Out.Nested(Set(member, "value", empty));
                continue;
            }

            OpenMissing(member, i);
            EmitNullDefault(member);
            Out.Close();
        }
    }

    private void EmitMakeEvolved(RecordShape record)
    {
        for (int i = 0; i < record.Members.Count; i++)
        {
            MemberModel member = record.Members[i];
            if (!member.IsRequired && member.Setter != MemberSetter.Constructor)
                continue;
            OpenMissing(member, i);
            if (member.IsRequired)
                Out.Line($"{Code}.ThrowMissingMember(ref r);");
            else if (member.Default.Length > 0)
                Out.Line($"member{Number(i)} = {member.Default};");
            else
                EmitNullDefault(member.Value, "member" + Number(i));
            Out.Close();
        }

        Out.Line($"if ({IsTraced}) {Code}.At(ref r, level);");
        if (record.Members.Any(IsInitialKept))
            Out.Line($"{record.Type}{(record.IsValueType ? "?" : "")} initial = null;");
        for (int i = 0; i < record.Members.Count; i++)
        {
            MemberModel member = record.Members[i];
            if (!IsInitialKept(member))
                continue;
            OpenMissing(member, i);
            Out.Line("if (initial is null)");
            Out.Nested($"initial = {MakeExpression(record, isRequiredOnly: true)};");
            Out.Line($"member{Number(i)} = {Get(member, record.IsValueType ? "initial.Value" : "initial")};");
            EmitNullDefault(member.Value, "member" + Number(i));
            Out.Close();
        }

        EmitKeepInitialComparers(record);
        string? keep = record.IsUnknownInitOnly ? record.UnknownAccess + " = unknown" : null;
        Out.Line($"{record.Type} value = {MakeExpression(record, isRequiredOnly: false, keep)};");
        EmitCallbacks(record, CallbackKind.Deserializing);
        for (int i = 0; i < record.Members.Count; i++)
        {
            MemberModel member = record.Members[i];
            if (member.Setter is not (MemberSetter.Plain or MemberSetter.Code))
                continue;
            Out.Open($"if (has{Number(i)})");
            EmitSetAfterwards(member, i);
            Out.Close();
            if (!NeedsValue(member.Value))
                continue;
            Out.Line("else");
            OpenMissing(member, i);
            EmitNullDefault(member);
            Out.Close();
        }
    }

    private static bool IsInitialKept(MemberModel member) => member.Setter == MemberSetter.Initializer && !member.IsRequired;

    private void OpenMissing(MemberModel member, int index)
    {
        Out.Open($"if (!has{Number(index)})");
        Out.Line($"if ({IsTraced}) {Code}.At(ref r, level, {Quote(member.Name)});");
    }

    /// <summary>Determines whether null, or its equivalent, is not a valid value.</summary>
    private bool NeedsValue(ValueModel value) => !value.IsNullable && (!value.IsValueType || IsImmutableArray(value));

    private bool IsImmutableArray(ValueModel value) =>
        value.Kind == ValueKind.Shape && Model.Shapes[value.Shape] is SequenceShape { IsValueType: true };

    /// <summary>Emits setting an empty value in place of an undeclared null, or throwing.</summary>
    private void EmitNullDefault(MemberModel member) => EmitNullDefault(member.Value, Get(member, "value"), empty => Set(member, "value", empty));

    private void EmitNullDefault(ValueModel value, string local) => EmitNullDefault(value, local, empty => $"{local} = {empty};");

    private void EmitNullDefault(ValueModel value, string current, Func<string, string> set)
    {
        if (!NeedsValue(value))
            return;
        Out.Line($"if ({IsNull(value, current)})");
        Out.Nested(EmptyExpression(value) is string empty ? set(empty) : $"{Code}.ThrowMissingMember(ref r);");
    }

    private string IsNull(ValueModel value, string current) => current + (IsImmutableArray(value) ? ".IsDefault" : " is null");

    private string? EmptyExpression(ValueModel value) => value.Kind switch
    {
        ValueKind.Text => "\"\"",
        ValueKind.Bytes => "new byte[0]",
        ValueKind.Shape => Model.Shapes[value.Shape] switch
        {
            ListShape { Kind: ListKind.Array } list => $"{Code}.ReuseArray<{list.Element.Type}>(null, 0)",
            ListShape { Kind: ListKind.ArrayList } => "new global::System.Collections.ArrayList()",
            ListShape list => $"new {List}<{list.Element.Type}>()",
            SequenceShape sequence => string.Format(
                CultureInfo.InvariantCulture,
                sequence.Recipe.Make,
                sequence.Recipe.IsSet ? $"{Code}.NewSet<{sequence.Element.Type}>(0)" : $"{Code}.ReuseArray<{sequence.Element.Type}>(null, 0)",
                sequence.Element.Type),
            DictionaryShape dictionary => string.Format(
                CultureInfo.InvariantCulture,
                dictionary.Recipe?.Make ?? "{0}",
                $"{Code}.NewDictionary<{dictionary.Key.Type}, {dictionary.Value.Type}>(0)",
                dictionary.Key.Type,
                dictionary.Value.Type),
            MultidimensionalArrayShape grid => $"{Code}.NewGrid<{grid.Type}>(new int[{Number(grid.Rank)}])",
            _ => null,
        },
        _ => null,
    };
}
