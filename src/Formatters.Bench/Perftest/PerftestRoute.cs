namespace Formatters.Bench.Perftest;

/// <summary>One way of doing what is timed.</summary>
/// <param name="Name">As in <see cref="PerftestRow.Route"/>.</param>
/// <param name="Takes">Whether it takes the payload of a name; null means all.</param>
internal sealed record PerftestRoute(string Name, BatchOperation Operation, Func<string, bool>? Takes = null);
