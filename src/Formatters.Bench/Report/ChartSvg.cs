using System.Net;
using System.Text;

namespace Formatters.Bench.Report;

/// <summary>Draws a chart as SVG, 360 units wide: readable on a telephone, and larger beside others on a desk.</summary>
internal static class ChartSvg
{
    internal const int Width = 360;

    /// <summary>Stands before the name of a formatter of this library.</summary>
    internal const string OursMark = "\u25c6 ";

    private const int Left = 8;
    private const int Right = Width - 8;
    private const int LineTop = 14;
    private const int LineBottom = 200;
    private const int LineLeft = 52;
    private const int BarHeight = 10;
    private const int LabelWidth = 34;
    private const int MarkRadius = 5;
    private const int LabelGap = 7;

    /// <summary>Returns how high the drawing is.</summary>
    internal static int HeightOf(Chart chart) => chart.Axis is null ? BarTop(chart, chart.Categories.Count) + 32 : LineBottom + 38;

    internal static string Draw(Chart chart, string id)
    {
        var svg = new StringBuilder();
        Append(svg, $"<svg viewBox=\"0 0 {Width} {HeightOf(chart)}\" role=\"img\" aria-labelledby=\"{id}-title\"><title ",
            $"id=\"{id}-title\">{Encode(chart.Title)}</title>");
        var scale = new Scale(chart);
        if (chart.Axis is null)
            DrawBars(svg, chart, scale);
        else
            DrawLines(svg, chart, scale);
        svg.Append("</svg>");
        return svg.ToString();
    }

    private static int RowHeight(Chart chart) => 19 + (chart.Lines.Count(line => !line.IsStudy) * (BarHeight + 2));

    private static int BarTop(Chart chart, int row) => 4 + (row * RowHeight(chart));

    private static void DrawBars(StringBuilder svg, Chart chart, Scale scale)
    {
        int bottom = BarTop(chart, chart.Categories.Count);
        List<ChartLine> studies = [.. chart.Lines.Where(line => line.IsStudy)], bars = [.. chart.Lines.Where(line => !line.IsStudy)];
        foreach (double tick in scale.Ticks)
        {
            double x = scale.Place(tick, Left, Right);
            Append(svg, $"<line class=\"grid\" x1=\"{x:0.#}\" x2=\"{x:0.#}\" y1=\"2\" y2=\"{bottom}\"/>");
            Append(svg, $"<text class=\"tick\" x=\"{Math.Clamp(x, Left, Right):0.#}\" y=\"{bottom + 13}\" ",
                $"text-anchor=\"{(x > Right - 20 ? "end" : x < Left + 20 ? "start" : "middle")}\">{Short(tick)}</text>");
        }

        Append(svg, $"<text class=\"tick\" x=\"{Right}\" y=\"{bottom + 27}\" text-anchor=\"end\">{Encode(chart.Unit)}</text>");
        for (int row = 0; row < chart.Categories.Count; row++)
        {
            int top = BarTop(chart, row);
            bool isOurs = chart.Ours?.Contains(chart.Categories[row]) != false;
            string name = (isOurs && chart.Ours is not null ? OursMark : "") + chart.Categories[row];
            Append(svg, $"<text class=\"label\" x=\"{Left}\" y=\"{top + 12}\">{Encode(name)}</text>");
            // The bars of others are outlines.
            string bodyClass = isOurs ? "c" : "other o";
            int colour = 0;
            double marks = top + 16;
            foreach (ChartLine line in chart.Lines)
            {
                if (line.IsStudy)
                    continue;
                int bar = colour++;
                double y = marks + (bar * (BarHeight + 2));
                if (line.Points[row] is not { } point)
                    continue;
                double end = scale.Place(point.Value, Left, Right);
                if (scale.IsLogarithmic)
                    Append(svg, $"<line class=\"stem s{colour}\" x1=\"{Left}\" x2=\"{end:0.#}\" y1=\"{y + 5:0.#}\" y2=\"{y + 5:0.#}\"/><circle ",
                        $"class=\"{bodyClass}{colour}\" cx=\"{end:0.#}\" cy=\"{y + 5:0.#}\" r=\"4.5\"/>");
                else
                    Append(svg, $"<rect class=\"{bodyClass}{colour}\" x=\"{Left}\" y=\"{y:0.#}\" ",
                        $"width=\"{Math.Max(0.5, end - Left):0.#}\" height=\"{BarHeight}\" rx=\"1.5\"/>");
                Interval(svg, scale.Place(point.Low, Left, Right), scale.Place(point.High, Left, Right), y + 5);
                if (scale.PartOf(point.High) > 1)
                    Append(svg, $"<path class=\"interval\" fill=\"none\" d=\"M{Right - 4} {y + 2:0.#}l4 3l-4 3\"/>");
                if (scale.PartOf(point.Low) < 0)
                    Append(svg, $"<path class=\"interval\" fill=\"none\" d=\"M{Left + 4} {y + 2:0.#}l-4 3l4 3\"/>");
                double[] others = [.. studies.Where(study => BarOf(study) == bar && study.Points[row] is not null)
                    .Select(study => scale.Place(study.Points[row]!.Value, Left, Right))];
                (double place, bool isAfter) = PlaceLabel(Math.Max(end, scale.Place(point.High, Left, Right)) + LabelGap,
                    scale.Place(point.Low, Left, Right) - LabelGap, others);
                // An interval over the whole chart leaves no place beside it: the label lies on it, past a mark that it would cover.
                if (!isAfter && place < Left + LabelWidth)
                {
                    double past = others.Where(mark => mark > end && mark < end + LabelGap + LabelWidth + MarkRadius).Append(end - MarkRadius).Max()
                        + MarkRadius + LabelGap;
                    (place, isAfter) = past < Right - LabelWidth ? (past, true) : (end - LabelGap, false);
                }

                Append(
                    svg,
                    $"<text class=\"value{(isAfter || scale.IsLogarithmic || !isOurs ? "" : " inside")}\" x=\"{place:0.#}\" y=\"{y + 8.6:0.#}\" ",
                        $"text-anchor=\"{(isAfter ? "start" : "end")}\">{Short(point.Value)}</text>");
            }

            foreach (ChartLine line in studies)
            {
                if (line.Points[row] is { } point)
                    Mark(svg, scale.Place(point.Value, Left, Right), marks + (BarOf(line) * (BarHeight + 2)) + 5, NumberOf(chart, line));
            }
        }

        // The study's mark lies on the bar whose name its own ends with.
        int BarOf(ChartLine study) => Math.Max(0, bars.FindIndex(bar => study.Name.EndsWith(bar.Name, StringComparison.Ordinal)));
    }

