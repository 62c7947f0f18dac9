namespace Formatters.Benchmarks;

/// <summary>The size of an order.</summary>
/// <param name="TextLength">The number of characters of every string; 0 leaves them as they are, 8 to 24.</param>
internal sealed record OrderPayload(int LineItemCount, int TextLength = 0)
{
    /// <summary>The name in the tables: <c>order-50</c>, <c>order-50-text-7</c>.</summary>
    public string Name => TextLength == 0
        ? string.Create(CultureInfo.InvariantCulture, $"order-{LineItemCount}")
        : string.Create(CultureInfo.InvariantCulture, $"order-{LineItemCount}-text-{TextLength}");

    /// <summary>Makes orders of this size, each another.</summary>
    public IReadOnlyList<OrderWithList> CreateOrders(int orderCount, SampleText text) =>
        Enumerable.Range(1, orderCount).Select(seed =>
        {
            OrderWithList order = SampleOrders.CreateWithList(seed, LineItemCount, text);
            return TextLength == 0 ? order : Benchmarks.TextLength.Set(order, TextLength);
        }).ToArray();
}
