using System.Collections.Generic;
using System.Globalization;
using System.Linq;

namespace Formatters.Generator;

/// <summary>Prints the class with the code of one wire format: the format-independent part.</summary>
internal abstract partial class WireEmitter
{
    private protected const string Code = "__C";
    private protected const string Parts = "__F::ContractParts";
    private protected const string Proto = "__P";
    private protected const string Anew = "__F::Anew";
    private protected const string Over = "__F::Over";
    private protected const string Traced = "__F::Traced";
    private protected const string Traces = "typeof(M) == typeof(" + Traced + ")";

    /// <summary>
    /// The expression for whether the member path is tracked, by the depth that a method has found: shorter than <see cref="Traces"/>, and much
    /// faster to compile.
    /// </summary>
    private protected const string IsTraced = "level >= 0";

    private protected const string Mode = "where M : struct, __F::IMode";
    private protected const string Reuses = Code + ".Reuses<M>()";
    private protected const string ArrayList = "global::System.Collections.ArrayList";
    private protected const string List = "global::System.Collections.Generic.List";

    private int _localCount;

    private protected WireEmitter(WireModel model, SourceWriter output, string? className = null)
    {
        Model = model;
        Out = output;
        ClassName = className ?? model.Format.ClassName();
    }

    private protected WireModel Model { get; }

    private protected SourceWriter Out { get; }

    /// <summary>Gets the name of the class.</summary>
    private protected string ClassName { get; }

    /// <summary>Gets the parameter declaration of a writer.</summary>
    private protected abstract string Writer { get; }

    /// <summary>Gets the parameter declaration of a reader.</summary>
    private protected abstract string Reader { get; }

    /// <summary>Gets the class with the methods that keep the member path.</summary>
    private protected virtual string PathCode => Code;

    internal static void Emit(WireModel model, SourceWriter output, bool isCSharp11)
    {
        WireEmitter emitter = model.Format switch
        {
            ContractFormats.Protobuf => new ProtobufEmitter(model, output),
            _ => new XmlEmitter(model, output, isCSharp11),
        };
        emitter.Emit();
    }

    internal void Emit()
    {
        // Within code that is itself obsolete, members that are obsolete as an error can be used: bodies still contain them.
        Out.Line("[global::System.CodeDom.Compiler.GeneratedCode(\"Formatters.Generator\", \"1\"), "
            + "global::System.ComponentModel.EditorBrowsable(global::System.ComponentModel.EditorBrowsableState.Never), global::System.Obsolete]");
        Out.OpenFlat("internal static class " + ClassName);
        bool isFirst = true;
        foreach ((ContractFormats format, PublishedContract contract) in Published)
        {
            if (!isFirst)
                Out.Line();
            isFirst = false;
            EmitPublished(format, contract);
        }

        foreach (Shape shape in Model.Shapes)
        {
            _localCount = 0;
            Out.Line();
            EmitShape(shape);
        }

        foreach (AccessorModel accessor in Model.Accessors)
            EmitAccessor(accessor);
        Out.Close();
    }

    /// <summary>Gets the published contracts with their formats.</summary>
    private protected virtual IEnumerable<(ContractFormats Format, PublishedContract Contract)> Published =>
        Model.Contracts.Select(c => (Model.Format, c));

    /// <summary>Prints the code of a contract, from which the library creates the contract.</summary>
    private protected abstract void EmitPublished(ContractFormats format, PublishedContract contract);

    /// <summary>Returns the method of a record, a collection or a union, in this file or another one of the assembly.</summary>
    private protected virtual string MethodOf(string verb, ValueModel value) =>
        (value.Kind == ValueKind.Contract
            ? $"{value.Name}.{Model.Format.ClassName()}.{verb}Self"
            : verb + Model.Shapes[value.Shape].Name) + TypeArguments;

    /// <summary>Gets the type parameters of all methods.</summary>
    private protected virtual string TypeArguments => "<M>";

    /// <summary>Gets the constraints of the type parameters.</summary>
    private protected virtual string Constraints => Mode;

    /// <summary>Prints the methods of a record, a collection or a union.</summary>
    private protected abstract void EmitShape(Shape shape);

    /// <summary>Returns a new name for a local of the method.</summary>
    private protected string Local(string name) => name + Number(++_localCount);

    private protected static string Number(int value) => value.ToString(CultureInfo.InvariantCulture);

