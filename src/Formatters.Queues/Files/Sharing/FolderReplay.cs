using System;
using System.Diagnostics.CodeAnalysis;
using System.Threading;
using System.Threading.Tasks;

namespace Formatters.Queues;

/// <summary>
/// Restores this process's state at a new owner, one request at a time: opens what was open, names the messages that were received, and then repeats
/// the requests that were not answered.
/// </summary>
internal sealed class FolderReplay(FrameConnection connection, FolderCalls calls, FollowerState state)
{
    private readonly Lock _gate = new();
    private TaskCompletionSource<byte[]>? _answer;
    private bool _hasEnded;
    private volatile bool _isDone;

    /// <summary>Takes a frame from the connection: the answer to a request of the replay or, after it, to a usual one.</summary>
    /// <returns>The usual request that was answered, or null.</returns>
    internal FolderCall? OnFrame(uint id, byte[] answer)
    {
        if (_isDone)
            return calls.OnAnswer(connection, id, answer);
        lock (_gate)
            _answer?.TrySetResult(answer);
        return null;
    }

    /// <summary>Notes that the connection has ended.</summary>
    internal void End()
    {
        lock (_gate)
        {
            _hasEnded = true;
            _answer?.TrySetException(new ReplayEndedException());
        }
    }

    /// <summary>Sends a request, and returns the answer.</summary>
    /// <exception cref="ReplayEndedException">The connection has ended.</exception>
    internal async Task<byte[]> CallAsync(byte[] request)
    {
        var completion = new TaskCompletionSource<byte[]>(TaskCreationOptions.RunContinuationsAsynchronously);
        lock (_gate)
        {
            if (_hasEnded)
                throw new ReplayEndedException();
            _answer = completion;
        }

        connection.Write(1, request);
        byte[] answer = await completion.Task.ConfigureAwait(false);
        return FolderRequests.ReadError(answer) is { } error ? throw error : answer;
    }

    /// <summary>Restores the state after the hello, and makes the connection the one that requests use.</summary>
    /// <exception cref="ReplayEndedException">The connection has ended.</exception>
    internal async Task RunAsync(FollowerSnapshot snapshot)
    {
        foreach (byte[] request in snapshot.Handles)
            await OpenAsync(request).ConfigureAwait(false);
        foreach (FollowerTransaction transaction in snapshot.Transactions)
            await CallAsync(FolderRequests.Encode(FolderRequest.Begin, transaction.Number)).ConfigureAwait(false);
        foreach ((long delivery, HeldMessage message) in snapshot.Held)
            await ReclaimAsync(delivery, message).ConfigureAwait(false);
        foreach (Guid decision in snapshot.Decisions)
            await CallAsync(FolderRequests.Encode(FolderRequest.EnterDecision, decision)).ConfigureAwait(false);
        foreach (FollowerTransaction transaction in snapshot.Transactions)
            await RepeatAsync(transaction).ConfigureAwait(false);
        await CallAsync([(byte)FolderRequest.Returned]).ConfigureAwait(false);
        lock (calls.Gate)
        {
            if (connection.IsClosed)
                throw new ReplayEndedException();
            _isDone = true;
            calls.Attach(connection);
        }
    }

    private async Task OpenAsync(byte[] request)
    {
        try
        {
            await CallAsync(request).ConfigureAwait(false);
        }
        catch (Exception e) when (e is QueueException or InvalidOperationException or ArgumentException or NotSupportedException)
        {
            // The next use of the handle meets the error.
        }
    }

    private async Task ReclaimAsync(long delivery, HeldMessage message)
    {
        long isReclaimed;
        try
        {
            isReclaimed = FolderRequests.ReadNumber(await CallAsync(FolderRequests.Reclaim(delivery, message)).ConfigureAwait(false));
        }
        catch (Exception e) when (e is QueueException or InvalidOperationException)
        {
            // Its queue was deleted.
            isReclaimed = 0;
        }

        if (isReclaimed == 0)
            state.SetLost(delivery);
    }

    /// <summary>Repeats the requests of a transaction that the last owner has answered; the others are repeated with all requests.</summary>
    private async Task RepeatAsync(FollowerTransaction transaction)
    {
        foreach (byte[] request in calls.AnsweredRequestsOf(transaction))
        {
            try
            {
                await CallAsync(request).ConfigureAwait(false);
            }
            catch (Exception e) when (e is QueueException or InvalidOperationException)
            {
                transaction.IsBroken = true;
            }
        }
    }

    /// <summary>The exception for a connection that ends before the state is restored.</summary>
    [SuppressMessage("Design", "CA1064", Justification = "The connector handles it.")]
    internal sealed class ReplayEndedException : Exception;
}
