using System;
using System.Linq;
using System.Reflection;
using System.Threading;
using System.Threading.Tasks;
using Xunit;

namespace Formatters.Queues.Tests;

/// <summary>The checks on a simulated disk that find a bug of the log, if there is one; without a runner of tests, since they also run on copies of the code with a bug put in.</summary>
public static class QueueChecks
{
    /// <summary>What takes longest: every bit and every byte of a log.</summary>
    private static readonly string[] Slow =
    [
        nameof(LogDamageTests.Log_with_any_bit_flipped_is_whole_or_refused),
        nameof(LogDamageTests.Block_torn_at_every_byte_leaves_the_whole_blocks_before),
        nameof(LogDamageTests.Manifest_with_any_bit_flipped_does_not_keep_the_log_shut),
        nameof(LogRecordDamageTests.Log_with_any_bit_flipped_has_every_record_or_is_refused),
        nameof(LogRecordDamageTests.Log_torn_at_every_byte_has_every_record_before_and_none_behind),
    ];

    /// <summary>Runs histories with power cuts, fails flushes, and damages logs; what finds most in the least time comes first.</summary>
    /// <param name="historyCount">At most so many histories.</param>
    /// <returns>The first failure, or null.</returns>
    public static string? FindFailure(int historyCount)
    {
        int few = historyCount / 10;
        return FindInHistories(0, few) ?? FindInFacts(isSlow: false) ?? FindInHistories(few, historyCount - few) ?? FindInFacts(isSlow: true);
    }

    private static string? FindInHistories(int first, int count) => FindInHistories(first, count, RunHistory) ?? FindInHistories(first, count, RunCoordinatorHistory);

    private static string? FindInFacts(bool isSlow) =>
        FindInFacts(new FailingDiskTests(), isSlow) ?? FindInFacts(new LogDamageTests(), isSlow) ?? FindInFacts(new LogRecordDamageTests(), isSlow) ?? FindInFacts(new SnapshotTests(), isSlow);

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

    private static string? FindInHistories(int first, int count, Action<int> run)
    {
        string? failure = null;
        Histories.ForEach(count, number =>
        {
            int seed = first + number;
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

    private static string? FindInFacts(object tests, bool isSlow)
    {
        foreach (MethodInfo method in tests.GetType().GetMethods())
        {
            if (method.GetCustomAttribute<FactAttribute>() is null || method.GetParameters().Length > 0 || Slow.Contains(method.Name) != isSlow)
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
