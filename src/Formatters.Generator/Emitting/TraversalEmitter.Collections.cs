using System;
using System.Linq;

namespace Formatters.Generator;

// Collections: an array of the elements, a map of the entries.
internal sealed partial class TraversalEmitter
{
    private protected override void EmitWriteCount(string count) => EmitWriteCount("Array", count);

    private void EmitWriteCount(string kind, string count)
    {
        Out.Line("w.Enter();");
        Out.Line($"p = ref {Wire}.Write{kind}Header<F>(ref w, ref p, {count});");
    }

    private protected override void CloseWritten(ValueModel element) => Out.Line("w.Leave();");

    private protected override bool TryEmitWriteBlock(ListShape list, string elements)
    {
        if (list.IsSeries)
            Out.Line($"p = ref {Wire}.WriteNumbers<F, M, {list.Element.Type}>(ref w, ref p, {elements});");
        return list.IsSeries;
    }

    private protected override bool TryEmitReadBlock(ListShape list)
    {
        string method = list.Kind == ListKind.Array ? "ReadNumberArray" : "ReadNumberList";
        if (list.IsSeries)
            Out.Line($"return {Wire}.{method}<F, M, {list.Element.Type}>(ref r, existing);");
        return list.IsSeries;
    }

    private protected override void EmitWriteSequence(SequenceShape shape)
    {
        if (!shape.Recipe.IsSet)
        {
            base.EmitWriteSequence(shape);
            return;
        }

        EmitWriteHeader(shape);
        EmitNullCheck(shape.IsValueType ? "value.IsDefault" : "value is null");
        Out.Line($"{Code}.CheckElements<{shape.Element.Type}>(value);");
        EmitSorted("Fill" + shape.Name, isMap: false);
        Out.Line($"return ref Fill{shape.Name}<F, M>(ref w, ref p, value);");
        Out.Close();
        Out.Line();
        EmitWriteHeader(shape, "Fill");
        EmitWriteItems(shape);
    }

    private protected override void EmitWriteDictionary(DictionaryShape shape)
    {
        string arguments = $"<{shape.Key.Type}, {shape.Value.Type}>";
        EmitWriteHeader(shape);
        if (shape.Source.Length == 0)
            EmitNullCheck("value is null");
        EmitKeyCheck(shape);
        EmitSorted("Fill" + shape.Name, isMap: true);
        Out.Line($"return ref Fill{shape.Name}<F, M>(ref w, ref p, value);");
        Out.Close();
        Out.Line();
        EmitWriteHeader(shape, "Fill");
        string dictionary = EmitSource(shape.Recipe);
        if (shape.Source.Length > 0)
            Out.Line(
                $"global::System.Collections.Generic.Dictionary{arguments} {dictionary = "dictionary"} = {Code}.{shape.Source}{arguments}(value);");
        EmitWriteCount("Map", $"{dictionary}.{shape.Recipe?.Count ?? "Count"}");
        EmitWriteEntries(shape, dictionary);
        Out.Line("w.Leave();");
        Out.Line("return ref p;");
        Out.Close();
    }

    private protected override void EmitWriteMultidimensional(MultidimensionalArrayShape shape)
    {
        EmitWriteHeader(shape);
        EmitNullCheck("value is null");
        Out.Line("w.Enter();");
        Out.Line($"p = ref {Wire}.WriteLengths<F>(ref w, ref p, value);");
        Out.Line("int i = 0;");
        EmitWriteCount("value.Length");
        EmitWriteLoop(shape.Element, "value.Length", $"foreach ({shape.Element.Type} element in value)", () => "element", "i++;");
        Out.Line("w.Leave();");
        Out.Line("return ref p;");
        Out.Close();
    }

    private protected override void EmitReadCount(ValueModel element) => EmitReadCount("Array", element.Allocation);

    private protected override void EmitReadLengths(MultidimensionalArrayShape shape)
    {
        Out.Line($"int[] lengths = {Wire}.ReadLengths<F>(ref r, {Number(shape.Rank)}, {shape.Element.Allocation}, out int count);");
        Out.Line($"int level = {Traces} ? {Code}.Level(ref r) : -1;");
        Out.Line("r.Enter();");
    }

    private protected override bool CanReuseElement(ValueModel element) => IsReusable(element);

    private protected override void CloseElements(ValueModel element) => Out.Line("r.Leave();");

    // The array of the lengths, and that of the elements in it.
    private protected override void CloseMultidimensional(ValueModel element)
    {
        CloseElements(element);
        CloseElements(element);
    }

    /// <summary>Emits reading the header of a collection, and counting its depth.</summary>
    private void EmitReadCount(string read, string allocation)
    {
        Out.Line($"int count = default(F).Read{read}Header(ref r, {allocation});");
        Out.Line($"int level = {Traces} ? {Code}.Level(ref r) : -1;");
        Out.Line("r.Enter();");
    }

    private protected override void EmitReadElement(ValueModel element, string? existing, bool isTraced = true)
    {
        if (isTraced)
            Out.Line($"if ({IsTraced}) {Code}.At(ref r, level, null, i);");
        Out.Line($"{element.Type} element;");
        EmitRead(element, "element", existing);
    }