    /// <summary>Finds the place of a value's label: beside its own bar, and not beside a mark of the study, whose value it would seem to
    /// be.</summary>
    /// <param name="after">Where a label after the bar and its interval begins.</param>
    /// <param name="before">Where a label before the end of the bar ends.</param>
    /// <param name="marks">The marks on the same bar.</param>
    /// <returns>Where it begins, or ends if it is not after the bar.</returns>
    internal static (double Place, bool IsAfter) PlaceLabel(double after, double before, IReadOnlyList<double> marks)
    {
        if (after < Right - LabelWidth && IsFree(after - LabelGap, after + LabelWidth))
            return (after, true);
        if (before > Left + LabelWidth && IsFree(before - LabelWidth, before + LabelGap))
            return (before, false);
        // Past the marks, on the side that has the space.
        double last = marks.Append(after - LabelGap).Max() + MarkRadius + LabelGap;
        return last < Right - LabelWidth ? (last, true) : (marks.Append(before).Min() - MarkRadius - LabelGap, false);

        bool IsFree(double from, double to) => !marks.Any(mark => mark > from - MarkRadius && mark < to + MarkRadius);
    }

    private static void DrawLines(StringBuilder svg, Chart chart, Scale scale)
    {
        foreach (double tick in scale.Ticks)
        {
            double y = scale.Place(tick, LineBottom, LineTop);
            Append(svg, $"<line class=\"grid\" x1=\"{LineLeft}\" x2=\"{Right}\" y1=\"{y:0.#}\" y2=\"{y:0.#}\"/><text class=\"tick\" ",
                $"x=\"{LineLeft - 5}\" y=\"{y + 3.5:0.#}\" text-anchor=\"end\">{Short(tick)}</text>");
        }

        Append(svg, $"<text class=\"tick\" x=\"2\" y=\"{LineTop - 5}\">{Encode(chart.Unit)}</text>");
        double[] places = Places(chart);
        double last = double.NegativeInfinity;
        for (int i = 0; i < places.Length; i++)
        {
            string text = Short(NumberOf(chart.Categories[i]));
            // Half of it lies on either side.
            double half = Math.Max(8, 3.2 * text.Length);
            if (places[i] - half < last)
                continue;
            last = places[i] + half;
            Append(svg, $"<text class=\"tick\" x=\"{places[i]:0.#}\" y=\"{LineBottom + 14}\" text-anchor=\"middle\">{text}</text>");
        }

        Append(svg, $"<text class=\"tick\" x=\"{Right}\" y=\"{LineBottom + 30}\" text-anchor=\"end\">{Encode(chart.Axis!)}</text>");
        int colour = 0;
        foreach (ChartLine line in chart.Lines)
        {
            int number = line.IsStudy ? 0 : ++colour;
            var drawn = line.Points.Select((point, i) => (point, x: places[i])).Where(item => item.point is not null).ToList();
            string path = string.Join(
                ' ', drawn.Select(
                    item => string.Create(CultureInfo.InvariantCulture, $"{item.x:0.#},{scale.Place(item.point!.Value, LineBottom, LineTop):0.#}")));
            if (drawn.Count == 0)
                continue;
            Append(svg, $"<polyline class=\"{(line.IsStudy ? "study" : $"s{number}")}\" fill=\"none\" points=\"{path}\"/>");
            foreach ((ChartPoint? point, double x) in drawn)
            {
                double y = scale.Place(point!.Value, LineBottom, LineTop);
                if (line.IsStudy)
                {
                    Mark(svg, x, y, NumberOf(chart, line));
                    continue;
                }

                if (point.High > point.Low)
                    Append(svg, $"<line class=\"interval\" x1=\"{x:0.#}\" x2=\"{x:0.#}\" y1=\"{scale.Place(point.Low, LineBottom, LineTop):0.#}\" ",
                        $"y2=\"{scale.Place(point.High, LineBottom, LineTop):0.#}\"/>");
                if (scale.PartOf(point.High) > 1)
                    Append(svg, $"<path class=\"interval\" fill=\"none\" d=\"M{x - 3:0.#} {LineTop + 4}l3 -4l3 4\"/>");
                if (scale.PartOf(point.Low) < 0)
                    Append(svg, $"<path class=\"interval\" fill=\"none\" d=\"M{x - 3:0.#} {LineBottom - 4}l3 4l3 -4\"/>");
                // Many points are a line.
                if (drawn.Count <= 30)
                    Append(svg, $"<circle class=\"c{number}\" cx=\"{x:0.#}\" cy=\"{y:0.#}\" r=\"3.5\"/>");
            }
        }
    }

