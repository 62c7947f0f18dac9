using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using System.Text;

namespace Formatters.Generator;

/// <summary>Reads and writes the snapshot: JSON in a stable format, one line per member, so that a change is easy to review.</summary>
internal static class SchemaJson
{
    internal static string Print(EquatableArray<SchemaRecord> records)
    {
        var text = new StringBuilder("{\n  \"version\": 1,\n  \"records\": [");
        for (int i = 0; i < records.Count; i++)
        {
            SchemaRecord record = records[i];
            text.Append(i == 0 ? "\n" : ",\n").Append("    {\n      \"name\": ").Append(Quote(record.Name)).Append(",\n      \"format\": ")
                .Append(Quote(record.Format));
            if (record.Form.Length > 0)
                text.Append(",\n      \"form\": ").Append(Quote(record.Form));
            if (record.KeepsUnknown)
                text.Append(",\n      \"keepsUnknown\": true");
            if (record.Retired.Count > 0)
                text.Append(",\n      \"retired\": [").Append(string.Join(", ", record.Retired.Select(Number))).Append(']');
            text.Append(",\n      \"members\": [");
            for (int k = 0; k < record.Members.Count; k++)
            {
                SchemaMember member = record.Members[k];
                text.Append(k == 0 ? "\n" : ",\n").Append("        { \"name\": ").Append(Quote(member.Name));
                if (record.IsNumbered)
                    text.Append(", \"number\": ").Append(Number(member.Number));
                text.Append(", \"type\": ").Append(Quote(member.Type)).Append(member.IsRequired ? ", \"required\": true" : "")
                    .Append(member.IsWrittenOnly ? ", \"writtenOnly\": true }" : " }");
            }

            text.Append(record.Members.Count == 0 ? "]\n    }" : "\n      ]\n    }");
        }

        return text.Append(records.Count == 0 ? "]\n}\n" : "\n  ]\n}\n").ToString();
    }

    internal static SchemaFile Read(string path, string text)
    {
        var reader = new JsonText(text);
        try
        {
            Dictionary<string, object> root = Object(reader.Read());
            if (!root.TryGetValue("version", out object? version) || version is not 1)
                throw new JsonTextException("\"version\" is not 1");
            return new SchemaFile(path, List(root, "records").Select(Object).Select(ReadRecord).ToEquatable(), null, 0);
        }
        catch (JsonTextException e)
        {
            return new SchemaFile(path, default, e.Message, reader.Line);
        }
    }

    private static SchemaRecord ReadRecord(Dictionary<string, object> record)
    {
        IEnumerable<int> retired = record.ContainsKey("retired")
            ? List(record, "retired").Select(n => n as int? ?? throw new JsonTextException("a number is expected")) : [];
        bool isNumbered = record.ContainsKey("retired") || List(record, "members").Select(Object).Any(m => m.ContainsKey("number"));
        EquatableArray<SchemaMember> members = List(record, "members").Select(Object).Select(m =>
            new SchemaMember(Text(m, "name"), m.TryGetValue("number", out object? n)
                ? n as int? ?? throw new JsonTextException("a number is expected") : 0, Text(m, "type")) 
            {
                IsRequired = IsTrue(m, "required"),
                IsWrittenOnly = IsTrue(m, "writtenOnly"),
            }).ToEquatable();
        if (members.Select(m => m.Name).Distinct().Count() != members.Count)
            throw new JsonTextException("two members have the same name");
        string form = record.ContainsKey("form") ? Text(record, "form") : "";
        return new SchemaRecord(Text(record, "name"), Text(record, "format"), isNumbered, members, retired.ToEquatable()) { Form = form,
            KeepsUnknown = IsTrue(record, "keepsUnknown") };
    }

    private static Dictionary<string, object> Object(object value) =>
        value as Dictionary<string, object> ?? throw new JsonTextException("an object is expected");

    private static List<object> List(Dictionary<string, object> owner, string name) =>
        owner.TryGetValue(name, out object? value) && value is List<object> list
        ? list
        : throw new JsonTextException($"\"{name}\" is missing, or is not an array");

    private static string Text(Dictionary<string, object> owner, string name) =>
        owner.TryGetValue(name, out object? value) && value is string text
        ? text
        : throw new JsonTextException($"\"{name}\" is missing, or is not a string");

    private static bool IsTrue(Dictionary<string, object> owner, string name) =>
        owner.TryGetValue(name, out object? value) && (value is true ? true : throw new JsonTextException($"\"{name}\" is not true"));

    private static string Number(int value) => value.ToString(CultureInfo.InvariantCulture);

    /// <summary>Quotes a string; slashes are escaped as well, because the text is embedded in a comment.</summary>
    private static string Quote(string text)
    {
        var quoted = new StringBuilder("\"");
        foreach (char c in text)
        {
            if (c is '"' or '\\')
                quoted.Append('\\').Append(c);
            else if (c is '/' || char.IsControl(c) || char.IsSurrogate(c))
                quoted.Append("\\u").Append(((int)c).ToString("x4", CultureInfo.InvariantCulture));
            else
                quoted.Append(c);
        }

        return quoted.Append('"').ToString();
    }
}
