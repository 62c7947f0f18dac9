using System.Text.RegularExpressions;

namespace Formatters.Benchmarks.Tables;

/// <summary>A Markdown table: the columns that a command writes, and the rows by their labels.</summary>
/// <param name="Header">The names of the columns.</param>
/// <param name="Labels">The first cell of each row, or the first cells with <c> | </c> between them.</param>
internal sealed partial record MarkedTable(IReadOnlyList<string> Header, IReadOnlyList<string> Labels)
{
    /// <summary>Prints the table with the cells of each row, the label not among them.</summary>
    public IEnumerable<string> Print(Func<string, IReadOnlyList<string>> cells)
    {
        yield return Line(Header);
        yield return "|" + string.Concat(Enumerable.Repeat("---|", Header.Count));
        foreach (string label in Labels)
            yield return Line([label, .. cells(label)]);
    }

    /// <summary>Compares lines with what <see cref="Print"/> prints, whatever the figures are.</summary>
    /// <exception cref="TableException">Another column or row, or a cell that is no figure.</exception>
    public void Check(IReadOnlyList<string> lines)
    {
        if (lines.Count < 2 || lines[0] != Line(Header))
            throw new TableException($"its columns are '{(lines.Count == 0 ? "" : lines[0])}', and the command writes '{Line(Header)}'");
        string[][] rows = [.. lines.Skip(2).Select(Cells)];
        int labelCount = Cells(Labels[0]).Length;
        string[] labels = [.. rows.Select(row => string.Join(" | ", row.Take(labelCount)))];
        if (!labels.SequenceEqual(Labels))
            throw new TableException($"its rows are {string.Join(", ", labels)}, and the command writes {string.Join(", ", Labels)}");
        foreach (string[] row in rows)
        {
            if (row.Length != Header.Count || !row.Skip(labelCount).All(static cell => Figure().IsMatch(cell)))
                throw new TableException($"its row '{Line(row)}' has a cell that is not a figure, or has too many or too few cells");
        }
    }

    private static string[] Cells(string line) => [.. line.Trim().Trim('|').Split('|').Select(static cell => cell.Trim())];

    private static string Line(IEnumerable<string> cells) => "| " + string.Join(" | ", cells) + " |";

    /// <summary>Matches nothing, a number such as <c>4,096</c> or <c>1.8x</c>, or a median with its range: <c>1.15 (0.40 to 1.48)</c>.</summary>
    [GeneratedRegex(@"^(\d+(,\d{3})*(\.\d+)?x?( \(\d+(\.\d+)? to \d+(\.\d+)?\))?)?$")]
    private static partial Regex Figure();
}
