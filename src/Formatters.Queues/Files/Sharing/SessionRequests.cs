using System;
using System.Collections.Generic;
using System.Threading;
using System.Threading.Tasks;
using Formatters.Binary;

namespace Formatters.Queues;

/// <summary>Runs the requests of another process to this one, the owner of the folder, and writes their answers.</summary>
internal sealed class SessionRequests(FolderServer server, FrameConnection connection)
{
    private const int MaxFreeCount = 64;

    private readonly Lock _gate = new();
    private readonly Dictionary<uint, CancellationTokenSource> _running = [];
    private readonly Stack<CancellationTokenSource> _free = new();
    private readonly TaskCompletionSource _idle = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private bool _isEnding;

    /// <summary>Starts a request.</summary>
    /// <param name="id">The id, for its answer.</param>
    /// <param name="waits">Whether it waits for the processes that were connected to the last owner.</param>
    /// <param name="run">Runs it, and returns the answer.</param>
    internal void Start(uint id, bool waits, Func<CancellationToken, ValueTask<ReadOnlyMemory<byte>>> run)
    {
        CancellationTokenSource? cancellation;
        lock (_gate)
        {
            if (_isEnding)
                return;
            if (!_free.TryPop(out cancellation))
                cancellation = new CancellationTokenSource();
            _running.Add(id, cancellation);
        }

        _ = AnswerAsync(id, run, waits && !server.AllHaveReturned.IsCompleted, cancellation);
    }

    internal void Cancel(uint id)
    {
        lock (_gate)
        {
            if (!_running.TryGetValue(id, out CancellationTokenSource? request))
                return;
            // Not awaited: the callbacks of the token would run on this thread.
            _ = request.CancelAsync();
        }
    }

    /// <summary>Starts no more requests, cancels the running ones, and waits for them.</summary>
    internal async Task EndAsync()
    {
        CancellationTokenSource[] running;
        lock (_gate)
        {
            _isEnding = true;
            running = [.. _running.Values];
            if (running.Length == 0)
                _idle.SetResult();
        }

        foreach (CancellationTokenSource request in running)
            await request.CancelAsync().ConfigureAwait(false);
        await _idle.Task.ConfigureAwait(false);
    }

    private async Task AnswerAsync(uint id, Func<CancellationToken, ValueTask<ReadOnlyMemory<byte>>> run, bool waits,
        CancellationTokenSource cancellation)
    {
        ReadOnlyMemory<byte> answer;
        bool hasFailed = false;
        try
        {
            if (waits)
                await server.AllHaveReturned.WaitAsync(cancellation.Token).ConfigureAwait(false);
            answer = await run(cancellation.Token).ConfigureAwait(false);
        }
        catch (Exception e)
        {
            hasFailed = true;
            answer = FolderProtocol.Encode(256, (ref BinaryBodyWriter writer) => FolderProtocol.Write(ref writer, e));
        }

        // While the folder closes, errors come from the closing: the process repeats the request to the next owner.
        bool isEnding, isOneOfMany;
        lock (_gate)
            (isEnding, isOneOfMany) = (_isEnding, _running.Count > 1);
        if (!hasFailed || (!isEnding && server.Folder.StoppedReason is null))
            connection.Write(id, answer, order: 0, isOneOfMany);
        lock (_gate)
        {
            _running.Remove(id);
            if (_free.Count < MaxFreeCount && cancellation.TryReset())
                _free.Push(cancellation);
            if (_isEnding && _running.Count == 0)
                _idle.TrySetResult();
        }
    }
}
