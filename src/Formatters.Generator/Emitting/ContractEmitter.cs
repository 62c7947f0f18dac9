using System.Collections.Generic;
using System.Globalization;
using System.Linq;

namespace Formatters.Generator;

/// <summary>Prints the code of the binary wire format; that of the versioned one differs in its records.</summary>
internal partial class ContractEmitter
{
    private protected const string Code = "global::Formatters.Generated.ContractCode";
    private protected const string Anew = "global::Formatters.Generated.Anew";
    private protected const string Over = "global::Formatters.Generated.Over";
    private protected const string Traced = "global::Formatters.Generated.Traced";
    private protected const string Writer = "ref global::Formatters.BinaryBodyWriter writer";
    private protected const string Reader = "ref global::Formatters.BinaryBodyReader reader";
    private protected const string Mode = "where TMode : struct, global::Formatters.Generated.IMode";
    private protected const string Reuses = Code + ".Reuses<TMode>()";
    private protected const string ArrayList = "global::System.Collections.ArrayList";
    private protected const string List = "global::System.Collections.Generic.List";

    /// <summary>A tag and a byte count.</summary>
    private protected const int MinUnionByteCount = 5;

    private readonly WireModel _model;
    private readonly SourceWriter _out;
    private readonly string _className;
    private int _localCount;

    private protected ContractEmitter(WireModel model, SourceWriter output)
    {
        _model = model;
        _out = output;
        _className = model.Format.ClassName();
    }

    private protected WireModel Model => _model;

    private protected SourceWriter Out => _out;

    /// <summary>Prints the class that holds the code of one wire format.</summary>
    internal static void Emit(WireModel model, SourceWriter output)
    {
        ContractEmitter emitter = model.Format switch
        {
            WireFormat.Versioned => new VersionedEmitter(model, output),
            _ => new ContractEmitter(model, output),
        };
        emitter.Emit();
    }

    private void Emit()
    {
        _out.Line("[global::System.CodeDom.Compiler.GeneratedCode(\"Formatters.Generator\", \"1\")]");
        _out.Line("[global::System.ComponentModel.EditorBrowsable(global::System.ComponentModel.EditorBrowsableState.Never)]");
        _out.Open("internal static class " + _className);
        for (int i = 0; i < _model.Contracts.Count; i++)
        {
            if (i > 0)
                _out.Line();
            EmitPublished(_model.Contracts[i]);
        }

        foreach (Shape shape in _model.Shapes)
            EmitShape(shape);
        foreach (AccessorModel accessor in _model.Accessors)
            EmitAccessor(accessor);
        _out.Close();
    }

    private void EmitPublished(PublishedContract contract)
    {
        ValueModel value = contract.Value;
        string type = value.Type;
        string name = contract.PropertyName + "Code";
        _out.Open($"internal sealed class {name} : global::Formatters.{_model.Format.ContractName()}<{type}>");
        _out.Line($"internal static readonly {name} Instance = new {name}();");
        _out.Line();
        _out.Line($"public override int MinByteCount => {MinByteCount(value)};");
        _out.Line();
        _out.Line($"public override void Write({Writer}, {type} value) => Write<{Anew}>(ref writer, value);");
        _out.Line();
        _out.Line(value.IsValueType
            ? $"public override {type} Read({Reader}, {type} existing) => Read<{Anew}>(ref reader, existing);"
            : $"public override {type} Read({Reader}, {type} existing) => existing is null ? Read<{Anew}>(ref reader, null) : Read<{Over}>(ref reader, existing);");
        _out.Line();
        _out.Line($"protected override void WriteTraced({Writer}, {type} value) => Write<{Traced}>(ref writer, value);");
        _out.Line();
        _out.Line($"protected override {type} ReadTraced({Reader}) => Read<{Traced}>(ref reader, default({type}));");
        _out.Line();
        _out.Open($"private static void Write<TMode>({Writer}, {type} value) {Mode}");
        EmitWriteRoot(value);
        _out.Close();
        _out.Line();
        _out.Open($"private static {type} Read<TMode>({Reader}, {type} existing) {Mode}");
        _out.Line($"{type} value;");
        EmitRead(value, "value", IsReusable(value) ? "existing" : null);
        _out.Line("return value;");
        _out.Close();
        _out.Close();
    }

    private protected virtual void EmitWriteRoot(ValueModel value)
    {
        _out.Line($"ref byte position = ref {Code}.Begin(ref writer);");
        EmitReserve(Lead(value));
        EmitWrite(value, "value", 0);
        _out.Line($"{Code}.End(ref writer, ref position);");
    }

