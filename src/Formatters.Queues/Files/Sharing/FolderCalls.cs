using System;
using System.Buffers.Binary;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;

namespace Formatters.Queues;

/// <summary>
/// Sends requests to the owner of a folder, and completes them by an answer, a deadline or a cancellation. Without a connection, requests wait for
/// the next owner.
/// </summary>
internal sealed class FolderCalls : IAsyncDisposable
{
    /// <summary>The silence after which an owner counts as stopped. It is pinged before that.</summary>
    internal const int MaxSilentMilliseconds = 3000;

    private const int TickMilliseconds = 100;

    /// <summary>The time for which the answer to a cancellation is awaited.</summary>
    private const int CancelMilliseconds = 1000;

    private readonly string _path;
    private readonly Action<FolderCall, byte[]> _onLateAnswer;
    private readonly Dictionary<uint, FolderCall> _pending = [];
    private readonly Dictionary<uint, FolderCall> _abandoned = [];
    private readonly Queue<FolderCall> _operations = new();
    private readonly CancellationTokenSource _closing = new();
    private readonly Timer _timer;
    private FrameConnection? _connection;
    private QueueException? _failure;
    private uint _lastId;
    private long _lastOperation;
    private long _disconnected;
    private bool _isTicking;

    /// <summary>Creates the requests of a folder.</summary>
    /// <param name="path">The folder.</param>
    /// <param name="onLateAnswer">Takes the answer to a receive that has ended before it came.</param>
    internal FolderCalls(string path, Action<FolderCall, byte[]> onLateAnswer)
    {
        _path = path;
        _onLateAnswer = onLateAnswer;
        _timer = new Timer(static calls => ((FolderCalls)calls!).Tick(), this, Timeout.Infinite, Timeout.Infinite);
    }

    /// <summary>Gets the lock that guards the requests and what their answers change.</summary>
    internal Lock Gate { get; } = new();

    /// <summary>Gets a token that is canceled when the folder is closed.</summary>
    internal CancellationToken Closing => _closing.Token;

    /// <summary>Gets the error with which all requests fail, or null.</summary>
    internal QueueException? Failure => Volatile.Read(ref _failure);

    /// <summary>Gets or sets a description of the owner, for errors; null before a connection.</summary>
    internal string? OwnerName { get; set; }

    /// <summary>Sends a request, and waits for the answer.</summary>
    /// <returns>The answer; null for a receive that has ended without one.</returns>
    /// <exception cref="QueueException">The owner has rejected the request, or does not answer.</exception>
    internal ValueTask<byte[]?> RunAsync(FolderCall call)
    {
        Start(call);
        return call.Answer;
    }

    /// <summary>Adds a request to the pending ones, and sends it if there is a connection.</summary>
    internal void Start(FolderCall call)
    {
        byte[] request = call.Request;
        lock (Gate)
        {
            if (_failure is not null)
                throw _failure.Code == QueueErrorCode.None ? _failure : new QueueException(_failure.Message, _failure)
                {
                    Code = _failure.Code,
                    IsUnreachable = _failure.IsUnreachable,
                };
            call.Id = ++_lastId;
            if (call.IsOperation)
                Number(call);
            // In this order also in the transaction's list, from which the next owner gets them.
            if (call.Queue is null)
                call.Transaction?.Requests.Add(request);
            _pending.Add(call.Id, call);
            if (!_isTicking && !_closing.IsCancellationRequested)
            {
                _isTicking = true;
                _timer.Change(TickMilliseconds, TickMilliseconds);
            }

            _connection?.Write(call.Id, request, call.Order, isOneOfMany: _pending.Count > 8);
        }

        if (call.CancellationToken.CanBeCanceled)
            call.Register(call.CancellationToken.UnsafeRegister(static state =>
            {
                var (calls, call) = ((FolderCalls, FolderCall))state!;
                calls.Cancel(call);
            }, (this, call)));
    }

    /// <summary>Completes a request by its answer.</summary>
    /// <returns>The request, whose caller is to be run; null if nothing waits for the answer.</returns>
    internal FolderCall? OnAnswer(FrameConnection connection, uint id, byte[] answer)
    {
        Exception? error = FolderRequests.ReadError(answer);
        // The next owner determines whether the request was done.
        if (error is QueueException { Code: QueueErrorCode.FolderStopped })
        {
            connection.Dispose();
            return null;
        }

        FolderCall? call, abandoned = null;
        lock (Gate)
        {
            if (!_pending.Remove(id, out call))
                _abandoned.Remove(id, out abandoned);
            else if (error is null)
                call.OnAnswer?.Invoke(answer);
        }

        call?.Complete(answer, error);
        if (abandoned is not null && error is null)
            _onLateAnswer(abandoned, answer);
        return call;
    }

    /// <summary>Uses a connection, and repeats the requests without an answer. Called under the gate.</summary>
    internal void Attach(FrameConnection connection)
    {
        foreach (FolderCall call in _pending.Values.OrderBy(static call => call.Id))
            connection.Write(call.Id, call.Request, call.Order);
        _connection = connection;
        foreach (FolderCall call in _pending.Values.Where(static call => call.IsCanceled))
            SendCancel(call);
    }

    /// <summary>Stops using a connection that has ended. Called under the gate.</summary>
    /// <returns>False if another connection is in use.</returns>
    internal bool TryDetach(FrameConnection connection)
    {
        if (_connection != connection)
            return false;
        _connection = null;
        _disconnected = Environment.TickCount64;
        _abandoned.Clear();
        return true;
    }

