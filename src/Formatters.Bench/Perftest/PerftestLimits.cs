namespace Formatters.Bench.Perftest;

/// <summary>The limits of values from the command line and from the other end.</summary>
internal static class PerftestLimits
{
    /// <summary>The most line items of an order.</summary>
    internal const int MaxLineItems = 10_000;
}
