// https://protobuf.dev/programming-guides/style/
using System;
using System.Text;

namespace Formatters;

/// <summary>Creates names in a <c>.proto</c> file.</summary>
internal static class SchemaNames
{
    /// <summary>Returns the name of a type, followed by its type arguments: <c>BoxOfString</c>, <c>OptionalInt32</c>, <c>ArrayOfPoint</c>.</summary>
    internal static string OfType(Type type, bool isNullable = false)
    {
        if (Nullable.GetUnderlyingType(type) is Type underlying)
            return "Optional" + OfType(underlying);
        if (isNullable)
            return "Optional" + OfType(type);
        if (type.IsArray)
            return "Array" + (type.GetArrayRank() == 1 ? "" : type.GetArrayRank() + "D") + "Of" + OfType(type.GetElementType()!);
        if (!type.IsGenericType)
            return Identifier(type.Name);
        var name = new StringBuilder(Identifier(type.Name.Split('`')[0])).Append("Of");
        Type[] arguments = type.GetGenericArguments();
        for (int i = 0; i < arguments.Length; i++)
            name.Append(i == 0 ? "" : "And").Append(OfType(arguments[i]));
        return name.ToString();
    }

    /// <summary>Converts a name to the style of fields: <c>CustomerID</c> to <c>customer_id</c>, <c>ZIPCode</c> to <c>zip_code</c>.</summary>
    internal static string ToSnakeCase(string name)
    {
        var snake = new StringBuilder();
        for (int i = 0; i < name.Length; i++)
        {
            bool isStart = char.IsUpper(name[i])
                && i > 0
                && (char.IsLower(name[i - 1]) || char.IsDigit(name[i - 1]) || char.IsUpper(name[i - 1]) && i + 1 < name.Length
                    && char.IsLower(name[i + 1]));
            if (isStart && snake[snake.Length - 1] != '_')
                snake.Append('_');
            snake.Append(char.ToLowerInvariant(name[i]));
        }

        return Identifier(snake.ToString().Trim('_'));
    }

    /// <summary>Converts a name to the style of enum values.</summary>
    internal static string ToUpperSnakeCase(string name) => ToSnakeCase(name).ToUpperInvariant();

    // Identifiers are ASCII, and begin with a letter.
    private static string Identifier(string name)
    {
        var identifier = new StringBuilder();
        foreach (char c in name)
        {
            if (c is (>= 'a' and <= 'z') or (>= 'A' and <= 'Z') or (>= '0' and <= '9') or '_')
                identifier.Append(c);
            else
                identifier.Append('u').Append(((int)c).ToString("x4", System.Globalization.CultureInfo.InvariantCulture));
        }

        return identifier.Length > 0 && identifier[0] is (>= 'a' and <= 'z') or (>= 'A' and <= 'Z') ? identifier.ToString() : "x" + identifier;
    }
}
