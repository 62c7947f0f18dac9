namespace Formatters.Generator;

// A union: a tag, a byte count that is filled in at the end, and the object as its own type.
internal partial class ContractEmitter
{
    private protected override void EmitWriteUnion(UnionShape union)
    {
        EmitWriteHeader(union);
        EmitNullCheck("value is null");
        _out.Line("long start;");
        foreach (UnionCase item in union.Cases)
        {
            _out.Open($"if (value.GetType() == typeof({item.Value.Type}))");
            _out.Line($"p = ref {Code}.BeginCase<F>(ref w, ref p, {Number(item.Tag)}, out start);");
            EmitWrite(item.Value, $"(({item.Value.Type})value)", 0);
            _out.Line($"return ref {Code}.EndCase(ref w, ref p, start);");
            _out.Close();
            _out.Line();
        }

        if (union.UnknownType.Length > 0)
        {
            _out.Line($"if (value.GetType() == typeof({union.UnknownType}))");
            _out.Nested($"return ref {Code}.WriteUnknownCase<F>(ref w, ref p, ({union.UnknownType})value);");
        }

        _out.Line($"{Code}.ThrowUnlisted(value);");
        _out.Line("return ref p;");
        _out.Close();
    }

    private protected override void EmitReadUnion(UnionShape union)
    {
        EmitReadHeader(union);
        _out.Line($"int level = {Traces} ? {Code}.Level(ref r) : -1;");
        _out.Line($"int tag = {Code}.ReadCase<F>(ref r, out int end);");
        _out.Line($"{union.Type} value;");
        _out.Open("switch (tag)");
        foreach (UnionCase item in union.Cases)
        {
            _out.Open($"case {Number(item.Tag)}:");
            _out.Line($"{item.Value.Type} item;");
            EmitRead(item.Value, "item", CanReuse(item.Value) && !item.Value.IsValueType ? $"(existing as {item.Value.Type})" : null);
            _out.Line("value = item;");
            _out.Line("break;");
            _out.Close();
        }

        _out.Open("default:");
        if (union.UnknownType.Length > 0)
        {
            _out.Line($"return {Code}.ReadUnknownCase<F, {union.UnknownType}>(ref r, tag, end);");
        }
        else
        {
            _out.Line($"{Code}.ThrowUnknownTag<F>(ref r, tag);");
            _out.Line("return null;");
        }

        _out.Close();
        _out.Close();
        _out.Line($"if ({IsTraced}) {Code}.At(ref r, level);");
        _out.Line($"{Code}.EndCase(ref r, end);");
        _out.Line("return value;");
        _out.Close();
    }
}
