// https://protobuf.dev/reference/protobuf/proto3-spec/
using System;
using System.Collections.Generic;
using System.Globalization;
using System.Text;
using Formatters.Protobuf;

namespace Formatters;

/// <summary>Implemented by a message that can add its fields to a schema.</summary>
internal interface ISchemaMessage
{
    void Describe(SchemaBuilder schema, SchemaMessage message);
}

/// <summary>Collects the messages and enums of a <c>.proto</c> file.</summary>
internal sealed class SchemaBuilder
{
    private const string DateTimeOffsetMessage = "DateTimeOffset";

    private readonly Dictionary<object, string> _names = [];
    private readonly HashSet<string> _takenNames = new(StringComparer.Ordinal);
    private readonly SortedSet<string> _imports = new(StringComparer.Ordinal);
    private readonly List<Func<string>> _declarations = [];

    /// <summary>Adds a message if necessary, and returns its name.</summary>
    internal string AddMessage<T>(ProtobufCodec<T> codec)
    {
        if (codec is not ISchemaMessage described)
            return Import(codec.SchemaType);
        if (_names.TryGetValue(codec, out string? known))
            return known;
        var message = new SchemaMessage(TakeName(codec, codec.SchemaType));
        _declarations.Add(message.ToString);
        described.Describe(this, message);
        return message.Name;
    }

    /// <summary>Adds the message for the entries of a map whose key type <c>map</c> does not support.</summary>
    internal string AddEntry(string name, string keyType, string valueType)
    {
        var message = new SchemaMessage(TakeName(new object(), ToPascalCase(name) + "Entry"));
        message.AddField(keyType, "key", 1);
        message.AddField(valueType, "value", 2);
        _declarations.Add(message.ToString);
        return message.Name;
    }

    /// <summary>Adds an enum of <c>int</c> or a smaller type if necessary, and returns its name.</summary>
    internal string AddEnum(Type type)
    {
        if (_names.TryGetValue(type, out string? known))
            return known;
        string name = TakeName(type, SchemaNames.OfType(type));
        string text = PrintEnum(type, name);
        _declarations.Add(() => text);
        return name;
    }

    /// <summary>Ensures that a type of another file, or one of ours, is declared.</summary>
    /// <returns>The name to use for the type.</returns>
    internal string Import(string schemaType)
    {
        if (schemaType == DateTimeOffsetMessage)
            return AddDateTimeOffset();
        int dot = schemaType.LastIndexOf('.');
        if (dot < 0)
            return schemaType;
        _imports.Add(schemaType.StartsWith("bcl.", StringComparison.Ordinal)
            ? "protobuf-net/bcl.proto"
            : schemaType.Substring(0, dot).Replace('.', '/') + "/" + SchemaNames.ToSnakeCase(schemaType.Substring(dot + 1)) + ".proto");
        return schemaType;
    }

    internal string Print(string? package)
    {
        var text = new StringBuilder("syntax = \"proto3\";\n");
        if (package is not null)
            text.Append("\npackage ").Append(package).Append(";\n");
        if (_imports.Count > 0)
            text.Append('\n');
        foreach (string import in _imports)
            text.Append("import \"").Append(import).Append("\";\n");
        foreach (Func<string> declaration in _declarations)
            text.Append('\n').Append(declaration());
        return text.ToString();
    }

    private string AddDateTimeOffset()
    {
        if (_names.TryGetValue(typeof(DateTimeOffset), out string? known))
            return known;
        var message = new SchemaMessage(TakeName(typeof(DateTimeOffset), DateTimeOffsetMessage), "A google.protobuf.Timestamp with an offset.");
        message.AddField("int64", "seconds", 1);
        message.AddField("int32", "nanos", 2);
        message.AddField("sint32", "offset_minutes", 3);
        _declarations.Add(message.ToString);
        return message.Name;
    }

    private string TakeName(object key, string name)
    {
        string taken = name;
        for (int i = 2; !_takenNames.Add(taken); i++)
            taken = name + i.ToString(CultureInfo.InvariantCulture);
        return _names[key] = taken;
    }

    private string PrintEnum(Type type, string name)
    {
        var values = new List<(string Name, int Value)>();
        foreach (string valueName in Enum.GetNames(type))
            values.Add((valueName, Convert.ToInt32(Enum.Parse(type, valueName), CultureInfo.InvariantCulture)));
        string prefix = SchemaNames.ToUpperSnakeCase(name) + "_";
        // proto3 requires the value 0 first, in every enum.
        int zero = values.FindIndex(static value => value.Value == 0);
        (string Name, int Value) first = zero < 0 ? ("Unspecified", 0) : values[zero];
        if (zero >= 0)
            values.RemoveAt(zero);
        values.Insert(0, first);

        var text = new StringBuilder("enum ").Append(name).Append(" {\n");
        var seen = new HashSet<int>();
        if (!values.TrueForAll(value => seen.Add(value.Value)))
            text.Append("  option allow_alias = true;\n");
        foreach ((string valueName, int value) in values)
        {
            string unique = prefix + SchemaNames.ToUpperSnakeCase(valueName);
            // The values of all enums of a file share one namespace.
            for (int i = 2; !_takenNames.Add(unique); i++)
                unique = prefix + SchemaNames.ToUpperSnakeCase(valueName) + "_" + i.ToString(CultureInfo.InvariantCulture);
            text.Append("  ").Append(unique).Append(" = ").Append(value.ToString(CultureInfo.InvariantCulture)).Append(";\n");
        }

        return text.Append("}\n").ToString();
    }

    private static string ToPascalCase(string name)
    {
        var pascal = new StringBuilder();
        foreach (string part in name.Split(['_'], StringSplitOptions.RemoveEmptyEntries))
            pascal.Append(char.ToUpperInvariant(part[0])).Append(part, 1, part.Length - 1);
        return pascal.ToString();
    }
}

/// <summary>A message of a <c>.proto</c> file.</summary>
internal sealed class SchemaMessage
{
    private readonly StringBuilder _text = new();
    private readonly HashSet<string> _fieldNames = new(StringComparer.Ordinal);
    private string _indent = "  ";
    private bool _isInOneof;

    internal SchemaMessage(string name, string? comment = null)
    {
        Name = name;
        if (comment is not null)
            _text.Append("// ").Append(comment).Append('\n');
        _text.Append("message ").Append(name).Append(" {\n");
    }

    internal string Name { get; }

    /// <summary>Adds a field. In a oneof, every field is optional, and none has the label.</summary>
    internal void AddField(string type, string name, int number, string options = "") =>
        _text.Append(_indent).Append(_isInOneof ? type.Replace("optional ", "") : type).Append(' ').Append(TakeName(name)).Append(" = ")
        .Append(number.ToString(CultureInfo.InvariantCulture)).Append(options).Append(";\n");

    internal void BeginOneof(string name)
    {
        _text.Append("  oneof ").Append(TakeName(name)).Append(" {\n");
        _indent = "    ";
        _isInOneof = true;
    }

    internal void EndOneof()
    {
        _text.Append("  }\n");
        _indent = "  ";
        _isInOneof = false;
    }

    public override string ToString() => _text + "}\n";

    private string TakeName(string name)
    {
        string taken = name;
        for (int i = 2; !_fieldNames.Add(taken); i++)
            taken = name + "_" + i.ToString(CultureInfo.InvariantCulture);
        return taken;
    }
}
