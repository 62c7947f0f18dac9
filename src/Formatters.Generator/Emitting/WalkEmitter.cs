using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;

namespace Formatters.Generator;

/// <summary>Prints a walk over the values of a type, generic over the formats that share it: the methods, and the loops over collections.</summary>
internal abstract class WalkEmitter : WireEmitter
{
    private readonly List<(string ClassName, EquatableArray<WireModel> Wires)> _others;
    private readonly List<ValueModel> _roots = [];

    private protected WalkEmitter(WireModel model, WalkClass walk, SourceWriter output)
        : base(model, output, walk.ClassName)
    {
        Wires = walk.Wires;
        _others = walk.Others;
    }

    /// <summary>Gets the formats whose code the class contains.</summary>
    private protected EquatableArray<WireModel> Wires { get; }

    /// <summary>Gets the constraint of the type parameter for a format.</summary>
    private protected abstract string FormatConstraint { get; }

    /// <summary>Gets the interface of the code of a type.</summary>
    private protected abstract string CodeInterface { get; }

    /// <summary>Returns an expression for whether the code runs for a format.</summary>
    private protected abstract string IsFormat(ContractFormats format);

    /// <summary>Prints the walks of a file: one for formats with the same content in the same order.</summary>
    internal static void EmitAll(ContractModel model, Func<ContractFormats, bool> isOfFamily, SourceWriter output, Action emitSeparator)
    {
        List<(string ClassName, EquatableArray<WireModel> Wires)> all = model.Wires.Where(w => isOfFamily(w.Format))
            .GroupBy(w => ClassNameOf(model, w)).Select(g => (g.Key, g.ToEquatable())).ToList();
        for (int i = 0; i < all.Count; i++)
        {
            emitSeparator();
            var walk = new WalkClass(all[i].ClassName, all[i].Wires, i == 0 ? all.Skip(1).ToList() : []);
            WalkEmitter emitter = walk.Wires[0].Format.IsTraversed()
                ? new TraversalEmitter(walk, output)
                : walk.Wires.Any(w => w.Format == ContractFormats.Versioned)
                ? new VersionedEmitter(walk, output)
                : new ContractEmitter(walk, output);
            emitter.Emit();
        }
    }

    /// <summary>Returns the code of a contract, as a type argument for the library.</summary>
    internal static string RootOf(ContractModel model, WireModel wire, PublishedContract contract)
    {
        string className = ClassNameOf(model, wire);
        List<ValueModel> roots = FamilyOf(model, wire).Where(w => ClassNameOf(model, w) == className).SelectMany(w => w.Contracts)
            .Select(c => c.Value).Distinct().ToList();
        return $"{className}.{RootName(roots.IndexOf(contract.Value))}";
    }

    /// <summary>Returns the name of the walk's class.</summary>
    /// <remarks>
    /// There are several if formats differ in content or order: by numbers or as declared, by names or by numbers, with a codec for one of them; or
    /// in a context that requests different types for different formats.
    /// </remarks>
    private static string ClassNameOf(ContractModel model, WireModel wire)
    {
        WireModel[] family = FamilyOf(model, wire);
        EquatableArray<Shape> shapes = WhatIsHeld(wire);
        WireModel first = family.First(w => WhatIsHeld(w).Equals(shapes));
        return ReferenceEquals(first, family[0]) ? first.Format.ClassName() : first.Format.OwnClassName();
    }

    private static WireModel[] FamilyOf(ContractModel model, WireModel wire) =>
        model.Wires.Where(w => w.Format.ClassName() == wire.Format.ClassName()).ToArray();

    private static EquatableArray<Shape> WhatIsHeld(WireModel wire) =>
        wire.Format.IsTraversed() ? TraversalEmitter.ShapesOf(wire) : VersionedEmitter.ShapesOf(wire);

    private static string RootName(int index) => "Root" + (index == 0 ? "" : Number(index));

    private protected sealed override IEnumerable<(ContractFormats Format, PublishedContract Contract)> Published =>
        Wires.SelectMany(w => w.Contracts.Select(c => (w.Format, c)));

    private protected override string TypeArguments => "<F, M>";

    private protected override string Constraints => $"where F : struct, {FormatConstraint} {Mode}";

    /// <summary>Prints the code of a value, which the contracts of all formats share.</summary>
    private protected sealed override void EmitPublished(ContractFormats format, PublishedContract contract)
    {
        ValueModel value = contract.Value;
        if (_roots.Contains(value))
            return;
        _roots.Add(value);
        Out.Open($"internal readonly struct {RootName(_roots.Count - 1)} : {CodeInterface}<{value.Type}>");
        EmitRoot(value);
        Out.Close();
    }

