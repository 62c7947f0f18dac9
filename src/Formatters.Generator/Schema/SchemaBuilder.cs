using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using System.Text;

namespace Formatters.Generator;

/// <summary>Converts the models of the generated files to the records of a snapshot.</summary>
internal static class SchemaBuilder
{
    /// <summary>Returns the records of one file in its wire formats.</summary>
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
        // The content of a tuple or the like is recorded where it is used.
        foreach (RecordShape shape in wire.Shapes.OfType<RecordShape>().Where(s => !s.IsOfBaseLibrary && !s.IsPlaceholder))
        {
            string form = shape.Form == RecordForm.None ? "" : shape.Form.ToString().ToLowerInvariant();
            records.Add(new SchemaRecord(NameOf(shape.Key), format, shape.IsNumbered, MembersOf(shape, wire.Shapes, wire.Format),
                default) { Form = form });
        }

        foreach (UnionShape shape in wire.Shapes.OfType<UnionShape>().Where(s => !s.IsPlaceholder))
        {
            IEnumerable<SchemaMember> cases = shape.Cases.Select(c => new SchemaMember(NameOf(c.Value.Type), c.Tag, TypeOf(c.Value, wire.Shapes)));
            records.Add(new SchemaRecord(NameOf(shape.Key), format, true, cases.ToEquatable(), default) { Form = "union",
                KeepsUnknown = shape.UnknownType.Length > 0 });
        }

