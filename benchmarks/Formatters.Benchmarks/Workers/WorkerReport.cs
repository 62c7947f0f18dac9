using Formatters.Benchmarks.Ratios;

namespace Formatters.Benchmarks.Workers;

/// <param name="Results">By broker, then product.</param>
/// <param name="RoundCount">How many rounds each product had.</param>
/// <param name="OrderCount">How many orders were sent and handled in a round.</param>
internal sealed record WorkerReport(IReadOnlyList<WorkerResult> Results, int RoundCount, int OrderCount)
{
    /// <summary>Returns the figures of Formatters.Hosting divided by those of another product on the same broker: orders sent a second, handled a
    /// second, and the median latency.</summary>
    /// <param name="name">The <see cref="WorkerResult.Name"/> of the other.</param>
    internal IReadOnlyList<RatioRange> RatiosOf(string name)
    {
        WorkerResult other = Results.First(result => result.Name == name);
        WorkerResult own = Results.First(result => result.Product == WorkerResult.Baseline && result.Broker == other.Broker);
        return [Ratio(static f => f.SentPerSecond), Ratio(static f => f.HandledPerSecond), Ratio(static f => f.MedianLatency)];

        RatioRange Ratio(Func<WorkerFigures, double> select) => RatioRange.Of([.. own.Rounds.Select(select)], [.. other.Rounds.Select(select)]);
    }
}

/// <summary>The rounds of a product on a broker.</summary>
internal sealed record WorkerResult(string Broker, string Product, IReadOnlyList<WorkerFigures> Rounds)
{
    /// <summary>The product whose figures are divided by those of the others.</summary>
    internal const string Baseline = "Formatters.Hosting";

    /// <summary>Gets both, as <c>MassTransit, RabbitMQ</c>.</summary>
    internal string Name => $"{Product}, {Broker}";
}
