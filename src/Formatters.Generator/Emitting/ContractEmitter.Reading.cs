using System.Linq;

namespace Formatters.Generator;

// A run is a row of members whose bytes cannot be bad and that are set without code of the type: one check is made for it, or for it and a text beside it.
internal sealed partial class ContractEmitter
{
    private void EmitReadHeader(Shape shape)
    {
        _out.Open($"internal static {shape.Type} Read{shape.Name}<TMode>({Reader}, {shape.Type} existing) {Mode}");
    }

    private void EmitReadRecord(RecordShape record)
    {
        if (IsSmall(record))
            _out.Line("[global::System.Runtime.CompilerServices.MethodImpl(global::System.Runtime.CompilerServices.MethodImplOptions.AggressiveInlining)]");
        EmitReadHeader(record);
        bool hasCallbacks = record.Callbacks.Count > 0;
        if (record.Members.Count > 0 || hasCallbacks)
            _out.Line($"int level = {Code}.Level<TMode>(ref reader);");
        if (record.IsMadeAtOnce)
        {
            EmitReadThenMake(record);
        }
        else
        {
            string make = record.Type[0] == '(' ? $"default({record.Type})" : $"new {record.Type}()";
            if (record.IsValueType)
            {
                _out.Line($"{record.Type} value = {make};");
            }
            else
            {
                _out.Line($"{record.Type} value;");
                _out.Open($"if ({Reuses})");
                _out.Line(record.IsSealed ? "if (existing is null)" : $"if (existing is null || existing.GetType() != typeof({record.Type}))");
                _out.Nested($"return Read{record.Name}<{Anew}>(ref reader, null);");
                _out.Line("value = existing;");
                _out.Close();
                _out.Open("else");
                _out.Line($"value = {make};");
                _out.Close();
            }

            EmitCallbacks(record, CallbackKind.Deserializing);
            EmitReadMembers(record, i => Get(record.Members[i], "value"), isReusing: !record.IsValueType);
        }

        if (hasCallbacks)
            _out.Line($"{Code}.At<TMode>(ref reader, level);");
        EmitCallbacks(record, CallbackKind.Deserialized);
        _out.Line("return value;");
        _out.Close();
    }

    private void EmitReadThenMake(RecordShape record)
    {
        for (int i = 0; i < record.Members.Count; i++)
            _out.Line($"{record.Members[i].Value.Type} member{Number(i)};");
        EmitReadMembers(record, i => "member" + Number(i), isReusing: false);
        if (record.Members.Count > 0)
            _out.Line($"{Code}.At<TMode>(ref reader, level);");
        string arguments = string.Join(", ", record.ConstructorMembers.Select(i => "member" + Number(i)));
        string initializers = string.Join(
            ", ",
            Enumerable.Range(0, record.Members.Count).Where(i => record.Members[i].Setter == MemberSetter.Initializer)
                .Select(i => $"{record.Members[i].Access} = member{Number(i)}"));
        _out.Line($"{record.Type} value = new {record.Type}({arguments}){(initializers.Length > 0 ? $" {{ {initializers} }}" : "")};");
        EmitCallbacks(record, CallbackKind.Deserializing);
        for (int i = 0; i < record.Members.Count; i++)
        {
            MemberModel member = record.Members[i];
            if (member.Setter == MemberSetter.Code)
                _out.Line($"{Code}.At<TMode>(ref reader, level, {Quote(member.Name)});");
            if (member.Setter is MemberSetter.Plain or MemberSetter.Code)
                _out.Line(Set(member, "value", "member" + Number(i)));
        }
    }

    private void EmitReadMembers(RecordShape record, System.Func<int, string> target, bool isReusing)
    {
        for (int i = 0; i < record.Members.Count;)
        {
            int text = EndOfRun(record, i);
            if (text < record.Members.Count && IsPlain(record, record.Members[text]) && record.Members[text].Value is { Kind: ValueKind.Text, IsNullable: false })
            {
                int end = EndOfRun(record, text + 1);
                EmitReadRun(record, i, text, target, "Peek");
                EmitReadMember(record, text, target, isReusing, ByteCount(record, i, text), ByteCount(record, text + 1, end));
                EmitReadRun(record, text + 1, end, target, "Behind");
                i = end;
            }
            else if (text - i >= 2)
            {
                EmitReadRun(record, i, text, target, "Take");
                i = text;
            }
            else
            {
                EmitReadMember(record, i++, target, isReusing, 0, 0);
            }
        }
    }

