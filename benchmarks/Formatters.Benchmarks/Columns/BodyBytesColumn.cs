using BenchmarkDotNet.Columns;
using BenchmarkDotNet.Reports;
using BenchmarkDotNet.Running;

namespace Formatters.Benchmarks.Columns;

/// <summary>The length of the body, made in this process; the mean over several orders.</summary>
internal sealed class BodyBytesColumn : IColumn
{
    public string Id => nameof(BodyBytesColumn);
    public string ColumnName => "Bytes";
    public bool AlwaysShow => true;
    public ColumnCategory Category => ColumnCategory.Custom;
    public int PriorityInCategory => 1;
    public bool IsNumeric => true;
    public UnitType UnitType => UnitType.Dimensionless;
    public string Legend => "Length of the body in bytes";

    public bool IsAvailable(Summary summary) => true;

    public bool IsDefault(Summary summary, BenchmarkCase benchmarkCase) => false;

    public string GetValue(Summary summary, BenchmarkCase benchmarkCase) =>
        OrderBenchmarkConfig.CreateBenchmark(benchmarkCase).GetMeanByteCount().ToString("N0", CultureInfo.InvariantCulture);

    public string GetValue(Summary summary, BenchmarkCase benchmarkCase, SummaryStyle style) => GetValue(summary, benchmarkCase);
}
