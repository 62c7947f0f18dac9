using System;
using System.CommandLine;
using System.IO;
using System.Linq;

namespace Formatters.Bench.CommandLine;

/// <summary>The verb <c>inspect</c>.</summary>
internal static class InspectCommand
{
    private const string ActiveX = "activex";

    internal static Command Create(TextWriter output, TextWriter error)
    {
        var file = new Argument<FileInfo>("file") { Description = "A file with one message body." };
        var format = new Option<string>("--format")
        {
            Description = $"The wire format: {Names}. Default: by content type or body type, else guessed from the bytes.",
            HelpName = "name",
        };
        var contentType = new Option<string>("--content-type") { Description = "The content type that the message had.", HelpName = "type" };
        var bodyType = new Option<int>("--body-type") { Description = "The body type that the message had; of ActiveX bodies the VARTYPE.", HelpName = "number" };
        var offsets = new Option<bool>("--offsets") { Description = "Before each value, where it begins, in hexadecimal." };
        var command = new Command("inspect", "Prints a message body as JSON, without the type it is of.") { file, format, contentType, bodyType, offsets };
        command.SetAction(result =>
        {
            FileInfo path = result.GetValue(file)!;
            if (!path.Exists)
                throw new UsageException($"There is no file '{path.FullName}'.");
            var body = new MessageBody(File.ReadAllBytes(path.FullName), result.GetValue(bodyType), result.GetValue(contentType));
            MessageInspector inspector = Choose(result.GetValue(format), body, error);
            var limits = FormatterLimits.Default with { MaxBodyByteCount = int.MaxValue, MaxElementCount = int.MaxValue };
            inspector.Inspect(body.Bytes.FirstSpan, output, new InspectionOptions { ShowOffsets = result.GetValue(offsets), Limits = limits });
        });
        return command;
    }

    private static string Names => string.Join(", ", MessageInspector.All.Select(static inspector => inspector.Name)) + ", " + ActiveX;

    private static MessageInspector Choose(string? name, MessageBody body, TextWriter error)
    {
        if (name is null)
        {
            MessageInspector detected = MessageInspector.Detect(body);
            if (body.ContentType is null && body.BodyType == 0)
                error.WriteLine($"{ToolInfo.Name}: by its bytes taken for {detected.Name} (--format)");
            return detected;
        }

        if (string.Equals(name, ActiveX, StringComparison.OrdinalIgnoreCase))
        {
            return body.BodyType != VarTypes.Empty && MessageInspector.Detect(new MessageBody(body.Bytes, body.BodyType, ContentTypes.ActiveX)) is { Name: ActiveX } inspector
                ? inspector
                : throw new UsageException("What an ActiveX body is stands beside it: give its VARTYPE with --body-type, as 31 for a text.");
        }

        return MessageInspector.Find(name) ?? throw new UsageException($"'{name}' is none of {Names}.");
    }
}
