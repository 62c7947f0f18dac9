using System.Collections.Generic;
using System.Linq;

namespace Formatters.Generator;

/// <summary>Prints the one traversal of a contract, generic over the wire format: docs/decisions/0005-one-traversal.md.</summary>
/// <remarks>A format is a struct of primitives, called as <c>default(TFormat)</c>: the code is printed once for all formats, and the JIT makes that of each.</remarks>
internal sealed partial class TraversalEmitter : WalkEmitter
{
    private const string Wire = "__F::WireCode";
    private const string Format = "where TFormat : struct, __F::IWireFormat " + Mode;

    private readonly EquatableArray<WireModel> _wires;
    private readonly List<(string ClassName, EquatableArray<WireModel> Wires)> _others;
    private readonly List<ValueModel> _roots = [];

    private TraversalEmitter(EquatableArray<WireModel> wires, string className, List<(string ClassName, EquatableArray<WireModel> Wires)> others, SourceWriter output)
        : base(wires[0] with { Shapes = ShapesOf(wires[0]) }, output, className)
    {
        _wires = wires;
        _others = others;
    }

    private protected override string Writer => "ref __F::WireWriter writer";

    private protected override string Reader => "ref __F::WireReader reader";

    /// <summary>Prints the traversals of a file: one for the formats that hold the same in the same order.</summary>
    internal static void EmitAll(ContractModel model, SourceWriter output, System.Action emitSeparator)
    {
        List<(string ClassName, EquatableArray<WireModel> Wires)> all = model.Wires.Where(w => w.Format.IsTraversed())
            .GroupBy(w => ClassNameOf(model, w)).Select(g => (g.Key, g.ToEquatable())).ToList();
        for (int i = 0; i < all.Count; i++)
        {
            emitSeparator();
            new TraversalEmitter(all[i].Wires, all[i].ClassName, i == 0 ? all.Skip(1).ToList() : [], output).Emit();
        }
    }

    /// <summary>The class of the traversal.</summary>
    /// <remarks>
    /// There are several where MessagePack and the other formats have the names of the map form in another order, where a member has a codec of MessagePack, and in a
    /// context that asks for other types in one format than in another.
    /// </remarks>
    internal static string ClassNameOf(ContractModel model, WireModel wire)
    {
        WireModel[] traversed = model.Wires.Where(w => w.Format.IsTraversed()).ToArray();
        EquatableArray<Shape> shapes = ShapesOf(wire);
        WireModel first = traversed.First(w => ShapesOf(w).Equals(shapes));
        return ReferenceEquals(first, traversed[0]) ? first.Format.ClassName() : "Generated" + first.Format + "Contract";
    }

    private protected override IEnumerable<(WireFormat Format, PublishedContract Contract)> Published => _wires.SelectMany(w => w.Contracts.Select(c => (w.Format, c)));

    private bool IsForMessagePack => _wires[0].Format == WireFormat.MessagePack;

    private bool IsForOthers => _wires[_wires.Count - 1].Format != WireFormat.MessagePack;

    /// <summary>The traversal of a value, which the contracts of all formats share.</summary>
    private protected override void EmitPublished(WireFormat format, PublishedContract contract)
    {
        ValueModel value = contract.Value;
        if (_roots.Contains(value))
            return;
        _roots.Add(value);
        Out.Open($"internal readonly struct {RootName(_roots.Count - 1)} : __F::ITraversal<{value.Type}>");
        EmitCode(
            value,
            Format,
            () =>
            {
                EmitReserve(Lead(value));
                EmitWrite(value, "value", default);
            },
            () => EmitRead(value, "value", IsReusable(value) ? "existing" : null));
        Out.Close();
    }

    private protected override string TypeArguments => "<TFormat, TMode>";

    /// <summary>The traversal of a contract: a type argument for the library.</summary>
    internal static string RootOf(ContractModel model, WireModel wire, PublishedContract contract)
    {
        string className = ClassNameOf(model, wire);
        List<ValueModel> roots = model.Wires.Where(w => w.Format.IsTraversed() && ClassNameOf(model, w) == className)
            .SelectMany(w => w.Contracts).Select(c => c.Value).Distinct().ToList();
        return $"{className}.{RootName(roots.IndexOf(contract.Value))}";
    }

    private static string RootName(int index) => "Root" + (index == 0 ? "" : Number(index));

    /// <summary>The shapes with the names of records in the map form in the order in which the format writes them.</summary>
    private static EquatableArray<Shape> ShapesOf(WireModel wire) => wire.Format == WireFormat.MessagePack ? wire.Shapes : wire.Shapes.Select(Sort).ToEquatable();

    private static Shape Sort(Shape shape)
    {
        if (shape is not RecordShape { Form: RecordForm.Map } record)
            return shape;
        int[] order = SortedOrder(record);
        return record with
        {
            Members = order.Select(i => record.Members[i]).ToEquatable(),
            ConstructorMembers = record.ConstructorMembers.Select(i => System.Array.IndexOf(order, i)).ToEquatable(),
        };
    }

    private static int[] SortedOrder(RecordShape record) => PackedMark.CanonicalOrder([.. record.Members.Select(m => m.WireName)]);

    private static bool IsInOrder(RecordShape record) => SortedOrder(record).SequenceEqual(Enumerable.Range(0, record.Members.Count));

