using System;
using System.Collections.Generic;
using System.Linq;

namespace Formatters.Generator;

internal sealed partial class XmlEmitter
{
    private void EmitReadRecord(XmlRecordShape record)
    {
        Out.Open($"{Scope(record)} static {record.Type} Read{record.Name}({Reader}, {Bytes} name, bool isNullable)");
        EmitReadOtherType(record);
        if (!record.IsValueType)
        {
            Out.Line("if (isNullable && r.ReadNull(name))");
            Out.Nested("return null;");
        }

        if (record.IsAbstract)
        {
            Out.Line("r.ThrowUnknownType();");
            Out.Line("return null;");
            Out.Close();
            return;
        }

        Out.Line($"{record.Type} value = new {record.Type}();");
        foreach (XmlMember member in record.Members.Where(m => m.CanSet && ListOf(m) is { Kind: not XmlListKind.Array }))
        {
            Out.Line($"if (value.{member.Access} is null)");
            Out.Nested($"value.{member.Access} = new {member.Element.Value.Type}();");
        }

        EmitReadAttributes(record);
        if (record.Members.FirstOrDefault(m => m.Form == XmlForm.Text) is XmlMember text)
        {
            Out.Open($"if (r.ReadMixedContent(name, {(text.Element.Value.Kind == XmlKind.Text ? "true" : "false")}))");
            Out.Line($"r.AtText(\"{text.Name}\");");
            EmitConvert(text.Element.Value, converted => EmitSet(text, converted));
            Out.Close();
        }
        else
        {
            EmitReadElements(record);
        }

        Out.Line("return value;");
        Out.Close();
    }

    /// <summary>Emits delegating an element that declares a derived type to that type's method.</summary>
    private void EmitReadOtherType(XmlRecordShape record)
    {
        Out.Open($"if (r.HasOtherType({Name(record.XmlName)}))");
        foreach (XmlRecordShape derived in record.Derived.Select(i => (XmlRecordShape)_shapes[i]))
        {
            Out.Line($"if (r.IsTypeName({Name(derived.XmlName)}))");
            Out.Nested($"return Read{derived.Name}(ref r, name, isNullable);");
        }

        Out.Line("r.ThrowUnknownType();");
        Out.Close();
    }

    private XmlListShape? ListOf(XmlMember member) =>
        member.Element.Value.Kind == XmlKind.List ? (XmlListShape)_shapes[member.Element.Value.Shape] : null;

    private void EmitSet(XmlMember member, string expression) => Out.Line($"value.{member.Access} = {expression};");

    private void EmitSetSpecified(XmlMember member)
    {
        if (member.IsSpecifiedSet)
            Out.Line($"value.{member.Specified} = true;");
    }

    private void EmitReadAttributes(XmlRecordShape record)
    {
        XmlMember[] attributes = [.. record.Members.Where(m => m.Form == XmlForm.Attribute)];
        if (attributes.Length == 0)
            return;
        for (int i = 0; i < attributes.Length; i++)
            Out.Line($"bool hasAttribute{Number(i)} = false;");
        Out.Line("r.RewindAttributes();");
        Out.Open($"while (r.MoveToAttribute(out {Bytes} attribute))");
        for (int i = 0; i < attributes.Length; i++)
        {
            XmlMember member = attributes[i];
            Out.Open(
                $"{(i == 0 ? "" : "else ")}if (!hasAttribute{Number(i)} && global::System.MemoryExtensions.SequenceEqual(attribute, "
                + $"{Name(member.Element.Name)}))");
            Out.Line($"hasAttribute{Number(i)} = true;");
            Out.Line("r.ReadAttributeValue();");
            Out.Line($"r.AtText(\"{member.Name}\");");
            EmitConvert(member.Element.Value, text => EmitSet(member, text), isAttribute: true);
            EmitSetSpecified(member);
            Out.Close();
        }

        Out.Open("else");
        Out.Line("r.SkipAttribute();");
        Out.Close();
        Out.Close();
        Out.Line();
    }

