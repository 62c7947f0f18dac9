using Formatters.Bench.Own;
using Formatters.Bench.Peers;
using Formatters.Orders;
using Formatters.Tools.Migrate;

namespace Formatters.Bench.Rows;

/// <summary>Rows of the study's order by formatters in assemblies that the user names.</summary>
internal static class LibraryOrderRows
{
    /// <summary>Makes the rows of assemblies.</summary>
    /// <exception cref="UsageException">An assembly cannot be loaded or has no formatter, one does not take the order, or two rows have one
    /// name.</exception>
    internal static IReadOnlyList<OrderFormatterRow> Create(IReadOnlyList<FileInfo> files)
    {
        if (files.Count == 0)
            return [];
        var rows = new List<OrderFormatterRow>();
        foreach (FileInfo file in files)
        {
            int before = rows.Count;
            foreach (OwnFormatter<PeerOrder> formatter in OwnFormatters<PeerOrder>.OfLibraries(new UserAssemblies([file])))
                rows.Add(CreateRow(formatter));
            if (rows.Count == before)
                throw new UsageException($"'{file.FullName}' has no public class NameFormatter<T> that derives from MessageFormatter<T>. A "
                    + $"type of your own also needs --type NAME.");
        }

        foreach (OrderFormatterRow row in rows)
        {
            if (OrderFormatterRows.Create().Concat(rows).Count(other => other.Name.Equals(row.Name, StringComparison.OrdinalIgnoreCase)) > 1)
                throw new UsageException($"There are two formatters '{row.Name}': {row.Description} is one of them.");
        }

        return rows;
    }

    /// <exception cref="UsageException">The formatter does not take the order, or changes it.</exception>
    internal static ConvertedOrderRow<PeerOrder> CreateRow(OwnFormatter<PeerOrder> formatter)
    {
        Order sample = SampleOrders.Create();
        try
        {
            var row = new ConvertedOrderRow<PeerOrder>(
                formatter.Name, formatter.Description, formatter.Create(), PeerOrder.From, static order =>
                    order.ToOrder(), static order => order.Date.Ticks);
            if (row.Formatter.Read(row.Formatter.Write(sample)).ContentEquals(sample))
                return row;
        }
        catch (Exception e) when (e is not OutOfMemoryException)
        {
            throw new UsageException($"{formatter.Description} does not support the study's order: {OwnReasons.Of(e)}");
        }

        throw new UsageException($"{formatter.Description} changes the study's order.");
    }
}
