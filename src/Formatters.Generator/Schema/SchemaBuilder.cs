using System;
using System.Collections.Generic;
using System.Linq;
using System.Text;

namespace Formatters.Generator;

/// <summary>From the models of the generated files to the records of a snapshot.</summary>
internal static class SchemaBuilder
{
    /// <summary>The records of one file in its wire formats.</summary>
    internal static EquatableArray<SchemaRecord> Records(ContractModel model)
    {
        var records = new List<SchemaRecord>();
        foreach (WireModel wire in model.Wires)
            AddRecords(records, model, wire);
        return records.ToEquatable();
    }

    private static void AddRecords(List<SchemaRecord> records, ContractModel model, WireModel wire)
    {
        string format = wire.Format.ToString().ToLowerInvariant();
        foreach (RecordShape shape in wire.Shapes.OfType<RecordShape>())
        {
            EquatableArray<SchemaMember> members = shape.Members.Select(m => new SchemaMember(m.Name, m.Number, TypeOf(m.Value, wire.Shapes))).ToEquatable();
            records.Add(new SchemaRecord(NameOf(shape.Type), format, shape.IsNumbered, members, default));
        }

        foreach (UnionShape shape in wire.Shapes.OfType<UnionShape>())
            records.Add(new SchemaRecord(NameOf(shape.Type), format, true, shape.Cases.Select(c => new SchemaMember(NameOf(c.Value.Type), c.Tag, TypeOf(c.Value, wire.Shapes))).ToEquatable(), default));
        // A contract of a context that is no record stands for itself.
        string context = string.Join(".", model.Containers.Select(c => c.Substring(c.LastIndexOf(' ') + 1)));
        string prefix = model.Namespace.Length == 0 ? context : model.Namespace + "." + context;
        foreach (PublishedContract contract in wire.Contracts)
        {
            string type = TypeOf(contract.Value, wire.Shapes);
            if (type != NameOf(contract.Value.Type))
                records.Add(new SchemaRecord(prefix + "." + contract.PropertyName, format, false, new[] { new SchemaMember("", 0, type) }.ToEquatable(), default));
        }
    }

    /// <summary>The records of all files, each once, in ordinal order; with the numbers that the snapshot keeps.</summary>
    internal static EquatableArray<SchemaRecord> Merge(IEnumerable<EquatableArray<SchemaRecord>> files, EquatableArray<SchemaRecord> snapshot)
    {
        var merged = new List<SchemaRecord>();
        foreach (IGrouping<(string Name, string Format), SchemaRecord> group in files.SelectMany(f => f).Distinct().GroupBy(r => (r.Name, r.Format)))
        {
            // One type may have two layouts: a Box<string> and a Box<string?>.
            SchemaRecord[] layouts = [.. group.OrderBy(r => string.Join(",", r.Members), StringComparer.Ordinal)];
            merged.AddRange(layouts.Select((r, i) => i == 0 ? r : r with { Name = $"{r.Name}#{(i + 1).ToString(System.Globalization.CultureInfo.InvariantCulture)}" }));
        }

        return merged.OrderBy(r => r.Name, StringComparer.Ordinal).ThenBy(r => r.Format, StringComparer.Ordinal).Select(WithRetired).ToEquatable();

        SchemaRecord WithRetired(SchemaRecord record)
        {
            SchemaRecord? old = snapshot.FirstOrDefault(r => r.Name == record.Name && r.Format == record.Format);
            if (old is null || !record.IsNumbered)
                return record;
            IEnumerable<int> numbers = old.Retired.Concat(old.Members.Select(m => m.Number)).Where(n => record.Members.All(m => m.Number != n));
            return record with { Retired = numbers.Distinct().OrderBy(n => n).ToEquatable() };
        }
    }

    /// <summary>A type without the names of tuple elements, which go by their places: <c>(int, string)</c> for <c>(int Id, string Name)</c>.</summary>
    internal static string WithoutElementNames(string type)
    {
        var text = new StringBuilder(type.Length);
        int depth = 0;
        bool isName = false;
        foreach (char c in type)
        {
            depth += c == '(' ? 1 : c == ')' ? -1 : 0;
            // Of the spaces in a tuple those behind commas part the elements, the others come before a name.
            isName = c is not (',' or ')') && (isName || c == ' ' && depth > 0 && text[text.Length - 1] != ',');
            if (!isName)
                text.Append(c);
        }

        return text.ToString();
    }

    private static string NameOf(string type) => WithoutElementNames(type.TrimEnd('?').Replace("global::", ""));

    private static string TypeOf(ValueModel value, EquatableArray<Shape> shapes)
    {
        string type = value.Kind switch
        {
            ValueKind.Scalar => value.Name.ToLowerInvariant(),
            ValueKind.Text => "string",
            ValueKind.Bytes => "bytes",
            ValueKind.Known => value.Name.EndsWith("Memory", StringComparison.Ordinal) ? "bytes" : value.Name.ToLowerInvariant(),
            ValueKind.OwnBody => "own " + NameOf(value.Type),
            ValueKind.Formatted => "formatted " + NameOf(value.Name),
            ValueKind.Contract or ValueKind.ForeignContract => NameOf(value.Type),
            _ => shapes[value.Shape] switch
            {
                // All of them are a count and the elements.
                ListShape list => $"list<{TypeOf(list.Element, shapes)}>",
                SequenceShape sequence => $"list<{TypeOf(sequence.Element, shapes)}>",
                DictionaryShape dictionary => $"map<{TypeOf(dictionary.Key, shapes)}, {TypeOf(dictionary.Value, shapes)}>",
                GridShape grid => $"grid<{grid.Rank.ToString(System.Globalization.CultureInfo.InvariantCulture)}, {TypeOf(grid.Element, shapes)}>",
                _ => NameOf(value.Type),
            },
        };
        return value.IsNullable ? type + "?" : type;
    }
}
