using System.Globalization;
using System.IO;
using System.Text;
using Formatters.Tools.Migrate;

namespace Formatters.Tools.Conversion;

/// <summary>Converts bodies that are not in a queue, and counts what became of them.</summary>
/// <param name="reencoding">Reads bodies into the user's types and writes them; null to write each as JSON as the inspector shows it.</param>
/// <param name="bodyType">The body type of the bodies, 0 for none.</param>
/// <param name="contentType">The content type of the bodies, or null.</param>
internal sealed class BodyConversion(Reencoding? reencoding, int bodyType, string? contentType)
{
    private static readonly InspectionOptions Whole = new()
    {
        MaxCharCount = long.MaxValue,
        Limits = FormatterLimits.Default with { MaxBodyByteCount = int.MaxValue, MaxElementCount = int.MaxValue },
    };

    /// <summary>What was done.</summary>
    internal MigrateReport Report { get; } = new();

    /// <summary>Whether the new bodies are text.</summary>
    internal bool WritesText => reencoding is null || reencoding.WriterName is "json" or "xml";

    /// <summary>The extension that a file of a new body gets.</summary>
    internal string Extension => reencoding is null ? ".json" : WritesText ? "." + reencoding.WriterName : "";

    /// <summary>Converts a body.</summary>
    /// <param name="name">The name of its file or row, for the report.</param>
    /// <param name="bytes">The body.</param>
    /// <returns>The new body, or null if it was refused: the report says why.</returns>
    internal byte[]? Convert(string name, byte[] bytes)
    {
        var changes = new ChangeList();
        var body = new MessageBody(bytes, bodyType, contentType);
        try
        {
            (byte[] converted, string reader) = reencoding is null ? Inspect(body) : Reencode(body, changes);
            Report.AddMoved(name, bytes.Length, reader, converted.Length, changes);
            return converted;
        }
        catch (RefusedException e)
        {
            Report.AddRefused(name, bytes.Length, e, changes);
            return null;
        }
    }

    /// <summary>Prints the report, and returns the exit code that it stands for.</summary>
    /// <param name="output">Receives the report.</param>
    /// <param name="unit">What was converted: files, rows.</param>
    /// <param name="isDryRun">Whether nothing was written.</param>
    internal int Print(TextWriter output, string unit, bool isDryRun)
    {
        Report.PrintTables(output, reencoding?.WriterName ?? "json", reencoding?.Allowed ?? new AllowedChanges([]), isDryRun, unit);
        return Report.NewBodyRefusedCount > 0 ? ExitCodes.Refused : Report.RefusedCount > 0 ? ExitCodes.Failure : ExitCodes.Success;
    }

    private (byte[] Body, string Reader) Reencode(MessageBody body, ChangeList changes)
    {
        (MessageBody converted, string reader) = reencoding!.Convert(body, changes);
        return (converted.ToArray(), reader);
    }

    private static (byte[] Body, string Reader) Inspect(MessageBody body)
    {
        MessageInspector inspector = MessageInspector.Detect(body);
        using var text = new StringWriter(CultureInfo.InvariantCulture);
        try
        {
            inspector.Inspect(body.Bytes.FirstSpan, text, Whole);
        }
        catch (MessageFormatException e)
        {
            throw new RefusedException(MigrateStep.Read, e.Code.ToString(), $"Reading the body as {inspector.Name}: {e.Message}", e);
        }

        return (Encoding.UTF8.GetBytes(text.ToString()), inspector.Name);
    }
}
