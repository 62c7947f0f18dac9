namespace Formatters.Benchmarks.Workers;

/// <summary>The order that the workers handle, which every product writes as JSON with System.Text.Json.</summary>
public sealed record WorkerOrder(int Id, string Customer, IReadOnlyList<WorkerOrderLine> Lines)
{
    internal static WorkerOrder Create(int id) => new(
        id, "Ada Lovelace", [.. Enumerable.Range(1, 5).Select(static i => new WorkerOrderLine($"article {i}", i * 100, i * 1.25))]);
}

public sealed record WorkerOrderLine(string Article, int Quantity, double Price);
