using System;
using System.Collections.Generic;
using System.Linq;

namespace Formatters.Generator;

/// <summary>Compares the contracts of the code with those of the snapshot, by the rules of each wire format.</summary>
internal static class SchemaComparison
{
    internal static EquatableArray<SchemaChange> Compare(EquatableArray<SchemaRecord> code, EquatableArray<SchemaRecord> snapshot)
    {
        var changes = new List<SchemaChange>();
        foreach (SchemaRecord record in code)
        {
            SchemaRecord? old = snapshot.FirstOrDefault(r => r.Name == record.Name && r.Format == record.Format);
            if (old is null)
                changes.Add(new SchemaChange(false, record.Format, record.Name, "", "is not in it"));
            else if (record.Form != old.Form)
                changes.Add(new SchemaChange(true, record.Format, record.Name, "", $"was {NameOf(old.Form)} and is {NameOf(record.Form)}"));
            else if (record.IsValue && old.IsValue && record.Format != "binary")
                CompareValue(old.Members[0], record, changes);
            else if (record.IsNumbered)
                CompareNumbered(old, record, changes);
            else if (record.Form == "map")
                CompareNamed(old, record, changes);
            else if (!record.Members.Equals(old.Members))
                CompareOrdered(old, record, changes);
        }

        foreach (SchemaRecord old in snapshot.Where(r => code.All(c => c.Name != r.Name || c.Format != r.Format)))
            changes.Add(new SchemaChange(false, old.Format, old.Name, "", "is in it, but no longer has a contract"));
        return changes.GroupBy(c => (c.Record, c.Member, c.What)).Select(g => Merge([.. g])).ToList().ToEquatable();
    }

    /// <summary>Merges the same change in several wire formats into one, with their names.</summary>
    private static SchemaChange Merge(SchemaChange[] same)
    {
        bool isBreaking = same.Any(c => c.IsBreaking);
        string detail = string.Concat(same.Where(c => c.Detail.Length > 0).GroupBy(c => c.IsBreaking == isBreaking).OrderByDescending(g => g.Key)
            .Take(1).SelectMany(g => g.Select(c => c.Detail).Distinct()));
        string formats = FormatsOf(isBreaking);
        if (isBreaking && same.Any(c => !c.IsBreaking))
            formats += "; compatible in " + FormatsOf(false);
        return same[0] with { IsBreaking = isBreaking, Format = "", What = $"{same[0].What}{detail} ({formats})", Detail = "" };

        string FormatsOf(bool breaking) =>
            string.Join(", ", same.Where(c => c.IsBreaking == breaking).Select(c => c.Format).Distinct().OrderBy(f => f, StringComparer.Ordinal));
    }

    private static string NameOf(string form) =>
        form switch { "union" => "a union", "array" => "an array of numbered members", "map" => "a map of named members", _ => "a record" };

    private static void CompareValue(SchemaMember was, SchemaRecord now, List<SchemaChange> changes)
    {
        if (was != now.Members[0])
            changes.Add(new SchemaChange(!IsSame(was, now.Members[0], now.Format), now.Format, now.Name, "", TypeChange(was, now.Members[0])));
    }

    /// <summary>Compares records whose members the bytes do not identify: only names may change.</summary>
    private static void CompareOrdered(SchemaRecord old, SchemaRecord now, List<SchemaChange> changes)
    {
        Dictionary<string, SchemaMember> before = old.Members.ToDictionary(m => m.Name);
        HashSet<string> names = [.. now.Members.Select(m => m.Name)];
        if (old.Members.Select(Layout).SequenceEqual(now.Members.Select(Layout)) && !IsMoved(old, now, names))
        {
            foreach ((SchemaMember was, SchemaMember member) in old.Members.Zip(now.Members, (a, b) => (a, b)).Where(p => p.a != p.b))
                changes.Add(new SchemaChange(false, now.Format, now.Name, member.Name, was.Name == member.Name
                    ? TypeChange(was, member)
                    : $"was called '{was.Name}'"));
            return;
        }

        int count = changes.Count;
        foreach (SchemaMember member in now.Members)
        {
            if (!before.TryGetValue(member.Name, out SchemaMember? was))
                changes.Add(new SchemaChange(true, now.Format, now.Name, member.Name, "has been added"));
            else if (Layout(was) != Layout(member))
                changes.Add(new SchemaChange(true, now.Format, now.Name, member.Name, TypeChange(was, member)));
        }

        foreach (SchemaMember was in old.Members.Where(m => !names.Contains(m.Name)))
            changes.Add(new SchemaChange(true, now.Format, now.Name, "", $"has lost '{was.Name}'") { Detail = $" ({was.Type})" });
        if (changes.Count > count)
            return;
        SchemaMember first = now.Members.Zip(old.Members, (a, b) => (a, b)).First(p => p.a.Name != p.b.Name).a;
        changes.Add(new SchemaChange(true, now.Format, now.Name, first.Name,
            $"has moved: the order was {string.Join(", ", old.Members.Select(m => m.Name))}"));
    }

    /// <summary>Returns the type as the binary format distinguishes types: bytes are a count and bytes, like a list of them.</summary>
    private static string Layout(SchemaMember member) => member.Type.Replace("list<byte>", "bytes");

    /// <summary>Determines whether a previous member has another position now.</summary>
    private static bool IsMoved(SchemaRecord old, SchemaRecord now, HashSet<string> names) =>
        old.Members.Zip(now.Members, (a, b) => (a, b)).Any(p => p.a.Name != p.b.Name && names.Contains(p.a.Name));

