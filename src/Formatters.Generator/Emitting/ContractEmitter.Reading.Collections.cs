using System.Linq;

namespace Formatters.Generator;

internal partial class ContractEmitter
{
    private void EmitReadList(ListShape shape)
    {
        ValueModel element = shape.Element;
        string type = element.Type;
        EmitReadHeader(shape);
        _out.Line($"int count = reader.ReadCount({MinByteCount(element)}, {element.Allocation});");
        _out.Line($"int level = {Traces} ? {Code}.Level(ref reader) : 0;");
        (string listType, string reuse, string make) = shape.Kind switch
        {
            ListKind.Array => (shape.Type, $"ReuseArray<{type}>", $"{Code}.ReuseArray<{type}>(null, count)"),
            ListKind.ArrayList => (ArrayList, "ReuseArrayList", $"new {ArrayList}(count)"),
            _ => ($"{List}<{type}>", $"ReuseList<{type}>", $"new {List}<{type}>(count)"),
        };
        _out.Line($"{listType} list = {Reuses} ? {Code}.{reuse}(existing, count) : {make};");
        bool isCounted = OpenElements(element);
        string old = shape.Kind == ListKind.ArrayList ? $"(list[i] as {type})" : "list[i]";
        string? reused = CanReuse(element) && (shape.Kind != ListKind.ArrayList || !element.IsValueType) ? old : null;
        if (shape.Kind == ListKind.Array)
        {
            _out.Open("for (int i = 0; i < count; i++)");
            _out.Line($"if ({Traces}) {Code}.At(ref reader, level, i);");
            _out.Line($"{type} element;");
            EmitRead(element, "element", reused, isCounted);
            _out.Line("list[i] = element;");
            _out.Close();
        }
        else
        {
            _out.Line("int i = 0;");
            _out.Open($"if ({Reuses})");
            _out.Open("for (; i < list.Count; i++)");
            _out.Line($"{type} element;");
            if (reused is not null)
                _out.Line($"{type} old = {old};");
            EmitRead(element, "element", reused is null ? null : "old", isCounted);
            if (reused is not null && !element.IsValueType)
            {
                _out.Line("if (!ReferenceEquals(element, old))");
                _out.Nested("list[i] = element;");
            }
            else
                _out.Line("list[i] = element;");
            _out.Close();
            _out.Close();
            _out.Line();
            _out.Open("for (; i < count; i++)");
            _out.Line($"if ({Traces}) {Code}.At(ref reader, level, i);");
            _out.Line($"{type} element;");
            EmitRead(element, "element", null, isCounted);
            _out.Line("list.Add(element);");
            _out.Close();
        }

        CloseElements(isCounted);
        _out.Line("return list;");
        _out.Close();
    }

    /// <summary>Counts a level of nesting once for all elements.</summary>
    private bool OpenElements(ValueModel element)
    {
        bool isCounted = IsRecord(element) && !element.IsNullable;
        if (!isCounted)
            return false;
        _out.Open("if (count > 0)");
        _out.Line($"if ({Traces}) {Code}.At(ref reader, level, 0);");
        _out.Line("reader.EnterRecord();");
        return true;
    }

    private void CloseElements(bool isCounted)
    {
        if (!isCounted)
            return;
        _out.Line("reader.LeaveRecord();");
        _out.Close();
    }

