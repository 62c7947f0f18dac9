using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Threading;
using System.Threading.Tasks;

namespace Formatters.Queues;

// Two threads, one of which is the writer. Waking a thread costs as much as half a flush, so the writer runs the continuation of the last completed
// write on its own thread, where a sender's next message is found immediately. Callers may do anything there, even block: meanwhile the other thread
// takes over the role of the writer.
internal sealed partial class MessageLog
{
    /// <summary>The name of the writer threads.</summary>
    internal const string ThreadName = "Formatters queue log";

    /// <summary>The time after which pending writes are checked if the writer has not returned from a caller's continuation.</summary>
    private const int WatchMilliseconds = 1;

    /// <summary>The interval at which an idle log checks that the folder still belongs to this process; otherwise each write does.</summary>
    private const int CheckMilliseconds = 1000;

    private readonly SemaphoreSlim _roleIsFree = new(0);
    private readonly TaskCompletionSource _hasEnded = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private Timer? _watch;
    private bool _hasWriter;
    private bool _isWatching;
    private bool _isCallerWriting;
    private int _standbyCount;

    private void StartThreads()
    {
        _watch = new Timer(static log => ((MessageLog)log!).OnWatch(), this, Timeout.Infinite, Timeout.Infinite);
        for (int i = 0; i < 2; i++)
            new Thread(Run) { IsBackground = true, Name = ThreadName }.Start();
    }

    private void Run()
    {
        while (BecomeWriter())
        {
            while (AwaitWork())
            {
                TakePending();
                QueueException? error = WriteTaken();
                // The callers that may return, and those already waiting. Other processes take longer than it is worth.
                int expected = CountOwn(_written) + Volatile.Read(ref _waiting).Count;
                if (!CompleteAll(error))
                    break;
                AwaitCallers(expected);
            }
        }
    }

    private static int CountOwn(List<LogWrite> writes)
    {
        int count = 0;
        foreach (LogWrite write in writes)
            count += write.IsServed ? 0 : 1;
        return count;
    }

    /// <summary>Waits until no thread is the writer.</summary>
    /// <returns>False if the log has ended.</returns>
    private bool BecomeWriter()
    {
        while (true)
        {
            lock (_gate)
            {
                if (_hasEnded.Task.IsCompleted)
                    return false;
                if (!_hasWriter)
                    return _hasWriter = true;
                _standbyCount++;
            }

            _roleIsFree.Wait();
            lock (_gate)
                _standbyCount--;
        }
    }

    /// <summary>Waits until there are pending writes.</summary>
    /// <returns>False if nothing more will be: the log has ended.</returns>
    private bool AwaitWork()
    {
        while (true)
        {
            lock (_gate)
            {
                if (!_isCallerWriting)
                {
                    _isIdle = false;
                    if (_waiting.Count > 0)
                        return true;
                    if (_isClosing)
                    {
                        _hasEnded.SetResult();
                        _roleIsFree.Release();
                        _watch!.Dispose();
                        return false;
                    }

                    _isIdle = true;
                }

                if (Monitor.Wait(_gate, CheckMilliseconds) || _isCallerWriting)
                    continue;
                _isIdle = false;
            }

            CheckFolder();
        }
    }

    /// <summary>Writes what is pending in place of the idle writer, which takes what is added meanwhile.</summary>
    private void WriteOnCallingThread()
    {
        try
        {
            WritePending();
        }
        finally
        {
            lock (_gate)
            {
                _isCallerWriting = false;
                _isIdle = _waiting.Count == 0 && !_isClosing;
                if (!_isIdle)
                    Monitor.PulseAll(_gate);
            }
        }
    }

    /// <summary>Completes all writes, the last on this thread if the other can be the writer meanwhile.</summary>
    /// <returns>Whether this thread is still, or again, the writer.</returns>
    private bool CompleteAll(QueueException? error)
    {
        LogWrite last = _written[^1];
        CompleteFirst(error, error is null && !last.IsServed ? _written.Count - 1 : _written.Count);
        _written.Clear();
        if (error is not null || last.IsServed)
            return true;
        bool isFree;
        lock (_gate)
        {
            isFree = _standbyCount > 0 && !_isClosing;
            _hasWriter = !isFree;
            if (_waiting.Count > 0)
                WatchRole();
        }

        if (!isFree)
        {
            last.Complete();
            return true;
        }

        last.CompleteInline();
        lock (_gate)
        {
            if (_hasWriter || _hasEnded.Task.IsCompleted)
                return false;
            return _hasWriter = true;
        }
    }

    /// <summary>
    /// Waits briefly for the callers that were just completed: they often return immediately, and then share the next flush with the waiting ones.
    /// </summary>
    private void AwaitCallers(int expected)
    {
        long start = Stopwatch.GetTimestamp();
        long whileIdle = Math.Clamp(_writeTicks / 4, Stopwatch.Frequency / 20_000, Stopwatch.Frequency / 5_000);
        long whileWaiting = Math.Min(_writeTicks / 4, whileIdle);
        var spin = default(SpinWait);
        while (true)
        {
            int count = Volatile.Read(ref _waiting).Count;
            if (count >= expected || Stopwatch.GetTimestamp() - start >= (count == 0 ? whileIdle : whileWaiting))
                return;
            spin.SpinOnce(sleep1Threshold: -1);
        }
    }

    /// <summary>Ensures that a thread will be the writer while writes are pending; called under the gate.</summary>
    private void WatchRole()
    {
        if (_hasWriter || _isWatching || _watch is null)
            return;
        _isWatching = true;
        _watch.Change(WatchMilliseconds, Timeout.Infinite);
    }

    private void OnWatch()
    {
        lock (_gate)
        {
            _isWatching = false;
            if (!_hasWriter && _waiting.Count > 0 && _standbyCount > 0)
                _roleIsFree.Release();
        }
    }
}
