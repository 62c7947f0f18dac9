using System;
using System.Collections.Generic;
using Formatters.LegacyBinary;

namespace Formatters.Tools.Migrate;

/// <summary>The options of a migration.</summary>
internal sealed record MigrateOptions
{
    /// <summary>The most messages that a dry run looks at: as many as a broker hands out without acknowledgement.</summary>
    internal const int MaxDryRunCount = ushort.MaxValue;

    /// <summary>The maximum number of messages between source and destination: received, and not yet confirmed.</summary>
    internal const int Window = 256;

    internal required string Source { get; init; }

    internal required string Destination { get; init; }

    /// <summary>Gets the queue for messages that cannot be read or would change; null ends the run at the first one.</summary>
    internal string? ErrorQueue { get; init; }

    /// <summary>Reads everything and moves nothing.</summary>
    internal bool IsDryRun { get; init; }

    /// <summary>The most messages to take; null: until the source is empty.</summary>
    internal long? Limit { get; init; }

    /// <summary>Gets how long the source must be empty for the run to end.</summary>
    internal TimeSpan Wait { get; init; } = TimeSpan.FromSeconds(1);

    internal required Reencoding Reencoding { get; init; }
}

/// <summary>The payload types, as the formats need them.</summary>
internal sealed record PayloadTypes
{
    /// <summary>The type of the payload, and then those that an <c>object</c> in it may hold.</summary>
    internal required IReadOnlyList<Type> Types { get; init; }

    /// <summary>Gets the names of the types in legacy binary bodies.</summary>
    internal LegacyBinaryOptions LegacyBinary { get; init; } = LegacyBinaryOptions.Default;

    /// <summary>Gets whether members of types without nullable annotations may be null in the formats that do not say so by themselves, binary and
    /// protobuf.</summary>
    internal bool UnannotatedAllowsNull { get; init; }

    /// <summary>The user's assemblies, in which a formatter is looked for by the name of the member that holds it.</summary>
    internal required UserAssemblies Assemblies { get; init; }
}