    private void EmitShape(Shape shape)
    {
        _localCount = 0;
        _out.Line();
        switch (shape)
        {
            case RecordShape record:
                _out.Line($"internal static int {record.Name}MinByteCount => {Sum(record.Members.Select(m => m.Value))};");
                _out.Line();
                EmitWriteRecord(record);
                _out.Line();
                EmitReadRecord(record);
                EmitFurther(record);
                break;
            case ListShape list:
                EmitWriteList(list);
                _out.Line();
                EmitReadList(list);
                break;
            case SequenceShape sequence:
                EmitWriteSequence(sequence);
                _out.Line();
                EmitReadSequence(sequence);
                break;
            case DictionaryShape dictionary:
                EmitWriteDictionary(dictionary);
                _out.Line();
                EmitReadDictionary(dictionary);
                break;
            case GridShape grid:
                EmitWriteGrid(grid);
                _out.Line();
                EmitReadGrid(grid);
                break;
            case UnionShape union:
                _out.Line($"internal static int {union.Name}MinByteCount => {Number(MinUnionByteCount)};");
                _out.Line();
                EmitWriteUnion(union);
                _out.Line();
                EmitReadUnion(union);
                break;
        }
    }

    /// <summary>Prints further methods for a record.</summary>
    private protected virtual void EmitFurther(RecordShape record)
    {
    }

    private protected string Local(string name) => name + Number(++_localCount);

    private protected static string Number(int value) => value.ToString(CultureInfo.InvariantCulture);

    private protected static string Quote(string text) => Microsoft.CodeAnalysis.CSharp.SymbolDisplay.FormatLiteral(text, quote: true);

    /// <summary>The fewest bytes that values take together, as an expression.</summary>
    private string Sum(IEnumerable<ValueModel> values)
    {
        int known = 0;
        var terms = new List<string>();
        foreach (string term in values.Select(MinByteCount))
        {
            if (int.TryParse(term, NumberStyles.None, CultureInfo.InvariantCulture, out int byteCount))
                known += byteCount;
            else
                terms.Add(term);
        }

        if (known > 0 || terms.Count == 0)
            terms.Insert(0, Number(known));
        return string.Join(" + ", terms);
    }

    private protected virtual string MinByteCount(ValueModel value) => value.IsNullable ? "1" : value.Kind switch
    {
        ValueKind.Scalar => Number(Scalar.Get(value.Name).MinByteCount),
        ValueKind.Text => "1",
        ValueKind.Bytes => "4",
        ValueKind.Known => Number(KnownTypes.Values.Values.First(v => v.Name == value.Name).MinByteCount),
        ValueKind.OwnBody => "0",
        ValueKind.Formatted => $"{Code}.MinByteCount<{value.Name}, {NonNullType(value)}>()",
        ValueKind.Contract => $"{value.Name}.{_className}.SelfMinByteCount",
        ValueKind.ForeignContract => $"{NonNullType(value)}.{_model.Format.ContractName()}.MinByteCount",
        _ => _model.Shapes[value.Shape] switch
        {
            RecordShape record => record.Name + "MinByteCount",
            UnionShape => Number(MinUnionByteCount),
            GridShape grid => Number(4 * grid.Rank),
            _ => "4",
        },
    };

    private protected RecordShape? RecordOf(ValueModel value) => value.Kind == ValueKind.Shape ? _model.Shapes[value.Shape] as RecordShape : null;

    /// <summary>Whether a level of nesting is counted around it.</summary>
    private bool IsRecord(ValueModel value) => value.Kind == ValueKind.Contract && !value.IsUnion || RecordOf(value) is not null;

    private protected bool IsReusable(ValueModel value) => !value.IsValueType && value.Kind switch
    {
        ValueKind.Text or ValueKind.Bytes or ValueKind.OwnBody or ValueKind.Formatted or ValueKind.Contract or ValueKind.ForeignContract => true,
        ValueKind.Shape => _model.Shapes[value.Shape] switch
        {
            RecordShape record => !record.IsMadeAtOnce,
            ListShape or UnionShape => true,
            DictionaryShape dictionary => dictionary.Recipe is null,
            _ => false,
        },
        _ => false,
    };

    private protected static string NonNullType(ValueModel value) => value.IsNullable && value.IsValueType ? value.Type.TrimEnd('?') : value.Type;
}
