namespace Formatters.Generator;

internal partial class ContractEmitter
{
    private protected override void EmitReadCount(ValueModel element)
    {
        _out.Line($"int count = r.ReadCount({MinByteCount(element)}, {element.Allocation});");
        _out.Line($"int level = {Traces} ? {Code}.Level(ref r) : -1;");
    }

    private protected override bool TryEmitReadBlock(ListShape list)
    {
        if (list.IsBlock)
        {
            _out.Line($"int count = r.ReadCount({MinByteCount(list.Element)}, {list.Element.Allocation});");
            string method = list.Kind == ListKind.Array ? "ReadBlockArray" : "ReadBlockList";
            _out.Line($"return {Code}.{method}<M, {list.Element.Type}>(ref r, existing, count);");
        }

        if (BlockCondition(list, isVersioned: false) is string condition)
        {
            string method = list.Kind == ListKind.Array ? "ReadRecordBlockArray" : "ReadRecordBlockList";
            string count = $"r.ReadCount({MinByteCount(list.Element)}, {list.Element.Allocation})";
            _out.Line($"if ({condition})");
            _out.Nested($"return {Code}.{method}<M, {list.Element.Type}>(ref r, existing, {count});");
        }

        return list.IsBlock;
    }

    private protected override void EmitReadRecords(ListShape list)
    {
        if (BlockCondition(list, isVersioned: true) is not string condition)
            return;
        (string method, string type) = list.Kind == ListKind.Array
            ? ("ReadRecordBlockArray", list.Type) : ("ReadRecordBlockList", $"{List}<{list.Element.Type}>");
        _out.Line($"if ({condition}");
        _out.Nested($"&& {Code}.{method}<M, {list.Element.Type}>(ref r, existing, count{TableArguments(list, isVersioned: true)}) is {type} block)");
        _out.Nested("return block;");
    }

    private protected override void EmitReadLengths(MultidimensionalArrayShape shape)
    {
        _out.Line(
            $"int[] lengths = {Code}.ReadLengths(ref r, {Number(shape.Rank)}, {MinByteCount(shape.Element)}, {shape.Element.Allocation}, out "
            + "int count);");
        _out.Line($"int level = {Traces} ? {Code}.Level(ref r) : -1;");
    }

    private protected override bool CanReuseElement(ValueModel element) => CanReuse(element);

    /// <summary>Determines whether the depth is counted once for all elements.</summary>
    private bool IsCounted(ValueModel element) => IsRecord(element) && !element.IsNullable;

    private protected override void OpenElements(ValueModel element)
    {
        if (!IsCounted(element))
            return;
        _out.Open("if (count > 0)");
        _out.Line($"if ({IsTraced}) {Code}.At(ref r, level, null, 0);");
        _out.Line("r.EnterRecord();");
    }

    private protected override void CloseElements(ValueModel element)
    {
        if (!IsCounted(element))
            return;
        _out.Line("r.LeaveRecord();");
        _out.Close();
    }

    private protected override void EmitReadElement(ValueModel element, string? existing, bool isTraced = true)
    {
        if (isTraced)
            _out.Line($"if ({IsTraced}) {Code}.At(ref r, level, null, i);");
        _out.Line($"{element.Type} element;");
        EmitRead(element, "element", existing, IsCounted(element));
    }

    private protected override void EmitReadSequence(SequenceShape shape)
    {
        ValueModel element = shape.Element;
        EmitReadHeader(shape);
        EmitReadCount(element);
        _out.Line(shape.Recipe.IsSet
            ? $"var items = new __F::SetFill<{element.Type}>({(CanReuse(shape) ? $"{Reuses} ? existing : null" : "null")}, count);"
            : $"var items = {Code}.ReuseArray<{element.Type}>(null, count);");
        OpenElements(element);
        _out.Open("for (int i = 0; i < count; i++)");
        _out.Line($"if ({IsTraced}) {Code}.At(ref r, level, null, i);");
        if (shape.Recipe.IsSet)
            _out.Line("int byteOffset = r.ByteOffset;");
        _out.Line($"{element.Type} element;");
        EmitRead(element, "element", shape.Recipe.IsSet ? "items.OldElement" : null, IsCounted(element));
        _out.Line(shape.Recipe.IsSet ? "items.Add(element, byteOffset);" : "items[i] = element;");
        _out.Close();
        CloseElements(element);
        _out.Line($"return {Make(shape.Recipe, shape.Recipe.IsSet ? "items.Result" : "items", element.Type)};");
        _out.Close();
    }

    private protected override void EmitReadDictionary(DictionaryShape shape)
    {
        string arguments = $"<{shape.Key.Type}, {shape.Value.Type}>";
        EmitReadHeader(shape);
        _out.Line($"int count = r.ReadCount({Sum(shape.Key, shape.Value)}, {shape.Key.Allocation} + {shape.Value.Allocation} + 12);");
        _out.Line($"int level = {Traces} ? {Code}.Level(ref r) : -1;");
        _out.Line($"var entries = new __F::DictionaryFill{arguments}({(shape.Recipe is null ? $"{Reuses} ? existing : null" : "null")}, count);");
        _out.Open("for (int i = 0; i < count; i++)");
        _out.Line($"if ({IsTraced}) {Code}.At(ref r, level, null, i);");
        _out.Line("int byteOffset = r.ByteOffset;");
        _out.Line($"{shape.Key.Type} key;");
        EmitRead(shape.Key, "key", CanReuse(shape.Key) ? "entries.OldKey" : null);
        _out.Line($"{shape.Value.Type} element;");
        EmitRead(shape.Value, "element", CanReuse(shape.Value) ? "entries.OldValue(key)" : null);
        _out.Line($"if ({IsTraced}) {Code}.At(ref r, level, null, i);");
        _out.Line("entries.Add(key, element, byteOffset);");
        _out.Close();
        _out.Line(shape.Recipe is null
            ? "return entries.Result;"
            : $"return {Make(shape.Recipe, "entries.Result", shape.Key.Type, shape.Value.Type)};");
        _out.Close();
    }
}
