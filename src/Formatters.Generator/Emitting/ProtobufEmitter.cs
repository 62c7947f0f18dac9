using System.Collections.Generic;
using System.Linq;

namespace Formatters.Generator;

/// <summary>Prints the code of protobuf (docs/wire/protobuf.md).</summary>
/// <remarks>
/// Records, with their numbers, dates, strings, records and lists of records, have inlined code. Any other member is composed of the same library
/// components as contracts found by reflection. There is one mode of reading: whether an existing object is filled, or a message in two parts is
/// merged, is decided at run time.
/// </remarks>
internal sealed partial class ProtobufEmitter(WireModel model, SourceWriter output) : WireEmitter(model, output)
{
    private const string Generated = "__F::";

    private protected override string Writer => "ref global::Formatters.Protobuf.ProtobufBodyWriter w";

    private protected override string PathCode => Proto;

    private protected override string Reader => "ref global::Formatters.Protobuf.ProtobufBodyReader r";

    private protected override void EmitPublished(ContractFormats format, PublishedContract contract)
    {
        ValueModel value = contract.Value;
        if (IsRecord(value))
            return; // every record has such code
        string type = value.Type;
        string codec = $"global::Formatters.Protobuf.ProtobufCodec<{type}>";
        string make = IsMessage(value) ? Codec(value) : $"{Proto}.WrapperCodec<{type}>({Field(value, 1, MemberEncoding.Default)})";
        Out.Open($"internal readonly struct {contract.PropertyName}Code : {Generated}IProtobufCode<{type}>");
        Out.Open(WriteHeader(type));
        Out.Line($"{Proto}.End(ref w, ref p);");
        Out.Line("Root<M>.Instance.Write(ref w, value);");
        Out.Line($"return ref {Proto}.Begin(ref w);");
        Out.Close();
        Out.Line();
        Out.Open(ReadHeader(type));
        Out.Line($"{Proto}.End(ref r, ref p);");
        Out.Line($"{type} value = Root<M>.Instance.Read(ref r, existing, merges);");
        Out.Line($"p = ref {Proto}.Begin(ref r);");
        Out.Line("return value;");
        Out.Close();
        Out.Line();
        Out.Line($"{WrapHeader(type)} => ref {Proto}.Wrap<M, {type}, {contract.PropertyName}Code>(ref w, ref p, value);");
        Out.Line($"{ShortHeader(type)} => false;");
        Out.Line();
        Out.Open($"private static class Root<M> {Mode}");
        Out.Line($"internal static readonly {codec} Instance = {make};");
        Out.Close();
        Out.Close();
    }

    private string WriteHeader(string type) => $"public ref byte Write<M>({Writer}, ref byte p, {type} value) {Mode}";

    private string WrapHeader(string type) => $"public ref byte Wrap<M>({Writer}, ref byte p, {type} value) {Mode}";

    private static string ShortHeader(string type) => $"public bool TryReadShort(ref byte start, int byteCount, ref {type} existing)";

    private string ReadHeader(string type) => $"public {type} Read<M>({Reader}, ref byte p, {type} existing, bool merges) {Mode}";

    private protected override void EmitShape(Shape shape)
    {
        switch (shape)
        {
            case RecordShape record:
                EmitWriteRecord(record);
                Out.Line();
                EmitWrapRecord(record);
                Out.Line();
                EmitReadRecord(record);
                Out.Line();
                EmitCodec(record);
                break;
            case UnionShape union:
                string unknown = union.UnknownType.Length > 0 ? $"() => new {union.UnknownType}()" : "null";
                EmitInstance(union, $"{Proto}.UnionCodec<{union.Type}>({unknown}{UnionCases(union.Type, union.Cases)})");
                break;
            case MultidimensionalArrayShape grid:
                EmitInstance(
                    grid,
                        $"{Proto}.GridCodec<{grid.Type}, {grid.Element.Type}>({Element(grid.Element, MemberEncoding.Default)}, "
                        + $"{grid.Element.Allocation}, {Number(grid.Rank)})");
                break;
        }
    }