    private void EmitReadSequence(SequenceShape shape)
    {
        ValueModel element = shape.Element;
        EmitReadHeader(shape);
        _out.Line($"int count = reader.ReadCount({MinByteCount(element)}, {element.Allocation});");
        _out.Line($"int level = {Traces} ? {Code}.Level(ref reader) : 0;");
        _out.Line(shape.Recipe.IsSet
            ? $"var items = new global::Formatters.Generated.SetFill<{element.Type}>({(CanReuse(shape) ? $"{Reuses} ? existing : null" : "null")}, count);"
            : $"var items = {Code}.ReuseArray<{element.Type}>(null, count);");
        bool isCounted = OpenElements(element);
        _out.Open("for (int i = 0; i < count; i++)");
        _out.Line($"if ({Traces}) {Code}.At(ref reader, level, i);");
        if (shape.Recipe.IsSet)
            _out.Line("int byteOffset = reader.ByteOffset;");
        _out.Line($"{element.Type} element;");
        EmitRead(element, "element", shape.Recipe.IsSet ? "items.OldElement" : null, isCounted);
        _out.Line(shape.Recipe.IsSet ? "items.Add(element, byteOffset);" : "items[i] = element;");
        _out.Close();
        CloseElements(isCounted);
        _out.Line($"return {string.Format(System.Globalization.CultureInfo.InvariantCulture, shape.Recipe.Make, shape.Recipe.IsSet ? "items.Result" : "items", element.Type)};");
        _out.Close();
    }

    private void EmitReadDictionary(DictionaryShape shape)
    {
        string arguments = $"<{shape.Key.Type}, {shape.Value.Type}>";
        EmitReadHeader(shape);
        _out.Line($"int count = reader.ReadCount({Sum([shape.Key, shape.Value])}, {shape.Key.Allocation} + {shape.Value.Allocation} + 12);");
        _out.Line($"int level = {Traces} ? {Code}.Level(ref reader) : 0;");
        _out.Line($"var entries = new global::Formatters.Generated.DictionaryFill{arguments}({(shape.Recipe is null ? $"{Reuses} ? existing : null" : "null")}, count);");
        _out.Open("for (int i = 0; i < count; i++)");
        _out.Line($"if ({Traces}) {Code}.At(ref reader, level, i);");
        _out.Line("int byteOffset = reader.ByteOffset;");
        _out.Line($"{shape.Key.Type} key;");
        EmitRead(shape.Key, "key", CanReuse(shape.Key) ? "entries.OldKey" : null);
        _out.Line($"{shape.Value.Type} element;");
        EmitRead(shape.Value, "element", CanReuse(shape.Value) ? "entries.OldValue(key)" : null);
        _out.Line($"if ({Traces}) {Code}.At(ref reader, level, i);");
        _out.Line("entries.Add(key, element, byteOffset);");
        _out.Close();
        _out.Line(shape.Recipe is null
            ? "return entries.Result;"
            : $"return {string.Format(System.Globalization.CultureInfo.InvariantCulture, shape.Recipe.Make, "entries.Result", shape.Key.Type, shape.Value.Type)};");
        _out.Close();
    }

    private void EmitReadGrid(GridShape shape)
    {
        ValueModel element = shape.Element;
        EmitReadHeader(shape);
        _out.Line($"int[] lengths = {Code}.ReadLengths(ref reader, {Number(shape.Rank)}, {MinByteCount(element)}, {element.Allocation}, out int count);");
        _out.Line($"int level = {Traces} ? {Code}.Level(ref reader) : 0;");
        _out.Line($"{shape.Type} grid = {Code}.NewGrid<{shape.Type}>(lengths);");
        bool isCounted = OpenElements(element);
        _out.Line("int i = 0;");
        string[] indexes = Enumerable.Range(0, shape.Rank).Select(d => "i" + Number(d)).ToArray();
        for (int d = 0; d < shape.Rank; d++)
            _out.Open($"for (int {indexes[d]} = 0; {indexes[d]} < lengths[{Number(d)}]; {indexes[d]}++)");
        _out.Line($"if ({Traces}) {Code}.At(ref reader, level, i++);");
        _out.Line($"{element.Type} element;");
        EmitRead(element, "element", null, isCounted);
        _out.Line($"grid[{string.Join(", ", indexes)}] = element;");
        for (int d = 0; d < shape.Rank; d++)
            _out.Close();
        CloseElements(isCounted);
        _out.Line("return grid;");
        _out.Close();
    }
}
