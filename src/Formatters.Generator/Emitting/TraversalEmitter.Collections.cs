using System;
using System.Linq;

namespace Formatters.Generator;

// Collections: an array of the elements, a map of the entries.
internal sealed partial class TraversalEmitter
{
    private void EmitWriteList(ListShape shape)
    {
        ValueModel element = shape.Element;
        EmitWriteHeader("Write", shape);
        string list = "value";
        if (shape.Kind != ListKind.Interface && !shape.IsObjectInterface)
            EmitNullCheck("value is null");
        if (shape.IsObjectInterface)
            Out.Line($"{ArrayList} {list = "list"} = {Code}.ToArrayList(value);");
        if (shape.Kind is ListKind.Interface or ListKind.List)
        {
            string source = shape.Kind == ListKind.List ? "value" : $"{Code}.ToList<{element.Type}>(value)";
            Out.Line($"var {list = "list"} = {Items(shape, source)};");
        }

        string count = EmitCount(shape, list);
        EmitWriteElements(element, count, $"for (int i = 0; i < {count}; i++)", () =>
        {
            if (shape.Kind != ListKind.ArrayList)
                return $"{list}[i]";
            if (element.IsValueType)
                return $"{Code}.Element<{element.Type}>({list}[i])";
            Out.Line($"{element.Type} element = {list}[i] as {element.Type};");
            Out.Line("if (element is null)");
            Out.Nested($"{Code}.ThrowNotOfType({list}[i]);");
            return "element";
        }, isChecked: shape.Kind == ListKind.ArrayList);
        Out.Line("return ref position;");
        Out.Close();
    }

    /// <summary>Writes the header and the elements, in a loop with the index <c>i</c>.</summary>
    private void EmitWriteElements(ValueModel element, string count, string loop, Func<string> prepare, string behind = "", bool isChecked = false)
    {
        bool isTraced = isChecked || CanFail(element);
        Out.Line("writer.Enter();");
        Out.Line($"position = ref {Wire}.WriteArrayHeader<TFormat>(ref writer, ref position, {count});");
        if (isTraced)
            Out.Line($"int level = {Traces} ? {Code}.Level(ref writer) : 0;");
        Out.Open(loop);
        if (isTraced)
            Out.Line($"if ({Traces}) {Code}.At(ref writer, level, i);");
        string expression = prepare();
        EmitReserve(Lead(element));
        EmitWrite(element, expression, default);
        if (behind.Length > 0)
            Out.Line(behind);
        Out.Close();
        Out.Line("writer.Leave();");
    }

    private void EmitWriteSequence(SequenceShape shape)
    {
        EmitWriteHeader("Write", shape);
        EmitNullCheck(shape.IsValueType ? "value.IsDefault" : "value is null");
        if (shape.Recipe.IsSet)
        {
            EmitSortedAside("Fill" + shape.Name, isMap: false);
            Out.Line($"return ref {ClassName}.Fill{shape.Name}<TFormat, TMode>(ref writer, ref position, value);");
            Out.Close();
            Out.Line();
            EmitWriteHeader("Fill", shape);
        }

        string source = EmitSource(shape.Recipe);
        string count = source + "." + shape.Recipe.Count;
        if (shape.Recipe.Count.Length == 0)
        {
            Out.Line($"int {count = "count"} = 0;");
            Out.Line($"foreach ({shape.Element.Type} element in value)");
            Out.Nested("count++;");
        }

        Out.Line("int i = 0;");
        EmitWriteElements(shape.Element, count, $"foreach ({shape.Element.Type} element in {source})", () => "element", "i++;");
        Out.Line("return ref position;");
        Out.Close();
    }

