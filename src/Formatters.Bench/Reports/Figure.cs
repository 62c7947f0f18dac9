namespace Formatters.Bench.Reports;

/// <summary>A figure of a study, measured here: <c>report</c> draws it beside the series of its file.</summary>
/// <param name="Title">What it is about, with the study's number.</param>
/// <param name="Caption">How to read it.</param>
/// <param name="Unit">Of the values.</param>
/// <param name="Axis">What the horizontal axis counts; null: the categories are names, and the figure has bars.</param>
/// <param name="Categories">The names, or the numbers on the axis in ascending order.</param>
/// <param name="Lines">The lines, or the bars of each category.</param>
internal sealed record Figure(string Title, string Caption, string Unit, string? Axis, IReadOnlyList<string> Categories,
    IReadOnlyList<FigureLine> Lines);

/// <summary>A line of a figure, or the bars of one colour.</summary>
/// <param name="Values">A value for each category; null where there is none.</param>
/// <param name="IsStudy">Whether these are points of the study.</param>
internal sealed record FigureLine(string Name, IReadOnlyList<double?> Values, bool IsStudy = false)
{
    /// <summary>The lower ends of the values' intervals; null where there are none.</summary>
    public IReadOnlyList<double?>? Low { get; init; }

    /// <summary>The upper ends, likewise.</summary>
    public IReadOnlyList<double?>? High { get; init; }
}
