namespace Formatters.Bench.Report;

/// <summary>The content of a chart; <see cref="ChartSvg"/> draws it.</summary>
/// <param name="Title">What it is about.</param>
/// <param name="Caption">How to read it.</param>
/// <param name="Unit">Of the values.</param>
/// <param name="Categories">What stands at each row of a bar chart; of a line chart, the numbers on its horizontal axis.</param>
/// <param name="Lines">The bars of each category, or the lines.</param>
/// <param name="Axis">What the horizontal axis of a line chart counts; null makes it a bar chart.</param>
internal sealed record Chart(string Title, string Caption, string Unit, IReadOnlyList<string> Categories, IReadOnlyList<ChartLine> Lines,
    string? Axis = null)
{
    /// <summary>Gets how the numbers of a line chart's horizontal axis lie.</summary>
    internal AxisScale AxisScale { get; init; }

    /// <summary>The categories that are formatters of this library; null where categories are something else.</summary>
    internal IReadOnlyCollection<string>? Ours { get; init; }

    /// <summary>The chart of a figure that a result file has.</summary>
    internal static Chart Of(Figure figure) => new(
        figure.Title, figure.Caption, figure.Unit, figure.Categories,
        [.. figure.Lines.Select(line => new ChartLine(line.Name, [.. line.Values.Select((_, i) => PointOf(line, i))], line.IsStudy))],
        figure.Axis)
    {
        AxisScale = AxisScale.Differences,
    };

    private static ChartPoint? PointOf(FigureLine line, int i) =>
        line.Values[i] is { } value ? new ChartPoint(value, line.Low?[i] ?? value, line.High?[i] ?? value) : null;

    /// <summary>Gets whether the values are too far apart for a scale that begins at zero. A zero has no place on any other.</summary>
    internal bool IsLogarithmic
    {
        get
        {
            double[] values = [.. Lines.SelectMany(line => line.Points).OfType<ChartPoint>().Select(point => point.Value)];
            return values.Length > 0 && values.Min() > 0 && values.Max() > 60 * values.Min();
        }
    }
}

/// <summary>The scale of a horizontal axis.</summary>
internal enum AxisScale
{
    /// <summary>By factors: numbers of senders, sizes.</summary>
    Factors,

    /// <summary>By differences: time.</summary>
    Differences,

    /// <summary>Side by side, whatever they are: a zero among factors.</summary>
    Steps,
}

/// <summary>One line, or the bars of one colour.</summary>
/// <param name="Points">A value for each category; null where there is none.</param>
/// <param name="IsStudy">Whether these are the figures of a study, which are drawn as marks.</param>
internal sealed record ChartLine(string Name, IReadOnlyList<ChartPoint?> Points, bool IsStudy = false);

/// <summary>A value with the interval in which its true one lies.</summary>
/// <param name="Value">The median of the rounds.</param>
/// <param name="Low">The lower end.</param>
/// <param name="High">The upper end.</param>
internal sealed record ChartPoint(double Value, double Low, double High)
{
    /// <summary>The median of rounds; its interval is that of a <see cref="RateRatio"/>.</summary>
    internal static ChartPoint? Of(IReadOnlyList<double> rounds) =>
        RateRatio.Paired(rounds, rounds.Select(static _ => 1d)) is { } ratio ? new ChartPoint(ratio.Value, ratio.Low, ratio.High) : null;

    internal static ChartPoint Of(double value) => new(value, value, value);
}
