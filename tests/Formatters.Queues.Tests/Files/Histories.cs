using System;
using System.Linq;
using System.Threading;

namespace Formatters.Queues.Tests;

/// <summary>Runs histories on threads of its own, one for each core: those of the pool are for the tests that run beside.</summary>
public static class Histories
{
    /// <summary>Runs the histories of the seeds from 0 on, until one says to stop.</summary>
    /// <param name="count">How many.</param>
    /// <param name="run">Runs the history of a seed, and says whether to go on. It throws nothing.</param>
    public static void ForEach(int count, Func<int, bool> run)
    {
        int next = -1;
        int isStopped = 0;
        Thread[] threads =
        [
            .. Enumerable.Range(0, Environment.ProcessorCount).Select(_ => new Thread(() =>
            {
                while (Volatile.Read(ref isStopped) == 0 && Interlocked.Increment(ref next) is int seed && seed < count)
                {
                    if (!run(seed))
                        Volatile.Write(ref isStopped, 1);
                }
            })),
        ];
        foreach (Thread thread in threads)
            thread.Start();
        foreach (Thread thread in threads)
            thread.Join();
    }
}
