using System.Collections.Generic;
using System.Linq;

namespace Formatters.Generator;

/// <summary>Prints the code of MessagePack (docs/wire/messagepack.md).</summary>
/// <remarks>
/// What is the same for all values of a type, the header of a record and the names of its members, is a constant, written in as few stores as there can
/// be; room for it and for the members with a greatest size behind it is made at once.
/// </remarks>
internal sealed partial class MessagePackEmitter(WireModel model, SourceWriter output) : WireEmitter(model, output)
{
    private protected override string Writer => "ref global::Formatters.MessagePackBodyWriter writer";

    private protected override string Reader => "ref global::Formatters.MessagePackBodyReader reader";

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

    /// <summary>The greatest size of a value, or -1 if it has none.</summary>
    private static int Bound(ValueModel value) => value.Kind != ValueKind.Scalar ? -1 : value.Name switch
    {
        "Boolean" => 1,
        "Byte" => 2,
        "SByte" => 2,
        "Int16" or "UInt16" or "Char" => 3,
        "Int32" or "UInt32" or "Single" or "Half" or "DateOnly" => 5,
        "DateTime" => 15,
        "DateTimeOffset" => 19,
        "Int128" or "UInt128" => 18,
        "Decimal" => 32,
        "Guid" => 38,
        _ => 9,
    };

    /// <summary>The room that must be there before a value is written: of one without a greatest size that is a nil.</summary>
    private static int Lead(ValueModel value) => Bound(value) is int bound and >= 0 ? bound : value.IsNullable ? 1 : 0;

    private void EmitReserve(int byteCount)
    {
        if (byteCount > 0)
            Out.Line($"position = ref {Code}.Reserve(ref writer, ref position, {Number(byteCount)});");
    }

    private void EmitWriteHeader(string verb, Shape shape)
    {
        EmitInlining(shape);
        Out.Open($"{Scope(shape)} static ref byte {verb}{shape.Name}<TMode>({Writer}, ref byte position, {shape.Type} value) {Mode}");
    }

    private void EmitReadHeader(Shape shape)
    {
        EmitInlining(shape);
        Out.Open($"{Scope(shape)} static {shape.Type} Read{shape.Name}<TMode>({Reader}, {shape.Type} existing) {Mode}");
    }

    private void EmitNullCheck(string condition)
    {
        Out.Line($"if ({condition})");
        Out.Nested($"{Code}.ThrowUnexpectedNull();");
    }

    private static bool CanFail(ValueModel value) => value.Kind != ValueKind.Scalar || value.Name == "DateTimeOffset";

    private protected override bool IsSmall(RecordShape record) => record.Form != RecordForm.Map && record.UnknownAccess.Length == 0 && base.IsSmall(record);

    /// <summary>Whether nothing in a record counts as a further level of nesting, so that its own need only be checked.</summary>
    private static bool IsLeaf(RecordShape record) => record.UnknownAccess.Length == 0 && record.Members.All(
        m => m.Value.Kind is ValueKind.Text or ValueKind.Bytes or ValueKind.Known || m.Value.Kind == ValueKind.Scalar && m.Value.Name != "DateTimeOffset");

    private void EmitEnter(RecordShape record, string which) =>
        Out.Line(IsLeaf(record) ? $"{Code}.Touch(ref {which});" : $"{which}.Enter();");

    private void EmitLeave(RecordShape record, string which)
    {
        if (!IsLeaf(record))
            Out.Line(which + ".Leave();");
    }

    /// <summary>Whether the texts of a record are written and read inline.</summary>
    private static bool InlinesTexts(RecordShape record) => Enumerable.Count(record.Members, m => m.Value.Kind == ValueKind.Text) <= 8;

    /// <summary>The header of an array or a map, as bytes.</summary>
    private static byte[] Header(int count, bool isMap) =>
        count <= 15 ? [(byte)((isMap ? 0x80 : 0x90) | count)]
        : [(byte)(isMap ? 0xDE : 0xDC), (byte)(count >> 8), (byte)count];

    /// <summary>A name as a whole value.</summary>
    private static byte[] Key(MemberModel member)
    {
        byte[] name = System.Text.Encoding.UTF8.GetBytes(member.WireName);
        byte[] header = name.Length <= 31 ? [(byte)(0xA0 | name.Length)]
            : name.Length <= byte.MaxValue ? [0xD9, (byte)name.Length]
            : [0xDA, (byte)(name.Length >> 8), (byte)name.Length];
        return [.. header, .. name];
    }

    private static string Literal(IEnumerable<byte> bytes) => $"new byte[] {{ {string.Join(", ", bytes.Select(b => Number(b)))} }}";
}
