using System.Collections.Generic;
using System.Linq;

namespace Formatters.Generator;

/// <summary>Prints the one traversal of a contract, generic over the wire format: docs/decisions/0005-one-traversal.md.</summary>
/// <remarks>A format is a struct of primitives, called as <c>default(TFormat)</c>: the code is printed once for all formats, and the JIT makes that of each.</remarks>
internal sealed partial class TraversalEmitter : WireEmitter
{
    private const string Wire = "global::Formatters.Generated.WireCode";
    private const string Format = "where TFormat : struct, global::Formatters.Generated.IWireFormat " + Mode;

    private const int MaxHeaderByteCount = 5;

    private readonly EquatableArray<WireModel> _wires;

    private TraversalEmitter(EquatableArray<WireModel> wires, string className, SourceWriter output)
        : base(wires[0], output, className) => _wires = wires;

    private protected override string Writer => "ref global::Formatters.Generated.WireWriter writer";

    private protected override string Reader => "ref global::Formatters.Generated.WireReader reader";

    /// <summary>Prints the traversals of a file: one for the formats that hold the same, which are those of a type.</summary>
    internal static void EmitAll(ContractModel model, SourceWriter output, System.Action emitSeparator)
    {
        foreach (IGrouping<string, WireModel> wires in model.Wires.Where(w => w.Format.IsTraversed()).GroupBy(w => ClassNameOf(model, w)))
        {
            emitSeparator();
            new TraversalEmitter(wires.ToEquatable(), wires.Key, output).Emit();
        }
    }

    /// <summary>The class of the traversal: a context may ask for other types in one format than in another.</summary>
    internal static string ClassNameOf(ContractModel model, WireModel wire) =>
        wire.Shapes.Equals(model.Wires.First(w => w.Format.IsTraversed()).Shapes) ? wire.Format.ClassName() : "Generated" + wire.Format + "Contract";

    private protected override IEnumerable<(WireFormat Format, PublishedContract Contract)> Published => _wires.SelectMany(w => w.Contracts.Select(c => (w.Format, c)));

    private protected override void EmitPublished(WireFormat format, PublishedContract contract)
    {
        string type = contract.Value.Type;
        string name = contract.PropertyName + "Code";
        string own = $"global::Formatters.Generated.{format}Format";
        Out.Open($"internal sealed class {name} : global::Formatters.{format.ContractName()}<{type}>");
        Out.Line($"internal static readonly {name} Instance = new {name}();");
        Out.Line();
        Out.Line($"public override void Write({Writer}, {type} value) => Write<{own}, {Anew}>(ref writer, value);");
        Out.Line();
        Out.Line(contract.Value.IsValueType
            ? $"public override {type} Read({Reader}, {type} existing) => Read<{own}, {Anew}>(ref reader, existing);"
            : $"public override {type} Read({Reader}, {type} existing) => existing is null ? Read<{own}, {Anew}>(ref reader, null) : Read<{own}, {Over}>(ref reader, existing);");
        Out.Line();
        Out.Line($"protected override void WriteTraced({Writer}, {type} value) => Write<{own}, {Traced}>(ref writer, value);");
        Out.Line();
        Out.Line($"protected override {type} ReadTraced({Reader}) => Read<{own}, {Traced}>(ref reader, default({type}));");
        Out.Line();
        Out.Open($"private static void Write<TFormat, TMode>({Writer}, {type} value) {Format}");
        EmitWriteRoot(contract.Value);
        Out.Close();
        Out.Line();
        Out.Open($"private static {type} Read<TFormat, TMode>({Reader}, {type} existing) {Format}");
        Out.Line($"{type} value;");
        EmitReadRoot(contract.Value);
        Out.Line("return value;");
        Out.Close();
        Out.Close();
    }

    private protected override void EmitWriteRoot(ValueModel value)
    {
        Out.Line($"ref byte position = ref {Code}.Begin(ref writer);");
        EmitReserve(Lead(value));
        EmitWrite(value, "value", 0);
        Out.Line($"{Code}.End(ref writer, ref position);");
    }

