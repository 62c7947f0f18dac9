using System.Collections.Generic;
using System.Linq;

namespace Formatters.Generator;

// Writing: a tag is a constant before its value; space for it and for the following members of bounded size is reserved at once.
internal sealed partial class ProtobufEmitter
{
    // Above this, space is reserved for each string: three bytes per character would be too much.
    private const int MaxWholeByteCount = 1024;

    private const int MaxLengthByteCount = 5;

    /// <summary>Returns the maximum size of a member with its tag, or -1 if it has none.</summary>
    private static int Bound(MemberModel member) =>
        IsScalar(member.Value) ? TagByteCount(member) + FieldTypes.MaxByteCount(member.Value.Name, member.Encoding) : -1;

    private static int TagByteCount(MemberModel member) => FieldTypes.ByteCount(FieldTypes.Tag(member.Number, 0));

    /// <summary>Returns the space that must be reserved before a member is written.</summary>
    private int Lead(MemberModel member) => Bound(member) is int bound and >= 0 ? bound : IsRecord(member.Value) ? TagByteCount(member) : 0;

    /// <summary>Returns the space for the fields from an index up to the next one of unbounded size.</summary>
    private int RunFrom(List<FieldPlace> fields, int index)
    {
        int byteCount = 0;
        for (; index < fields.Count; index++)
        {
            byteCount += Lead(fields[index].Member);
            if (Bound(fields[index].Member) < 0)
                break;
        }

        return byteCount;
    }

    private void EmitReserve(int byteCount)
    {
        if (byteCount > 0)
            Out.Line($"p = ref {Proto}.Reserve(ref w, ref p, {Number(byteCount)});");
    }

    private void EmitWriteHeader(string name, RecordShape record, bool isInlined = false)
    {
        EmitInlining(isInlined);
        Out.Open($"{Scope(record)} static ref byte {name}<M>({Writer}, ref byte p, {record.Type} value) {Mode}");
        EmitObjectCheck(record);
    }

    private void EmitCheckOneofs(RecordShape record)
    {
        foreach (IGrouping<string, MemberModel> oneof in record.Members.Where(m => m.Oneof.Length > 0).GroupBy(m => m.Oneof))
        {
            Out.Line($"if ({string.Join(" + ", oneof.Select(m => $"({Get(m, "value")} is null ? 0 : 1)"))} > 1)");
            string names = string.Join(" + ", oneof.Select(m => $"({Get(m, "value")} is null ? \"\" : {Quote(" " + m.Name)})"));
            Out.Nested($"{Code}.ThrowSecondCase({Quote(oneof.Key)}, {names});");
        }
    }

    /// <summary>Determines whether the maximum size of a record follows from the lengths of its strings.</summary>
    private static bool IsFlat(RecordShape record) =>
        record.UnknownAccess.Length == 0 && record.Callbacks.Count == 0 && record.Members.Count > 0
        && record.Members.All(m => IsScalar(m.Value) || m.Value.Kind == ValueKind.Text);

    /// <summary>Prints the method that writes the fields of a record.</summary>
    private void EmitWriteRecord(RecordShape record)
    {
        EmitWriteHeader("Write" + record.Name, record);
        EmitCallbacks(record, CallbackKind.Serializing);
        EmitCheckOneofs(record);
        if (record.Members.Any(m => !IsScalar(m.Value)))
            Out.Line($"int level = {Traces} ? {Proto}.Level(ref w) : -1;");
        List<FieldPlace> fields = Fields(record);
        EmitReserve(RunFrom(fields, 0));
        for (int i = 0; i < fields.Count; i++)
            EmitWriteMember(record, fields[i], RunFrom(fields, i + 1));
        if (record.UnknownAccess.Length > 0)
            Out.Line($"p = ref {Proto}.PutUnknown(ref w, ref p, value.{record.UnknownAccess});");
        EmitCallbacks(record, CallbackKind.Serialized);
        Out.Line("return ref p;");
        Out.Close();
    }

    /// <summary>Prints the method that writes a record as a message, after its tag.</summary>
    private void EmitWrapRecord(RecordShape record)
    {
        if (IsFlat(record))
            EmitWrapFlat(record);
        else
            Out.Line(
                $"{Scope(record)} static ref byte Wrap{record.Name}<M>({Writer}, ref byte p, {record.Type} value) {Mode} => ref "
                + $"{Wrap(record)};");
    }

