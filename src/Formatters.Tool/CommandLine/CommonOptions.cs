using System;
using System.Collections.Generic;
using System.CommandLine;
using System.CommandLine.Parsing;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Text;
using Formatters.Queues;

namespace Formatters.Tools.CommandLine;

/// <summary>Options that several verbs have, and what they share in reading and writing them.</summary>
internal static class CommonOptions
{
    internal static Option<FileInfo?> CreateJson() => new("--json") { Description = "Also write the report to a file, as JSON; - is the standard output.", HelpName = "file" };

    internal static Option<FileInfo?> CreateCsv() => new("--csv") { Description = "Also write the figures to a file, as CSV; - is the standard output.", HelpName = "file" };

    internal static Option<bool> CreatePurge() => new("--purge") { Description = "Delete all messages in the queues first. Without it, a queue that is not empty is an error." };

    internal static Option<DeliveryMode> CreateMode() => new("--mode")
    {
        Description = "express, recoverable or transactional. [default: express]",
        HelpName = "mode",
        CustomParser = ParseMode,
    };

    internal static Option<DeliveryMode?> CreateOptionalMode() => new("--mode")
    {
        Description = "With NOTX: only express, or only recoverable.",
        HelpName = "mode",
        CustomParser = result => ParseMode(result),
    };

    /// <summary>The error for a file that is to be read and is not there, or is a folder.</summary>
    /// <param name="file">The file.</param>
    /// <param name="prefix">The option that names it, with a colon and a space; nothing for an argument.</param>
    internal static UsageException Missing(FileInfo file, string prefix = "") =>
        new(Directory.Exists(file.FullName) ? $"{prefix}'{file.FullName}' is a folder, not a file." : $"{prefix}There is no file '{file.FullName}'.");

    /// <summary>Parses one word of an enum, in any case; numbers are no words.</summary>
    internal static T ParseWord<T>(ArgumentResult result)
        where T : struct, Enum => ParseWord<T>(result, static name => name.ToUpperInvariant());

    private static DeliveryMode ParseMode(ArgumentResult result) => ParseWord<DeliveryMode>(result, static name => name.ToLowerInvariant());

    private static T ParseWord<T>(ArgumentResult result, Func<string, string> spell)
        where T : struct, Enum => ParseWord<T>(result, result.Tokens[0].Value, spell);

    /// <summary>Parses words of an enum, separated by commas, each once.</summary>
    internal static T[] ParseWords<T>(ArgumentResult result)
        where T : struct, Enum
    {
        string[] words = [.. result.Tokens.SelectMany(static token => token.Value.Split(','))];
        return [.. words.Select(word => ParseWord<T>(result, word, static name => name.ToLowerInvariant())).Distinct()];
    }

    /// <summary>Parses one of several words of an enum.</summary>
    internal static T ParseWord<T>(ArgumentResult result, string word, Func<string, string> spell)
        where T : struct, Enum
    {
        string? name = Enum.GetNames(typeof(T)).FirstOrDefault(name => name.Equals(word, StringComparison.OrdinalIgnoreCase));
        if (name is not null)
            return (T)Enum.Parse(typeof(T), name);
        result.AddError($"'{word}' is not one of {string.Join(", ", Enum.GetNames(typeof(T)).Select(spell))}.");
        return default;
    }

    /// <summary>Makes an option that takes a number, written with a point in every culture.</summary>
    internal static Option<double> CreateNumber(string name, string description, double min, double max, double? defaultValue = null, string helpName = "number")
    {
        var option = new Option<double>(name) { Description = description, HelpName = helpName, CustomParser = Parse };
        if (defaultValue is { } value)
            option.DefaultValueFactory = _ => value;
        option.Validators.Add(InRange(option, min, max));
        return option;

        double Parse(ArgumentResult result)
        {
            if (double.TryParse(result.Tokens[0].Value, NumberStyles.Float, CultureInfo.InvariantCulture, out double number))
                return number;
            result.AddError($"{name} takes a number, not '{result.Tokens[0].Value}'.");
            return 0;
        }
    }

    /// <summary>Makes an option that takes a number, and need not be there.</summary>
    internal static Option<double?> CreateOptionalNumber(string name, string description, double min, double max, string helpName)
    {
        var option = new Option<double?>(name) { Description = description, HelpName = helpName, CustomParser = Parse };
        option.Validators.Add(InRange(option, min, max));
        return option;

        double? Parse(ArgumentResult result)
        {
            if (double.TryParse(result.Tokens[0].Value, NumberStyles.Float, CultureInfo.InvariantCulture, out double number))
                return number;
            result.AddError($"{name} takes a number, not '{result.Tokens[0].Value}'.");
            return null;
        }
    }

