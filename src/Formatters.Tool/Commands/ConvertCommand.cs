using System;
using System.CommandLine;
using System.IO;
using System.Threading.Tasks;
using Formatters.Queues;
using Formatters.Tools.Conversion;
using Formatters.Tools.Migrate;

namespace Formatters.Tools.Commands;

/// <summary>The command <c>convert</c>: bodies in files or in a column of a database.</summary>
internal static class ConvertCommand
{
    internal const string Name = "convert";

    internal static Command Create(TextWriter output, TextWriter error)
    {
        var source = new Argument<string>("from") { Description = "A file with one body, a folder of such files, or a database: postgres://USER:PASSWORD@HOST/DATABASE." };
        var destination = new Argument<string?>("to") { Description = "The new file, or the folder for the new files; none for a database.", Arity = ArgumentArity.ZeroOrOne };
        var table = new Option<string?>("--table") { Description = "With a database: the table.", HelpName = "name" };
        var key = new Option<string?>("--key") { Description = "With a database: a column whose value names a row in messages, such as its primary key.", HelpName = "name" };
        var column = new Option<string?>("--column") { Description = "With a database: the column with the bodies (bytea).", HelpName = "name" };
        var toColumn = new Option<string?>("--to-column")
        {
            Description = "With a database: the column for the new bodies (bytea; text, json or jsonb for JSON and XML). Rows in which it is not null are left out.",
            HelpName = "name",
        };
        var contentType = new Option<string?>("--content-type") { Description = "The content type that the messages had.", HelpName = "type" };
        var bodyType = new Option<int>("--body-type") { Description = "The body type that the messages had; 768 for those of BinaryMessageFormatter.", HelpName = "number" };
        var dryRun = new Option<bool>("--dry-run") { Description = "Read, convert and compare, but write nothing." };
        var reencoding = new ReencodingOptions();
        var command = new Command(Name, "Converts bodies in files or in a column of a PostgreSQL table to another format.")
        {
            source, destination, table, key, column, toColumn, contentType, bodyType, dryRun,
        };
        reencoding.AddTo(command);
        command.SetAction(async (result, cancellationToken) =>
        {
            string from = result.GetValue(source)!;
            string? to = result.GetValue(destination);
            bool isDryRun = result.GetValue(dryRun);
            string?[] names = [result.GetValue(table), result.GetValue(key), result.GetValue(column), result.GetValue(toColumn)];
            QueueAddress? database = from.StartsWith("postgres://", StringComparison.OrdinalIgnoreCase) || from.StartsWith("postgresql://", StringComparison.OrdinalIgnoreCase)
                ? QueueAddress.Parse(from) : null;
            if (database is not null && (to is not null || Array.Exists(names, string.IsNullOrEmpty)))
                throw new UsageException("With a database, name --table, --key, --column and --to-column, and no destination.");
            if (database is null && (to is null || Array.Exists(names, static name => name is not null)))
                throw new UsageException("With a file or folder, name the destination, and none of --table, --key, --column and --to-column.");

            (Reencoding? read, MessageInspector? inspector) = reencoding.ReadOrInspect(result, error);
            var conversion = new BodyConversion(read, result.GetValue(bodyType), result.GetValue(contentType), inspector);
            var files = new FileConversion(from, to ?? "", isDryRun);
            ColumnConversion? rows = database is null ? null : new ColumnConversion(database, names[0]!, names[1]!, names[2]!, names[3]!, isDryRun);
            bool isWhole = false;
            int exitCode = ExitCodes.Success;
            try
            {
                isWhole = await RunProgress.RunAsync(error, isQuiet: true, async progress =>
                {
                    IProgress<double> stage = progress.Stage("converting");
                    await (rows is null ? files.RunAsync(conversion, stage, cancellationToken) : rows.RunAsync(conversion, stage, cancellationToken));
                    return true;
                });
            }
            finally
            {
                if (isWhole || conversion.Report.Count > 0)
                    exitCode = conversion.Print(output, rows is null ? "files" : "rows", isDryRun);
            }

            if (files.SkippedCount > 0)
                output.WriteLine(files.SkippedCount == 1 ? "1 file was left out: its new file exists already."
                    : $"{Numbers.Count(files.SkippedCount)} files were left out: their new files exist already.");
            if (rows is { ChangedMeanwhileCount: > 0 })
            {
                output.WriteLine($"{(rows.ChangedMeanwhileCount == 1 ? "1 row was left as it is" : $"{Numbers.Count(rows.ChangedMeanwhileCount)} rows were left as they are")}: changed by another session meanwhile. Repeat the run.");
                return ExitCodes.Failure;
            }

            return exitCode;
        });
        return command;
    }
}