    /// <summary>Returns an expression that writes a record of any size as a message.</summary>
    private static string Wrap(RecordShape record) => $"{Proto}.Wrap<M, {record.Type}, CodeOf{record.Name}>(ref w, ref p, value)";

    /// <summary>Emits writing a record with all space reserved at once, after a length of one byte, which it rarely exceeds.</summary>
    private void EmitWrapFlat(RecordShape record)
    {
        EmitWriteHeader("Wrap" + record.Name, record, IsSmall(record));
        EmitCheckOneofs(record);
        MemberModel[] texts = record.Members.Where(m => m.Value.Kind == ValueKind.Text).ToArray();
        if (texts.Length > 0)
            Out.Line($"int level = {Traces} ? {Proto}.Level(ref w) : -1;");
        int constant = MaxLengthByteCount + record.Members.Sum(m => Bound(m) is int bound and >= 0 ? bound : TagByteCount(m) + MaxLengthByteCount);
        Out.Line($"{Proto}.Touch(ref w);");
        string bound = Number(constant);
        for (int i = 0; i < texts.Length; i++)
        {
            // In locals: a property may return another string the next time.
            Out.Line($"string text{Number(texts[i].Number)} = {Get(texts[i], "value")};");
            Out.Line($"if ({IsTraced}) {Proto}.At(ref w, level, {Quote(texts[i].Name)});");
            Out.Line(
                $"long bound{Number(i)} = {Proto}.{(texts[i].Value.IsNullable ? "OptionalTextBound" : "TextBound")}(text{Number(texts[i].Number)});");
            bound += $" + bound{Number(i)}";
        }

        if (texts.Length > 0)
        {
            Out.Line($"long bound = {bound};");
            Out.Line($"if (bound > {Number(MaxWholeByteCount)})");
            Out.Nested($"return ref {Wrap(record)};");
        }

        Out.Line($"p = ref {Proto}.Reserve(ref w, ref p, {(texts.Length > 0 ? "(int)bound" : bound)});");
        Out.Line("ref byte start = ref p;");
        Out.Line($"p = ref {Code}.Move(ref p, 1);");
        foreach (MemberModel member in record.Members)
        {
            if (IsScalar(member.Value))
            {
                EmitWriteScalar(member);
                continue;
            }

            string text = "text" + Number(member.Number);
            Out.Line($"if ({IsTraced}) {Proto}.At(ref w, level, {Quote(member.Name)});");
            if (member.Value.IsNullable)
                Out.Line($"if (!({text} is null))");
            string put =
                $"p = ref {Proto}.PutBoundText(ref w, ref p, {TagArguments(member)}, {text}, "
                + $"{(member.Value.IsNullable ? "true" : "false")});";
            if (member.Value.IsNullable)
                Out.Nested(put);
            else
                Out.Line(put);
        }

        Out.Line($"return ref {Proto}.PutLength(ref start, ref p);");
        Out.Close();
    }

    /// <summary>Returns the arguments for a tag and its size.</summary>
    private string TagArguments(MemberModel member)
    {
        uint tag = Tags(member)[0];
        return $"{tag.ToString(System.Globalization.CultureInfo.InvariantCulture)}U, {Number(FieldTypes.ByteCount(tag))}";
    }

    /// <summary>Returns an expression that writes the tag of a member and evaluates to the position after it.</summary>
    private string Tag(MemberModel member) => $"{Proto}.PutTag(ref p, {TagArguments(member)})";

    private void EmitWriteMember(RecordShape record, FieldPlace field, int following)
    {
        MemberModel member = field.Member;
        ValueModel value = member.Value;
        if (IsScalar(value))
        {
            EmitWriteScalar(member);
            return;
        }

        Out.Line($"if ({IsTraced}) {Proto}.At(ref w, level, {Quote(member.Name)});");
        if (value.Kind == ValueKind.Text)
        {
            EmitWriteText(member, following);
            return;
        }

        if (IsRecord(value))
            EmitWriteMessage(member);
        else if (ListOfRecords(value) is ListShape list)
            EmitWriteList(member, list);
        else
            Out.Line(
                $"p = ref {Proto}.PutField(ref w, ref p, FieldsOf{record.Name}<M>.{field.Instance}, {Get(member, "value")});");
        EmitReserve(following);
    }