    private static double[] Places(Chart chart)
    {
        double[] numbers = [.. chart.Categories.Select((text, i) => chart.AxisScale switch
        {
            AxisScale.Steps => i,
            AxisScale.Differences => NumberOf(text),
            _ => Math.Log(Math.Max(1e-9, NumberOf(text))),
        })];
        double min = numbers.Min(), max = numbers.Max();
        return [.. numbers.Select(number => LineLeft + 10 + ((Right - LineLeft - 20) * (max > min ? (number - min) / (max - min) : 0.5)))];
    }

    private static double NumberOf(string text) => double.Parse(text, NumberStyles.Number, CultureInfo.InvariantCulture);

    private static void Interval(StringBuilder svg, double from, double to, double y)
    {
        if (to - from > 1)
            Append(svg, $"<line class=\"interval\" x1=\"{from:0.#}\" x2=\"{to:0.#}\" y1=\"{y:0.#}\" y2=\"{y:0.#}\"/>");
    }

    private static void Mark(StringBuilder svg, double x, double y, int study = 0) =>
        Append(svg, study switch
        {
            0 => (FormattableString)$"<path class=\"mark\" d=\"M{x:0.#} {y - 5:0.#}l5 5l-5 5l-5 -5z\"/>",
            1 => $"<rect class=\"mark\" x=\"{x - 4:0.#}\" y=\"{y - 4:0.#}\" width=\"8\" height=\"8\"/>",
            _ => $"<path class=\"mark\" d=\"M{x:0.#} {y - 5:0.#}l5 9l-10 0z\"/>",
        });

    /// <summary>The mark of a study's line in a legend.</summary>
    internal static string MarkOf(Chart chart, ChartLine line)
    {
        var svg = new StringBuilder();
        Mark(svg, 7, 5, NumberOf(chart, line));
        return svg.ToString();
    }

