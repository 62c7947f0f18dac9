using System.Collections.Generic;
using System.Globalization;
using System.Linq;

namespace Formatters.Generator;

/// <summary>Prints the code of the binary wire format; that of the versioned one differs in its records.</summary>
internal partial class ContractEmitter : WalkEmitter
{
    /// <summary>A tag and a byte count.</summary>
    private const int MinUnionByteCount = 5;

    /// <summary>A byte count and a table without members.</summary>
    private const int MinRecordByteCount = 5;

    private readonly SourceWriter _out;

    internal ContractEmitter(WalkClass walk, SourceWriter output)
        : this(walk.Wires[0], walk, output)
    {
    }

    private protected ContractEmitter(WireModel model, WalkClass walk, SourceWriter output)
        : base(model, walk, output)
    {
        _out = output;
        HasBinary = walk.Wires.Any(w => w.Format == ContractFormats.Binary);
        HasVersioned = walk.Wires.Any(w => w.Format == ContractFormats.Versioned);
    }

    /// <summary>Gets whether the class has the code of the binary format.</summary>
    private protected bool HasBinary { get; }

    /// <summary>Gets whether the class has the code of the versioned format.</summary>
    private protected bool HasVersioned { get; }

    private protected override string Writer => "ref global::Formatters.Binary.BinaryBodyWriter w";

    private protected override string Reader => "ref global::Formatters.Binary.BinaryBodyReader r";

    private protected override string FormatConstraint => "__F::IBinaryFormat";

    private protected override string CodeInterface => "__F::IBinaryCode";

    private protected override string IsFormat(ContractFormats format) => $"typeof(F) == typeof(__F::{format})";

    private protected override void EmitRoot(ValueModel value)
    {
        _out.Line($"public int MinByteCount<F>() where F : struct, {FormatConstraint} => {MinByteCount(value)};");
        EmitCode(
            value,
            !value.IsNullable && value.Kind is ValueKind.Contract or ValueKind.Shape && !IsRecord(value),
            () =>
            {
                EmitReserve(Lead(value));
                EmitWrite(value, "value", 0);
            },
            () => EmitRead(value, "value", CanReuse(value) ? "existing" : null));
    }

    private protected override void EmitBefore(Shape shape)
    {
        if (shape is ListShape list && MayBeBlock(list))
            EmitBlockCheck(list);
        if (shape is UnionShape or RecordShape && (HasBinary || shape is not RecordShape { IsNumbered: true }))
        {
            string byteCount = shape is RecordShape record ? ByFormat(Sum(record, false), Sum(record, true)) : Number(MinUnionByteCount);
            _out.Line($"internal static int {shape.Name}MinByteCount<F>() where F : struct, {FormatConstraint} => {byteCount};");
            _out.Line();
        }

        string Sum(RecordShape record, bool isVersioned) => this.Sum(record.Members.Select(m => m.Value), isVersioned);
    }

    /// <summary>Returns an expression that may differ between the two formats.</summary>
    private protected string ByFormat(string plain, string versioned) =>
        !HasVersioned || plain == versioned ? plain : !HasBinary ? versioned : $"{IsFormat(ContractFormats.Versioned)} ? {versioned} : {plain}";

    /// <summary>Determines whether an existing value can be filled, be kept if it is equal, or share parts with the new one.</summary>
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

    /// <summary>Determines whether it is a set that is read as such, not converted from one.</summary>
    private static bool CanReuse(SequenceShape sequence) => sequence.Recipe is { IsSet: true, Make: "{0}" };

    /// <summary>Determines whether a new record may have members that are reused.</summary>
    private protected bool HoldsReusable(RecordShape record) => HoldsReusable(record, []);

    // A structure may contain itself: in a computed property, or in invalid code.
    private bool HoldsReusable(RecordShape record, HashSet<string> seen) => seen.Add(record.Name)
        && record.Members.Any(m => !m.Value.IsValueType || m.Value.Kind == ValueKind.Contract
            || (RecordOf(m.Value) is RecordShape inner && HoldsReusable(inner, seen)));

    /// <summary>Returns the minimum size of several values together, as an expression.</summary>
    private string Sum(params ValueModel[] values) => ByFormat(Sum(values, false), Sum(values, true));

    private string Sum(IEnumerable<ValueModel> values, bool isVersioned)
    {
        int known = 0;
        var terms = new List<string>();
        foreach (string term in values.Select(v => MinByteCount(v, isVersioned)))
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

    // Only a list with a byte count before it differs between the formats.
    private protected sealed override string TextListArguments(ValueModel value) => value.Frame == Frame.Long ? TypeArguments : "<__F::Binary, M>";

    private string MinByteCount(ValueModel value) => ByFormat(MinByteCount(value, false), MinByteCount(value, true));

    private string MinByteCount(ValueModel value, bool isVersioned) => value.IsNullable ? "1" : value.Kind switch
    {
        ValueKind.Scalar or ValueKind.Known => Number(ScalarTypes.Get(value.Name).MinByteCount),
        ValueKind.Text => "1",
        ValueKind.Bytes => "4",
        ValueKind.OwnBody => "0",
        ValueKind.Formatted => $"{Code}.MinByteCount<{value.Name}, {NonNullType(value)}>()",
        ValueKind.Contract or ValueKind.ForeignContract when isVersioned => Number(MinRecordByteCount),
        ValueKind.Contract => $"{value.Name}.{Model.Format.ClassName()}.SelfMinByteCount<F>()",
        ValueKind.ForeignContract => $"{NonNullType(value)}.{WireFormats.PropertyName}.Binary.MinByteCount",
        _ => Model.Shapes[value.Shape] switch
        {
            RecordShape { IsNumbered: true } when isVersioned => Number(MinRecordByteCount),
            RecordShape record => record.Name + "MinByteCount<F>()",
            UnionShape => Number(MinUnionByteCount),
            MultidimensionalArrayShape grid => Number(4 * grid.Rank),
            _ => "4",
        },
    };

    /// <summary>Returns the codec of another assembly in the format.</summary>
    private static string Foreign(ValueModel value) =>
        $"{Parts}.CodecOf<F, {NonNullType(value)}>({NonNullType(value)}.{WireFormats.PropertyName})";

    /// <summary>Determines whether the depth is counted for it.</summary>
    private bool IsRecord(ValueModel value) => value.Kind == ValueKind.Contract && !value.IsUnion || RecordOf(value) is not null;
}
