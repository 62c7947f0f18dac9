using System;
using System.Collections.Generic;
using System.Linq;

namespace Formatters.Generator;

/// <summary>Prints the code of the versioned wire format (docs/wire/versioned.md): that of the binary one, with other records.</summary>
/// <remarks>
/// The member table of a type is a constant. A record with exactly that table is read as in the binary format; one with another is read by a separate
/// method that walks the table. One walk serves both formats if they have the same members in the same order.
/// </remarks>
internal sealed partial class VersionedEmitter(WalkClass walk, SourceWriter output) : ContractEmitter(ModelOf(walk), walk, output)
{
    /// <summary>Gets the condition before code for the versioned format only.</summary>
    private string If => HasBinary ? $"if ({IsFormat(ContractFormats.Versioned)}) " : "";

    /// <summary>Returns the shapes of a record common to both formats; a record that stores unknown members has only the versioned ones.</summary>
    internal static EquatableArray<Shape> ShapesOf(WireModel wire)
    {
        return wire.Shapes.Any(s => s is RecordShape { UnknownAccess.Length: > 0 }) ? wire.Shapes : wire.Shapes.Select(WithoutNumbers).ToEquatable();

        static Shape WithoutNumbers(Shape shape) => shape is not RecordShape record ? shape : record with
        {
            IsNumbered = false,
            Members = record.Members.Select(m => m with { Number = 0, Default = "" }).ToEquatable(),
        };
    }

    private protected override void EmitWriteRecord(RecordShape record)
    {
        if (!record.IsNumbered)
        {
            base.EmitWriteRecord(record);
            return;
        }

        byte[] table = TableOf(record)!;
        EmitWriteRecordHeader(record);
        if (record.UnknownAccess.Length > 0)
        {
            Out.Line($"global::Formatters.UnknownMembers unknown = {Code}.TakeUnknown<F>(ref w, value.{record.UnknownAccess});");
            Out.Line("if (!(unknown is null))");
            Out.Nested($"return ref RelayWrite{record.Name}{TypeArguments}(ref w, ref p, value, unknown);");
        }

        EmitReserve(4 + table.Length + RunFrom(record.Members, 0));
        Out.Line($"long start{(HasBinary ? " = 0" : "")};");
        if (HasBinary)
            Out.Open($"if ({IsFormat(ContractFormats.Versioned)})");
        if (table.Length <= 8)
        {
            Out.Line(
                $"p = ref {Code}.BeginRecord(ref w, ref p, {Constant(table, 0, table.Length)}, {Number(table.Length)}, out start);");
        }
        else
        {
            Out.Line($"start = {Code}.OffsetAt(ref w, ref p) + 4;");
            EmitWriteConstant(new byte[4].Concat(table).ToArray());
        }

        if (HasBinary)
            Out.Close();
        EmitWriteMembers(record.Members);
        Out.Line($"{If}{Code}.EndLong(ref w, ref p, start);");
        EmitWriteEnd(record);
        if (record.UnknownAccess.Length > 0)
            EmitRelayWrite(record);
        if (record.UnknownAccess.Length > 0 || table.Length > 8)
        {
            Out.Line();
            Out.Line(
                $"private static global::System.ReadOnlySpan<byte> TableOf{record.Name} => new byte[] {{ "
                + $"{string.Join(", ", table.Select(b => Number(b)))} }};");
        }
    }

    /// <summary>Emits writing a record together with its stored unknown members.</summary>
    private void EmitRelayWrite(RecordShape record)
    {
        Out.Line();
        Out.Open(
            $"private static ref byte RelayWrite{record.Name}{TypeArguments}({Writer}, ref byte p, {record.Type} value, "
            + $"global::Formatters.UnknownMembers unknown) {Constraints}");
        EmitWriteLevel(record.Members);
        Out.Line($"p = ref {Code}.BeginLong(ref w, ref p);");
        Out.Line($"long start = {Code}.OffsetAt(ref w, ref p);");
        Out.Line($"p = ref {Code}.WriteTable(ref w, ref p, TableOf{record.Name}, unknown);");
        int after = 0;
        foreach (MemberModel member in record.Members)
        {
            EmitWriteUnknown(after, member.Number);
            after = member.Number;
            EmitReserve(Lead(member.Value));
            EmitWriteMember(member, 0, isInlined: false);
        }

        EmitWriteUnknown(after, 256);
        Out.Line($"{Code}.EndLong(ref w, ref p, start);");
        EmitWriteEnd(record);
    }