    /// <summary>Creates an option that takes a whole number.</summary>
    internal static Option<int> CreateCount(string name, string description, int byDefault, int max, int min = 1, string helpName = "number")
    {
        var option = new Option<int>(name) { Description = description, HelpName = helpName, DefaultValueFactory = _ => byDefault };
        option.Validators.Add(InRange(option, min, max));
        return option;
    }

    /// <summary>Creates an option that takes a whole number, and is not required.</summary>
    internal static Option<int?> CreateOptionalCount(string name, string description, int min, int max)
    {
        var option = new Option<int?>(name) { Description = description, HelpName = "number" };
        option.Validators.Add(InRange(option, min, max));
        return option;
    }

    /// <summary>Makes an option that takes whole numbers, separated by commas, each once.</summary>
    internal static Option<int[]> CreateNumbers(string name, string description, int min, int max)
    {
        return new Option<int[]>(name) { Description = description, HelpName = "n,n,...", CustomParser = Parse };

        int[] Parse(ArgumentResult result)
        {
            var numbers = new List<int>();
            foreach (string part in result.Tokens.SelectMany(static token => token.Value.Split(',')))
            {
                if (int.TryParse(part, NumberStyles.None, CultureInfo.InvariantCulture, out int number) && number >= min && number <= max)
                    numbers.Add(number);
                else
                    result.AddError(string.Create(CultureInfo.InvariantCulture, $"{name} takes numbers from {min:#,0} to {max:#,0}, separated by commas, not '{part}'."));
            }

            return [.. numbers.Distinct()];
        }
    }

    /// <summary>Refuses a number outside a range.</summary>
    internal static Action<OptionResult> InRange<T>(Option<T> option, double min, double max) => result =>
    {
        // What is no number at all, the parser refuses by itself.
        if (result.Tokens.Count != 1 || !double.TryParse(result.Tokens[0].Value, NumberStyles.Float, CultureInfo.InvariantCulture, out double number))
            return;
        if (!(number >= min && number <= max))
            result.AddError(string.Create(CultureInfo.InvariantCulture, $"{option.Name} takes {min:#,0.##} to {max:#,0.##}, not {number:#,0.##}."));
    };

    /// <summary>The arguments for a report: as they were given, passwords in addresses left out.</summary>
    internal static string Describe(ParseResult result) => string.Join(' ', result.Tokens.Select(token => Describe(token.Value)));

    /// <summary>Makes sure that the files that are asked for can be written, before anything is measured. Leaves them as they are.</summary>
    /// <exception cref="UsageException">One cannot, or both are the same.</exception>
    internal static void CheckFiles(FileInfo? json, FileInfo? csv)
    {
        if (json is not null && csv is not null && json.FullName == csv.FullName)
            throw new UsageException("--json and --csv name the same file.");
        CheckFile("--json", json);
        CheckFile("--csv", csv);
    }

    /// <summary>Checks that a file can be written, and leaves it as it is.</summary>
    /// <exception cref="UsageException">It cannot.</exception>
    internal static void CheckFile(string option, FileInfo? file)
    {
        if (file is null)
            return;
        try
        {
            WholeFile.Check(file);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw new UsageException($"{option}: the file cannot be written: {e.Message}");
        }
    }

    /// <summary>Writes the files that were asked for, each whole or not at all.</summary>
    internal static void WriteFiles(FileInfo? json, FileInfo? csv, Action<Stream> writeJson, Action<TextWriter> writeCsv)
    {
        if (json is not null)
            WholeFile.Write(json, writeJson);
        if (csv is not null)
            WholeFile.Write(csv, WriteText);

        void WriteText(Stream stream)
        {
            using var writer = new StreamWriter(stream, new UTF8Encoding(encoderShouldEmitUTF8Identifier: false), bufferSize: 4096, leaveOpen: true);
            writeCsv(writer);
        }
    }

    private static string Describe(string argument)
    {
        if (!argument.Contains('@', StringComparison.Ordinal))
            return argument.Contains(' ', StringComparison.Ordinal) ? $"\"{argument}\"" : argument;
        try
        {
            return string.Join(',', QueueAddress.ParseList(argument));
        }
        catch (FormatException)
        {
            return "...";
        }
    }
}
