using System;
using System.Reflection;
using System.Threading;
using System.Threading.Tasks;
using Xunit;

namespace Formatters.Queues.Tests;

/// <summary>The checks on a simulated disk that find a bug of the log, if there is one; without a runner of tests, since they also run on copies of the code with a bug put in.</summary>
public static class QueueChecks
{
    /// <summary>Runs histories with power cuts, then fails flushes, then damages logs.</summary>
    /// <param name="historyCount">At most so many histories.</param>
    /// <returns>The first failure, or null.</returns>
    public static string? FindFailure(int historyCount) =>
        FindInHistories(historyCount, RunHistory) ?? FindInHistories(historyCount, RunCoordinatorHistory) ?? FindInFacts(new FailingDiskTests()) ?? FindInFacts(new LogDamageTests())
        ?? FindInFacts(new LogRecordDamageTests());

    private static void RunHistory(int seed)
    {
        using var history = new PowerCutHistory(seed);
        history.Run();
    }

    private static void RunCoordinatorHistory(int seed)
    {
        using var history = new CoordinatorHistory(seed);
        history.Run();
    }

    private static string? FindInHistories(int count, Action<int> run)
    {
        string? failure = null;
        Histories.ForEach(count, seed =>
        {
            try
            {
                run(seed);
                return true;
            }
            catch (Exception e)
            {
                Interlocked.CompareExchange(ref failure, $"power cuts, seed {seed}: {e.Message}", null);
                return false;
            }
        });
        return failure;
    }

    private static string? FindInFacts(object tests)
    {
        foreach (MethodInfo method in tests.GetType().GetMethods())
        {
            if (method.GetCustomAttribute<FactAttribute>() is null || method.GetParameters().Length > 0)
                continue;
            try
            {
                // On the pool: this thread, which waits, may be the only one of its context.
                Task.Run(async () => await (method.Invoke(tests, null) as Task ?? Task.CompletedTask)).GetAwaiter().GetResult();
            }
            catch (Exception e)
            {
                Exception cause = e is TargetInvocationException { InnerException: { } inner } ? inner : e;
                return $"{method.Name}: {cause.Message}";
            }
        }

        return null;
    }
}
