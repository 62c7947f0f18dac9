using System;
using System.Collections.Generic;
using System.Linq;
using System.Text;

namespace Formatters.Generator.Tests.RandomContracts;

/// <summary>Random declarations of contracts: kinds of types, members, constructors, base types and names, in combinations that nobody thinks of. All are right: nothing is to be reported.</summary>
internal sealed class RandomDeclarations
{
    private static readonly string[] Scalars =
    [
        "bool", "byte", "sbyte", "short", "ushort", "int", "uint", "long", "ulong", "float", "double", "decimal", "char", "string", "Half", "Int128", "UInt128",
        "DateTime", "DateTimeOffset", "TimeSpan", "DateOnly", "TimeOnly", "Guid",
    ];

    private static readonly string[] Keys = ["int", "string", "Guid", "long", "DateTime", "byte", "char"];

    private static readonly string[] Others = ["byte[]", "Uri", "Version", "System.Numerics.BigInteger", "System.Net.IPAddress", "ReadOnlyMemory<byte>"];

    private static readonly string[] Lists =
    [
        "List", "List", "IList", "ICollection", "IEnumerable", "IReadOnlyList", "IReadOnlyCollection", "Queue", "Stack", "LinkedList", "System.Collections.ObjectModel.Collection",
        "System.Collections.ObjectModel.ReadOnlyCollection", "System.Collections.Concurrent.ConcurrentQueue", "System.Collections.Concurrent.ConcurrentStack",
        "System.Collections.Immutable.ImmutableArray", "System.Collections.Immutable.ImmutableList", "System.Collections.Immutable.ImmutableQueue",
    ];

    /// <summary>Of sets and dictionaries those that enumerate in one order, however they were made.</summary>
    private static readonly string[] Sets = ["HashSet", "SortedSet", "System.Collections.Immutable.ImmutableSortedSet"];

    private static readonly string[] Dictionaries = ["Dictionary", "Dictionary", "SortedDictionary", "SortedList", "System.Collections.Immutable.ImmutableSortedDictionary"];

    /// <summary>Names that generated code has for itself, or that mean something in C#.</summary>
    private static readonly string[] Names =
    [
        "Id", "Name", "Lines", "writer", "reader", "value", "existing", "position", "level", "item", "count", "i", "copy", "Self", "Write", "Read", "Code", "Instance", "MinByteCount", "M", "F", "r", "w", "p", "Formatters", "System", "Contract",
        "@class", "@event", "@this", "@default", "@params", "record", "required", "scoped", "field", "var", "await", "é", "变量", "_", "__", "Length", "Index", "Key", "Values", "start", "end", "member0", "has0", "unknown", "run1", "tag",
    ];

    private readonly Random _random;
    private readonly string _formats;
    private readonly bool _isProtobuf;
    private readonly StringBuilder _source = new();
    private readonly List<Declared> _types = [];

    internal RandomDeclarations(int seed)
    {
        _random = new Random(seed);
        _isProtobuf = seed % 2 == 1;
        _formats = "(Formats = ContractFormats.Binary | ContractFormats.Versioned | ContractFormats.MessagePack" + (_isProtobuf ? " | ContractFormats.Protobuf)" : ")");
        _source.AppendLine("[AttributeUsage(AttributeTargets.All, AllowMultiple = true)] public sealed class AnyAttribute : Attribute { public AnyAttribute(params object[] values) { } public Type[]? Types { get; set; } }");
        _source.AppendLine("public enum Grade : byte { None, Good = 7 } public enum Wide : long { A = -1, B }");
        for (int i = 0; i < 16; i++)
            Declare("T" + i);
        DeclareUnion();
    }

    /// <summary>The source text.</summary>
    internal string Source => _source.ToString();

    /// <summary>The types with <c>[MessageContract(Formats = ContractFormats.Binary)]</c>, as reflection names them.</summary>
    internal IEnumerable<string> Contracts => _types.Where(t => t.IsContract).Select(t => t.ReflectionName);

    private bool Chance(int n) => _random.Next(n) == 0;

    /// <summary>A count up to a maximum; as often none or one: what goes wrong where a type has a single member is hidden by further ones.</summary>
    private int FewOr(int maximum) => _random.Next(Chance(2) ? 2 : maximum + 1);

    private string OneOf(IReadOnlyList<string> items) => items[_random.Next(items.Count)];

