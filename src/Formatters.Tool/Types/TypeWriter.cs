using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;

namespace Formatters.Tools.Types;

/// <summary>Writes C# types for <see cref="SeenTypes"/>.</summary>
/// <param name="output">Receives the source.</param>
internal sealed class TypeWriter(TextWriter output)
{
    private static readonly HashSet<string> ValueTypes = new(StringComparer.Ordinal)
    {
        "bool", "byte", "sbyte", "char", "short", "ushort", "int", "uint", "long", "ulong", "float", "double", "decimal",
        "global::System.DateTime", "global::System.TimeSpan", "global::System.Guid", "global::System.DateTimeOffset",
    };

    private readonly HashSet<string> _enums = new(StringComparer.Ordinal);

    /// <summary>Writes all types.</summary>
    internal void Write(SeenTypes types)
    {
        SeenType[] all = [.. types.All];
        _enums.UnionWith(all.Where(static type => type.EnumType is not null).Select(static type => "global::" + type.FullName.Replace('+', '.')));
        string bodies = string.Create(CultureInfo.InvariantCulture, $"{types.BodyCount} {(types.BodyCount == 1 ? "body" : "bodies")} of BinaryFormatter");
        SeenType[] named = [.. all.Where(static type => type.TypeArguments is null).DistinctBy(static type => type.AssemblyName)];
        if (all.Length == 0)
        {
            output.WriteLine($"// No types to write in {bodies}{(types.Unwritten.Count == 0 ? ": the base library has them all" : "")}.");
        }
        else
        {
            output.WriteLine($"// Types found in {bodies}. To read them:");
            output.WriteLine("//   LegacyBinaryOptions options = LegacyBinaryOptions.Default" + (named.Length == 0 ? ";" : ""));
        }

        for (int i = 0; i < named.Length; i++)
            output.WriteLine($"//       .WithAssembly(typeof({named[i].FullName.Replace('+', '.')}).Assembly, \"{Printable(named[i].AssemblyName)}\"){(i == named.Length - 1 ? ";" : "")}");
        foreach (string name in types.Unwritten)
            output.WriteLine($"// Not written, since C# has no such name: {Printable(name)}");
        output.WriteLine("#nullable enable");
        foreach (IGrouping<string, SeenType> group in all.GroupBy(static type => type.Namespace))
        {
            output.WriteLine();
            if (group.Key.Length > 0)
            {
                output.WriteLine($"namespace {group.Key}");
                output.WriteLine("{");
            }

            bool isFirst = true;
            foreach (SeenType type in group)
            {
                if (!isFirst)
                    output.WriteLine();
                isFirst = false;
                WriteType(type);
            }

            if (group.Key.Length > 0)
                output.WriteLine("}");
        }
    }

    private void WriteType(SeenType type)
    {
        string name = type.Namespace.Length == 0 ? type.FullName : type.FullName[(type.Namespace.Length + 1)..];
        string[] path = name.Split('+');
        int depth = 1;
        // Other types of the same outer class may follow: partial.
        foreach (string outer in path[..^1])
        {
            WriteLine(depth, $"public partial class {Identifier(WithoutArity(outer))}");
            WriteLine(depth++, "{");
        }

        if (type.EnumType is not null)
            WriteEnum(type, path[^1], depth);
        else
            WriteClass(type, path[^1], depth);
        while (--depth > 0)
            WriteLine(depth, "}");
    }

    private void WriteEnum(SeenType type, string name, int depth)
    {
        WriteLine(depth, "/// <remarks>The bodies have the values and not their names.</remarks>");
        WriteLine(depth, $"public enum {Identifier(name)}{(type.EnumType == "int" ? "" : " : " + type.EnumType)}");
        WriteLine(depth, "{");
        foreach (long value in type.EnumValues)
            WriteLine(depth + 1, string.Create(CultureInfo.InvariantCulture, $"Value{(value < 0 ? "Minus" : "")}{Math.Abs(value)} = {value},"));
        WriteLine(depth, "}");
    }

    private void WriteClass(SeenType type, string name, int depth)
    {
        WriteLine(depth, "[global::System.Serializable]");
        string parameters = type.TypeArguments is { } arguments ? $"<{string.Join(", ", arguments.Select(static (_, i) => ParameterName(i)))}>" : "";
        string parent = type.BaseName is { } baseName ? " : global::" + baseName.Replace('+', '.') : "";
        WriteLine(depth, $"public partial class {Identifier(WithoutArity(name))}{parameters}{parent}");
        WriteLine(depth, "{");
        var used = new HashSet<string>(type.Members.Select(static member => member.FieldName), StringComparer.Ordinal) { WithoutArity(name) };
        bool isFirst = true;
        foreach (SeenMember member in type.Members)
        {
            if (!isFirst)
                output.WriteLine();
            isFirst = false;
            WriteMember(type, member, used, depth + 1);
        }

        foreach (string unwritten in type.Unwritten)
            WriteLine(depth + 1, $"// Not written, of a generic base class: {Printable(unwritten)}");

        WriteLine(depth, "}");
    }

