using System;
using System.Collections.Generic;
using System.Formats.Nrbf;
using System.IO;
using System.Linq;
using System.Reflection.Metadata;
using System.Runtime.Serialization;

namespace Formatters.Tools.Types;

/// <summary>The types of the application in bodies of BinaryFormatter, as far as the bodies show them.</summary>
internal sealed class SeenTypes
{
    private readonly Dictionary<string, SeenType> _types = new(StringComparer.Ordinal);
    private readonly SortedSet<string> _unwritten = new(StringComparer.Ordinal);

    /// <summary>Gets or sets how many bodies were read.</summary>
    internal long BodyCount { get; private set; }

    /// <summary>The types, by their names in the bodies.</summary>
    internal IEnumerable<SeenType> All => _types.Values.OrderBy(static type => type.FullName, StringComparer.Ordinal);

    /// <summary>The names of types that cannot be written as C#: not made of identifiers, or nested in generic types.</summary>
    internal IReadOnlyCollection<string> Unwritten => _unwritten;

    /// <summary>Reads a body.</summary>
    /// <returns>Why it was not read, or null.</returns>
    internal string? Add(byte[] body)
    {
        try
        {
            using var stream = new MemoryStream(body, writable: false);
            if (!NrbfDecoder.StartsWithPayloadHeader(stream))
                return "not a body of BinaryFormatter";
            NrbfDecoder.Decode(stream, out IReadOnlyDictionary<SerializationRecordId, SerializationRecord> records, new PayloadOptions { UndoTruncatedTypeNames = true });
            BodyCount++;
            foreach (SerializationRecord record in records.Values)
            {
                if (record is ClassRecord found && IsOfApplication(found.TypeName))
                    AddMembers(found);
            }
        }
        catch (Exception e) when (e is SerializationException or IOException or NotSupportedException or FormatException or ArgumentException or OverflowException)
        {
            return e.Message;
        }

        return null;
    }

    private void AddMembers(ClassRecord record)
    {
        if (!CanWrite(record.TypeName))
        {
            _unwritten.Add(record.TypeName.FullName);
            return;
        }

        SeenType type = Get(record.TypeName);
        type.BodyCount++;
        // Fields of base classes come after the type's own, the nearest base class first.
        SeenType derived = type;
        foreach (string name in record.MemberNames)
        {
            object? value = record.GetRawValue(name);
            // The fields of base classes that are private there have the name of the base class before theirs.
            int plus = name.StartsWith('<') ? -1 : name.IndexOf('+', StringComparison.Ordinal);
            if (plus > 0)
            {
                string prefix = type.Namespace.Length == 0 ? "" : type.Namespace + ".", baseName = name[..plus];
                if (!SeenType.IsIdentifier(baseName))
                {
                    // A generic base class: the body does not have its arguments.
                    type.Unwritten.Add(name);
                    continue;
                }

                SeenType parent = Get(prefix + baseName, type.AssemblyName);
                if (parent != derived)
                {
                    derived.BaseName ??= parent.FullName;
                    derived = parent;
                }

                parent.Member(name[(plus + 1)..]).Add(value is null ? null : TypeOf(value));
                continue;
            }

            SeenMember member = type.Member(name);
            if (record.MemberNames.Count() == 1 && name == "value__" && value is not null)
                type.AddEnumValue(TypeOf(value), Convert.ToDecimal(value, System.Globalization.CultureInfo.InvariantCulture));
            else
                member.Add(value is null ? null : TypeOf(value));
        }
    }

    /// <summary>Returns the C# type of a value.</summary>
    private string TypeOf(object value) => value is SerializationRecord record ? NameOf(record.TypeName) : Keyword(value.GetType().FullName!) ?? "global::" + value.GetType().FullName;

    /// <summary>Returns the C# name of a type, and adds the types of the application that it names.</summary>
    private string NameOf(TypeName name)
    {
        if (name.IsArray)
            return NameOf(name.GetElementType()) + "[" + new string(',', name.IsSZArray ? 0 : name.GetArrayRank() - 1) + "]";
        if (Keyword(name.FullName) is { } keyword)
            return keyword;
        if (!CanWrite(name))
        {
            _unwritten.Add(name.FullName);
            return "object";
        }

        if (name.IsConstructedGenericType)
        {
            string[] arguments = [.. name.GetGenericArguments().Select(NameOf)];
            TypeName definition = name.GetGenericTypeDefinition();
            if (definition.FullName == "System.Nullable`1")
                return arguments[0] + "?";
            if (IsOfApplication(name))
                Get(name);
            string open = definition.FullName;
            return $"global::{open[..open.LastIndexOf('`')].Replace('+', '.')}<{string.Join(", ", arguments)}>";
        }

        if (IsOfApplication(name))
            Get(name);
        return "global::" + name.FullName.Replace('+', '.');
    }