    private protected override void EmitReadSequence(SequenceShape shape)
    {
        ValueModel element = shape.Element;
        EmitReadHeader(shape);
        if (shape.Recipe.IsSet)
            Out.Line("int byteOffset = r.ByteOffset;");
        EmitReadCount("Array", element.Allocation);
        Out.Line(shape.Recipe.IsSet
            ? $"global::System.Collections.Generic.HashSet<{element.Type}> items = {Code}.NewSet<{element.Type}>(count);"
            : $"var items = {Code}.ReuseArray<{element.Type}>(null, count);");
        Out.Open("for (int i = 0; i < count; i++)");
        EmitReadElement(element, null);
        Out.Line(shape.Recipe.IsSet ? "items.Add(element);" : "items[i] = element;");
        Out.Close();
        Out.Line("r.Leave();");
        if (shape.Recipe.IsSet)
        {
            Out.Line($"if ({IsTraced}) {Code}.At(ref r, level);");
            Out.Line("if (items.Count != count)");
            Out.Nested($"{Code}.ThrowDuplicateKey(byteOffset);");
        }

        Out.Line($"return {Make(shape.Recipe, "items", element.Type)};");
        Out.Close();
    }

    private protected override void EmitReadDictionary(DictionaryShape shape)
    {
        string arguments = $"<{shape.Key.Type}, {shape.Value.Type}>";
        EmitReadHeader(shape);
        EmitReadCount("Map", $"{shape.Key.Allocation} + {shape.Value.Allocation} + 12");
        string reuse = shape.Recipe is null ? $"{Reuses} ? {Code}.ReuseDictionary{arguments}(existing, count) : " : "";
        Out.Line($"global::System.Collections.Generic.Dictionary{arguments} dictionary = {reuse}{Code}.NewDictionary{arguments}(count);");
        Out.Open("for (int i = 0; i < count; i++)");
        Out.Line($"if ({IsTraced}) {Code}.At(ref r, level, null, i);");
        Out.Line("int byteOffset = r.ByteOffset;");
        Out.Line($"{shape.Key.Type} key;");
        EmitRead(shape.Key, "key", null);
        Out.Line($"{shape.Value.Type} element;");
        EmitRead(shape.Value, "element", null);
        Out.Line($"if ({IsTraced}) {Code}.At(ref r, level, null, i);");
        Out.Line($"{Code}.AddEntry(dictionary, key, element, byteOffset);");
        Out.Close();
        Out.Line("r.Leave();");
        Out.Line(shape.Recipe is null
            ? "return dictionary;"
            : $"return {Make(shape.Recipe, "dictionary", shape.Key.Type, shape.Value.Type)};");
        Out.Close();
    }

    /// <summary>Emits, for a format that sorts maps and sets, writing one and sorting it.</summary>
    private void EmitSorted(string fill, bool isMap)
    {
        Out.Open($"if ({Wire}.IsSorted<F>())");
        EmitSorting($"{fill}<F, M>(ref w, ref p, value)", isMap);
        Out.Line("return ref p;");
        Out.Close();
        Out.Line();
    }

    private void EmitSorting(string fill, bool isMap)
    {
        Out.Line($"long start = {Wire}.BeginSorted(ref w, ref p);");
        Out.Line($"p = ref {fill};");
        Out.Line($"{Wire}.EndSorted<F>(ref w, ref p, start, {(isMap ? "true" : "false")});");
    }

    private protected override void EmitWriteUnion(UnionShape union)
    {
        EmitWriteHeader(union);
        EmitNullCheck("value is null");
        foreach (UnionCase item in union.Cases)
        {
            Out.Open($"if (value.GetType() == typeof({item.Value.Type}))");
            Out.Line("w.Enter();");
            EmitReserve(HeaderRoom(2) + 5 + Lead(item.Value));
            Out.Line("p = ref default(F).WriteArrayHeader(ref w, ref p, 2);");
            Out.Line($"p = ref default(F).Write(ref w, ref p, {Number(item.Tag)});");
            EmitWrite(item.Value, $"(({item.Value.Type})value)", default);
            Out.Line("w.Leave();");
            Out.Line("return ref p;");
            Out.Close();
            Out.Line();
        }

        if (union.UnknownType.Length > 0)
        {
            Out.Line($"if (value.GetType() == typeof({union.UnknownType}))");
            Out.Nested($"return ref {Wire}.WriteUnknownCase<F>(ref w, ref p, ({union.UnknownType})value);");
        }

        Out.Line($"{Wire}.ThrowUnlistedCase(value, typeof({union.Type}));");
        Out.Line("return ref p;");
        Out.Close();
    }

    private protected override void EmitReadUnion(UnionShape union)
    {
        EmitReadHeader(union);
        Out.Line("int byteOffset;");
        Out.Line($"int tag = {Wire}.ReadTag<F>(ref r, typeof({union.Type}), out byteOffset);");
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
            Out.Line($"value = {Wire}.ReadUnknownCase<F, {union.UnknownType}>(ref r, new {union.UnknownType}(), tag, byteOffset);");
        else
            Out.Line($"{Wire}.ThrowUnknownCase(tag, byteOffset, typeof({union.Type}));");
        if (union.UnknownType.Length == 0)
            Out.Line("value = null;");
        Out.Line("break;");
        Out.Close();
        Out.Close();
        Out.Line("r.Leave();");
        Out.Line("return value;");
        Out.Close();
    }
}