    private void EmitWriteScalar(MemberModel member)
    {
        ValueModel value = member.Value;
        string item = Local("item");
        Out.Line($"{value.Type} {item} = {Get(member, "value")};");
        string expression = value.IsNullable ? item + ".GetValueOrDefault()" : item;
        if (value.CastType.Length > 0)
            expression = $"({value.CastType}){expression}";
        string? condition = value.IsNullable ? item + ".HasValue" : value.Name switch
        {
            "DateTime" or "TimeSpan" or "DateTimeOffset" => null,
            "Boolean" => item,
            "Single" or "Double" => $"!{Proto}.IsZero({item})",
            string name when !FieldTypes.HasOwnMethods(name) => $"!{Proto}.IsDefault({expression})",
            _ => $"{expression} != 0",
        };
        if (condition is not null)
            Out.Open($"if ({condition})");
        if (!FieldTypes.HasOwnMethods(value.Name))
        {
            Out.Line($"p = ref {Proto}.PutScalar(ref {Tag(member)}, {expression}, {Encoding(member)});");
            if (condition is not null)
                Out.Close();
            return;
        }

        string writer = value.Name is "Single" or "Double" ? "ref w, " : "";
        string cast = value.Name == "UInt64" ? "long" : value.Name == "UInt32" && member.Encoding == MemberEncoding.Fixed ? "int" : "";
        if (cast.Length > 0)
            expression = $"unchecked(({cast}){expression})";
        Out.Line($"p = ref {Proto}.Put{Suffix(member)}({writer}ref {Tag(member)}, {expression});");
        if (condition is not null)
            Out.Close();
    }

    private static string Encoding(MemberModel member) =>
        "global::Formatters.MemberEncoding."
        + (FieldTypes.CanBe(member.Value.Name, member.Encoding) ? member.Encoding : MemberEncoding.Default);

    private static string Suffix(MemberModel member) =>
        member.Encoding == MemberEncoding.Default || !FieldTypes.CanBe(member.Value.Name, member.Encoding) ? "" : member.Encoding.ToString();

    private void EmitWriteText(MemberModel member, int following)
    {
        string arguments = $"ref w, ref p, {TagArguments(member)}";
        if (!member.Value.IsNullable)
        {
            Out.Line($"p = ref {Proto}.PutText({arguments}, {Get(member, "value")}, {Number(following)}, false);");
            return;
        }

        string item = Local("item");
        Out.Line($"string {item} = {Get(member, "value")};");
        Out.Line($"if (!({item} is null))");
        Out.Nested($"p = ref {Proto}.PutText({arguments}, {item}, {Number(following)}, true);");
        if (following == 0)
            return;
        Out.Line("else");
        Out.Nested($"p = ref {Proto}.Reserve(ref w, ref p, {Number(following)});");
    }

    private void EmitWriteMessage(MemberModel member)
    {
        string item = Local("item");
        Out.Line($"{member.Value.Type} {item} = {Get(member, "value")};");
        if (member.Value.IsNullable)
            Out.Open($"if (!({item} is null))");
        Out.Line($"p = ref {MethodOf("Wrap", member.Value)}(ref w, ref {Tag(member)}, {item});");
        if (member.Value.IsNullable)
            Out.Close();
    }

    private void EmitWriteList(MemberModel member, ListShape list)
    {
        string element = list.Element.Type;
        string item = Local("item");
        Out.Line($"{list.Type} {item} = {Get(member, "value")};");
        if (member.Value.IsNullable)
        {
            Out.Open($"if (!({item} is null))");
        }
        else
        {
            Out.Line($"if ({item} is null)");
            Out.Nested($"{Code}.ThrowUnexpectedNull();");
            Out.Open();
        }

        string items = Local("items");
        Out.Line($"var {items} = {Items(list, item)};");
        Out.Line($"{Proto}.CheckCount(ref w, {items}.Length);");
        Out.Open($"for (int i = 0; i < {items}.Length; i++)");
        Out.Line($"if ({IsTraced}) {Proto}.At(ref w, level + 1, null, i);");
        EmitReserve(TagByteCount(member));
        Out.Line($"p = ref {MethodOf("Wrap", list.Element)}(ref w, ref {Tag(member)}, {items}[i]);");
        Out.Close();
        Out.Close();
    }
}
