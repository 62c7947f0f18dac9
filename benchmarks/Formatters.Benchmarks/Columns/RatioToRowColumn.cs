using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using BenchmarkDotNet.Columns;
using BenchmarkDotNet.Reports;
using BenchmarkDotNet.Running;

namespace Formatters.Benchmarks.Columns;

/// <summary>
/// The mean divided by that of the same method with one value of one parameter: BenchmarkDotNet's own baseline is a method or a job, and here the
/// rows are values of a parameter.
/// </summary>
internal sealed class RatioToRowColumn(string parameterName, string baseline) : IColumn
{
    public string Id => nameof(RatioToRowColumn);

    public string ColumnName => "Ratio";

    public bool AlwaysShow => true;

    public ColumnCategory Category => ColumnCategory.Custom;

    public int PriorityInCategory => 0;

    public bool IsNumeric => true;

    public UnitType UnitType => UnitType.Dimensionless;

    public string Legend => $"Mean divided by that of {parameterName} {baseline}";

    public bool IsAvailable(Summary summary) => true;

    public bool IsDefault(Summary summary, BenchmarkCase benchmarkCase) => false;

    public string GetValue(Summary summary, BenchmarkCase benchmarkCase)
    {
        BenchmarkCase? other = FindBaseline(summary.BenchmarksCases, benchmarkCase);
        double? own = summary[benchmarkCase]?.ResultStatistics?.Mean;
        double? divisor = other is null ? null : summary[other]?.ResultStatistics?.Mean;
        return own is null || divisor is null ? "NA" : (own.Value / divisor.Value).ToString("0.000", CultureInfo.InvariantCulture);
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
