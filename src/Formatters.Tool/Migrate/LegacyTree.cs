using System;
using System.Collections.Generic;
using System.Linq;
using System.Text.Json;

namespace Formatters.Tools.Migrate;

/// <summary>Compares the records of two legacy binary bodies, which refer to each other and name their classes.</summary>
internal sealed class LegacyTree(ChangeList changes, JsonElement before, JsonElement after)
{
    private readonly Dictionary<int, JsonElement> _before = RecordsOf(before);
    private readonly Dictionary<int, JsonElement> _after = RecordsOf(after);
    private readonly Stack<(JsonElement Before, JsonElement After, TypeText Holder, string Member)> _open = new();
    private readonly HashSet<(int, int)> _seen = [];

    internal void Compare()
    {
        TypeText nothing = new("", "the payload");
        _open.Push((Root(before, _before), Root(after, _after), nothing, ""));
        while (_open.TryPop(out (JsonElement Before, JsonElement After, TypeText Holder, string Member) pair))
        {
            JsonElement left = Resolve(pair.Before, _before), right = Resolve(pair.After, _after);
            if (left.ValueKind != JsonValueKind.Object || IdOf(left) is int x && IdOf(right) is int y && !_seen.Add((x, y)))
                continue;
            if (right.ValueKind is JsonValueKind.Null)
                Add(pair.Holder, pair.Member, "the body has a value where the type has nothing");
            else if (left.TryGetProperty("$items", out JsonElement items))
                CompareElements(items, right, pair.Holder, pair.Member);
            else if (left.TryGetProperty("$class", out JsonElement name))
                CompareMembers(left, right, name.GetString()!);
        }
    }

    private void CompareMembers(JsonElement left, JsonElement right, string className)
    {
        bool isOfFramework = className.StartsWith("System.", StringComparison.Ordinal);
        TypeText type = TypeText.OfClass(className);
        foreach (JsonProperty property in left.EnumerateObject().Where(static property => !property.Name.StartsWith('$')))
        {
            string name = MemberTexts.Printable(MemberTexts.NameOfProperty(property.Name) ?? property.Name);
            if (right.ValueKind == JsonValueKind.Object && right.TryGetProperty(property.Name, out JsonElement found) && found.ValueKind != JsonValueKind.Null)
                _open.Push((property.Value, found, type, name));
            else if (!isOfFramework && Resolve(property.Value, _before).ValueKind != JsonValueKind.Null)
                Add(type, name, "the body has the member, the type lacks it");
        }
    }

    private void CompareElements(JsonElement items, JsonElement right, TypeText holder, string member)
    {
        if (right.ValueKind != JsonValueKind.Object || !right.TryGetProperty("$items", out JsonElement others))
            return;
        var byIndex = NotNull(others).ToDictionary(static item => item.Index, static item => item.Element);
        foreach ((long index, JsonElement item) in NotNull(items))
        {
            if (byIndex.TryGetValue(index, out JsonElement other))
                _open.Push((item, other, holder, member));
        }
    }

    /// <summary>The elements that are not null: a run of nulls is one entry.</summary>
    private static IEnumerable<(long Index, JsonElement Element)> NotNull(JsonElement items)
    {
        long index = 0;
        foreach (JsonElement item in items.EnumerateArray())
        {
            if (item.ValueKind == JsonValueKind.Object && item.TryGetProperty("$nulls", out JsonElement count))
            {
                index += count.GetInt64();
                continue;
            }

            if (item.ValueKind != JsonValueKind.Null)
                yield return (index, item);
            index++;
        }
    }

    private void Add(TypeText type, string member, string detail) =>
        changes.Add(new ChangePlace(type, member, ChangeKind.Dropped), detail, () => new ChangePlace(type, member, ChangeKind.Dropped).Name);

    private static JsonElement Root(JsonElement body, Dictionary<int, JsonElement> records) => records.GetValueOrDefault(body.GetProperty("$root").GetInt32());

    private static JsonElement Resolve(JsonElement element, Dictionary<int, JsonElement> records) =>
        element.ValueKind == JsonValueKind.Object && element.TryGetProperty("$ref", out JsonElement id) ? records.GetValueOrDefault(id.GetInt32()) : element;

    private static int? IdOf(JsonElement element) => element.ValueKind == JsonValueKind.Object && element.TryGetProperty("$id", out JsonElement id) ? id.GetInt32() : null;

    /// <summary>All records with an id, also those that stand in others.</summary>
    private static Dictionary<int, JsonElement> RecordsOf(JsonElement body)
    {
        var records = new Dictionary<int, JsonElement>();
        var open = new Stack<JsonElement>([body]);
        while (open.TryPop(out JsonElement element))
        {
            if (IdOf(element) is int id)
                records.TryAdd(id, element);
            if (element.ValueKind == JsonValueKind.Object)
            {
                foreach (JsonProperty property in element.EnumerateObject())
                    open.Push(property.Value);
            }
            else if (element.ValueKind == JsonValueKind.Array)
            {
                foreach (JsonElement item in element.EnumerateArray())
                    open.Push(item);
            }
        }

        return records;
    }
}
