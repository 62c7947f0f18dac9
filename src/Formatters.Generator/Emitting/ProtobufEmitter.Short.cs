using System.Linq;

namespace Formatters.Generator;

// Reading a record without nested messages and without the reader: its fields in the order of their numbers, up to the length of the message.
// Anything else is left to the general code, which starts again at the same position. Members are in locals until the end: nothing is changed before.
internal sealed partial class ProtobufEmitter
{
    private const int MaxShortMemberCount = 16;
    private const int MaxInlinedShortMemberCount = 4;

    /// <summary>Determines whether a record is read so: its members are simple, and setting them runs no code of the application.</summary>
    private bool IsShort(RecordShape record) =>
        record.UnknownAccess.Length == 0 && record.Callbacks.Count == 0 && record.Members.Count is > 0 and <= MaxShortMemberCount
        && record.Members.All(m => IsShort(m) && !IsSkipped(record, m) && !IsSetByCode(record, m) && (record.IsMadeAtOnce || !IsHeld(record, m)));

    private static bool IsShort(MemberModel member) =>
        member.Oneof.Length == 0 && member.Setter is not (MemberSetter.Code or MemberSetter.None) && TagByteCount(member) <= 2
        && (member.Value.Kind == ValueKind.Text
            || IsScalar(member.Value) && FieldTypes.HasOwnMethods(member.Value.Name) && FieldTypes.HasDefault(member.Value.Name));

    private void EmitReadShort(RecordShape record)
    {
        if (!IsShort(record))
        {
            Out.Line($"{ShortHeader(record.Type)} => false;");
            return;
        }

        bool hasText = record.Members.Any(m => m.Value.Kind == ValueKind.Text);
        EmitInlining(isInlined: !hasText && record.Members.Count <= MaxInlinedShortMemberCount);
        Out.Open(ShortHeader(record.Type));
        Out.Line("int at = 0;");
        bool isFilled = !record.IsMadeAtOnce && !record.IsValueType;
        if (isFilled)
        {
            string isOther = record.IsSealed ? "" : $" && existing.GetType() == typeof({record.Type})";
            Out.Line($"bool isFilled = !(existing is null){isOther};");
        }

        foreach (FieldPlace field in Fields(record))
            EmitReadShortMember(field, isFilled);
        Out.Line("if (at != byteCount)");
        Out.Nested("return false;");
        Out.Line(record.IsMadeAtOnce
            ? $"{record.Type} value = {MakeExpression(record, isRequiredOnly: false)};"
            : $"{record.Type} value = {(isFilled ? "isFilled ? existing : " : "")}{NewExpression(record)};");
        for (int i = 0; i < record.Members.Count; i++)
        {
            if (record.Members[i].Setter == MemberSetter.Plain)
                Out.Line(Set(record.Members[i], "value", "member" + Number(i)));
        }

        Out.Line("existing = value;");
        Out.Line("return true;");
        Out.Close();
    }

    private void EmitReadShortMember(FieldPlace field, bool isFilled)
    {
        MemberModel member = field.Member;
        ValueModel value = member.Value;
        string local = "member" + field.Label;
        string arguments = $"ref start, at + {Number(TagByteCount(member))}, byteCount";
        bool isText = value.Kind == ValueKind.Text;
        Out.Line($"{value.Type} {local} = {(isText && !value.IsNullable ? "\"\"" : $"default({value.Type})")};");
        string test = $"if ({Proto}.IsTagAt(ref start, at, byteCount, {TagArguments(member)}))";
        if (isText)
        {
            Out.Line(test);
            string existing = isFilled ? $"isFilled ? {Get(member, "existing")} : null" : "null";
            Out.Nested($"at = {Proto}.GetTextAt({arguments}, {existing}, out {local});");
            return;
        }

        string type = value.CastType.Length > 0 ? value.CastType : NonNullType(value);
        if (type == value.Type)
        {
            Out.Line(test);
            Out.Nested($"at = {Proto}.GetAt({arguments}, {Encoding(member)}, out {local});");
            return;
        }

        Out.Open(test);
        Out.Line($"at = {Proto}.GetAt({arguments}, {Encoding(member)}, out {type} item{field.Label});");
        Out.Line($"{local} = {(value.CastType.Length > 0 ? $"({NonNullType(value)})" : "")}item{field.Label};");
        Out.Close();
    }
}
