using BenchmarkDotNet.Configs;
using BenchmarkDotNet.Diagnosers;
using BenchmarkDotNet.Filters;
using BenchmarkDotNet.Reports;
using BenchmarkDotNet.Running;
using Formatters.Benchmarks.Columns;

namespace Formatters.Benchmarks;

/// <summary>Allocations, the length of the body and the ratio to the baseline row; no overwrite of rows that cannot.</summary>
internal sealed class OrderBenchmarkConfig : ManualConfig
{
    public OrderBenchmarkConfig()
    {
        AddDiagnoser(MemoryDiagnoser.Default);
        // BenchmarkDotNet builds all projects behind this one anew; its two minutes are too few on a busy machine.
        WithBuildTimeout(TimeSpan.FromMinutes(15));
        WithSummaryStyle(SummaryStyle.Default.WithMaxParameterColumnWidth(40));
        AddColumn(new RatioToRowColumn(nameof(OrderBenchmark.Row), RowCatalog.Baseline),
            new RatioToRowColumn(nameof(OrderBenchmark.Row), RowCatalog.Baseline, showsInterval: true), new BodyBytesColumn());
        AddFilter(new SimpleFilter(IsOffered));
    }

    /// <summary>Makes the object of a benchmark case in this process, with its parameters set.</summary>
    public static OrderBenchmark CreateBenchmark(BenchmarkCase benchmarkCase)
    {
        var benchmark = (OrderBenchmark)Activator.CreateInstance(benchmarkCase.Descriptor.Type)!;
        foreach (var parameter in benchmarkCase.Parameters.Items)
            benchmarkCase.Descriptor.Type.GetProperty(parameter.Name)!.SetValue(benchmark, parameter.Value);
        return benchmark;
    }

    private static bool IsOffered(BenchmarkCase benchmarkCase) =>
        benchmarkCase.Descriptor.WorkloadMethod.Name != nameof(OrderBenchmark.Overwrite)
        || RowCatalog.Find((string)benchmarkCase.Parameters[nameof(OrderBenchmark.Row)])!.Create().CanOverwrite;
}
