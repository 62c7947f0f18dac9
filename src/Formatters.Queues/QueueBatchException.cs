using System;
using System.Collections.Generic;

namespace Formatters.Queues;

/// <summary>
/// The exception that is thrown when some messages of a batch failed: <see cref="Failures"/> lists them. The others were sent, or acknowledged.
/// </summary>
/// <remarks><see cref="QueueException.OutcomeUnknown"/> is true if it is true for any of the failures,
/// <see cref="QueueException.IsUnreachable"/> if it is for the first. A queue with
/// <see cref="QueueFeatures.AtomicBatches"/> fails for the whole batch, with a <see cref="QueueException"/>.</remarks>
public sealed class QueueBatchException : QueueException
{
    /// <summary>Creates an exception for a batch of which some messages failed.</summary>
    /// <param name="message">What happened, naming the queue's address without its password.</param>
    /// <param name="failures">The messages that failed, by their indexes in the batch.</param>
    /// <exception cref="ArgumentException"><paramref name="failures"/> is null or empty.</exception>
    public QueueBatchException(string message, IReadOnlyList<QueueBatchFailure> failures)
        : base(message, failures is { Count: > 0 } ? failures[0].Error : throw new ArgumentException("At least one.", nameof(failures)))
    {
        Failures = failures;
        IsUnreachable = failures[0].Error is QueueException { IsUnreachable: true };
        foreach (QueueBatchFailure failure in failures)
            OutcomeUnknown |= failure.OutcomeUnknown;
    }

    /// <summary>Gets the messages that failed, by their indexes in the batch, in ascending order.</summary>
    public IReadOnlyList<QueueBatchFailure> Failures { get; }
}

/// <summary>A message of a batch that failed.</summary>
/// <param name="Index">The index of the message in the batch.</param>
/// <param name="Error">Why.</param>
public sealed record QueueBatchFailure(int Index, Exception Error)
{
    /// <summary>Gets whether it is unknown what happened to the message: see <see cref="QueueException.OutcomeUnknown"/>.</summary>
    public bool OutcomeUnknown => Error is QueueException { OutcomeUnknown: true } or OperationCanceledException;
}