    private void EmitWriteUnknown(int after, int before)
    {
        if (before - after > 1)
            Out.Line($"p = ref {Code}.WriteUnknown(ref w, ref p, unknown, {Number(after)}, {Number(before)});");
    }

    private protected override void EmitWriteNonNull(ValueModel value, string expression, int following, bool isInlined, bool isInRecord)
    {
        if (HasOwnFrame(value))
        {
            base.EmitWriteNonNull(value, expression, following, isInlined, isInRecord);
            return;
        }

        ValueModel inner = value with { Frame = Frame.None };
        string start = Local("start");
        switch (value.Frame)
        {
            case Frame.Short:
                Out.Line($"{If}p = ref {Code}.BeginShort(ref p);");
                Out.Line($"ref byte {start} = ref p;");
                base.EmitWriteNonNull(inner, expression, following, isInlined, isInRecord);
                Out.Line($"{If}{Code}.EndShort(ref {start}, ref p);");
                break;
            case Frame.Long:
                Out.Line($"{If}p = ref {Code}.BeginLong(ref w, ref p);");
                Out.Line($"long {start} = {ByFormat("0", $"{Code}.OffsetAt(ref w, ref p)")};");
                base.EmitWriteNonNull(inner, expression, 0, isInlined, isInRecord);
                Out.Line($"{If}{Code}.EndLong(ref w, ref p, {start});");
                EmitReserve(following);
                break;
        }
    }

    /// <summary>Determines whether the code of the value also writes and reads its byte count, if it has one.</summary>
    private bool HasOwnFrame(ValueModel value) => value.Frame == Frame.None || ShapeOf(value) is ListShape list && IsOfTexts(list);

    /// <summary>Returns the member table: the highest number, then for every number up to it a half byte with the kind, the low half first.</summary>
    private protected override byte[]? TableOf(RecordShape record)
    {
        if (!record.IsNumbered)
            return null;
        int maxNumber = record.Members.Count == 0 ? 0 : record.Members[record.Members.Count - 1].Number;
        byte[] table = new byte[1 + ((maxNumber + 1) / 2)];
        table[0] = (byte)maxNumber;
        foreach (MemberModel member in record.Members)
            table[1 + ((member.Number - 1) / 2)] |= (byte)(KindOf(member.Value) << (member.Number % 2 == 0 ? 4 : 0));
        return table;
    }

    private static int KindOf(ValueModel value) => (value.IsNullable ? MemberKind.Nullable : 0) | value.Kind switch
    {
        ValueKind.Scalar or ValueKind.Known => MemberKind.Of(ScalarTypes.Get(value.Name)),
        ValueKind.Text => MemberKind.Short,
        _ => MemberKind.Long,
    };

    /// <summary>Sets the kind of byte count before every member of a numbered record: strings, bytes, records and unions have their own.</summary>
    private static WireModel ModelOf(WalkClass walk)
    {
        WireModel model = walk.Wires.First(w => w.Format == ContractFormats.Versioned) with { Accessors = walk.Wires[0].Accessors };
        return model with { Shapes = model.Shapes.Select(s => s is RecordShape { IsNumbered: true } record ? WithFrames(record) : s).ToEquatable() };

        RecordShape WithFrames(RecordShape record) =>
            record with { Members = record.Members.Select(m => m with { Value = m.Value with { Frame = FrameOf(m.Value) } }).ToEquatable() };

        Frame FrameOf(ValueModel value) => value.Kind switch
        {
            ValueKind.Scalar => MemberKind.Of(ScalarTypes.Get(value.Name)) == MemberKind.Short ? Frame.Short : Frame.None,
            ValueKind.OwnBody or ValueKind.Formatted => Frame.Long,
            ValueKind.Shape => model.Shapes[value.Shape] is RecordShape { IsNumbered: true } or UnionShape ? Frame.None : Frame.Long,
            _ => Frame.None,
        };
    }
}