    private void EmitWriteDictionary(DictionaryShape shape)
    {
        string arguments = $"<{shape.Key.Type}, {shape.Value.Type}>";
        EmitWriteHeader("Write", shape);
        if (shape.Source.Length == 0)
            EmitNullCheck("value is null");
        EmitSortedAside("Fill" + shape.Name, isMap: true);
        Out.Line($"return ref {ClassName}.Fill{shape.Name}<TFormat, TMode>(ref writer, ref position, value);");
        Out.Close();
        Out.Line();
        EmitWriteHeader("Fill", shape);
        string dictionary = EmitSource(shape.Recipe);
        if (shape.Source.Length > 0)
            Out.Line($"global::System.Collections.Generic.Dictionary{arguments} {dictionary = "dictionary"} = {Code}.{shape.Source}{arguments}(value);");
        Out.Line("writer.Enter();");
        Out.Line($"position = ref {Wire}.WriteMapHeader<TFormat>(ref writer, ref position, {dictionary}.{shape.Recipe?.Count ?? "Count"});");
        Out.Line($"int level = {Traces} ? {Code}.Level(ref writer) : 0;");
        Out.Line("int i = 0;");
        Out.Open($"foreach (global::System.Collections.Generic.KeyValuePair{arguments} entry in {dictionary})");
        Out.Line($"if ({Traces}) {Code}.At(ref writer, level, i++);");
        bool isKeyBound = Bound(shape.Key) is not null;
        EmitReserve(Lead(shape.Key) + (isKeyBound ? Lead(shape.Value) : default));
        EmitWrite(shape.Key, "entry.Key", isKeyBound ? default : Lead(shape.Value));
        EmitWrite(shape.Value, "entry.Value", default);
        Out.Close();
        Out.Line("writer.Leave();");
        Out.Line("return ref position;");
        Out.Close();
    }

    private void EmitWriteGrid(GridShape shape)
    {
        EmitWriteHeader("Write", shape);
        EmitNullCheck("value is null");
        Out.Line("writer.Enter();");
        Out.Line($"position = ref {Wire}.WriteLengths<TFormat>(ref writer, ref position, value);");
        Out.Line("int i = 0;");
        EmitWriteElements(shape.Element, "value.Length", $"foreach ({shape.Element.Type} element in value)", () => "element", "i++;");
        Out.Line("writer.Leave();");
        Out.Line("return ref position;");
        Out.Close();
    }

    private void EmitReadList(ListShape shape)
    {
        ValueModel element = shape.Element;
        string type = element.Type;
        EmitReadHeader(shape);
        EmitReadCount("Array", element.Allocation);
        (string listType, string reuse, string make) = shape.Kind switch
        {
            ListKind.Array => (shape.Type, $"ReuseArray<{type}>", $"{Code}.ReuseArray<{type}>(null, count)"),
            ListKind.ArrayList => (ArrayList, "ReuseArrayList", $"new {ArrayList}(count)"),
            _ => ($"{List}<{type}>", $"ReuseList<{type}>", $"new {List}<{type}>(count)"),
        };
        Out.Line($"{listType} list = {Reuses} ? {Code}.{reuse}(existing, count) : {make};");
        string old = shape.Kind == ListKind.ArrayList ? $"(list[i] as {type})" : "list[i]";
        bool isReused = IsReusable(element);
        if (shape.Kind == ListKind.Array)
        {
            Out.Open("for (int i = 0; i < count; i++)");
            EmitReadElement(element, isReused ? old : null);
            Out.Line("list[i] = element;");
            Out.Close();
        }
        else
        {
            Out.Line("int i = 0;");
            Out.Open($"if ({Reuses})");
            Out.Open("for (; i < list.Count; i++)");
            if (isReused)
                Out.Line($"{type} old = {old};");
            EmitReadElement(element, isReused ? "old" : null);
            if (isReused)
                Out.Line("if (!ReferenceEquals(element, old))");
            if (isReused)
                Out.Nested("list[i] = element;");
            else
                Out.Line("list[i] = element;");
            Out.Close();
            Out.Close();
            Out.Line();
            Out.Open("for (; i < count; i++)");
            EmitReadElement(element, null);
            Out.Line("list.Add(element);");
            Out.Close();
        }

        Out.Line("reader.Leave();");
        Out.Line("return list;");
        Out.Close();
    }