    private void WriteMember(SeenType type, SeenMember member, HashSet<string> used, int depth)
    {
        string memberType = TypeOf(type, member, out string? remark);
        if (remark is not null)
            WriteLine(depth, $"/// <remarks>{remark}</remarks>");
        // Of most types a body does not say whether they are structures.
        string initializer = memberType == "string" ? " = \"\";" : memberType.EndsWith('?') || IsValueType(memberType) ? "" : " = default!;";
        const string Suffix = ">k__BackingField";
        string field = member.FieldName;
        if (field.StartsWith('<') && field.EndsWith(Suffix, StringComparison.Ordinal) && IsIdentifier(field[1..^Suffix.Length]))
        {
            WriteLine(depth, $"public {memberType} {Identifier(field[1..^Suffix.Length])} {{ get; set; }}{initializer}");
            return;
        }

        if (!IsIdentifier(field))
        {
            WriteLine(depth, $"// '{Printable(field)}' is not the name of a field: the type writes itself (ISerializable).");
            return;
        }

        string trimmed = field.TrimStart('_');
        if (trimmed.StartsWith("m_", StringComparison.Ordinal))
            trimmed = trimmed[2..];
        string property = trimmed.Length == 0 ? field : char.ToUpperInvariant(trimmed[0]) + trimmed[1..];
        if (property == field || !IsIdentifier(property) || !used.Add(property))
        {
            WriteLine(depth, $"public {memberType} {Identifier(field)}{(initializer.Length == 0 ? ";" : initializer)}");
            return;
        }

        WriteLine(depth, $"private {memberType} {Identifier(field)}{(initializer.Length == 0 ? ";" : initializer)}");
        output.WriteLine();
        WriteLine(depth, $"public {memberType} {Identifier(property)} {{ get => {Identifier(field)}; set => {Identifier(field)} = value; }}");
    }

    /// <summary>Returns the type of a member: that of its values, nullable if one was null; object if there are several.</summary>
    private static string TypeOf(SeenType type, SeenMember member, out string? remark)
    {
        remark = null;
        if (member.Types.Count == 0)
        {
            remark = "Null in every body: its type is not known.";
            return "object?";
        }

        string found;
        if (member.Types.Count > 1)
        {
            remark = $"Values of several types: {string.Join(", ", member.Types).Replace("global::", "", StringComparison.Ordinal).Replace("<", "&lt;", StringComparison.Ordinal)}.";
            found = "object";
        }
        else
        {
            found = member.Types.First();
            for (int i = 0; i < (type.TypeArguments?.Length ?? 0); i++)
            {
                // The definition of a generic type: where its member has the type of an argument, or of an array of it.
                if (found == type.TypeArguments![i] || found == type.TypeArguments[i] + "[]")
                    found = ParameterName(i) + found[type.TypeArguments[i].Length..];
            }
        }

        return member.IsNullable && !found.EndsWith('?') ? found + "?" : found;
    }

    private bool IsValueType(string type) => ValueTypes.Contains(type) || _enums.Contains(type);

    private static string ParameterName(int index) => index == 0 ? "T" : string.Create(CultureInfo.InvariantCulture, $"T{index + 1}");

    private static string WithoutArity(string name) => name.LastIndexOf('`') is > 0 and var tick ? name[..tick] : name;

    private static bool IsIdentifier(string name) => SeenType.IsIdentifier(name);

    /// <summary>Returns text from a body that stays in its comment.</summary>
    private static string Printable(string? text) =>
        new([.. (text ?? "").Select(static character => character is < ' ' or '\u0085' or '\u2028' or '\u2029' or (>= '\u007F' and <= '\u009F') ? '?' : character)]);

    /// <summary>Returns a name that may be a keyword.</summary>
    private static string Identifier(string name) => "@" + name is var verbatim && Keywords.Contains(name) ? verbatim : name;

    private static readonly HashSet<string> Keywords = new(
        ("abstract as base bool break byte case catch char checked class const continue decimal default delegate do double else enum event explicit extern false finally fixed float for foreach goto "
            + "if implicit in int interface internal is lock long namespace new null object operator out override params private protected public readonly ref return sbyte sealed short sizeof stackalloc "
            + "static string struct switch this throw true try typeof uint ulong unchecked unsafe ushort using virtual void volatile while").Split(' '),
        StringComparer.Ordinal);

    private void WriteLine(int depth, string line) => output.WriteLine(new string(' ', 4 * depth) + line);
}