    private SeenType Get(TypeName name)
    {
        if (!name.IsConstructedGenericType)
            return Get(name.FullName, name.AssemblyName?.FullName);
        SeenType type = Get(name.GetGenericTypeDefinition().FullName, name.AssemblyName?.FullName);
        // The definition is seen through its first use.
        type.TypeArguments ??= [.. name.GetGenericArguments().Select(NameOf)];
        return type;
    }

    private SeenType Get(string fullName, string? assemblyName)
    {
        if (!_types.TryGetValue(fullName, out SeenType? type))
            _types.Add(fullName, type = new SeenType(fullName, assemblyName));
        return type;
    }

    /// <summary>Determines whether C# can name a type: the name comes from the body, and must not become code.</summary>
    private static bool CanWrite(TypeName name)
    {
        string[] parts = (name.IsConstructedGenericType ? name.GetGenericTypeDefinition().FullName : name.FullName).Split('.', '+');
        for (int i = 0; i < parts.Length; i++)
        {
            int tick = parts[i].IndexOf('`', StringComparison.Ordinal);
            bool isGeneric = i == parts.Length - 1 && name.IsConstructedGenericType;
            if (tick >= 0 != isGeneric || !SeenType.IsIdentifier(tick < 0 ? parts[i] : parts[i][..tick]))
                return false;
        }

        return true;
    }

    /// <summary>Determines whether a type is declared by the application: not in an assembly of .NET.</summary>
    private static bool IsOfApplication(TypeName name)
    {
        while (name.IsArray)
            name = name.GetElementType();
        string assembly = name.AssemblyName?.Name ?? "mscorlib";
        return !(assembly is "mscorlib" or "System" or "netstandard" || assembly.StartsWith("System.", StringComparison.Ordinal) && name.FullName.StartsWith("System.", StringComparison.Ordinal));
    }

    private static string? Keyword(string fullName) => fullName switch
    {
        "System.Boolean" => "bool",
        "System.Byte" => "byte",
        "System.SByte" => "sbyte",
        "System.Char" => "char",
        "System.Int16" => "short",
        "System.UInt16" => "ushort",
        "System.Int32" => "int",
        "System.UInt32" => "uint",
        "System.Int64" => "long",
        "System.UInt64" => "ulong",
        "System.Single" => "float",
        "System.Double" => "double",
        "System.Decimal" => "decimal",
        "System.String" => "string",
        "System.Object" => "object",
        _ => null,
    };
}

/// <summary>A type of the application in bodies.</summary>
/// <param name="fullName">Its name in the bodies: nested types after a plus sign, generic types with the number of their parameters.</param>
/// <param name="assemblyName">The assembly that the bodies name.</param>
internal sealed class SeenType(string fullName, string? assemblyName)
{
    private readonly List<SeenMember> _members = [];
    private readonly SortedSet<decimal> _enumValues = [];

    internal string FullName => fullName;

    internal string? AssemblyName => assemblyName;

    internal string Namespace => fullName.LastIndexOf('.') is > 0 and var dot ? fullName[..dot] : "";

    /// <summary>The full name of the base class, if fields of one are in the bodies.</summary>
    internal string? BaseName { get; set; }

    /// <summary>The C# names of the arguments with which a generic type was seen first.</summary>
    internal string[]? TypeArguments { get; set; }

    /// <summary>Gets or sets how many values were seen.</summary>
    internal long BodyCount { get; set; }

    internal IReadOnlyList<SeenMember> Members => _members;

    /// <summary>The fields that are not written.</summary>
    internal SortedSet<string> Unwritten { get; } = new(StringComparer.Ordinal);

    internal static bool IsIdentifier(string name) =>
        name.Length > 0 && (char.IsLetter(name[0]) || name[0] == '_') && name.All(static character => char.IsLetterOrDigit(character) || character == '_');

    /// <summary>The underlying type of an enum; null for classes.</summary>
    internal string? EnumType { get; private set; }

    internal IReadOnlyCollection<decimal> EnumValues => _enumValues;

    internal SeenMember Member(string name)
    {
        SeenMember? member = _members.Find(member => member.FieldName == name);
        if (member is null)
            _members.Add(member = new SeenMember(name));
        return member;
    }

    internal void AddEnumValue(string type, decimal value)
    {
        EnumType = type;
        _enumValues.Add(value);
    }
}

/// <summary>A field as it occurs in the bodies, from which a member is to be made.</summary>
/// <param name="fieldName">Its name in the bodies.</param>
internal sealed class SeenMember(string fieldName)
{
    private readonly SortedSet<string> _types = new(StringComparer.Ordinal);

    internal string FieldName => fieldName;

    /// <summary>Gets or sets whether the value was null in a body.</summary>
    internal bool IsNullable { get; private set; }

    /// <summary>The C# types of the values.</summary>
    internal IReadOnlyCollection<string> Types => _types;

    /// <summary>Adds a value: its C# type, or null for a null reference.</summary>
    internal void Add(string? type)
    {
        if (type is null)
            IsNullable = true;
        else
            _types.Add(type);
    }
}