    private void Declare(string name)
    {
        bool isContract = !Chance(3);
        string outer = Chance(5) ? "Outer" + name : "";
        string attribute = (Chance(6) ? "[Any(1, \"x\", Types = new[] { typeof(int) })] " : "") + (isContract ? $"[MessageContract{_formats}] " : "");
        var type = new Declared(name, outer, isContract);
        string text = _random.Next(7) switch
        {
            0 or 1 => DeclareRecord(type),
            2 => DeclareStruct(type),
            3 when !isContract => DeclareGeneric(type),
            4 => DeclareWithConstructor(type),
            _ => DeclareClass(type),
        };
        _source.AppendLine(outer.Length > 0 ? $"public partial class {outer} {{ {attribute}{text} }}" : attribute + text);
        _types.Add(type);
    }

    private string DeclareClass(Declared type)
    {
        Declared[] bases = [.. _types.Where(t => t.IsOpenClass && t.Parameters.Count == 0)];
        Declared? parent = bases.Length > 0 && Chance(2) ? bases[_random.Next(bases.Length)] : null;
        Inherit(type, parent);
        type.IsOpenClass = Chance(2);
        string members = string.Concat(Members(type, canBeRequired: !type.IsOpenClass && parent is null));
        string next = Chance(4) ? $"[MessageMember({Number(type)})] public {type.Reference}? {NameFor(type)} {{ get; set; }} " : "";
        return $"public {(type.IsOpenClass ? "" : "sealed ")}partial class {type.Name}{(parent is null ? "" : " : " + parent.Reference)} {{ {members}{next}}}";
    }

    private string DeclareGeneric(Declared type)
    {
        type.Name = "Box" + type.Name;
        string members = $"[MessageMember({Number(type)})] public T {NameFor(type)} {(Chance(2) ? "= default!;" : "{ get; set; } = default!;")} ";
        members += Chance(2) ? $"[MessageMember({Number(type)})] public List<T> {NameFor(type)} {{ get; set; }} = default!; " : "";
        members += string.Concat(Members(type, canBeRequired: false).Take(2));
        type.Arguments = $"<{OneOf([.. Scalars, .. _types.Select(t => t.Reference)])}>";
        return $"public partial {(Chance(3) ? "struct" : "class")} {type.Name}<T> {{ {(members.Contains("= default!", StringComparison.Ordinal) ? $"public {type.Name}() {{ }} " : "")}{members}}}";
    }

    private string DeclareStruct(Declared type)
    {
        if (Chance(2))
            return $"public {(Chance(2) ? "readonly " : "")}partial record struct {type.Name}({Positional(type, null)});";
        return $"public partial struct {type.Name} {{ public {type.Name}() {{ }} {string.Concat(Members(type, canBeRequired: false))}}}";
    }

    private string DeclareRecord(Declared type)
    {
        Declared[] bases = [.. _types.Where(t => t.IsOpenRecord)];
        Declared? parent = bases.Length > 0 && Chance(2) ? bases[_random.Next(bases.Length)] : null;
        Inherit(type, parent);
        type.IsOpenRecord = Chance(2);
        string parameters = Positional(type, parent);
        string call = parent is null ? "" : $" : {parent.Reference}({string.Join(", ", parent.Parameters.Select(p => p.Name))})";
        string members = Chance(2) ? string.Concat(Members(type, canBeRequired: false).Take(2)) : "";
        return $"public {(type.IsOpenRecord ? "" : "sealed ")}partial record {type.Name}({parameters}){call} {{ {members}}}";
    }

    private string Positional(Declared type, Declared? parent)
    {
        var texts = new List<string>();
        foreach ((string name, string memberType) in parent?.Parameters ?? [])
        {
            type.Parameters.Add((name, memberType));
            texts.Add($"{memberType} {name}");
        }

        for (int left = 1 + FewOr(3); left > 0; left--)
        {
            string name = NameFor(type);
            string memberType = TypeOf(0);
            type.Parameters.Add((name, memberType));
            texts.Add($"[MessageMember({Number(type)})] {memberType} {name}");
        }

        return string.Join(", ", texts);
    }

    private string DeclareWithConstructor(Declared type)
    {
        var text = new StringBuilder();
        for (int left = 1 + FewOr(3); left > 0; left--)
        {
            string name = NameFor(type);
            string memberType = TypeOf(0);
            type.Parameters.Add((name, memberType));
            text.Append($"[MessageMember({Number(type)})] public {memberType} {name} {OneOf(["{ get; }", "{ get; init; }", "{ get; set; }"])} ");
        }

        text.Append($"public {type.Name}({string.Join(", ", type.Parameters.Select(p => $"{p.Type} {p.Name}"))}) {{ {string.Concat(type.Parameters.Select(p => $"this.{p.Name} = {p.Name}; "))}}} ");
        return $"public sealed partial class {type.Name} {{ {text}{string.Concat(Members(type, canBeRequired: false).Take(3))}}}";
    }

