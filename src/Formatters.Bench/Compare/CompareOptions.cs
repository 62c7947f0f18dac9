using Formatters.Bench.Own;
using Formatters.Orders;

namespace Formatters.Bench.Compare;

/// <summary>The options of <c>compare</c>.</summary>
internal sealed record CompareOptions
{
    /// <summary>The queue between sender and receiver.</summary>
    public string Queue { get; init; } = "memory:compare";

    /// <summary>A type of the user's in place of the orders; null means the orders.</summary>
    public OwnOptions? Own { get; init; }

    /// <summary>Rows of formatters of other libraries, beside the catalogue.</summary>
    public IReadOnlyList<OrderFormatterRow> Libraries { get; init; } = [];

    /// <summary>Gets whether to compare as the study of 2004 does: with BinaryFormatter, over Int32s too, and with its findings.</summary>
    public bool Study { get; init; }

    public int LineItems { get; init; } = SampleOrders.DefaultLineItemCount;

    /// <summary>Gets whether to be content with a coarser result in about 20 seconds.</summary>
    public bool Quick { get; init; }

    /// <summary>Gets how long to measure; null means by <see cref="Quick"/> and the kind of queue.</summary>
    public MeterPlan? Plan { get; init; }

    /// <summary>The formatters; none means all.</summary>
    public IReadOnlyList<string> Formatters { get; init; } = [];

    public DeliveryMode Mode { get; init; }

    /// <summary>Gets whether to delete what is in the queues beforehand; else queues that are not empty are refused.</summary>
    public bool Purge { get; init; }
}
