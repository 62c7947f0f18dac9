using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Threading;
using System.Threading.Tasks;

namespace Formatters.Bench.Network;

/// <summary>Waits to the millisecond: the timers of .NET are as coarse as the system's clock ticks, 4 ms and more on Linux. One thread sleeps for all.</summary>
internal static class LinkClock
{
    // What is due within a tenth of a millisecond is due: a thread sleeps no shorter.
    private static readonly long Tolerance = Stopwatch.Frequency / 10_000;

    private static readonly PriorityQueue<TaskCompletionSource, long> Waiting = new();
    private static readonly Lazy<Thread> Sleeper = new(static () =>
    {
        var thread = new Thread(Run) { IsBackground = true, Name = nameof(LinkClock) };
        thread.Start();
        return thread;
    });

    /// <summary>Waits until a time of <see cref="Stopwatch.GetTimestamp"/>.</summary>
    internal static Task WaitAsync(long due)
    {
        if (IsDue(due))
            return Task.CompletedTask;
        _ = Sleeper.Value;
        var source = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        lock (Waiting)
        {
            Waiting.Enqueue(source, due);
            Monitor.Pulse(Waiting);
        }

        return source.Task;
    }

    private static bool IsDue(long due) => due - Stopwatch.GetTimestamp() <= Tolerance;

    private static void Run()
    {
        while (true)
        {
            lock (Waiting)
            {
                while (Waiting.Count == 0)
                    Monitor.Wait(Waiting);
                while (Waiting.TryPeek(out _, out long due) && IsDue(due))
                    Waiting.Dequeue().SetResult();
            }

            // Something that is due earlier may come meanwhile: never longer.
            Thread.Sleep(1);
        }
    }
}