    private void DeclareUnion()
    {
        var union = new Declared("U", "", isContract: true);
        var cases = new List<string>();
        foreach (string name in new[] { "U1", "U2" })
        {
            var type = new Declared(name, "", isContract: Chance(2));
            type.Names.Add(name);
            cases.Add($"{(type.IsContract ? $"[MessageContract{_formats}] " : "")}public sealed partial class {name} : U {{ {string.Concat(Members(type, canBeRequired: true))}}}");
            _types.Add(type);
        }

        _source.AppendLine($"[MessageContract{_formats}, MessageUnion(1, typeof(U1)), MessageUnion({_random.Next(2, 300)}, typeof(U2))] public abstract partial class U {{ }} {string.Join(" ", cases)}");
        _types.Add(union);
    }

    private static void Inherit(Declared type, Declared? parent)
    {
        if (parent is null)
            return;
        type.Names.UnionWith(parent.Names);
        type.LastNumber = parent.LastNumber;
    }

    /// <summary>Members of every kind that a type can have whose objects are made first and filled then.</summary>
    private IEnumerable<string> Members(Declared type, bool canBeRequired)
    {
        for (int left = FewOr(5); left > 0; left--)
        {
            string name = NameFor(type);
            string memberType = TypeOf(0);
            string attribute = (Chance(8) ? "[Any(typeof(int), 1, null!), Any] " : "") + $"[MessageMember({Number(type)})] ";
            yield return attribute + _random.Next(8) switch
            {
                0 or 1 => $"public {memberType} {name} = default!; ",
                2 => $"public {memberType} {name} {{ get; init; }} = default!; ",
                3 when canBeRequired => $"public required {memberType} {name} {{ get; {OneOf(["init", "set"])}; }} ",
                4 when type.IsContract => $"private {memberType} {name} {{ get; set; }} = default!; ",
                5 when type.IsContract => $"internal {memberType} {name} = default!; ",
                _ => $"public {memberType} {name} {{ get; set; }} = default!; ",
            };
        }
    }

    private string TypeOf(int depth)
    {
        string type = _random.Next(depth > 1 ? 5 : 13) switch
        {
            0 or 1 => OneOf(Scalars),
            2 => OneOf([.. Others, "Grade", "Wide"]),
            3 or 4 when _types.Count > 0 => _types[_random.Next(_types.Count)].Reference,
            5 or 6 or 7 => $"{OneOf(Lists)}<{TypeOf(depth + 1)}>",
            8 => $"{OneOf(Sets)}<{OneOf(Keys)}>",
            9 => $"{OneOf(Dictionaries)}<{OneOf(Keys)}, {TypeOf(depth + 1)}>",
            10 => Element(depth) + OneOf(["[]", "[]", "[,]", "[][]", "[,,]"]),
            11 => $"({TypeOf(depth + 1)}, {TypeOf(depth + 1)})",
            12 => $"KeyValuePair<{OneOf(Keys)}, {TypeOf(depth + 1)}>",
            _ => OneOf(Scalars),
        };
        // In protobuf a structure of elements cannot be null.
        return Chance(4) && type[^1] != '?' && !(_isProtobuf && type.Contains("ImmutableArray", StringComparison.Ordinal)) ? type + "?" : type;
    }

    /// <summary>The type of an element of an array; of an array in an array the brackets would change places.</summary>
    private string Element(int depth)
    {
        string type = TypeOf(depth + 1);
        return type.Contains(']', StringComparison.Ordinal) ? "int" : type;
    }

    private int Number(Declared type) => type.LastNumber += _random.Next(10) == 0 ? _random.Next(1, 20) : 1;

    /// <summary>A name that differs from all others of the type by more than its case, so that a constructor parameter means one member.</summary>
    private string NameFor(Declared type)
    {
        string name;
        do
            name = OneOf(Names) + (Chance(3) ? _random.Next(100).ToString(System.Globalization.CultureInfo.InvariantCulture) : "");
        while (!type.Names.Add(name.TrimStart('@').ToUpperInvariant()));
        return name;
    }

    private sealed class Declared(string name, string outer, bool isContract)
    {
        internal string Name { get; set; } = name;

        internal bool IsContract => isContract;

        internal string Arguments { get; set; } = "";

        internal string Reference => (outer.Length > 0 ? outer + "." : "") + Name + Arguments;

        internal string ReflectionName => (outer.Length > 0 ? outer + "+" : "") + Name;

        internal bool IsOpenClass { get; set; }

        internal bool IsOpenRecord { get; set; }

        internal int LastNumber { get; set; }

        internal List<(string Name, string Type)> Parameters { get; } = [];

        internal HashSet<string> Names { get; } = [];
    }
}
