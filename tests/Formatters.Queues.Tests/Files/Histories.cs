using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using Formatters.TestSupport;
using Xunit;

namespace Formatters.Queues.Tests;

/// <summary>Runs histories on threads of its own, one for each core: those of the pool are for the tests that run beside.</summary>
public static class Histories
{
    /// <summary>The seed of the first history: FORMATTERS_SEED, or 0.</summary>
    private static readonly int FirstSeed = TestScale.Seed(0);

    /// <summary>Runs the histories of the seeds from FORMATTERS_SEED on (0 else), or that of FORMATTERS_DISK_SEED alone, and fails if one does.</summary>
    /// <param name="count">How many.</param>
    /// <param name="run">Runs the history of a seed.</param>
    /// <returns>Whether all were run, and not one alone.</returns>
    public static bool RunAll(int count, Action<int> run)
    {
        if (TestScale.Number("FORMATTERS_DISK_SEED") is { } one)
        {
            run(one);
            return false;
        }

        var failures = new List<string>();
        ForEach(count, number =>
        {
            int seed = FirstSeed + number;
            try
            {
                run(seed);
            }
            catch (Exception e)
            {
                lock (failures)
                    failures.Add($"FORMATTERS_DISK_SEED={seed}: {e}");
            }

            return true;
        });
        Assert.True(failures.Count == 0, $"{failures.Count} of {count} histories failed, the first: {failures.FirstOrDefault()}");
        return true;
    }

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
