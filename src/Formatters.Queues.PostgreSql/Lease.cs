using System;

namespace Formatters.Queues.PostgreSql;

/// <summary>The lease of locked messages, from before the statement that locked or renewed them.</summary>
/// <remarks>Measured by the monotonic clock: the server does not know that this machine's wall clock was set.</remarks>
internal sealed class Lease(TimeProvider time, TimeSpan duration)
{
    private readonly long _start = time.GetTimestamp();

    /// <summary>Gets the end of the lease, by the wall clock as it was at the start.</summary>
    internal DateTimeOffset End { get; } = time.GetUtcNow() + duration;

    internal bool IsOver => time.GetElapsedTime(_start) >= duration;
}
