using System;
using System.Globalization;

namespace Formatters.TestSupport;

/// <summary>How much the tests try: the counts of random values, histories and kills of each scale. Each count can also be set by itself.</summary>
/// <remarks>
/// <c>FORMATTERS_TESTS</c> is <c>quick</c> (the inner loop), <c>normal</c> (the default: the counts of quick, and every kind of test), <c>full</c> (CI and <c>./build.sh</c>) or <c>long</c>
/// (overnight). Seeds are the same in each run, so that a failure comes again; <c>FORMATTERS_SEED</c> sets another, as <c>./build.sh long</c> does.
/// </remarks>
internal static class TestScale
{
    private static readonly string Name = Environment.GetEnvironmentVariable("FORMATTERS_TESTS") is { Length: > 0 } name ? name : "normal";

    /// <summary>Whether tests that kill programs, wait for a server or run on Mono are skipped.</summary>
    internal static bool IsQuick { get; } = Name switch
    {
        "quick" => true,
        "normal" or "full" or "long" => false,
        _ => throw new InvalidOperationException($"FORMATTERS_TESTS is '{Name}': quick, normal, full or long."),
    };

#if NETFRAMEWORK
    private const int FullPercent = 1;
#elif FORMATTERS_NETSTANDARD
    private const int FullPercent = 3;
#else
    private const int FullPercent = 10;
#endif

    internal static bool IsLong { get; } = Name == "long";

    /// <summary>Whether this is a run with the counts of CI.</summary>
    internal static bool IsFull { get; } = Name == "full";

    /// <summary>Whether what a test needs and this machine lacks is a failure, and not a reason to skip it.</summary>
    internal static bool IsComplete { get; } = Environment.GetEnvironmentVariable("CI") == "true" && !IsQuick;

    /// <summary>Where random values begin: <c>FORMATTERS_SEED</c>, or the one given.</summary>
    internal static int Seed(int otherwise) => Number("FORMATTERS_SEED") ?? otherwise;

    /// <summary>How many there are of something.</summary>
    /// <param name="variable">The environment variable that sets it.</param>
    /// <param name="full">How many in CI.</param>
    /// <param name="quick">How many in a quick run, and by default.</param>
    /// <param name="night">How many in a long run.</param>
    internal static int Count(string variable, int full, int quick, int night) => Number(variable) ?? (IsLong ? night : IsFull ? full : quick);

    /// <summary>How many random values of a payload: FORMATTERS_TEST_PERCENT of the usual number, a third of it over the netstandard2.0 build, a tenth on Mono, which is slow.</summary>
    internal static int Values(int usual) => Math.Max(1, (int)((long)usual * Count("FORMATTERS_TEST_PERCENT", FullPercent, quick: FullPercent, night: 100 * FullPercent) / 100));

    internal static int? Number(string variable) =>
        int.TryParse(Environment.GetEnvironmentVariable(variable), NumberStyles.None, CultureInfo.InvariantCulture, out int number) ? number : null;

    /// <summary>Why a test is left out that needs something this machine lacks, or that takes long; null if it runs.</summary>
    /// <param name="missing">What is missing and how to get it, or null if all is there.</param>
    /// <remarks>In CI nothing is left out for something that is missing: the test runs, and fails.</remarks>
    internal static string? SkipReason(Func<string?> missing) =>
        IsQuick ? "Left out of quick runs (FORMATTERS_TESTS=quick)." : IsComplete ? null : missing();

    /// <summary>The same for a server whose address is in an environment variable.</summary>
    internal static string? SkipReason(string variable, string hint) => SkipReason(() => Environment.GetEnvironmentVariable(variable) is null or "" ? hint : null);
}
