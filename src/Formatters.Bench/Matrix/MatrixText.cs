using Formatters.Bench.Compare;

namespace Formatters.Bench.Matrix;

/// <summary>Prints the outcome of <c>matrix</c>, within 80 columns.</summary>
internal static class MatrixText
{
    internal static void Print(TextWriter output, MatrixReport report)
    {
        output.WriteLine($"Orders with {Numbers.Count(report.LineItems)} line items, every formatter over every queue in every mode");
        foreach (MatrixCell cell in report.Cells)
        {
            output.WriteLine();
            if (!cell.IsOffered)
            {
                output.WriteLine($"{cell.Queue.DeliveryMode}: not offered by {cell.Queue.Product}");
                continue;
            }

            TextWrap.Print(output, "", $"{cell.Queue.Product}, {cell.Queue.DeliveryMode}: {cell.Queue.Durability}");
            output.WriteLine();
            CompareText.PrintRates(output, cell.Rows);
            TextWrap.Print(
                output,
                "  ",
                $"{Numbers.Count(cell.Messages, "message")} in {Numbers.Count(cell.Rows[0].SendRounds.Count, "round")}, batches of "
                    + $"{Numbers.Count(cell.BatchCount)}: none lost, doubled or changed.");
        }

        RunText.PrintMeasured(
            output,
            report.Run,
            null,
            "Interleaved rounds of all formatters; a batch is sent, counted in the queue, received, read and checked; medians. Ratios are to the row "
                + "BinaryFormatter in the same round, the median over the "
            + "rounds; " + RatioText.IntervalLegend(report.Cells.SelectMany(static cell => cell.Rows).Min(static row => (int?)row.SendRounds.Count))
            + ". bytes is the size of a body.");
    }
}