    private void EmitReadRun(RecordShape record, int start, int end, System.Func<int, string> target, string method)
    {
        if (start == end)
            return;
        string run = Local("run");
        _out.Line($"ref byte {run} = ref {Code}.{method}<TMode>(ref reader, {Number(ByteCount(record, start, end))});");
        for (int i = start; i < end; i++)
        {
            ValueModel value = record.Members[i].Value;
            string cast = value.CastType.Length > 0 ? $"({value.Type})" : "";
            _out.Line($"{Code}.At<TMode>(ref reader, level, {Quote(record.Members[i].Name)});");
            _out.Line($"{target(i)} = {cast}{Code}.{value.Name}<TMode>(ref reader, ref {run}, {Number(ByteCount(record, start, i))});");
        }
    }

    private void EmitReadMember(RecordShape record, int index, System.Func<int, string> target, bool isReusing, int before, int behind)
    {
        MemberModel member = record.Members[index];
        string? existing = isReusing && IsReusable(member.Value) ? Get(member, "value") : null;
        bool isSetByAccessor = member.IsSetByAccessor && !record.IsMadeAtOnce;
        string read = isSetByAccessor ? Local("item") : target(index);
        _out.Line($"{Code}.At<TMode>(ref reader, level, {Quote(member.Name)});");
        if (isSetByAccessor)
            _out.Line($"{member.Value.Type} {read};");
        if (member.Value is { Kind: ValueKind.Text, IsNullable: false })
            EmitReadText(read, existing, before, behind, isInlined: InlinesTexts(record));
        else
            EmitRead(member.Value, read, existing, isInlined: InlinesTexts(record));
        if (isSetByAccessor)
            _out.Line(Set(member, "value", read));
    }

    /// <summary>Reads a text and moves behind the run that follows it, with one check of the room for all.</summary>
    private void EmitReadText(string target, string? existing, int before, int behind, bool isInlined)
    {
        string reused = existing is null ? "null" : $"{Reuses} ? {existing} : null";
        _out.Line(isInlined || before + behind > 0
            ? $"{target} = {Code}.{(isInlined ? "ReadTextInline" : "ReadText")}<TMode>(ref reader, {Number(before)}, {Number(behind)}, {reused});"
            : $"{target} = reader.ReadString({reused});");
    }

    private static int EndOfRun(RecordShape record, int start)
    {
        while (start < record.Members.Count && IsInRun(record, record.Members[start]))
            start++;
        return start;
    }

    private static int ByteCount(RecordShape record, int start, int end) =>
        Enumerable.Range(start, end - start).Sum(i => Scalar.Get(record.Members[i].Value.Name).MinByteCount);

    private static bool IsInRun(RecordShape record, MemberModel member) =>
        member.Value is { Kind: ValueKind.Scalar, IsNullable: false } && Scalar.Get(member.Value.Name).IsInRuns
        && IsPlain(record, member);

    /// <summary>Whether a member is set without code of the type.</summary>
    private static bool IsPlain(RecordShape record, MemberModel member) => record.IsMadeAtOnce || member.Setter == MemberSetter.Plain && !member.IsSetByAccessor;

    /// <summary>Reads a value into a target.</summary>
    /// <param name="value">The value.</param>
    /// <param name="target">What is assigned.</param>
    /// <param name="existing">The value to reuse; null if there is none.</param>
    /// <param name="isInRecord">Whether the level of nesting has been counted.</param>
    /// <param name="isInlined">Whether a text is read inline.</param>
    private void EmitRead(ValueModel value, string target, string? existing, bool isInRecord = false, bool isInlined = true)
    {
        if (!value.IsNullable)
        {
            EmitReadNonNull(value, target, existing, isInRecord, isInlined);
            return;
        }

        _out.Open("if (reader.ReadBoolean())");
        EmitReadNonNull(value, target, existing, isInRecord, isInlined);
        _out.Close();
        _out.Open("else");
        _out.Line($"{target} = null;");
        _out.Close();
    }

