using System.Text.RegularExpressions;

namespace Formatters.Benchmarks.Tables;

/// <summary>When and where a run of <c>tables</c> measured.</summary>
/// <param name="Date">The day, yyyy-MM-dd.</param>
/// <param name="Commit">The commit, with <c>+changes</c> if the work tree differed; null if there is no repository.</param>
/// <param name="LoadAverage">The load average of a minute, before the run began; null if the system does not report it.</param>
/// <param name="IsBusy">Whether other work took the processors when the run began.</param>
internal sealed partial record RunFacts(string Date, string? Commit, double? LoadAverage, bool IsBusy)
{
    private const string Unknown = "unknown";

    /// <summary>Prints the line below a table.</summary>
    /// <param name="command">The command that prints the same figures.</param>
    /// <param name="facts">The machine, the rounds, the versions.</param>
    internal string Print(string command, string facts) => $"Measured {Date} at commit {Commit ?? Unknown} by `{command}`"
        + $"{(IsBusy ? ", on a busy machine" : "")}, load average {LoadAverage?.ToString("0.00", CultureInfo.InvariantCulture) ?? Unknown}: {facts}.";

    /// <summary>Reads the command from such a line; null if the line is another.</summary>
    internal static string? CommandOf(string line) => Line().Match(line) is { Success: true } match ? match.Groups[1].Value : null;

    /// <summary>Returns such a line, for an error.</summary>
    internal static string Example(string command) =>
        $"Measured yyyy-MM-dd at commit 0123abcd by `{command}`, load average 0.00: machine; rounds, versions.";

    [GeneratedRegex(
        @"^Measured \d{4}-\d\d-\d\d at commit (?:[0-9a-f]{7,40}(?:\+changes)?|unknown) by `([\w. -]+)`(?:, on a busy machine)?, load average "
        + @"(?:\d+\.\d\d|unknown): .+\.$")]
    private static partial Regex Line();
}
