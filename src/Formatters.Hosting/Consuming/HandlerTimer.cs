using System;
using System.Threading;

namespace Formatters.Hosting;

/// <summary>The time limit of one attempt to handle a message. It does not run while a transaction begins, which the database may delay.</summary>
internal sealed class HandlerTimer(TimeSpan limit, TimeProvider time, CancellationToken interruption) : IDisposable
{
    private readonly CancellationTokenSource _elapsed = new(BackOff.Limit(limit), time);

    /// <summary>Gets a token that is cancelled when the limit has elapsed.</summary>
    internal CancellationToken Elapsed => _elapsed.Token;

    /// <summary>Gets a token that is cancelled when the attempt is to end for another reason: the host stops, or the lease was lost.</summary>
    internal CancellationToken Interruption => interruption;

    /// <summary>Stops the time.</summary>
    internal void Stop() => _elapsed.CancelAfter(Timeout.InfiniteTimeSpan);

    /// <summary>Starts the time from zero.</summary>
    internal void Restart() => _elapsed.CancelAfter(BackOff.Limit(limit));

    public void Dispose() => _elapsed.Dispose();
}
