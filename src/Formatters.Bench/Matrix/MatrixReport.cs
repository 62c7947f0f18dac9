using Formatters.Bench.Compare;

namespace Formatters.Bench.Matrix;

/// <summary>The report of <c>matrix</c>.</summary>
/// <param name="LineItems">The line items of each order.</param>
/// <param name="Cells">One for each queue and delivery mode, in that order.</param>
internal sealed record MatrixReport(RunInfo Run, int LineItems, IReadOnlyList<MatrixCell> Cells) : IMeasuredReport
{
    public string Verb => "matrix";

    public IReadOnlyList<Series> Series =>
        [.. Cells.SelectMany(static cell => cell.Rows.SelectMany(row => row.ToSeries($"{cell.Queue.Product}/{cell.Queue.DeliveryMode}")))];
}

/// <summary>One queue in one delivery mode.</summary>
/// <param name="IsOffered">Whether the queue has the mode; there are no rows if not.</param>
/// <param name="BatchCount">The messages of one batch: sent, then received.</param>
/// <param name="Messages">How many messages were sent, received and checked in the rounds: none was lost, doubled or changed, or there would be no
/// report.</param>
/// <param name="Rows">The formatters.</param>
internal sealed record MatrixCell(QueueInfo Queue, bool IsOffered, int BatchCount, long Messages, IReadOnlyList<CompareRow> Rows);