    private protected static string Quote(string text) => Microsoft.CodeAnalysis.CSharp.SymbolDisplay.FormatLiteral(text, quote: true);

    private protected static string NonNullType(ValueModel value) => value.IsNullable && value.IsValueType ? value.Type.TrimEnd('?') : value.Type;

    private protected RecordShape? RecordOf(ValueModel value) => value.Kind == ValueKind.Shape ? Model.Shapes[value.Shape] as RecordShape : null;

    /// <summary>Determines whether it is bytes that convert implicitly from an array and to a <c>ReadOnlyMemory&lt;byte&gt;</c>.</summary>
    private protected static bool IsMemory(ValueModel value) => value is { Kind: ValueKind.Known, Name: "Memory" or "ReadOnlyMemory" };

    /// <summary>Determines whether an existing value can be filled, or be kept if it is equal.</summary>
    private protected bool IsReusable(ValueModel value) => !value.IsValueType && value.Kind switch
    {
        ValueKind.Text or ValueKind.Bytes or ValueKind.OwnBody or ValueKind.Formatted or ValueKind.Contract or ValueKind.ForeignContract => true,
        ValueKind.Shape => Model.Shapes[value.Shape] switch
        {
            RecordShape record => !record.IsMadeAtOnce,
            ListShape or UnionShape => true,
            DictionaryShape dictionary => dictionary.Recipe is null,
            _ => false,
        },
        _ => false,
    };

    /// <summary>Emits copying a collection that may change while it is written into an array.</summary>
    /// <returns>The expression to write: the value itself, or the copy.</returns>
    private protected string EmitSource(CollectionRecipe? recipe)
    {
        if (recipe is not { IsConcurrent: true })
            return "value";
        Out.Line("var copy = value.ToArray();");
        return "copy";
    }

    /// <summary>Returns the elements of a list while it is written, with a length and an index.</summary>
    /// <remarks>
    /// A span, without the list's own check of every index, and by no method of the library: a generic one has to find its own type arguments. Row
    /// "generated binary", first write in a process.
    /// </remarks>
    private protected static string Items(ListShape list, string expression) =>
        list.HasSpan
        ? $"global::System.Runtime.InteropServices.CollectionsMarshal.AsSpan({expression})"
        : $"new __F::ListItems<{list.Element.Type}>({expression})";

    /// <summary>Returns the number of elements as an expression that stays constant even if a getter changes an <c>ArrayList</c>.</summary>
    private protected string EmitCount(ListShape list, string expression)
    {
        if (list.Kind != ListKind.ArrayList)
            return expression + ".Length";
        Out.Line($"int count = {expression}.Count;");
        return "count";
    }

    /// <summary>Emits checking that an object is not null and has exactly the declared class: one comparison of the method table.</summary>
    private protected void EmitObjectCheck(RecordShape record)
    {
        if (record.IsValueType)
            return;
        Out.Line(record.ChecksDerived ? $"if (value is null || ((object)value).GetType() != typeof({record.Type}))" : "if (value is null)");
        Out.Nested(record.ChecksDerived ? $"{Code}.ThrowDerived(value, typeof({record.Type}));" : $"{Code}.ThrowUnexpectedNull();");
    }

    private protected static string NewExpression(RecordShape record) =>
        record.Type[0] == '(' || record.IsPlaceholder ? $"default({record.Type})" : $"new {record.Type}()";

    /// <summary>Emits declaring the object to fill: the existing one, if it has the type, or a new one.</summary>
    private protected void EmitTarget(RecordShape record)
    {
        Out.Line($"{record.Type} value = {(record.IsValueType ? "" : Reuses + " ? existing : ")}{NewExpression(record)};");
    }

    /// <summary>Returns an expression that creates an object from members in locals: constructor arguments, and an object initializer.</summary>
    private protected static string MakeExpression(RecordShape record, bool isRequiredOnly, string? furtherInitializer = null)
    {
        string arguments = string.Join(", ", record.ConstructorMembers.Select(i => "member" + Number(i)));
        var initializers = Enumerable.Range(0, record.Members.Count)
            .Where(i => record.Members[i].Setter == MemberSetter.Initializer && (record.Members[i].IsRequired || !isRequiredOnly))
            .Select(i => $"{record.Members[i].Access} = member{Number(i)}").ToList();
        if (furtherInitializer is not null)
            initializers.Add(furtherInitializer);
        return $"new {record.Type}({arguments}){(initializers.Count > 0 ? $" {{ {string.Join(", ", initializers)} }}" : "")}";
    }

