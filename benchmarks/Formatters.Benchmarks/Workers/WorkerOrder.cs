using System.Collections.Generic;
using System.Linq;

namespace Formatters.Benchmarks.Workers;

/// <summary>The order that the workers handle, which every product writes as JSON with System.Text.Json.</summary>
/// <param name="Id">Its number.</param>
/// <param name="Customer">Who ordered.</param>
/// <param name="Lines">What was ordered.</param>
public sealed record WorkerOrder(int Id, string Customer, IReadOnlyList<WorkerOrderLine> Lines)
{
    internal static WorkerOrder Create(int id) => new(
        id, "Ada Lovelace", [.. Enumerable.Range(1, 5).Select(static i => new WorkerOrderLine($"article {i}", i * 100, i * 1.25))]);
}

/// <summary>A line of an order.</summary>
/// <param name="Article">The article.</param>
/// <param name="Quantity">How many.</param>
/// <param name="Price">The price of one.</param>
public sealed record WorkerOrderLine(string Article, int Quantity, double Price);