    /// <summary>Reads the header of a collection, and counts its level of nesting.</summary>
    private void EmitReadCount(string read, string allocation)
    {
        Out.Line($"int count = default(TFormat).Read{read}Header(ref reader, {allocation});");
        Out.Line($"int level = {Traces} ? {Code}.Level(ref reader) : 0;");
        Out.Line("reader.Enter();");
    }

    private void EmitReadElement(ValueModel element, string? existing)
    {
        Out.Line($"if ({Traces}) {Code}.At(ref reader, level, i);");
        Out.Line($"{element.Type} element;");
        EmitRead(element, "element", existing);
    }

    private void EmitReadSequence(SequenceShape shape)
    {
        ValueModel element = shape.Element;
        EmitReadHeader(shape);
        if (shape.Recipe.IsSet)
            Out.Line("int byteOffset = reader.ByteOffset;");
        EmitReadCount("Array", element.Allocation);
        Out.Line(shape.Recipe.IsSet
            ? $"global::System.Collections.Generic.HashSet<{element.Type}> items = {Code}.NewSet<{element.Type}>(count);"
            : $"var items = {Code}.ReuseArray<{element.Type}>(null, count);");
        Out.Open("for (int i = 0; i < count; i++)");
        EmitReadElement(element, null);
        Out.Line(shape.Recipe.IsSet ? "items.Add(element);" : "items[i] = element;");
        Out.Close();
        Out.Line("reader.Leave();");
        if (shape.Recipe.IsSet)
        {
            Out.Line($"if ({Traces}) {Code}.At(ref reader, level);");
            Out.Line("if (items.Count != count)");
            Out.Nested($"{Code}.ThrowDuplicateKey(byteOffset);");
        }

        Out.Line($"return {string.Format(System.Globalization.CultureInfo.InvariantCulture, shape.Recipe.Make, "items", element.Type)};");
        Out.Close();
    }

    private void EmitReadDictionary(DictionaryShape shape)
    {
        string arguments = $"<{shape.Key.Type}, {shape.Value.Type}>";
        EmitReadHeader(shape);
        EmitReadCount("Map", $"{shape.Key.Allocation} + {shape.Value.Allocation} + 12");
        string reuse = shape.Recipe is null ? $"{Reuses} ? {Code}.ReuseDictionary{arguments}(existing, count) : " : "";
        Out.Line($"global::System.Collections.Generic.Dictionary{arguments} dictionary = {reuse}{Code}.NewDictionary{arguments}(count);");
        Out.Open("for (int i = 0; i < count; i++)");
        Out.Line($"if ({Traces}) {Code}.At(ref reader, level, i);");
        Out.Line("int byteOffset = reader.ByteOffset;");
        Out.Line($"{shape.Key.Type} key;");
        EmitRead(shape.Key, "key", null);
        Out.Line("if (dictionary.ContainsKey(key))");
        Out.Nested($"{Code}.ThrowDuplicateKey(byteOffset);");
        Out.Line($"{shape.Value.Type} element;");
        EmitRead(shape.Value, "element", null);
        Out.Line("dictionary.Add(key, element);");
        Out.Close();
        Out.Line("reader.Leave();");
        Out.Line(shape.Recipe is null
            ? "return dictionary;"
            : $"return {string.Format(System.Globalization.CultureInfo.InvariantCulture, shape.Recipe.Make, "dictionary", shape.Key.Type, shape.Value.Type)};");
        Out.Close();
    }

    private void EmitReadGrid(GridShape shape)
    {
        ValueModel element = shape.Element;
        EmitReadHeader(shape);
        Out.Line($"int[] lengths = {Wire}.ReadLengths<TFormat>(ref reader, {Number(shape.Rank)}, {element.Allocation}, out int count);");
        Out.Line($"int level = {Traces} ? {Code}.Level(ref reader) : 0;");
        Out.Line("reader.Enter();");
        Out.Line($"{shape.Type} grid = {Code}.NewGrid<{shape.Type}>(lengths);");
        Out.Line("int i = 0;");
        string[] indexes = Enumerable.Range(0, shape.Rank).Select(d => "i" + Number(d)).ToArray();
        for (int d = 0; d < shape.Rank; d++)
            Out.Open($"for (int {indexes[d]} = 0; {indexes[d]} < lengths[{Number(d)}]; {indexes[d]}++)");
        EmitReadElement(element, null);
        Out.Line("i++;");
        Out.Line($"grid[{string.Join(", ", indexes)}] = element;");
        for (int d = 0; d < shape.Rank; d++)
            Out.Close();
        Out.Line("reader.Leave();");
        Out.Line("reader.Leave();");
        Out.Line("return grid;");
        Out.Close();
    }