    /// <summary>Prints the members of the code of a value.</summary>
    private protected abstract void EmitRoot(ValueModel value);

    /// <summary>Prints the code of a contract: calls of the methods of its type, or inlined code.</summary>
    private protected void EmitCode(ValueModel value, bool isCall, Action emitWrite, Action emitRead)
    {
        string write = $"public ref byte Write{TypeArguments}({Writer}, ref byte p, {value.Type} value) {Constraints}";
        string read = $"public {value.Type} Read{TypeArguments}({Reader}, {value.Type} existing) {Constraints}";
        if (isCall)
        {
            Out.Line($"{write} => ref {MethodOf("Write", value)}(ref w, ref p, value);");
            Out.Line($"{read} => {MethodOf("Read", value)}(ref r, existing);");
            return;
        }

        EmitInlining(isInlined: true); // into the method of the contract: row "generated binary", write of order-0
        Out.Open(write);
        emitWrite();
        Out.Line("return ref p;");
        Out.Close();
        Out.Line();
        EmitInlining(isInlined: true);
        Out.Open(read);
        Out.Line($"{value.Type} value;");
        emitRead();
        Out.Line("return value;");
        Out.Close();
    }

    /// <summary>Prints the call of another class that has the code of the type in some formats.</summary>
    private void EmitOthers(Shape shape, string call)
    {
        if (shape.Name != Shape.OwnName)
            return;
        foreach ((string className, EquatableArray<WireModel> wires) in _others)
        {
            Out.Line($"if ({string.Join(" || ", wires.Select(w => IsFormat(w.Format)))})");
            Out.Nested($"return {string.Format(CultureInfo.InvariantCulture, call, className)};");
        }
    }

    /// <summary>Opens a method for writing.</summary>
    private protected void EmitWriteHeader(Shape shape, string verb = "Write")
    {
        EmitInlining(shape);
        Out.Open($"{Scope(shape)} static ref byte {verb}{shape.Name}{TypeArguments}({Writer}, ref byte p, {shape.Type} value) {Constraints}");
        if (verb == "Write")
            EmitOthers(shape, $"ref {{0}}.Write{shape.Name}{TypeArguments}(ref w, ref p, value)");
    }

    /// <summary>Opens a method for reading.</summary>
    private protected void EmitReadHeader(Shape shape)
    {
        EmitInlining(shape);
        Out.Open($"{Scope(shape)} static {shape.Type} Read{shape.Name}{TypeArguments}({Reader}, {shape.Type} existing) {Constraints}");
        EmitOthers(shape, $"{{0}}.Read{shape.Name}{TypeArguments}(ref r, existing)");
    }

    /// <summary>Returns the type arguments of the library's methods for lists of strings.</summary>
    private protected virtual string TextListArguments(ValueModel value) => TypeArguments;

    private protected sealed override string MethodOf(string verb, ValueModel value) => ShapeOf(value) is ListShape list && IsOfTexts(list)
        ? $"{Code}.{verb}Text{list.Kind}{TextListArguments(value)}"
        : base.MethodOf(verb, value);

