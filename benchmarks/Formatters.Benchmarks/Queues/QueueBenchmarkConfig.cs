using BenchmarkDotNet.Configs;
using BenchmarkDotNet.Diagnosers;
using BenchmarkDotNet.Reports;
using Formatters.Bench.Rows;
using Formatters.Benchmarks.Columns;

namespace Formatters.Benchmarks;

/// <summary>Allocations, and the ratio to the row that the tool divides by too.</summary>
internal sealed class QueueBenchmarkConfig : ManualConfig
{
    public QueueBenchmarkConfig()
    {
        AddDiagnoser(MemoryDiagnoser.Default);
        AddColumn(new RatioToRowColumn(nameof(QueueBenchmarks.Formatter), OrderFormatterRows.Legacy));
        WithSummaryStyle(SummaryStyle.Default.WithMaxParameterColumnWidth(40));
    }
}