        // A contract of a context that is not a record is recorded itself.
        string context = string.Join(".", model.Containers.Select(c => c.Substring(c.LastIndexOf(' ') + 1)));
        string prefix = model.Namespace.Length == 0 ? context : model.Namespace + "." + context;
        foreach (PublishedContract contract in wire.Contracts.Where(c => !c.IsPlaceholder && !IsRecord(c.Value, wire.Shapes)))
            records.Add(new SchemaRecord(prefix + "." + contract.PropertyName, format, false,
                new[] { new SchemaMember("", 0, TypeOf(contract.Value, wire.Shapes)) }.ToEquatable(), default));
    }

    private static EquatableArray<SchemaMember> MembersOf(RecordShape record, EquatableArray<Shape> shapes, ContractFormats format)
    {
        var members = new List<SchemaMember>();
        foreach (MemberModel member in record.Members)
        {
            // The fields of a oneof are members of the record, each with its number; none of them is required.
            if (member.Value.Kind == ValueKind.Shape && shapes[member.Value.Shape] is OneofShape oneof)
            {
                members.AddRange(oneof.Cases.Select(c => new SchemaMember(
                    $"{member.Name}.{ShortNameOf(c.Value.Type)}", c.Tag, TypeOf(c.Value, shapes) + "?")));
                continue;
            }

            // Private members of base classes may share a name.
            int count = record.Form == RecordForm.Map ? 0 : members.Count(m => m.Name.Split('#')[0] == member.Name);
            string name = record.Form == RecordForm.Map ? member.WireName : count == 0
                ? member.Name
                : $"{member.Name}#{(count + 1).ToString(CultureInfo.InvariantCulture)}";
            string encoding = member.Encoding == MemberEncoding.Default ? "" : member.Encoding.ToString().ToLowerInvariant() + " ";
            members.Add(new SchemaMember(name, member.Number, encoding + TypeOf(member.Value, shapes))
            {
                IsRequired = IsRequired(member, record, shapes, format),
                IsWrittenOnly = record.Form == RecordForm.Array && member.Setter == MemberSetter.None,
            });
        }

        // The order of names is not part of the contract.
        return record.Form == RecordForm.Map ? members.OrderBy(m => m.Name, StringComparer.Ordinal).ToEquatable() : members.ToEquatable();

        static string ShortNameOf(string type) => NameOf(type).Substring(NameOf(type).LastIndexOf('.') + 1);
    }

    /// <summary>
    /// Determines whether a reader requires a member in a body: docs/wire/versioned.md, "Reading another version"; docs/wire/protobuf.md, "Presence";
    /// docs/wire/messagepack.md.
    /// </summary>
    private static bool IsRequired(MemberModel member, RecordShape record, EquatableArray<Shape> shapes, ContractFormats format) => format switch
    {
        ContractFormats.Versioned => member.IsRequired || member.Setter == MemberSetter.Constructor && member.Default.Length == 0
            && HasNoEmpty(member.Value, shapes),
        ContractFormats.Protobuf => record.IsMadeAtOnce && member.Setter != MemberSetter.None && HasNoEmpty(member.Value, shapes)
            && (member.Value.Kind != ValueKind.Known || !FieldTypes.HasDefault(member.Value.Name)),
        _ when format.IsPacked() => member.IsNeeded,
        _ => false,
    };

    /// <summary>Determines whether a missing value has no null, zero or empty replacement.</summary>
    private static bool HasNoEmpty(ValueModel value, EquatableArray<Shape> shapes) =>
        !value.IsNullable && !value.IsValueType && value.Kind is not (ValueKind.Text or ValueKind.Bytes)
        && !(value.Kind == ValueKind.Shape && shapes[value.Shape] is ListShape or SequenceShape or DictionaryShape or MultidimensionalArrayShape);

    /// <summary>Determines whether it has a record of its own.</summary>
    private static bool IsRecord(ValueModel value, EquatableArray<Shape> shapes) => value.Kind switch
    {
        ValueKind.Contract or ValueKind.ForeignContract => true,
        ValueKind.Shape => shapes[value.Shape] is UnionShape or RecordShape { IsOfBaseLibrary: false },
        _ => false,
    };

    /// <summary>Returns the records of all files, each once, in ordinal order; with the numbers that the snapshot keeps.</summary>
    internal static EquatableArray<SchemaRecord> Merge(IEnumerable<EquatableArray<SchemaRecord>> files, EquatableArray<SchemaRecord> snapshot)
    {
        return files.SelectMany(f => f).Distinct().OrderBy(r => r.Name, StringComparer.Ordinal).ThenBy(r => r.Format, StringComparer.Ordinal)
            .Select(WithRetired).ToEquatable();

        SchemaRecord WithRetired(SchemaRecord record)
        {
            SchemaRecord? old = snapshot.FirstOrDefault(r => r.Name == record.Name && r.Format == record.Format);
            if (old is null || !record.IsNumbered && old.Retired.Count == 0 && !old.IsNumbered)
                return record;
            IEnumerable<int> numbers = old.Retired.Concat(old.Members.Select(m => m.Number)).Where(n => record.Members.All(m => m.Number != n));
            return record with { Retired = numbers.Distinct().OrderBy(n => n).ToEquatable() };
        }
    }

    /// <summary>
    /// Removes the names of tuple elements, which are identified by position: <c>(int, string)</c> for <c>(int Id, string Name)</c>.
    /// </summary>
    private static string WithoutElementNames(string type)
    {
        var text = new StringBuilder(type.Length);
        int depth = 0;
        bool isName = false;
        foreach (char c in type)
        {
            depth += c == '(' ? 1 : c == ')' ? -1 : 0;
            // Spaces in a tuple after commas separate the elements, the others precede a name.
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
                RecordShape { IsOfBaseLibrary: true } tuple => $"({string.Join(", ", tuple.Members.Select(m => TypeOf(m.Value, shapes)))})",
                RecordShape record => NameOf(record.Key),
                UnionShape union => NameOf(union.Key),
                MultidimensionalArrayShape grid => $"grid<{grid.Rank.ToString(CultureInfo.InvariantCulture)}, {TypeOf(grid.Element, shapes)}>",
                _ => NameOf(value.Type),
            },
        };
        return value.IsNullable ? type + "?" : type;
    }
}
