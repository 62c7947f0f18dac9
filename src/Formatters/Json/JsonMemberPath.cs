#if NET
using System;
using System.Linq;
using System.Reflection;
using System.Text;
using System.Text.Json;
using System.Text.Json.Serialization.Metadata;

namespace Formatters;

/// <summary>Converts the paths of System.Text.Json to member paths (<see cref="MessageFormatException.MemberPath"/>).</summary>
/// <remarks>
/// The paths of System.Text.Json contain names of the body, in which the keys of dictionaries, which are content, look like members. The contract is
/// therefore followed, and the path ends where it does not determine the next part.
/// </remarks>
internal static class JsonMemberPath
{
    private const int MaxPathCharCount = 1024;

    /// <summary>Converts <c>$.line_items[3].name</c> to <c>Order.LineItems[3].Name</c>.</summary>
    /// <param name="path">The path of System.Text.Json, or null.</param>
    /// <param name="root">The contract of the payload.</param>
    /// <returns>The path; null if there is none.</returns>
    internal static string? Of(string? path, JsonTypeInfo root)
    {
        if (path is null || path.Length == 0 || path[0] != '$')
            return null;
        var text = new StringBuilder(TypeNames.Of(root.Type));
        JsonTypeInfo? type = root;
        for (int i = 1; type is not null && i < path.Length && text.Length < MaxPathCharCount;)
        {
            bool isIndex = path[i] == '[' && i + 1 < path.Length && path[i + 1] != '\'';
            string part = isIndex ? IndexAt(path, i) : NameAt(path, i);
            i += part.Length;
            type = isIndex ? Element(type, part, text) : Member(type, part.Trim('.', '[', ']', '\''), text);
        }

        return text.ToString();
    }

    private static JsonTypeInfo? Element(JsonTypeInfo type, string index, StringBuilder text)
    {
        text.Append(index);
        return ContractOf(type.ElementType, type.Options);
    }

    private static JsonTypeInfo? Member(JsonTypeInfo type, string name, StringBuilder text)
    {
        switch (type.Kind)
        {
            case JsonTypeInfoKind.Dictionary:
                text.Append("[key]");
                return ContractOf(type.ElementType, type.Options);
            case JsonTypeInfoKind.Enumerable:
                // On writing, System.Text.Json does not report the index of the element.
                text.Append("[]");
                return ContractOf(type.ElementType, type.Options) is JsonTypeInfo element ? Member(element, name, text) : null;
            default:
                if (Find(type, name) is not JsonPropertyInfo property)
                    return null;
                text.Append('.').Append((property.AttributeProvider as MemberInfo)?.Name ?? property.Name);
                return ContractOf(property.PropertyType, type.Options);
        }
    }

    private static JsonPropertyInfo? Find(JsonTypeInfo type, string name)
    {
        StringComparison comparison = type.Options.PropertyNameCaseInsensitive ? StringComparison.OrdinalIgnoreCase : StringComparison.Ordinal;
        return type.Properties.FirstOrDefault(p => p.Name.Equals(name, comparison))
            ?? type.PolymorphismOptions?.DerivedTypes.Where(d => d.DerivedType != type.Type)
                .Select(d => ContractOf(d.DerivedType, type.Options)?.Properties.FirstOrDefault(p => p.Name.Equals(name, comparison)))
                .FirstOrDefault(p => p is not null);
    }

    private static JsonTypeInfo? ContractOf(Type? type, JsonSerializerOptions options) =>
        type is not null && options.TryGetTypeInfo(Nullable.GetUnderlyingType(type) ?? type, out JsonTypeInfo? contract) ? contract : null;

    private static string IndexAt(string path, int start)
    {
        int end = path.IndexOf(']', start);
        return end < 0 ? path.Substring(start) : path.Substring(start, end + 1 - start);
    }

    /// <summary>Extracts <c>.name</c> or, if it contains path characters, <c>['na.me']</c> from a path.</summary>
    private static string NameAt(string path, int start)
    {
        if (path[start] == '[')
        {
            for (int end = start + 2; (end = path.IndexOf("']", end, StringComparison.Ordinal)) >= 0; end++)
            {
                if (end + 2 == path.Length || path[end + 2] is '.' or '[')
                    return path.Substring(start, end + 2 - start);
            }

            return path.Substring(start);
        }

        int next = path.IndexOfAny(['.', '['], start + 1);
        return next < 0 ? path.Substring(start) : path.Substring(start, next - start);
    }
}
#endif
