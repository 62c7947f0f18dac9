using BenchmarkDotNet.Columns;
using BenchmarkDotNet.Reports;
using BenchmarkDotNet.Running;
using Formatters.Bench.Reports;

namespace Formatters.Benchmarks.Columns;

/// <summary>
/// How many times as fast a case is as that of the same method with one value of one parameter: BenchmarkDotNet's own baseline is a method or a job,
/// and here the rows are values of a parameter. The ratio is that of <c>formatters-bench</c>.
/// </summary>
/// <param name="baseline">Its value in the baseline.</param>
/// <param name="showsInterval">Whether the column has the interval, from low to high, instead of the ratio.</param>
internal sealed class RatioToRowColumn(string parameterName, string baseline, bool showsInterval = false) : IColumn
{
    public string Id => nameof(RatioToRowColumn) + ColumnName;
    public string ColumnName => showsInterval ? "Interval" : "Times as fast";
    public bool AlwaysShow => true;
    public ColumnCategory Category => ColumnCategory.Custom;
    public int PriorityInCategory => 0;
    public bool IsNumeric => true;
    public UnitType UnitType => UnitType.Dimensionless;

    public string Legend => showsInterval
        ? "The interval of that ratio, from low to high (rank-sum test, 95 %): of the iterations of this run; another run can lie outside of it"
        : $"Operations per second by those of {parameterName} {baseline}: the median of the ratios of all pairs of iterations";

    public bool IsAvailable(Summary summary) => true;

    public bool IsDefault(Summary summary, BenchmarkCase benchmarkCase) => false;

    public string GetValue(Summary summary, BenchmarkCase benchmarkCase)
    {
        BenchmarkCase? other = FindBaseline(summary.BenchmarksCases, benchmarkCase);
        IReadOnlyList<double>? own = summary[benchmarkCase]?.ResultStatistics?.OriginalValues;
        IReadOnlyList<double>? divisor = other is null ? null : summary[other]?.ResultStatistics?.OriginalValues;
        // Iterations are measured in times: the rates are one by these.
        RateRatio? ratio = own is null || divisor is null ? null : RateRatio.Unpaired(divisor, own);
        return ratio is null ? "NA" : showsInterval ? RatioText.Interval(ratio) : Numbers.Ratio(ratio.Value);
    }

    public string GetValue(Summary summary, BenchmarkCase benchmarkCase, SummaryStyle style) => GetValue(summary, benchmarkCase);

    /// <summary>Finds the case by which another is divided.</summary>
    /// <returns>Null if it is not among the cases.</returns>
    internal BenchmarkCase? FindBaseline(IEnumerable<BenchmarkCase> cases, BenchmarkCase benchmarkCase) =>
        cases.FirstOrDefault(candidate => IsBaselineOf(candidate, benchmarkCase));

    // Jobs by their text: a benchmark with a set-up per iteration gets a job object of its own.
    private bool IsBaselineOf(BenchmarkCase candidate, BenchmarkCase benchmarkCase) =>
        candidate.Descriptor.WorkloadMethod == benchmarkCase.Descriptor.WorkloadMethod
        && candidate.Job.DisplayInfo == benchmarkCase.Job.DisplayInfo
        && candidate.Parameters.Items.All(parameter =>
            Equals(parameter.Value, parameter.Name == parameterName ? baseline : benchmarkCase.Parameters[parameter.Name]));
}
