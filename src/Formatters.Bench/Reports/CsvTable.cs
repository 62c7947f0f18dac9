using System.Collections;

namespace Formatters.Bench.Reports;

/// <summary>A table of comma-separated values: its columns, each with what a row has in it.</summary>
/// <typeparam name="T">The type of a row.</typeparam>
internal sealed class CsvTable<T> : IEnumerable
{
    private readonly List<(string Name, Func<T, object?> Value)> _columns = [];

    internal void Add(string name, Func<T, object?> value) => _columns.Add((name, value));

    /// <summary>Writes the names of the columns, and the rows.</summary>
    internal void Write(TextWriter output, IEnumerable<T> rows)
    {
        CsvText.WriteLine(output, [.. _columns.Select(static column => column.Name)]);
        foreach (T row in rows)
            CsvText.WriteLine(output, [.. _columns.Select(column => column.Value(row))]);
    }

    IEnumerator IEnumerable.GetEnumerator() => _columns.GetEnumerator();
}
