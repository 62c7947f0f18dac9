using System;
using System.Collections;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using System.Reflection;
using System.Runtime.InteropServices;
using System.Text;

namespace Formatters.Tools.Migrate;

/// <summary>Compares two object graphs, what a body held and what its new body holds, by the fields of their objects: whatever the formats take for a
/// member.</summary>
/// <remarks>Goes through the graphs without recursion: old bodies hold lists of any length whose elements refer to the next one.</remarks>
internal sealed class GraphComparison
{
    private readonly ChangeList _changes;
    private readonly Stack<Pair> _open = new();
    private readonly Dictionary<object, object> _afterOf = new(ReferenceEqualityComparer.Instance);
    private readonly Dictionary<object, object> _beforeOf = new(ReferenceEqualityComparer.Instance);
    private readonly HashSet<(int, int)> _seen = [];
    private readonly Dictionary<object, int> _numbers = new(ReferenceEqualityComparer.Instance);

    private GraphComparison(ChangeList changes) => _changes = changes;

    /// <summary>Finds what differs.</summary>
    internal static void Compare(object? before, object? after, ChangeList changes)
    {
        if ((before ?? after) is not { } value)
            return;
        var comparison = new GraphComparison(changes);
        TypeText root = TypeText.Of(value.GetType());
        comparison.CompareValues(before, after, root, "", new Position(null, root.Name, -1));
        while (comparison._open.TryPop(out Pair pair))
            comparison.CompareObjects(pair);
    }

    private void CompareValues(object? before, object? after, TypeText type, string member, in Position step)
    {
        if (before is null || after is null)
        {
            if (before is null && after is null)
                return;
            if (before is null)
                Add(ChangeKind.Null, IsEmpty(after!) ? "null became empty" : "null became a value", type, member, step);
            else if (IsEmpty(before))
                Add(ChangeKind.Null, "empty became null", type, member, step);
            else
                Add(ChangeKind.Dropped, "a value became null", type, member, step);
            return;
        }

        Type beforeType = before.GetType();
        TypeShape beforeShape = TypeShape.Of(beforeType);
        if (beforeType != after.GetType())
        {
            CompareTypes(before, after, type, member, step);
            TypeShape afterShape = TypeShape.Of(after.GetType());
            bool isOrdered = beforeShape.IsOrdered && afterShape.IsOrdered;
            if (!isOrdered && (beforeShape.Content != afterShape.Content || beforeShape.Content == ContentForm.None && !after.GetType().IsAssignableFrom(beforeType)))
                return;
        }

        if (beforeShape.IsLeaf)
        {
            if (LeafComparison.Compare(before, after) is ({ } kind, { } detail))
                Add(kind, detail, type, member, step);
            return;
        }

        if (!beforeType.IsValueType)
        {
            CompareIdentity(before, after, type, member, step);
            if (!_seen.Add((NumberOf(before), NumberOf(after))))
                return;
        }

        _open.Push(new Pair(before, after, type, member, step.ToStep()));
    }

    /// <summary>Strings and values have no identity that counts; nor have empty collections, of which one may stand for all.</summary>
    private void CompareIdentity(object before, object after, TypeText type, string member, in Position step)
    {
        if (before is ICollection { Count: 0 } || after is ICollection { Count: 0 })
            return;
        if (_afterOf.TryGetValue(before, out object? known))
        {
            if (!ReferenceEquals(known, after))
                Add(ChangeKind.Identity, "one object in several places became several", type, member, step);
            return;
        }

        _afterOf.Add(before, after);
        if (!_beforeOf.TryAdd(after, before))
            Add(ChangeKind.Identity, "several objects became one", type, member, step);
    }

    private int NumberOf(object value)
    {
        ref int number = ref CollectionsMarshal.GetValueRefOrAddDefault(_numbers, value, out bool exists);
        return exists ? number : number = _numbers.Count;
    }

    private void CompareTypes(object before, object after, TypeText type, string member, in Position step)
    {
        string from = MemberTexts.NameOf(before.GetType()), to = MemberTexts.NameOf(after.GetType());
        Add(ChangeKind.Type, after.GetType().IsAssignableFrom(before.GetType()) ? $"{from} became {to}, without what {from} adds" : $"{from} became {to}", type, member, step, IsList(before) && IsList(after));
    }

    private static bool IsList(object value) => value is IList && TypeShape.Of(value.GetType()) is { IsOrdered: true, Fields.Count: 0 };