    /// <summary>
    /// Compares records whose members are identified by number: a member's type must stay, except for null, and so must its number; that of a former
    /// member must not be reused.
    /// </summary>
    private static void CompareNumbered(SchemaRecord old, SchemaRecord now, List<SchemaChange> changes)
    {
        // The same member with another number: one of another type is a new member, as docs/contracts.md advises.
        bool IsRenumbered(SchemaMember was, SchemaMember member) =>
            was.Name == member.Name && was.Number != member.Number && IsSame(was, member, now.Format);

        if (now.KeepsUnknown != old.KeepsUnknown)
            changes.Add(new SchemaChange(false, now.Format, now.Name, "", now.KeepsUnknown
                ? "has a case for unknown tags now"
                : "no longer has a case for unknown tags, so they are refused"));

        foreach (SchemaMember member in now.Members)
        {
            SchemaMember? was = old.Members.FirstOrDefault(m => m.Number == member.Number);
            SchemaMember? moved = old.Members.FirstOrDefault(m => IsRenumbered(m, member));
            if (was is null && old.Retired.Contains(member.Number))
                changes.Add(new SchemaChange(true, now.Format, now.Name, member.Name, $"has the number {member.Number}, which a former member had"));
            else if (was is null && moved is not null)
                changes.Add(new SchemaChange(true, now.Format, now.Name, member.Name, $"had the number {moved.Number} and has {member.Number}"));
            else if (was is null)
                changes.Add(new SchemaChange(IsMissed(member, old), now.Format, now.Name, member.Name, "has been added")
                {
                    Detail = $", with the number {member.Number}{(IsMissed(member, old) ? ", and bodies without it are refused" : "")}",
                });
            else if (!IsSame(was, member, now.Format) || was.Name != member.Name && old.Members.Any(m => m.Name == member.Name))
                changes.Add(new SchemaChange(true, now.Format, now.Name, member.Name, was.Name == member.Name
                    ? TypeChange(was, member)
                    : $"has the number {member.Number}, which '{was.Name}' ({was.Type}) had"));
            else if (was != member)
                changes.Add(new SchemaChange(false, now.Format, now.Name, member.Name, was.Name == member.Name
                    ? TypeChange(was, member)
                    : $"was called '{was.Name}'"));
        }

        foreach (SchemaMember was in old.Members.Where(m => now.Members.All(n => n.Number != m.Number && !IsRenumbered(m, n))))
        {
            bool isMissed = IsMissed(was, now with { Retired = default });
            string result = now.IsClosedUnion ? " and has no case for unknown tags" : isMissed
                ? ", without which existing readers refuse a body"
                : "";
            changes.Add(new SchemaChange(now.IsClosedUnion || isMissed, now.Format, now.Name, "",
                $"has lost '{was.Name}'") { Detail = $"{result}; the number {was.Number} is retired" });
        }
    }

    /// <summary>
    /// Determines whether a reader with the member rejects the bodies of a record without it: those have nil in the gaps of an array.
    /// </summary>
    private static bool IsMissed(SchemaMember member, SchemaRecord without) => member.IsRequired
        || without.Form == "array" && !member.IsWrittenOnly && !member.Type.EndsWith("?", StringComparison.Ordinal)
        && without.Members.Select(m => m.Number).Concat(without.Retired).Any(n => n > member.Number);

    /// <summary>Compares records whose members are identified by name: a new or removed one is skipped at the other end.</summary>
    private static void CompareNamed(SchemaRecord old, SchemaRecord now, List<SchemaChange> changes)
    {
        foreach (SchemaMember member in now.Members)
        {
            SchemaMember? was = old.Members.FirstOrDefault(m => m.Name == member.Name);
            if (was is null)
                changes.Add(new SchemaChange(false, now.Format, now.Name, member.Name, "has been added") { IsByWireName = true });
            else if (was.Type != member.Type)
                changes.Add(new SchemaChange(!IsSame(was, member, now.Format), now.Format, now.Name, member.Name,
                    TypeChange(was, member)) { IsByWireName = true });
        }

        foreach (SchemaMember was in old.Members.Where(m => now.Members.All(n => n.Name != m.Name)))
            changes.Add(new SchemaChange(false, now.Format, now.Name, "", $"has lost '{was.Name}'") { Detail = $" ({was.Type})" });
    }

    /// <summary>Determines whether each end can read what the other writes for a member, apart from nulls.</summary>
    private static bool IsSame(SchemaMember was, SchemaMember member, string format) => format switch
    {
        // Only the member itself has a length of its own, after which it may be null.
        "versioned" => was.Type.TrimEnd('?') == member.Type.TrimEnd('?'),
        _ => WireType.Essence(was.Type, format == "protobuf") == WireType.Essence(member.Type, format == "protobuf"),
    };

    private static string TypeChange(SchemaMember was, SchemaMember member) =>
        was.Type == member.Type && was.IsWrittenOnly != member.IsWrittenOnly
        ? member.IsWrittenOnly ? "is only written now" : "is now read as well"
        : was.Type == member.Type
        ? member.IsRequired ? "is required now" : "is no longer required"
        : was.Type.TrimEnd('?') == member.Type.TrimEnd('?')
        ? member.Type.EndsWith("?", StringComparison.Ordinal) ? "may be null now" : "may no longer be null"
        : $"was {was.Type} and is {member.Type}";
}
