using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;

namespace Formatters.Tools.CommandLine;

/// <summary>A table in plain characters: the same on a terminal, in a pipe and in a file.</summary>
/// <remarks>Widths are those of the longest cell, or fixed beforehand to print row by row.</remarks>
internal sealed class TextTable
{
    private readonly string[] _headers;
    private readonly int[] _minWidths;
    private readonly bool[] _isFlushLeft;
    private readonly List<string[]> _rows = [];
    private string _gap = "  ";

    /// <summary>Makes an empty table.</summary>
    /// <param name="columns">The headers, and the alignment of each column: its least width in characters, negative for flush left.</param>
    internal TextTable(params (string Header, int Alignment)[] columns)
    {
        _headers = [.. columns.Select(column => column.Header)];
        _minWidths = [.. columns.Select(column => Math.Max(column.Header.Length, Math.Abs(column.Alignment)))];
        _isFlushLeft = [.. columns.Select(column => column.Alignment < 0)];
    }

    /// <summary>Adds a row.</summary>
    /// <param name="cells">As many cells as there are columns.</param>
    internal void Add(params string[] cells)
    {
        if (cells.Length != _headers.Length)
            throw new ArgumentException("One cell for each column.", nameof(cells));
        _rows.Add(cells);
    }

    /// <summary>Prints header and rows; with narrower gaps if they do not fit into a line otherwise.</summary>
    internal void Print(TextWriter output)
    {
        int[] widths = [.. _minWidths.Select((min, column) => _rows.Select(row => row[column].Length).Append(min).Max())];
        _gap = widths.Sum() + (2 * (widths.Length - 1)) > TextWrap.Width ? " " : "  ";
        PrintHeader(output, widths);
        foreach (string[] row in _rows)
            PrintLine(output, row, widths);
    }

    /// <summary>Prints the header alone, at the least widths.</summary>
    internal void PrintHeader(TextWriter output) => PrintHeader(output, _minWidths);

    /// <summary>Prints one row that is not kept, at the least widths; a longer cell moves the rest of its line.</summary>
    internal void PrintRow(TextWriter output, params string[] cells) => PrintLine(output, cells, _minWidths);

    private void PrintHeader(TextWriter output, int[] widths)
    {
        PrintLine(output, _headers, widths);
        PrintLine(output, [.. widths.Select(width => new string('-', width))], widths);
    }

    private void PrintLine(TextWriter output, string[] cells, int[] widths) =>
        output.WriteLine(string.Join(_gap, cells.Select((cell, i) => _isFlushLeft[i] ? cell.PadRight(widths[i]) : cell.PadLeft(widths[i]))).TrimEnd());
}
