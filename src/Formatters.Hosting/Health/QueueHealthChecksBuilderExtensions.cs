using System;
using System.Collections.Generic;
using Formatters.Hosting;
using Microsoft.Extensions.Diagnostics.HealthChecks;

namespace Microsoft.Extensions.DependencyInjection;

/// <summary>Registers the health check of the queues.</summary>
public static class QueueHealthChecksBuilderExtensions
{
    /// <summary>Adds a check of all queues of the host. It fails while a queue is unreachable; it is degraded while receiving pauses after
    /// consecutive
    /// failures, or handlers do not end after their timeout.</summary>
    /// <param name="builder">The health checks.</param>
    /// <param name="name">The name of the check.</param>
    /// <param name="failureStatus">The status of an unreachable queue; null for <see cref="HealthStatus.Unhealthy"/>.</param>
    /// <param name="tags">The tags of the check; null for none.</param>
    /// <returns>The health checks.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="builder"/> is null.</exception>
    /// <remarks>The check asks no queue, so it may run often: it reports what receivers and senders have found. A queue that only senders use counts
    /// as
    /// reachable until a send fails.</remarks>
    public static IHealthChecksBuilder AddQueues(
        this IHealthChecksBuilder builder, string name = "queues", HealthStatus? failureStatus = null, IEnumerable<string>? tags = null)
    {
        ArgumentNullException.ThrowIfNull(builder);
        return builder.AddCheck<QueueHealthCheck>(name, failureStatus, tags ?? []);
    }
}
