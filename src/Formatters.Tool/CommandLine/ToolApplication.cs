using System;
using System.Collections.Generic;
using System.CommandLine;
using System.CommandLine.Help;
using System.CommandLine.Invocation;
using System.CommandLine.Parsing;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using Formatters.Queues;

namespace Formatters.Tools.CommandLine;

/// <summary>A command-line tool: its name, its commands and their help.</summary>
/// <param name="Name">The command that starts it.</param>
/// <param name="Version">The version of its package.</param>
/// <param name="Description">What it is for, in a sentence.</param>
internal sealed record ToolDefinition(string Name, string Version, string Description)
{
    /// <summary>Creates the commands; the arguments are the writers of results and of errors.</summary>
    internal required Func<TextWriter, TextWriter, IReadOnlyList<Command>> CreateCommands { get; init; }

    /// <summary>Returns the examples shown below the help of a command; of the tool itself for an empty path.</summary>
    internal required Func<string, string> GetExamples { get; init; }

    /// <summary>Says what an interrupted command leaves behind.</summary>
    internal required Func<string, string> GetOutcome { get; init; }

    /// <summary>Returns the exit code of an exception of the tool's own, or <see langword="null"/> for an exception it does not know.</summary>
    internal Func<Exception, int?> GetExitCode { get; init; } = static _ => null;
}

/// <summary>The command line as a whole: parses, runs a command, and turns every outcome into an exit code and at most one line on the error
/// output.</summary>
/// <param name="tool">The tool.</param>
/// <param name="output">Receives results.</param>
/// <param name="error">Receives progress and errors.</param>
internal sealed class ToolApplication(ToolDefinition tool, TextWriter output, TextWriter error)
{
    private readonly TextWriter _output = VisibleWriter.Around(output);
    private readonly TextWriter _error = VisibleWriter.Around(error);

    private readonly Option<bool> _verbose = new("--verbose")
    {
        Description = "On an error, print the stack trace too.",
        Recursive = true,
    };

    /// <summary>Runs a command line.</summary>
    /// <param name="args">The arguments.</param>
    /// <param name="cancellationToken">Ends the run, as Ctrl-C does.</param>
    /// <returns>The exit code.</returns>
    internal async Task<int> RunAsync(string[] args, CancellationToken cancellationToken = default)
    {
        // Numbers are printed and read alike on every machine, also where the application is part of another program.
        CultureInfo.CurrentCulture = CultureInfo.InvariantCulture;
        Command root = CreateRoot(_output);
        ParseResult result = root.Parse(args);
        // What a file would get goes to the standard output then, and nothing else does.
        if (IsToStandardOutput(result))
            result = (root = CreateRoot(_error)).Parse(args);
        if (result.Action is not HelpWithExamples && ErrorOf(result) is { } message)
        {
            await _error.WriteLineAsync($"{tool.Name}: {message}");
            string verb = result.CommandResult.Command == root ? "" : " " + PathOf(result.CommandResult);
            await _error.WriteLineAsync($"Try '{tool.Name}{verb} --help'.");
            return ExitCodes.Usage;
        }

        var configuration = new InvocationConfiguration
        {
            Output = _output,
            Error = _error,
            EnableDefaultExceptionHandler = false,
            // Ctrl-C comes by way of the cancellation: over queues in memory the library would begin to listen only when the run is over.
            ProcessTerminationTimeout = null,
        };
        try
        {
            int exitCode = await result.InvokeAsync(configuration, cancellationToken);
            // A verb that has something to show for the time up to Ctrl-C ends with this code, after it has cleaned up.
            return exitCode == ExitCodes.Interrupted ? await InterruptedAsync(result) : exitCode;
        }
        catch (OperationCanceledException)
        {
            return await InterruptedAsync(result);
        }
        catch (Exception e) when (ExitCodeOf(e) is not null)
        {
            await ReportAsync(e, result.GetValue(_verbose));
            return ExitCodeOf(e)!.Value;
        }
    }

    /// <summary>Determines whether an option names the standard output as its file.</summary>
    private static bool IsToStandardOutput(ParseResult result) => result.CommandResult.Command.Options.OfType<Option<FileInfo?>>()
        .Any(option => result.GetResult(option) is { Errors: var errors } && !errors.Any() && result.GetValue(option) is { } file
            && WholeFile.IsStandardOutput(file));