    private void CompareObjects(in Pair pair)
    {
        Type common = pair.Before.GetType() == pair.After.GetType() || pair.After.GetType().IsAssignableFrom(pair.Before.GetType()) ? pair.After.GetType() : typeof(object);
        foreach (TypeField field in TypeShape.Of(common).Fields)
            CompareValues(field.Get(pair.Before), field.Get(pair.After), field.DeclaringType, field.Name, new Position(pair.Step, field.Name, -1));
        switch (TypeShape.Of(pair.Before.GetType()).Content)
        {
            case ContentForm.Array when pair.After is Array after:
                CompareArrays((Array)pair.Before, after, pair);
                break;
            case ContentForm.Array or ContentForm.Sequence:
                CompareElements(ElementsOf(pair.Before), ElementsOf(pair.After), pair);
                break;
            case ContentForm.Set:
                CompareComparers(pair);
                CompareKeyed(ElementsOf(pair.Before).Select(static key => (key, (object?)null)), ElementsOf(pair.After).Select(static key => (key, (object?)null)), pair);
                break;
            case ContentForm.Dictionary:
                CompareComparers(pair);
                CompareKeyed(EntriesOf(pair.Before), EntriesOf(pair.After), pair);
                break;
        }
    }

    private void CompareArrays(Array before, Array after, in Pair pair)
    {
        for (int i = 0; i < Math.Max(before.Rank, after.Rank); i++)
        {
            if (before.Rank == after.Rank && before.GetLength(i) == after.GetLength(i) && before.GetLowerBound(i) == after.GetLowerBound(i))
                continue;
            if (before.Rank > 1 || after.Rank > 1 || before.GetLowerBound(0) != after.GetLowerBound(0))
                Add(ChangeKind.Type, "the lengths or lower bounds of an array differ", pair.Type, pair.Member, pair.Position);
            break;
        }

        if (AreEqualBytes(before, after))
            return;
        CompareElements(ElementsOf(before), ElementsOf(after), pair);
    }

    private static bool AreEqualBytes(Array before, Array after) =>
        before.GetType() == after.GetType() && before.GetType().GetElementType()!.IsPrimitive && before.Length == after.Length && BytesOf(before).SequenceEqual(BytesOf(after));

    private static ReadOnlySpan<byte> BytesOf(Array array) =>
        MemoryMarshal.CreateReadOnlySpan(ref MemoryMarshal.GetArrayDataReference(array), Buffer.ByteLength(array));

    private void CompareElements(List<object?> before, List<object?> after, in Pair pair)
    {
        CompareCounts(before.Count, after.Count, pair);
        for (int i = 0; i < Math.Min(before.Count, after.Count); i++)
            CompareValues(before[i], after[i], pair.Type, pair.Member, new Position(pair.Step, null, i));
    }

    private void CompareCounts(int before, int after, in Pair pair)
    {
        if (before != after)
            Add(after < before ? ChangeKind.Dropped : ChangeKind.Value, after < before ? "elements are missing" : "there are more elements", pair.Type, pair.Member, pair.Position);
    }

    /// <summary>Pairs entries by their keys, whatever their order; what is left, by its order.</summary>
    private void CompareKeyed(IEnumerable<(object? Key, object? Value)> before, IEnumerable<(object? Key, object? Value)> after, in Pair pair)
    {
        List<(object? Key, object? Value)> left = [.. before], right = [.. after];
        CompareCounts(left.Count, right.Count, pair);
        var byKey = new Dictionary<string, int>();
        for (int i = 0; i < right.Count; i++)
        {
            if (KeyOf(right[i].Key) is string key)
                byKey.TryAdd(key, i);
        }

        bool[] isTaken = new bool[right.Count];
        int[] counterparts = new int[left.Count];
        for (int i = 0; i < left.Count; i++)
        {
            counterparts[i] = KeyOf(left[i].Key) is string key && byKey.TryGetValue(key, out int found) && !isTaken[found] ? found : -1;
            if (counterparts[i] >= 0)
                isTaken[counterparts[i]] = true;
        }

        int next = 0;
        for (int i = 0; i < left.Count; i++)
        {
            if (counterparts[i] < 0)
            {
                while (next < right.Count && isTaken[next])
                    next++;
                if (next == right.Count)
                    continue;
                counterparts[i] = next++;
                CompareValues(left[i].Key, right[counterparts[i]].Key, pair.Type, pair.Member, new Position(pair.Step, null, i));
            }

            CompareValues(left[i].Value, right[counterparts[i]].Value, pair.Type, pair.Member, new Position(pair.Step, null, i));
        }
    }

