using System;
using System.Globalization;
using System.Reflection;
using System.Runtime.CompilerServices;
using System.Text;
using Formatters.Binary;
using Formatters.Buffers;
using Formatters.LegacyBinary;

namespace Formatters;

/// <summary>Formats names of types and assemblies as BinaryFormatter does, and compares them, ignoring irrelevant differences.</summary>
internal static class LegacyName
{
    /// <summary>The assembly of the base types in every body, regardless of the runtime's own name.</summary>
    internal const string CoreAssembly = "mscorlib, Version=4.0.0.0, Culture=neutral, PublicKeyToken=b77a5c561934e089";

    private const int MaxDepth = 16;
    private const int MaxCharCount = 8192;
    private const int MaxShownCharCount = 300;
    private const string Core = "mscorlib";

    private static readonly string OwnCoreAssembly = typeof(object).Assembly.FullName!;

    /// <summary>Encodes a length-prefixed string.</summary>
    internal static byte[] Encode(string text)
    {
        using var buffer = new PooledBufferWriter();
        var writer = new BinaryBodyWriter(buffer);
        writer.Write(text);
        writer.Flush();
        return buffer.WrittenSpan.ToArray();
    }

    /// <summary>Returns the assembly of a type in bodies; null for the core, which bodies do not name.</summary>
    /// <param name="type">The type.</param>
    /// <param name="options">The names given.</param>
    /// <param name="generation">Which of several names given to one type: the first is 0; beyond the last: the last, which is the one
    /// written.</param>
    internal static string? AssemblyOf(Type type, LegacyBinaryOptions options, int generation = int.MaxValue)
    {
        string name = FullAssemblyOf(type, options, generation);
        return name == CoreAssembly ? null : name;
    }

    /// <summary>Returns the full name of a type in bodies, with the assemblies of generic arguments.</summary>
    /// <inheritdoc cref="AssemblyOf" path="/param"/>
    internal static string Of(Type type, LegacyBinaryOptions options, int generation = int.MaxValue)
    {
        if (type.IsArray)
            return Of(type.GetElementType()!, options, generation) + "[" + new string(',', type.GetArrayRank() - 1) + "]";
        if (GivenNameOf(type, options, generation) is string given)
            return given;
        return type.IsGenericType ? type.GetGenericTypeDefinition().FullName + ArgumentsOf(type, options, generation) : type.FullName!;
    }

    /// <summary>Returns the name of a base class as the prefix of its fields: without namespace and arguments.</summary>
    /// <param name="type">The class.</param>
    /// <param name="isFull">Whether it is the full name, because another base class has the same short one.</param>
    /// <param name="options">The names given.</param>
    /// <param name="generation">Which of several names given to one type.</param>
    internal static string OfBase(Type type, bool isFull, LegacyBinaryOptions options, int generation = int.MaxValue)
    {
        if (GivenNameOf(type, options, generation) is not string given)
            return isFull ? Of(type, options, generation) : type.Name;
        if (isFull)
            return given;
        int end = given.IndexOf('[');
        string name = end < 0 ? given : given.Substring(0, end);
        return name.Substring(name.LastIndexOfAny(['.', '+']) + 1);
    }

    /// <summary>Returns the generic arguments as formatted in a type's name.</summary>
    /// <inheritdoc cref="AssemblyOf" path="/param"/>
    internal static string ArgumentsOf(Type type, LegacyBinaryOptions options, int generation = int.MaxValue)
    {
        var text = new StringBuilder("[");
        foreach (Type argument in type.GetGenericArguments())
            text.Append('[').Append(Of(argument, options, generation)).Append(", ").Append(FullAssemblyOf(argument, options, generation))
                .Append("],");
        text[text.Length - 1] = ']';
        return text.ToString();
    }

    /// <summary>Returns the normalized form in which names are compared; null if the name cannot be parsed.</summary>
    /// <param name="typeName">The full name of the type.</param>
    /// <param name="assemblyName">The assembly; null for the core.</param>
    /// <param name="isExact">Whether assemblies are compared by their full names, or by their simple names.</param>
    internal static string? Normalize(string typeName, string? assemblyName, bool isExact)
    {
        if (typeName.Length > MaxCharCount)
            return null;
        var text = new StringBuilder(typeName.Length);
        int position = 0;
        if (!TryNormalize(typeName, ref position, text, isExact, depth: 0) || position != typeName.Length)
            return null;
        return text.Append(", ").Append(NormalizeAssembly(assemblyName ?? Core, isExact)).ToString();
    }