    private string UnionCases(string type, EquatableArray<UnionCase> cases) =>
        string.Concat(cases.Select(c => $", {Proto}.UnionCase<{type}, {c.Value.Type}>({Number(c.Tag)}, {Codec(c.Value)})"));

    private string OneofFields(ValueModel value, OneofShape oneof) =>
        $"{Proto}.OneofFields<{oneof.Type}>({(value.IsNullable ? "true" : "false")}{UnionCases(oneof.Type, oneof.Cases)})";

    private OneofShape? OneofOf(ValueModel value) => value.Kind == ValueKind.Shape ? Model.Shapes[value.Shape] as OneofShape : null;

    /// <summary>Returns the fields of a record in the order of their numbers: one per member, several for a oneof.</summary>
    private List<FieldPlace> Fields(RecordShape record) =>
        [.. Enumerable.Range(0, record.Members.Count).SelectMany(i => FieldsOf(record.Members[i], i)).OrderBy(f => f.Member.Number)];

    private IEnumerable<FieldPlace> FieldsOf(MemberModel member, int index) => OneofOf(member.Value) is OneofShape oneof
        ? oneof.Cases.Select((c, i) => new FieldPlace(
            index, member with { Number = c.Tag }, Number(index) + "Case" + Number(i), $"Member{Number(index)}[{Number(i)}]"))
        : [new FieldPlace(index, member, Number(index), "Member" + Number(index))];

    private void EmitInstance(Shape shape, string make)
    {
        Out.Open($"{Scope(shape)} static class CodecOf{shape.Name}<M> {Mode}");
        Out.Line($"internal static readonly global::Formatters.Protobuf.ProtobufCodec<{shape.Type}> Instance = {make};");
        Out.Close();
    }

    /// <summary>Prints the codec of a record, for the library components that contain it.</summary>
    private void EmitCodec(RecordShape record)
    {
        bool isPublished = Model.Contracts.Any(c => ReferenceEquals(RecordOf(c.Value), record));
        Out.Open($"{(isPublished ? "internal" : Scope(record))} readonly struct CodeOf{record.Name} : {Generated}IProtobufCode<{record.Type}>");
        Out.Line($"{WriteHeader(record.Type)} => ref Write{record.Name}<M>(ref w, ref p, value);");
        Out.Line($"{ReadHeader(record.Type)} => Read{record.Name}<M>(ref r, ref p, existing, merges);");
        Out.Line($"{WrapHeader(record.Type)} => ref Wrap{record.Name}<M>(ref w, ref p, value);");
        EmitReadShort(record);
        Out.Close();
        if (!record.Members.Any(m => !IsInline(m.Value)))
            return;
        Out.Line();
        Out.Open($"private static class FieldsOf{record.Name}<M> {Mode}");
        for (int i = 0; i < record.Members.Count; i++)
        {
            MemberModel member = record.Members[i];
            if (OneofOf(member.Value) is OneofShape oneof)
                Out.Line(
                    $"internal static readonly {Generated}ProtobufField<{member.Value.Type}>[] Member{Number(i)} = "
                    + $"{OneofFields(member.Value, oneof)};");
            else if (!IsInline(member.Value))
                Out.Line(
                    $"internal static readonly {Generated}ProtobufField<{member.Value.Type}> Member{Number(i)} = {Field(member.Value, member)};");
        }

        Out.Close();
    }

    /// <summary>Determines whether code for it is printed into that of its record.</summary>
    private bool IsInline(ValueModel value) => IsScalar(value) || value.Kind == ValueKind.Text || IsRecord(value) || ListOfRecords(value) is not null;

    private static bool IsScalar(ValueModel value) => value.Kind == ValueKind.Scalar && FieldTypes.IsInline(value.Name);

