using System;

namespace Formatters.Hosting;

/// <summary>Settings of the circuit breaker, which stops a queue's consumers while whatever their handlers depend on fails.</summary>
/// <remarks>After the break, one message at a time is received. The first that is handled ends the break; a failure begins another one.</remarks>
public sealed class CircuitBreakerOptions
{
    /// <summary>Gets or sets how many attempts of the queue's handlers must fail in a row before receiving pauses.</summary>
    /// <value>Default 20. 0: receiving never pauses.</value>
    public int FailureCount { get; set; } = 20;

    /// <summary>Gets or sets how long receiving pauses.</summary>
    /// <value>Default 30 seconds.</value>
    public TimeSpan BreakDuration { get; set; } = TimeSpan.FromSeconds(30);
}
