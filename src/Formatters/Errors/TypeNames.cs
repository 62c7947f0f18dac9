using System;
using System.Text;

namespace Formatters;

/// <summary>Formats type names as C# code does, for member paths and error messages.</summary>
internal static class TypeNames
{
    /// <summary>
    /// Returns the name without namespace and enclosing types: <c>int</c>, <c>Order</c>, <c>List&lt;int?&gt;</c>, <c>string[,]</c>.
    /// </summary>
    /// <param name="type">The type.</param>
    internal static string Of(Type type) => Append(new StringBuilder(), type).ToString();

    private static StringBuilder Append(StringBuilder text, Type type)
    {
        if (type.IsArray)
        {
            // C# writes the ranks from the outside to the inside: int[][,] is an array of int[,].
            Type element = type;
            while (element.IsArray)
                element = element.GetElementType()!;
            Append(text, element);
            for (; type.IsArray; type = type.GetElementType()!)
                text.Append('[').Append(',', type.GetArrayRank() - 1).Append(']');
            return text;
        }

        if (Nullable.GetUnderlyingType(type) is Type underlying)
            return Append(text, underlying).Append('?');
        if (!type.IsGenericType)
            return text.Append(KeywordOf(type) ?? type.Name);

        // The arguments of a nested type in a generic one begin with those of the outer type.
        Type[] arguments = type.GetGenericArguments();
        int outerCount = type.DeclaringType?.GetGenericArguments().Length ?? 0;
        if (outerCount == arguments.Length)
            return text.Append(type.Name);
        text.Append(type.Name, 0, type.Name.IndexOf('`')).Append('<');
        for (int i = outerCount; i < arguments.Length; i++)
        {
            Append(text, arguments[i]);
            text.Append(i < arguments.Length - 1 ? ", " : ">");
        }

        return text;
    }

    private static string? KeywordOf(Type type) => type == typeof(object) ? "object" : type.IsEnum ? null : Type.GetTypeCode(type) switch
    {
        TypeCode.Boolean => "bool",
        TypeCode.Byte => "byte",
        TypeCode.SByte => "sbyte",
        TypeCode.Char => "char",
        TypeCode.Int16 => "short",
        TypeCode.UInt16 => "ushort",
        TypeCode.Int32 => "int",
        TypeCode.UInt32 => "uint",
        TypeCode.Int64 => "long",
        TypeCode.UInt64 => "ulong",
        TypeCode.Single => "float",
        TypeCode.Double => "double",
        TypeCode.Decimal => "decimal",
        TypeCode.String => "string",
        _ => null,
    };
}
