using System.Collections.Generic;
using System.Linq;

namespace Formatters.Generator;

// A run is a sequence of members of bounded size: its space is reserved once, at its start or with the string before it.
internal partial class ContractEmitter
{
    private protected override int? Bound(ValueModel value) => value.Kind == ValueKind.Scalar
        ? ScalarTypes.Get(value.Name).MaxByteCount + (value.IsNullable ? 1 : 0) + (value.Frame == Frame.Short ? 1 : 0)
        : null;

    private protected override void EmitWriteRecord(RecordShape record)
    {
        EmitWriteRecordHeader(record);
        if (record.RefusedUnknown.Length > 0)
            _out.Line($"{Code}.TakeUnknown<F>(ref w, value.{record.RefusedUnknown});");
        EmitReserve(RunFrom(record.Members, 0));
        EmitWriteMembers(record.Members);
        EmitWriteEnd(record);
    }

    private protected void EmitWriteEnd(RecordShape record)
    {
        EmitCallbacks(record, CallbackKind.Serialized);
        _out.Line("return ref p;");
        _out.Close();
    }

    private protected void EmitWriteRecordHeader(RecordShape record)
    {
        EmitWriteHeader(record);
        EmitObjectCheck(record);
        EmitCallbacks(record, CallbackKind.Serializing);
        EmitWriteLevel(record.Members);
    }

    /// <summary>Emits writing members; space for the run at their beginning is already reserved.</summary>
    private protected void EmitWriteMembers(EquatableArray<MemberModel> members)
    {
        bool isInlined = InlinesTexts(members);
        for (int i = 0; i < members.Count; i++)
            EmitWriteMember(members[i], RunFrom(members, i + 1), isInlined);
    }

    private protected override bool CanFail(ValueModel value) => value.Kind != ValueKind.Scalar || value.Name == "Char";

    private protected override void EmitPresence(bool isPresent) =>
        _out.Line($"p = ref {Code}.Write(ref p, {(isPresent ? "true" : "false")});");

    private protected override void EmitWriteNonNull(ValueModel value, string expression, int following, bool isInlined, bool isInRecord)
    {
        string type = NonNullType(value);
        switch (value.Kind)
        {
            case ValueKind.Scalar:
                _out.Line($"p = ref {Code}.Write(ref p, {Written(value, expression)});");
                return;
            case ValueKind.Text:
                _out.Line(
                    $"p = ref {Code}.{(isInlined ? "WriteTextInline" : "WriteText")}(ref w, ref p, {expression}, "
                    + $"{Number(following)});");
                return;
            case ValueKind.Bytes:
                _out.Line($"p = ref {Code}.WriteBytes(ref w, ref p, {expression}, {Number(following)});");
                return;
            case ValueKind.Known:
                _out.Line($"p = ref {Code}.Write{(IsMemory(value) ? "ReadOnlyMemory" : value.Name)}(ref w, ref p, {expression});");
                break;
            case ValueKind.OwnBody:
                if (value.ChecksDerived)
                {
                    string own = Local("item");
                    _out.Line($"{type} {own} = {expression};");
                    _out.Line($"if ({own} is null || ((object){own}).GetType() != typeof({type}))");
                    _out.Nested($"{Code}.ThrowDerived({own}, typeof({type}));");
                    expression = own;
                }

                _out.Line($"p = ref {Code}.WriteOwnBody<{type}>(ref w, ref p, {expression});");
                break;
            case ValueKind.Formatted:
                _out.Line($"p = ref {Code}.WriteFormatted<{value.Name}, {type}>(ref w, ref p, {expression});");
                break;
            case ValueKind.ForeignContract:
                _out.Line($"p = ref {Code}.WriteContract<M, {type}>(ref w, ref p, {Foreign(value)}, {expression});");
                break;
            default:
                bool isCounted = IsRecord(value) && !isInRecord;
                if (isCounted)
                    _out.Line("w.EnterRecord();");
                _out.Line($"p = ref {MethodOf("Write", value)}(ref w, ref p, {expression});");
                if (isCounted)
                    _out.Line("w.LeaveRecord();");
                break;
        }

        EmitReserve(following);
    }

    /// <summary>Returns the expression to write for a scalar: values with the same bytes share a method.</summary>
    private static string Written(ValueModel value, string expression) => value.Name switch
    {
        "SByte" => $"unchecked((byte){expression})",
        "UInt16" => $"unchecked((short){expression})",
        "UInt32" => $"unchecked((int){expression})",
        "UInt64" => $"unchecked((long){expression})",
        "UInt128" => $"unchecked((global::System.Int128){expression})",
        "TimeSpan" or "TimeOnly" => expression + ".Ticks",
        "DateOnly" => expression + ".DayNumber",
        _ => value.CastType.Length > 0 ? $"({value.CastType}){expression}" : expression,
    };

    private protected override void EmitWriteCount(string count) => _out.Line($"p = ref {Code}.WriteCount(ref w, ref p, {count});");

    private protected override bool TryEmitWriteBlock(ListShape list, string elements)
    {
        if (list.IsBlock)
            _out.Line($"p = ref {Code}.WriteBlock<{list.Element.Type}>(ref w, ref p, {elements});");
        foreach (bool isVersioned in new[] { false, true })
        {
            if (BlockCondition(list, isVersioned) is not string condition)
                continue;
            _out.Line($"if ({condition})");
            _out.Nested($"return ref {Code}.WriteRecordBlock<{list.Element.Type}>(ref w, ref p, {elements}{TableArguments(list, isVersioned)});");
        }

        return list.IsBlock;
    }