    /// <summary>Returns the requests of a transaction that are answered, in order.</summary>
    internal byte[][] AnsweredRequestsOf(FollowerTransaction transaction)
    {
        lock (Gate)
        {
            HashSet<byte[]> pending = [.. _pending.Values.Select(static call => call.Request)];
            return [.. transaction.Requests.Where(request => !pending.Contains(request))];
        }
    }

    /// <summary>Stops using the connection, and returns it.</summary>
    internal FrameConnection? Detach()
    {
        lock (Gate)
        {
            FrameConnection? connection = _connection;
            _connection = null;
            return connection;
        }
    }

    /// <summary>Stops reconnections and deadlines. The pending requests remain until <see cref="Fail"/>.</summary>
    public async ValueTask DisposeAsync()
    {
        await _closing.CancelAsync().ConfigureAwait(false);
        await _timer.DisposeAsync().ConfigureAwait(false);
    }

    /// <summary>Fails all pending and later requests.</summary>
    internal void Fail(QueueException failure)
    {
        FolderCall[] calls;
        lock (Gate)
        {
            if (_failure is not null)
                return;
            _failure = failure.Code == QueueErrorCode.FolderStopped || _closing.IsCancellationRequested
                ? failure
                : new QueueException(failure.Message, failure) { IsUnreachable = true, Code = QueueErrorCode.FolderStopped };
            calls = [.. _pending.Values];
            _pending.Clear();
        }

        foreach (FolderCall call in calls)
        {
            End(call, new QueueException(_failure.Message, _failure)
            {
                OutcomeUnknown = call.HasOutcome,
                IsUnreachable = _failure.IsUnreachable,
                Code = _failure.Code,
            });
        }
    }

    /// <summary>Creates the error for an owner that does not answer.</summary>
    internal QueueException NotAnswering(bool outcomeUnknown)
    {
        string owner = OwnerName ?? FolderLock.DescribeOwner(_path);
        return new QueueException(
            $"The folder '{_path}' is open in {owner}, which does not answer: it is stopped (by a signal, or in a debugger) or hangs. Continue it, "
            + "or end it: another process then takes over.")
        {
            OutcomeUnknown = outcomeUnknown,
            IsUnreachable = true,
        };
    }

    /// <summary>Writes the numbers into a request by which the log recognizes a repetition, and knows what will not be repeated.</summary>
    private void Number(FolderCall call)
    {
        call.Operation = ++_lastOperation;
        _operations.Enqueue(call);
        while (_operations.Peek().IsCompleted)
            _operations.Dequeue();
        BinaryPrimitives.WriteInt64LittleEndian(call.Request.AsSpan(FolderRequests.OperationOffset), call.Operation);
        BinaryPrimitives.WriteInt64LittleEndian(call.Request.AsSpan(FolderRequests.LowestOperationOffset), _operations.Peek().Operation);
    }

    /// <summary>Asks the owner to end a request; its answer tells whether it was done.</summary>
    private void Cancel(FolderCall call)
    {
        lock (Gate)
        {
            if (!_pending.ContainsKey(call.Id) || call.IsCanceled)
                return;
            call.IsCanceled = true;
            call.Deadline = Math.Min(call.Deadline, Environment.TickCount64 + CancelMilliseconds);
            SendCancel(call);
        }
    }

    private void SendCancel(FolderCall call) => _connection?.Write(0, FolderRequests.Cancel(call.Id));

    /// <summary>Ends the requests that have taken too long, and pings a silent owner.</summary>
    private void Tick()
    {
        List<(FolderCall Call, Exception? Error)>? ended = null;
        lock (Gate)
        {
            if (_pending.Count == 0)
            {
                _isTicking = false;
                if (!_closing.IsCancellationRequested)
                    _timer.Change(Timeout.Infinite, Timeout.Infinite);
                return;
            }

            long now = Environment.TickCount64;
            long silent = now - (_connection?.LastReceived ?? _disconnected);
            if (_connection is not null && silent > MaxSilentMilliseconds / 3)
                _connection.Write(0, new byte[] { (byte)FolderRequest.Ping });
            foreach (FolderCall call in _pending.Values)
            {
                if (now >= call.Deadline || (call.Deadline == long.MaxValue && silent > call.MaxSilentMilliseconds))
                    (ended ??= []).Add((call, ErrorOf(call, silent)));
            }

            foreach ((FolderCall call, _) in ended ?? [])
            {
                _pending.Remove(call.Id);
                if (call.Queue is null || _connection is null)
                    continue;
                _abandoned.Add(call.Id, call);
                SendCancel(call);
            }
        }

        foreach ((FolderCall call, Exception? error) in ended ?? [])
            End(call, error);
    }

    /// <summary>Returns the error of a request that has taken too long; null for a receive at its timeout.</summary>
    private Exception? ErrorOf(FolderCall call, long silentMilliseconds)
    {
        if (call.IsCanceled)
            return new OperationCanceledException(call.CancellationToken);
        bool isTimeout = call.Queue is not null && silentMilliseconds < MaxSilentMilliseconds && call.Deadline != long.MaxValue;
        return isTimeout ? null : NotAnswering(call.HasOutcome);
    }

    /// <summary>Ends a request without an answer.</summary>
    private static void End(FolderCall call, Exception? error)
    {
        call.Complete(null, error);
        ThreadPool.UnsafeQueueUserWorkItem(call, preferLocal: false);
    }
}