    private protected override void EmitReadRoot(ValueModel value) => EmitRead(value, "value", IsReusable(value) ? "existing" : null);

    private protected override void EmitShape(Shape shape)
    {
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

    /// <summary>The greatest size of a value in any format of the traversal, or -1 if it has none.</summary>
    private static int Bound(ValueModel value) => value.Kind != ValueKind.Scalar ? -1 : value.Name switch
    {
        "Boolean" => 1,
        "Byte" or "SByte" => 2,
        "Int16" or "UInt16" or "Char" => 3,
        "Int32" or "UInt32" or "Single" or "Half" => 5,
        "DateOnly" => 7,
        "Guid" => 19,
        "DateTime" or "DateTimeOffset" or "Decimal" => 36,
        "Int128" or "UInt128" => -1,
        _ => 9,
    };

    /// <summary>The bytes that must be reserved before a value is written: of one without a greatest size those of a null.</summary>
    private static int Lead(ValueModel value) => Bound(value) is int bound and >= 0 ? bound : value.IsNullable ? 1 : 0;

    private void EmitReserve(int byteCount)
    {
        if (byteCount > 0)
            Out.Line($"position = ref {Code}.Reserve(ref writer, ref position, {Number(byteCount)});");
    }

    private void EmitWriteHeader(string verb, Shape shape)
    {
        EmitInlining(shape);
        Out.Open($"{Scope(shape)} static ref byte {verb}{shape.Name}<TFormat, TMode>({Writer}, ref byte position, {shape.Type} value) {Format}");
    }

    private void EmitReadHeader(Shape shape)
    {
        EmitInlining(shape);
        Out.Open($"{Scope(shape)} static {shape.Type} Read{shape.Name}<TFormat, TMode>({Reader}, {shape.Type} existing) {Format}");
    }

    private void EmitNullCheck(string condition)
    {
        Out.Line($"if ({condition})");
        Out.Nested($"{Code}.ThrowUnexpectedNull();");
    }

    private static bool CanFail(ValueModel value) => value.Kind != ValueKind.Scalar;

    private protected override bool IsSmall(RecordShape record) => record.Form != RecordForm.Map && record.UnknownAccess.Length == 0 && base.IsSmall(record);

    /// <summary>Whether nothing in a record counts as a further level of nesting, so that its own need only be checked.</summary>
    private static bool IsLeaf(RecordShape record) => record.UnknownAccess.Length == 0 && record.Members.All(
        m => m.Value.Kind is ValueKind.Text or ValueKind.Bytes or ValueKind.Known || m.Value.Kind == ValueKind.Scalar && m.Value.Name != "DateTimeOffset");

    private void EmitEnter(RecordShape record, string which) => Out.Line($"{which}.{(IsLeaf(record) ? "Touch" : "Enter")}();");

    private void EmitLeave(RecordShape record, string which)
    {
        if (!IsLeaf(record))
            Out.Line(which + ".Leave();");
    }

    /// <summary>A name as constant bytes.</summary>
    private static string Utf8(MemberModel member) =>
        $"new byte[] {{ {string.Join(", ", System.Text.Encoding.UTF8.GetBytes(member.WireName).Select(b => Number(b)))} }}";

    /// <summary>Whether the strings of a record are written and read inline.</summary>
    private static bool InlinesTexts(RecordShape record) => Enumerable.Count(record.Members, m => m.Value.Kind == ValueKind.Text) <= 8;

    private string Foreign(ValueModel value)
    {
        string type = NonNullType(value);
        string contract = $"{type}.{_wires[_wires.Count - 1].Format.ContractName()}";
        for (int i = _wires.Count - 2; i >= 0; i--)
            contract = $"(typeof(TFormat) == typeof(global::Formatters.Generated.{_wires[i].Format}Format) ? (global::Formatters.TraversedContract<{type}>){type}.{_wires[i].Format.ContractName()} : {contract})";
        return contract;
    }
}