    /// <summary>Determines whether a record is better written in the loop of its list than by a call: scalars and at most one string.</summary>
    /// <remarks>Measured: Order with 50 items, a tenth of the time. With several strings the copies of their code cost more than the calls.</remarks>
    private protected virtual bool IsSmall(RecordShape record)
    {
        int textCount = 0;
        foreach (MemberModel member in record.Members)
        {
            if (member.Value.Kind == ValueKind.Text && !member.Value.IsNullable)
                textCount++;
            else if (member.Value.Kind != ValueKind.Scalar)
                return false;
        }

        return textCount <= 1 && record.Members.Count <= 8;
    }

    /// <summary>Emits whether the code of a shape is inlined into its callers.</summary>
    /// <remarks>
    /// A small record is. Any other must not be: the JIT limits inlining into a method by a multiple of its own size, and a caller of two lines that
    /// inlines a whole record keeps calls where single stores should be. Row "generated binary", write of order-0: a third less time. Nor must a loop
    /// over elements, which would share the registers of its caller. Row "generated versioned", write of order-50: a tenth less time.
    /// </remarks>
    private protected void EmitInlining(Shape shape)
    {
        if (shape is not UnionShape)
            EmitInlining(shape is RecordShape record && IsSmall(record));
    }

    /// <summary>
    /// Returns the accessibility of a shape's code: contracts that contain the type call that of the type itself; any other may be of a private type.
    /// </summary>
    private protected static string Scope(Shape shape) => shape.Name == Shape.OwnName ? "internal" : "private";

    private protected void EmitInlining(bool isInlined) =>
        Out.Line($"[__R::MethodImpl({(isInlined ? "256" : "8")})]");

    /// <summary>Emits reading into a new object if there is none of the type.</summary>
    private protected void EmitExistingCheck(RecordShape record, bool isFilled, string typeArguments)
    {
        string isOther = record.IsSealed || !isFilled ? "existing is null" : $"(existing is null || existing.GetType() != typeof({record.Type}))";
        Out.Line($"if ({Reuses} && {isOther})");
        Out.Nested($"return Read{record.Name}<{typeArguments}>(ref r, null);");
    }

    /// <summary>
    /// Determines whether a member gets a new value each time: its setter may copy it, and would lose the content if it got back the getter's object.
    /// </summary>
    private protected static bool IsReplaced(RecordShape record, MemberModel member) =>
        !record.IsMadeAtOnce && member.Setter == MemberSetter.Code && member.Value.Kind is not (ValueKind.Scalar or ValueKind.Text);

    /// <summary>Returns the element type of a member's collection; null if a setter cannot add to it: an array, or not a collection.</summary>
    private string? ElementOf(MemberModel member) => ShapeOf(member.Value) switch
    {
        ListShape { Kind: not ListKind.Array } list => list.Element.Type,
        SequenceShape sequence => sequence.Element.Type,
        DictionaryShape dictionary => $"global::System.Collections.Generic.KeyValuePair<{dictionary.Key.Type}, {dictionary.Value.Type}>",
        _ => null,
    };

    private protected Shape? ShapeOf(ValueModel value) => value.Kind == ValueKind.Shape ? Model.Shapes[value.Shape] : null;

    /// <summary>Determines whether a collection that is read gets the comparer of the member's current one.</summary>
    private protected bool KeepsComparer(RecordShape record, MemberModel member) =>
        !record.IsMadeAtOnce && member.Setter is MemberSetter.Plain or MemberSetter.Code && HasComparer(member);

    private bool HasComparer(MemberModel member) =>
        ShapeOf(member.Value) is SequenceShape { Recipe.IsSet: true } or DictionaryShape { IsOfObjects: false };

    /// <summary>Returns a statement that sets a member to a value that was not read, if the body has none.</summary>
    /// <param name="record">The record, in the local <c>value</c>.</param>
    /// <param name="member">The member.</param>
    /// <param name="value">The value.</param>
    /// <param name="isReused">Whether the object existed, as an expression.</param>
    private protected string Renew(RecordShape record, MemberModel member, string value, string isReused) =>
        IsReplaced(record, member) && ElementOf(member) is string element
            ? $"{{ if ({isReused}) {Code}.Empty<{element}>({Get(member, "value")}); {Set(member, "value", value)} }}" : Set(member, "value", value);