    private void EmitReadNonNull(ValueModel value, string target, string? existing, bool isInRecord, bool isInlined)
    {
        string type = NonNullType(value);
        string none = value.IsValueType ? $"default({type})" : "null";
        string reused = existing is null ? none : $"{Reuses} ? {existing} : null";
        switch (value.Kind)
        {
            case ValueKind.Scalar:
                string cast = value.CastType.Length > 0 ? $"({type})" : "";
                _out.Line($"{target} = {cast}reader.Read{value.Name}();");
                break;
            case ValueKind.Text:
                EmitReadText(target, existing, 0, 0, isInlined);
                break;
            case ValueKind.Bytes:
                _out.Line($"{target} = reader.ReadBytes({reused});");
                break;
            case ValueKind.Known:
                _out.Line($"{target} = {Code}.Read{value.Name}(ref reader);");
                break;
            case ValueKind.OwnBody:
                string isUsable = value.Name == "sealed" ? $"{existing} is not null" : $"{existing} is not null && {existing}.GetType() == typeof({type})";
                string owner = existing is null ? $"new {type}()" : $"{Reuses} && {isUsable} ? {existing} : new {type}()";
                _out.Line($"{target} = {Code}.ReadOwnBody<{type}>(ref reader, {owner});");
                break;
            case ValueKind.Formatted:
                _out.Line($"{target} = {Code}.ReadFormatted<{value.Name}, {type}>(ref reader, {reused});");
                break;
            case ValueKind.ForeignContract:
                _out.Line($"{target} = {Code}.ReadContract<TMode, {type}>(ref reader, {type}.MessageContract, {reused});");
                break;
            default:
                bool isCounted = IsRecord(value) && !isInRecord;
                string method = value.Kind == ValueKind.Contract ? value.Name + ".ReadSelf" : "GeneratedContract.Read" + _model.Shapes[value.Shape].Name;
                if (isCounted)
                    _out.Line("reader.EnterRecord();");
                _out.Line($"{target} = {method}<TMode>(ref reader, {reused});");
                if (isCounted)
                    _out.Line("reader.LeaveRecord();");
                break;
        }
    }

    private void EmitReadList(ListShape shape)
    {
        ValueModel element = shape.Element;
        string type = element.Type;
        EmitReadHeader(shape);
        _out.Line($"int count = reader.ReadCount({MinByteCount(element)}, {element.Allocation});");
        _out.Line($"int level = {Code}.Level<TMode>(ref reader);");
        (string listType, string reuse, string make) = shape.Kind switch
        {
            ListKind.Array => (shape.Type, $"ReuseArray<{type}>", $"{Code}.ReuseArray<{type}>(null, count)"),
            ListKind.ArrayList => (ArrayList, "ReuseArrayList", $"new {ArrayList}(count)"),
            _ => ($"{List}<{type}>", $"ReuseList<{type}>", $"new {List}<{type}>(count)"),
        };
        _out.Line($"{listType} list = {Reuses} ? {Code}.{reuse}(existing, count) : {make};");
        bool isCounted = OpenElements(element);
        string old = shape.Kind == ListKind.ArrayList ? $"(list[i] as {type})" : "list[i]";
        string? reused = IsReusable(element) ? old : null;
        if (shape.Kind == ListKind.Array)
        {
            _out.Open("for (int i = 0; i < count; i++)");
            _out.Line($"{Code}.At<TMode>(ref reader, level, i);");
            _out.Line($"{type} element;");
            EmitRead(element, "element", reused, isCounted);
            _out.Line("list[i] = element;");
            _out.Close();
        }
        else
        {
            _out.Line("int i = 0;");
            _out.Open($"if ({Reuses})");
            _out.Open("for (; i < list.Count; i++)");
            _out.Line($"{type} element;");
            if (reused is not null)
                _out.Line($"{type} old = {old};");
            EmitRead(element, "element", reused is null ? null : "old", isCounted);
            if (reused is not null)
                _out.Line("if (!ReferenceEquals(element, old))");
            if (reused is not null)
                _out.Nested("list[i] = element;");
            else
                _out.Line("list[i] = element;");
            _out.Close();
            _out.Close();
            _out.Line();
            _out.Open("for (; i < count; i++)");
            _out.Line($"{Code}.At<TMode>(ref reader, level, i);");
            _out.Line($"{type} element;");
            EmitRead(element, "element", null, isCounted);
            _out.Line("list.Add(element);");
            _out.Close();
        }

        CloseElements(isCounted);
        _out.Line("return list;");
        _out.Close();
    }

    /// <summary>Counts a level of nesting once for all elements.</summary>
    private bool OpenElements(ValueModel element)
    {
        bool isCounted = IsRecord(element) && !element.IsNullable;
        if (!isCounted)
            return false;
        _out.Open("if (count > 0)");
        _out.Line($"{Code}.At<TMode>(ref reader, level, 0);");
        _out.Line("reader.EnterRecord();");
        return true;
    }

    private void CloseElements(bool isCounted)
    {
        if (!isCounted)
            return;
        _out.Line("reader.LeaveRecord();");
        _out.Close();
    }