    /// <summary>In a format that sorts maps and sets, writes one to another buffer, and puts it into order.</summary>
    private void EmitSortedAside(string fill, bool isMap)
    {
        Out.Open($"if ({Wire}.IsSorted<TFormat>())");
        EmitAside($"{ClassName}.{fill}<TFormat, TMode>(ref aside, ref {Code}.Begin(ref aside), value)", isMap);
        Out.Line("return ref position;");
        Out.Close();
        Out.Line();
    }

    private void EmitAside(string fill, bool isMap)
    {
        Out.Line($"global::Formatters.Generated.WireWriter aside = {Wire}.BeginAside(ref writer, out global::Formatters.PooledBufferWriter buffer);");
        Out.Line($"{Code}.End(ref aside, ref {fill});");
        Out.Line($"{Wire}.EndAside(ref aside);");
        Out.Line($"position = ref {Wire}.WriteSorted<TFormat>(ref writer, ref position, buffer, {(isMap ? "true" : "false")});");
    }

    private void EmitWriteUnion(UnionShape union)
    {
        EmitWriteHeader("Write", union);
        EmitNullCheck("value is null");
        foreach (UnionCase item in union.Cases)
        {
            Out.Open($"if (value.GetType() == typeof({item.Value.Type}))");
            Out.Line("writer.Enter();");
            EmitReserve(HeaderRoom(2) + new Room(5) + Lead(item.Value));
            Out.Line("position = ref default(TFormat).WriteArrayHeader(ref position, 2);");
            Out.Line($"position = ref default(TFormat).Write(ref position, {Number(item.Tag)});");
            EmitWrite(item.Value, $"(({item.Value.Type})value)", default);
            Out.Line("writer.Leave();");
            Out.Line("return ref position;");
            Out.Close();
            Out.Line();
        }

        if (union.UnknownType.Length > 0)
        {
            Out.Line($"if (value.GetType() == typeof({union.UnknownType}))");
            Out.Nested($"return ref {Wire}.WriteUnknownCase<TFormat>(ref writer, ref position, ({union.UnknownType})value);");
        }

        Out.Line($"{Wire}.ThrowUnlistedCase(value, typeof({union.Type}));");
        Out.Line("return ref position;");
        Out.Close();
    }

    private void EmitReadUnion(UnionShape union)
    {
        EmitReadHeader(union);
        Out.Line("int byteOffset;");
        Out.Line($"int tag = {Wire}.ReadTag<TFormat>(ref reader, typeof({union.Type}), out byteOffset);");
        Out.Line($"{union.Type} value;");
        Out.Open("switch (tag)");
        foreach (UnionCase item in union.Cases)
        {
            Out.Open($"case {Number(item.Tag)}:");
            Out.Line($"{item.Value.Type} item;");
            EmitRead(item.Value, "item", IsReusable(item.Value) ? $"(existing as {item.Value.Type})" : null);
            Out.Line("value = item;");
            Out.Line("break;");
            Out.Close();
        }

        Out.Open("default:");
        if (union.UnknownType.Length > 0)
            Out.Line($"value = {Wire}.ReadUnknownCase<TFormat, {union.UnknownType}>(ref reader, new {union.UnknownType}(), tag, byteOffset);");
        else
            Out.Line($"{Wire}.ThrowUnknownCase(tag, byteOffset, typeof({union.Type}));");
        if (union.UnknownType.Length == 0)
            Out.Line("value = null;");
        Out.Line("break;");
        Out.Close();
        Out.Close();
        Out.Line("reader.Leave();");
        Out.Line("return value;");
        Out.Close();
    }
}
