using BenchmarkDotNet.Attributes;

namespace Formatters.Benchmarks;

/// <summary>The main comparison: the order of the study, 50 line items, ASCII.</summary>
public class OrderBenchmarks : OrderBenchmark
{
    [Params(SampleOrders.DefaultLineItemCount)]
    public override int Items { get; set; }
}

/// <summary>Small and large: no line item, one, five, 500.</summary>
public class OrderSizeBenchmarks : OrderBenchmark
{
    [Params(0, 1, 5, 500)]
    public override int Items { get; set; }
}

/// <summary>Strings of a single character, and on both sides of each step of the short fast paths (below 8, up to 16, above 32); then long
/// ones.</summary>
public class OrderTextLengthBenchmarks : OrderBenchmark
{
    [Params(1, 7, 16, 33, 200)]
    public override int Length { get; set; }
}

/// <summary>Strings that are not ASCII.</summary>
public class OrderTextBenchmarks : OrderBenchmark
{
    [Params(SampleText.Accented, SampleText.Cjk, SampleText.Mixed)]
    public override SampleText Text { get; set; }
}

/// <summary>One order over and over, which flatters the branch predictor, and 64 different ones in turn.</summary>
public class OrderVarietyBenchmarks : OrderBenchmark
{
    [Params(1, 64)]
    public override int Orders { get; set; } = 1;
}