    /// <summary>Returns the error of a command line, or null if it is valid.</summary>
    private static string? ErrorOf(ParseResult result)
    {
        // An option that does not exist would be taken for the value of the option or argument before it.
        Token? unknown = result.Tokens.TakeWhile(token => token.Type != TokenType.DoubleDash)
            .FirstOrDefault(token => token.Type == TokenType.Argument && token.Value.StartsWith("--", StringComparison.Ordinal));
        if (unknown is not null)
            return $"There is no option '{unknown.Value}'.{Suggestion(result, unknown.Value)}";
        if (result.Errors.Count == 0)
            return null;
        ParseError error = result.Errors[0];
        return error.SymbolResult is ArgumentResult { Tokens.Count: 0 } missing ? $"<{(missing.Argument.HelpName ?? missing.Argument.Name).Trim('<', '>')}> is missing." : error.Message;
    }

    /// <summary>The option of the verb whose name differs by one or two letters.</summary>
    private static string Suggestion(ParseResult result, string name)
    {
        string? nearest = result.CommandResult.Command.Options.Select(option => option.Name).OrderBy(option => Distance(option, name)).FirstOrDefault();
        return nearest is not null && Distance(nearest, name) <= 2 ? $" Did you mean '{nearest}'?" : "";
    }

    /// <summary>Returns how many letters have to be put in, taken out or changed to make one name of another (Levenshtein).</summary>
    private static int Distance(string x, string y)
    {
        int[] row = [.. Enumerable.Range(0, y.Length + 1)];
        for (int i = 1; i <= x.Length; i++)
        {
            int diagonal = row[0]++;
            for (int j = 1; j <= y.Length; j++)
            {
                int changed = diagonal + (x[i - 1] == y[j - 1] ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.Min(changed, Math.Min(row[j], row[j - 1]) + 1);
            }
        }

        return row[y.Length];
    }

    /// <summary>Returns the exit code of an error. Anything else is a defect of the tool, and leaves it with its stack trace.</summary>
    private int? ExitCodeOf(Exception e) => tool.GetExitCode(e) ?? e switch
    {
        UsageException or NotSupportedException => ExitCodes.Usage,
        MessageFormatException => ExitCodes.Failure,
        FormatException => ExitCodes.Usage,
        QueueException or IOException or InvalidDataException or UnauthorizedAccessException or TimeoutException => ExitCodes.Failure,
        _ => null,
    };

    /// <summary>A verb with those above it, the tool left out: <c>queue list</c>; empty for the tool itself.</summary>
    private static string PathOf(CommandResult verb) => verb.Parent switch
    {
        null => "",
        CommandResult { Parent: not null } parent => $"{PathOf(parent)} {verb.Command.Name}",
        _ => verb.Command.Name,
    };

    private async Task<int> InterruptedAsync(ParseResult result)
    {
        await _error.WriteLineAsync($"{tool.Name}: interrupted; {tool.GetOutcome(PathOf(result.CommandResult))}.");
        return ExitCodes.Interrupted;
    }

    private async Task ReportAsync(Exception e, bool verbose)
    {
#if NET
        string message = ToolWording.Of(e.Message);
#else
        string message = e.Message;
#endif
        await _error.WriteLineAsync($"{tool.Name}: {OneLine(message)}");
        if (verbose)
            await _error.WriteLineAsync(e.ToString());
    }

    private static string OneLine(string text) => string.Join(' ', text.Split(['\r', '\n']).Select(line => line.Trim()).Where(line => line.Length > 0));

    // Not a RootCommand, which has the name of the program's file: the command that starts a tool may be another.
    private Command CreateRoot(TextWriter output)
    {
        HelpOption help = new() { Recursive = true };
        VersionOption version = new() { Action = new ShowVersion(tool.Version) };
        var root = new Command(tool.Name, tool.Description) { help, version };
        foreach (Command verb in tool.CreateCommands(output, _error))
            root.Subcommands.Add(verb);
        root.Options.Add(_verbose);
        var showHelp = new HelpWithExamples((HelpAction)help.Action!, tool);
        help.Action = showHelp;
        root.SetAction(showHelp.Invoke);
        return root;
    }

    private sealed class ShowVersion(string version) : SynchronousCommandLineAction
    {
        public override int Invoke(ParseResult parseResult)
        {
            parseResult.InvocationConfiguration.Output.WriteLine(version);
            return ExitCodes.Success;
        }
    }

    /// <summary>The generated help, and examples below it.</summary>
    private sealed class HelpWithExamples(HelpAction help, ToolDefinition tool) : SynchronousCommandLineAction
    {
        public override int Invoke(ParseResult parseResult)
        {
            // The verbs alone: the list would show an argument that may be left out like the others.
            if (parseResult.CommandResult is { Parent: null, Command: var root })
            {
                foreach (Argument argument in root.Subcommands.SelectMany(command => command.Arguments))
                    argument.Hidden = true;
            }

            help.MaxWidth = TextWrap.Width;
            int exitCode = help.Invoke(parseResult);
            parseResult.InvocationConfiguration.Output.WriteLine(tool.GetExamples(PathOf(parseResult.CommandResult)));
            return exitCode;
        }
    }
}
