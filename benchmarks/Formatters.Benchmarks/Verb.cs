using System.CommandLine;
using System.CommandLine.Parsing;

namespace Formatters.Benchmarks;

/// <summary>Runs the verbs of this program.</summary>
internal static class Verb
{
    private const int UsageExitCode = 2;

    /// <summary>How long a verb may take to remove its queues after Ctrl-C.</summary>
    private static readonly TimeSpan TerminationTimeout = TimeSpan.FromSeconds(30);

    /// <summary>Parses the arguments after a verb and runs it.</summary>
    /// <param name="args">The arguments after it.</param>
    /// <returns>The exit code of the verb; 2 if the arguments are wrong.</returns>
    internal static int Run(Command command, string[] args, TextWriter output, TextWriter error) => Parse(command, args, error) is { } result
        ? result.Invoke(new InvocationConfiguration { Output = output, Error = error })
        : UsageExitCode;

    /// <inheritdoc cref="Run"/>
    internal static async Task<int> RunAsync(Command command, string[] args, TextWriter output, TextWriter error) =>
        Parse(command, args, error) is { } result
        ? await result.InvokeAsync(new InvocationConfiguration { Output = output, Error = error, ProcessTerminationTimeout = TerminationTimeout })
        : UsageExitCode;

    private static ParseResult? Parse(Command command, string[] args, TextWriter error)
    {
        ParseResult result = new RootCommand("Benchmarks of message formatters.") { command }.Parse([command.Name, .. args]);
        foreach (ParseError parseError in result.Errors)
            error.WriteLine(parseError.Message);
        return result.Errors.Count == 0 ? result : null;
    }
}