    private void EmitReadSequence(SequenceShape shape)
    {
        ValueModel element = shape.Element;
        EmitReadHeader(shape);
        _out.Line($"int count = reader.ReadCount({MinByteCount(element)}, {element.Allocation});");
        _out.Line($"int level = {Code}.Level<TMode>(ref reader);");
        _out.Line(shape.Recipe.IsSet
            ? $"global::System.Collections.Generic.HashSet<{element.Type}> items = {Code}.NewSet<{element.Type}>(count);"
            : $"var items = {Code}.ReuseArray<{element.Type}>(null, count);");
        bool isCounted = OpenElements(element);
        _out.Open("for (int i = 0; i < count; i++)");
        _out.Line($"{Code}.At<TMode>(ref reader, level, i);");
        if (shape.Recipe.IsSet)
            _out.Line("int byteOffset = reader.ByteOffset;");
        _out.Line($"{element.Type} element;");
        EmitRead(element, "element", null, isCounted);
        _out.Line(shape.Recipe.IsSet ? $"{Code}.AddElement<{element.Type}>(items, element, byteOffset);" : "items[i] = element;");
        _out.Close();
        CloseElements(isCounted);
        _out.Line($"return {string.Format(System.Globalization.CultureInfo.InvariantCulture, shape.Recipe.Make, "items", element.Type)};");
        _out.Close();
    }

    private void EmitReadDictionary(DictionaryShape shape)
    {
        string arguments = $"<{shape.Key.Type}, {shape.Value.Type}>";
        EmitReadHeader(shape);
        _out.Line($"int count = reader.ReadCount({Sum([shape.Key, shape.Value])}, {shape.Key.Allocation} + {shape.Value.Allocation} + 12);");
        _out.Line($"int level = {Code}.Level<TMode>(ref reader);");
        string reuse = shape.Recipe is null ? $"{Reuses} ? {Code}.ReuseDictionary{arguments}(existing, count) : " : "";
        _out.Line($"global::System.Collections.Generic.Dictionary{arguments} dictionary = {reuse}{Code}.NewDictionary{arguments}(count);");
        _out.Open("for (int i = 0; i < count; i++)");
        _out.Line($"{Code}.At<TMode>(ref reader, level, i);");
        _out.Line("int byteOffset = reader.ByteOffset;");
        _out.Line($"{shape.Key.Type} key;");
        EmitRead(shape.Key, "key", null);
        _out.Line($"{shape.Value.Type} element;");
        EmitRead(shape.Value, "element", null);
        _out.Line($"{Code}.At<TMode>(ref reader, level, i);");
        _out.Line($"{Code}.AddEntry{arguments}(dictionary, key, element, byteOffset);");
        _out.Close();
        _out.Line(shape.Recipe is null
            ? "return dictionary;"
            : $"return {string.Format(System.Globalization.CultureInfo.InvariantCulture, shape.Recipe.Make, "dictionary", shape.Key.Type, shape.Value.Type)};");
        _out.Close();
    }

    private void EmitReadGrid(GridShape shape)
    {
        ValueModel element = shape.Element;
        EmitReadHeader(shape);
        _out.Line($"int[] lengths = {Code}.ReadLengths(ref reader, {Number(shape.Rank)}, {MinByteCount(element)}, {element.Allocation}, out int count);");
        _out.Line($"int level = {Code}.Level<TMode>(ref reader);");
        // The element type of a grid may be an array itself: int[,][] is a grid of arrays, and its new is new int[a, b][].
        _out.Line($"{shape.Type} grid = ({shape.Type})(object)global::System.Array.CreateInstance(typeof({element.Type}), lengths);");
        bool isCounted = OpenElements(element);
        _out.Line("int i = 0;");
        string[] indexes = Enumerable.Range(0, shape.Rank).Select(d => "i" + Number(d)).ToArray();
        for (int d = 0; d < shape.Rank; d++)
            _out.Open($"for (int {indexes[d]} = 0; {indexes[d]} < lengths[{Number(d)}]; {indexes[d]}++)");
        _out.Line($"{Code}.At<TMode>(ref reader, level, i++);");
        _out.Line($"{element.Type} element;");
        EmitRead(element, "element", null, isCounted);
        _out.Line($"grid[{string.Join(", ", indexes)}] = element;");
        for (int d = 0; d < shape.Rank; d++)
            _out.Close();
        CloseElements(isCounted);
        _out.Line("return grid;");
        _out.Close();
    }
}
