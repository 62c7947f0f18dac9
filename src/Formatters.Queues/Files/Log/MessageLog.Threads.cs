using System;
using System.Diagnostics;
using System.Threading;
using System.Threading.Tasks;

namespace Formatters.Queues;

// Two threads, one of which is the writer. To wake a thread costs as much as half a flush; so the writer lets the last of those it answers go on in its own
// thread, where a sender's
// next message is found at once. Callers may do there what they like, also block: meanwhile the role of the writer is free for the other thread.
internal sealed partial class MessageLog
{
    /// <summary>The name of the threads that write.</summary>
    internal const string ThreadName = "Formatters queue log";

    /// <summary>What waits is looked after within this time when the one who was the writer does not come back from a caller's code.</summary>
    private const int WatchMilliseconds = 1;

    private readonly SemaphoreSlim _roleIsFree = new(0);
    private readonly TaskCompletionSource _hasEnded = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private Timer? _watch;
    private bool _hasWriter;
    private bool _isWatching;
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
                // Those who come again, and those who wait already.
                int expected = _written.Count + Volatile.Read(ref _waiting).Count;
                if (!AnswerAndComeBack(error))
                    break;
                AwaitReturn(expected);
            }
        }
    }

    /// <summary>Waits until nobody is the writer.</summary>
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

    /// <summary>Waits until something has been handed in.</summary>
    /// <returns>False if nothing more will be: the log has ended.</returns>
    private bool AwaitWork()
    {
        lock (_gate)
        {
            while (_waiting.Count == 0)
            {
                if (_isClosing)
                {
                    _hasEnded.SetResult();
                    _roleIsFree.Release();
                    _watch!.Dispose();
                    return false;
                }

                _isIdle = true;
                Monitor.Wait(_gate);
                _isIdle = false;
            }

            return true;
        }
    }

    /// <summary>Answers all, the last in this thread if there is another that can be the writer meanwhile.</summary>
    /// <returns>Whether this thread is still, or again, the writer.</returns>
    private bool AnswerAndComeBack(QueueException? error)
    {
        LogWrite last = _written[^1];
        Answer(error, error is null ? _written.Count - 1 : _written.Count);
        _written.Clear();
        if (error is not null)
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

        last.CompleteHere();
        lock (_gate)
        {
            if (_hasWriter || _hasEnded.Task.IsCompleted)
                return false;
            return _hasWriter = true;
        }
    }

    /// <summary>
    /// Waits a little for those who were just answered: they often come again at once, and who comes in time shares the next flush with those who wait for it.
    /// </summary>
    private void AwaitReturn(int expected)
    {
        long start = Stopwatch.GetTimestamp();
        long whileNobodyWaits = Math.Clamp(_writeTicks / 4, Stopwatch.Frequency / 20_000, Stopwatch.Frequency / 5_000);
        long whileSomebodyWaits = Math.Min(_writeTicks / 4, whileNobodyWaits);
        var spin = default(SpinWait);
        while (true)
        {
            int count = Volatile.Read(ref _waiting).Count;
            if (count >= expected || Stopwatch.GetTimestamp() - start >= (count == 0 ? whileNobodyWaits : whileSomebodyWaits))
                return;
            spin.SpinOnce(sleep1Threshold: -1);
        }
    }

    /// <summary>Under the gate, when something waits: makes sure that somebody will be the writer.</summary>
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
