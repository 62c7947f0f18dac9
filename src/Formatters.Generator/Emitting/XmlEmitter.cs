using System.Collections.Generic;
using System.Linq;
using System.Text;

namespace Formatters.Generator;

/// <summary>Prints the code of XML (docs/wire/xml.md): what XmlSerializer does for the types, in the same order.</summary>
/// <remarks>
/// Every contract has the code of all its types, because the root determines which types may occur in an element. The methods of a class write and
/// read an element whose name is an argument. A body in the writer's form is read in one pass; every pass over the members takes as many as are in
/// order.
/// </remarks>
internal sealed partial class XmlEmitter(WireModel model, SourceWriter output, bool hasUtf8Literals) : WireEmitter(model, output)
{
    private const string Bytes = "global::System.ReadOnlySpan<byte>";
    private const string Instance = "value";

    private readonly Dictionary<string, string> _names = [];
    private readonly HashSet<string> _identifiers = [];
    private EquatableArray<Shape> _shapes;

    private protected override string Writer => "ref __F::XmlBodyWriter w";

    private protected override string Reader => "ref __F::XmlBodyReader r";

    private protected override void EmitPublished(ContractFormats format, PublishedContract contract)
    {
        string type = contract.Value.Type;
        string name = contract.PropertyName + "Code";
        if (contract.IsPlaceholder)
            EmitPlaceholder(type, name);
        if (contract.Xml is not XmlRoot root)
            return; // by XmlSerializer
        _names.Clear();
        _identifiers.Clear();
        _shapes = root.Shapes;
        Out.OpenFlat($"internal sealed class {name} : __F::GeneratedXmlContract<{type}>");
        Out.Line($"internal static readonly {name} Instance = new {name}();");
        Out.Line($"protected override string RootName => {Quote(root.Element.Name)};");
        Out.Line($"protected override string RootNamespace => {Quote(root.Namespace)};");
        Out.Line();
        Out.Open($"protected override void Write({Writer}, {type} value)");
        Out.Line($"w.Begin({Name(root.Namespace)});");
        EmitWriteElement(root.Element, Instance, "");
        Out.Close();
        Out.Line();
        Out.Open($"protected override {type} Read({Reader})");
        Out.Line($"{type} value = default({type});");
        Out.Line($"if (!r.OpenRoot({Name(root.Element.Name)}, {Name(root.Namespace)}))");
        Out.Nested("return value;");
        EmitReadElement(root.Element, text => Out.Line($"value = {text};"));
        Out.Line("r.CloseRoot();");
        Out.Line("return value;");
        Out.Close();
        foreach (int index in ShapesOf(root))
        {
            Out.Line();
            EmitShape(_shapes[index]);
        }

        if (_names.Count > 0)
            Out.Line();
        foreach (KeyValuePair<string, string> text in _names)
        {
            Out.Line(
                $"private static {Bytes} {text.Value} => new byte[] {{ {string.Join(", ", Encoding.UTF8.GetBytes(text.Key).Select(b => Number(b)))} "
                + $"}};");
        }

        Out.Close();
    }

    /// <summary>Emits what the contracts that contain a type call if its own contract has errors.</summary>
    private void EmitPlaceholder(string type, string name)
    {
        Out.Open("internal static class " + name);
        Out.Line($"internal static void Write{Shape.OwnName}({Writer}, {Bytes} name, {type} value, bool isTypeNamed) {{ }}");
        Out.Line($"internal static {type} Read{Shape.OwnName}({Reader}, {Bytes} name, bool isNullable) => default({type});");
        Out.Close();
    }

    /// <summary>Returns the indexes of the shapes whose code is in the contract: those of the root, without the content of shared records.</summary>
    private SortedSet<int> ShapesOf(XmlRoot root)
    {
        var found = new SortedSet<int>();
        Find(root.Element.Value.Shape);
        return found;

        void Find(int index)
        {
            if (index < 0 || _shapes[index] is XmlRecordShape { IsShared: true } || !found.Add(index))
                return;
            if (_shapes[index] is XmlListShape list)
                Find(list.Item.Value.Shape);
            if (_shapes[index] is not XmlRecordShape record)
                return;
            foreach (XmlMember member in record.Members)
                Find(member.Element.Value.Shape);
            foreach (int derived in record.Derived)
                Find(derived);
        }
    }

