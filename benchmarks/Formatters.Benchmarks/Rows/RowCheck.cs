using Formatters.Bench.Rows;

namespace Formatters.Benchmarks.Rows;

/// <summary>A row does not do what its name says; it must not be measured.</summary>
internal sealed class RowCheckException(string message, Exception? innerException = null) : Exception(message, innerException);

/// <summary>Proves a row on the very orders it is then measured with.</summary>
internal static class RowCheck
{
    /// <summary>Checks that bytes are right where another row says what is right, and that reading and overwriting give back every order.</summary>
    /// <param name="entry">The row's entry.</param>
    /// <param name="row">The row, prepared with <paramref name="orders"/>.</param>
    /// <param name="baseline">The row of System.IO.BinaryWriter, prepared with the same orders.</param>
    /// <exception cref="RowCheckException">Something is wrong; the message names the row.</exception>
    public static void Check(RowEntry entry, Row row, IReadOnlyList<OrderWithList> orders, Row baseline)
    {
        try
        {
            row.Renew();
            for (int i = 0; i < orders.Count; i++)
            {
                int byteCount = row.Write();
                byte[] written = row.GetWritten();
                // What has a random number in it is never the same.
                bool isSame = entry.RowFormat == RowFormat.RandomEnvelope
                    ? written.Length == row.Bodies[i].Length
                    : written.AsSpan().SequenceEqual(row.Bodies[i]);
                Require(entry, byteCount == written.Length && isSame, "writes the same order differently");
                Require(
                    entry,
                    entry.RowFormat != RowFormat.Binary || written.AsSpan().SequenceEqual(baseline.Bodies[i]),
                    "does not write the bytes of System.IO.BinaryWriter");
            }

            CheckOrders(entry, row, orders, static row => row.Read(), "reads another order than was written");
            if (row.CanOverwrite)
                CheckOverwrite(entry, row, orders);
            row.Renew();
        }
        catch (Exception e) when (e is not RowCheckException)
        {
            throw new RowCheckException($"The row '{entry.Name}' fails: {e.Message}", e);
        }
    }

    private static void CheckOverwrite(RowEntry entry, Row row, IReadOnlyList<OrderWithList> orders)
    {
        object first = row.Overwrite();
        Require(entry, ReferenceEquals(first, row.Overwrite()), "makes a new object instead of overwriting");
        CheckOrders(entry, row, orders, static row => row.Overwrite(), "overwrites with another order than was written");
    }

    private static void CheckOrders(RowEntry entry, Row row, IReadOnlyList<OrderWithList> orders, Func<Row, object> read, string failure)
    {
        row.Renew();
        foreach (OrderWithList order in orders)
            Require(entry, order.ContentEquals(row.ToOrder(read(row))), failure);
    }

    private static void Require(RowEntry entry, bool condition, string failure)
    {
        if (!condition)
            throw new RowCheckException($"The row '{entry.Name}' {failure}.");
    }
}