    /// <summary>The most bytes of a value in any format of the traversal; null if it has no greatest size, and then it reserves its bytes itself.</summary>
    private static Room? Bound(ValueModel value) => value.Kind != ValueKind.Scalar ? null : value.Name switch
    {
        "Boolean" => new Room(1),
        "Byte" or "SByte" => new Room(2),
        "Int16" or "UInt16" or "Char" => new Room(3),
        "Int32" or "UInt32" or "Single" or "Half" => new Room(5),
        "DateOnly" => new Room(7),
        "DateTime" or "DateTimeOffset" or "Decimal" or "Guid" => new Room(0, value.Name),
        "Int128" or "UInt128" => null,
        _ => new Room(9),
    };

    /// <summary>The bytes that must be reserved before a value is written: of one without a greatest size those of a null.</summary>
    private static Room Lead(ValueModel value) => Bound(value) ?? new Room(value.IsNullable ? 1 : 0);

    /// <summary>The bytes of the header of an array or a map of a constant number of elements, in any format.</summary>
    private static Room HeaderRoom(int count) => new(count <= 15 ? 1 : 3);

    /// <summary>The bytes of a name with its header, in any format.</summary>
    private static Room KeyRoom(MemberModel member)
    {
        int byteCount = Encode(member).Length;
        return new Room(byteCount + (byteCount <= 23 ? 1 : byteCount <= byte.MaxValue ? 2 : 3));
    }

    private void EmitReserve(Room room)
    {
        if (!room.IsEmpty)
            Out.Line($"position = ref {Code}.Reserve(ref writer, ref position, {room});");
    }

    private protected override void EmitWriteHeader(Shape shape, string verb = "Write")
    {
        EmitInlining(shape);
        Out.Open($"{Scope(shape)} static ref byte {verb}{shape.Name}<TFormat, TMode>({Writer}, ref byte position, {shape.Type} value) {Format}");
        if (verb == "Write")
            EmitOthers(shape, $"ref {{0}}.Write{shape.Name}<TFormat, TMode>(ref writer, ref position, value)");
    }

    private protected override void EmitReadHeader(Shape shape)
    {
        EmitInlining(shape);
        Out.Open($"{Scope(shape)} static {shape.Type} Read{shape.Name}<TFormat, TMode>({Reader}, {shape.Type} existing) {Format}");
        EmitOthers(shape, $"{{0}}.Read{shape.Name}<TFormat, TMode>(ref reader, existing)");
    }

    // A clock time with its offset may be nested.
    private static bool CanFail(ValueModel value) => value.Kind != ValueKind.Scalar || value.Name == "DateTimeOffset";

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

    private static byte[] Encode(MemberModel member) => System.Text.Encoding.UTF8.GetBytes(member.WireName);

    /// <summary>A name as constant bytes.</summary>
    private static string Utf8(MemberModel member) => $"new byte[] {{ {string.Join(", ", Encode(member).Select(b => Number(b)))} }}";

    /// <summary>Whether the strings of a record are written and read inline.</summary>
    private static bool InlinesTexts(RecordShape record) => Enumerable.Count(record.Members, m => m.Value.Kind == ValueKind.Text) <= 8;

    /// <summary>The contract of another assembly in the format, which is not MessagePack.</summary>
    private string Foreign(ValueModel value)
    {
        string type = NonNullType(value);
        string contract = $"{type}.{_wires[_wires.Count - 1].Format.ContractName()}";
        for (int i = _wires.Count - 2; i >= 0 && _wires[i].Format != WireFormat.MessagePack; i--)
            contract = $"({IsFormat(_wires[i].Format)} ? (global::Formatters.TraversedContract<{type}>){type}.{_wires[i].Format.ContractName()} : {contract})";
        return contract;
    }

    /// <summary>Prints what differs between MessagePack and the other formats.</summary>
    private void EmitByFormat(string packed, string other)
    {
        if (IsForMessagePack && IsForOthers)
        {
            Out.Line($"if ({IsFormat(WireFormat.MessagePack)})");
            Out.Nested(packed);
            Out.Line("else");
            Out.Nested(other);
        }
        else
        {
            Out.Line(IsForMessagePack ? packed : other);
        }
    }

    private static string IsFormat(WireFormat format) => $"{Wire}.Is<TFormat>(global::Formatters.BodyTypes.{format})";

    /// <summary>Prints that another class has the traversal of the type in some formats.</summary>
    private void EmitOthers(Shape shape, string call)
    {
        if (shape.Name != Shape.OwnName)
            return;
        foreach ((string className, EquatableArray<WireModel> wires) in _others)
        {
            Out.Line($"if ({string.Join(" || ", wires.Select(w => IsFormat(w.Format)))})");
            Out.Nested($"return {string.Format(System.Globalization.CultureInfo.InvariantCulture, call, className)};");
        }
    }

    /// <summary>Numbers of bytes that are added up: those that are the same in all formats, and values of which each format has its own greatest size.</summary>
    private readonly record struct Room(int ByteCount, string? Names = null)
    {
        internal bool IsEmpty => ByteCount == 0 && Names is null;

        public static Room operator +(Room x, Room y) =>
            new(x.ByteCount + y.ByteCount, x.Names is null ? y.Names : y.Names is null ? x.Names : x.Names + " " + y.Names);

        public override string ToString()
        {
            List<string> terms = (Names ?? "").Split([' '], System.StringSplitOptions.RemoveEmptyEntries).GroupBy(n => n)
                .Select(g => (g.Count() == 1 ? "" : Number(g.Count()) + " * ") + $"default(TFormat).Max{g.Key}ByteCount").ToList();
            if (ByteCount > 0 || terms.Count == 0)
                terms.Insert(0, Number(ByteCount));
            return string.Join(" + ", terms);
        }
    }
}