    /// <summary>Returns the method of a record.</summary>
    private static string MethodOf(string verb, Shape record) => record is XmlRecordShape { IsShared: true }
        ? $"{record.Type}.{ContractFormats.Xml.ClassName()}.{WireFormats.PropertyName}Code.{verb}{Shape.OwnName}"
        : verb + record.Name;

    private protected override void EmitShape(Shape shape)
    {
        switch (shape)
        {
            case XmlRecordShape record:
                EmitWriteRecord(record);
                Out.Line();
                EmitReadRecord(record);
                break;
            case XmlListShape { IsOfTexts: false } list:
                EmitWriteList(list);
                Out.Line();
                EmitReadList(list);
                break;
            case XmlEnumShape { IsFlags: true } flags:
                EmitFlags(flags);
                break;
            case XmlEnumShape single:
                EmitEnum(single);
                break;
        }
    }

    /// <summary>Returns the constant bytes of a string.</summary>
    private string Name(string text)
    {
        if (text.Length == 0)
            return $"default({Bytes})";
        if (hasUtf8Literals)
            return Quote(text) + "u8";
        if (_names.TryGetValue(text, out string? known))
            return known;
        string identifier = "Name_" + new string([.. text.Select(c => c is >= 'A' and <= 'Z' or >= 'a' and <= 'z' or >= '0' and <= '9' ? c : '_')]);
        string unique = identifier;
        for (int i = 2; !_identifiers.Add(unique); i++)
            unique = identifier + "_" + Number(i);
        _names.Add(text, unique);
        return unique;
    }

    private void EmitEnum(XmlEnumShape shape)
    {
        Out.Open($"private static string NameOf{shape.Name}({shape.Type} value)");
        Out.Open("switch (value)");
        // Of several names for one value the first is written.
        foreach (XmlEnumValue value in shape.Values.GroupBy(v => v.Number).Select(g => g.First()))
            Out.Line($"case unchecked(({shape.Type})({Literal(value.Number)})): return {Quote(value.Name)};");
        Out.Line($"default: return __F::XmlBodyWriter.ThrowUnknownEnum();");
        Out.Close();
        Out.Close();
        Out.Line();
        Out.Open($"private static {shape.Type} Read{shape.Name}({Reader})");
        foreach (XmlEnumValue value in shape.Values)
        {
            Out.Line($"if (r.Is({Name(value.Name)}))");
            Out.Nested($"return unchecked(({shape.Type})({Literal(value.Number)}));");
        }

        Out.Line($"return r.ThrowUnknownEnum<{shape.Type}>();");
        Out.Close();
    }

    private void EmitFlags(XmlEnumShape shape)
    {
        Out.Line($"private static readonly string[] s_namesOf{shape.Name} = {{ {string.Join(", ", shape.Values.Select(v => Quote(v.Name)))} }};");
        Out.Line();
        Out.Line($"private static readonly long[] s_valuesOf{shape.Name} = {{ {string.Join(", ", shape.Values.Select(v => Literal(v.Number)))} }};");
        Out.Line();
        Out.Line(
            $"private static string NameOf{shape.Name}({shape.Type} value) => __F::XmlBodyWriter.FlagNames(unchecked((long)value), "
            + $"s_namesOf{shape.Name}, s_valuesOf{shape.Name});");
        Out.Line();
        Out.Line(
            $"private static {shape.Type} Read{shape.Name}({Reader}) => unchecked(({shape.Type})r.ToFlags<{shape.Type}>(s_namesOf{shape.Name}, "
            + $"s_valuesOf{shape.Name}));");
    }

    private static string Literal(long value) =>
        value == long.MinValue ? "(-9223372036854775807L - 1)" : value.ToString(System.Globalization.CultureInfo.InvariantCulture) + "L";
}
