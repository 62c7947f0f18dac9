using System;
using System.Collections.Generic;
using System.Linq;

namespace Formatters.Tools.Migrate;

/// <summary>The kinds of change of a value in another format. The command line has the names in lower case.</summary>
internal enum ChangeKind
{
    /// <summary>It is gone: the type lacks the member, or the new format does not carry it.</summary>
    Dropped,

    /// <summary>It is another value.</summary>
    Value,

    /// <summary>The <see cref="DateTime.Kind"/> of a date.</summary>
    Kind,

    /// <summary>The offset of a <see cref="DateTimeOffset"/>, which is the same moment.</summary>
    Offset,

    /// <summary>Less digits: ticks of a time, the scale or sign of zero of a number.</summary>
    Precision,

    /// <summary>Characters of a string.</summary>
    Text,

    /// <summary>Null became empty, or empty null.</summary>
    Null,

    /// <summary>The type of an object: that of a base class, another collection.</summary>
    Type,

    /// <summary>One object in two places became two, or two became one.</summary>
    Identity,

    /// <summary>The comparer of a dictionary or set.</summary>
    Comparer,

    /// <summary>It is not known what the body holds besides: it could not be written again in its own format.</summary>
    Unchecked,
}

/// <summary>The type, the member and the kind of a change.</summary>
/// <param name="Type">The type that declares the member, or the payload's.</param>
/// <param name="Member">The member; empty for the payload itself.</param>
/// <param name="Kind">What has changed.</param>
internal readonly record struct ChangePlace(TypeText Type, string Member, ChangeKind Kind)
{
    /// <summary>Type and member without the namespace.</summary>
    internal string Name => Member.Length == 0 ? Type.Name : $"{Type.Name}.{Member}";

    internal string QualifiedName => Type.Namespace.Length == 0 ? Name : $"{Type.Namespace}.{Name}";

    /// <summary>Gets the argument of <c>--allow</c>: <c>Order.OrderDate:kind</c>.</summary>
    public override string ToString() => $"{Name}:{NameOf(Kind)}";

    internal static string NameOf(ChangeKind kind) => kind.ToString().ToLowerInvariant();
}

/// <summary>A difference between a message and what it becomes: a value that is lost or altered.</summary>
/// <param name="Place">Which.</param>
/// <param name="Detail">What it was and has become, without content of the body.</param>
/// <param name="Path">The first position, as <c>Order.LineItems[3].Price</c>.</param>
internal sealed record Change(ChangePlace Place, string Detail, string Path)
{
    /// <summary>Gets or sets how many values.</summary>
    internal long Count { get; set; } = 1;

    /// <summary>Gets or sets whether it is only that a list has become a list of another class; its elements are compared all the same.</summary>
    internal bool IsOtherList { get; set; }
}

/// <summary>The changes of one message, by type, member and kind.</summary>
internal sealed class ChangeList
{
    private readonly Dictionary<ChangePlace, Change> _changes = [];

    internal IReadOnlyCollection<Change> Items => _changes.Values;

    internal void Add(ChangePlace place, string detail, Func<string> path, bool isOtherList = false)
    {
        if (_changes.TryGetValue(place, out Change? change))
        {
            change.Count++;
            change.IsOtherList &= isOtherList;
        }
        else
        {
            _changes.Add(place, new Change(place, detail, path()) { IsOtherList = isOtherList });
        }
    }
}

/// <summary>The changes that the user has allowed by name: <c>Order.OrderDate:kind</c>, with <c>*</c> for any part of a name.</summary>
internal sealed class AllowedChanges
{
    private readonly List<(string Name, ChangeKind? Kind)> _patterns = [];

    /// <exception cref="UsageException">A text is not of the form that is asked for.</exception>
    internal AllowedChanges(IEnumerable<string> texts)
    {
        foreach (string text in texts)
        {
            int colon = text.LastIndexOf(':');
            string kind = text[(colon + 1)..].Trim();
            if (colon <= 0 || kind != "*" && !KindNames.Contains(kind))
                throw new UsageException($"'{text}' is not of the form Type.Member:change, where the change is one of {string.Join(", ", KindNames)}.");
            _patterns.Add((text[..colon].Trim(), kind == "*" ? null : Enum.Parse<ChangeKind>(kind, ignoreCase: true)));
        }
    }

    internal static string[] KindNames { get; } = [.. Enum.GetValues<ChangeKind>().Select(ChangePlace.NameOf)];

    internal bool Allows(ChangePlace place) => _patterns.Exists(pattern =>
        (pattern.Kind is null || pattern.Kind == place.Kind) && (Matches(pattern.Name, place.Name) || Matches(pattern.Name, place.QualifiedName)));

    /// <summary>A star is any number of characters. In time linear in the product of the lengths.</summary>
    private static bool Matches(string pattern, string name)
    {
        string[] parts = pattern.Split('*');
        if (parts.Length == 1)
            return pattern == name;
        if (!name.StartsWith(parts[0], StringComparison.Ordinal))
            return false;
        int position = parts[0].Length;
        foreach (string part in parts[1..^1])
        {
            int found = name.IndexOf(part, position, StringComparison.Ordinal);
            if (found < 0)
                return false;
            position = found + part.Length;
        }

        return name.Length - position >= parts[^1].Length && name.EndsWith(parts[^1], StringComparison.Ordinal);
    }
}
