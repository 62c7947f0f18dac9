namespace Formatters.Benchmarks.Ratios;

internal sealed record RatioOptions
{
    /// <summary>The numbers of line items that are measured where none are given.</summary>
    public static IReadOnlyList<int> DefaultLineItemCounts { get; } = [0, 1, 50, 500];

    /// <summary>The numbers of line items; each is a payload.</summary>
    public IReadOnlyList<int> LineItemCounts { get; init; } = DefaultLineItemCounts;

    /// <summary>The lengths of strings; each is a payload of 50 line items, <c>order-50-text-7</c>.</summary>
    public IReadOnlyList<int> TextLengths { get; init; } = [];

    /// <summary>The characters of the strings.</summary>
    public SampleText Text { get; init; } = SampleText.Ascii;

    /// <summary>How many different orders are taken in turn: a power of two.</summary>
    public int OrderCount { get; init; } = 1;

    /// <summary>Gets the length of the segments in which bodies are read, by the rows that read segments; 0 for whole bodies.</summary>
    public int SegmentByteCount { get; init; }

    /// <summary>The rows; the baseline is always measured with them.</summary>
    public IReadOnlyList<RowEntry> Rows { get; init; } = RowCatalog.All;

    /// <summary>About how long the whole takes.</summary>
    public TimeSpan Duration { get; init; } = TimeSpan.FromSeconds(45);

    /// <summary>The payloads, in the order of the tables.</summary>
    public IEnumerable<OrderPayload> Payloads =>
        LineItemCounts.Select(static count => new OrderPayload(count))
            .Concat(TextLengths.Select(static length => new OrderPayload(SampleOrders.DefaultLineItemCount, length)));

    public IReadOnlyList<OrderWithList> CreateOrders(OrderPayload payload) => payload.CreateOrders(OrderCount, Text);
}
