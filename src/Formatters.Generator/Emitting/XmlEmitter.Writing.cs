using System.Collections.Generic;
using System.Linq;

namespace Formatters.Generator;

internal sealed partial class XmlEmitter
{
    private void EmitWriteRecord(XmlRecordShape record)
    {
        Out.Open($"{Scope(record)} static void Write{record.Name}({Writer}, {Bytes} name, {record.Type} value, bool isTypeNamed)");
        if (!record.IsSealed)
        {
            Out.Open($"if (!isTypeNamed && ((object)value).GetType() != typeof({record.Type}))");
            foreach (XmlRecordShape derived in record.Derived.Select(i => (XmlRecordShape)_shapes[i]).Where(d => !d.IsAbstract))
            {
                Out.Open($"if (((object)value).GetType() == typeof({derived.Type}))");
                Out.Line($"Write{derived.Name}(ref w, name, ({derived.Type})(object)value, true);");
                Out.Line("return;");
                Out.Close();
            }

            Out.Line("w.ThrowUnknownType(name);");
            Out.Close();
        }

        if (!record.IsAbstract)
        {
            Out.Line("w.Start(name);");
            Out.Line("if (isTypeNamed)");
            Out.Nested($"w.TypeName({Name(record.XmlName)});");
            foreach (XmlMember member in record.Members.Where(m => m.Form == XmlForm.Attribute))
                EmitWriteMember(member);
            foreach (XmlMember member in record.Members.Where(m => m.Form != XmlForm.Attribute))
                EmitWriteMember(member);
            bool hasText = record.Members.Any(m => m.Form == XmlForm.Text);
            Out.Line($"w.{(hasText ? "EndText" : "End")}(name);");
        }

        Out.Close();
    }

    private void EmitWriteMember(XmlMember member)
    {
        string value = $"{Instance}.{member.Access}";
        var conditions = new List<string>();
        if (member.ShouldSerialize.Length > 0)
            conditions.Add($"{Instance}.{member.ShouldSerialize}()");
        if (member.Specified.Length > 0)
            conditions.Add($"{Instance}.{member.Specified}");
        // XmlSerializer writes a char even if it has its default.
        if (member.Default.Length > 0 && member.Element.Value.Scalar != "Char")
            conditions.Add($"{value} != {member.Default}");
        if (conditions.Count > 0)
            Out.Open($"if ({string.Join(" && ", conditions)})");
        switch (member.Form)
        {
            case XmlForm.Element:
                EmitWriteElement(member.Element, value, member.Name == member.Element.Name ? "" : $"w.At(\"{member.Name}\");");
                break;
            case XmlForm.FlatList:
                EmitWriteFlatList((XmlListShape)_shapes[member.Element.Value.Shape], value, member.Name);
                break;
            default:
                EmitWriteText(member, value);
                break;
        }

        if (conditions.Count > 0)
            Out.Close();
    }

    /// <summary>Emits writing an attribute, or the text of an element.</summary>
    private void EmitWriteText(XmlMember member, string expression)
    {
        XmlValue value = member.Element.Value;
        string text = value.Kind == XmlKind.Enum ? $"NameOf{_shapes[value.Shape].Name}({expression})" : ValueCast(value) + expression;
        Out.Line($"w.AtText(\"{member.Name}\");");
        Out.Line(member.Form == XmlForm.Text ? $"w.Content({text});" : $"w.Attribute({Name(member.Element.Name)}, {text});");
    }

    /// <summary>Returns the cast for XmlSerializer's form of a UTF-16 code unit: its number.</summary>
    private static string ValueCast(XmlValue value) => value.Scalar switch
    {
        "Char" or "SByte" or "Byte" or "Int16" or "UInt16" => "(int)",
        "UInt32" => "(long)",
        _ => "",
    };

