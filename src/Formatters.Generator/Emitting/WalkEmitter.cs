using System;
using System.Globalization;
using System.Linq;

namespace Formatters.Generator;

/// <summary>Prints a walk over the values of a type that is the same in several formats: which methods there are, and the loops over collections.</summary>
internal abstract class WalkEmitter(WireModel model, SourceWriter output, string? className = null) : WireEmitter(model, output, className)
{
    private protected sealed override void EmitShape(Shape shape)
    {
        EmitBefore(shape);
        switch (shape)
        {
            case RecordShape record:
                EmitWriteRecord(record);
                Out.Line();
                EmitReadRecord(record);
                break;
            case ListShape list:
                EmitWriteList(list);
                Out.Line();
                EmitReadList(list);
                break;
            case SequenceShape sequence:
                EmitWriteSequence(sequence);
                Out.Line();
                EmitReadSequence(sequence);
                break;
            case DictionaryShape dictionary:
                EmitWriteDictionary(dictionary);
                Out.Line();
                EmitReadDictionary(dictionary);
                break;
            case GridShape grid:
                EmitWriteGrid(grid);
                Out.Line();
                EmitReadGrid(grid);
                break;
            case UnionShape union:
                EmitWriteUnion(union);
                Out.Line();
                EmitReadUnion(union);
                break;
        }
    }

    /// <summary>Prints what a shape has beside its methods.</summary>
    private protected virtual void EmitBefore(Shape shape)
    {
    }

    private protected abstract void EmitWriteRecord(RecordShape record);

    private protected abstract void EmitReadRecord(RecordShape record);

    private protected abstract void EmitWriteUnion(UnionShape union);

    private protected abstract void EmitReadUnion(UnionShape union);

    private protected abstract void EmitWriteDictionary(DictionaryShape dictionary);

    private protected abstract void EmitReadDictionary(DictionaryShape dictionary);

    private protected abstract void EmitReadSequence(SequenceShape sequence);

    private protected abstract void EmitWriteGrid(GridShape grid);

    /// <summary>Opens a method that writes.</summary>
    private protected abstract void EmitWriteHeader(Shape shape, string verb = "Write");

    /// <summary>Opens a method that reads.</summary>
    private protected abstract void EmitReadHeader(Shape shape);

    /// <summary>Writes how many elements there are, and the elements in a loop with the index <c>i</c>.</summary>
    private protected abstract void EmitWriteElements(ValueModel element, string count, string loop, Func<string> prepare, string behind = "", bool isChecked = false);

    /// <summary>Reads how many elements there are, into <c>count</c>.</summary>
    private protected abstract void EmitReadCount(ValueModel element);

    /// <summary>Reads the lengths of a multidimensional array, and how many elements there are.</summary>
    private protected abstract void EmitReadLengths(GridShape grid);

    /// <summary>Begins the elements.</summary>
    private protected virtual void OpenElements(ValueModel element)
    {
    }

    /// <summary>Ends what <see cref="OpenElements"/> or <see cref="EmitReadCount"/> has begun.</summary>
    private protected abstract void CloseElements(ValueModel element);

    /// <summary>Ends what <see cref="OpenElements"/> or <see cref="EmitReadLengths"/> has begun.</summary>
    private protected virtual void CloseGrid(ValueModel element) => CloseElements(element);

    /// <summary>Reads a value into the local <c>element</c>.</summary>
    private protected abstract void EmitReadElement(ValueModel element, string? existing, bool isTraced = true);

    /// <summary>Whether an existing element can be reused.</summary>
    private protected abstract bool CanReuseElement(ValueModel element);

    private protected void EmitNullCheck(string condition)
    {
        Out.Line($"if ({condition})");
        Out.Nested($"{Code}.ThrowUnexpectedNull();");
    }

    private void EmitWriteList(ListShape shape)
    {
        ValueModel element = shape.Element;
        EmitWriteHeader(shape);
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

    private protected virtual void EmitWriteSequence(SequenceShape shape)
    {
        EmitWriteHeader(shape);
        EmitNullCheck(shape.IsValueType ? "value.IsDefault" : "value is null");
        EmitWriteItems(shape);
    }

    /// <summary>Writes the elements of a collection that is enumerated, to the end of the method.</summary>
    private protected void EmitWriteItems(SequenceShape shape)
    {
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

    private void EmitReadList(ListShape shape)
    {
        ValueModel element = shape.Element;
        string type = element.Type;
        EmitReadHeader(shape);
        EmitReadCount(element);
        (string listType, string reuse, string make) = shape.Kind switch
        {
            ListKind.Array => (shape.Type, $"ReuseArray<{type}>", $"{Code}.ReuseArray<{type}>(null, count)"),
            ListKind.ArrayList => (ArrayList, "ReuseArrayList", $"new {ArrayList}(count)"),
            _ => ($"{List}<{type}>", $"ReuseList<{type}>", $"new {List}<{type}>(count)"),
        };
        Out.Line($"{listType} list = {Reuses} ? {Code}.{reuse}(existing, count) : {make};");
        OpenElements(element);
        string old = shape.Kind == ListKind.ArrayList ? $"(list[i] as {type})" : "list[i]";
        bool isReused = CanReuseElement(element) && (shape.Kind != ListKind.ArrayList || !element.IsValueType);
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
            EmitReadElement(element, isReused ? "old" : null, isTraced: false);
            if (isReused && !element.IsValueType)
                Out.Open("if (!ReferenceEquals(element, old))");
            Out.Line("list[i] = element;");
            if (isReused && !element.IsValueType)
                Out.Close();
            Out.Close();
            Out.Close();
            Out.Line();
            Out.Open("for (; i < count; i++)");
            EmitReadElement(element, null);
            Out.Line("list.Add(element);");
            Out.Close();
        }

        CloseElements(element);
        Out.Line("return list;");
        Out.Close();
    }

    private void EmitReadGrid(GridShape shape)
    {
        ValueModel element = shape.Element;
        EmitReadHeader(shape);
        EmitReadLengths(shape);
        Out.Line($"{shape.Type} grid = {Code}.NewGrid<{shape.Type}>(lengths);");
        OpenElements(element);
        Out.Line("int i = 0;");
        string[] indexes = Enumerable.Range(0, shape.Rank).Select(d => "i" + Number(d)).ToArray();
        for (int d = 0; d < shape.Rank; d++)
            Out.Open($"for (int {indexes[d]} = 0; {indexes[d]} < lengths[{Number(d)}]; {indexes[d]}++)");
        EmitReadElement(element, null);
        Out.Line("i++;");
        Out.Line($"grid[{string.Join(", ", indexes)}] = element;");
        for (int d = 0; d < shape.Rank; d++)
            Out.Close();
        CloseGrid(element);
        Out.Line("return grid;");
        Out.Close();
    }

    /// <summary>The expression that makes a collection of what was read.</summary>
    private protected static string Make(CollectionRecipe recipe, string items, params string[] types) =>
        string.Format(CultureInfo.InvariantCulture, recipe.Make, [items, .. types]);
}