    // Two studies' lines cross: they have marks of their own. On bars the place tells which is which, where each belongs to one.
    private static int NumberOf(Chart chart, ChartLine line)
    {
        List<ChartLine> studies = [.. chart.Lines.Where(other => other.IsStudy)];
        bool isToldByPlace = chart.Axis is null
            && studies.TrueForAll(study => chart.Lines.Any(other => !other.IsStudy && study.Name.EndsWith(other.Name, StringComparison.Ordinal)));
        return isToldByPlace ? 0 : Math.Max(0, studies.IndexOf(line));
    }

    /// <summary>A number with three digits that mean something: 1.23, 45.6k, 2.5M.</summary>
    internal static string Short(double value) => value switch
    {
        0 => "0",
        >= 9_995_000 => (value / 1e6).ToString("0.#", CultureInfo.InvariantCulture) + "M",
        >= 999_500 => (value / 1e6).ToString("0.##", CultureInfo.InvariantCulture) + "M",
        >= 99_950 => (value / 1e3).ToString("0", CultureInfo.InvariantCulture) + "k",
        >= 10_000 => (value / 1e3).ToString("0.#", CultureInfo.InvariantCulture) + "k",
        >= 100 => Numbers.Count((long)Math.Round(value)),
        >= 10 => value.ToString("0.#", CultureInfo.InvariantCulture),
        >= 0.1 => value.ToString("0.##", CultureInfo.InvariantCulture),
        >= 0.001 => value.ToString("0.####", CultureInfo.InvariantCulture),
        _ => value.ToString("0.######", CultureInfo.InvariantCulture),
    };

    private static string Encode(string text) => WebUtility.HtmlEncode(text);

    private static void Append(StringBuilder svg, params FormattableString[] texts)
    {
        foreach (FormattableString text in texts)
            svg.Append(FormattableString.Invariant(text));
    }

    /// <summary>The axis of the values: from zero on, or by powers of ten.</summary>
    private sealed class Scale
    {
        private readonly double _min;
        private readonly double _max;

        internal Scale(Chart chart)
        {
            // An interval that is much wider than its chart ends at the chart's edge, with an arrow; the table has it.
            double top = 1.5 * chart.Lines.SelectMany(line => line.Points).Select(point => point?.Value ?? 0).DefaultIfEmpty().Max();
            double[] values = [.. chart.Lines.SelectMany(line => line.Points).Where(point => point is not null)
                .SelectMany(point => new[] { point!.Value, Math.Min(point.High, Math.Max(top, point.Value)) })];
            IEnumerable<double> lows = chart.Lines.SelectMany(line => line.Points).Where(point => point is { Low: > 0 }).Select(point => point!.Low);
            double most = values.Length > 0 ? Math.Max(values.Max(), 1e-9) : 1;
            IsLogarithmic = chart.IsLogarithmic;
            if (IsLogarithmic)
            {
                _min = Math.Floor(Math.Log10(lows.Concat(values.Where(value => value > 0)).Min()));
                _max = Math.Ceiling(Math.Log10(most));
                int step = Math.Max(1, (int)Math.Ceiling((_max - _min) / 6));
                Ticks = [.. Enumerable.Range(0, (int)((_max - _min) / step) + 1).Select(i => Math.Pow(10, _min + (i * step)))];
                return;
            }

            double unit = Math.Pow(10, Math.Floor(Math.Log10(most)));
            double width = most / unit < 1.5 ? unit / 4 : most / unit < 3 ? unit / 2 : most / unit < 7 ? unit : 2 * unit;
            _max = Math.Ceiling(most / width) * width;
            Ticks = [.. Enumerable.Range(0, (int)Math.Round(_max / width) + 1).Select(i => i * width)];
        }

        internal bool IsLogarithmic { get; }
        internal IReadOnlyList<double> Ticks { get; }

        /// <summary>Returns where a value lies on the axis: from 0 to 1, or beyond its ends.</summary>
        internal double PartOf(double value) =>
            Math.Round(IsLogarithmic ? (Math.Log10(Math.Max(value, 1e-9)) - _min) / (_max - _min) : value / _max, 9);

        internal double Place(double value, double from, double to) => from + (Math.Clamp(PartOf(value), 0, 1) * (to - from));
    }
}
