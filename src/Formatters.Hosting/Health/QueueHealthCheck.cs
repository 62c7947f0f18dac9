using System;
using System.Collections.Generic;
using System.Threading;
using System.Threading.Tasks;
using Microsoft.Extensions.Diagnostics.HealthChecks;

namespace Formatters.Hosting;

/// <summary>Reports queues that are unreachable, whose receiving pauses, or whose handlers do not end. It asks no queue: it reports what receivers
/// and senders
/// have found.</summary>
internal sealed class QueueHealthCheck(QueueStates states) : IHealthCheck
{
    public Task<HealthCheckResult> CheckHealthAsync(HealthCheckContext context, CancellationToken cancellationToken = default)
    {
        HealthStatus worst = HealthStatus.Healthy;
        Exception? error = null;
        var problems = new List<string>();
        var data = new Dictionary<string, object>();
        foreach (QueueState state in states.All)
        {
            (HealthStatus status, string text) = Describe(state, context.Registration.FailureStatus);
            data[state.Name] = text;
            if (status == HealthStatus.Healthy)
                continue;
            problems.Add($"{state.Name}: {text}");
            error ??= state.Receiving.Error ?? state.SendError ?? state.Database.Error;
            worst = status < worst ? status : worst;
        }

        return Task.FromResult(new HealthCheckResult(worst, problems.Count == 0 ? null : string.Join("; ", problems), error, data));
    }

    private static (HealthStatus Status, string Text) Describe(QueueState state, HealthStatus failure) =>
        (state.Receiving.Error ?? state.SendError) is { } error ? (failure, "unreachable: " + error.Message)
        : state.Database.Error is { } failed ? (failure, "the database of the outbox failed: " + failed.Message)
        : state.IsCircuitOpen ? (HealthStatus.Degraded, "receiving pauses after consecutive failures")
        : state.OverdueCount > 0 ? (HealthStatus.Degraded, $"{state.OverdueCount} handlers have not ended after their timeout")
        : (HealthStatus.Healthy, "ok");
}
