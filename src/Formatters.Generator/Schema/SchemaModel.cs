namespace Formatters.Generator;

/// <summary>What a snapshot keeps of a record: docs/contracts.md, "The schema snapshot".</summary>
/// <param name="Name">The type, or the property of a context whose value is no record.</param>
/// <param name="Format">The wire format, as it is written in the snapshot.</param>
/// <param name="IsNumbered">Whether members go by their numbers: the cases of a union, by their tags.</param>
/// <param name="Members">The members in the order of the wire.</param>
/// <param name="Retired">The numbers of members that it had once.</param>
internal sealed record SchemaRecord(string Name, string Format, bool IsNumbered, EquatableArray<SchemaMember> Members, EquatableArray<int> Retired)
{
    /// <summary>Of a union "union", of a record of MessagePack "array" or "map"; else empty.</summary>
    internal string Form { get; init; } = "";

    /// <summary>Whether it is a union that has a case for unknown tags.</summary>
    internal bool KeepsUnknown { get; init; }

    /// <summary>Whether it is a union without such a case.</summary>
    internal bool IsClosedUnion => Form == "union" && !KeepsUnknown;

    /// <summary>Whether it is the value that a context publishes, which is no record.</summary>
    internal bool IsValue => Members.Count == 1 && Members[0].Name.Length == 0;
}

/// <summary>A member.</summary>
/// <param name="Name">Its name, in the map form of MessagePack that on the wire; empty for the value of a context.</param>
/// <param name="Number">Its number, or its tag in a union; 0 in formats without.</param>
/// <param name="Type">What is on the wire: <c>int32</c>, <c>string?</c>, <c>list&lt;Shop.Line&gt;</c>, <c>(int32, string?)</c>.</param>
internal sealed record SchemaMember(string Name, int Number, string Type)
{
    /// <summary>Whether a body without it is refused (<c>MissingMember</c>), whatever a new object holds.</summary>
    internal bool IsRequired { get; init; }

    /// <summary>Whether it has a place in an array of MessagePack, but is passed over on reading, as nothing sets it: nil is there as good as a
    /// value.</summary>
    internal bool IsWrittenOnly { get; init; }
}

/// <summary>The text of the snapshot, read.</summary>
/// <param name="Path">The file.</param>
/// <param name="Records">The records.</param>
/// <param name="Error">Why it could not be read; null if it was.</param>
/// <param name="ErrorLine">The line of the error, from 0.</param>
internal sealed record SchemaFile(string Path, EquatableArray<SchemaRecord> Records, string? Error, int ErrorLine);

/// <summary>A difference between code and snapshot.</summary>
/// <param name="IsBreaking">Whether existing bodies cannot be read as before.</param>
/// <param name="Record">The record.</param>
/// <param name="Member">The member in the code; empty if it is the record.</param>
/// <param name="What">What it is, for the message.</param>
internal sealed record SchemaChange(bool IsBreaking, string Record, string Member, string What)
{
    /// <summary>Whether the member goes by its name on the wire.</summary>
    internal bool IsByWireName { get; init; }
}