    /// <summary>Returns a type name from a body for an error: shortened, and without control or invisible characters.</summary>
    internal static string ForPeople(ReadOnlySpan<byte> name, LegacyLibrary? library)
    {
        string text = Encoding.UTF8.GetString(name.Slice(0, Math.Min(name.Length, MaxShownCharCount)).ToArray());
        if (library is not null)
            text += ", " + library.Name;
        char[] shown = text.ToCharArray(0, Math.Min(text.Length, MaxShownCharCount));
        for (int i = 0; i < shown.Length; i++)
        {
            if (char.IsControl(shown[i]) || char.GetUnicodeCategory(shown[i]) is UnicodeCategory.Format or UnicodeCategory.LineSeparator
                or UnicodeCategory.ParagraphSeparator or UnicodeCategory.Surrogate)
                shown[i] = '?';
        }

        return new string(shown) + (text.Length > MaxShownCharCount || name.Length > MaxShownCharCount ? "..." : "");
    }

    private static string? GivenNameOf(Type type, LegacyBinaryOptions options, int generation)
    {
        if (options.FindName(type, generation)?.TypeName is string own)
            return own;
        string? attributed = type.GetCustomAttribute<LegacyBinaryNameAttribute>(inherit: false)?.Name;
        if (!type.IsGenericType)
            return attributed;
        if ((options.FindName(type.GetGenericTypeDefinition(), generation)?.TypeName ?? attributed) is not string open)
            return null;
        // An attribute may contain the arguments in its name, if only one closed type exists.
        return open.AsSpan().IndexOf('[') >= 0 ? open : open + ArgumentsOf(type, options, generation);
    }

    private static string FullAssemblyOf(Type type, LegacyBinaryOptions options, int generation)
    {
        // Other runtimes do not know the name of the runtime's own core assembly.
        string name = GivenAssemblyOf(type, options, generation);
        return name == OwnCoreAssembly ? CoreAssembly : name;
    }

    private static string GivenAssemblyOf(Type type, LegacyBinaryOptions options, int generation)
    {
        Type element = type;
        while (element.HasElementType)
            element = element.GetElementType()!;
        if (options.FindName(element, generation)?.AssemblyName is string given)
            return given;
        if (element.IsGenericType && options.FindName(element.GetGenericTypeDefinition(), generation)?.AssemblyName is string open)
            return open;
        if (element.GetCustomAttribute<LegacyBinaryNameAttribute>(inherit: false)?.AssemblyName is string named)
            return named;
        return element.GetCustomAttribute<TypeForwardedFromAttribute>(inherit: false)?.AssemblyFullName
            ?? options.FindAssemblyName(element.Assembly) ?? element.Assembly.FullName!;
    }

    /// <summary>Copies a type name up to a closing bracket, normalizing the assemblies of its arguments.</summary>
    private static bool TryNormalize(string name, ref int position, StringBuilder text, bool isExact, int depth)
    {
        if (depth > MaxDepth)
            return false;
        while (position < name.Length)
        {
            char c = name[position];
            if (c == ']')
                return true;
            position++;
            text.Append(c);
            if (c == '\\' && position < name.Length)
            {
                text.Append(name[position++]);
            }
            else if (c == '[')
            {
                // Brackets contain either arguments, each in brackets of its own, or only commas: an array.
                while (position < name.Length && name[position] != ']')
                {
                    c = name[position++];
                    text.Append(c);
                    if (c == '[' && !TryNormalizeArgument(name, ref position, text, isExact, depth))
                        return false;
                    if (c is not ('[' or ',' or '*'))
                        return false;
                }

                if (position == name.Length)
                    return false;
                text.Append(name[position++]);
            }
            else if (c == ',' && depth > 0)
            {
                // The assembly of an argument.
                int end = name.IndexOf(']', position);
                if (end < 0)
                    return false;
                text.Append(NormalizeAssembly(name.Substring(position, end - position), isExact));
                position = end;
                return true;
            }
        }

        return true;
    }

    private static bool TryNormalizeArgument(string name, ref int position, StringBuilder text, bool isExact, int depth)
    {
        if (!TryNormalize(name, ref position, text, isExact, depth + 1) || position == name.Length)
            return false;
        text.Append(name[position++]);
        return true;
    }

    private static string NormalizeAssembly(string name, bool isExact)
    {
        name = name.Trim();
        int comma = name.IndexOf(',');
        string simple = comma < 0 ? name : name.Substring(0, comma);
        if (IsCore(simple))
            return Core;
        // Simple names are compared as .NET Framework does: ignoring case.
        return isExact ? name : simple.ToUpperInvariant();
    }

    private static bool IsCore(string simpleName) =>
        simpleName.Equals(Core, StringComparison.OrdinalIgnoreCase)
        || simpleName.Equals("System.Private.CoreLib", StringComparison.OrdinalIgnoreCase);
}
