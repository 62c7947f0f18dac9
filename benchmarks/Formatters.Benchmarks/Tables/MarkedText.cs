namespace Formatters.Benchmarks.Tables;

/// <summary>The tables that a command writes into a page: between <c>&lt;!-- table: NAME --&gt;</c> and <c>&lt;!-- end --&gt;</c>, each alone on its
/// line.</summary>
internal static class MarkedText
{
    private const string Start = "<!-- table: ";
    private const string StartEnd = " -->";
    private const string End = "<!-- end -->";

    /// <summary>The lines of each part, by its name.</summary>
    /// <exception cref="TableException">A mark without its partner, or a name twice.</exception>
    public static IReadOnlyDictionary<string, IReadOnlyList<string>> Read(string text)
    {
        var parts = new Dictionary<string, IReadOnlyList<string>>(StringComparer.Ordinal);
        foreach ((string name, int first, int end) in Find(text.Split('\n')))
            parts.Add(name, text.Split('\n')[first..end]);
        return parts;
    }

    /// <summary>Puts other lines into a part.</summary>
    /// <param name="name">The name of the part.</param>
    /// <param name="lines">The new lines.</param>
    /// <returns>The page; nothing else of it has changed.</returns>
    /// <exception cref="TableException">There is no such part, or a mark without its partner.</exception>
    public static string Replace(string text, string name, IReadOnlyList<string> lines)
    {
        string[] all = text.Split('\n');
        foreach ((string found, int first, int end) in Find(all))
        {
            if (found == name)
                return string.Join('\n', [.. all[..first], .. lines, .. all[end..]]);
        }

        throw new TableException($"there is no '{Start}{name}{StartEnd}'");
    }

    private static List<(string Name, int First, int End)> Find(string[] lines)
    {
        var parts = new List<(string Name, int First, int End)>();
        string? open = null;
        int first = 0;
        for (int i = 0; i < lines.Length; i++)
        {
            string line = lines[i].Trim();
            if (line.StartsWith(Start, StringComparison.Ordinal) && line.EndsWith(StartEnd, StringComparison.Ordinal))
            {
                if (open is not null)
                    throw new TableException($"line {i + 1}: '{Start}{open}{StartEnd}' has no '{End}' before the next table");
                open = line[Start.Length..^StartEnd.Length];
                first = i + 1;
                if (parts.Any(part => part.Name == open))
                    throw new TableException($"line {i + 1}: the table '{open}' appears twice");
            }
            else if (line == End)
            {
                parts.Add((open ?? throw new TableException($"line {i + 1}: '{End}' has no table before it"), first, i));
                open = null;
            }
        }

        return open is null ? parts : throw new TableException($"'{Start}{open}{StartEnd}' has no '{End}'");
    }
}

/// <summary>A marked table is wrong.</summary>
internal sealed class TableException(string message, Exception? cause = null) : Exception(message, cause);
