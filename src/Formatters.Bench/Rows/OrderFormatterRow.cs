using Formatters.Orders;

namespace Formatters.Bench.Rows;

/// <summary>One formatter under comparison: the name it has in every table, and the formatter itself over the order of the study.</summary>
/// <param name="Name">The name, as <c>--formatter</c> takes it.</param>
/// <param name="Description">What writes the bytes, in a few words.</param>
/// <param name="Formatter">The formatter. One instance serves all threads.</param>
internal sealed record OrderFormatterRow(string Name, string Description, MessageFormatter<Order> Formatter);
