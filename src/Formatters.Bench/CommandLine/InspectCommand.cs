using System;
using System.CommandLine;
using System.CommandLine.Parsing;
using System.IO;
using System.Linq;

namespace Formatters.Bench.CommandLine;

/// <summary>The verb <c>inspect</c>.</summary>
internal static class InspectCommand
{
    internal static Command Create(TextWriter output)
    {
        var file = new Argument<FileInfo>("file") { Description = "A file with one message body." };
        var format = new Option<MessageInspector>("--format")
        {
            Description = $"The wire format: {Names}.",
            HelpName = "name",
            CustomParser = ParseFormat,
            DefaultValueFactory = static _ => MessageInspector.MessagePack,
        };
        var offsets = new Option<bool>("--offsets") { Description = "Before each value, where it begins, in hexadecimal." };
        var command = new Command("inspect", "Prints a message body as JSON, without the type it is of.") { file, format, offsets };
        command.SetAction(result =>
        {
            FileInfo body = result.GetValue(file)!;
            if (!body.Exists)
                throw new UsageException($"There is no file '{body.FullName}'.");
            var limits = FormatterLimits.Default with { MaxBodyByteCount = int.MaxValue, MaxElementCount = int.MaxValue };
            result.GetValue(format)!.Inspect(
                File.ReadAllBytes(body.FullName), output, new InspectionOptions { ShowOffsets = result.GetValue(offsets), Limits = limits });
        });
        return command;
    }

    private static string Names => string.Join(", ", MessageInspector.All.Select(static inspector => inspector.Name));

    private static MessageInspector? ParseFormat(ArgumentResult result)
    {
        string name = result.Tokens[0].Value;
        if (MessageInspector.Find(name) is MessageInspector inspector)
            return inspector;
        result.AddError($"'{name}' is none of {Names}.");
        return null;
    }
}