    /// <summary>Returns the condition under which memory holds the members of a list's records as the body does; null if it cannot.</summary>
    /// <param name="list">The list.</param>
    /// <param name="isVersioned">Whether it is about records that begin with a member table.</param>
    private string? BlockCondition(ListShape list, bool isVersioned)
    {
        if (!list.HasSpan || list.Kind == ListKind.ArrayList || list.Element.IsNullable || RecordOf(list.Element) is not { IsBlock: true } record
            || !(isVersioned
                ? TableOf(record) is { } table && MemberKind.CanBeReadAtOnce(table.Length, record.ByteCount)
                : HasBinary || !record.IsNumbered))
            return null;
        ContractFormats format = isVersioned ? ContractFormats.Versioned : ContractFormats.Binary;
        return $"{(record.IsNumbered && HasVersioned && HasBinary ? IsFormat(format) + " && " : "")}!({Traces}) && IsBlock{list.Name}";
    }

    private bool MayBeBlock(ListShape list) =>
        BlockCondition(list, isVersioned: false) is not null || BlockCondition(list, isVersioned: true) is not null;

    /// <summary>Returns the member table of a record; null if it has none.</summary>
    private protected virtual byte[]? TableOf(RecordShape record) => null;

    private string TableArguments(ListShape list, bool isVersioned) =>
        isVersioned && TableOf(RecordOf(list.Element)!) is { } table ? $", {Constant(table, 0, table.Length)}, {Number(table.Length)}" : "";

    /// <summary>
    /// Emits the check whether a struct holds its members as the body does. No reference to the place of a property can be had: each member must
    /// return the bytes at its own.
    /// </summary>
    private void EmitBlockCheck(ListShape list)
    {
        RecordShape record = RecordOf(list.Element)!;
        const string Unsafe = "__R::Unsafe";
        _out.Line($"private static readonly bool IsBlock{list.Name} = CheckBlock{list.Name}();");
        _out.Line();
        _out.Open($"private static bool CheckBlock{list.Name}()");
        _out.Line($"{record.Type} value = default;");
        _out.Line($"ref byte start = ref {Unsafe}.As<{record.Type}, byte>(ref value);");
        _out.Line($"if (!global::System.BitConverter.IsLittleEndian || {Unsafe}.SizeOf<{record.Type}>() != {Number(record.ByteCount)})");
        _out.Nested("return false;");
        _out.Line($"for (int i = 0; i < {Number(record.ByteCount)}; i++)");
        _out.Nested($"{Unsafe}.Add(ref start, i) = (byte)(i + 1);");
        string condition = "";
        int offset = 0;
        foreach (MemberModel member in record.Members)
        {
            string place = $"ref {Unsafe}.Add(ref start, {Number(offset)})";
            condition += $"{(offset == 0 ? "" : " && ")}value.{member.Access}.Equals({Unsafe}.ReadUnaligned<{member.Value.Type}>({place}))";
            offset += ScalarTypes.Get(member.Value.Name).MinByteCount;
        }

        _out.Line($"return {condition};");
        _out.Close();
        _out.Line();
    }

    private protected override bool OpenWritten(ValueModel element, string count)
    {
        if (!IsCounted(element))
            return false;
        _out.Open($"if ({count} > 0)");
        _out.Line($"if ({IsTraced}) {Code}.At(ref w, level, null, 0);");
        _out.Line("w.EnterRecord();");
        return true;
    }

    private protected override void CloseWritten(ValueModel element)
    {
        if (!IsCounted(element))
            return;
        _out.Line("w.LeaveRecord();");
        _out.Close();
    }

    private protected override void EmitWriteDictionary(DictionaryShape shape)
    {
        string arguments = $"<{shape.Key.Type}, {shape.Value.Type}>";
        EmitWriteHeader(shape);
        string dictionary = "value";
        if (shape.Source.Length > 0)
            _out.Line(
                $"global::System.Collections.Generic.Dictionary{arguments} {dictionary = "dictionary"} = {Code}.{shape.Source}{arguments}(value);");
        else
            EmitNullCheck("value is null");
        EmitKeyCheck(shape);
        if (shape.Source.Length == 0)
            dictionary = EmitSource(shape.Recipe);
        EmitWriteCount($"{dictionary}.{shape.Recipe?.Count ?? "Count"}");
        EmitWriteEntries(shape, dictionary);
        _out.Line("return ref p;");
        _out.Close();
    }

    private protected override void EmitWriteMultidimensional(MultidimensionalArrayShape shape)
    {
        EmitWriteHeader(shape);
        EmitNullCheck("value is null");
        _out.Line($"{Code}.CheckGrid(ref w, value);");
        EmitReserve(4 * shape.Rank);
        for (int i = 0; i < shape.Rank; i++)
            _out.Line($"p = ref {Code}.Write(ref p, value.GetLength({Number(i)}));");
        _out.Line("int i = 0;");
        EmitWriteLoop(shape.Element, "value.Length", $"foreach ({shape.Element.Type} element in value)", () => "element", "i++;", isChecked: false);
        _out.Line("return ref p;");
        _out.Close();
    }
}
