using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using System.Threading;
using Xunit;

namespace Formatters.Queues.Tests;

/// <summary>Runs histories on threads of its own, one for each core: those of the pool are for the tests that run beside.</summary>
public static class Histories
{
    /// <summary>How many histories: FORMATTERS_DISK_SEEDS, or so many in CI and elsewhere.</summary>
    public static int Count(int inCI, int elsewhere) =>
        int.TryParse(Environment.GetEnvironmentVariable("FORMATTERS_DISK_SEEDS"), CultureInfo.InvariantCulture, out int count) ? count
        : Environment.GetEnvironmentVariable("CI") == "true" ? inCI
        : elsewhere;

    /// <summary>Runs the histories of the seeds from 0 on, or that of FORMATTERS_DISK_SEED alone, and fails if one does.</summary>
    /// <param name="count">How many.</param>
    /// <param name="run">Runs the history of a seed.</param>
    /// <returns>Whether all were run, and not one alone.</returns>
    public static bool RunAll(int count, Action<int> run)
    {
        if (int.TryParse(Environment.GetEnvironmentVariable("FORMATTERS_DISK_SEED"), CultureInfo.InvariantCulture, out int one))
        {
            run(one);
            return false;
        }

        var failures = new List<string>();
        ForEach(count, seed =>
        {
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