    /// <summary>Emits writing an element.</summary>
    /// <param name="element">The element.</param>
    /// <param name="expression">The value.</param>
    /// <param name="at">The statement that sets the writer's path; empty if the name of the element does.</param>
    private void EmitWriteElement(XmlElement element, string expression, string at)
    {
        XmlValue value = element.Value;
        string name = Name(element.Name);
        if (value.Kind == XmlKind.Text && !element.IsNullable)
        {
            EmitAt(at);
            Out.Line($"w.Text({name}, {expression});");
            return;
        }

        if (value.Kind == XmlKind.List && !element.IsNullable && _shapes[value.Shape] is XmlListShape { IsOfTexts: true } texts)
        {
            EmitAt(at);
            Out.Line($"w.Texts({name}, {Name(texts.Item.Name)}, {expression});");
            return;
        }

        bool canBeNull = value.IsOptional || !value.IsValueType;
        if (canBeNull)
        {
            string local = Local("item");
            Out.Line($"{value.Type}{(value.IsOptional ? "?" : "")} {local} = {expression};");
            Out.Open(value.IsOptional ? $"if ({local}.HasValue)" : $"if (!({local} is null))");
            expression = value.IsOptional ? local + ".GetValueOrDefault()" : local;
        }

        EmitAt(at);
        switch (value.Kind)
        {
            case XmlKind.Text:
                Out.Line($"w.Text({name}, {expression});");
                break;
            case XmlKind.Bytes:
                Out.Line($"w.Bytes({name}, {expression});");
                break;
            case XmlKind.Enum:
                Out.Line($"w.Text({name}, NameOf{_shapes[value.Shape].Name}({expression}));");
                break;
            case XmlKind.Record:
                Out.Line($"{MethodOf("Write", _shapes[value.Shape])}(ref w, {name}, {expression}, false);");
                break;
            case XmlKind.List:
                Out.Line(_shapes[value.Shape] is XmlListShape { IsOfTexts: true } list
                    ? $"w.Texts({name}, {Name(list.Item.Name)}, {expression});"
                    : $"Write{_shapes[value.Shape].Name}(ref w, {name}, {expression});");
                break;
            default:
                Out.Line($"w.Element({name}, {ValueCast(value)}{expression});");
                break;
        }

        if (!canBeNull)
            return;
        Out.Close();
        if (!element.IsNullable)
            return;
        Out.Open("else");
        EmitAt(at);
        Out.Line($"w.Nil({name});");
        Out.Close();
    }

    private void EmitAt(string at)
    {
        if (at.Length > 0)
            Out.Line(at);
    }

    private void EmitWriteList(XmlListShape list)
    {
        Out.Open($"private static void Write{list.Name}({Writer}, {Bytes} name, {list.Type} value)");
        Out.Line("w.Start(name);");
        EmitWriteItems(list, Instance, "null");
        Out.Line("w.End(name);");
        Out.Close();
    }

    private void EmitWriteFlatList(XmlListShape list, string expression, string member)
    {
        string local = Local("list");
        Out.Line($"{list.Type} {local} = {expression};");
        Out.Open($"if (!({local} is null))");
        EmitWriteItems(list, local, $"\"{member}\"");
        Out.Close();
    }

    private void EmitWriteItems(XmlListShape list, string expression, string member)
    {
        string index = Local("i");
        Out.Open($"for (int {index} = 0; {index} < {expression}.{(list.Kind == XmlListKind.Array ? "Length" : "Count")}; {index}++)");
        string item = $"{expression}[{index}]";
        string at = $"w.At({member}, {index});";
        if (list.Kind == XmlListKind.ObjectList)
        {
            XmlValue value = list.Item.Value;
            string local = Local("object");
            Out.Line($"object {local} = {item};");
            Out.Open($"if (!({local} is {value.Type}){(value.IsValueType && !value.IsOptional ? "" : $" && !({local} is null)")})");
            EmitAt(at);
            Out.Line($"w.ThrowUnknownType({Name(list.Item.Name)});");
            Out.Close();
            item = $"({value.Type}{(value.IsOptional ? "?" : "")}){local}";
        }

        EmitWriteElement(list.Item, item, at);
        Out.Close();
    }
}