    /// <summary>Emits setting a member to the value that was read, in a local.</summary>
    /// <param name="record">The record, in the local <c>value</c>.</param>
    /// <param name="member">The member.</param>
    /// <param name="local">The local.</param>
    /// <param name="isReused">Whether the object existed, as an expression.</param>
    /// <param name="byteOffset">The offset of the value's end, as an expression.</param>
    private protected void EmitSet(RecordShape record, MemberModel member, string local, string isReused, string byteOffset)
    {
        if (KeepsComparer(record, member))
            EmitKeepComparer(member, local, Get(member, "value"), byteOffset);

        if (IsReplaced(record, member) && ElementOf(member) is string element)
        {
            Out.Line($"if ({isReused})");
            Out.Nested($"{Code}.Empty<{element}>({Get(member, "value")});");
        }

        Out.Line(Set(member, "value", local));
    }

    /// <summary>Emits giving a collection that was read, in a local, the comparer of another one.</summary>
    private void EmitKeepComparer(MemberModel member, string local, string current, string byteOffset)
    {
        Out.Line($"if ({IsTraced}) {PathCode}.At(ref r, level, {Quote(member.Name)});");
        Out.Line(ShapeOf(member.Value) is DictionaryShape dictionary
            ? $"{local} = {Code}.KeepComparer<{member.Value.Type}, {dictionary.Key.Type}, {dictionary.Value.Type}>({local}, {current}, "
                + $"{byteOffset});"
            : $"{local} = {Code}.KeepSetComparer<{member.Value.Type}, {((SequenceShape)ShapeOf(member.Value)!).Element.Type}>({local}, "
                + $"{current}, {byteOffset});");
    }

    /// <summary>
    /// Emits giving the collections of an object initializer the comparers that a new object without them has; the members were read into locals.
    /// </summary>
    private protected void EmitKeepInitialComparers(RecordShape record)
    {
        var kept = Enumerable.Range(0, record.Members.Count)
            .Where(i => record.Members[i] is { Setter: MemberSetter.Initializer, IsRequired: false } && HasComparer(record.Members[i])).ToList();
        if (kept.Count == 0)
            return;
        Out.Open();
        Out.Line($"{record.Type} declared = {MakeExpression(record, isRequiredOnly: true)};");
        foreach (int i in kept)
            EmitKeepComparer(record.Members[i], "member" + Number(i), Get(record.Members[i], "declared"), "r.ByteOffset");
        Out.Line($"if ({IsTraced}) {PathCode}.At(ref r, level);");
        Out.Close();
    }

    private protected void EmitSetAfterwards(MemberModel member, int index)
    {
        if (member.Setter is MemberSetter.Plain or MemberSetter.Code && HasComparer(member))
            EmitKeepComparer(member, "member" + Number(index), Get(member, "value"), "r.ByteOffset");
        else if (member.Setter == MemberSetter.Code)
            Out.Line($"if ({IsTraced}) {PathCode}.At(ref r, level, {Quote(member.Name)});");
        if (member.Setter is MemberSetter.Plain or MemberSetter.Code)
            Out.Line(Set(member, "value", "member" + Number(index)));
    }

    /// <summary>Emits writing constant bytes in as few stores as possible; the space is already reserved.</summary>
    private protected void EmitWriteConstant(byte[] bytes)
    {
        for (int at = 0; at < bytes.Length;)
        {
            int left = bytes.Length - at;
            int byteCount = left >= 8 ? 8 : left >= 4 ? 4 : left >= 2 ? 2 : 1;
            string type = byteCount switch { 8 => "long", 4 => "int", 2 => "short", _ => "byte" };
            Out.Line($"p = ref {Code}.Write(ref p, unchecked(({type}){Constant(bytes, at, byteCount)}));");
            at += byteCount;
        }
    }

    private protected static string Constant(byte[] bytes, int at, int byteCount) =>
        "0x" + string.Concat(Enumerable.Range(1, byteCount).Select(i => bytes[at + byteCount - i].ToString("X2", CultureInfo.InvariantCulture)))
        + "UL";
}
