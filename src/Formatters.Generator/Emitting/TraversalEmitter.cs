using System.Collections.Generic;
using System.Linq;

namespace Formatters.Generator;

/// <summary>Prints the traversal of a contract, generic over the wire format: docs/decisions/0005-one-traversal.md.</summary>
/// <remarks>
/// A format is a struct of primitives, called as <c>default(TFormat)</c>: the code is printed once for all formats, and the JIT compiles it for each.
/// </remarks>
internal sealed partial class TraversalEmitter : WalkEmitter
{
    private const string Wire = "__W";

    internal TraversalEmitter(WalkClass walk, SourceWriter output)
        : base(walk.Wires[0] with { Shapes = ShapesOf(walk.Wires[0]) }, walk, output)
    {
    }

    private protected override string Writer => "ref global::Formatters.Custom.WireWriter w";

    private protected override string Reader => "ref global::Formatters.Custom.WireReader r";

    private protected override string FormatConstraint => "__F::IWireFormat";

    private protected override string CodeInterface => "__F::ITraversal";

    private bool IsForMessagePack => Wires[0].Format == ContractFormats.MessagePack;

    private protected override void EmitRoot(ValueModel value) => EmitCode(
        value,
        !value.IsNullable && value.Kind is ValueKind.Contract or ValueKind.Shape,
        () =>
        {
            EmitReserve(Lead(value));
            EmitWrite(value, "value", 0);
        },
        () => EmitRead(value, "value", IsReusable(value) ? "existing" : null));

    /// <summary>Returns the shapes with the names of records in the map form in the order in which the format writes them.</summary>
    internal static EquatableArray<Shape> ShapesOf(WireModel wire) =>
        wire.Format == ContractFormats.MessagePack ? wire.Shapes : wire.Shapes.Select(Sort).ToEquatable();

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

    // In any format. A value of unbounded size reserves its bytes itself.
    private protected override int? Bound(ValueModel value) =>
        value.Kind == ValueKind.Scalar ? ScalarTypes.Get(value.Name).MaxTraversedByteCount : null;

    /// <summary>Returns the size of the header of an array or a map of a constant number of elements, in any format.</summary>
    private static int HeaderRoom(int count) => count <= 15 ? 1 : 3;

    /// <summary>Returns the size of a name with its header, in any format.</summary>
    private static int KeyRoom(MemberModel member)
    {
        int byteCount = Encode(member).Length;
        return byteCount + (byteCount <= 23 ? 1 : byteCount <= byte.MaxValue ? 2 : 3);
    }

    private protected override bool IsSmall(RecordShape record) =>
        record.Form != RecordForm.Map && record.UnknownAccess.Length == 0 && base.IsSmall(record);

    /// <summary>Determines whether a record contains no further nesting, so that its own depth only needs a check.</summary>
    private static bool IsLeaf(RecordShape record) => record.UnknownAccess.Length == 0 && record.Members.All(
        m => m.Value.Kind is ValueKind.Text or ValueKind.Bytes or ValueKind.Known
            || m.Value.Kind == ValueKind.Scalar && m.Value.Name != "DateTimeOffset");

    private void EmitEnter(RecordShape record, string which) => Out.Line($"{which}.{(IsLeaf(record) ? "Touch" : "Enter")}();");

    private void EmitLeave(RecordShape record, string which)
    {
        if (!IsLeaf(record))
            Out.Line(which + ".Leave();");
    }

    private static byte[] Encode(MemberModel member) => System.Text.Encoding.UTF8.GetBytes(member.WireName);

    /// <summary>Returns a name as constant bytes.</summary>
    private static string Utf8(MemberModel member) => $"new byte[] {{ {string.Join(", ", Encode(member).Select(b => Number(b)))} }}";

    private protected override string IsFormat(ContractFormats format) => $"{Wire}.Is<F>(global::Formatters.BodyTypes.{format})";
}
