namespace Formatters.Generator;

/// <summary>The snapshot of a record: docs/contracts.md, "The schema snapshot".</summary>
/// <param name="Name">The type, or the property of a context whose value is not a record.</param>
/// <param name="Format">The wire format, as it is written in the snapshot.</param>
/// <param name="IsNumbered">Whether members go by their numbers: the cases of a union, by their tags.</param>
/// <param name="Members">The members in the order of the wire.</param>
/// <param name="Retired">The numbers of former members.</param>
internal sealed record SchemaRecord(string Name, string Format, bool IsNumbered, EquatableArray<SchemaMember> Members, EquatableArray<int> Retired)
{
    /// <summary>Gets "union" for a union, "array" or "map" for a record of MessagePack; otherwise empty.</summary>
    internal string Form { get; init; } = "";

    /// <summary>Gets whether it is a union with a case for unknown tags.</summary>
    internal bool KeepsUnknown { get; init; }

    /// <summary>Gets whether it is a union without such a case.</summary>
    internal bool IsClosedUnion => Form == "union" && !KeepsUnknown;

    /// <summary>Gets whether it is the value that a context publishes, which is not a record.</summary>
    internal bool IsValue => Members.Count == 1 && Members[0].Name.Length == 0;
}

/// <summary>A member in the snapshot of a contract.</summary>
/// <param name="Name">Its name, in the map form of MessagePack that on the wire; empty for the value of a context.</param>
/// <param name="Number">Its number, or its tag in a union; 0 in formats without.</param>
/// <param name="Type">The type on the wire: <c>int32</c>, <c>string?</c>, <c>list&lt;Shop.Line&gt;</c>, <c>(int32, string?)</c>.</param>
internal sealed record SchemaMember(string Name, int Number, string Type)
{
    /// <summary>Gets whether a body without it is rejected (<c>MissingMember</c>), regardless of a new object's value.</summary>
    internal bool IsRequired { get; init; }

    /// <summary>
    /// Gets whether it has a position in an array of MessagePack, but is skipped on reading, because nothing sets it: nil is as good as a value
    /// there.
    /// </summary>
    internal bool IsWrittenOnly { get; init; }
}

/// <summary>The contracts of the snapshot file, or the error that makes it unreadable.</summary>
/// <param name="Path">The file.</param>
/// <param name="Records">The records.</param>
/// <param name="Error">Why it could not be read; null if it was.</param>
/// <param name="ErrorLine">The line of the error, from 0.</param>
internal sealed record SchemaFile(string Path, EquatableArray<SchemaRecord> Records, string? Error, int ErrorLine);

/// <summary>A difference between code and snapshot.</summary>
/// <param name="IsBreaking">Whether existing bodies cannot be read as before.</param>
/// <param name="Format">The wire format; empty if <paramref name="What"/> names those that have the change.</param>
/// <param name="Record">The record.</param>
/// <param name="Member">The member in the code; empty for the record.</param>
/// <param name="What">The description, for the message.</param>
internal sealed record SchemaChange(bool IsBreaking, string Format, string Record, string Member, string What)
{
    /// <summary>Gets what the message adds for this format; otherwise empty.</summary>
    internal string Detail { get; init; } = "";

    /// <summary>Gets whether the member is identified by its name on the wire.</summary>
    internal bool IsByWireName { get; init; }
}
