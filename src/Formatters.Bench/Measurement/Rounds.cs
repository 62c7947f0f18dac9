namespace Formatters.Bench.Measurement;

/// <summary>Measures cases in turns: every case once in each round, in the order of <see cref="RoundOrder"/>.</summary>
internal static class Rounds
{
    /// <param name="measure">Measures a case.</param>
    /// <returns>The number of rounds that were completed.</returns>
    /// <exception cref="OperationCanceledException">It was canceled in the first round.</exception>
    internal static Task<int> RunAsync<T>(
        IReadOnlyList<T> cases, int count, Func<T, Task> measure, IProgress<double> progress, CancellationToken cancellationToken)
    {
        int measured = 0;
        return RunAsync(
            cases,
            round => round < count,
            async item =>
            {
                await measure(item);
                progress.Report(++measured / ((double)cases.Count * count));
            },
            cancellationToken);
    }

    /// <summary>Measures rounds as long as a condition holds, which is given the number of completed rounds.</summary>
    /// <inheritdoc cref="RunAsync{T}(IReadOnlyList{T}, int, Func{T, Task}, IProgress{double}, CancellationToken)"/>
    internal static async Task<int> RunAsync<T>(
        IReadOnlyList<T> cases, Func<int, bool> condition, Func<T, Task> measure, CancellationToken cancellationToken)
    {
        int rounds = 0;
        try
        {
            for (; condition(rounds); rounds++)
            {
                foreach (T item in RoundOrder.Of(cases, rounds))
                {
                    // A queue in memory need not look at it.
                    cancellationToken.ThrowIfCancellationRequested();
                    await measure(item);
                }
            }
        }
        catch (OperationCanceledException) when (rounds > 0 && cancellationToken.IsCancellationRequested)
        {
            // The round that was not finished does not count.
        }

        return rounds;
    }
#if NET

    // The JIT compiles again what was called often when nothing was compiled for the first time for 100 ms.
    private static readonly TimeSpan JitPause = TimeSpan.FromMilliseconds(150);

    /// <summary>Runs all cases until the JIT has nothing left to do.</summary>
    /// <param name="maxCycles">How often at most.</param>
    /// <param name="run">Runs a case.</param>
    internal static async Task WarmUpAsync<T>(
        IReadOnlyList<T> cases, int maxCycles, Func<T, Task> run, IProgress<double> progress, CancellationToken cancellationToken)
    {
        var jit = new JitWatch();
        int done = 0;
        for (int cycle = 0; cycle < maxCycles; cycle++)
        {
            foreach (T item in cases)
            {
                await run(item);
                progress.Report(++done / ((double)cases.Count * maxCycles));
            }

            await Task.Delay(JitPause, cancellationToken);
            if (jit.EndCycle())
                break;
        }

        progress.Report(1);
    }
#endif
}