    private void EmitReadElements(XmlRecordShape record)
    {
        XmlMember[] members = [.. record.Members.Where(m => m.Form is XmlForm.Element or XmlForm.FlatList)];
        string[] single = [.. Enumerable.Range(0, members.Length).Where(i => ListOf(members[i]) is null).Select(i => $"has{Number(i)} = false")];
        if (single.Length > 0)
            Out.Line($"bool {string.Join(", ", single)};");
        for (int i = 0; i < members.Length; i++)
        {
            if (ListOf(members[i]) is XmlListShape list && members[i].Form == XmlForm.FlatList)
                Out.Line(list.Kind == XmlListKind.Array
                    ? $"{Items(list)} items{Number(i)} = null;"
                    : $"{list.Type} items{Number(i)} = value.{members[i].Access};");
        }

        Out.Open("if (r.Enter())");
        if (members.Length == 0)
        {
            Out.Line("while (r.MoveToElement())");
            Out.Nested("r.Skip();");
        }
        else
        {
            Out.Line("int start = -1;");
            Out.Open("while (r.MoveToElement(ref start))");
            for (int i = 0; i < members.Length; i++)
            {
                bool isFlat = members[i].Form == XmlForm.FlatList;
                XmlListShape? list = ListOf(members[i]);
                string has = list is null ? $"!has{Number(i)} && " : isFlat && list.Kind != XmlListKind.Array
                    ? $"!(items{Number(i)} is null) && "
                    : "";
                string name = Name(members[i].Element.Name);
                if (IsPlain(members[i]))
                {
                    Out.Open($"if ({has}r.TryRead({name}, ref has{Number(i)}))");
                    EmitConvert(members[i].Element.Value, text => EmitSet(members[i], text));
                    Out.Close();
                    continue;
                }

                Out.Open($"{(isFlat ? "while" : "if")} ({has}r.TryNext({name}))");
                if (isFlat)
                    Out.Line(
                        $"r.At(\"{members[i].Name}\", "
                        + $"{(list!.Kind == XmlListKind.Array ? $"items{Number(i)} is null ? 0 : " : "")}items{Number(i)}.Count);");
                else if (members[i].Name != members[i].Element.Name)
                    Out.Line($"r.At(\"{members[i].Name}\");");
                if (list is null)
                    Out.Line($"has{Number(i)} = true;");
                EmitReadMember(members[i], i);
                Out.Close();
            }

            Out.Close();
        }

        Out.Line("r.Leave(name);");
        Out.Close();
        for (int i = 0; i < members.Length; i++)
        {
            if (members[i].Form == XmlForm.FlatList && ListOf(members[i])!.Kind == XmlListKind.Array)
                EmitSet(members[i], $"items{Number(i)} is null ? null : items{Number(i)}.ToArray()");
        }
    }

    /// <summary>Determines whether a member is an element of its own name that always has a value, which is its text.</summary>
    private static bool IsPlain(XmlMember member) =>
        member is { Form: XmlForm.Element, IsSpecifiedSet: false, Default.Length: 0, Element.IsNullable: false }
        && member.Element.Value is { Kind: XmlKind.Scalar or XmlKind.Text, Scalar: not ("TimeSpan" or "DateTimeOffset") }
        && member.Name == member.Element.Name;

    private static string ItemType(XmlListShape list) => list.Item.Value.Type + (list.Item.Value.IsOptional ? "?" : "");

    private static string Items(XmlListShape list) => list.Kind == XmlListKind.Array ? $"{List}<{ItemType(list)}>" : list.Type;

    private void EmitReadMember(XmlMember member, int index)
    {
        EmitSetSpecified(member);
        XmlListShape? list = ListOf(member);
        if (member.Form == XmlForm.FlatList)
        {
            string items = "items" + Number(index);
            if (list!.Kind == XmlListKind.Array)
            {
                Out.Line($"if ({items} is null)");
                Out.Nested($"{items} = new {Items(list)}();");
            }

            EmitReadItem(list, items);
        }
        else if (list is { Kind: not XmlListKind.Array })
        {
            if (list.IsOfTexts)
            {
                Out.Line($"r.ReadTexts({Name(member.Element.Name)}, {Name(list.Item.Name)}, value.{member.Access});");
                return;
            }

            Out.Line($"if (!r.ReadNull({Name(member.Element.Name)}))");
            Out.Nested($"Read{list.Name}(ref r, {Name(member.Element.Name)}, value.{member.Access});");
        }
        else
        {
            EmitReadElement(member.Element, text => EmitSet(member, text),
                member.Default.Length > 0 && member.Element.Value.Kind is XmlKind.Scalar or XmlKind.Enum ? "" : null);
        }
    }