    /// <summary>Determines whether it is a record with methods in this assembly.</summary>
    private bool IsRecord(ValueModel value) =>
        !(value.IsNullable && value.IsValueType) && (RecordOf(value) is not null || value is { Kind: ValueKind.Contract, IsUnion: false });

    private ListShape? ListOfRecords(ValueModel value) =>
        value.Kind == ValueKind.Shape && Model.Shapes[value.Shape] is ListShape { Kind: ListKind.List, Element: { IsNullable: false } element } list
        && IsRecord(element) ? list : null;

    private bool IsMessage(ValueModel value) => !value.IsNullable && value.Kind switch
    {
        ValueKind.Contract or ValueKind.ForeignContract or ValueKind.Formatted => true,
        ValueKind.Shape => Model.Shapes[value.Shape] is RecordShape or UnionShape or OneofShape or MultidimensionalArrayShape,
        _ => false,
    };

    private bool IsRepeated(ValueModel value) =>
        value.Kind == ValueKind.Shape && Model.Shapes[value.Shape] is ListShape or SequenceShape or DictionaryShape;

    private static int WireType(ValueModel value, MemberEncoding encoding) =>
        value.Kind == ValueKind.Scalar ? FieldTypes.WireType(value.Name, encoding) : FieldTypes.LengthDelimited;

    /// <summary>Returns the tags of the fields of a member, starting with the one that is written.</summary>
    private List<uint> Tags(MemberModel member)
    {
        int wireType = FieldTypes.LengthDelimited;
        var tags = new List<uint>();
        ValueModel? element = member.Value.Kind != ValueKind.Shape ? null : Model.Shapes[member.Value.Shape] switch
        {
            ListShape list => list.Element,
            SequenceShape sequence => sequence.Element,
            _ => null,
        };
        if (element is null)
            wireType = WireType(member.Value, member.Encoding);
        else if (!element.IsNullable && WireType(element, member.Encoding) is int unpacked and not FieldTypes.LengthDelimited)
            tags.Add(FieldTypes.Tag(member.Number, unpacked));
        tags.Insert(member.IsUnpacked ? tags.Count : 0, FieldTypes.Tag(member.Number, wireType));
        return tags;
    }

    /// <summary>Returns the code of a contract, as a type argument for the library.</summary>
    internal static string CodeOf(WireModel wire, PublishedContract contract)
    {
        ValueModel value = contract.Value;
        string className = wire.Format.ClassName();
        return value is { Kind: ValueKind.Contract, IsUnion: false }
            ? $"{value.Name}.{className}.CodeOfSelf"
            : value.Kind == ValueKind.Shape && wire.Shapes[value.Shape] is RecordShape record
            ? $"{className}.CodeOf{record.Name}"
            : $"{className}.{contract.PropertyName}Code";
    }

    /// <summary>Returns the code of a record of this assembly, as a type argument.</summary>
    private string CodeOf(ValueModel value) =>
        RecordOf(value) is RecordShape record ? "CodeOf" + record.Name : $"{value.Name}.{ClassName}.CodeOfSelf";

    private string Codec(ValueModel value)
    {
        string type = NonNullType(value);
        return value.Kind switch
        {
            ValueKind.Contract when !value.IsUnion => $"{Parts}.ProtobufCodec<M, {type}, {CodeOf(value)}>()",
            ValueKind.Contract => $"{value.Name}.{ClassName}.CodecOfSelf<M>.Instance",
            ValueKind.ForeignContract => $"{Proto}.ContractCodec<M, {type}>({type}.{WireFormats.PropertyName})",
            ValueKind.Formatted => $"{Proto}.OwnCodec<{value.Name}, {type}>()",
            _ when RecordOf(value) is not null => $"{Parts}.ProtobufCodec<M, {type}, {CodeOf(value)}>()",
            _ => $"CodecOf{Model.Shapes[value.Shape].Name}<M>.Instance",
        };
    }

