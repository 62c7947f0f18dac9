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
        // BenchmarkDotNet builds all projects behind this one anew; its two minutes are too few on a busy machine.
        WithBuildTimeout(TimeSpan.FromMinutes(15));
        AddColumn(new RatioToRowColumn(nameof(QueueBenchmarks.Formatter), OrderFormatterRows.Legacy),
            new RatioToRowColumn(nameof(QueueBenchmarks.Formatter), OrderFormatterRows.Legacy, showsInterval: true));
        WithSummaryStyle(SummaryStyle.Default.WithMaxParameterColumnWidth(40));
    }
}