    private static string? KeyOf(object? key) => key switch
    {
        null => "null",
        string text => "string " + text,
        DateTime date => $"date {date.ToBinary().ToString(CultureInfo.InvariantCulture)}",
        DateTimeOffset date => $"offset {date.Ticks.ToString(CultureInfo.InvariantCulture)} {date.Offset.Ticks.ToString(CultureInfo.InvariantCulture)}",
        double number => $"double {BitConverter.DoubleToInt64Bits(number).ToString(CultureInfo.InvariantCulture)}",
        float number => $"float {BitConverter.SingleToInt32Bits(number).ToString(CultureInfo.InvariantCulture)}",
        Enum => $"{key.GetType()} {((Enum)key).ToString("D")}",
        IFormattable value when TypeShape.Of(key.GetType()).IsLeaf => $"{key.GetType()} {value.ToString(null, CultureInfo.InvariantCulture)}",
        bool value => $"bool {value}",
        _ => null,
    };

    private void CompareComparers(in Pair pair)
    {
        object? before = ComparerOf(pair.Before), after = ComparerOf(pair.After);
        if (before is null && after is null || before is not null && after is not null && (before.Equals(after) || before is not StringComparer && before.GetType() == after.GetType()))
            return;
        Add(ChangeKind.Comparer, $"{NameOf(before)} became {NameOf(after)}", pair.Type, pair.Member, pair.Position);

        static string NameOf(object? comparer) => comparer is null ? "the default comparer" : MemberTexts.NameOf(comparer.GetType());
    }

    /// <summary>Null: one that finds the same keys equal, or in the same order, as the default one.</summary>
    private static object? ComparerOf(object collection)
    {
        PropertyInfo? property = TypeShape.Of(collection.GetType()).Comparer;
        if (property?.GetValue(collection) is not { } comparer)
            return null;
        Type type = comparer.GetType();
        bool isOfFormatters = type.Assembly == typeof(MessageFormatException).Assembly;
        bool isOfRuntime = type.Assembly == typeof(object).Assembly && type.BaseType is { IsGenericType: true } @base
            && (@base.GetGenericTypeDefinition() == typeof(Comparer<>) || @base.GetGenericTypeDefinition() == typeof(EqualityComparer<>));
        bool isOrdinal = ReferenceEquals(comparer, StringComparer.Ordinal) && property.PropertyType.Name.StartsWith("IEqualityComparer", StringComparison.Ordinal);
        return isOfFormatters || isOfRuntime || isOrdinal ? null : comparer;
    }

    private static bool IsEmpty(object value) => value is "" or ICollection { Count: 0 } || value is not string && TypeShape.Of(value.GetType()).Content != ContentForm.None && ElementsOf(value).Count == 0;

    private static List<object?> ElementsOf(object collection)
    {
        try
        {
            return collection switch
            {
                ReadOnlyMemory<byte> memory => [.. memory.ToArray()],
                Memory<byte> memory => [.. memory.ToArray()],
                _ => [.. ((IEnumerable)collection).Cast<object?>()],
            };
        }
        catch (Exception e) when (e is InvalidOperationException or NullReferenceException)
        {
            // The default of an ImmutableArray or ArraySegment.
            return [];
        }
    }

    private static IEnumerable<(object? Key, object? Value)> EntriesOf(object dictionary)
    {
        foreach (DictionaryEntry entry in (IDictionary)dictionary)
            yield return (entry.Key, entry.Value);
    }

    private void Add(ChangeKind kind, string detail, TypeText type, string member, in Position step, bool isOtherList = false)
    {
        Position here = step;
        _changes.Add(new ChangePlace(type, member, kind), detail, () => here.ToStep().ToString(), isOtherList);
    }

    /// <summary>Two objects that are still to be compared, and where they were met.</summary>
    private readonly record struct Pair(object Before, object After, TypeText Type, string Member, Step Step)
    {
        internal Position Position => new(Step.Before, Step.Member, Step.Index);
    }

    /// <summary>The position of a value; its path is built only if the value differs.</summary>
    private readonly record struct Position(Step? Before, string? Member, int Index)
    {
        internal Step ToStep() => new(Before, Member, Index);
    }

    /// <summary>A step on the way from the payload: the step before it, and a member or an index.</summary>
    private sealed record Step(Step? Before, string? Member, int Index)
    {
        private const int MaxShownCount = 32;

        public override string ToString()
        {
            var steps = new Stack<string>();
            Step? current = this;
            for (; current is not null && steps.Count < MaxShownCount; current = current.Before)
                steps.Push(current.Member is null ? $"[{current.Index.ToString(CultureInfo.InvariantCulture)}]" : (current.Before is null ? "" : ".") + current.Member);
            return new StringBuilder(current is null ? "" : "...").AppendJoin("", steps).ToString();
        }
    }
}