    private string Field(ValueModel value, MemberModel member) => Field(value, member.Number, member.Encoding, member.IsUnpacked);

    /// <summary>Returns an expression that creates a <c>ProtobufField&lt;T&gt;</c>.</summary>
    private string Field(ValueModel value, int number, MemberEncoding encoding, bool isUnpacked = false)
    {
        string type = NonNullType(value);
        string isNullable = value.IsNullable ? "true" : "false";
        if (!IsRepeated(value))
        {
            string kind = !value.IsNullable ? "SingleField" : value.IsValueType ? "OptionalField" : "OptionalObjectField";
            return $"{Proto}.{kind}<{type}>({Number(number)}, {Value(value with { IsNullable = false, Type = type }, encoding)})";
        }

        switch (Model.Shapes[value.Shape])
        {
            case ListShape list:
                string method = list.Kind == ListKind.Array ? $"ArrayField<{list.Element.Type}>" : $"ListField<{type}, {list.Element.Type}>";
                return $"{Proto}.{method}({Number(number)}, {Item(list.Element)}, {list.Element.Allocation}, {isNullable})";
            case SequenceShape sequence:
                string make = string.Format(System.Globalization.CultureInfo.InvariantCulture, sequence.Recipe.Make, "items", sequence.Element.Type);
                return $"{Proto}.{(sequence.Recipe.IsSet ? "SetField" : "SequenceField")}<{type}, {sequence.Element.Type}>"
                    + $"({Number(number)}, {Item(sequence.Element)}, {sequence.Element.Allocation}, {isNullable}, items => {make})";
            default:
                var map = (DictionaryShape)Model.Shapes[value.Shape];
                string makeMap = map.Recipe is null
                    ? "null"
                    : "items => " + string.Format(System.Globalization.CultureInfo.InvariantCulture, map.Recipe.Make, "items", map.Key.Type,
                        map.Value.Type);
                return $"{Proto}.MapField<{type}, {map.Key.Type}, {map.Value.Type}>"
                    + $"({Number(number)}, {Value(map.Key, encoding)}, {Element(map.Value, encoding)}, {map.Key.Allocation} + {map.Value.Allocation} "
                    + $"+ 12, {isNullable}, {makeMap})";
        }

        string Item(ValueModel element) =>
            isUnpacked ? $"{Proto}.Unpacked<{element.Type}>({Element(element, encoding)})" : Element(element, encoding);
    }

    /// <summary>
    /// Returns an expression that creates the <c>ProtobufValue&lt;T&gt;</c> of a repeated value: a message around it, if it may be null.
    /// </summary>
    private string Element(ValueModel value, MemberEncoding encoding) => value.IsNullable ? Wrapped(value, encoding) : Value(value, encoding);

    private string Value(ValueModel value, MemberEncoding encoding)
    {
        string last = "global::Formatters.MemberEncoding." + encoding;
        return IsRepeated(value)
            ? Wrapped(value, encoding)
            : IsMessage(value)
            ? $"{Proto}.MessageValue<{value.Type}>({Codec(value)})"
            : value.CastType.Length > 0
            ? $"{Proto}.EnumValue<{value.Type}, {value.CastType}>({last})"
            : $"{Proto}.ScalarValue<{value.Type}>({last})";
    }

    private string Wrapped(ValueModel value, MemberEncoding encoding) =>
        $"{Proto}.MessageValue<{value.Type}>({Proto}.WrapperCodec<{value.Type}>({Field(value, 1, encoding)}))";

    /// <summary>A field of a record.</summary>
    /// <param name="Index">The index of its member.</param>
    /// <param name="Member">The member, with the number of the field.</param>
    /// <param name="Label">The suffix that distinguishes the field in names.</param>
    /// <param name="Instance">Its part of the library, among the fields of the record.</param>
    private sealed record FieldPlace(int Index, MemberModel Member, string Label, string Instance);
}
