using Formatters.Bench.Compare;

namespace Formatters.TradeEngine.Measurement;

/// <summary>Judges the study's claims of the cases of a sweep by their rounds.</summary>
internal static class SweepFindings
{
    /// <summary>Judges every claim that the cases can decide; each ratio is of two cases within a round.</summary>
    /// <param name="kind">What differs between the cases.</param>
    /// <param name="points">Of all rounds.</param>
    internal static IReadOnlyList<Finding> Judge(string kind, IReadOnlyList<SweepPoint> points)
    {
        SweepPoint[][] cases = [.. points.GroupBy(point => point.Name).Select(group => group.OrderBy(point => point.Round).ToArray())];
        return kind switch
        {
            "inbound" =>
            [
                .. cases.Skip(1).Select(item => Compare(
                    $"The first CLS comes sooner with {NameOf(item)} than with {NameOf(cases[0])}", cases[0], item, point => point.StartSeconds)),
                .. JudgeRates(cases),
            ],
            "load" => JudgeLoads([.. cases.OrderBy(item => item[0].Load)]),
            "nodes" => JudgeNodes(cases),
            _ => JudgeRates(cases),
        };
    }

    private static Finding[] JudgeLoads(SweepPoint[][] cases) =>
        [.. cases.Skip(1).Select(item => Compare(
            $"A CLS takes longer at {NameOf(item)} than at {NameOf(cases[0])}", item, cases[0], point => point.LatencySeconds))];

    private static Finding[] JudgeNodes(SweepPoint[][] cases)
    {
        SweepPoint[][] oneDatabase = [.. cases.Where(item => item[0].Databases == cases.Min(other => other[0].Databases))];
        SweepPoint[][] mostNodes = [.. cases.Where(item => item[0].Nodes == cases.Max(other => other[0].Nodes))];
        return
        [
            .. oneDatabase.Skip(1).Select(item => Compare(
                $"A node does less with {NameOf(item)} than with {NameOf(oneDatabase[0])}", oneDatabase[0], item, point =>
                    point.MessagesPerSecond / point.Nodes)),
            .. JudgeRates(mostNodes),
        ];
    }

    private static Finding[] JudgeRates(SweepPoint[][] cases) =>
        [.. cases.Skip(1).Select(item => Compare(
            $"More messages a second with {NameOf(item)} than with {NameOf(cases[0])}", item, cases[0], point => point.MessagesPerSecond))];

    private static string NameOf(SweepPoint[] rounds) => rounds[0].Name;

    /// <summary>That a figure is larger in one case than in another.</summary>
    private static Finding Compare(string text, SweepPoint[] larger, SweepPoint[] smaller, Func<SweepPoint, double> of) =>
        Findings.Compare(text, [.. larger.Select(of)], [.. smaller.Select(of)], null);
}
