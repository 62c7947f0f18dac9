using System.Collections.Generic;
using System.Globalization;
using System.Linq;

namespace Formatters.Generator;

/// <summary>Prints the code of the binary wire format; that of the versioned one differs in its records.</summary>
internal partial class ContractEmitter : WalkEmitter
{
    /// <summary>A tag and a byte count.</summary>
    private protected const int MinUnionByteCount = 5;

    private readonly WireModel _model;
    private readonly SourceWriter _out;
    private readonly string _className;

    internal ContractEmitter(WireModel model, SourceWriter output)
        : base(model, output)
    {
        _model = model;
        _out = output;
        _className = ClassName;
    }

    private protected override string Writer => "ref global::Formatters.BinaryBodyWriter writer";

    private protected override string Reader => "ref global::Formatters.BinaryBodyReader reader";

    private protected override void EmitPublished(WireFormat format, PublishedContract contract)
    {
        ValueModel value = contract.Value;
        _out.Open($"internal readonly struct {contract.PropertyName}Code : __F::IBinaryCode<{value.Type}>");
        _out.Line($"public bool IsRecord => {(IsRecord(value) ? "true" : "false")};");
        _out.Line($"public int MinByteCount => {MinByteCount(value)};");
        EmitCode(
            value,
            Mode,
            () =>
            {
                EmitReserve(Lead(value));
                EmitWrite(value, "value", 0);
            },
            () => EmitRead(value, "value", CanReuse(value) ? "existing" : null));
        _out.Close();
    }

    private protected override void EmitBefore(Shape shape)
    {
        if (shape is not (RecordShape or UnionShape))
            return;
        string byteCount = shape is RecordShape record ? Sum(record.Members.Select(m => m.Value)) : Number(MinUnionByteCount);
        _out.Line($"internal static int {shape.Name}MinByteCount => {byteCount};");
        _out.Line();
    }

    /// <summary>Whether an existing value can be filled, be kept where it is equal, or give parts of it to the one that is made anew.</summary>
    private protected bool CanReuse(ValueModel value) => IsReusable(value) || value.Kind switch
    {
        ValueKind.Contract => true,
        ValueKind.Shape => Model.Shapes[value.Shape] switch
        {
            RecordShape record => HoldsReusable(record),
            SequenceShape sequence => CanReuse(sequence),
            _ => false,
        },
        _ => false,
    };

    /// <summary>Whether it is a set as it is read, not made of one.</summary>
    private static bool CanReuse(SequenceShape sequence) => sequence.Recipe is { IsSet: true, Make: "{0}" };

    /// <summary>Whether a record that is made anew may have members that are reused.</summary>
    private protected bool HoldsReusable(RecordShape record) => HoldsReusable(record, []);

    // A structure may lie in itself: in a property that is computed, or against the rules of C#.
    private bool HoldsReusable(RecordShape record, HashSet<string> seen) => seen.Add(record.Name)
        && record.Members.Any(m => !m.Value.IsValueType || m.Value.Kind == ValueKind.Contract || (RecordOf(m.Value) is RecordShape inner && HoldsReusable(inner, seen)));

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
        ValueKind.Scalar or ValueKind.Known => Number(ScalarTypes.Get(value.Name).MinByteCount),
        ValueKind.Text => "1",
        ValueKind.Bytes => "4",
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

    /// <summary>Whether a level of nesting is counted around it.</summary>
    private bool IsRecord(ValueModel value) => value.Kind == ValueKind.Contract && !value.IsUnion || RecordOf(value) is not null;
}