    /// <summary>Determines whether the library has the code of a list: lists and arrays of strings are in most contracts.</summary>
    private protected static bool IsOfTexts(ListShape list) =>
        list is { HasSpan: true, Kind: ListKind.List or ListKind.Array, Element: { Kind: ValueKind.Text, IsNullable: false } };

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
            case ListShape list when !IsOfTexts(list):
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
            case MultidimensionalArrayShape grid:
                EmitWriteMultidimensional(grid);
                Out.Line();
                EmitReadMultidimensional(grid);
                break;
            case UnionShape union:
                EmitWriteUnion(union);
                Out.Line();
                EmitReadUnion(union);
                break;
        }
    }

    /// <summary>Prints the part of a shape besides its methods.</summary>
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

    private protected abstract void EmitWriteMultidimensional(MultidimensionalArrayShape grid);

    /// <summary>Returns the maximum size of a value; null if it is unbounded.</summary>
    private protected abstract int? Bound(ValueModel value);

    /// <summary>Returns the space that must be reserved before a value is written: for one of unbounded size that of its presence or null.</summary>
    private protected int Lead(ValueModel value) => Bound(value) ?? (value.IsNullable ? 1 : 0);

    /// <summary>Returns the space for the members from an index up to the next one of unbounded size.</summary>
    /// <param name="members">The members.</param>
    /// <param name="index">The first member.</param>
    /// <param name="before">Returns the space before a member; null if there is none.</param>
    private protected int RunFrom(EquatableArray<MemberModel> members, int index, Func<MemberModel, int>? before = null)
    {
        int byteCount = 0;
        for (; index < members.Count; index++)
        {
            byteCount += (before?.Invoke(members[index]) ?? 0) + Lead(members[index].Value);
            if (Bound(members[index].Value) is null)
                break;
        }

        return byteCount;
    }

    private protected void EmitReserve(int byteCount)
    {
        if (byteCount > 0)
            Out.Line($"p = ref {Code}.Reserve(ref w, ref p, {Number(byteCount)});");
    }

    /// <summary>
    /// Determines whether the strings of a record are written and read inline. Measured: two addresses with eight strings each take a tenth to a
    /// quarter less time than with calls.
    /// </summary>
    private protected static bool InlinesTexts(EquatableArray<MemberModel> members) =>
        Enumerable.Count(members, static member => member.Value.Kind == ValueKind.Text) <= 8;

    /// <summary>Determines whether writing a value can fail, so that its place must be known.</summary>
    // A number, too: a format of the application may reject it.
    private protected virtual bool CanFail(ValueModel value) => true;

    private protected void EmitWriteLevel(EquatableArray<MemberModel> members)
    {
        if (members.Any(m => CanFail(m.Value)))
            Out.Line($"int level = {Traces} ? {Code}.Level(ref w) : -1;");
    }

    private protected void EmitWriteMember(MemberModel member, int following, bool isInlined)
    {
        if (CanFail(member.Value))
            Out.Line($"if ({IsTraced}) {Code}.At(ref w, level, {Quote(member.Name)});");
        EmitWrite(member.Value, Get(member, "value"), following, isInlined);
    }

    /// <summary>Emits writing a value whose <see cref="Lead"/> is reserved; afterwards, space for the following run is reserved.</summary>
    /// <param name="value">The value.</param>
    /// <param name="expression">The value, as an expression.</param>
    /// <param name="following">The space for the following run.</param>
    /// <param name="isInlined">Whether a string is written inline.</param>
    /// <param name="isInRecord">Whether the depth has been counted.</param>
    private protected void EmitWrite(ValueModel value, string expression, int following, bool isInlined = true, bool isInRecord = false)
    {
        if (!value.IsNullable)
        {
            EmitWriteNonNull(value, expression, following, isInlined, isInRecord);
            return;
        }

        string local = Local("item");
        Out.Line($"{value.Type} {local} = {expression};");
        Out.Open(value.IsValueType ? $"if ({local}.HasValue)" : $"if (!({local} is null))");
        EmitPresence(isPresent: true);
        EmitWriteNonNull(value, value.IsValueType ? local + ".GetValueOrDefault()" : local, following, isInlined, isInRecord);
        Out.Close();
        Out.Open("else");
        EmitPresence(isPresent: false);
        if (Bound(value) is null)
            EmitReserve(following);
        Out.Close();
    }

    /// <summary>Emits writing what precedes a nullable value, or stands for null.</summary>
    private protected abstract void EmitPresence(bool isPresent);

    private protected abstract void EmitWriteNonNull(ValueModel value, string expression, int following, bool isInlined, bool isInRecord);

    /// <summary>Emits writing the number of elements.</summary>
    private protected abstract void EmitWriteCount(string count);

    /// <summary>Emits the beginning of written elements, and returns whether the depth is counted once for all.</summary>
    private protected virtual bool OpenWritten(ValueModel element, string count) => false;

    /// <summary>Emits the end after <see cref="EmitWriteCount"/> and <see cref="OpenWritten"/>.</summary>
    private protected abstract void CloseWritten(ValueModel element);

    /// <summary>Emits writing the elements in a loop with the index <c>i</c>.</summary>
    private protected void EmitWriteLoop(ValueModel element, string count, string loop, Func<string> prepare, string behind = "",
        bool isChecked = false)
    {
        bool isTraced = isChecked || CanFail(element);
        if (isTraced)
            Out.Line($"int level = {Traces} ? {Code}.Level(ref w) : -1;");
        bool isCounted = OpenWritten(element, count);
        Out.Open(loop);
        if (isTraced)
            Out.Line($"if ({IsTraced}) {Code}.At(ref w, level, null, i);");
        string expression = prepare();
        EmitReserve(Lead(element));
        EmitWrite(element, expression, 0, isInlined: true, isInRecord: isCounted);
        if (behind.Length > 0)
            Out.Line(behind);
        Out.Close();
        CloseWritten(element);
    }

    /// <summary>Emits writing the entries of a dictionary.</summary>
    private protected void EmitWriteEntries(DictionaryShape shape, string dictionary)
    {
        Out.Line($"int level = {Traces} ? {Code}.Level(ref w) : -1;");
        Out.Line("int i = 0;");
        Out.Open(
            $"foreach (global::System.Collections.Generic.KeyValuePair<{shape.Key.Type}, {shape.Value.Type}> entry in {dictionary})");
        Out.Line($"if ({IsTraced}) {Code}.At(ref w, level, null, i++);");
        EmitReserve(Lead(shape.Key) + (Bound(shape.Key) is null ? 0 : Lead(shape.Value)));
        EmitWrite(shape.Key, "entry.Key", Lead(shape.Value));
        EmitWrite(shape.Value, "entry.Value", 0);
        Out.Close();
    }

    /// <summary>Emits reading the number of elements into <c>count</c>.</summary>
    private protected abstract void EmitReadCount(ValueModel element);

    /// <summary>Emits reading the lengths of a multidimensional array, and the number of elements.</summary>
    private protected abstract void EmitReadLengths(MultidimensionalArrayShape grid);

    /// <summary>Emits the beginning of the elements.</summary>
    private protected virtual void OpenElements(ValueModel element)
    {
    }

    /// <summary>Emits the end after <see cref="OpenElements"/> or <see cref="EmitReadCount"/>.</summary>
    private protected abstract void CloseElements(ValueModel element);

    /// <summary>Emits the end after <see cref="OpenElements"/> or <see cref="EmitReadLengths"/>.</summary>
    private protected virtual void CloseMultidimensional(ValueModel element) => CloseElements(element);

    /// <summary>Emits reading a value into the local <c>element</c>.</summary>
    private protected abstract void EmitReadElement(ValueModel element, string? existing, bool isTraced = true);

    /// <summary>Determines whether an existing element can be reused.</summary>
    private protected abstract bool CanReuseElement(ValueModel element);

    /// <summary>Emits writing the number of elements, and all elements at once, if the format can.</summary>
    /// <param name="list">The list.</param>
    /// <param name="elements">The elements, as an expression that converts to a span.</param>
    private protected virtual bool TryEmitWriteBlock(ListShape list, string elements) => false;

    /// <summary>Emits reading the number of elements, and all elements at once, and the return, if the format can.</summary>
    private protected virtual bool TryEmitReadBlock(ListShape list) => false;

    /// <summary>Emits reading all records at once, after their number, and the return, if the format can.</summary>
    private protected virtual void EmitReadRecords(ListShape list)
    {
    }

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

        if (TryEmitWriteBlock(shape, list))
        {
            Out.Line("return ref p;");
            Out.Close();
            return;
        }

        string count = EmitCount(shape, list);
        EmitWriteCount(count);
        EmitWriteLoop(element, count, $"for (int i = 0; i < {count}; i++)", () =>
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
        Out.Line("return ref p;");
        Out.Close();
    }

    private protected virtual void EmitWriteSequence(SequenceShape shape)
    {
        EmitWriteHeader(shape);
        EmitNullCheck(shape.IsValueType ? "value.IsDefault" : "value is null");
        if (shape.Recipe.IsSet)
            Out.Line($"{Code}.CheckElements<{shape.Element.Type}>(value);");
        EmitWriteItems(shape);
    }

    /// <summary>Emits rejecting keys that only the dictionary's own comparer distinguishes; if it is copied, the copy does this.</summary>
    private protected void EmitKeyCheck(DictionaryShape shape)
    {
        if (shape.Source.Length == 0)
            Out.Line($"{Code}.CheckKeys<{shape.Key.Type}, {shape.Value.Type}>(value);");
    }

    /// <summary>Emits writing the elements of an enumerated collection, to the end of the method.</summary>
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
        EmitWriteCount(count);
        EmitWriteLoop(shape.Element, count, $"foreach ({shape.Element.Type} element in {source})", () => "element", "i++;");
        Out.Line("return ref p;");
        Out.Close();
    }

    private void EmitReadList(ListShape shape)
    {
        ValueModel element = shape.Element;
        string type = element.Type;
        EmitReadHeader(shape);
        if (TryEmitReadBlock(shape))
        {
            Out.Close();
            return;
        }

        EmitReadCount(element);
        EmitReadRecords(shape);
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

    private void EmitReadMultidimensional(MultidimensionalArrayShape shape)
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
        CloseMultidimensional(element);
        Out.Line("return grid;");
        Out.Close();
    }

    /// <summary>Returns the expression that creates a collection from what was read.</summary>
    private protected static string Make(CollectionRecipe recipe, string items, params string[] types) =>
        string.Format(CultureInfo.InvariantCulture, recipe.Make, [items, .. types]);
}

/// <summary>A generated class with a walk.</summary>
/// <param name="ClassName">Its name.</param>
/// <param name="Wires">The formats whose code it contains.</param>
/// <param name="Others">For the first class, those with the code of further formats, to which it delegates.</param>
internal sealed record WalkClass(string ClassName, EquatableArray<WireModel> Wires, List<(string ClassName, EquatableArray<WireModel> Wires)> Others);
