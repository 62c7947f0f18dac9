using System;
using System.Collections.Generic;
using System.Threading;
using System.Threading.Tasks;

namespace Formatters.Queues.PostgreSql;

/// <summary>A receive that waits for messages. Guarded by the gate of <see cref="WaitingReceives"/>.</summary>
internal sealed class ReceiveWaiter : TaskCompletionSource<IReadOnlyList<PostgreSqlMessage>?>
{
    internal ReceiveWaiter(long number, int maxCount, bool isLastFetch, FetchStatement? fetch, Predicate<PostgreSqlMessage>? matches)
        : base(TaskCreationOptions.RunContinuationsAsynchronously)
    {
        Number = number;
        MaxCount = maxCount;
        IsLastFetch = isLastFetch;
        Fetch = fetch;
        Matches = matches;
        Node = new LinkedListNode<ReceiveWaiter>(this);
    }

    internal LinkedListNode<ReceiveWaiter> Node { get; }

    /// <summary>Gets the number of the waiter, in order of arrival.</summary>
    internal long Number { get; }

    /// <summary>Gets the maximum number of messages to take.</summary>
    internal int MaxCount { get; }

    /// <summary>Gets the statement that finds the message to wait for; null for any message.</summary>
    internal FetchStatement? Fetch { get; }

    /// <summary>Gets the predicate of the message to wait for; null for any message.</summary>
    internal Predicate<PostgreSqlMessage>? Matches { get; }

    /// <summary>Gets or sets whether the wait ends with the next fetch if that finds nothing.</summary>
    internal bool IsLastFetch { get; set; }

    /// <summary>Gets or sets whether a fetch that began after its arrival has found nothing.</summary>
    internal bool HasFetched { get; set; }

    /// <summary>
    /// Gets or sets whether a message that is deleted on receipt may be on its way to it; it then takes the message even if canceled.
    /// </summary>
    internal bool IsBound { get; set; }

    /// <summary>Gets or sets the token that canceled the wait.</summary>
    internal CancellationToken? Cancellation { get; set; }
}