    /// <summary>Emits reading an item into a list, which may be null if it cannot be set.</summary>
    private void EmitReadItem(XmlListShape list, string items) => EmitReadElement(list.Item, text => Out.Line($"{items}.Add({text});"));

    /// <summary>Emits reading an element whose name has been read.</summary>
    /// <param name="element">The element.</param>
    /// <param name="emit">Prints the use of the value; possibly several times.</param>
    /// <param name="ofEmpty">The value of an empty tag as an expression; empty for nothing, null if it represents an empty string.</param>
    private void EmitReadElement(XmlElement element, Action<string> emit, string? ofEmpty = null)
    {
        XmlValue value = element.Value;
        string name = Name(element.Name);
        if (value.Kind == XmlKind.Record && !value.IsOptional)
        {
            emit($"{MethodOf("Read", _shapes[value.Shape])}(ref r, {name}, {(element.IsNullable ? "true" : "false")})");
            return;
        }

        XmlListShape? list = value.Kind == XmlKind.List ? (XmlListShape)_shapes[value.Shape] : null;
        if (element.IsNullable || list is not null)
        {
            Out.Open($"if (r.ReadNull({name}))");
            if (element.IsNullable)
                emit(list is { Kind: not XmlListKind.Array } ? $"new {list.Type}()" : "null");
            Out.Close();
            Out.Open("else");
        }

        if (value.Scalar is "TimeSpan" or "DateTimeOffset")
            ofEmpty ??= $"default({value.Type})";
        if (ofEmpty is not null)
        {
            Out.Open($"if (r.TryReadEmpty())");
            if (ofEmpty.Length > 0)
                emit(ofEmpty);
            Out.Close();
            Out.Open("else");
        }

        switch (value.Kind)
        {
            case XmlKind.Record:
                emit($"{MethodOf("Read", _shapes[value.Shape])}(ref r, {name}, false)");
                break;
            case XmlKind.List when list!.Kind == XmlListKind.Array:
                emit($"Read{list.Name}(ref r, {name})");
                break;
            case XmlKind.List:
                string local = Local("list");
                Out.Line($"{list.Type} {local} = new {list.Type}();");
                Out.Line(list.IsOfTexts
                    ? $"r.ReadTexts({name}, {Name(list.Item.Name)}, {local});"
                    : $"Read{list.Name}(ref r, {name}, {local});");
                emit(local);
                break;
            default:
                Out.Line($"r.ReadContent({name});");
                EmitConvert(value, emit);
                break;
        }

        if (ofEmpty is not null)
            Out.Close();
        if (element.IsNullable || list is not null)
            Out.Close();
    }

    /// <summary>Emits converting the text that has been read to a value.</summary>
    private void EmitConvert(XmlValue value, Action<string> emit, bool isAttribute = false) => emit(value.Kind switch
    {
        XmlKind.Text => "r.ToText()",
        XmlKind.Bytes => isAttribute ? "r.ToBytes(true)" : "r.ToBytes(false)",
        XmlKind.Enum => $"Read{_shapes[value.Shape].Name}(ref r)",
        _ => $"r.To<{value.Type}>()",
    });

    private void EmitReadList(XmlListShape list)
    {
        bool isArray = list.Kind == XmlListKind.Array;
        if (isArray)
        {
            Out.Open($"private static {list.Type} Read{list.Name}({Reader}, {Bytes} name)");
            Out.Line($"{Items(list)} items = new {Items(list)}();");
        }
        else
        {
            Out.Open($"private static void Read{list.Name}({Reader}, {Bytes} name, {list.Type} items)");
        }

        Out.Open("if (r.Enter())");
        Out.Open("while (r.MoveToElement())");
        Out.Open($"if ({(isArray ? "" : "!(items is null) && ")}r.TryOpen({Name(list.Item.Name)}, items.Count))");
        EmitReadItem(list, "items");
        Out.Close();
        Out.Open("else");
        Out.Line("r.Skip();");
        Out.Close();
        Out.Close();
        Out.Line();
        Out.Line("r.Leave(name);");
        Out.Close();
        if (isArray)
        {
            Out.Line();
            Out.Line("return items.ToArray();");
        }

        Out.Close();
    }
}
