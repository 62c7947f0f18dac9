#if NET
using System.Runtime.InteropServices;

namespace Formatters.Bench.Measurement;

/// <summary>Waits to a tenth of a millisecond without using a processor. One thread sleeps for all waits.</summary>
/// <remarks>The timers of .NET are as coarse as the system's clock ticks, 4 ms and more on Linux. Windows sleeps for whole milliseconds.</remarks>
internal static class PreciseTimer
{
    // A sleep on Linux ends about so much too late.
    private static readonly long Tolerance = Stopwatch.Frequency / 20_000;

    private static readonly PriorityQueue<TaskCompletionSource, long> Waiting = new();
    private static readonly Lazy<Thread> Sleeper = new(static () =>
    {
        var thread = new Thread(Run) { IsBackground = true, Name = nameof(PreciseTimer) };
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
            long due;
            lock (Waiting)
            {
                while (Waiting.TryPeek(out _, out due) && IsDue(due))
                    Waiting.Dequeue().SetResult();
                int wait = Waiting.Count == 0
                    ? Timeout.Infinite
                    : (int)Math.Min(1_000, 1_000 * (due - Stopwatch.GetTimestamp()) / Stopwatch.Frequency) - 1;
                // A new wait that is due earlier ends this one, but not a sleep.
                if (Waiting.Count == 0 || wait > 0)
                {
                    Monitor.Wait(Waiting, wait);
                    continue;
                }
            }

            Sleep(due - Stopwatch.GetTimestamp() - Tolerance);
        }
    }

    private static void Sleep(long ticks)
    {
        if (OperatingSystem.IsLinux() && ticks > 0)
            _ = NanoSleep(new TimeSpec { Nanoseconds = (nint)(ticks * 1_000_000_000 / Stopwatch.Frequency) }, 0);
        else
            Thread.Sleep(ticks > 0 ? 1 : 0);
    }

    [DllImport("libc", EntryPoint = "nanosleep")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static extern int NanoSleep(in TimeSpec time, nint remaining);

    [StructLayout(LayoutKind.Sequential)]
    private struct TimeSpec
    {
        internal nint Seconds;
        internal nint Nanoseconds;
    }
}
#endif
